/// How long tests wait for an expected event, in seconds. Only an error uses all of it.
package let patienceSeconds = 240.0

/// Waits until a condition holds. It checks often at first and then less often, since a check may start a program.
///
/// - Returns: whether the condition held in the end.
package func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    var pause = Duration.milliseconds(2)
    var began = ContinuousClock.now
    while try await !holds() {
        guard ContinuousClock.now < end else { return try await holds() }
        // Many tests wait at once: whoever looks by a program leaves the processors to what is waited for most of the
        // time.
        let cost = ContinuousClock.now - began
        try await Task.sleep(for: max(pause, min(cost * 2, .seconds(1))))
        pause = min(.milliseconds(100), .milliseconds(1) + pause * 1.5)
        began = ContinuousClock.now
    }
    return true
}

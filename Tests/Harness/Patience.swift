/// The time that is waited for what must come, in seconds. Only a fault lets it run out: nothing hangs on how soon it
/// comes.
package let patienceSeconds = 240.0

/// Waits until something holds, looking again and again, at first often: to look may cost a program.
///
/// - Returns: whether it came to hold.
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

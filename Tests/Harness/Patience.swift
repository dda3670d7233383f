/// The time that is waited for what must come, in seconds. Only a fault lets it run out: nothing hangs on how soon it
/// comes.
package let patienceSeconds = 240.0

/// Waits until something holds, looking again and again, at first often: to look may cost a program.
///
/// - Returns: whether it came to hold.
package func eventually(_ holds: () async throws -> Bool) async throws -> Bool {
    let end = ContinuousClock.now + .seconds(patienceSeconds)
    var pause = 2
    while try await !holds() {
        guard ContinuousClock.now < end else { return try await holds() }
        try await Task.sleep(for: .milliseconds(pause))
        pause = min(100, 1 + pause * 3 / 2)
    }
    return true
}

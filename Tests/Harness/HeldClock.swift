import Synchronization

/// A clock that stands still until a test moves it.
package final class HeldClock: Sendable {
    private let start = SuspendingClock.now
    private let passed = Mutex(Duration.zero)

    package init() {}

    package var now: @Sendable () -> SuspendingClock.Instant { { [self] in start + passed.withLock { $0 } } }
    /// The milliseconds that have passed on this clock.
    package var milliseconds: @Sendable () -> Int64 { { [self] in Int64(passed.withLock { $0 } / .milliseconds(1)) } }

    package func advance(seconds: Double) { passed.withLock { $0 += .seconds(seconds) } }

    /// Moves the clock again and again until a condition holds, since the code under test may not have started to wait.
    ///
    /// - Returns: whether the condition held in the end.
    package func advance(seconds: Double, until holds: () async throws -> Bool) async throws -> Bool {
        try await eventually {
            advance(seconds: seconds)
            return try await holds()
        }
    }
}

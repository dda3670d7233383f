import Synchronization
import Vocabulary

extension Limits {
    /// The failed spins in a row after which a thread sleeps at once.
    fileprivate static let spinMisses = 4

    /// The number of waits of which one spins, after `spinMisses` failed spins in a row.
    fileprivate static let spinTry = 16
}

/// A busy wait for events that usually come within microseconds, since waking a sleeping thread takes longer.
///
/// The wait does not yield, since a thread that yields falls behind on a busy machine. After failed waits it is tried
/// seldom, since other programs then need the processor more.
final class Spin: Sendable {
    private let microseconds: Int
    /// The number of failed spins in a row.
    private let misses = Atomic(0)

    init(microseconds: Int) { self.microseconds = microseconds }

    /// Spins until `isThere` returns true or the time is over. Only one thread may call this at a time.
    func wait(until isThere: () -> Bool) {
        let missed = misses.load(ordering: .relaxed)
        guard missed < Limits.spinMisses || missed % Limits.spinTry == 0 else {
            return misses.store(missed + 1, ordering: .relaxed)
        }
        misses.store(cameWithin(isThere) ? 0 : missed &+ 1, ordering: .relaxed)
    }

    private func cameWithin(_ isThere: () -> Bool) -> Bool {
        let end = ContinuousClock.now + .microseconds(microseconds)
        repeat {
            if isThere() { return true }
        } while ContinuousClock.now < end
        return isThere()
    }
}

import Synchronization
import Vocabulary

extension Limits {
    /// The spins in vain in a row after which a thread sleeps at once.
    fileprivate static let spinMisses = 4

    /// The number of waits among which a thread spins once, after it spun in vain `spinMisses` times.
    fileprivate static let spinTry = 16
}

/// Waits for what often comes within microseconds: who falls asleep meanwhile is woken later than that. It does not
/// yield: with that a thread gives up its whole share, and falls behind on a busy machine. Where it came in vain,
/// programs need the processor more: then it is seldom tried.
final class Spin: Sendable {
    private let microseconds: Int
    /// Times in a row that nothing came.
    private let misses = Atomic(0)

    init(microseconds: Int) { self.microseconds = microseconds }

    /// Of one thread at a time.
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

import Testing
import Vocabulary

@testable import Storage

/// The time that whoever holds the writers' lock is waited for, without waiting for it.
struct LockWatchTests {
    @Test(
        arguments: [
            (0, true, false), (Limits.lockStoppedSeconds - 0.1, true, false), (Limits.lockStoppedSeconds, true, true),
            (Limits.lockStoppedSeconds + 3, false, false), (Limits.lockSeconds - 1, false, false),
            (Limits.lockSeconds, false, true),
        ] as [(Double, Bool, Bool)])
    func whoStandsStillIsWaitedForLessLong(seconds: Double, isStopped: Bool, isOver: Bool) {
        #expect(LockWatch.isOver(after: seconds, isStopped: isStopped) == isOver)
    }
}

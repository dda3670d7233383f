import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// How long to wait for the writers' lock if the process that holds it is stopped, in seconds.
    package static let lockStoppedSeconds = 5.0

    /// How long to wait for the writers' lock if the process that holds it runs, in seconds.
    package static let lockSeconds = 900.0
}

/// A watch over the threads of this process that wait for the writers' lock, since `flock` has no timeout. If the
/// holder is stopped (SIGSTOP, a debugger), it ends the wait after some seconds, otherwise after a long time. Its
/// thread lives only while a thread waits.
final class LockWatch: Sendable {
    static let shared = LockWatch()

    private struct Waiter {
        let thread: pthread_t
        let since = ContinuousClock.now
        let device: dev_t
        let inode: ino_t
        var verdict: Verdict?
    }

    /// The reason why a wait was ended.
    struct Verdict {
        /// The process that holds the lock, or nil if it could not be found.
        let holder: pid_t?
        let isStopped: Bool
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
        var next = 0
        var isWatching = false
    }

    private let state = Mutex(State())
    static let signal = SIGUSR2
    private static let milliseconds: UInt32 = 500

    private init() {
        // A handler that does nothing, and no restart: a call that blocks comes back.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in }
        sigaction(Self.signal, &action, nil)
    }

    /// Registers the calling thread, which is about to wait for the lock of this descriptor, and returns a ticket for
    /// it.
    func begin(_ descriptor: Int32) -> Int {
        var status = stat()
        fstat(descriptor, &status)
        let waiter = Waiter(thread: pthread_self(), device: status.st_dev, inode: status.st_ino)
        let (ticket, startsWatch) = state.withLock { state in
            state.next += 1
            state.waiters[state.next] = waiter
            defer { state.isWatching = true }
            return (state.next, !state.isWatching)
        }
        if startsWatch { start() }
        return ticket
    }

    /// Removes a thread that no longer waits.
    func end(_ ticket: Int) { state.withLock { _ = $0.waiters.removeValue(forKey: ticket) } }

    func verdict(_ ticket: Int) -> Verdict? { state.withLock { $0.waiters[ticket]?.verdict } }

    private func start() {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { _ in
                LockWatch.shared.watch()
                return nil
            }, nil)
        guard code == 0 else { return state.withLock { $0.isWatching = false } }
        pthread_detach(thread)
    }

    private func watch() {
        var isWatching = true
        while isWatching {
            usleep(Self.milliseconds * 1000)
            isWatching = state.withLock { state in
                for (ticket, waiter) in state.waiters {
                    state.waiters[ticket]!.verdict = waiter.verdict ?? Self.judge(waiter)
                    // Sent again and again, since a signal just before the call would be lost. The thread exists as
                    // long as its ticket does.
                    if state.waiters[ticket]!.verdict != nil { pthread_kill(waiter.thread, Self.signal) }
                }
                state.isWatching = !state.waiters.isEmpty
                return state.isWatching
            }
        }
    }

    private static func judge(_ waiter: Waiter) -> Verdict? {
        let seconds = (ContinuousClock.now - waiter.since) / .milliseconds(1) / 1000
        // The holder is not looked up before it can matter.
        guard isOver(after: seconds, isStopped: true) else { return nil }
        let holder = holder(waiter.device, waiter.inode)
        let isStopped = holder.map(ProcessState.isStopped) ?? false
        return isOver(after: seconds, isStopped: isStopped) ? Verdict(holder: holder, isStopped: isStopped) : nil
    }

    /// Returns whether a wait has been long enough to end it.
    static func isOver(after seconds: Double, isStopped: Bool) -> Bool {
        seconds >= (isStopped ? Limits.lockStoppedSeconds : Limits.lockSeconds)
    }

    // MARK: What the kernel tells

    /// Returns the process that holds the lock of a file, or nil if it cannot be found.
    ///
    /// Reads `/proc/locks`, whose lines look like `1: FLOCK  ADVISORY  WRITE 4711 08:02:131 0 EOF`. A waiting process
    /// has `->` after the number. Some file systems show another device there than in `stat`. Then the inode decides,
    /// if only one line has it.
    static func holder(_ device: dev_t, _ inode: ino_t) -> pid_t? {
        let locks = ProcessState.text("/proc/locks").split(separator: "\n").map { $0.split(separator: " ") }
        let all = locks.filter { $0.count > 5 && $0[1] == "FLOCK" && $0[3] == "WRITE" && $0[5].hasSuffix(":\(inode)") }
        let exact = all.filter { words in
            let parts = words[5].split(separator: ":").prefix(2).compactMap { UInt64($0, radix: 16) }
            return parts == [UInt64(major(device)), UInt64(minor(device))]
        }
        let found = exact.isEmpty && all.count == 1 ? all : exact
        return found.first.flatMap { pid_t($0[4]) }.flatMap { $0 > 0 ? $0 : nil }
    }

    private static func major(_ device: dev_t) -> UInt64 {
        (UInt64(device) >> 8 & 0xFFF) | (UInt64(device) >> 32 & ~0xFFF)
    }
    private static func minor(_ device: dev_t) -> UInt64 { (UInt64(device) & 0xFF) | (UInt64(device) >> 12 & ~0xFF) }
}

import Actions
import Engine
import Glibc

/// The handling of SIGINT, SIGTERM and SIGHUP by a thread that waits for them. It may do more than a signal handler
/// may.
struct Signals: Sendable {
    /// Handles SIGINT, and returns whether the program goes on.
    let onInterrupt: @Sendable () -> Bool
    let onEnd: @Sendable (_ status: Int32) -> Void

    private static let set = {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        return set
    }()

    /// Blocks the signals that `listen` handles, so that they wait for it. Call this before other threads are created,
    /// since they inherit the mask.
    static func hold() {
        var set = set
        pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    func listen() {
        DetachedThread.start {
            var (set, signal) = (Signals.set, Int32(0))
            repeat { sigwait(&set, &signal) } while signal == SIGINT && onInterrupt()
            onEnd(128 + signal)
        }
    }
}

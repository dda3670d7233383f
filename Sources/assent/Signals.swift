import Actions
import Engine
import Glibc

/// SIGINT, SIGTERM and SIGHUP, taken by a thread that waits for them, so that what happens then may do more than a
/// handler may.
struct Signals: Sendable {
    /// Whether SIGINT was heard as something else than the end.
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

import Glibc

/// SIGINT, SIGTERM and SIGHUP, taken by a thread that waits for them, so that what happens then may do more than a handler may.
struct Signals {
    let onEnd: @Sendable (_ status: Int32) -> Void

    /// Must run before other threads are made: they inherit the mask.
    func listen() {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let box = Unmanaged.passRetained(Box(set: set, onEnd: onEnd))
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { @Sendable pointer in
                let box = Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue()
                var set = box.set
                var signal: Int32 = 0
                sigwait(&set, &signal)
                box.onEnd(128 + signal)
                return nil
            }, box.toOpaque())
        precondition(code == 0, "no thread for signals")
        pthread_detach(thread)
    }

    private final class Box: Sendable {
        let set: sigset_t
        let onEnd: @Sendable (Int32) -> Void

        init(set: sigset_t, onEnd: @escaping @Sendable (Int32) -> Void) {
            self.set = set
            self.onEnd = onEnd
        }
    }
}

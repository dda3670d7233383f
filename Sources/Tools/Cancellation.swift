import CProcess
import Glibc
import Synchronization

/// A word that is said once, which threads can ask for and the kernel can wait for.
final class Flag: Sendable {
    private struct State {
        var isRaised = false
        /// Made when somebody waits for it: for most, nobody ever does.
        var descriptor: Int32?
    }

    private let state = Mutex(State())

    deinit { state.withLock { if let descriptor = $0.descriptor { close(descriptor) } } }

    /// Readable once the flag was raised.
    var descriptor: Int32 {
        state.withLock { state in
            if let descriptor = state.descriptor { return descriptor }
            let descriptor = cprocess_open_flag()
            if state.isRaised { cprocess_raise_flag(descriptor) }
            state.descriptor = descriptor
            return descriptor
        }
    }

    var isRaised: Bool { state.withLock { $0.isRaised } }

    func raise() {
        state.withLock { state in
            state.isRaised = true
            if let descriptor = state.descriptor { cprocess_raise_flag(descriptor) }
        }
    }
}

/// A signal to a tool to stop. It is thread-safe.
package final class Cancellation: Sendable {
    private let flag = Flag()

    package init() {}

    var descriptor: Int32 { flag.descriptor }
    package var isCancelled: Bool { flag.isRaised }
    package func cancel() { flag.raise() }

    /// Blocks for so long, or until it is cancelled.
    /// - Returns: whether it is.
    func wait(milliseconds: Int32) -> Bool {
        var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&one, 1, milliseconds)
        return isCancelled
    }
}

import CProcess
import Glibc
import Synchronization

/// A flag that is raised once. Threads can check it, and wait for it by a descriptor.
package final class Flag: Sendable {
    package init() {}

    private struct State {
        var isRaised = false
        /// A descriptor that is created when a thread waits for the flag, which is rare.
        var descriptor: Int32?
    }

    private let state = Mutex(State())

    deinit { state.withLock { if let descriptor = $0.descriptor { close(descriptor) } } }

    /// A descriptor that is readable after the flag was raised.
    package var descriptor: Int32 {
        state.withLock { state in
            if let descriptor = state.descriptor { return descriptor }
            let descriptor = cprocess_open_flag()
            if state.isRaised { cprocess_raise_flag(descriptor) }
            state.descriptor = descriptor
            return descriptor
        }
    }

    package var isRaised: Bool { state.withLock { $0.isRaised } }

    package func raise() {
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

    package var descriptor: Int32 { flag.descriptor }
    package var isCancelled: Bool { flag.isRaised }
    package func cancel() { flag.raise() }

    /// Waits for some time, or until the tool is cancelled.
    ///
    /// - Returns: whether it is cancelled.
    func wait(milliseconds: Int32) -> Bool {
        var one = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        poll(&one, 1, milliseconds)
        return isCancelled
    }
}

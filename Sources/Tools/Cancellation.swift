import CProcess
import Glibc
import Synchronization

/// Tells a tool to stop. Thread-safe; a wait in the kernel hears it through `descriptor`.
package final class Cancellation: Sendable {
    /// Readable once `cancel` was called.
    let descriptor: Int32
    private let raised = Atomic(false)

    package init() {
        descriptor = cprocess_open_flag()
    }

    deinit { close(descriptor) }

    package var isCancelled: Bool { raised.load(ordering: .acquiring) }

    package func cancel() {
        raised.store(true, ordering: .releasing)
        cprocess_raise_flag(descriptor)
    }
}

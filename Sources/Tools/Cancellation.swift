import CProcess
import Glibc
import Synchronization

/// A word that is said once, which threads can ask for and the kernel can wait for.
final class Flag: Sendable {
    /// Readable once the flag was raised.
    let descriptor = cprocess_open_flag()
    private let raised = Atomic(false)

    deinit { close(descriptor) }

    var isRaised: Bool { raised.load(ordering: .acquiring) }

    func raise() {
        raised.store(true, ordering: .releasing)
        cprocess_raise_flag(descriptor)
    }
}

/// Tells a tool to stop. Thread-safe.
package final class Cancellation: Sendable {
    private let flag = Flag()

    package init() {}

    var descriptor: Int32 { flag.descriptor }
    package var isCancelled: Bool { flag.isRaised }
    package func cancel() { flag.raise() }
}

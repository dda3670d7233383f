import CProcess
package import Vocabulary

/// What a thread works on, for the handler of a signal that ends the process.
package enum CrashMark {
    /// - Parameter step: `nil` for the workflow as a whole.
    package static func work(on workflow: WorkflowID?, step: Int? = nil) {
        ccrash_work_on(workflow?.number ?? 0, Int64(step ?? 0))
    }

    /// Writes it for `CrashNote`, if the calling thread works on something. Nothing is allocated and no lock is taken.
    package static func write(to descriptor: Int32) { ccrash_write(descriptor) }
}

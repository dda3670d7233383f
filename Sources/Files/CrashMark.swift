import CProcess
package import Vocabulary

/// A mark of the work of each thread, for the handler of a signal that ends the process.
package enum CrashMark {
    /// Marks the calling thread as working on a workflow.
    ///
    /// - Parameters:
    ///   - workflow: `nil` removes the mark.
    ///   - step: `nil` for the workflow as a whole.
    package static func work(on workflow: WorkflowID?, step: Int? = nil) {
        ccrash_work_on(workflow?.number ?? 0, Int64(step ?? 0))
    }

    /// Writes the mark of the calling thread for `CrashNote`, if there is one. It allocates no memory and takes no
    /// lock.
    package static func write(to descriptor: Int32) { ccrash_write(descriptor) }
}

import Glibc
import Services
import Storage
import Synchronization
package import Vocabulary

/// Another process that holds a workflow, so that no other engine runs it.
package struct WorkflowHolder: Hashable, Sendable {
    package let workflow: WorkflowID
    package let process: Int32
    /// Whether the process is stopped, such as by Ctrl-Z or a debugger.
    package let isStopped: Bool

    /// Creates a holder.
    package init(workflow: WorkflowID, process: Int32, isStopped: Bool) {
        (self.workflow, self.process, self.isStopped) = (workflow, process, isStopped)
    }

    /// The notice for a person who waits, such as `Process 31061 holds w3 and stands still. 'fg' in its shell, or 'kill
    /// -CONT 31061', lets it go on.`
    package var words: String {
        isStopped
            ? "Process \(process) holds \(workflow) and stands still. "
                + "'fg' in its shell, or 'kill -CONT \(process)', lets it go on."
            : "Process \(process) holds \(workflow), and has not gone on with it yet."
    }
}

extension Limits {
    /// The most workflows of other processes that a worker names at its end.
    fileprivate static let namedHolders = 5
}

extension WorkflowRecords {
    /// Returns a line for each workflow that another process goes on with, such as `w3 goes on in process 31061.`
    package func notesOnOtherHolders() throws(Failure) -> [String] {
        var holders: [WorkflowHolder] = []
        for id in try shared.archive.get().moving() {
            if let holder = try shared.holder(of: id) { holders.append(holder) }
        }
        let named = holders.prefix(Limits.namedHolders).map { holder in
            holder.isStopped ? holder.words : "\(holder.workflow) goes on in process \(holder.process)."
        }
        let rest = holders.count - named.count
        return named + (rest > 0 ? ["\(rest) more go on in other processes."] : [])
    }
}

extension OpenWorkspace {
    /// Returns the other process that lives and holds a workflow, or `nil` if there is none.
    func holder(of workflow: WorkflowID) throws(Failure) -> WorkflowHolder? {
        guard let owner = try archive.get().owner(of: workflow), owner != living.withLock({ $0.life })?.name,
            let process = EngineLock.process(of: owner),
            EngineLock.isAlive(owner, in: folders.engines)
        else { return nil }
        return WorkflowHolder(workflow: workflow, process: process, isStopped: ProcessState.isStopped(process))
    }
}

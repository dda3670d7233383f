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

extension WorkflowRecords {
    /// Returns a line for each other process that goes on with workflows, such as `w3 and w4 go on in process 31061.`
    package func notesOnOtherHolders() throws(Failure) -> [String] {
        let own = shared.living.withLock { $0.life }?.name
        let others = try shared.archive.get().carried(isMoving: true).filter { owner, _ in
            owner != own && EngineLock.isAlive(owner, in: shared.folders.engines)
        }
        let notes = others.compactMap { owner, workflows -> (first: WorkflowID, words: String)? in
            guard let process = EngineLock.process(of: owner), let first = workflows.first else { return nil }
            guard !ProcessState.isStopped(process) else {
                return (first, WorkflowHolder(workflow: first, process: process, isStopped: true).words)
            }
            // The process of another container is not seen here.
            let place = kill(process, 0) == 0 || errno == EPERM ? "in process \(process)" : "elsewhere"
            let names = NameList.words(workflows.map(\.description))
            return (first, "\(names) \(workflows.count == 1 ? "goes" : "go") on \(place).")
        }
        return notes.sorted { $0.first < $1.first }.map(\.words)
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

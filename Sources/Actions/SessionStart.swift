import Services
import Storage
package import Vocabulary

/// The begin of conversations.
extension WorkflowActions {
    /// Begins a conversation in the folder of this process.
    package func beginSession(_ title: String) throws(Failure) -> SessionRecord {
        let record = try shared.archive.get().begin(
            title: SessionRecord.title(of: shared.keyRing.filter.cut(title)), workspace: shared.workspace,
            owner: try shared.chat.get().name, at: OpenWorkspace.now())
        let event = Event(
            at: record.startedAt, session: record.id,
            .sessionStarted(workspace: shared.workspace, model: shared.modelName ?? "built-in planner"))
        try shared.archive.get().append(event)
        shared.hub.post(event)
        return record
    }

    /// Opens the conversation of this folder in which lines wait that a killed chat left behind. Returns nil if there
    /// is none.
    package func takeUpSession() throws(Failure) -> LeftSession? {
        let (archive, engines) = (try shared.archive.get(), shared.folders.engines)
        guard
            let (id, lines) = try archive.takeLines(
                in: shared.workspace, owner: try shared.chat.get().name,
                isAlive: { EngineLock.isAlive($0, in: engines) })
        else { return nil }
        return try shared.left(id, lines: lines)
    }
}

import Conversations
import Services
import Storage
package import Vocabulary

/// The use cases of conversations: they are begun, found, opened, copied and deleted. Failures are `unknownSession`,
/// `otherWorkspace`, `sessionOpen`, `unknownTurn` and `workflowUnderWay`.
package struct ConversationLibrary: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of conversations.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    // MARK: Looking

    /// Returns a conversation.
    ///
    /// - Throws: `unknownSession`.
    package func find(_ id: SessionID) throws(Failure) -> SessionRecord {
        if let record = try shared.archive.get().session(id) { return record }
        throw Failure(.unknownSession, "There is no conversation \(id).", remedy: "See 'assent history'.")
    }

    /// Returns the conversations of this workspace, the most recently used first.
    package func here(_ limit: Int) throws(Failure) -> [SessionRecord] {
        try shared.archive.get().sessions(limit: limit, in: shared.workspace)
    }

    /// Returns the messages that contain words.
    package func search(_ words: String, _ limit: Int) throws(Failure) -> [SearchHit] {
        try shared.archive.get().search(words, limit: limit)
    }

    /// Returns how much the models were used, in total for each conversation, day or model.
    package func usage(_ grouping: UsageGrouping, _ limit: Int) throws(Failure) -> [UsageTotal] {
        try shared.archive.get().usage(by: grouping, limit: limit)
    }

    // MARK: Opening

    /// Begins a conversation of this process.
    ///
    /// - Parameter line: its first line, which becomes its title.
    package func begin(_ line: String) throws(Failure) -> SessionRecord {
        let record = try shared.archive.get().begin(
            title: SessionRecord.title(of: shared.keyRing.filter.cut(line)), workspace: shared.workspace,
            owner: try shared.chat.get().name, at: OpenWorkspace.now())
        let event = Event(
            at: record.startedAt, session: record.id,
            .sessionStarted(workspace: shared.workspace, model: ModelActions(shared).name ?? "built-in planner"))
        try shared.archive.get().append(event)
        shared.hub.post(event)
        return record
    }

    /// Opens a conversation of this workspace for this process alone. It is open until `close`, or until the process
    /// ends.
    package func open(_ id: SessionID) throws(Failure) -> LeftSession {
        let record = try find(id)
        guard record.workspace.isSameName(as: shared.workspace) else {
            guard Folders.real(record.workspace) != nil else {
                throw Failure(
                    .otherWorkspace, "\(id) belongs to the folder \(record.workspace), which is not there any more.",
                    remedy:
                        "Change to where it is now ('cd'): there 'assent history fork \(id) N' goes on after its turn "
                        + "N, and 'assent history \(id)' shows the turns.")
            }
            throw Failure(
                .otherWorkspace, "\(id) belongs to the folder \(record.workspace), and this is \(shared.workspace).")
        }
        let lines = try shared.archive.get().open(id, owner: try shared.chat.get().name, isAlive: isAlive)
        return try left(id, lines: lines)
    }

    /// Opens a conversation of this workspace whose chat was killed while lines waited in it.
    ///
    /// - Returns: nil if there is none.
    package func openCut() throws(Failure) -> LeftSession? {
        let owner = try shared.chat.get().name
        guard
            let (id, lines) = try shared.archive.get().takeLines(in: shared.workspace, owner: owner, isAlive: isAlive)
        else { return nil }
        return try left(id, lines: lines)
    }

    /// Returns an opened conversation with its messages, and uses its model from now on.
    private func left(_ id: SessionID, lines: [String]) throws(Failure) -> LeftSession {
        ModelActions(shared).enter(id)
        let messages = try shared.archive.get().messages(of: id)
        var left = LeftSession(beginning: id)
        left.began = try find(id).startedAt
        left.history = messages.map(\.message)
        left.turns = messages.map(\.turn).max() ?? 0
        left.lines = lines
        left.compaction = Compaction(json: try shared.archive.get().compaction(of: id))
        if let call = Transcript.open(in: left.history).first {
            left.waits = try CutCalls(shared, in: id).waitingWorkflow(of: call) != nil
        }
        return left
    }

    /// Closes a conversation that this process has open.
    package func close(_ id: SessionID) throws(Failure) {
        try shared.archive.get().close(id, owner: try shared.chat.get().name)
    }

    /// Records that the user leaves a conversation, so that its next start can tell what has changed since.
    package func leave(_ id: SessionID) {
        shared.record(Event(at: OpenWorkspace.now(), session: id, .sessionLeft))
    }

    /// Returns whether the process that has a conversation open still lives.
    private func isAlive(_ owner: String) -> Bool { EngineLock.isAlive(owner, in: shared.folders.engines) }

    // MARK: Changing

    /// Copies a conversation up to and including a turn.
    ///
    /// - Returns: the copy.
    package func fork(_ id: SessionID, _ turn: Int) throws(Failure) -> SessionRecord {
        // The copy of a copy is named after the original.
        let mark = #/ \(fork of s\d+\)$/#
        let record = try find(id)
        let title = "\(record.title.replacing(mark, with: "")) (fork of \(id))"
        let workspace = Folders.real(record.workspace) == nil ? shared.workspace : nil
        return try shared.archive.get().fork(id, through: turn, title: title, in: workspace, at: OpenWorkspace.now())
    }

    /// Renames a conversation.
    ///
    /// - Throws: `badUsage` if the title is empty.
    package func rename(_ id: SessionID, _ title: String) throws(Failure) -> SessionRecord {
        let title = SessionRecord.title(of: shared.keyRing.filter.cut(title))
        guard !title.isEmpty else {
            throw Failure(
                .badUsage, "A conversation needs a name.",
                remedy: "Write 'assent history rename \(id) pictures for the site'.")
        }
        try shared.archive.get().rename(id, to: title)
        return try find(id)
    }

    /// Deletes a conversation for good. The workflows that it has started stay.
    ///
    /// - Returns: these workflows.
    package func delete(_ id: SessionID) throws(Failure) -> [WorkflowID] {
        try shared.archive.get().delete(id, isAlive: isAlive)
    }
}

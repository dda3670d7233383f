package import Vocabulary

/// Conversations as a whole. Refusals are failures: `unknownSession`, `otherWorkspace`, `sessionOpen`,
/// `unknownTurn`, `workflowUnderWay`.
package struct ConversationLibrary: Sendable {
    package var find: @Sendable (SessionID) throws(Failure) -> SessionRecord
    /// Those of this workspace, the one that was spoken in last first.
    package var here: @Sendable (_ limit: Int) throws(Failure) -> [SessionRecord]
    package var search: @Sendable (_ words: String, _ limit: Int) throws(Failure) -> [SearchHit]
    /// Opens one of this workspace for this process alone. It is open until `close`, or until the process has
    /// ended.
    package var open: @Sendable (SessionID) throws(Failure) -> LeftSession
    package var close: @Sendable (SessionID) throws(Failure) -> Void
    /// A new one with what was said up to a turn, and with that one.
    package var fork: @Sendable (SessionID, _ turn: Int) throws(Failure) -> SessionRecord
    package var rename: @Sendable (SessionID, _ title: String) throws(Failure) -> SessionRecord
    /// For good. The workflows that it has started stay, and are returned.
    package var delete: @Sendable (SessionID) throws(Failure) -> [WorkflowID]
    package var usage: @Sendable (UsageGrouping, _ limit: Int) throws(Failure) -> [UsageTotal]
    /// Has the chat go on in another conversation; `nil` outside of a chat.
    package var goOn: (@Sendable (SessionID) async throws(Failure) -> Void)?

    package init(
        find: @escaping @Sendable (SessionID) throws(Failure) -> SessionRecord,
        here: @escaping @Sendable (Int) throws(Failure) -> [SessionRecord],
        search: @escaping @Sendable (String, Int) throws(Failure) -> [SearchHit],
        open: @escaping @Sendable (SessionID) throws(Failure) -> LeftSession,
        close: @escaping @Sendable (SessionID) throws(Failure) -> Void,
        fork: @escaping @Sendable (SessionID, Int) throws(Failure) -> SessionRecord,
        rename: @escaping @Sendable (SessionID, String) throws(Failure) -> SessionRecord,
        delete: @escaping @Sendable (SessionID) throws(Failure) -> [WorkflowID],
        usage: @escaping @Sendable (UsageGrouping, Int) throws(Failure) -> [UsageTotal]
    ) {
        self.find = find
        self.here = here
        self.search = search
        self.open = open
        self.close = close
        self.fork = fork
        self.rename = rename
        self.delete = delete
        self.usage = usage
    }
}

import Terminal
package import Vocabulary

extension Limits {
    /// The newest conversations from which the user can pick.
    fileprivate static let pickedSessions = 20
}

extension House {
    /// Conversations as a whole. Refusals are failures: `unknownSession`, `otherWorkspace`, `sessionOpen`,
    /// `unknownTurn`, `workflowUnderWay`.
    package struct Sessions: Sendable {
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
}

/// Which conversation a command goes on in.
struct SessionChoice: Sendable {
    var isNewest: Bool
    var named: SessionID?

    /// - Returns: the one that was opened, and what to say where there is none yet; both `nil` where a new one is
    ///   wanted.
    func opened(in house: House) throws(Failure) -> (left: House.LeftSession?, notice: String?) {
        guard !isNewest || named == nil else {
            throw Failure(.badUsage, "--continue and --session name two conversations.", remedy: "Give one of them.")
        }
        if let named { return (try house.sessions.open(named), nil) }
        guard isNewest else { return (nil, nil) }
        guard let newest = try house.sessions.here(1).first else {
            return (nil, "There is no conversation in this folder yet: a new one begins.")
        }
        return (try house.sessions.open(newest.id), nil)
    }
}

/// Has the person choose a conversation of this workspace.
struct SessionPicker {
    let house: House
    let screen: any Screen

    /// - Returns: `nil` if they leave, or nobody can be asked: the list is shown all the same.
    func pick() async throws(Failure) -> SessionID? {
        let sessions = try house.sessions.here(Limits.pickedSessions)
        screen.show(HistoryList.lines(sessions, now: house.now(), columns: screen.columns, areOfOneFolder: true))
        guard let first = sessions.first else { return nil }
        guard screen.canAsk else {
            screen.show(StyledText("To go on in one: \(Voice.call("resume \(first.id)"))", .dim))
            return nil
        }
        let names = sessions.map(\.id.description)
        var lines = [StyledText("In which do you go on?", .question)]
        while true {
            let picked = await QuestionDialogue(house: house, screen: screen).pick(
                lines, hint: "its number, such as \(first.id)")
            guard let picked, !picked.isEmpty else { return nil }
            if names.contains(picked) { return SessionID(parsing: picked) }
            lines = [
                StyledText("\"\(VisibleText.cut(picked, to: 24))\" is none of them: \(Layout.names(names)).", .warning)
            ]
        }
    }
}

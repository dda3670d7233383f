import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The newest conversations from which the user can pick.
    fileprivate static let pickedSessions = 20
}

/// The choice of the conversation that a command continues: the newest, a named one or a new one.
struct SessionChoice: Sendable {
    var isNewest: Bool
    var named: SessionID?

    /// Opens the chosen conversation.
    ///
    /// - Returns: the conversation, and a notice if the folder has none yet. Both are `nil` if a new conversation is
    ///   wanted.
    func opened(in context: CommandContext) throws(Failure) -> (left: LeftSession?, notice: String?) {
        guard !isNewest || named == nil else {
            throw Failure(.badUsage, "--continue and --session name two conversations.", remedy: "Give one of them.")
        }
        if let named { return (try context.sessions.open(named), nil) }
        guard isNewest else { return (nil, nil) }
        guard let newest = try context.sessions.here(1).first else {
            return (nil, "There is no conversation in this folder yet: a new one begins.")
        }
        return (try context.sessions.open(newest.id), nil)
    }
}

/// The question which conversation of this workspace to continue.
struct SessionPicker {
    let context: CommandContext
    let screen: any Screen

    /// Shows the conversations of this folder and asks the user to choose one.
    ///
    /// - Returns: the chosen conversation. `nil` if the user leaves the question, or if no question can be asked.
    func pick() async throws(Failure) -> SessionID? {
        let sessions = try context.sessions.here(Limits.pickedSessions)
        screen.show(HistoryList.lines(sessions, now: context.now(), columns: screen.columns, areOfOneFolder: true))
        guard let first = sessions.first else { return nil }
        guard screen.canAsk else {
            screen.show(StyledText("To go on in one: \(Voice.call("resume \(first.id)"))", .dim))
            return nil
        }
        let names = sessions.map(\.id.description)
        var lines = [StyledText("In which do you go on?", .question)]
        while true {
            let picked = await QuestionDialogue(context: context, screen: screen).pick(
                lines, hint: "its number, such as \(first.id)")
            guard let picked, !picked.isEmpty else { return nil }
            if names.contains(picked) { return SessionID(parsing: picked) }
            lines = [
                StyledText(
                    "\"\(VisibleText.cut(picked, to: 24))\" is none of them: \(NameList.words(names)).", .warning)
            ]
        }
    }
}

import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The newest conversations from which the user can pick.
    fileprivate static let pickedSessions = 20
}

/// Which conversation a command goes on in.
struct SessionChoice: Sendable {
    var isNewest: Bool
    var named: SessionID?

    /// - Returns: the one that was opened, and what to say where there is none yet; both `nil` where a new one is
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

/// Has the person choose a conversation of this workspace.
struct SessionPicker {
    let context: CommandContext
    let screen: any Screen

    /// - Returns: `nil` if they leave, or nobody can be asked: the list is shown all the same.
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

package import Vocabulary

/// The files that a line of the user attaches.
package struct AttachedFiles: Sendable {
    /// The contents for below the line, or an empty text.
    package var text = ""
    /// The pictures among them, for a model that sees.
    package var pictures: [ChatPicture] = []

    /// Creates the value for a line that attaches nothing.
    package init() {}
}

/// The moment as a turn needs it: the folder and the mode, the news, and the window of the model.
package protocol TurnContext: Sendable {
    /// Returns what the model hears with a line of the user.
    func situation() async -> Situation

    /// Returns the news that stand in front of the user's line, or nil if there is none. The news are known once a
    /// line with them is stored.
    ///
    /// - Parameter open: the calls of a turn that is resumed. Their results say what became of their workflows.
    func news(besides open: [ChatCall]) async -> String?

    /// Reads the files that a line of the user names behind `@`.
    func attachments(to line: String, in turn: Int) async -> AttachedFiles

    /// Returns the room in the window of the model, or nil for a model without one.
    func room() async -> ContextRoom?

    /// Stores how far the conversation is shortened for its model.
    func store(_ compaction: Compaction) async
}

extension TurnContext {
    /// Returns nil, since nothing happens beside the turns.
    package func news(besides open: [ChatCall]) async -> String? { nil }

    /// Returns nothing, since the line names no file.
    package func attachments(to line: String, in turn: Int) async -> AttachedFiles { AttachedFiles() }

    /// Returns nil, since the model has no window.
    package func room() async -> ContextRoom? { nil }

    package func store(_ compaction: Compaction) async {}
}

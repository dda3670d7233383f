import Conversations
package import Vocabulary

/// A conversation that goes on.
package struct LeftSession: Hashable, Sendable {
    package var id: SessionID
    package var history: [ChatMessage]
    package var turns: Int
    /// Those that waited when a chat was killed.
    package var lines: [String]
    /// Whether its last turn waits for a person's answer, and goes on when the conversation does.
    package var waits: Bool

    package init(id: SessionID, history: [ChatMessage], turns: Int, lines: [String], waits: Bool = false) {
        self.waits = waits
        self.id = id
        self.history = history
        self.turns = turns
        self.lines = lines
    }
}

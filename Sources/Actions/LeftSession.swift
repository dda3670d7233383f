package import Conversations
package import Vocabulary

/// A conversation at the point where it begins, or where it was left.
package struct LeftSession: Hashable, Sendable {
    /// The name of the conversation.
    package var id: SessionID
    /// The moment at which it began.
    package var began = OpenWorkspace.now()
    /// The messages so far.
    package var history: [ChatMessage] = []
    /// How many turns it has had.
    package var turns = 0
    /// The lines that waited when a chat was killed.
    package var lines: [String] = []
    /// The shortening of its messages for its model.
    package var compaction = Compaction()
    /// Whether its last turn waits for a person's answer, and goes on when the conversation does.
    package var waits = false

    /// Creates a conversation that begins.
    package init(beginning id: SessionID) { self.id = id }
}

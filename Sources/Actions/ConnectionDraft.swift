package import Vocabulary

/// A connection to a model that is being made.
package struct ConnectionDraft: Hashable, Sendable {
    /// The connection so far. Its model may still be empty.
    package var connection: ModelConnection
    /// The name of the server for the person.
    package var title: String
    /// Whether the server has no address of its own, so that the person must give one.
    package var needsAddress: Bool
}

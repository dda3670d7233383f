import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The longest answer of a model that may be a call written as text.
    static let textCallBytes = 256 << 10

    // Models: tries again before anything was received (`wire.md` LLM 4).
    static let modelRetries = 3

    /// Tokens of one answer where the dialect wants a number and the profile has none.
    package static let messagesMaxTokens = 8_192

    /// Parts of one message that must come back, and their bytes: beyond that they do not.
    static let opaqueBlocks = 256
    static let callsPerReply = 256
}

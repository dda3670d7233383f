import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most bytes of an answer that is read as a call written as text. A longer one is an ordinary answer.
    static let textCallBytes = 256 << 10

    /// How often a request to a model is sent again, if nothing was received (`wire.md` LLM 4).
    static let modelRetries = 3

    /// The tokens of an answer that are requested if the dialect requires a number and the profile has none.
    package static let messagesMaxTokens = 8_192

    /// The most opaque parts of a message that are kept to be sent back, such as sealed thoughts. Further ones are
    /// dropped.
    static let opaqueBlocks = 256

    /// The most calls in one reply of a model.
    static let callsPerReply = 256
}

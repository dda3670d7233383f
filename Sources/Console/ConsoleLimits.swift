import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// Steps, or entries of the inbox, in the result of a call.
    static let stepsTold = 50

    /// The bytes of a file that are read at once where a text is shown. A block of a private key fits in.
    package static let viewBlockBytes = 64 << 10

    /// The bytes at the beginning of a file that tell what it is.
    static let viewHeadBytes = 8 << 10

    /// Of a name or an id that a person types, and of one value.
    static let answerWordBytes = 4 << 10
    static let shownModels = 20
}

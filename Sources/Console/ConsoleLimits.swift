import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {

    /// The bytes of a file that are read at once while its text is shown. A block of a private key fits in.
    package static let viewBlockBytes = 64 << 10

    /// The bytes at the beginning of a file by which its kind is recognised.
    static let viewHeadBytes = 8 << 10

    /// The most models of a server that are listed at once to choose from.
    static let shownModels = 20
}

import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most entries of an archive that is unpacked.
    static let unpackedFiles = 20_000

    /// How deep the entries of an archive may lie in folders.
    static let unpackedDepth = 32

    /// How deep files may lie in folders to be searched or listed.
    package static let searchedDepth = 64

    /// The most bytes of a file that is given as an answer, unless it is text.
    static let answerFileBytes = 512 << 20
}

import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The longest side of a picture that is made, in pixels, and the most pixels of one that is scaled.
    static let pictureSide = 65_535
    static let resizedPixels = 500_000_000

    /// The bounds of an archive that is unpacked: entries, how deep folders may lie in folders, and bytes. An archive
    /// may unpack to `unpackedRatio` times its own size, and a small one to `unpackedFreeBytes`.
    package static let unpackedFiles = 20_000
    package static let unpackedDepth = 32

    /// The bounds of a search in files: how deep folders may lie in folders, names that are looked at, files and bytes
    /// that are read, matches, and the characters of a line that are told.
    package static let searchedDepth = 64
    static let gitNoteBytes = 8192
    static let privateNoteFileBytes = 64 << 20
    static let drawnBytes = 4 << 20
    static let statusBytes = 1 << 20
    static let submitBytes = 64 << 20
    static let jobLogBytes = 4 << 20
    static let jobAnswerDepth = 64

    /// How long a key is kept in memory after it was looked up: a thousand polls ask no keyring a thousand times.
    static let keySeconds = 60.0
    static let patternLines = 200
    package static let answerFileBytes = 512 << 20

    // Children.
    /// Of a rehearsed command: the changes that are looked at, their bytes, and how deep folders may lie in folders.
    static let rehearsedEntries = 200_000
    static let rehearsedBytes = 4 << 30
    static let rehearsedDepth = 100
    package static let rehearsedFolderTargets = 1000

    /// Names in a workspace that are looked at for what may hold keys, and for links.
    static let lookedAtFiles = 1_000_000
    package static let hiddenFiles = 2000

    /// Names that the links of a workspace lead through, all together; and the files, folders and links that are
    /// Assent's own.
    static let followedNames = 4_000_000
    static let rehearsalPlanBytes = 256 << 20
    package static let proxyHeadBytes = 16 << 10
    static let proxyBytes = 4 << 30
    static let programLogBytes = 1 << 20

    /// Of standard error, for the line that says what was wrong.
    package static let errorTailBytes = 4096
    static let exitRecordBytes = 4096

    /// Of folders in folders that a program made and that are removed after it.
    static let emptiedDepth = 128
    package static let undoCopyBytes = 256 << 20

    /// How often an undo may have been undone in turn before nobody follows that any more.
    static let undoChain = 100
    static let fetchBytes = 512 << 20
    static let pictureSeconds = 30.0
    static let pictureMemoryBytes = 1 << 30
}

import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The longest side of a picture that is made, in pixels.
    static let pictureSide = 65_535

    /// The most pixels of a picture that is made by scaling, or of all its pages.
    static let resizedPixels = 500_000_000

    /// The most entries of an archive that is unpacked.
    package static let unpackedFiles = 20_000

    /// How deep the entries of an archive may lie in folders.
    package static let unpackedDepth = 32

    /// How deep files may lie in folders to be searched or listed.
    package static let searchedDepth = 64

    /// The most bytes of a file of git that holds one path.
    static let gitNoteBytes = 8192

    /// The most bytes of a file whose content is compared with recorded ones. A larger file counts as one that may hold
    /// keys.
    static let privateNoteFileBytes = 64 << 20

    /// The most bytes of a drawing of a picture.
    static let drawnBytes = 4 << 20

    /// The most bytes of a provider's answer, unless the request has its own limit.
    static let statusBytes = 1 << 20

    /// The most bytes of a request to a provider, and of an input in it.
    static let submitBytes = 64 << 20

    /// The most bytes of an answer with the log of a job.
    static let jobLogBytes = 4 << 20

    /// How deep the JSON of a provider's answer may be nested.
    static let jobAnswerDepth = 64

    /// How long a key is kept in memory after it was looked up, in seconds. Thus a thousand polls do not query the
    /// keyring a thousand times.
    static let keySeconds = 60.0

    /// The last lines of a log, and the values of an answer, that a pattern reads at each status check.
    static let patternLines = 200

    /// The most bytes of a file that is given as an answer, unless it is text.
    package static let answerFileBytes = 512 << 20

    /// The most files and folders that a rehearsed command may change.
    static let rehearsedEntries = 200_000

    /// The most bytes of all files that a rehearsed command may write.
    static let rehearsedBytes = 4 << 30

    /// How deep the folders of a workspace, and of a command's changes, may lie in each other.
    static let rehearsedDepth = 100

    /// The most changes in a new or removed folder that are listed one by one. A folder with more is one change.
    package static let rehearsedFolderTargets = 1000

    /// The most names of a workspace that are inspected for keys and links.
    static let lookedAtFiles = 1_000_000

    /// The most files and folders that are hidden from a program. Each one is a mount.
    package static let hiddenFiles = 2000

    /// The most names in the targets of all links of a workspace together.
    static let followedNames = 4_000_000

    /// The most bytes of the plan of a rehearsal, and of a record for undo.
    static let rehearsalPlanBytes = 256 << 20

    /// The most bytes of a request to the proxy before its body.
    package static let proxyHeadBytes = 16 << 10

    /// The most bytes that pass a command's proxy in both directions.
    static let proxyBytes = 4 << 30

    /// The most bytes of standard output, and of standard error, of a program without a limit of its own.
    static let programLogBytes = 1 << 20

    /// The bytes at the end of standard error that are searched for the line that explains a failure.
    package static let errorTailBytes = 4096

    /// The most bytes of the record of a program's end.
    static let exitRecordBytes = 4096

    /// How deep folders may lie in a folder that is emptied or listed by Assent.
    static let emptiedDepth = 128

    /// The most bytes of a file of which a copy is kept for undo.
    package static let undoCopyBytes = 256 << 20

    /// How far a chain of undos that undo each other is followed, and the most reversals of a record that are kept.
    static let undoChain = 100

    /// The most bytes of a file that is fetched from the network.
    static let fetchBytes = 512 << 20

    /// How long making a thumbnail, a preview or a smaller copy may take, in seconds.
    static let pictureSeconds = 30.0

    /// The address space of a program that reads a picture, in bytes.
    static let pictureMemoryBytes = 1 << 30
}

package import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most bytes of a file whose content is compared with recorded ones. A larger file counts as one that may hold
    /// keys.
    package static let privateNoteFileBytes = 64 << 20

    /// How deep the folders of a workspace, and of a command's changes, may lie in each other.
    package static let rehearsedDepth = 100

    /// The most names of a workspace that are inspected for keys and links.
    static let lookedAtFiles = 1_000_000

    /// The most files and folders that are hidden from a program. Each one is a mount.
    package static let hiddenFiles = 2000

    /// The most names in the targets of all links of a workspace together.
    static let followedNames = 4_000_000

    /// How deep folders may lie in a folder that is emptied or listed by Assent.
    static let emptiedDepth = 128
}

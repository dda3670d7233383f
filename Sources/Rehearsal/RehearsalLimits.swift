import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most bytes of a file of git that holds one path.
    static let gitNoteBytes = 8192

    /// The most changes in a new or removed folder that are listed one by one. A folder with more is one change.
    static let rehearsedFolderTargets = 1000
}

import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most files that go through the steps of one built-in plan, each in a chain of its own. Files that only go
    /// into one archive are bounded by its ports.
    static let plannedFiles = 1_000

    /// The most files that an answer in words names.
    static let namedFiles = 50
}

import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    package static let planRounds = 3

    /// Chains of one built-in plan: one per file. What only goes into one archive is bounded by its ports.
    static let plannedFiles = 1_000

    /// Files that an answer in words names.
    static let namedFiles = 50
}

package import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most files and folders that a rehearsed command may change.
    package static let rehearsedEntries = 200_000

    /// The most bytes of the plan of a rehearsal, and of a record for undo.
    package static let rehearsalPlanBytes = 256 << 20

    /// The most bytes of a file of which a copy is kept for undo.
    package static let undoCopyBytes = 256 << 20

    /// How far a chain of undos that undo each other is followed, and the most reversals of a record that are kept.
    static let undoChain = 100
}

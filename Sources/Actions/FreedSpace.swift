/// The files that were removed to free space, or that a dry run found.
package struct FreedSpace: Hashable, Sendable {
    /// A kind of removed files.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case contents, thumbnails, previews, runs, undo, rehearsals, leftovers
    }

    package let parts: [Part: FileAmount]
    /// Whether the files were only counted.
    package let isDryRun: Bool

    /// The sum of all parts.
    package var total: FileAmount { parts.values.reduce(FileAmount(), +) }
}

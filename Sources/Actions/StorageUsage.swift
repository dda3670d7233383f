package import Vocabulary

/// The space that the folders of Assent use, by purpose and by workflow.
package struct StorageUsage: Hashable, Sendable {
    /// A purpose for which space is used.
    package enum Part: String, Hashable, Sendable, CaseIterable {
        case contents, thumbnails, previews, runs, undo, rehearsals, database, log, rest
    }

    /// A workflow that uses contents.
    package struct User: Hashable, Sendable {
        package let id: WorkflowID
        package let title: String
        /// The contents that the workflow uses.
        package let all: FileAmount
        /// The contents that no other workflow uses.
        package let own: FileAmount
    }

    package let parts: [Part: FileAmount]
    /// The contents that no row names, whether or not they are old enough to be removed.
    package let unnamed: FileAmount
    /// The pinned assets, the oldest pin first.
    package let kept: [KeptAsset]
    /// The workflows that use the most, at most `Limits.listedUsers` of them. The greatest user comes first.
    package let users: [User]
    /// The number of all workflows that use contents.
    package let userCount: Int

    /// The sum of all parts.
    package var total: FileAmount { parts.values.reduce(FileAmount(), +) }
}

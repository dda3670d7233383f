/// A selection of workflows for a list, with their order (`semantics.md` 120 and 121).
package struct WorkflowQuery: Hashable, Sendable {
    package enum Filter: String, Hashable, Sendable, CaseIterable {
        case all, active, done, failed
    }

    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// The workflow that changed last comes first.
        case recent
        case name
        /// The workflow with the highest number comes first.
        case number
    }

    package var filter: Filter
    package var order: Order
    /// Words of the title or of a node's id, regardless of case. `nil` matches every workflow.
    package var words: String?
    /// The path of the folder for which the workflows were made, or `nil` for all folders.
    package var workspace: String?
    package var includesArchived: Bool
    package var limit: Int

    package init(
        filter: Filter = .all, order: Order = .number, words: String? = nil, workspace: String? = nil,
        includesArchived: Bool = false,
        limit: Int = 20
    ) {
        self.filter = filter
        self.order = order
        self.words = words
        self.workspace = workspace
        self.includesArchived = includesArchived
        self.limit = limit
    }
}

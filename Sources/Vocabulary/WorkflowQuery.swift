/// Which workflows a list shows, and in what order (`semantics.md` 120 and 121).
package struct WorkflowQuery: Hashable, Sendable {
    package enum Filter: String, Hashable, Sendable, CaseIterable {
        case all, active, done, failed
    }

    package enum Order: String, Hashable, Sendable, CaseIterable {
        /// What changed last comes first.
        case recent
        case name
        /// The newest comes first.
        case number
    }

    package var filter: Filter
    package var order: Order
    /// Words of the title, or of the id of a node; upper and lower case are one.
    package var words: String?
    /// The folder for which they were made, as a path; `nil`: all.
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

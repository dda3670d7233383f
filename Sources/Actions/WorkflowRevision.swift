package import Vocabulary

/// A graph that a workflow had, or has.
package struct WorkflowRevision: Hashable, Sendable {
    /// The number of the graph: 1 for the first.
    package var number: Int
    /// The stored template, with the marks of removed nodes.
    package var template: Template
    /// The template without the marks of removed nodes, as the user edits it.
    package var editable: Template
    /// The time when a newer graph replaced this one. `nil` for the newest.
    package var replacedAt: Moment?

    /// Creates a graph.
    package init(number: Int, template: Template, editable: Template, replacedAt: Moment? = nil) {
        self.number = number
        self.template = template
        self.editable = editable
        self.replacedAt = replacedAt
    }
}

/// The result of a new graph. With problems, nothing is stored.
package struct RevisionOutcome: Hashable, Sendable {
    /// The numbers of changed steps.
    package var changed: [Int]
    /// The ids of new steps.
    package var added: [String]
    /// The ids of removed steps.
    package var removed: [String]
    /// The problems of the new graph.
    package var problems: [Problem]

    /// Creates a result.
    package init(changed: [Int] = [], added: [String] = [], removed: [String] = [], problems: [Problem] = []) {
        self.changed = changed
        self.added = added
        self.removed = removed
        self.problems = problems
    }
}

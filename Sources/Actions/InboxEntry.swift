package import Vocabulary

/// An await with the data that a person wants to see before opening it.
package struct InboxEntry: Hashable, Sendable {
    /// The await itself.
    package var record: AwaitRecord
    /// The title of the workflow.
    package var title: String
    /// The id of the step's node.
    package var node: String
    /// Whether the step has no number of its own (`StepRows`).
    package var isFolded: Bool
    /// The steps that cannot start before the await is done, the nearest first.
    package var blocked: [BlockedStep]

    /// Creates an entry.
    package init(
        _ record: AwaitRecord, title: String = "", node: String = "", isFolded: Bool = false,
        blocked: [BlockedStep] = []
    ) {
        self.record = record
        self.title = title
        self.node = node
        self.isFolded = isFolded
        self.blocked = blocked
    }
}

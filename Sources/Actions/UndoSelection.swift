package import Vocabulary

/// The request of a user to undo.
package struct UndoSelection: Hashable, Sendable {
    package var workflow: WorkflowID
    /// `nil` for all steps.
    package var step: Int?
    /// Whether the rest is undone if something was changed since.
    package var isPartial: Bool
    /// The attempts whose changes were listed: no others are undone. `nil` for all of them.
    package var runs: [RunID]?

    package init(workflow: WorkflowID, step: Int? = nil, isPartial: Bool = false) {
        (self.workflow, self.step, self.isPartial) = (workflow, step, isPartial)
    }
}

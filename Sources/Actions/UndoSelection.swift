package import Vocabulary

/// The changes that a user wants to undo.
package struct UndoSelection: Hashable, Sendable {
    package var workflow: WorkflowID
    /// The step whose changes are undone, or `nil` for all steps.
    package var step: Int?
    /// Whether the rest is undone if some files were changed since.
    package var isPartial = false
    /// The attempts whose changes were listed, or `nil` for all attempts. No other attempt is undone.
    package var runs: [RunID]?
    /// The path that the folder of the workflow had, and the real path that it has now, if it was moved, or `nil`.
    package var move: (from: String, to: String)? {
        get { movedFrom.flatMap { from in movedTo.map { (from, $0) } } }
        set { (movedFrom, movedTo) = (newValue?.from, newValue?.to) }
    }
    private(set) var movedFrom: String?
    private var movedTo: String?

    /// Creates a selection of the changes of a workflow or of one of its steps.
    package init(workflow: WorkflowID, step: Int? = nil) { (self.workflow, self.step) = (workflow, step) }

    /// The name in a sentence, such as "w3" or "step 2 of w3".
    package var name: String { step.map { "step \($0) of \(workflow)" } ?? workflow.description }
}

package import Vocabulary

/// A call of undo or redo, as the user made it.
package struct UndoCall: Hashable, Sendable {
    package var isRedo: Bool
    /// The workflow that the user named, or `nil` for the newest.
    package var workflow: WorkflowID?
    /// The step that the user named, or `nil` for all steps.
    package var step: Int?
    /// Whether the user allowed that changes stay that cannot be undone.
    package var isPartial: Bool
    /// Whether the user agreed in advance.
    package var isConfirmed: Bool
    /// Whether the user is there to answer a question.
    package var canAsk: Bool
    /// The folder to which that of the workflow was moved, as the user named it, or `nil`.
    package var folder: String?

    /// Creates a call.
    package init(
        isRedo: Bool = false, workflow: WorkflowID? = nil, step: Int? = nil, isPartial: Bool = false,
        isConfirmed: Bool = false, canAsk: Bool = false, folder: String? = nil
    ) {
        self.folder = folder
        self.isRedo = isRedo
        self.workflow = workflow
        self.step = step
        self.isPartial = isPartial
        self.isConfirmed = isConfirmed
        self.canAsk = canAsk
    }
}

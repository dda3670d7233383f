package import Vocabulary

/// An undo that can be started, with its plan.
package struct UndoProposal: Hashable, Sendable {
    package var selection: UndoSelection
    /// The title of the workflow that is undone.
    package var title: String
    package var outline: UndoOutline
}

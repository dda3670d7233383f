package import Vocabulary

/// The decision how a call of undo or redo continues.
package enum UndoDecision: Hashable, Sendable {
    /// An undo of the same changes was interrupted, and is resumed.
    case resume(CutUndo, UndoSelection)
    /// Some changes cannot be undone, and the user did not allow that they stay.
    case refuse(UndoProposal)
    /// The user must agree first.
    case ask(UndoProposal)
    /// The undo starts without a question.
    case start(UndoProposal)
}

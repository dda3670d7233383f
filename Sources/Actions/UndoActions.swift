package import Vocabulary

/// Undo and redo, and what can be undone.
package struct UndoActions: Sendable {
    /// The newest workflow of a session that can be undone, or redone; without one there, the newest of this
    /// folder.
    package var newest: @Sendable (_ isRedo: Bool, SessionID?) throws(Failure) -> WorkflowID?
    /// Returns the plan of an undo. Changes nothing.
    package var outline: @Sendable (UndoSelection) throws(Failure) -> UndoOutline
    /// Finds an undo of the same changes that has not ended, since its process was killed or is still at work.
    package var cut: @Sendable (UndoSelection) throws(Failure) -> CutUndo?
    /// Returns the undos that have not ended, whether they were cut or a process is at work on them.
    package var cuts: @Sendable () throws(Failure) -> [CutUndo]
    /// Stores, for an undo that was cut, whether it leaves what cannot be undone.
    package var resume: @Sendable (WorkflowID, _ isPartial: Bool) throws(Failure) -> Void
    /// Creates the workflow that undoes.
    package var start: @Sendable (UndoSelection, WorkflowStart) throws(Failure) -> WorkflowID
    /// Returns the changes of each attempt of a workflow, the newest first.
    package var standings: @Sendable (WorkflowID) -> [UndoStanding]
    /// Returns how far an undo is; `nil` if it has only just begun.
    package var count: @Sendable (WorkflowID) -> (done: Int, of: Int)?
    /// Returns what a workflow undoes, such as `w1 (notes.txt: delete)`; `nil` if it is no undo.
    package var target: @Sendable (WorkflowID) -> String?
    /// The session of this chat; `nil` outside of one.
    package var session: SessionID?

    package init(
        newest: @escaping @Sendable (Bool, SessionID?) throws(Failure) -> WorkflowID?,
        outline: @escaping @Sendable (UndoSelection) throws(Failure) -> UndoOutline,
        cut: @escaping @Sendable (UndoSelection) throws(Failure) -> CutUndo?,
        cuts: @escaping @Sendable () throws(Failure) -> [CutUndo],
        resume: @escaping @Sendable (WorkflowID, Bool) throws(Failure) -> Void,
        start: @escaping @Sendable (UndoSelection, WorkflowStart) throws(Failure) -> WorkflowID,
        standings: @escaping @Sendable (WorkflowID) -> [UndoStanding],
        count: @escaping @Sendable (WorkflowID) -> (done: Int, of: Int)?,
        target: @escaping @Sendable (WorkflowID) -> String?
    ) {
        self.newest = newest
        self.outline = outline
        self.cut = cut
        self.cuts = cuts
        self.resume = resume
        self.start = start
        self.standings = standings
        self.count = count
        self.target = target
    }
}

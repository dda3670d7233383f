/// The plan of an undo, decided before anything is touched.
package struct UndoOutline: Hashable, Sendable {
    /// An act on one path.
    package struct Line: Hashable, Sendable {
        package enum Act: String, Hashable, Sendable {
            case remove, restore, setBack, setTimeBack, moveBack, leave
        }

        package var act: Act
        /// A real path.
        package var path: String
        /// The path that a file is moved back to.
        package var source: String?
        /// The reason why a path is left, such as "was changed since".
        package var why: String?

        /// Whether a path is left for good, since what was there before is not kept.
        package var isLost: Bool

        package init(_ act: Act, _ path: String, source: String? = nil, why: String? = nil, isLost: Bool = false) {
            (self.act, self.path, self.source, self.why, self.isLost) = (act, path, source, why, isLost)
        }
    }

    /// The acts in the order in which they are done.
    package var work: [Line]
    /// The paths that stay, since they were changed afterwards or cannot be undone.
    package var left: [Line]
    /// The attempts whose changes are listed.
    package var runs: [RunID]

    package var isEmpty: Bool { work.isEmpty && left.isEmpty }

    package init(work: [Line] = [], left: [Line] = [], runs: [RunID] = []) {
        (self.work, self.left, self.runs) = (work, left, runs)
    }
}

/// An undo that was interrupted, because its process ended before it did.
package struct CutUndo: Hashable, Sendable {
    /// The workflow of the undo itself.
    package var workflow: WorkflowID
    package var undoes: WorkflowID
    package var done: [UndoOutline.Line]
    /// The acts that are left to do.
    package var work: [UndoOutline.Line]
    /// The paths that stay as they are.
    package var left: [UndoOutline.Line]

    package init(
        workflow: WorkflowID, undoes: WorkflowID, done: [UndoOutline.Line], work: [UndoOutline.Line],
        left: [UndoOutline.Line]
    ) {
        (self.workflow, self.undoes, self.done, self.work, self.left) = (workflow, undoes, done, work, left)
    }
}

/// Whether the changes of one attempt of a step can be undone.
package struct UndoStanding: Hashable, Sendable {
    package var run: RunID
    /// The time at which the step made its changes.
    package var at: Moment
    package var changes: Int
    /// The number of changes that are in force: they were not undone, or their undo was undone in turn.
    package var open: Int
    /// The changes that are in force and can never be undone, each with its reason.
    package var lost: [UndoOutline.Line] = []
    /// The workflows that undid changes of the attempt and are in force themselves, the oldest first.
    package var undoneBy: [WorkflowID]
    /// The workflow that this one undoes, if it is an undo itself.
    package var undoes: WorkflowID?
    /// Whether the workflow is the undo of an undo.
    package var isRedo: Bool
    /// The time until which the record is kept.
    package var until: Moment { at + Limits.preImagesKeptSeconds }
    /// The number of changes that can be undone if the files have not changed since.
    package var undoable: Int { open - lost.count }

    package init(
        run: RunID, at: Moment, changes: Int, open: Int? = nil, undoneBy: [WorkflowID] = [], undoes: WorkflowID? = nil,
        isRedo: Bool = false
    ) {
        self.run = run
        self.at = at
        self.changes = changes
        self.open = open ?? changes
        self.undoneBy = undoneBy
        self.undoes = undoes
        self.isRedo = isRedo
    }
}

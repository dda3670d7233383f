package import Vocabulary

extension House {
    /// Undo and redo, and what can be undone.
    package struct Undoing: Sendable {
        /// The request of a user to undo.
        package struct Request: Hashable, Sendable {
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

        /// The newest workflow of a session that can be undone, or redone; without one there, the newest of this
        /// folder.
        package var newest: @Sendable (_ isRedo: Bool, SessionID?) throws(Failure) -> WorkflowID?
        /// Returns the plan of an undo. Changes nothing.
        package var outline: @Sendable (Request) throws(Failure) -> UndoOutline
        /// Finds an undo of the same changes that has not ended, since its process was killed or is still at work.
        package var cut: @Sendable (Request) throws(Failure) -> CutUndo?
        /// Returns the undos that have not ended, whether they were cut or a process is at work on them.
        package var cuts: @Sendable () throws(Failure) -> [CutUndo]
        /// Stores, for an undo that was cut, whether it leaves what cannot be undone.
        package var resume: @Sendable (WorkflowID, _ isPartial: Bool) throws(Failure) -> Void
        /// Creates the workflow that undoes.
        package var start: @Sendable (Request, House.Start) throws(Failure) -> WorkflowID
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
            outline: @escaping @Sendable (Request) throws(Failure) -> UndoOutline,
            cut: @escaping @Sendable (Request) throws(Failure) -> CutUndo?,
            cuts: @escaping @Sendable () throws(Failure) -> [CutUndo],
            resume: @escaping @Sendable (WorkflowID, Bool) throws(Failure) -> Void,
            start: @escaping @Sendable (Request, House.Start) throws(Failure) -> WorkflowID,
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

        /// Undoes nothing.
        package static let none = Undoing(
            newest: { _, _ in nil },
            outline: { request throws(Failure) in
                throw Failure(.nothingToUndo, "No change by \(request.workflow) is kept.")
            },
            cut: { _ in nil }, cuts: { [] }, resume: { _, _ in },
            start: { request, _ throws(Failure) in
                throw Failure(.nothingToUndo, "No change by \(request.workflow) is kept.")
            },
            standings: { _ in [] }, count: { _ in nil }, target: { _ in nil })
    }
}

/// The sentences by which the console itself starts undo, before any model or planner hears them.
package enum UndoWords {
    /// Returns the words of the command that a line stands for, such as `["undo", "w3"]`; `nil` for any other line.
    package static func command(_ line: String) -> [String]? {
        let text = line.trimmed.lowercased()
        var words = text.split(separator: " ").map(String.init)
        while let last = words.last?.last, ".!".contains(last) {
            words[words.count - 1].removeLast()
            if words[words.count - 1].isEmpty { words.removeLast() }
        }
        guard let verb = words.first, ["undo", "redo"].contains(verb) else { return nil }
        let rest = Array(words.dropFirst())
        if objects.contains(rest.joined(separator: " ")) { return [verb] }
        guard let (workflow, step) = rest.first.flatMap(parts) else { return nil }
        switch (rest.count, step) {
        case (1, let step): return [verb, workflow.description] + (step.map { [String($0)] } ?? [])
        case (2, nil): return Int(rest[1]).map { [verb, workflow.description, String($0)] }
        case (3, nil) where rest[1] == "step": return Int(rest[2]).map { [verb, workflow.description, String($0)] }
        default: return nil
        }
    }

    private static let objects: Set<String> = [
        "", "that", "it", "this", "the last change", "last change", "the last step",
    ]

    /// Reads `w3`, or `w3.2` with a step.
    package static func parts(_ text: String) -> (WorkflowID, step: Int?)? {
        let halves = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let workflow = WorkflowID(parsing: halves[0]) else { return nil }
        guard halves.count == 2 else { return (workflow, nil) }
        return Int(halves[1]).map { (workflow, $0) }
    }
}

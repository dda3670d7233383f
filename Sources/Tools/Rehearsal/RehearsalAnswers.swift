package import Vocabulary

/// What a person may want of a rehearsal besides a yes: less of it, nothing of it, or what was there before.
extension Toolbox {
    /// Takes back what a rehearsed command has changed: exactly what was kept. Blocks.
    ///
    /// - Returns: how many changes were taken back.
    /// - Throws: `nothingToUndo`; `targetChanged` where somebody has worked on since, and nothing is touched.
    package func undo(_ run: RunID, workspace: String) throws(Failure) -> Int {
        let rehearsal = try rehearsal(of: run, in: workspace)
        guard rehearsal.folder.isOver else {
            throw Failure("nothingToUndo", "\(run.step) has changed nothing that was kept.")
        }
        guard !rehearsal.folder.has(.undone) else { throw Failure("nothingToUndo", "\(run.step) was taken back already.") }
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
        defer { turn.end() }
        return try Application(folder: rehearsal.folder, workspace: rehearsal.workspace).undo()
    }

    /// Whether a run changed something that can be taken back.
    package func canUndo(_ run: RunID, workspace: String) -> Bool {
        guard let folder = try? rehearsal(of: run, in: workspace).folder else { return false }
        return folder.isOver && !folder.has(.undone)
    }

    /// Drops what is not wanted of a rehearsal that waits for an answer; less each time.
    package func narrowRehearsal(of run: RunID, workspace: String, to paths: [String]) throws(Failure) {
        let rehearsal = try rehearsal(of: run, in: workspace)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
        defer { turn.end() }
        guard rehearsal.folder.read() != nil, !rehearsal.folder.hasPlan else {
            throw Failure("rehearsalLost", "What was rehearsed is not there any more.", remedy: "Answer yes or no; it is rehearsed anew.")
        }
        let wanted = Set(paths.map { Array($0.utf8) })
        try rehearsal.folder.note(part: rehearsal.folder.part()?.filter { wanted.contains(Array($0.utf8)) } ?? paths)
    }

    /// Throws away what was rehearsed and not asked for any more. What is being applied, or was, stays.
    package func forgetRehearsal(of run: RunID, workspace: String) {
        guard let rehearsal = try? rehearsal(of: run, in: workspace), !rehearsal.folder.hasPlan else { return }
        rehearsal.folder.remove()
    }
}

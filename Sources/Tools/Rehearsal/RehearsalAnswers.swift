package import Vocabulary

/// The answers to a rehearsal other than yes: to apply only a part of it, or none.
extension Toolbox {
    /// Restricts a waiting rehearsal to some of its changes. Each call can only restrict it further.
    ///
    /// - Throws: `rehearsalLost`.
    package func narrowRehearsal(of run: RunID, workspace: String, to paths: [String]) throws(Failure) {
        let rehearsal = try rehearsal(of: run, in: workspace)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
        defer { turn.end() }
        guard rehearsal.folder.read() != nil, !rehearsal.folder.hasPlan else {
            throw Failure(
                .rehearsalLost, "What was rehearsed is not there any more.",
                remedy: "Answer yes or no; it is rehearsed anew.")
        }
        let wanted = Set(paths.map { Array($0.utf8) })
        try rehearsal.folder.note(part: rehearsal.folder.part()?.filter { wanted.contains(Array($0.utf8)) } ?? paths)
    }

    /// Removes a rehearsal that is not needed any more. One that is being applied, or was, stays.
    package func forgetRehearsal(of run: RunID, workspace: String) {
        guard let rehearsal = try? rehearsal(of: run, in: workspace), !rehearsal.folder.hasPlan else { return }
        rehearsal.folder.remove()
    }
}

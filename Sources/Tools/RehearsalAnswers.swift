import Files
package import Rehearsal
package import Vocabulary

/// The answers to a rehearsal other than yes, and the removal of stored rehearsals.
extension Toolbox {
    /// Restricts a waiting rehearsal to some of its changes. Each call can only restrict it further.
    ///
    /// - Throws: `rehearsalLost`.
    package func narrowRehearsal(of run: RunID, workspace: String, to paths: [String]) throws(Failure) {
        let rehearsal = try rehearsal(of: run, in: workspace)
        let turn = try WorkspaceTurn.take(rehearsal.workspace, in: own.data, cancel: Cancellation())
        defer { turn.end() }
        guard let about = rehearsal.folder.read(), !rehearsal.folder.hasPlan else {
            throw Failure(
                .rehearsalLost, "What was rehearsed is not there any more.",
                remedy: "Answer yes or no; it is rehearsed anew.")
        }
        let wanted = Set(paths.map { Array($0.utf8) })
        let part = rehearsal.folder.part()?.filter { wanted.contains(Array($0.utf8)) } ?? paths
        let all = try OverlayRun(folder: rehearsal.folder, workspace: rehearsal.workspace).allChanges(
            of: about, own: own)
        let taken = Set(all.part(part, of: rehearsal.workspace).targets)
        let refused = ChangedFiles(
            all.targets.filter { !taken.contains($0) }, workspace: rehearsal.workspace, hidesNames: about.isPrivate)
        try rehearsal.folder.note(part: part, refused: refused)
    }

    /// Removes a rehearsal that is not needed any more. One that is being applied, or was, stays.
    package func forgetRehearsal(of run: RunID, workspace: String) {
        guard let rehearsal = try? rehearsal(of: run, in: workspace), !rehearsal.folder.hasPlan else { return }
        rehearsal.folder.remove()
    }

    /// Removes stored rehearsals that are too old or take too much space. A removed rehearsal is done again when its
    /// question is answered (`Limits.rehearsalsKept…`). Changes whose earlier state was removed cannot be undone
    /// (`Limits.preImagesKept…`).
    ///
    /// - Parameters:
    ///   - workspaces: folders in which commands may have been rehearsed.
    ///   - aged: the time up to which ages count. `nil` if nothing may go for its age now.
    ///   - isOver: whether a workflow has ended, so that no question of it can be answered.
    /// - Returns: the bytes of each rehearsal that was removed, or that would be.
    @discardableResult
    package func purgeRehearsals(
        in workspaces: [String], now: Moment, aged: Moment?, isDryRun: Bool = false,
        isOver: @escaping (WorkflowID) -> Bool = { _ in false }
    ) -> [Int] {
        kept(in: workspaces, isOver).purge(
            now: Int(now.milliseconds / 1000), aged: aged.map { Int($0.milliseconds / 1000) }, isDryRun: isDryRun
        ).map(\.bytes)
    }

    /// Removes rehearsals that a crash interrupted, and those of workflows that have ended.
    ///
    /// - Parameter isOver: whether a workflow has ended, so that no question of it can be answered.
    package func purgeLeftRehearsals(in workspaces: [String], isOver: @escaping (WorkflowID) -> Bool) {
        kept(in: workspaces, isOver).purgeLeft()
    }

    private func kept(in workspaces: [String], _ isOver: @escaping (WorkflowID) -> Bool) -> KeptRehearsals {
        KeptRehearsals(states: RehearsalState.folders(for: workspaces, data: own.data), data: own.data, isOver: isOver)
    }
}

extension Toolbox {
    /// Finds out the protection for commands by a trial. It blocks for about 30 ms and leaves no files behind.
    ///
    /// - Parameter workspace: the real path of a workspace to test, or `nil` for a folder in the data folder.
    /// - Throws: an error that prevented the trial, such as a full disk.
    package func shelter(over workspace: String?) throws(Failure) -> Shelter {
        try Shelter.found(over: workspace, own: own, sandbox: sandbox)
    }
}

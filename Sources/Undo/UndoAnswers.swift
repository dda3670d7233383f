import Files
import Glibc
package import Vocabulary

/// The functions of undo for people.
extension UndoRecords {
    /// Returns the plan of an undo. It reads the changed files, and changes nothing.
    ///
    /// - Parameter workspace: the workspace of the workflow.
    /// - Throws: `nothingToUndo`, `undoLost`.
    package func outline(_ request: UndoRequest, workspace: String) throws(Failure) -> UndoOutline {
        let workspace = try Paths(workspace: workspace).workspace
        let records = moved(from: request.movedFrom, to: workspace)
        let selected = try records.selected(request)
        let plan = try records.plan(selected, workspace: workspace)
        // A folder of the same name may be anybody's.
        if request.movedFrom != nil, plan.work.allSatisfy({ $0.change.after.isFolder && $0.action == .remove }) {
            throw Failure(
                .changedSince, "Nothing of what \(request.workflow) changed is in \(workspace).",
                remedy: "Name the folder that it worked in, where it is now.")
        }
        return UndoOutline(work: plan.work.map(\.line), left: plan.left.map(\.line), runs: selected.map(\.record.run))
    }

    /// Returns the completed and the remaining changes of an interrupted undo.
    ///
    /// - Parameters:
    ///   - workflow: the workflow of the undo.
    ///   - workspace: the workspace of the workflow.
    package func cutUndo(_ request: UndoRequest, by workflow: WorkflowID, workspace: String) throws(Failure) -> CutUndo
    {
        let attempts = try records(of: workflow).reversed()
        var done: [UndoOutline.Line] = []
        for attempt in attempts { done += try self.done(attempt).map(\.inverseLine) }
        let workspace = try Paths(workspace: workspace).workspace
        let records = moved(from: request.movedFrom, to: workspace)
        let selected = try records.selected(request, besides: workflow)
        let plan = try records.plan(selected, workspace: workspace, by: workflow)
        return CutUndo(
            workflow: workflow, undoes: request.workflow, done: done, work: plan.work.map(\.line),
            left: plan.left.map(\.line))
    }

    /// Stores whether an interrupted undo leaves out changes that cannot be undone.
    package func setPartial(_ isPartial: Bool, requestNamed name: String) throws(Failure) {
        guard var request = request(named: name), request.isPartial != isPartial else { return }
        request.isPartial = isPartial
        try write(request, named: name)
    }

    /// Returns the changes of each attempt of a workflow, the newest first. Records that cannot be read are left out.
    package func standings(of workflow: WorkflowID) -> [UndoStanding] {
        let history = UndoHistory(self)
        let isRedo = history.isRedo(workflow)
        return history.records(of: workflow).map { record in
            let open = history.open(record)
            var standing = UndoStanding(
                run: record.run, at: Moment(milliseconds: record.at / 1_000_000), changes: record.changes.count,
                open: open.count,
                undoneBy: history.reversing(record), undoes: record.undoes, isRedo: isRedo)
            standing.lost = open.sorted().compactMap { number in
                let change = record.changes[number]
                let loss = change.loss ?? change.lossOfCopy
                return loss.map { UndoOutline.Line(.leave, change.path, why: $0.rawValue) }
            }
            return standing
        }
    }

    /// Removes the records of a workflow.
    package func removeAll(of workflow: WorkflowID) { removeFolder("\(folder)/\(workflow)") }

    /// Removes records that are too old, and the oldest of those whose contents take too much space.
    ///
    /// - Parameter aged: the time up to which ages count. `nil` if nothing may go for its age now.
    /// - Returns: the bytes of each record that was removed, or that would be.
    @discardableResult
    package func purge(now: Moment, aged: Moment?, isDryRun: Bool = false) -> [Int] {
        purge(
            now: Int(now.milliseconds / 1000), aged: aged.map { Int($0.milliseconds / 1000) }, isDryRun: isDryRun)
    }
}

extension UndoPlan.Item {
    fileprivate var line: UndoOutline.Line {
        switch action {
        case .remove: UndoOutline.Line(.remove, change.path)
        case .restore: UndoOutline.Line(.restore, change.path)
        case .setBack where change.setsTimeOnly: UndoOutline.Line(.setTimeBack, change.path)
        case .setBack, .nothing: UndoOutline.Line(.setBack, change.path)
        case .moveBack: UndoOutline.Line(.moveBack, change.path, source: change.source)
        case .leave(let difference): UndoOutline.Line(.leave, path, why: difference.rawValue, isLost: difference.isLoss)
        }
    }
}

extension FileChange {
    /// The line for the action that this change of an undo has performed.
    fileprivate var inverseLine: UndoOutline.Line {
        if let source { return UndoOutline.Line(.moveBack, source, source: path) }
        if after.isAbsent { return UndoOutline.Line(.remove, path) }
        return UndoOutline.Line(setsTimeOnly ? .setTimeBack : .restore, path)
    }
}

extension UndoRecords {
    private struct Kept {
        var bytes = 0
        /// Seconds since 1970.
        var since: Int
        var remove: () -> Void
    }

    /// Removes old records. Those of the last hour stay, since a step may be using one.
    ///
    /// - Returns: the bytes of each record that was removed, or that would be.
    func purge(now: Int, aged: Int?, isDryRun: Bool) -> [Int] {
        var kept: [Kept] = []
        for name in (try? namesIn(folder)) ?? [] {
            if let workflow = WorkflowID(parsing: name) {
                kept += runs(of: workflow).compactMap { run in
                    self.kept("\(folder)/\(workflow)/\(run.step.index)-\(run.attempt)", run)
                }
            } else if name == "requests" {
                kept += ((try? namesIn("\(folder)/requests")) ?? []).compactMap {
                    Self.file("\(folder)/requests/\($0)")
                }
            } else if let file = Self.file("\(folder)/\(name)") {
                // Earlier versions stored these files.
                kept.append(file)
            }
        }
        kept.sort { $0.since < $1.since }
        var (bytes, gone) = (kept.reduce(0) { $0 + $1.bytes }, [Int]())
        for one in kept {
            let (age, isInUse) = (
                aged.map { Double($0 - one.since) } ?? 0, Double(now - one.since) <= Limits.contentGraceSeconds
            )
            guard age > Limits.preImagesKeptSeconds || bytes > Limits.preImagesKeptBytes && !isInUse
            else {
                continue
            }
            if !isDryRun { one.remove() }
            bytes -= one.bytes
            gone.append(one.bytes)
        }
        return gone
    }

    private func kept(_ base: String, _ run: RunID) -> Kept? {
        guard var kept = Self.file(base + ".json") else { return nil }
        for name in (try? namesIn(base)) ?? [] { kept.bytes += Self.file("\(base)/\(name)")?.bytes ?? 0 }
        kept.remove = {
            forget(run)
            rmdir(parent(of: base))
        }
        return kept
    }

    private static func file(_ path: String) -> Kept? {
        var status = stat()
        guard lstat(path, &status) == 0, status.kind == .file else { return nil }
        return Kept(bytes: Int(status.st_size), since: Int(status.st_mtim.tv_sec)) { unlink(path) }
    }
}

import CProcess
package import Files
import Glibc
package import Vocabulary

/// The work of an undo plan. It is done change by change and recorded, so that the undo can be reversed in turn.
///
/// After a crash, the same request is planned again, and completed changes have the action `nothing`.
package struct UndoWork {
    let run: RunID
    /// A real path.
    let workspace: String
    /// The workflow that is undone.
    let undoes: WorkflowID
    let records: UndoRecords
    let runFolder: RunFolder
    /// Whether the other changes are reversed if one cannot be.
    package var isPartial = false
    package var cancel = Cancellation()

    package init(
        run: RunID, workspace: String, undoes: WorkflowID, records: UndoRecords, runFolder: RunFolder,
        isPartial: Bool = false, cancel: Cancellation = Cancellation()
    ) {
        self.run = run
        self.workspace = workspace
        self.undoes = undoes
        self.records = records
        self.runFolder = runFolder
        self.isPartial = isPartial
        self.cancel = cancel
    }
    /// Called before each change, with its number. A test stops the work there.
    var beforeChange: (Int) throws(Failure) -> Void = { _ in }
    /// Called between the last check of a path and its change, with the number. A test changes a file at that point.
    var beforeAct: (Int) -> Void = { _ in }

    /// The result of the work.
    package struct Result {
        /// The numbers of the completed items.
        package var done: Set<Int> = []
        /// The failures of other items, by number.
        package var failed: [Int: Failure] = [:]

        package init(done: Set<Int> = [], failed: [Int: Failure] = [:]) {
            self.done = done
            self.failed = failed
        }
    }

    /// The failure that stopped the work.
    package struct Stopped: Error {
        package var failure: Failure
        package var result: Result
    }

    /// Does the work of a plan.
    @discardableResult package func carryOut(_ plan: UndoPlan, at: Int64) throws(Stopped) -> Result {
        let work = plan.work
        var result = Result()
        do throws(Failure) {
            for attempt in 1..<max(1, run.attempt) { try records.trim(RunID(run.step, attempt: attempt)) }
            guard !work.isEmpty else { return result }
            var own = ChangeRecord(run: run, workspace: workspace, at: at, changes: [], undoes: undoes)
            own.isPartial = isPartial
            for (number, item) in work.enumerated() { own.changes.append(inverse(of: item, number)) }
            try records.begin(own, isLasting: true)
            var batch = UndoBatch(work: work, run: run, workspace: workspace, records: records)
            var counter = UndoCounter(records: records, run: run, all: work.count)
            defer { counter.end() }
            for (number, item) in work.enumerated() {
                guard !cancel.isCancelled else { throw Failure(.cancelled, "Cancelled.") }
                batch.prepare(from: number)
                try beforeChange(number)
                do throws(Failure) {
                    try withWritableFolders(of: item.change) { () throws(Failure) in try act(item, number, batch) }
                    result.done.insert(number)
                } catch {
                    guard isPartial else { throw error }
                    result.failed[number] = error
                }
                counter.count(number + 1)
            }
            try OpenFolder(workspace).syncAll()
            try records.cut(own, toNumbers: result.done)
        } catch {
            // The record is reduced to the completed changes.
            if let own = try? records.record(of: run) { try? records.cut(own, toNumbers: result.done) }
            throw Stopped(failure: error, result: result)
        }
        return result
    }

    /// Returns the change that an item makes, for the record of the undo. The path of a copy is known before the copy
    /// is made.
    private func inverse(of item: UndoPlan.Item, _ number: Int) -> FileChange {
        let change = item.change
        if item.action == .moveBack, let source = change.source {
            var inverse = FileChange(source, from: .absent, to: change.after, source: change.path)
            inverse.reverses = item.origin
            return inverse
        }
        var kept: String?
        if case .file(let content) = change.after, item.action != .setBack, content.bytes <= Limits.undoCopyBytes {
            kept = "\(records.contents(of: run))/\(number)"
        }
        // The permissions of a folder that a step created may not be known.
        let from = if let now = item.now, now.isFolder { now } else { change.after }
        var inverse = FileChange(
            change.path, from: from.withModeOfFolder, to: change.before.withModeOfFolder, kept: kept)
        inverse.reverses = item.origin
        return inverse
    }

    private func act(_ item: UndoPlan.Item, _ number: Int, _ batch: UndoBatch) throws(Failure) {
        let change = item.change
        let files = try PersonFiles(workspace: workspace)
        switch item.action {
        case .nothing, .leave: break
        case .remove: try remove(change, number, files, batch)
        case .restore: try restore(change, number, files, batch)
        case .setBack: try setBack(change, files)
        case .moveBack: try moveBack(change, number, files)
        }
    }

    private func changed(_ path: String) -> Failure { Failure(.targetChanged, "\(path) has been changed since.") }

    // MARK: The acts

    private func remove(
        _ change: FileChange, _ number: Int, _ files: borrowing PersonFiles, _ batch: UndoBatch
    ) throws(Failure) {
        let entry = try files.entry(change.path)
        let look = try checked(entry, change)
        if look.status?.kind == .folder {
            beforeAct(number)
            guard unlinkat(entry.folder.descriptor, entry.name, AT_REMOVEDIR) == 0 else {
                throw errno == ENOTEMPTY || errno == EEXIST ? changed(change.path) : fileFailure("remove", change.path)
            }
            return
        }
        try keep(entry, look, number, batch)
        let hidden = NewFile.hiddenName()
        try runFolder.write(.deleting(change.path, look.before, hidden: sibling(of: change.path, hidden)))
        beforeAct(number)
        try entry.remove(look.before, hidden: hidden)
    }

    private func restore(
        _ change: FileChange, _ number: Int, _ files: borrowing PersonFiles, _ batch: UndoBatch
    ) throws(Failure) {
        let entry = try files.entry(change.path)
        let look = try checked(entry, change)
        if look.status != nil { try keep(entry, look, number, batch) }
        switch change.before {
        case .file:
            let prepared = try batch.file(number, in: entry.folder)
            let new = if let prepared { prepared } else { try UndoneFile(change, in: entry.folder, isLasting: true) }
            try runFolder.write(try new.file.intent(to: change.path, replacing: look.before))
            beforeAct(number)
            // The batch keeps its files longer than this change takes.
            defer { new.file.removeHidden() }
            if look.status == nil {
                guard try new.file.name(entry.name) else { throw changed(change.path) }
            } else {
                try new.file.replace(entry, look.before)
            }
        case .link(let target, let modified):
            try replace(entry, look, number) { hidden throws(Failure) in
                guard symlinkat(target, entry.folder.descriptor, hidden) == 0 else {
                    throw fileFailure("make", change.path)
                }
                try setTime(ofLink: hidden, in: entry.folder, modified)
            }
        case .folder(let mode):
            try replace(entry, look, number) { hidden throws(Failure) in
                guard mkdirat(entry.folder.descriptor, hidden, 0o700) == 0 else {
                    throw fileFailure("make", change.path)
                }
                let made = try entry.folder.folder(hidden)
                guard chmod("/proc/self/fd/\(made.descriptor)", mode_t(mode ?? 0o755)) == 0 else {
                    throw fileFailure("change", change.path)
                }
            }
        case .absent, .special: break
        }
    }

    /// Creates a link or a folder under a hidden name, and then gives it its own name, so that after a crash the path
    /// has the old entry or the new one.
    private func replace(
        _ entry: borrowing FolderEntry, _ look: FolderEntry.Look, _ number: Int,
        _ make: (String) throws(Failure) -> Void
    ) throws(Failure) {
        let (place, hidden) = (entry.folder.descriptor, NewFile.hiddenName())
        try make(hidden)
        guard let made = try entry.folder.status(of: hidden) else { throw fileFailure("make", entry.path) }
        func takeAway() { unlinkat(place, hidden, made.kind == .folder ? AT_REMOVEDIR : 0) }
        try runFolder.write(
            FileIntent(
                path: entry.path, device: UInt64(made.st_dev), inode: made.inode,
                hidden: sibling(of: entry.path, hidden),
                before: look.before))
        beforeAct(number)
        guard look.status != nil else {
            guard cfiles_rename_new(place, hidden, place, entry.name) == 0 else {
                let failure = errno == EEXIST ? changed(entry.path) : fileFailure("make", entry.path)
                takeAway()
                throw failure
            }
            return
        }
        guard cfiles_exchange(place, hidden, place, entry.name) == 0 else {
            let failure = errno == ENOENT ? changed(entry.path) : fileFailure("make", entry.path)
            takeAway()
            throw failure
        }
        guard look.before.isStill(try entry.folder.status(of: hidden)) else {
            _ = cfiles_exchange(place, hidden, place, entry.name)
            takeAway()
            throw changed(entry.path)
        }
        unlinkat(place, hidden, look.status?.kind == .folder ? AT_REMOVEDIR : 0)
    }

    private func setBack(_ change: FileChange, _ files: borrowing PersonFiles) throws(Failure) {
        let entry = try files.entry(change.path)
        let look = try checked(entry, change)
        let file = OpenFile(adopting: try entry.folder.open(entry.name, cfiles_place_only()))
        guard try look.status?.inode == file.status().inode else { throw changed(change.path) }
        switch change.before {
        case .file(let content):
            // A descriptor opened with `O_PATH` supports no fchmod, so the path of the descriptor is used.
            let place = "/proc/self/fd/\(file.descriptor)"
            // The time is set first: if this is interrupted between the two, both are set again.
            guard setModified(place, content.modified), chmod(place, mode_t(content.mode)) == 0 else {
                throw fileFailure("change", change.path)
            }
            if let now = look.extra, let was = content.extra, !setExtra(place, from: now, to: was) {
                throw fileFailure("change", change.path)
            }
        case .link(_, let modified?):
            guard setModified("/proc/self/fd/\(file.descriptor)", modified) else {
                throw fileFailure("change", change.path)
            }
        case .folder(let mode?):
            guard chmod("/proc/self/fd/\(file.descriptor)", mode_t(mode)) == 0 else {
                throw fileFailure("change", change.path)
            }
        case .folder(nil), .absent, .link(_, nil), .special: break
        }
    }

    private func moveBack(_ change: FileChange, _ number: Int, _ files: borrowing PersonFiles) throws(Failure) {
        guard let source = change.source else { return }
        let from = try files.entry(change.path)
        let to = try files.entry(source)
        let look = try from.look()
        guard files.state(of: change.path)?.isSame(as: change.after) == true else { throw changed(change.path) }
        try runFolder.write(.naming(from, to.path))
        beforeAct(number)
        if cfiles_rename_new(from.folder.descriptor, from.name, to.folder.descriptor, to.name) == 0 {
            guard try to.isStill(look.before) else {
                _ = cfiles_rename_new(to.folder.descriptor, to.name, from.folder.descriptor, from.name)
                throw changed(change.path)
            }
            return
        }
        guard errno == EXDEV else { throw errno == EEXIST ? changed(source) : fileFailure("move", change.path) }
        if case .link(let target, _) = change.after {
            guard symlinkat(target, to.folder.descriptor, to.name) == 0 else { throw fileFailure("make", source) }
            try setTime(ofLink: to.name, in: to.folder, change.after.modified)
        } else {
            let original = try from.file()
            var copy = try NewFile(in: to.folder)
            _ = try original.copyContent(to: copy.file)
            try copy.takeAfter(original, source)
            try setTimeOfFile(try original.status().modifiedNanoseconds, copy.file.descriptor, source)
            try copy.file.sync()
            try runFolder.write(try copy.intent(to: source, replacing: look.before, from: change.path))
            guard try copy.name(to.name) else { throw changed(source) }
        }
        try from.remove(look.before, hidden: NewFile.hiddenName())
    }

    // MARK: Small things

    /// Checks a path again.
    ///
    /// - Throws: `targetChanged` if its state no longer allows the planned action.
    private func checked(_ entry: borrowing FolderEntry, _ change: FileChange) throws(Failure) -> FolderEntry.Look {
        let look = try entry.look()
        guard !change.undoAction(now: FileState(look)).isLeft else { throw changed(change.path) }
        return look
    }

    /// Copies a file that is about to be replaced or deleted, so that the undo can be reversed.
    private func keep(
        _ entry: borrowing FolderEntry, _ look: FolderEntry.Look, _ number: Int, _ batch: UndoBatch
    ) throws(Failure) {
        guard case .file(_, _, _, _, let hash) = look.before, look.status?.kind == .file else { return }
        if batch.hasKept(number, look.before) { return }
        _ = try records.keep(try entry.file(), entry.path, hash: hash, of: run, number: number)
    }

    private func setTime(ofLink name: String, in folder: borrowing OpenFolder, _ modified: Int64?) throws(Failure) {
        guard let modified else { return }
        let link = OpenFile(adopting: try folder.open(name, cfiles_place_only()))
        guard setModified("/proc/self/fd/\(link.descriptor)", modified) else { throw fileFailure("change", name) }
    }

    /// Makes the folders of a change writable while `work` runs, if they belong to the user. They get their permissions
    /// back at the end.
    private func withWritableFolders(of change: FileChange, _ work: () throws(Failure) -> Void) throws(Failure) {
        let files = try PersonFiles(workspace: workspace)
        let folders = [change.path, change.source].compactMap { $0 }.map { parent(of: $0) }
        var locked: [(path: String, mode: mode_t)] = []
        for path in folders {
            guard let status = try? files.status(path), status.kind == .folder, status.st_uid == geteuid(),
                geteuid() != 0,
                status.st_mode & 0o300 != 0o300
            else { continue }
            guard (try? Self.change(path, to: status.st_mode & 0o7777 | 0o300, files)) != nil else { continue }
            locked.append((path, status.st_mode & 0o7777))
        }
        defer { for (path, mode) in locked.reversed() { try? Self.change(path, to: mode, files) } }
        try work()
    }

    private static func change(_ path: String, to mode: mode_t, _ files: borrowing PersonFiles) throws(Failure) {
        let folder = try files.folder(path)
        guard chmod("/proc/self/fd/\(folder.descriptor)", mode) == 0 else { throw fileFailure("change", path) }
    }
}

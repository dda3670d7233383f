import CProcess
package import Files
import Glibc
import JSON
package import Vocabulary

/// The changes that one attempt of a step made in the user's files.
package struct ChangeRecord: Hashable {
    package var run: RunID
    /// A real path.
    var workspace: String
    /// The time of the record, in nanoseconds since 1970. Records are ordered by it.
    var at: Int64
    /// The changes, in the order in which they are made.
    var changes: [FileChange]
    /// The workflow that the step undoes, if it is the step of an undo.
    var undoes: WorkflowID?
    /// Whether the undo leaves out changes that cannot be reversed. A change of it may then have been made although an
    /// earlier one was not.
    var isPartial = false

    var json: JSON {
        .of([
            "v": 1, "workspace": .string(workspace), "at": .string(String(at)), "changes": .array(changes.map(\.json)),
            "undoes": undoes.map { .string($0.description) }, "partial": isPartial ? true : nil,
        ])
    }

    init(run: RunID, workspace: String, at: Int64, changes: [FileChange], undoes: WorkflowID? = nil) {
        (self.run, self.workspace, self.at, self.changes, self.undoes) = (run, workspace, at, changes, undoes)
    }

    init?(_ json: JSON, run: RunID) {
        guard json["v"]?.int == 1, let workspace = json["workspace"]?.string,
            let at = json["at"]?.string.flatMap({ Int64($0) }),
            let changes = json["changes"]?.array?.map(FileChange.init(json:)), !changes.contains(nil)
        else { return nil }
        let undoes = json["undoes"]?.string.flatMap { WorkflowID(parsing: $0) }
        self.init(run: run, workspace: workspace, at: at, changes: changes.compactMap(\.self), undoes: undoes)
        isPartial = json["partial"]?.bool ?? false
    }
}

extension ChangeRecord {
    /// The record with the folders of its changes, as far as they are there.
    fileprivate var withPlaces: ChangeRecord {
        var record = self
        for index in changes.indices where changes[index].place == nil {
            record.changes[index].place = FolderPlace(of: changes[index].path)
            record.changes[index].sourcePlace = changes[index].source.flatMap { FolderPlace(of: $0) }
        }
        return record
    }
}

/// The records of all changes, in the folder `undo` of the data folder: `w3/2-1` for the first attempt of step 2 of w3.
///
/// - `2-1.json` is written before the step changes files. The states of the paths show which changes were made.
/// - `2-1.done` is written when the step has made all of them.
/// - `2-1/` contains the contents that were replaced or deleted.
/// - `2-1.undone` names the workflows that reversed changes of the record, and these changes.
/// - `2-1.count` is the progress of a running undo.
package struct UndoRecords {
    package let folder: String
    /// The move of a workspace after which its records are read, or `nil`.
    private let move: MovedWorkspace?

    package init(_ own: OwnFolders) { (folder, move) = ("\(own.data)/undo", nil) }

    private init(_ folder: String, _ move: MovedWorkspace?) { (self.folder, self.move) = (folder, move) }

    /// Returns the same records as they are after a workspace was moved: the paths of its files are in the new folder.
    ///
    /// - Parameters:
    ///   - from: the path that the workspace had, or `nil` if none was moved.
    ///   - workspace: the real path that it has now.
    package func moved(from: String?, to workspace: String) -> UndoRecords {
        UndoRecords(folder, from.map { MovedWorkspace(from: $0, to: workspace) })
    }

    private func base(_ run: RunID) -> String { "\(folder)/\(run.step.workflow)/\(run.step.index)-\(run.attempt)" }

    /// Returns the folder for the contents that one attempt replaces or deletes.
    func contents(of run: RunID) -> String { base(run) }

    // MARK: Writing

    /// Stores the changes that a step is about to make.
    ///
    /// - Parameter isLasting: whether the record must be on the disk before this returns. If a power failure loses a
    ///   record, only the possibility to undo is lost.
    package func begin(_ record: ChangeRecord, isLasting: Bool) throws(Failure) {
        let file = base(record.run) + ".json"
        try makeFolders(parent(of: file))
        let new = "\(file).\(getpid()).new"
        do {
            let opened = try OpenFile(new, O_WRONLY | O_CREAT | O_TRUNC)
            try opened.write(Array(record.withPlaces.json.text.utf8))
            if isLasting { try opened.sync() }
        }
        guard rename(new, file) == 0 else { throw fileFailure("write", file) }
        if isLasting { try syncFolder(parent(of: file)) }
    }

    /// Marks a record as done, since the step has made all of its changes.
    package func end(_ run: RunID) {
        // Without the mark, the states of the files show it.
        _ = try? OpenFile(base(run) + ".done", O_WRONLY | O_CREAT)
    }

    /// Removes all changes from a record except those at some paths and below them.
    package func cut(_ record: ChangeRecord, to paths: [String]) throws(Failure) {
        var cut = record
        cut.changes = record.changes.filter { change in paths.contains { change.path.path(below: $0) != nil } }
        if cut.changes.isEmpty { forget(record.run) } else { try begin(cut, isLasting: true) }
    }

    /// Removes all changes from a record except those that were made, which are given by their numbers.
    package func cut(_ record: ChangeRecord, toNumbers done: Set<Int>) throws(Failure) {
        guard !done.isEmpty else { return forget(record.run) }
        if done.count < record.changes.count {
            var cut = record
            cut.changes = record.changes.enumerated().filter { done.contains($0.offset) }.map(\.element)
            try begin(cut, isLasting: true)
        }
        end(record.run)
    }

    /// Removes the changes that were not made from the record of an interrupted attempt. The states of the paths show
    /// which ones were made.
    package func trim(_ run: RunID) throws(Failure) {
        guard !isDone(run), let record = try record(of: run) else { return }
        let done = try done(record)
        guard !done.isEmpty else { return forget(run) }
        // This is stored now, since later attempts change the states of the paths.
        if done.count < record.changes.count {
            var trimmed = record
            trimmed.changes = done
            try begin(trimmed, isLasting: true)
        }
        end(run)
    }

    /// Returns the changes of a record that were made. For an interrupted attempt, the states of the paths show which
    /// ones.
    func done(_ record: ChangeRecord) throws(Failure) -> [FileChange] {
        guard !isDone(record.run) else { return record.changes }
        // A content is copied before it is deleted. If the copy is missing, that change and all later ones were not
        // made.
        let first = record.changes.firstIndex { change in change.kept.map { access($0, F_OK) != 0 } ?? false }
        let newest = Array(record.changes.prefix(first ?? record.changes.count).reversed())
        let progress = UndoProgress(newest, files: try PersonFiles(workspace: record.workspace))
        // Changes are made in order. If a path was changed again after the interruption, its state does not show
        // whether the recorded change was made. It was not made if an older change was not, unless a newer one was.
        let lastMade = newest.indices.first { progress.isKnown[$0] && !progress.isReversed[$0] } ?? newest.count
        let firstUnmade = progress.isReversed[..<lastMade].lastIndex(of: true) ?? -1
        return newest.indices.filter { !progress.isReversed[$0] && (progress.isKnown[$0] || $0 > firstUnmade) }.map {
            newest[$0]
        }
        .reversed()
    }

    /// Removes the record of a step that has changed nothing.
    func forget(_ run: RunID) {
        for suffix in [".json", ".done", ".undone", ".count"] { unlink(base(run) + suffix) }
        removeFolder(base(run))
    }

    /// Adds the changes that a workflow has reversed to the record, beside those that other workflows have reversed.
    package func noteUndone(_ run: RunID, by workflow: WorkflowID, changes: Set<Int>) throws(Failure) {
        guard !changes.isEmpty else { return }
        var reversals = reversals(of: run)
        let before = reversals.first { $0.by == workflow }
        reversals.removeAll { $0.by == workflow }
        // `nil` means all of them.
        let all = before.map { $0.changes.map { $0.union(changes) } } ?? changes
        reversals.append(Reversal(by: workflow, changes: all))
        let json = JSON.of(["v": 2, "reversals": .array(reversals.suffix(Limits.undoChain).map(\.json))])
        try writeWhole(Array(json.text.utf8), to: base(run) + ".undone")
    }

    /// Stores the progress of an undo for a counter at the terminal. It need not survive a crash.
    func noteCount(_ run: RunID, _ done: Int, of all: Int) {
        try? writeWhole(Array(JSON.of(["done": .int(done), "of": .int(all)]).text.utf8), to: base(run) + ".count")
    }

    func forgetCount(_ run: RunID) { unlink(base(run) + ".count") }

    /// Returns the progress of a running undo, or `nil` if none runs, or it has only just begun.
    package func count(of workflow: WorkflowID) -> (done: Int, of: Int)? {
        guard let newest = runs(of: workflow).max(by: { $0.attempt < $1.attempt }),
            let json = readJSON(base(newest) + ".count"),
            let done = json["done"]?.int, let all = json["of"]?.int
        else { return nil }
        return (done, all)
    }

    // MARK: Reading

    package func record(of run: RunID) throws(Failure) -> ChangeRecord? {
        let file = base(run) + ".json"
        guard access(file, F_OK) == 0 else { return nil }
        let bytes = try readWhole(file, limit: Limits.rehearsalPlanBytes)
        guard let json = try? JSONReader.read(bytes), let record = ChangeRecord(json, run: run) else {
            throw Failure(
                .undoLost, "The record of what \(run.step) changed cannot be read.", remedy: "See 'assent doctor'.")
        }
        return move.map(record.moved) ?? record
    }

    func isDone(_ run: RunID) -> Bool { access(base(run) + ".done", F_OK) == 0 }

    /// Returns the reversals of a record's changes, the oldest first, including those that were undone later.
    func reversals(of run: RunID) -> [Reversal] {
        guard access(base(run) + ".undone", F_OK) == 0,
            let bytes = try? readWhole(base(run) + ".undone", limit: Limits.rehearsalPlanBytes),
            let json = try? JSONReader.read(bytes)
        else { return [] }
        // Earlier versions stored one workflow, which had reversed all changes.
        guard let reversals = json["reversals"]?.array else { return Reversal(json: json).map { [$0] } ?? [] }
        return reversals.compactMap { Reversal(json: $0) }
    }

    /// Returns the attempts of a workflow that changed something.
    package func runs(of workflow: WorkflowID) -> [RunID] {
        ((try? namesIn("\(folder)/\(workflow)")) ?? []).compactMap { name in
            guard name.hasSuffix(".json") else { return nil }
            let numbers = name.dropLast(5).split(separator: "-").compactMap { Int($0) }
            guard numbers.count == 2 else { return nil }
            return RunID(StepID(workflow, numbers[0]), attempt: numbers[1])
        }
    }

    /// The workflows that have records, the newest first.
    package var workflows: [WorkflowID] {
        ((try? namesIn(folder)) ?? []).compactMap { WorkflowID(parsing: $0) }.sorted { $1 < $0 }
    }

    /// Returns the records of a workflow, the newest first.
    func records(of workflow: WorkflowID) throws(Failure) -> [ChangeRecord] {
        var records: [ChangeRecord] = []
        for run in runs(of: workflow) { if let record = try record(of: run) { records.append(record) } }
        return records.sorted(by: isNewer)
    }

    // MARK: Contents

    /// Copies a file that will be replaced or deleted, with its owner and attributes.
    ///
    /// - Parameters:
    ///   - number: the number of the change in its record.
    ///   - isLasting: whether the copy must be on the disk before this returns.
    /// - Returns: the path of the copy, or `nil` if the file is larger than `Limits.undoCopyBytes`.
    /// - Throws: `targetChanged` if the content is not the expected one.
    package func keep(
        _ file: borrowing OpenFile, _ path: String, hash: ContentHash?, of run: RunID, number: Int,
        isLasting: Bool = true
    ) throws(Failure) -> String? {
        guard try file.status().st_size <= Limits.undoCopyBytes else {
            // Without a copy, too, only the approved content may be replaced or deleted.
            if let hash, try file.digest().0 != hash { throw targetChanged(path) }
            return nil
        }
        try makeFolders(base(run))
        let copy = "\(base(run))/\(number)"
        unlink(copy)
        let new = try OpenFile(copy, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
        let found = try file.copyContent(to: new)
        guard hash == nil || found == hash else {
            unlink(copy)
            throw targetChanged(path)
        }
        let status = try file.status()
        // If this is not permitted, the copy belongs to this process's user, and so will the restored file.
        _ = fchown(new.descriptor, status.st_uid, status.st_gid)
        for attribute in try file.attributes() where attribute.name.hasPrefix("user.") {
            _ = attribute.value.withUnsafeBytes {
                cfiles_set_attribute(new.descriptor, attribute.name, $0.baseAddress, $0.count)
            }
        }
        if isLasting { try new.sync() }
        return copy
    }
}

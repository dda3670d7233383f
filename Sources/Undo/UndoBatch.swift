import Files
import Glibc
import Vocabulary

extension Limits {
    /// The most changes of an undo that are prepared together, with one sync for all of them.
    fileprivate static let undoBatch = 64

    /// The bytes of changes beyond which an undo prepares no further change together with them.
    fileprivate static let undoBatchBytes: Int64 = 64 << 20
}

/// The next changes of an undo, with all files that must be on the disk before any of them is made.
///
/// A copy of a replaced file and the content of a restored one must be on the disk first, or a power failure could lose
/// both. A sync for each of them takes milliseconds. So the copies and the new files of many changes are written
/// together, with one sync for all. After a kill, no new files remain, since they have no names yet, and copies are
/// written again.
struct UndoBatch {
    let work: [UndoPlan.Item]
    let run: RunID
    let workspace: String
    let records: UndoRecords
    /// The number of the first change after the batch.
    private var end = 0
    /// The states of the files that were copied, by number of the change.
    private var kept: [Int: Call.Before] = [:]
    private var files: [Int: UndoneFile] = [:]

    init(work: [UndoPlan.Item], run: RunID, workspace: String, records: UndoRecords) {
        (self.work, self.run, self.workspace, self.records) = (work, run, workspace, records)
    }

    /// Prepares the next batch if `number` is the first change after the last one. Errors are ignored here, since the
    /// change itself fails later and reports the reason.
    mutating func prepare(from number: Int) {
        guard number >= end else { return }
        (kept, files, end) = ([:], [:], number)
        var (bytes, touched) = (Int64(0), Set<[UInt8]>())
        while end < work.count, end - number < Limits.undoBatch, bytes < Limits.undoBatchBytes {
            let change = work[end].change
            // If a path changes twice, its second change is not prepared.
            if touched.insert(Array(change.path.utf8)).inserted {
                bytes += (change.after.bytes ?? 0) + (change.before.bytes ?? 0)
                try? prepare(end)
            }
            if let source = change.source { touched.insert(Array(source.utf8)) }
            end += 1
            // Files in a folder can be prepared only after the folder is restored.
            if change.before.isFolder, work[end - 1].action == .restore { break }
        }
        guard !kept.isEmpty || !files.isEmpty else { return }
        do throws(Failure) {
            let own = try OpenFolder(records.folder)
            try own.syncAll()
            let there = try OpenFolder(workspace)
            if !files.isEmpty, try there.file.status().st_dev != own.file.status().st_dev { try there.syncAll() }
        } catch {
            (kept, files) = ([:], [:])
        }
    }

    private mutating func prepare(_ number: Int) throws(Failure) {
        let item = work[number]
        let change = item.change
        guard item.action == .remove || item.action == .restore else { return }
        let entry = try PersonFiles(workspace: workspace).entry(change.path)
        // A file on another file system has a sync of its own.
        let isHere = try entry.folder.file.status().st_dev == OpenFolder(workspace).file.status().st_dev
        if case .file = change.before, item.action == .restore, change.kept != nil, isHere {
            let file = try UndoneFile(change, in: entry.folder, isLasting: false)
            // A file with a hidden name would remain after a kill.
            if !file.file.isHidden { files[number] = file }
        }
        guard case .file = change.after, let status = try entry.status(), status.kind == .file,
            status.st_size <= Limits.undoCopyBytes
        else {
            return
        }
        let look = try entry.look()
        guard FileState(look).isSame(as: change.after), case .file(_, _, _, _, let hash) = look.before else { return }
        _ = try records.keep(try entry.file(), entry.path, hash: hash, of: run, number: number, isLasting: false)
        kept[number] = look.before
    }

    /// Whether a file was copied in its present state.
    func hasKept(_ number: Int, _ before: Call.Before) -> Bool { kept[number].map { $0 == before } ?? false }

    /// Returns the new file for a change, or `nil` if none was prepared in this folder.
    func file(_ number: Int, in folder: borrowing OpenFolder) throws(Failure) -> UndoneFile? {
        guard let file = files[number] else { return nil }
        let (there, here) = (try file.file.folder.file.status(), try folder.file.status())
        return there.st_dev == here.st_dev && there.st_ino == here.st_ino ? file : nil
    }
}

/// A new file without a name, with a stored content and its permissions, time and owner.
final class UndoneFile {
    var file: NewFile

    /// - Parameter isLasting: whether the file must be on the disk before this returns.
    /// - Throws: `undoLost` if the stored content is missing or damaged.
    init(_ change: FileChange, in folder: borrowing OpenFolder, isLasting: Bool) throws(Failure) {
        let lost = Failure(.undoLost, "What \(change.path) held before is not kept any more.")
        guard case .file(let content) = change.before, let kept = change.kept, access(kept, F_OK) == 0 else {
            throw lost
        }
        file = try NewFile(in: folder)
        let source = try OpenFile(kept, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        let hash = try source.copyContent(to: file.file)
        guard hash == content.hash else { throw lost }
        try file.takeAfter(source, change.path)
        if let extra = content.extra {
            let traits = FileTraits(
                mode: content.mode, accessList: extra.accessList, attributes: extra.attributes)
            guard try file.take(traits, isCopy: true).isEmpty else {
                throw Failure(
                    .attributeLost,
                    "\(change.path) would lose what is noted of it: its access list or its attributes.")
            }
        }
        guard fchmod(file.file.descriptor, mode_t(content.mode)) == 0 else { throw fileFailure("change", change.path) }
        try setTimeOfFile(content.modified, file.file.descriptor, change.path)
        if isLasting { try file.file.sync() }
    }
}

/// A counter that stores the progress of an undo, a few times a second.
struct UndoCounter {
    let records: UndoRecords
    let run: RunID
    let all: Int
    private var noted = SuspendingClock.now

    init(records: UndoRecords, run: RunID, all: Int) { (self.records, self.run, self.all) = (records, run, all) }

    mutating func count(_ done: Int) {
        let now = SuspendingClock.now
        guard now - noted > .milliseconds(Limits.undoCountMilliseconds) else { return }
        noted = now
        records.noteCount(run, done, of: all)
    }

    func end() { records.forgetCount(run) }
}

/// Sets the time of the last change of an open file, in nanoseconds since 1970.
func setTimeOfFile(_ modified: Int64, _ descriptor: Int32, _ path: String) throws(Failure) {
    guard setModified("/proc/self/fd/\(descriptor)", modified) else { throw fileFailure("change", path) }
}

import CProcess
import Glibc
import JSON
import Vocabulary

/// The one act outside the store that an attempt is about to do, noted in the run folder before it is done. If the
/// engine ends between the act and the note of its success, the world itself says whether it was done, and nothing is
/// done twice.
struct Intent: Hashable {
    /// Where a file gets its name, or loses it.
    var path: String
    /// The file that gets the name; both 0 for a deletion.
    var device: UInt64 = 0
    var inode: UInt64 = 0
    /// Where something lies under a hidden name for a moment: the new file before it has its own, and what is taken
    /// away before it goes.
    var hidden: String?
    /// What is taken away, as it was approved.
    var before = Call.Before.absent
    /// Where it is taken from, of a move to another file system; `nil` for `path`.
    var source: String?

    /// That what is at an entry now will be called `path`.
    static func naming(_ source: borrowing FolderEntry, _ path: String) throws(Failure) -> Intent {
        guard let status = try source.status() else { throw targetChanged(source.path) }
        return Intent(path: path, device: UInt64(status.st_dev), inode: status.inode)
    }

    static func deleting(_ path: String, _ before: Call.Before, hidden: String) -> Intent {
        Intent(path: path, hidden: hidden, before: before)
    }

    /// What is found of an act that was cut.
    enum Outcome: Hashable {
        case done, notDone
        /// What somebody saved meanwhile has a hidden name, and its own is taken.
        case left(Failure)
    }

    /// Finishes what was cut, or puts it back: nothing has a hidden name afterwards.
    func settle(in files: borrowing PersonFiles) -> Outcome {
        if let hidden, let entry = try? files.entry(hidden), let status = try? entry.status() {
            if isNew(status) {
                // It did not get its name, and nothing was taken away.
                if status.kind == .folder {
                    removeFolder(entry.name, in: entry.folder)
                } else {
                    unlinkat(entry.folder.descriptor, entry.name, 0)
                }
            } else if before.isStill(status) {
                unlinkat(entry.folder.descriptor, entry.name, 0)
                return .done
            } else {
                return putBack(entry, in: files)
            }
        }
        guard isDone(in: files) else { return .notDone }
        // A copy has its name, and the original is still there.
        if let source, let hidden, let entry = try? files.entry(source), (try? entry.isStill(before)) == true {
            guard (try? entry.remove(before, hidden: lastName(of: hidden))) != nil else { return .notDone }
        }
        return .done
    }

    /// What was taken away is not what was approved: its owner was quicker.
    private func putBack(_ hidden: borrowing FolderEntry, in files: borrowing PersonFiles) -> Outcome {
        let name = source ?? path
        let left = Outcome.left(
            Failure(
                "targetChanged",
                "\(name) was changed twice meanwhile: the newer is there, and the one before it is \(hidden.path)."))
        guard let entry = try? files.entry(name) else { return left }
        let (from, to) = (hidden.folder.descriptor, entry.folder.descriptor)
        if cfiles_rename_new(from, hidden.name, to, entry.name) == 0 { return .notDone }
        guard let status = try? entry.status(), isNew(status), cfiles_exchange(from, hidden.name, to, entry.name) == 0
        else { return left }
        unlinkat(from, hidden.name, 0)
        return .notDone
    }

    private func isNew(_ status: stat) -> Bool {
        inode != 0 && UInt64(status.st_dev) == device && status.inode == inode
    }

    private func isDone(in files: borrowing PersonFiles) -> Bool {
        do throws(Failure) {
            guard let status = try files.status(path) else { return inode == 0 }
            return isNew(status)
        } catch {
            return false
        }
    }
}

/// The path of another name in the same folder.
func sibling(of path: String, _ name: String) -> String { parent(of: path).child(name) }

extension RunFolder {
    func write(_ intent: Intent) throws(Failure) {
        var before: JSON?
        if case .file(let device, let inode, let size, let modified, _) = intent.before {
            before = .array([String(device), String(inode), String(size), String(modified)].map { .string($0) })
        }
        let json = JSON.of([
            "path": .string(intent.path), "device": .string(String(intent.device)),
            "inode": .string(String(intent.inode)),
            "hidden": intent.hidden.map { .string($0) }, "before": before, "source": intent.source.map { .string($0) },
        ])
        try writeWhole(Array(json.text.utf8), to: "\(path).intent")
    }

    var intent: Intent? {
        guard let json = readJSON("\(path).intent"), let path = json["path"]?.string,
            let device = json["device"]?.string.flatMap({ UInt64($0) }),
            let inode = json["inode"]?.string.flatMap({ UInt64($0) })
        else { return nil }
        var intent = Intent(
            path: path, device: device, inode: inode, hidden: json["hidden"]?.string, source: json["source"]?.string)
        let before = (json["before"]?.array ?? []).compactMap(\.string)
        if before.count == 4, let device = UInt64(before[0]), let inode = UInt64(before[1]),
            let size = Int64(before[2]),
            let modified = Int64(before[3])
        {
            intent.before = .file(device: device, inode: inode, size: size, modifiedNanoseconds: modified, hash: nil)
        }
        return intent
    }
}

import CProcess
import Glibc
import JSON
package import Vocabulary

/// The change outside of the store that an attempt is about to make. It is stored in the run folder first. If the
/// engine ends before the success is recorded, the state of the files shows whether the change was made, so nothing is
/// done twice.
package struct FileIntent: Hashable {
    /// The path of a file that gets its name or is deleted.
    package var path: String
    /// The device and the inode of the file that gets the name. Both are 0 for a deletion.
    var device: UInt64 = 0
    var inode: UInt64 = 0
    /// The temporary path of a file: of a new one before it gets its name, and of a replaced or deleted one before it
    /// is removed.
    package var hidden: String?
    /// The approved state of the file that is replaced or deleted.
    var before: Call.Before = .absent
    /// The path of the original in a move to another file system, or `nil` if the change concerns `path`.
    var source: String?

    package init(
        path: String, device: UInt64 = 0, inode: UInt64 = 0, hidden: String? = nil, before: Call.Before = .absent,
        source: String? = nil
    ) {
        self.path = path
        self.device = device
        self.inode = inode
        self.hidden = hidden
        self.before = before
        self.source = source
    }

    /// Returns the intent to give the file at an entry the name `path`.
    ///
    /// - Throws: `targetChanged` if there is no file.
    package static func naming(_ source: borrowing FolderEntry, _ path: String) throws(Failure) -> FileIntent {
        guard let status = try source.status() else { throw targetChanged(source.path) }
        return FileIntent(path: path, device: UInt64(status.st_dev), inode: status.inode)
    }

    package static func deleting(_ path: String, _ before: Call.Before, hidden: String) -> FileIntent {
        FileIntent(path: path, hidden: hidden, before: before)
    }

    /// The result of an interrupted change.
    package enum Outcome: Hashable {
        case done, notDone
        /// A file that another process saved meanwhile has a hidden name, since its own name is taken.
        case left(Failure)
    }

    /// Completes an interrupted change, or reverses it, so that no file keeps a hidden name.
    package func settle(in files: borrowing PersonFiles) -> Outcome {
        if let hidden, let entry = try? files.entry(hidden), let status = try? entry.status() {
            if isNew(status) {
                // The file did not get its name, and nothing was deleted.
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
        // The copy has its name, and the original still exists.
        if let source, let hidden, let entry = try? files.entry(source), (try? entry.isStill(before)) == true {
            guard (try? entry.remove(before, hidden: lastName(of: hidden))) != nil else { return .notDone }
        }
        return .done
    }

    /// Gives a file its name back, since it is not the one that was approved. Another process had saved it just before.
    private func putBack(_ hidden: borrowing FolderEntry, in files: borrowing PersonFiles) -> Outcome {
        let name = source ?? path
        let left = Outcome.left(
            Failure(
                .targetChanged,
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

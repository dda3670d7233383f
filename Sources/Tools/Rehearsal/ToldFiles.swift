import Glibc
import Vocabulary

extension ChangeList {
    /// A file by what each write changes.
    struct Stamp: Hashable {
        /// Nanoseconds since 1970.
        var modified: Int64
        var size: Int64
        /// The time of its last change (ctime), which no writer can set back and a rename sets, too; `nil` where that
        /// is not looked at.
        var changed: Int64?

        init(modified: Int64, size: Int64, changed: Int64? = nil) {
            (self.modified, self.size, self.changed) = (modified, size, changed)
        }

        init(_ status: stat) { self.init(modified: status.modifiedNanoseconds, size: Int64(status.st_size)) }

        init(beforeRename status: stat) {
            self.init(status)
            changed = status.changedNanoseconds
        }

        /// - Parameter isRenamed: whether we have renamed it since, or set its permissions.
        func isStill(_ status: stat, isRenamed: Bool) -> Bool {
            modified == status.modifiedNanoseconds && size == Int64(status.st_size)
                && (isRenamed || changed.map { $0 == status.changedNanoseconds } ?? true)
        }
    }
}

/// Files and folders as a plan tells them. An inode number alone says little: file systems give it to another file at
/// once.
struct ToldFiles {
    /// By inode. Empty in plans of earlier versions, which do not tell.
    let stamps: [UInt64: ChangeList.Stamp]

    /// Whether what has this name, and all that lies in it, was told and is as it was. What is gone from a folder is no
    /// loss.
    ///
    /// - Parameter isRenamed: whether we have renamed it since. What lies in it keeps the time of its last change.
    func isStill(_ name: String, in folder: borrowing OpenFolder, isRenamed: Bool) -> Bool {
        guard !stamps.isEmpty else { return true }
        var entries = Limits.rehearsedEntries
        // What cannot be looked at was not told.
        guard let status = try? folder.status(of: name) else { return false }
        return (try? isStill(status, name, in: folder, isRenamed, &entries)) ?? false
    }

    private func isStill(
        _ status: stat, _ name: String, in folder: borrowing OpenFolder, _ isRenamed: Bool, _ entries: inout Int
    ) throws(Failure) -> Bool {
        entries -= 1
        guard entries >= 0, let stamp = stamps[status.inode] else { return false }
        switch status.kind {
        case .file, .link: return stamp.isStill(status, isRenamed: isRenamed)
        case .special: return true
        case .folder:
            let inner = try folder.folder(name)
            for each in try inner.names() {
                guard let status = try inner.status(of: each) else { continue }
                guard try isStill(status, each, in: inner, false, &entries) else { return false }
            }
            return true
        }
    }
}

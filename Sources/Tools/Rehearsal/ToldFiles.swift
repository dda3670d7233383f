import Glibc
import Vocabulary

extension ChangeList {
    /// The attributes of a file that change with each write.
    struct Stamp: Hashable {
        /// The time of the last change of the content, in nanoseconds since 1970.
        var modified: Int64
        var size: Int64
        /// The time of the last change of the inode (ctime), in nanoseconds since 1970. No program can set it back, and
        /// a rename updates it. It is `nil` if it is not compared.
        var changed: Int64?

        init(modified: Int64, size: Int64, changed: Int64? = nil) {
            (self.modified, self.size, self.changed) = (modified, size, changed)
        }

        init(_ status: stat) { self.init(modified: status.modifiedNanoseconds, size: Int64(status.st_size)) }

        init(beforeRename status: stat) {
            self.init(status)
            changed = status.changedNanoseconds
        }

        /// Whether a file still has this stamp.
        ///
        /// - Parameter isRenamed: whether Assent has renamed it since, or set its permissions. The ctime is not
        ///   compared then.
        func isStill(_ status: stat, isRenamed: Bool) -> Bool {
            modified == status.modifiedNanoseconds && size == Int64(status.st_size)
                && (isRenamed || changed.map { $0 == status.changedNanoseconds } ?? true)
        }
    }
}

/// The stamps of the files and folders in a plan. An inode number alone is not enough, since file systems reuse it at
/// once.
struct ToldFiles {
    /// The stamps by inode. They are empty in plans of earlier versions.
    let stamps: [UInt64: ChangeList.Stamp]

    /// Whether the entry and everything below it has a stamp and is unchanged. Entries that were deleted meanwhile are
    /// ignored. Without any stamps, the result is true.
    ///
    /// - Parameter isRenamed: whether Assent has renamed the entry since. The ctime of entries below it is compared in
    ///   any case.
    func isStill(_ name: String, in folder: borrowing OpenFolder, isRenamed: Bool) -> Bool {
        guard !stamps.isEmpty else { return true }
        var entries = Limits.rehearsedEntries
        // An entry that cannot be read counts as changed.
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

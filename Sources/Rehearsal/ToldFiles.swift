import Files
import Glibc
import Undo
import Vocabulary

/// The stamps of the files and folders in a plan. An inode number alone is not enough, since file systems reuse it at
/// once.
struct ToldFiles {
    /// The stamps by inode. They are empty in plans of earlier versions.
    let stamps: [UInt64: FileStamp]

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

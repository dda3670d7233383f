import CProcess
import Files
import Glibc
import Undo
import Vocabulary

/// A folder that a tool makes in the workspace. It is filled under a hidden name, and gets its own when it is complete,
/// so that after a crash it is there whole or not at all.
struct NewFolder {
    /// A maker of the content.
    protocol Filling: ~Copyable {
        /// The permissions of the folder until it is filled, less the umask.
        var mode: mode_t { get }

        /// Fills the empty folder, and gives it its permissions.
        ///
        /// - Returns: the paths below the folder, each with its state.
        mutating func fill(_ made: borrowing OpenFolder) throws(Failure) -> [(path: String, state: FileState)]

        /// Gives the new folder what the empty one has that it replaces.
        func takeAfter(_ old: borrowing FolderEntry, _ made: borrowing OpenFolder) throws(Failure)
    }

    let context: Builtin.Context

    /// Makes the folder, with those above it that are missing, and records all of it for undo.
    ///
    /// - Parameter before: the approved state of the path: `absent`, or that of an empty folder.
    /// - Throws: `targetChanged` if something else is there now.
    func make(at path: String, _ before: Call.Before, _ filling: inout some Filling & ~Copyable) throws(Failure) {
        let files = try context.files()
        let recording = try ChangeRecording(context)
        let folders = try recording.beginFolders(for: path, files)
        do throws(Failure) {
            let entry = try files.entry(path, isMaking: true)
            try make(entry, before, &filling, recording, folders)
            try entry.folder.sync()
            recording.end()
        } catch {
            recording.stopped(folders)
            throw error
        }
    }

    private func make(
        _ entry: borrowing FolderEntry, _ before: Call.Before, _ filling: inout some Filling & ~Copyable,
        _ recording: ChangeRecording, _ folders: [FileChange]
    ) throws(Failure) {
        let (path, place, hidden) = (entry.path, entry.folder.descriptor, NewFile.hiddenName())
        guard mkdirat(place, hidden, filling.mode) == 0 else { throw fileFailure("make", path) }
        do throws(Failure) {
            let made = try entry.folder.folder(hidden)
            let status = try made.file.status()
            try RunFolder(context.assignment.runFolder).write(
                FileIntent(
                    path: path, device: UInt64(status.st_dev), inode: status.inode, hidden: sibling(of: path, hidden),
                    before: before))
            let filled = try filling.fill(made)
            guard try entry.isStill(before) else { throw targetChanged(path) }
            if before != .absent { try filling.takeAfter(entry, made) }
            let whole = OpenFile(adopting: try made.open(".", O_RDONLY | O_DIRECTORY))
            guard cfiles_sync_all(whole.descriptor) == 0 else { throw fileFailure("write", "the disk") }
            let old = try entry.status().map { FileState.folder(mode: $0.permissions) } ?? .absent
            let new = FileChange(path, from: old, to: .folder(mode: try made.file.status().permissions))
            try recording.begin(
                folders + [new] + filled.map { FileChange(path.child($0.path), from: .absent, to: $0.state) })
            // Only an empty folder can be replaced like this.
            let result =
                before == .absent
                ? cfiles_rename_new(place, hidden, place, entry.name) : renameat(place, hidden, place, entry.name)
            guard result == 0 else {
                throw [EEXIST, ENOTEMPTY, ENOTDIR].contains(errno) ? targetChanged(path) : fileFailure("make", path)
            }
        } catch {
            // It may already be one in which nothing can be removed.
            fchmodat(place, hidden, 0o700, 0)
            removeFolder(hidden, in: entry.folder)
            throw error
        }
    }
}

import CProcess
import Glibc
import Vocabulary

/// A file that has no name until it is whole: a process that is killed while it writes leaves nothing behind in the person's folder.
/// On a file system without such files it has a hidden name meanwhile.
struct NewFile: ~Copyable {
    let file: OpenFile
    let folder: OpenFolder
    /// The name it goes by, where it needs one.
    private var hidden: String?

    init(in folder: borrowing OpenFolder) throws(Failure) {
        let own = try folder.folder("")
        let unnamed = cfiles_open_unnamed(own.descriptor, 0o666)
        if unnamed >= 0 {
            file = OpenFile(adopting: unnamed)
        } else {
            let name = Self.hiddenName()
            file = OpenFile(adopting: try own.open(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666))
            hidden = name
        }
        self.folder = own
    }

    deinit { if let hidden { unlinkat(folder.descriptor, hidden, 0) } }

    /// What the file is, for the note that is written before it gets its name.
    func intent(to path: String) throws(Failure) -> Intent {
        let status = try file.status()
        return Intent(path: path, device: UInt64(status.st_dev), inode: status.inode)
    }

    /// Gives it a name in its folder that nobody has.
    /// - Returns: whether the name was free.
    mutating func name(_ name: String) throws(Failure) -> Bool {
        let place = folder.descriptor
        let result = hidden.map { cfiles_rename_new(place, $0, place, name) } ?? cfiles_name(file.descriptor, place, name)
        if result == 0 {
            hidden = nil
            return true
        }
        guard errno == EEXIST else { throw fileFailure("write", name) }
        return false
    }

    /// Changes places with what has this name, which must still be what was looked at.
    ///
    /// - Throws: `targetChanged`: what somebody saved meanwhile has its name back.
    mutating func replace(_ entry: borrowing FolderEntry, _ before: Call.Before) throws(Failure) {
        let place = folder.descriptor
        let name = hidden ?? Self.hiddenName()
        if hidden == nil {
            guard cfiles_name(file.descriptor, place, name) == 0 else { throw fileFailure("write", entry.name) }
            hidden = name
        }
        guard cfiles_exchange(place, name, place, entry.name) == 0 else {
            if errno == ENOENT { throw targetChanged(entry.path) }
            // A file system that exchanges nothing.
            guard errno == EINVAL || errno == ENOSYS else { throw fileFailure("write", entry.name) }
            guard renameat(place, name, place, entry.name) == 0 else { throw fileFailure("write", entry.name) }
            hidden = nil
            return
        }
        // From here on what was replaced has the hidden name, and `deinit` takes it away.
        guard before.isStill(try folder.status(of: name)) else {
            _ = cfiles_exchange(place, name, place, entry.name)
            throw targetChanged(entry.path)
        }
    }

    static func hiddenName() -> String { ".assent-\(getpid())-\(UInt32.random(in: 0 ... .max)).part" }
}

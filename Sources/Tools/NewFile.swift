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

    /// Puts it in the place of what has this name.
    mutating func replace(_ name: String) throws(Failure) {
        if hidden == nil {
            let new = Self.hiddenName()
            guard cfiles_name(file.descriptor, folder.descriptor, new) == 0 else { throw fileFailure("write", name) }
            hidden = new
        }
        guard renameat(folder.descriptor, hidden!, folder.descriptor, name) == 0 else { throw fileFailure("write", name) }
        hidden = nil
    }

    private static func hiddenName() -> String { ".assent-\(getpid())-\(UInt32.random(in: 0 ... .max)).part" }
}

import CProcess
import Glibc
import Vocabulary

/// A file that has no name until it is whole: a process that is killed while it writes leaves nothing behind in the person's folder.
/// On a file system without such files it has a hidden name meanwhile.
struct NewFile: ~Copyable {
    let file: OpenFile
    private let folder: String
    /// The name it goes by, where it needs one.
    private var hidden: String?

    init(in folder: String) throws(Failure) {
        self.folder = folder
        let unnamed = cprocess_open_unnamed(folder, 0o666)
        if unnamed >= 0 {
            file = OpenFile(adopting: unnamed)
        } else {
            let name = Self.hiddenName(in: folder)
            file = try OpenFile(name, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            hidden = name
        }
    }

    deinit { if let hidden { unlink(hidden) } }

    /// What the file is, for the note that is written before it gets its name.
    func intent(to path: String) throws(Failure) -> Intent {
        let status = try file.status()
        return Intent(path: path, device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Gives it a name that nobody has.
    /// - Returns: whether the name was free.
    mutating func name(_ path: String) throws(Failure) -> Bool {
        let result = hidden.map { cprocess_rename_new($0, path) } ?? cprocess_name(file.descriptor, path)
        if result == 0 {
            hidden = nil
            return true
        }
        guard errno == EEXIST else { throw fileFailure("write", path) }
        return false
    }

    /// Puts it in the place of what has this name.
    mutating func replace(_ path: String) throws(Failure) {
        if hidden == nil {
            let name = Self.hiddenName(in: folder)
            guard cprocess_name(file.descriptor, name) == 0 else { throw fileFailure("write", path) }
            hidden = name
        }
        guard rename(hidden!, path) == 0 else { throw fileFailure("write", path) }
        hidden = nil
    }

    private static func hiddenName(in folder: String) -> String {
        "\(folder)/.assent-\(getpid())-\(UInt32.random(in: 0 ... .max)).part"
    }
}

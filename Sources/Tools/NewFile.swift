import CProcess
import Glibc
import Vocabulary

/// A file that has no name until it is whole: a process that is killed while it writes leaves nothing behind in the
/// person's folder. On a file system without such files it has a hidden name meanwhile.
struct NewFile: ~Copyable {
    let file: OpenFile
    let folder: OpenFolder
    /// The name it goes by where it needs one; afterwards that of what it replaced, until that goes.
    private let hidden: String
    private(set) var isHidden: Bool

    init(in place: borrowing OpenFolder) throws(Failure) {
        let own = try place.folder("")
        let hidden = Self.hiddenName()
        let unnamed = cfiles_open_unnamed(own.descriptor, 0o666)
        let opened = unnamed >= 0 ? unnamed : try own.open(hidden, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        (self.hidden, isHidden) = (hidden, unnamed < 0)
        file = OpenFile(adopting: opened)
        folder = own
    }

    deinit { if isHidden { unlinkat(folder.descriptor, hidden, 0) } }

    /// Removes the hidden name, if there is one, before the file itself goes: a folder with a hidden name in it cannot
    /// be removed.
    mutating func removeHidden() {
        if isHidden { unlinkat(folder.descriptor, hidden, 0) }
        isHidden = false
    }

    /// What the file is, for the note that is written before it gets its name.
    ///
    /// - Parameter before: what it will replace.
    func intent(to path: String, replacing before: Call.Before = .absent, from source: String? = nil) throws(Failure)
        -> Intent
    {
        let status = try file.status()
        return Intent(
            path: path, device: UInt64(status.st_dev), inode: status.inode, hidden: sibling(of: source ?? path, hidden),
            before: before,
            source: source)
    }

    /// The note for the time in which it is filled, where it has a hidden name then.
    func intent(inFolder path: String) throws(Failure) -> Intent {
        try intent(to: sibling(of: "\(path)/\(hidden)", hidden))
    }

    /// Returns the state of the file as undo records it.
    func state(_ hash: ContentHash) throws(Failure) -> FileState { FileState(try file.status(), hash: hash) }

    /// What is in it, told by its number, size and time.
    func stamp() throws(Failure) -> [UInt64: ChangeList.Stamp] {
        let status = try file.status()
        return [status.inode: ChangeList.Stamp(status)]
    }

    /// Takes over to whom another file belongs, who may use it, and what else is noted of it.
    ///
    /// - Parameter path: for words.
    /// - Throws: `ownerWouldChange`, `attributeLost`.
    func takeAfter(_ other: borrowing OpenFile, _ path: String) throws(Failure) {
        let (was, now) = (try other.status(), try file.status())
        if was.st_uid != now.st_uid || was.st_gid != now.st_gid {
            guard fchown(file.descriptor, was.st_uid, was.st_gid) == 0 else {
                throw Failure(
                    "ownerWouldChange", "\(path) would belong to somebody else: its owner or its group cannot be kept.",
                    remedy: "Nothing was changed. Write it under another name.")
            }
        }
        // A list from the folder may let in others.
        _ = cfiles_remove_attribute(file.descriptor, Self.accessList)
        fchmod(file.descriptor, was.st_mode & 0o777)
        // Those of the system are its own to give (`security.`), or come with the content.
        for attribute in try other.attributes()
        where attribute.name.hasPrefix("user.") || attribute.name == Self.accessList {
            let result = attribute.value.withUnsafeBytes {
                cfiles_set_attribute(file.descriptor, attribute.name, $0.baseAddress, $0.count)
            }
            guard result == 0 else {
                throw Failure(
                    "attributeLost",
                    "\(path) would lose what is noted of it: its attribute \(attribute.name) cannot be kept.",
                    remedy: "Nothing was changed. Write it under another name.")
            }
        }
    }

    private static let accessList = "system.posix_acl_access"

    /// Gives it a name in its folder that nobody has.
    /// - Returns: whether the name was free.
    mutating func name(_ name: String) throws(Failure) -> Bool {
        let place = folder.descriptor
        let result =
            isHidden ? cfiles_rename_new(place, hidden, place, name) : cfiles_name(file.descriptor, place, name)
        if result == 0 {
            isHidden = false
            return true
        }
        guard errno == EEXIST else { throw fileFailure("write", name) }
        return false
    }

    /// Changes places with what has this name, which must still be what was looked at. It is noted before (`intent`).
    ///
    /// - Throws: `targetChanged`: what somebody saved meanwhile has its name back.
    mutating func replace(_ entry: borrowing FolderEntry, _ before: Call.Before) throws(Failure) {
        let place = folder.descriptor
        if !isHidden {
            guard cfiles_name(file.descriptor, place, hidden) == 0 else { throw fileFailure("write", entry.name) }
            isHidden = true
        }
        guard cfiles_exchange(place, hidden, place, entry.name) == 0 else {
            if errno == ENOENT { throw targetChanged(entry.path) }
            // A file system that exchanges nothing.
            guard errno == EINVAL || errno == ENOSYS else { throw fileFailure("write", entry.name) }
            guard renameat(place, hidden, place, entry.name) == 0 else { throw fileFailure("write", entry.name) }
            isHidden = false
            return
        }
        // From here on what was replaced has the hidden name, and `deinit` takes it away.
        guard before.isStill(try folder.status(of: hidden)) else {
            _ = cfiles_exchange(place, hidden, place, entry.name)
            throw targetChanged(entry.path)
        }
    }

    static func hiddenName() -> String { ".assent-\(getpid())-\(UInt32.random(in: 0 ... .max)).part" }
}

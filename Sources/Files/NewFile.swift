import CProcess
import Glibc
package import Vocabulary

/// A file without a name until it is complete, so that a killed process leaves no partial file in the user's folder. A
/// file system without such files gets a hidden name instead.
package struct NewFile: ~Copyable {
    package let file: OpenFile
    package let folder: OpenFolder
    /// The hidden name of the file if it needs one. After `replace`, the replaced file has this name until it is
    /// deleted.
    private let hidden: String
    package private(set) var isHidden: Bool

    package init(in place: borrowing OpenFolder) throws(Failure) {
        let own = try place.folder("")
        let hidden = Self.hiddenName()
        let unnamed = cfiles_open_unnamed(own.descriptor, 0o666)
        let opened = unnamed >= 0 ? unnamed : try own.open(hidden, O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
        (self.hidden, isHidden) = (hidden, unnamed < 0)
        file = OpenFile(adopting: opened)
        folder = own
    }

    deinit { if isHidden { unlinkat(folder.descriptor, hidden, 0) } }

    /// Removes the hidden name, if there is one. Without this, the folder of the file could not be removed.
    package mutating func removeHidden() {
        if isHidden { unlinkat(folder.descriptor, hidden, 0) }
        isHidden = false
    }

    /// Returns a description of the file, to be stored before the file gets its name.
    ///
    /// - Parameters:
    ///   - before: the entry that the file will replace.
    ///   - source: the path of a file that is moved, or `nil`.
    package func intent(to path: String, replacing before: Call.Before = .absent, from source: String? = nil)
        throws(Failure)
        -> FileIntent
    {
        let status = try file.status()
        return FileIntent(
            path: path, device: UInt64(status.st_dev), inode: status.inode, hidden: sibling(of: source ?? path, hidden),
            before: before,
            source: source)
    }

    /// Returns a description of the file while it is written, to be stored if the file has a hidden name.
    package func intent(inFolder path: String) throws(Failure) -> FileIntent {
        try intent(to: sibling(of: "\(path)/\(hidden)", hidden))
    }

    /// Returns the state of the file as undo records it.
    package func state(_ hash: ContentHash) throws(Failure) -> FileState { try FileState(of: file, hash: hash) }

    /// Returns the stamp of the file (size and time), by its inode.
    package func stamp() throws(Failure) -> [UInt64: FileStamp] {
        let status = try file.status()
        return [status.inode: FileStamp(status)]
    }

    /// Copies owner, permissions and extended attributes of another file.
    ///
    /// - Parameter path: the path for messages.
    /// - Throws: `ownerWouldChange`, `attributeLost`.
    package func takeAfter(_ other: borrowing OpenFile, _ path: String) throws(Failure) {
        let (was, now) = (try other.status(), try file.status())
        if was.st_uid != now.st_uid || was.st_gid != now.st_gid {
            guard fchown(file.descriptor, was.st_uid, was.st_gid) == 0 else {
                throw Failure(
                    .ownerWouldChange, "\(path) would belong to somebody else: its owner or its group cannot be kept.")
            }
        }
        // The folder's default access list may admit other users.
        _ = cfiles_remove_attribute(file.descriptor, Self.accessList)
        fchmod(file.descriptor, was.st_mode & 0o777)
        // Attributes of `security.` belong to the system, and others come with the content.
        for attribute in try other.attributes()
        where attribute.name.hasPrefix("user.") || attribute.name == Self.accessList {
            let result = attribute.value.withUnsafeBytes {
                cfiles_set_attribute(file.descriptor, attribute.name, $0.baseAddress, $0.count)
            }
            guard result == 0 else {
                throw Failure(
                    .attributeLost,
                    "\(path) would lose what is noted of it: its attribute \(attribute.name) cannot be kept.")
            }
        }
    }

    private static let accessList = "system.posix_acl_access"

    /// Gives the file a name in its folder.
    ///
    /// - Returns: whether the name was free.
    package mutating func name(_ name: String) throws(Failure) -> Bool {
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

    /// Replaces the file with this name, which must be unchanged since it was looked at. The caller stores an `intent`
    /// first.
    ///
    /// - Throws: `targetChanged` if another process changed the file. It then keeps its name.
    package mutating func replace(_ entry: borrowing FolderEntry, _ before: Call.Before) throws(Failure) {
        let place = folder.descriptor
        if !isHidden {
            guard cfiles_name(file.descriptor, place, hidden) == 0 else { throw fileFailure("write", entry.name) }
            isHidden = true
        }
        guard cfiles_exchange(place, hidden, place, entry.name) == 0 else {
            if errno == ENOENT { throw targetChanged(entry.path) }
            // The file system does not support an exchange.
            guard errno == EINVAL || errno == ENOSYS else { throw fileFailure("write", entry.name) }
            guard renameat(place, hidden, place, entry.name) == 0 else { throw fileFailure("write", entry.name) }
            isHidden = false
            return
        }
        // From here on, the replaced file has the hidden name, and `deinit` deletes it.
        guard before.isStill(try folder.status(of: hidden)) else {
            _ = cfiles_exchange(place, hidden, place, entry.name)
            throw targetChanged(entry.path)
        }
    }

    package static func hiddenName() -> String { ".assent-\(getpid())-\(UInt32.random(in: 0 ... .max)).part" }
}

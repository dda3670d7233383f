import CProcess
import Glibc

/// The permission to create, move and delete entries in read-only folders, and to move such folders. The kernel refuses
/// both to all users but root.
package enum LockedFolders {
    /// Runs a system call, and if it is not permitted, runs it again with writable folders. The folders get their
    /// permissions back.
    ///
    /// - Parameters:
    ///   - folders: descriptors of the folders in which names are created or deleted.
    ///   - name: the name that moves, which may be a folder itself.
    /// - Returns: the result of the call, with its `errno`.
    package static func unlocking(_ folders: [Int32], _ name: String, _ call: () -> Int32) -> Int32 {
        let result = call()
        guard result != 0, errno == EACCES || errno == EPERM, geteuid() != 0 else { return result }
        let moved = folders.map { openat($0, name, cfiles_place_only() | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) }.filter
        { $0 >= 0 }
        defer { for descriptor in moved { close(descriptor) } }
        let locked = (folders + moved).compactMap { descriptor in unlock(descriptor).map { (descriptor, $0) } }
        let again = call()
        let number = errno
        for (descriptor, mode) in locked.reversed() { set(mode, descriptor) }
        errno = number
        return again
    }

    /// Makes a folder writable for its owner.
    ///
    /// - Returns: its old permissions, or `nil` if nothing was changed.
    private static func unlock(_ descriptor: Int32) -> mode_t? {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.kind == .folder, status.st_uid == geteuid(),
            status.st_mode & 0o300 != 0o300
        else {
            return nil
        }
        let mode = status.st_mode & 0o7777
        return set(mode | 0o300, descriptor) ? mode : nil
    }

    /// Sets the permissions of a folder. A descriptor opened with `O_PATH` supports no fchmod.
    @discardableResult
    package static func set(_ mode: UInt32, _ descriptor: Int32) -> Bool {
        chmod("/proc/self/fd/\(descriptor)", mode) == 0
    }
}

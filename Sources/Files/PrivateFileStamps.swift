import Glibc
import Vocabulary

extension Limits {
    /// The age at which a change is sure to have another time than a later one, in nanoseconds. File systems have
    /// ticks of some milliseconds.
    fileprivate static let settledNanoseconds: Int64 = 100_000_000
}

/// The state of everything on which a list of private files depends: a change of it changes a stamp. A new name changes
/// its folder, and a new content changes the file.
struct PrivateFileStamps: Hashable, Sendable {
    struct Stamp: Hashable, Sendable {
        let path: String
        let inode: UInt64
        /// The time of the last change of status, in nanoseconds since 1970.
        let changed: Int64

        init(path: String, inode: UInt64, changed: Int64) {
            (self.path, self.inode, self.changed) = (path, inode, changed)
        }

        init(_ path: String, _ status: stat) {
            self.init(
                path: path, inode: status.inode,
                changed: Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec))
        }

        /// Whether the file or folder is as it was.
        var holds: Bool {
            var status = stat()
            guard lstat(path, &status) == 0 else { return false }
            let now = Stamp(path, status)
            return now.inode == inode && now.changed == changed
        }
    }

    var stamps: [Stamp] = []

    mutating func note(folder path: String, _ status: stat) { stamps.append(Stamp(path, status)) }

    /// Notes a file whose content was looked at. A file that is missing is noticed by its folder.
    mutating func note(content path: String) {
        var status = stat()
        if lstat(path, &status) == 0 { stamps.append(Stamp(path, status)) }
    }

    /// Whether a later change would have another time than the newest one.
    var isSettled: Bool { nowNanoseconds() - (stamps.map(\.changed).max() ?? 0) > Limits.settledNanoseconds }

    /// Whether everything is as it was.
    var holds: Bool { stamps.allSatisfy(\.holds) }
}

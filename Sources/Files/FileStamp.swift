package import Glibc

/// The attributes of a file that change with each write.
package struct FileStamp: Hashable {
    /// The time of the last change of the content, in nanoseconds since 1970.
    package var modified: Int64
    package var size: Int64
    /// The time of the last change of the inode (ctime), in nanoseconds since 1970. No program can set it back, and
    /// a rename updates it. It is `nil` if it is not compared.
    package var changed: Int64?

    package init(modified: Int64, size: Int64, changed: Int64? = nil) {
        (self.modified, self.size, self.changed) = (modified, size, changed)
    }

    package init(_ status: stat) { self.init(modified: status.modifiedNanoseconds, size: Int64(status.st_size)) }

    package init(beforeRename status: stat) {
        self.init(status)
        changed = status.changedNanoseconds
    }

    /// Whether a file still has this stamp.
    ///
    /// - Parameter isRenamed: whether Assent has renamed it since, or set its permissions. The ctime is not
    ///   compared then.
    package func isStill(_ status: stat, isRenamed: Bool) -> Bool {
        modified == status.modifiedNanoseconds && size == Int64(status.st_size)
            && (isRenamed || changed.map { $0 == status.changedNanoseconds } ?? true)
    }
}

import Glibc

/// The file systems that a test can mount.
package enum Mounts {
    /// Whether a small file system can be mounted here, which needs the rights of root.
    package static let canMount: Bool = {
        guard geteuid() == 0, let scratch = try? ScratchFolder(),
            mount("tmpfs", scratch.path, "tmpfs", 0, "size=64k") == 0
        else {
            return false
        }
        umount2(scratch.path, Int32(MNT_DETACH))
        return true
    }()
}

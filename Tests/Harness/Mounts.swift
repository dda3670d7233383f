import Glibc

/// The file systems that a test can mount.
package enum Mounts {
    /// Whether a small file system can be mounted here: it takes a root of its own.
    package static let canMount = mounted { _ in } != nil

    private static func mounted<Value>(_ body: (String) -> Value) -> Value? {
        guard geteuid() == 0, let scratch = try? ScratchFolder(), mount("tmpfs", scratch.path, "tmpfs", 0, "size=64k") == 0 else {
            return nil
        }
        defer { umount2(scratch.path, Int32(MNT_DETACH)) }
        return body(scratch.path)
    }
}

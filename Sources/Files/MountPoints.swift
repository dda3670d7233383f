import CProcess
import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes that are read of the kernel's list of mounts.
    fileprivate static let mountListBytes = 4_000_000
}

/// The search for mount points and bind mounts below a folder. These files and folders exist elsewhere, too, so
/// commands do not see them.
package enum MountPoints {
    /// Returns the mount points below a folder, none of them below another.
    ///
    /// - Parameter folder: a real path. The list is empty for `/`, since the sandbox builds its own root.
    /// - Throws: `badName` if the name of a mount point is not UTF-8, since it could not be hidden.
    package static func below(_ folder: String) throws(Failure) -> PrivateFiles {
        guard folder != "/" else { return PrivateFiles() }
        let here = cfiles_mount(AT_FDCWD, folder)
        let prefix = Array("\(folder)/".utf8)
        var paths: [[UInt8]] = []
        for mount in try all() where mount.path.starts(with: prefix) && !paths.contains(mount.path) {
            paths.append(mount.path)
        }
        var found = PrivateFiles()
        for path in paths.sorted(by: { $0.count < $1.count }) {
            guard let name = String(validating: path, as: UTF8.self) else {
                throw Failure(
                    .badName, "A folder mounted below \(folder) has a name that is no text in UTF-8.",
                    remedy: "Unmount it.")
            }
            var status = stat()
            // A mount that another mount covers cannot be reached.
            guard !found.holds(name), lstat(name, &status) == 0, cfiles_mount(AT_FDCWD, name) != here else { continue }
            if status.kind == .folder { found.folders.append(name) } else { found.files.append(name) }
        }
        return found
    }

    /// Returns the mounts below a folder that show a part of this folder, or a folder above it, once more, each with the
    /// path of the same content on the folder's own mount.
    ///
    /// - Parameter folder: a real path. The list is empty for `/`.
    package static func bound(in folder: String) throws(Failure) -> [(mount: String, folder: String)] {
        guard folder != "/" else { return [] }
        let mounts = try all()
        let prefix = Array("\(folder)/".utf8)
        let below = mounts.filter { $0.path.starts(with: prefix) }
        // A later mount covers an earlier one at the same path.
        let own = mounts.filter { Self.rest(of: Array(folder.utf8), below: $0.path) != nil }
            .enumerated().max { ($0.element.path.count, $0.offset) < ($1.element.path.count, $1.offset) }?.element
        guard !below.isEmpty, let own, let rest = rest(of: Array(folder.utf8), below: own.path) else { return [] }
        let source = joined(own.root, rest)
        return below.compactMap { mount in
            guard mount.device == own.device else { return nil }
            let pair: (mount: [UInt8], folder: [UInt8])
            if let inside = Self.rest(of: mount.root, below: source) {
                pair = (mount.path, joined(Array(folder.utf8), inside))
            } else if let inside = Self.rest(of: source, below: mount.root) {
                pair = (joined(mount.path, inside), Array(folder.utf8))
            } else {
                return nil
            }
            return (String(decoding: pair.mount, as: UTF8.self), String(decoding: pair.folder, as: UTF8.self))
        }
    }

    /// A line of the kernel's list of mounts.
    private struct Mount {
        /// The device of the file system, such as `254:0`.
        let device: [UInt8]
        /// The path in the file system that is mounted.
        let root: [UInt8]
        /// The path at which it is mounted.
        let path: [UInt8]
    }

    private static func all() throws(Failure) -> [Mount] {
        let bytes = try OpenFile("/proc/self/mountinfo", O_RDONLY).read(Limits.mountListBytes)
        return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count > 4 else { return nil }
            return Mount(device: Array(fields[2]), root: unescaped(fields[3]), path: unescaped(fields[4]))
        }
    }

    /// Returns the part of a path below a folder, which is empty for the folder itself, or `nil` if it lies elsewhere.
    private static func rest(of path: [UInt8], below folder: [UInt8]) -> [UInt8]? {
        if path == folder { return [] }
        let prefix = folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]
        return path.starts(with: prefix) ? Array(path.dropFirst(prefix.count)) : nil
    }

    private static func joined(_ folder: [UInt8], _ rest: [UInt8]) -> [UInt8] {
        guard !rest.isEmpty else { return folder }
        return (folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")]) + rest
    }

    /// Decodes a path of `mountinfo`, in which spaces, tabs, line ends and backslashes are octal escapes such as
    /// `\040`.
    private static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
        var (bytes, rest) = ([UInt8](), field)
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return bytes
    }
}

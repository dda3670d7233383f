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
        let bytes = try OpenFile("/proc/self/mountinfo", O_RDONLY).read(Limits.mountListBytes)
        let prefix = Array("\(folder)/".utf8)
        var paths: [[UInt8]] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let fields = line.split(separator: UInt8(ascii: " "), maxSplits: 5)
            guard fields.count > 4 else { continue }
            let path = unescaped(fields[4])
            if path.starts(with: prefix), !paths.contains(path) { paths.append(path) }
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

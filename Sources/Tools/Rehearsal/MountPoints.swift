import CProcess
import Glibc
import Vocabulary

extension Limits {
    /// What the kernel says of all mounts of a machine.
    fileprivate static let mountListBytes = 4_000_000
}

/// What is mounted or bound below a folder: it is somewhere else, too, and no command sees it.
enum MountPoints {
    /// - Parameter folder: a real path. Below `/` is all of the machine, which the sandbox makes up by itself.
    /// - Returns: files and folders, none below another.
    /// - Throws: `badName` for one whose name is no text: it could not be hidden.
    static func below(_ folder: String) throws(Failure) -> PrivateFiles {
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
                    "badName", "A folder mounted below \(folder) has a name that is no text in UTF-8.",
                    remedy: "Unmount it.")
            }
            var status = stat()
            // One that another mount covers is not there.
            guard !found.holds(name), lstat(name, &status) == 0, cfiles_mount(AT_FDCWD, name) != here else { continue }
            if status.kind == .folder { found.folders.append(name) } else { found.files.append(name) }
        }
        return found
    }

    /// Spaces, tabs, line ends and backslashes stand there as `\040`.
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

import Glibc

/// A folder of its own under the system's temporary folder; gone, with all that is in it, with its last reference.
package final class ScratchFolder: Sendable {
    /// The real path.
    package let path: String

    package init() throws {
        let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(base)/assent-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let real = realpath(template, nil) else {
            throw ScriptFailure("no scratch folder (errno \(errno))")
        }
        defer { free(real) }
        path = String(cString: real)
    }

    deinit { Self.remove(path) }

    /// The names in a folder, sorted.
    package static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Paths of all that is no folder, under `folder`.
    package static func files(under folder: String) -> [String] {
        names(in: folder).flatMap { name -> [String] in
            let path = "\(folder)/\(name)"
            return isFolder(path) ? files(under: path) : [path]
        }
    }

    package static func bytes(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    package static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        // Closed in every child that another test starts meanwhile: one that holds it would keep its room on the disk.
        guard let file = fopen(path, "we") else { throw ScriptFailure("\(path) cannot be written (errno \(errno))") }
        defer { fclose(file) }
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw ScriptFailure("\(path) cannot be written (errno \(errno))") }
    }

    package static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// With the folders above it, as far as they are not there.
    package static func makeFolder(_ path: String) throws {
        guard mkdir(path, 0o700) != 0, errno != EEXIST else { return }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw ScriptFailure("\(path) cannot be made (errno \(errno))")
        }
        try makeFolder(String(path[..<slash]))
        try makeFolder(path)
    }

    package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// With all that is in it.
    package static func remove(_ path: String) {
        if isFolder(path) {
            chmod(path, 0o700)
            for name in names(in: path) { remove("\(path)/\(name)") }
            rmdir(path)
        } else {
            unlink(path)
        }
    }
}

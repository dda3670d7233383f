import Glibc
import Synchronization

/// A temporary folder under `TMPDIR`. It is deleted with its last reference, or when this process ends by itself.
package final class ScratchFolder: Sendable {
    /// The real path.
    package let path: String

    /// Creates a temporary folder.
    ///
    /// - Parameter isInMemory: whether the folder lies in memory, if the machine has a place for that.
    package init(isInMemory: Bool = false) throws {
        var template = Array("\(isInMemory ? Self.memory : Self.disk)/assent-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil, let real = realpath(template, nil) else {
            throw ScriptFailure("no scratch folder (errno \(errno))")
        }
        defer { free(real) }
        path = String(cString: real)
        Self.left.add(path)
    }

    deinit {
        Self.remove(path)
        Self.left.take(path)
    }

    /// Kills all processes that run in this folder or name it, since they would write there after the test.
    package func endProcesses() {
        while case let ids = ProcessTable.ids(with: path), !ids.isEmpty {
            for id in ids { kill(id, SIGKILL) }
            usleep(1000)
        }
    }

    /// Removes files and empty folders whose names are not valid UTF-8.
    private static func removeNoText(in path: String) {
        guard let folder = opendir(path) else { return }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            withUnsafePointer(to: &entry.pointee.d_name.0) { name in
                guard String(validatingCString: name) == nil else { return }
                if unlinkat(dirfd(folder), name, 0) != 0 { unlinkat(dirfd(folder), name, AT_REMOVEDIR) }
            }
        }
    }

    /// Creates a folder inside this one and returns its path, for tests that need several.
    package func folder() throws -> String {
        var template = Array("\(path)/XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ScriptFailure("no scratch folder in \(path) (errno \(errno))") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static var disk: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }
    private static let memory =
        getenv("ASSENT_TEST_MEMORY").map { String(cString: $0) } ?? (access("/dev/shm", W_OK) == 0 ? "/dev/shm" : disk)

    /// The free room of the file system in memory, in bytes.
    package static var freeMemory: UInt64 {
        var status = statvfs()
        return statvfs(memory, &status) == 0 ? UInt64(status.f_bavail) * UInt64(status.f_frsize) : 0
    }

    /// Some are held by threads that stand still for ever, as those of an engine do that was "killed".
    private static let left = Left()

    private final class Left: Sendable {
        private let paths = Mutex<Set<String>>([])

        init() { atexit { ScratchFolder.left.removeAll() } }

        func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }
        func take(_ path: String) { paths.withLock { _ = $0.remove(path) } }
        func removeAll() { for path in paths.withLock({ $0 }) { ScratchFolder.remove(path) } }
    }

    /// Returns the names in a folder, sorted.
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

    /// Returns the paths of all files below a folder.
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
        guard fwrite(bytes, 1, bytes.count, file) == bytes.count else {
            throw ScriptFailure("\(path) cannot be written (errno \(errno))")
        }
    }

    package static func write(_ text: String, to path: String) throws { try write(Array(text.utf8), to: path) }

    /// Creates a folder, and the folders above it that are missing.
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

    /// Removes a file, or a folder with its contents. It tries again if another process adds files meanwhile.
    package static func remove(_ path: String) {
        guard isFolder(path) else { return _ = unlink(path) }
        chmod(path, 0o700)
        for _ in 0..<1000 {
            for name in names(in: path) { remove("\(path)/\(name)") }
            removeNoText(in: path)
            guard rmdir(path) != 0, errno == ENOTEMPTY else { return }
            usleep(1000)
        }
    }
}

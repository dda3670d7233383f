import Glibc

/// The repository as it lies on disk, read from where this file was compiled.
enum House {
    static let top = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(
        separator: "/")

    /// Paths from the top of the repository of all files under a folder, sorted; what begins with a dot is left out.
    static func files(under folder: String) -> [String] {
        guard let directory = opendir("\(top)/\(folder)") else { return [] }
        defer { closedir(directory) }
        var paths: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = "\(folder)/\(name)"
            var status = stat()
            guard stat("\(top)/\(path)", &status) == 0 else { continue }
            paths += status.st_mode & S_IFMT == S_IFDIR ? files(under: path) : [path]
        }
        return paths.sorted()
    }

    /// Returns whether a file or folder exists at a path from the top of the repository.
    static func exists(_ path: String) -> Bool { access("\(top)/\(path)", F_OK) == 0 }

    static func bytes(at path: String) -> [UInt8]? {
        guard let file = fopen("\(top)/\(path)", "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }

    static func lines(of path: String) -> [Substring] {
        String(decoding: bytes(at: path) ?? [], as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    }

    static let swiftFiles = ["Sources", "Tests"].flatMap { files(under: $0) }.filter { $0.hasSuffix(".swift") }
}

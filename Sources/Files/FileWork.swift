import CProcess
import Glibc
package import JSON
package import Vocabulary

/// Reads a whole file.
///
/// - Parameter limit: the most bytes.
/// - Throws: `tooLarge`, `notAFile`, or another failure of files.
package func readWhole(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    // A named pipe would wait for its writer for ever.
    try readWhole(OpenFile(path, O_RDONLY | O_NONBLOCK), path, limit: limit)
}

/// Reads a whole open file.
///
/// - Parameters:
///   - path: the path for messages.
///   - limit: the most bytes.
/// - Throws: `tooLarge`, `notAFile`, or another failure of files.
package func readWhole(_ file: borrowing OpenFile, _ path: String, limit: Int) throws(Failure) -> [UInt8] {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(.notAFile, "\(path) is not a file.") }
    guard status.st_size <= limit else {
        throw Failure(.tooLarge, "\(path) has \(status.st_size) bytes; at most \(limit) are read.")
    }
    return try file.read(Int(status.st_size))
}

/// Writes a file through a temporary one, so that a reader sees the old content or the whole new one, even if this
/// process is killed.
package func writeWhole(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600) throws(Failure) {
    let temporary = "\(path).\(getpid()).new"
    do {
        let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: mode)
        try file.write(bytes)
    }
    guard rename(temporary, path) == 0 else {
        let failure = fileFailure("write", path)
        unlink(temporary)
        throw failure
    }
}

/// Creates a folder and its parents. Existing ones are left as they are.
package func makeFolders(_ path: String, mode: UInt32 = 0o700) throws(Failure) {
    if mkdir(path, mode) == 0 { return }
    switch errno {
    case EEXIST:
        guard isFolder(path) else { throw Failure(.fileFailed, "\(path) is in the way: it is not a folder.") }
    case ENOENT:
        guard path != "/", !path.isEmpty else { throw fileFailure("make", path) }
        try makeFolders(parent(of: path), mode: mode)
        guard mkdir(path, mode) == 0 || errno == EEXIST else { throw fileFailure("make", path) }
    default: throw fileFailure("make", path)
    }
}

/// The folder for temporary files: `TMPDIR` if it is an absolute path, else `/tmp`.
package var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
}

package func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Returns the names in a folder, sorted by their bytes, without `.` and `..`. Names that are not UTF-8 are left out,
/// since Assent cannot write their paths.
package func namesIn(_ folder: String) throws(Failure) -> [String] { try OpenFolder(following: folder).namesInText() }

package func syncFolder(_ path: String) throws(Failure) {
    try OpenFile(path, O_RDONLY | O_DIRECTORY).sync()
}

/// Returns a path in which the home folder replaces `~`, as in a shell.
package func withHome(_ typed: String) -> String {
    guard typed.hasPrefix("~/"), let home = getenv("HOME") else { return typed }
    return String(cString: home) + typed.dropFirst()
}

package func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
}

/// Returns the folder of a path that lies below another folder. It is empty for a name alone.
package func relativeParent(of path: String) -> String { path.pathNames.dropLast().joined(separator: "/") }

package func lastName(of path: String) -> String {
    path.utf8.split(separator: UInt8(ascii: "/")).last.map { String(Substring($0)) } ?? path
}

/// Returns the two parts of a name: `cat.jpg` → (`cat`, `.jpg`), `cat.tar.gz` → (`cat`, `.tar.gz`). A name that begins
/// with its only dot has no suffix.
package func stemAndSuffix(_ name: String) -> (stem: String, suffix: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex,
        2...12 ~= name[dot...].utf8.count
    else {
        return (name, "")
    }
    let (stem, suffix) = (String(name[..<dot]), String(name[dot...]))
    // A file that was packed twice has two endings: "files.tar.gz".
    return stem.count > 4 && stem.hasSuffix(".tar") ? (String(stem.dropLast(4)), ".tar" + suffix) : (stem, suffix)
}

/// Reads a JSON file. Returns `nil` if it does not exist or is incomplete.
package func readJSON(_ path: String) -> JSON? {
    guard let bytes = try? readWhole(path, limit: Limits.noteBytes) else { return nil }
    return try? JSONReader.read(bytes)
}

/// Returns the target of a link, or `nil` if the path is no link, or its target is not UTF-8.
package func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
    return count > 0 && count < buffer.count ? String(validating: buffer.prefix(count), as: UTF8.self) : nil
}

/// Returns the path of another name in the same folder.
package func sibling(of path: String, _ name: String) -> String { parent(of: path).child(name) }

/// Returns the failure of a call whose file is not as it was approved.
package func targetChanged(_ path: String) -> Failure {
    Failure(
        .targetChanged, "\(path) has changed since it was looked at.",
        remedy: "Look at the call again, and run it anew.")
}

/// Returns the time of the wall clock, in nanoseconds since 1970.
package func nowNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

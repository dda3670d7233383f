import Glibc
import Vocabulary

/// The end of a file that may be long.
enum EndOfFile {
    /// Returns the last bytes of a regular file as text, or nil if there are none. Before `Limits.jobLogTailBytes`, the
    /// text holds as many bytes as a key may have.
    static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: Limits.jobLogTailBytes + Limits.keyBlockBytes)
        let from = max(0, status.st_size - off_t(bytes.count))
        let count = pread(descriptor, &bytes, bytes.count, from)
        guard count > 0 else { return nil }
        return String(decoding: from > 0 ? bytes[..<count].withoutHalfWord : bytes[..<count], as: UTF8.self)
    }
}

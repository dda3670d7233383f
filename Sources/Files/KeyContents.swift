import Glibc
import JSON
import Synchronization
import Vocabulary

extension Limits {
    /// The bytes at each end of a file with a common name that are searched for the form of a key.
    fileprivate static let keySearchBytes = 64 << 10
    /// The most files with a common name that are read in one walk. Beyond that, such files count as files of keys.
    package static let keySearchFiles = 2000
    /// The most verdicts about contents that a process remembers.
    fileprivate static let keyVerdicts = 20_000
}

/// Looks into files with common names, such as `token.json`, for keys by form. A verdict is remembered by inode, size
/// and times.
enum KeyContents {
    private struct Identity: Hashable {
        let device, inode: UInt64
        let size: Int64
        let modified, changed: Int64
    }

    private static let known = Mutex<[Identity: Bool]>([:])
    private static let filter = KeyFilter(
        forms: (KeyConfiguration.shipped["forms"]?.array ?? []).compactMap { KeyForm($0) })

    /// Whether a file has the form of a key in its first or last 64 KB. A missing file has none, and a file that cannot
    /// be read counts as one with a key.
    static func holdsKey(_ path: String) -> Bool {
        var left = 1
        return holdsKey(path, left: &left)
    }

    /// Whether a file has the form of a key.
    ///
    /// - Parameter left: how many files may still be read. The number decreases if this one is.
    static func holdsKey(_ path: String, left: inout Int) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return errno != ENOENT && errno != ENOTDIR }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return true }
        guard status.kind == .file, status.st_size > 0 else { return false }
        let identity = Identity(
            device: UInt64(status.st_dev), inode: status.inode, size: Int64(status.st_size),
            modified: status.modifiedNanoseconds,
            changed: Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec))
        if let verdict = known.withLock({ $0[identity] }) { return verdict }
        guard left > 0 else { return true }
        left -= 1
        guard let text = ends(of: descriptor, size: Int(status.st_size)) else { return true }
        let verdict = hasForm(text)
        known.withLock { known in
            if known.count >= Limits.keyVerdicts { known = [:] }
            known[identity] = verdict
        }
        return verdict
    }

    /// Whether a text has the form of a key, be it certain or a guess by the words around it.
    static func hasForm(_ text: String) -> Bool { !filter.keys(in: text).isEmpty || WeakKeys.cut(text) != text }

    /// Returns the first and the last bytes of a file as a text, with signs in place of other bytes.
    private static func ends(of descriptor: Int32, size: Int) -> String? {
        let most = Limits.keySearchBytes
        guard let first = bytes(of: descriptor, from: 0, most) else { return nil }
        guard size > most, let last = bytes(of: descriptor, from: max(most, size - most), most) else {
            return size > most ? nil : String(decoding: first, as: UTF8.self)
        }
        return String(decoding: first, as: UTF8.self) + (size > 2 * most ? "\n" : "")
            + String(decoding: last, as: UTF8.self)
    }

    private static func bytes(of descriptor: Int32, from start: Int, _ most: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: most)
        var count = 0
        while count < most {
            let got = bytes.withUnsafeMutableBytes { room in
                room.baseAddress.map { pread(descriptor, $0 + count, most - count, off_t(start + count)) } ?? 0
            }
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { return nil }
            if got == 0 { break }
            count += got
        }
        return Array(bytes.prefix(count))
    }
}

import CaseNames
import Glibc
import Harness
import Storage
import Vocabulary

/// A database without rows, made once.
enum EmptyDatabase {
    static let bytes: [UInt8] = {
        guard let scratch = try? ScratchFolder(isInMemory: true) else { return [] }
        (try? Archive(folder: scratch.path))?.close()
        return ScratchFolder.bytes(scratch.path + "/assent.db") ?? []
    }()

    /// - Returns: a folder of its own with a copy, in memory where the machine has such a place.
    static func copy() throws -> ScratchFolder {
        let scratch = try ScratchFolder(isInMemory: true)
        let file = open(scratch.path + "/assent.db", O_WRONLY | O_CREAT, 0o600)
        defer { Glibc.close(file) }
        guard write(file, bytes, bytes.count) == bytes.count else {
            throw Failure("storageFull", "No room in \(scratch.path).")
        }
        return scratch
    }
}

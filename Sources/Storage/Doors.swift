import GRDB
import Glibc
import Synchronization
import Vocabulary

extension Limits {
    /// The bytes of the file that is allocated while there is space, and removed to make space on a full disk. The log
    /// of a large deletion fits in.
    package static let reserveBytes = 512 << 10

    /// The most bytes of a database that is copied into memory because it can only be read in a copy.
    fileprivate static let copiedDatabaseBytes = 256 << 20
}

/// The connections of one process: one that reads, and one that writes.
///
/// Opening a database for writing needs space on the disk, for the log's header and index. Reading needs none. So on a
/// full or read-only disk only the reader is opened, and the first write tries to open the writer again.
final class Doors: Sendable {
    /// The connection that writes, with the changes that it makes to the sums of checksums.
    struct Writer: Sendable {
        let queue: DatabaseQueue
        let tally: ChecksumTally
    }

    private struct Open {
        var reader: DatabaseQueue
        var writer: Writer?
        /// Whether the reader reads a copy of the database, made when it was opened.
        var isCopy = false
    }

    private let path: String
    private let open: Mutex<Open>

    /// Opens both connections, and brings the schema up to date. Call it under the writers' lock.
    init(_ path: String) throws {
        self.path = path
        let writer = try Self.writer(of: path)
        if try writer.queue.read({ try !Schema.migrator.hasCompletedMigrations($0) }) {
            try Schema.migrator.migrate(writer.queue)
        }
        open = Mutex(Open(reader: try Self.reader(of: path), writer: writer))
    }

    /// Opens both connections without the writers' lock. Returns nil if the database must be made, repaired or migrated
    /// first.
    init?(current path: String) {
        guard Self.size(of: path) > 0, let reader = try? Self.reader(of: path),
            (try? reader.read(Self.isCurrent)) == true,
            let writer = try? Self.writer(of: path)
        else { return nil }
        self.path = path
        open = Mutex(Open(reader: reader, writer: writer))
    }

    /// Opens the reader only. Call it under the writers' lock, so that no other process makes a checkpoint meanwhile.
    ///
    /// - Throws: an error if the schema is of another version, if the log must be read and its index cannot be made, or
    ///   if the database must be copied and is too large for that.
    init(lookingAt path: String) throws {
        self.path = path
        if let reader = try? Self.reader(of: path), (try? reader.read(Self.isCurrent)) == true {
            open = Mutex(Open(reader: reader))
            return
        }
        // Everything is in the one file. It is copied, since other processes may write to it as soon as there is space
        // again.
        guard Self.size(of: path + "-wal") == 0, Self.size(of: path) <= Limits.copiedDatabaseBytes else {
            throw DatabaseError(resultCode: .SQLITE_FULL)
        }
        let escaped = path.utf8.map { byte in
            ["%", "?", "#"].contains(UnicodeScalar(byte)) ? "%" + String(byte, radix: 16) : String(UnicodeScalar(byte))
        }
        let still = try DatabaseQueue(
            path: "file:\(escaped.joined())?immutable=1", configuration: Archive.configuration(readonly: true))
        defer { try? still.close() }
        let copy = try DatabaseQueue(configuration: Archive.configuration(inMemory: ()))
        try still.backup(to: copy)
        guard try copy.read(Self.isCurrent) else { throw DatabaseError(resultCode: .SQLITE_FULL) }
        open = Mutex(Open(reader: copy, isCopy: true))
    }

    var reader: DatabaseQueue { open.withLock { $0.reader } }

    /// Whether no connection that writes could be opened so far.
    var isLooking: Bool { open.withLock { $0.writer == nil } }

    /// Returns the writing connection, and opens it if it is closed. Call it under the writers' lock.
    func writer() throws -> Writer {
        if let writer = open.withLock({ $0.writer }) { return writer }
        let writer = try Self.writer(of: path)
        let reader = try open.withLock(\.isCopy) ? Self.reader(of: path) : nil
        open.withLock { open in
            open.writer = writer
            if let reader { (open.reader, open.isCopy) = (reader, false) }
        }
        return writer
    }

    func close() {
        open.withLock { open in
            try? open.reader.close()
            try? open.writer?.queue.close()
        }
    }

    private static func writer(of path: String) throws -> Writer {
        let tally = ChecksumTally()
        var configuration = Archive.configuration(readonly: false)
        configuration.prepareDatabase { db in tally.watch(db) }
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        // The files that SQLite makes beside the database get the permissions that the database had at that time.
        for file in [path, path + "-wal", path + "-shm"] { chmod(file, 0o600) }
        return Writer(queue: queue, tally: tally)
    }

    private static func reader(of path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: Archive.configuration(readonly: true))
    }

    private static func isCurrent(_ db: Database) throws -> Bool {
        try Schema.migrator.appliedIdentifiers(db) == Set(Schema.migrator.migrations)
    }

    private static func size(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

/// A file that reserves space on the disk. It is deleted when the disk is full, since freeing space needs some.
struct Reserve {
    let path: String

    init(folder: String) { path = folder + "/reserve" }

    /// Allocates the reserve file if it is missing. A full disk is not an error here. Call it under the writers' lock.
    func keep() {
        var status = stat()
        if stat(path, &status) == 0, status.st_size == Limits.reserveBytes { return }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if posix_fallocate(descriptor, 0, off_t(Limits.reserveBytes)) != 0 { unlink(path) }
    }

    /// Deletes the reserve file. Returns whether it existed.
    func giveUp() -> Bool { unlink(path) == 0 }
}

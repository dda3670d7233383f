import GRDB
import Glibc
import JSON
package import Vocabulary

/// The record of everything that happened, on disk: one SQLite database and the lock beside it. Code outside this
/// module writes only through `write`.
///
/// Writers and checkpoints of all processes queue at one kernel lock (`architecture.md` invariant 5). The lock is fair,
/// and it avoids the WAL-reset bug of SQLite before 3.51.3. Opening and closing also make checkpoints, so they use the
/// same queue.
package struct Archive: Sendable {
    private let doors: Doors
    private let lock: WriteLock
    private let reserve: Reserve

    /// Opens the database, or makes it if it does not exist. If it cannot be written and its schema is of this version,
    /// it is opened for reading only (`isLooking`), and later writes throw.
    ///
    /// - Parameter folder: exists already, 0700.
    /// - Throws: `Failure` with code `storageNewer`, `storageReadOnly`, `storageFull`, `storageBusy` or
    ///   `storageBroken`.
    package init(folder: String) throws(Failure) {
        let path = folder + "/assent.db"
        let (crash, reserve) = (CrashNote(folder: folder), Reserve(folder: folder))
        self.reserve = reserve
        do {
            lock = try WriteLock(path: folder + "/assent.lock")
            // Opening alone neither writes nor makes a checkpoint. So if nothing must be made, a process that only
            // reads need not wait for writers.
            if lock.isMarked, !crash.isThere, let doors = Doors(current: path) {
                self.doors = doors
                lock.holdingIfFree { reserve.keep() }
                return
            }
            doors = try lock.holding { [lock] in
                let isThere = access(path, F_OK) == 0
                if isThere {
                    try Self.refuseEmpty(in: folder, hasBeenMade: lock.isMarked)
                } else {
                    try Self.refuseMissing(in: folder, hasBeenMade: lock.isMarked)
                }
                do {
                    if isThere {
                        if try Self.isNewer(path) { throw Self.newer(folder) }
                        if crash.isThere { try Self.refuseFaulty(path) }
                    }
                    let doors = try Doors(path)
                    lock.mark()
                    reserve.keep()
                    return doors
                } catch {
                    guard isThere, Self.failure(error).code.isOne(of: .storageFull, .storageReadOnly),
                        let doors = try? Doors(lookingAt: path)
                    else { throw error }
                    if crash.isThere, let fault = try doors.reader.read({ try Self.faults($0).first }) {
                        throw Self.damaged(fault)
                    }
                    return doors
                }
            }
            guard !doors.isLooking else { return }
            if let work = crash.work { try quarantine(work.workflow, reason: work.words, at: work.at) }
            crash.clear()
        } catch {
            throw Self.failure(error)
        }
    }

    var reader: DatabaseQueue { doors.reader }

    var writer: DatabaseQueue { get throws { try lock.holding { try doors.writer().queue } } }

    /// Whether the database is open for reading only, because there was no space or no permission to write, and no
    /// write has succeeded since.
    package var isLooking: Bool { doors.isLooking }

    /// Opens the connection that writes. A caller that has no work without it, such as an engine, learns here that it
    /// cannot write.
    ///
    /// - Throws: `storageFull`, `storageReadOnly`.
    package func openToWrite() throws(Failure) {
        do { _ = try writer } catch { throw Self.failure(error) }
    }

    /// Runs `body`, which frees space. If the disk is too full even for that, the reserve is deleted and `body` runs
    /// once more. The reserve is made again at the next start.
    package func withReserve<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        do throws(Failure) { return try body() } catch  where error.code == .storageFull && reserve.giveUp() {
            return try body()
        }
    }

    private static func newer(_ folder: String) -> Failure {
        Failure(
            .storageNewer, "The database in \(folder) was written by a newer Assent; it was left untouched.")
    }

    /// Returns whether a newer version of Assent has written the database.
    ///
    /// A read-only connection looks, since a writing one changes the file as soon as it is opened. Only if a killed
    /// process left a rollback journal, a writing connection rolls it back first, because the file cannot be read
    /// before.
    private static func isNewer(_ path: String) throws -> Bool {
        do {
            return try isNewer(path, configuration(readonly: true))
        } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_READONLY_ROLLBACK {
            var configuration = configuration(readonly: false)
            configuration.journalMode = .default
            return try isNewer(path, configuration)
        }
    }

    private static func isNewer(_ path: String, _ configuration: Configuration) throws -> Bool {
        let looker = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? looker.close() }
        return try looker.read { db in
            let applied = try db.tableExists("grdb_migrations") ? Schema.migrator.appliedIdentifiers(db) : []
            return !applied.subtracting(Schema.migrator.migrations).isEmpty
        }
    }

    static func configuration(readonly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.readonly = readonly
        configuration.busyMode = .timeout(10)
        if !readonly { configuration.journalMode = .wal }
        configuration.prepareDatabase { db in
            try db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY")
        }
        return configuration
    }

    static func configuration(inMemory: Void) -> Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { db in try db.execute(sql: "PRAGMA temp_store = MEMORY") }
        return configuration
    }

    /// Moves the log into the database file before the process ends. Skips this if another process is writing, since
    /// that process does it then. The connections stay open for readers.
    package func settle() {
        guard !isLooking else { return }
        try? lock.holdingIfFree {
            try doors.writer().queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    /// Closes both connections. The archive must not be used afterwards. A process that ends without this call loses no
    /// data.
    package func close() {
        try? lock.holding { doors.close() }
    }

    /// Runs `body`, such as one that stops this process, while no thread of the process writes.
    package func whileNotWriting(_ body: () -> Void) { lock.leavingFree(body) }

    // MARK: The one way to write

    /// Runs `body` in one transaction under the writers' lock.
    ///
    /// - Parameters:
    ///   - isPrecious: whether the transaction survives a power cut (`synchronous=FULL`). Any other survives only the
    ///     death of all processes.
    ///   - isRehearsal: whether the transaction is rolled back after `body` has run.
    ///   - id: the workflow whose rows are read. A damaged value is then reported as damage of this workflow alone.
    func write<Value>(
        isPrecious: Bool = false, isRehearsal: Bool = false, of id: WorkflowID? = nil,
        _ body: (Database) throws -> Value
    ) throws(Failure) -> Value {
        do {
            return try lock.holding {
                let writer = try doors.writer()
                return try writer.queue.writeWithoutTransaction { db in
                    // Not as cached statements: SQLite sets this level when it compiles the pragma, so a cached one
                    // works once.
                    if isPrecious { try db.execute(sql: "PRAGMA synchronous = FULL") }
                    defer { if isPrecious { try? db.execute(sql: "PRAGMA synchronous = NORMAL") } }
                    var value: Value?
                    try db.transaction {
                        try writer.tally.begin(db)
                        value = try Damage.watched(id) { try body(db) }
                        guard !isRehearsal else { return .rollback }
                        try writer.tally.store(db)
                        return .commit
                    }
                    return value!
                }
            }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Keeps the checksums as they are, although this transaction has changed rows. Used by repairs: the sums already
    /// describe the rows as they were before the damage.
    func keepSums(_ db: Database) throws { try doors.writer().tally.begin(db) }

    /// Runs `body` on the connection that reads.
    ///
    /// - Parameter id: the workflow whose rows are read. A damaged value then throws `workflowDamaged`.
    func read<Value>(of id: WorkflowID? = nil, _ body: (Database) throws -> Value) throws(Failure) -> Value {
        do {
            return try reader.read { db in try Damage.watched(id) { try body(db) } }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Returns a number that changes whenever another connection commits. The call is cheap, so a process can poll it
    /// to notice changes by other processes.
    package func dataVersion() throws(Failure) -> Int {
        do {
            return try reader.unsafeRead { db in try Int.fetchOne(db.cachedStatement(sql: "PRAGMA data_version")) ?? 0 }
        } catch {
            throw Self.failure(error)
        }
    }

    static func failure(_ error: any Error) -> Failure {
        if let failure = error as? Failure { return failure }
        guard let error = error as? DatabaseError else {
            return Failure(.storageBroken, "The database cannot be used.", cause: error)
        }
        switch error.extendedResultCode {
        case .SQLITE_CORRUPT_VTAB:
            return Failure(
                SearchIndex.fault, "The index of words in conversations is damaged.",
                remedy: "Run 'assent doctor --rebuild'.", cause: error
            )
        case .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ:
            return Failure(
                .storageBroken, "The database cannot be read.", remedy: "Look at the disk; run 'assent doctor'.",
                cause: error)
        default: break
        }
        switch error.resultCode {
        case .SQLITE_FULL:
            return Failure(
                .storageFull, "The disk is full; nothing of this step was stored.",
                remedy: "Free some space and try again.", cause: error)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
            return Failure(
                .storageReadOnly, "The database cannot be written.",
                remedy: "Look at the owner and the rights of the data folder.",
                cause: error)
        case .SQLITE_IOERR:
            return Failure(
                .storageFull, "The disk does not take any more writes.",
                remedy: "Look at the free space and the disk.", cause: error)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return Failure(.storageBroken, "The database is damaged.", remedy: "Run 'assent doctor'.", cause: error)
        default:
            return Failure(
                .storageBroken, "The database refused a step.", remedy: "Run 'assent doctor'.", cause: error)
        }
    }
}

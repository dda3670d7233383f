import GRDB
import Glibc
import JSON
package import Vocabulary

/// What happened, on disk: one SQLite database and the lock beside it. Everything that others write goes through
/// `write`.
///
/// Writers and checkpoints of all processes stand in one line at a kernel lock (`architecture.md` invariant 5). The
/// lock is fair, and it keeps the WAL-reset fault of SQLite before 3.51.3 away. Opening and closing checkpoint too, so
/// they stand in the same line.
package struct Archive: Sendable {
    private let doors: Doors
    private let lock: WriteLock
    private let reserve: Reserve

    /// Opens or makes the database. Where it cannot be written, it is opened to look only, if its schema is of this
    /// version: who wants to write is told then (`isLooking`).
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
            // Nothing is to be made, and nobody who only looks waits for those who write: opening alone neither writes
            // nor checkpoints.
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
                    guard isThere, ["storageFull", "storageReadOnly"].contains(Self.failure(error).code),
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

    /// Whether there was no room to write when it was opened, or no right to, and nobody has written since.
    package var isLooking: Bool { doors.isLooking }

    /// For whoever has nothing to do where nothing can be written.
    ///
    /// - Throws: `storageFull`, `storageReadOnly`.
    package func openToWrite() throws(Failure) {
        do { _ = try writer } catch { throw Self.failure(error) }
    }

    /// Does what makes room: if there is none to do it with, the reserve is given up first. It is taken again at the
    /// next start.
    package func withReserve<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        do throws(Failure) { return try body() } catch  where error.code == "storageFull" && reserve.giveUp() {
            return try body()
        }
    }

    private static func newer(_ folder: String) -> Failure {
        Failure(
            "storageNewer", "The database in \(folder) was written by a newer Assent; it was left untouched.",
            remedy: "Install the newer version.")
    }

    /// Looked at by a connection that cannot write: one that can writes to the file when it is opened already. Only
    /// what a killed process left half done outside the log, as it made the file, is taken back first: nobody can read
    /// it before.
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

    /// Brings everything into the one file, before the process ends, unless somebody writes: they do it then. The
    /// connections stay open: somebody may still be looking.
    package func settle() {
        guard !isLooking else { return }
        try? lock.holdingIfFree {
            try doors.writer().queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            }
        }
    }

    /// Closes both connections; nobody may use the archive afterwards. A process that ends without it loses nothing.
    package func close() {
        try? lock.holding { doors.close() }
    }

    /// Does something, such as to stop this process, while none of its threads writes.
    package func whileNotWriting(_ body: () -> Void) { lock.leavingFree(body) }

    // MARK: The one way to write

    /// One transaction under the writers' lock.
    ///
    /// - Parameters:
    ///   - isPrecious: survives a power cut (`synchronous=FULL`); else it survives the death of every process.
    ///   - isRehearsal: all is done and looked at, and nothing stays.
    ///   - id: whose rows it is about alone.
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
                    try db.inTransaction(.immediate) {
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

    /// Called before an update of a template, in its transaction: for others they count as they were.
    func willUpdateLongColumns() throws { try doors.writer().tally.willUpdateLongColumns() }

    /// What this transaction has changed so far makes good what was altered: the sums are of what was there before, and
    /// stay.
    func keepSums(_ db: Database) throws { try doors.writer().tally.begin(db) }

    /// - Parameter id: whose rows are read: a value among them that was never written is `workflowDamaged`.
    func read<Value>(of id: WorkflowID? = nil, _ body: (Database) throws -> Value) throws(Failure) -> Value {
        do {
            return try reader.read { db in try Damage.watched(id) { try body(db) } }
        } catch {
            throw Self.failure(error)
        }
    }

    /// Changes whenever another connection has committed: cheap to ask, for whoever waits for other processes.
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
            return Failure("storageBroken", "The database cannot be used.", cause: error)
        }
        switch error.extendedResultCode {
        case .SQLITE_CORRUPT_VTAB:
            return Failure(
                SearchIndex.fault, "The index of words in conversations is damaged.",
                remedy: "Run 'assent doctor --rebuild'.", cause: error
            )
        case .SQLITE_IOERR_READ, .SQLITE_IOERR_SHORT_READ:
            return Failure(
                "storageBroken", "The database cannot be read.", remedy: "Look at the disk; run 'assent doctor'.",
                cause: error)
        default: break
        }
        switch error.resultCode {
        case .SQLITE_FULL:
            return Failure(
                "storageFull", "The disk is full; nothing of this step was stored.",
                remedy: "Free some space and try again.", cause: error)
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_CANTOPEN:
            return Failure(
                "storageReadOnly", "The database cannot be written.",
                remedy: "Look at the owner and the rights of the data folder.",
                cause: error)
        case .SQLITE_IOERR:
            return Failure(
                "storageFull", "The disk does not take any more writes.",
                remedy: "Look at the free space and the disk.", cause: error)
        case .SQLITE_NOTADB, .SQLITE_CORRUPT:
            return Failure("storageBroken", "The database is damaged.", remedy: "Run 'assent doctor'.", cause: error)
        default:
            return Failure(
                "storageBroken", "The database refused a step.", remedy: "Run 'assent doctor'.", cause: error)
        }
    }
}

import CaseNames
import GRDB
import Glibc
import Harness
import JSON
import Synchronization
import Testing
import Vocabulary

@testable import Storage

@Suite struct ArchiveTests {
    let scratch: ScratchFolder
    var folder: String { scratch.path }
    let now = Moment(milliseconds: 1_000_000)

    init() throws { scratch = try ScratchFolder() }

    func workflow(_ archive: Archive, steps: Int = 2) throws -> WorkflowID {
        let record = WorkflowRecord(id: WorkflowID(0), title: "w", workspace: "/w", createdAt: now, updatedAt: now)
        return try archive.create(record, template: "{}", owner: "one") { id in
            (1...steps).map {
                StepRecord(
                    id: StepID(id, $0), node: "n\($0)", kind: "T", reason: Reason("why", "Words."), updatedAt: now)
            }
        }.0.id
    }

    // MARK: Opening

    @Test func migrationsRunFromEmptyAndOnlyOnce() throws {
        for _ in 0..<2 {
            let archive = try Archive(folder: folder)
            let applied = try archive.read { try Schema.migrator.appliedIdentifiers($0) }
            #expect(applied == Set(Schema.migrator.migrations))
            #expect(try archive.faults().isEmpty)
            for file in ["", "-wal", "-shm"] {
                var status = stat()
                #expect(stat(folder + "/assent.db" + file, &status) == 0 && status.st_mode & 0o777 == 0o600, "\(file)")
            }
            archive.close()
        }
    }

    /// A file and its rollback journal, as a process leaves them that is killed between the two last writes of making
    /// the file.
    @Test func aProcessThatIsKilledWhileItMakesTheFileIsInNobodysWay() throws {
        let other = try ScratchFolder()
        let maker = try DatabaseQueue(path: other.path + "/assent.db")
        try maker.inDatabase { db in
            // With so small a cache pages are written before the end.
            try db.execute(sql: "PRAGMA cache_size = 1; BEGIN; CREATE TABLE half (made BLOB)")
            for _ in 0..<50 { try db.execute(sql: "INSERT INTO half VALUES (zeroblob(4000))") }
            for name in ["assent.db", "assent.db-journal"] {
                let bytes = try #require(ScratchFolder.bytes("\(other.path)/\(name)"))
                try #require(bytes.count > 512)
                try ScratchFolder.write(bytes, to: "\(folder)/\(name)")
            }
            try db.execute(sql: "ROLLBACK")
        }
        let archive = try Archive(folder: folder)
        #expect(try !archive.isLooking && archive.read { try !$0.tableExists("half") })
        #expect(try workflow(archive).number == 1)
        archive.close()
    }

    @Test func aNewerSchemaIsRefusedAndLeftAsItIs() throws {
        let archive = try Archive(folder: folder)
        _ = try workflow(archive)
        try archive.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 from the future')") }
        archive.close()
        let before = try bytes()
        let failure = #expect(throws: Failure.self) { _ = try Archive(folder: folder) }
        #expect(failure?.code == "storageNewer" && failure?.remedy != nil)
        #expect(try bytes() == before)
    }

    /// By its provider, its id and our name for it: a retry keeps the name, another run has its own.
    @Test func aJobIsHeldByTheRunThatHasIt() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        var job = JobRecord(provider: "p", phase: .submitted, key: "k-1", intendedAt: now)
        job.captured["jobId"] = 81
        try archive.write { db in
            try db.execute(
                sql:
                    "INSERT INTO runs (workflow, step, attempt, kind, started_at, inputs, params, job) VALUES (?, 1, 1, 'tool', 0, '{}', '{}', ?)",
                arguments: [id.number, job.stored])
        }
        #expect(try archive.isJobHeld(provider: "p", id: "81", key: "k-2"))
        #expect(try !archive.isJobHeld(provider: "p", id: "81", key: "k-1"))
        #expect(try !archive.isJobHeld(provider: "q", id: "81", key: "k-2"))
        #expect(try !archive.isJobHeld(provider: "p", id: "8", key: "k-2"))
    }

    func bytes() throws -> [UInt8] {
        let file = try #require(fopen(folder + "/assent.db", "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return bytes
    }

    @Test func aFolderThatCannotBeWrittenIsSaidSo() {
        #expect(throws: Failure.self) { _ = try Archive(folder: "/proc") }
        let failure = #expect(throws: Failure.self) { _ = try Archive(folder: folder + "/missing") }
        #expect(failure?.code == "storageReadOnly")
    }

    @Test func aFileThatIsNoDatabaseIsSaidSo() throws {
        let file = try #require(fopen(folder + "/assent.db", "w"))
        fputs(String(repeating: "This is no database. ", count: 100), file)
        fclose(file)
        let failure = #expect(throws: Failure.self) { _ = try Archive(folder: folder) }
        #expect(failure?.code == "storageBroken")
    }

    // MARK: Writing

    /// `architecture.md` invariant 3. SQLite's numbers: 1 NORMAL, 2 FULL.
    @Test func everyPreciousCommitIsSyncedAndNoOther() throws {
        let archive = try Archive(folder: folder)
        for isPrecious in [false, true, true, false, true, false] {
            let level = try archive.write(isPrecious: isPrecious) { try Int.fetchOne($0, sql: "PRAGMA synchronous") }
            #expect(level == (isPrecious ? 2 : 1))
        }
        #expect(try archive.read { try String.fetchOne($0, sql: "PRAGMA journal_mode") } == "wal")
    }

    @Test func aFailedWriteLeavesNothingAndTheNextOneWorks() throws {
        let archive = try Archive(folder: folder)
        for isPrecious in [false, true] {
            #expect(throws: Failure.self) {
                try archive.write(isPrecious: isPrecious) { db in
                    try db.execute(
                        sql: "INSERT INTO sessions (title, workspace, started_at, updated_at) VALUES ('x', '/', 0, 0)")
                    throw Failure("no", "No.")
                }
            }
        }
        #expect(try archive.sessions().isEmpty)
        #expect(try archive.write { try Int.fetchOne($0, sql: "PRAGMA synchronous") } == 1)
    }

    @Test func aFullDiskIsSaidSoAndNothingIsHalfWritten() throws {
        let archive = try Archive(folder: folder)
        let session = try archive.begin(title: "s", workspace: "/", at: now).id
        try archive.writer.writeWithoutTransaction { db in
            let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
            try db.execute(sql: "PRAGMA max_page_count = \(pages + 4)")
        }
        let failure = #expect(throws: Failure.self) {
            for _ in 0..<100 {
                try archive.append(
                    ChatMessage(.user, String(repeating: "x", count: 10_000)), to: session, turn: 1, at: now)
            }
        }
        #expect(failure?.code == "storageFull")
        #expect(try archive.messages(of: session).allSatisfy { $0.message.text.count == 10_000 })
        #expect(try archive.faults().isEmpty)
    }

    /// Two connections and four threads, all in one line.
    @Test func writersDoNotLoseOneAnothersRows() async throws {
        let archives = [try Archive(folder: folder), try Archive(folder: folder)]
        let session = try archives[0].begin(title: "s", workspace: "/", at: now).id
        let done = Mutex(0)
        let faults = Mutex<[String]>([])
        for thread in 0..<4 {
            inBackground {
                for number in 0..<50 {
                    do {
                        try archives[thread % 2].append(
                            ChatMessage(.user, "\(thread) \(number)"), to: session, turn: 1, at: Moment(milliseconds: 1)
                        )
                    } catch { faults.withLock { $0.append("\(error)") } }
                }
                done.withLock { $0 += 1 }
            }
        }
        #expect(try await eventually { done.withLock { $0 } == 4 })
        #expect(faults.withLock { $0 } == [])
        let texts = try archives[0].messages(of: session).map(\.message.text)
        #expect(Set(texts).count == 200)
        for thread in 0..<4 {
            #expect(texts.filter { $0.hasPrefix("\(thread) ") } == (0..<50).map { "\(thread) \($0)" })
        }
    }

    /// Whoever writes has the lock to itself, also among the threads of one process.
    @Test func theLockIsHeldWhileAnyThreadWrites() async throws {
        let archive = try Archive(folder: folder)
        let lock = open(folder + "/assent.lock", O_RDWR | O_CLOEXEC)
        defer { close(lock) }
        let done = Mutex(0)
        let free = Mutex(0)
        for _ in 0..<2 {
            inBackground {
                for _ in 0..<20 {
                    try? archive.write { _ in
                        usleep(200)
                        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { return }
                        flock(lock, LOCK_UN)
                        free.withLock { $0 += 1 }
                    }
                }
                done.withLock { $0 += 1 }
            }
        }
        #expect(try await eventually { done.withLock { $0 } == 2 })
        #expect(free.withLock { $0 } == 0)
    }

    @Test(.process) func aProcessThatIsKilledKeepsWhatWasAcknowledged() async throws {
        // It would leave a folder of its own behind.
        await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
            let archive = try Archive(folder: folder)
            let session = try archive.begin(title: "s", workspace: "/", at: Moment(milliseconds: 1)).id
            for number in 0..<50 {
                try archive.append(ChatMessage(.user, "\(number)"), to: session, turn: 1, at: Moment(milliseconds: 1))
            }
            kill(getpid(), SIGKILL)
        }
        let archive = try Archive(folder: folder)
        let session = try #require(try archive.sessions().first)
        #expect(try session.messageCount == 50 && archive.faults().isEmpty)
    }

    // MARK: Round trips
}

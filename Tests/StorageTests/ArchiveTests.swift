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
    private let scratch: ScratchFolder
    var folder: String { scratch.path }
    let now = Moment(milliseconds: 1_000_000)

    init() throws { scratch = try ScratchFolder() }

    private func workflow(_ archive: Archive, steps: Int = 2) throws -> WorkflowID {
        let record = WorkflowRecord(id: WorkflowID(0), title: "w", workspace: "/w", createdAt: now, updatedAt: now)
        return try archive.create(record, template: "{}", owner: "one") { id in
            (1...steps).map { StepRecord(id: StepID(id, $0), node: "n\($0)", kind: "T", reason: Reason("why", "Words."), updatedAt: now) }
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

    /// A file and its rollback journal, as a process leaves them that is killed between the two last writes of making the file.
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

    private func bytes() throws -> [UInt8] {
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
                    try db.execute(sql: "INSERT INTO sessions (title, workspace, started_at, updated_at) VALUES ('x', '/', 0, 0)")
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
                try archive.append(ChatMessage(.user, String(repeating: "x", count: 10_000)), to: session, turn: 1, at: now)
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
                            ChatMessage(.user, "\(thread) \(number)"), to: session, turn: 1, at: Moment(milliseconds: 1))
                    } catch { faults.withLock { $0.append("\(error)") } }
                }
                done.withLock { $0 += 1 }
            }
        }
        #expect(try await eventually { done.withLock { $0 } == 4 })
        #expect(faults.withLock { $0 } == [])
        let texts = try archives[0].messages(of: session).map(\.message.text)
        #expect(Set(texts).count == 200)
        for thread in 0..<4 { #expect(texts.filter { $0.hasPrefix("\(thread) ") } == (0..<50).map { "\(thread) \($0)" }) }
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
            for number in 0..<50 { try archive.append(ChatMessage(.user, "\(number)"), to: session, turn: 1, at: Moment(milliseconds: 1)) }
            kill(getpid(), SIGKILL)
        }
        let archive = try Archive(folder: folder)
        let session = try #require(try archive.sessions().first)
        #expect(try session.messageCount == 50 && archive.faults().isEmpty)
    }

    // MARK: Round trips

    @Test func allOfABatchComesBack() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        let step = StepID(id, 1)
        let run = RunID(step, attempt: 1)
        let asset = Asset(
            run: run, port: "out", type: .image, hash: .ofNothing, bytes: 7, name: "ü.jpg",
            meta: JSON.Object(members: [.init(key: "w", value: 8)]))
        let record = StepRecord(
            id: step, node: "n1", kind: "T", state: .succeeded, reason: Reason("a", "b"), attempt: 1, tries: 2,
            failure: Failure("f", "F.", remedy: "R."), dueAt: now + 5, updatedAt: now)
        // A run names its inputs; the assets themselves are rows of their own.
        let input = asset
        var batch = Batch(workflow: id, fence: 1)
        batch.steps = [record]
        batch.runsStarted = [
            RunRecord(
                id: run, kind: .import, startedAt: now, inputs: ["in": input], params: JSON.Object(members: [.init(key: "k", value: "v")]),
                callDigest: .ofNothing)
        ]
        batch.runsEnded = [Batch.RunEnd(run: run, at: now + 1, ending: .succeeded([asset]))]
        batch.events = [
            Event(
                at: now, session: SessionID(4), workflow: id, step: 1, run: run,
                .stepChanged(.succeeded, phase: nil, reason: nil, progress: nil, failure: nil))
        ]
        let opened = AwaitRecord(
            step: StepID(id, 2), type: .drawMask, title: "t", reason: "r", urgency: .high, createdAt: now, expiresAt: now + 60,
            digest: .ofNothing, question: ["q": 1])
        batch.awaitsOpened = [opened]
        batch.outcome = .some(.failed)
        let committed = try archive.commit([batch])
        #expect(committed.awaits.map(\.number) == [1])
        #expect(try archive.steps(of: id)[0] == record)
        #expect(try archive.assets(of: id) == [asset])
        let stored = try #require(try archive.runs(of: step).first)
        #expect(stored.inputs == ["in": input] && stored.kind == .import && stored.ending == "succeeded" && stored.finishedAt == now + 1)
        #expect(stored.params["k"] == "v" && stored.callDigest == .ofNothing)
        #expect(try archive.await(numbered: 1) == committed.awaits[0])
        #expect(try archive.events(of: id).map(\.type) == ["workflow.created", "step.changed", "await.opened"])
        #expect(try archive.summaries().first?.record.outcome == .failed && archive.summaries().first?.openAwaits == 1)
    }

    @Test func commandsComeBackInOrderAndAreTakenWithTheirBatch() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        let verbs: [Command.Verb] = [
            .cancel, .retry(step: nil), .retry(step: 2), .answer(step: 1, await: 7, .no(reason: "ü"), by: "me"),
            .answer(step: 1, await: 7, .yes, by: "me"), .answer(step: 1, await: 7, .yesToPlan, by: "me"),
        ]
        for verb in verbs { try archive.put(verb, for: id, at: now) }
        let commands = try archive.waitingCommands(for: "one")
        #expect(commands.map(\.verb) == verbs)
        #expect(try archive.waitingCommands(for: "two").isEmpty)
        var batch = Batch(workflow: id, fence: 0)
        batch.commandsTaken = commands.map(\.id)
        #expect(try archive.commit([batch]).lost == [id])
        #expect(try archive.waitingCommands(for: "one").count == verbs.count, "a lost fence takes no command")
        batch.fence = 1
        #expect(try archive.commit([batch]).lost.isEmpty)
        #expect(try archive.waitingCommands(for: "one").isEmpty)
    }

    /// A model's wish carries the terms of its session; what cannot be read of them is the strictest.
    @Test func termsComeBackAndAreStored() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        let terms = AskTerms(mode: .adaptive, onAsk: .deny, turn: 3)
        try archive.put(.retry(step: 1), for: id, by: "model", under: terms, at: now)
        try archive.put(.retry(step: nil), for: id, at: now)
        try archive.write {
            try $0.execute(
                sql: "INSERT INTO commands (workflow, verb, argument, at) VALUES (1, 'cancel', '{\"terms\":{\"mode\":\"calm\"}}', 0)")
        }
        let commands = try archive.waitingCommands(for: "one")
        #expect(commands.map(\.terms) == [terms, nil, AskTerms(mode: .alwaysAsk, onAsk: .deny)])
        #expect(commands.map(\.by) == ["model", "person", "person"])
        var batch = Batch(workflow: id, fence: 1)
        batch.terms = terms
        #expect(!batch.isEmpty)
        #expect(try archive.commit([batch]).lost.isEmpty)
        let record = try #require(try archive.load(id)?.record)
        #expect(record.mode == .adaptive && record.onAsk == .deny)
    }

    /// An answered await is still what its step waits for until the answer has been heard.
    @Test func anAnsweredAwaitIsLoadedUntilItsStepMovesOn() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        var batch = Batch(workflow: id, fence: 1)
        batch.steps = [StepRecord(id: StepID(id, 1), node: "n1", kind: "T", state: .awaitingUser, attempt: 0, tries: 0, updatedAt: now)]
        batch.awaitsOpened = [AwaitRecord(step: StepID(id, 1), type: .confirmCall, title: "t", reason: "r", createdAt: now)]
        _ = try archive.commit([batch])
        #expect(try archive.answer(1, .yes, approvals: [], by: "me", at: now) == .taken)
        #expect(try archive.load(id)?.openAwaits.map(\.number) == [1])
        #expect(try archive.awaits().isEmpty)
        batch.awaitsOpened = []
        batch.steps[0].state = .ready
        _ = try archive.commit([batch])
        #expect(try archive.load(id)?.openAwaits.isEmpty == true)
    }

    @Test func aSecondOpenAwaitOfAStepIsRefusedWhole() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        var batch = Batch(workflow: id, fence: 1)
        batch.awaitsOpened = [AwaitRecord(step: StepID(id, 1), type: .confirmCall, title: "t", reason: "r", createdAt: now)]
        _ = try archive.commit([batch])
        #expect(throws: Failure.self) { _ = try archive.commit([batch]) }
        // One closed and the next opened in one commit is no second.
        batch.awaitsClosed = [Batch.AwaitClose(number: 1, resolution: "superseded", by: "engine", at: now)]
        #expect(try archive.commit([batch]).awaits.count == 1)
        #expect(try archive.awaits().count == 1)
    }

    @Test func linesThatWaitAreTakenOverFromTheDeadOnly() throws {
        let archive = try Archive(folder: folder)
        let one = try archive.begin(title: "one", workspace: "/w", at: now).id
        let two = try archive.begin(title: "two", workspace: "/w", at: now).id
        let other = try archive.begin(title: "other", workspace: "/v", at: now).id
        for line in ["a", "b", "a"] { try archive.keep(line, of: one, owner: "dead") }
        try archive.keep("typed elsewhere", of: two, owner: "living")
        try archive.keep("in another folder", of: other, owner: "dead")
        // It becomes a message: the first goes, and no other of the same words; what did not wait takes nothing away.
        try archive.append(ChatMessage(.user, "a"), to: one, turn: 1, at: now)
        try archive.append(ChatMessage(.user, "c"), to: one, turn: 2, at: now)
        try archive.append(ChatMessage(.assistant, "b"), to: one, turn: 2, at: now)
        func taken(_ workspace: String, alive: Set<String>) throws -> [String] {
            guard let (session, lines) = try archive.takeLines(in: workspace, owner: "me", isAlive: { alive.contains($0) }) else {
                return []
            }
            return [session.description] + lines
        }
        #expect(try taken("/w", alive: ["living"]) == [one.description, "b", "a"])
        #expect(try taken("/w", alive: ["living", "me"]) == [])
        #expect(try taken("/w", alive: []) == [two.description, "typed elsewhere"])
        #expect(try taken("/w", alive: []) == [two.description, "typed elsewhere"])
        try archive.forgetLines(of: two)
        #expect(try taken("/w", alive: []) == [one.description, "b", "a"])
        #expect(try taken("/v", alive: []) == [other.description, "in another folder"])
    }

    @Test func sessionsAndMessagesComeBackAndAreFound() throws {
        let archive = try Archive(folder: folder)
        let one = try archive.begin(title: "one", workspace: "/w", at: now)
        let two = try archive.begin(title: "two", workspace: "/w", at: now)
        let messages = [
            ChatMessage(.user, "Make Cat.jpg smaller"),
            ChatMessage(
                .assistant, "",
                calls: [
                    ChatCall(
                        id: "1", name: "propose", arguments: ["a": [1, 2.5, .null]],
                        opaque: JSON.Object(members: [.init(key: "x", value: true)]))
                ]),
            ChatMessage(.tool, "done\n\u{1B}[31m", callID: "1"), ChatMessage(.assistant, "half", isPartial: true),
        ]
        for message in messages { try archive.append(message, to: one.id, turn: 3, at: now + 1) }
        try archive.append(ChatMessage(.user, "100% of dogs_"), to: two.id, turn: 1, at: now + 2)
        #expect(try archive.messages(of: one.id).map(\.message) == messages)
        #expect(try archive.sessions().map(\.title) == ["two", "one"])
        #expect(try archive.sessions(in: "/nowhere").isEmpty)
        #expect(try archive.sessions(limit: 1).map(\.messageCount) == [1])
    }

    @Test func onlyTheDeadAreTakenOver() throws {
        let archive = try Archive(folder: folder)
        let id = try workflow(archive)
        #expect(try archive.claim(for: "two") { $0 == "one" }.isEmpty)
        #expect(try archive.claim(for: "two") { _ in false }.map(\.id) == [id])
        #expect(try archive.claim(for: "two") { _ in false }.isEmpty)
        var batch = Batch(workflow: id, fence: 2)
        batch.outcome = .some(.succeeded)
        _ = try archive.commit([batch])
        #expect(try archive.claim(for: "three") { _ in false }.isEmpty)
        try archive.put(.retry(step: nil), for: id, at: now)
        #expect(try archive.claim(for: "three") { _ in false }.map(\.id) == [id])
    }
}

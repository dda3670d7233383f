import CaseNames
import GRDB
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

@Suite struct QuarantineTests {
    private let scratch: ScratchFolder
    let archive: Archive
    let now = Moment(milliseconds: 1_700_000_000_000)

    init() throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
    }

    private func damage(_ sql: String) throws {
        try archive.writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
            try db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
        }
    }

    @Test func whatIsSetAsideIsCarriedByNobodyAndTheOthersGoOn() throws {
        let (bad, good) = (
            try store(archive, contents: [], outcome: nil, at: now),
            try store(archive, contents: [], outcome: nil, at: now)
        )
        try archive.quarantine(bad, reason: "It cannot be read.", at: now)
        // Whoever carries it now hears so with the next commit.
        var batch = Batch(workflow: bad, fence: 1)
        batch.outcome = .some(.succeeded)
        #expect(try archive.commit([batch]).lost == [bad])
        #expect(try archive.claim(for: "two") { _ in false }.map(\.id) == [good])
        #expect(try archive.claim(for: "two") { _ in false }.isEmpty)
        #expect(try archive.load(good)?.fence == 2 && archive.load(bad)?.fence == 2)
        try archive.put(.retry(step: nil), for: bad, at: now)
        #expect(try archive.claim(for: "three") { $0 == "two" }.isEmpty)
        #expect(try archive.waitingCommands(for: "three").isEmpty)
        #expect(try archive.loadSound(bad) == nil)
        let entry = try #require(try archive.quarantined().first)
        #expect(entry == Quarantine(workflow: bad, cause: .damaged, reason: "It cannot be read.", at: now))
        #expect(try archive.release(bad) && !archive.release(bad))
        #expect(try archive.claim(for: "three") { $0 == "two" }.map(\.id) == [bad])
        #expect(try archive.loadSound(bad) != nil)
    }

    @Test func oneThatIsGoneIsNotSetAside() throws {
        try archive.quarantine(WorkflowID(77), reason: "x", at: now)
        #expect(try archive.quarantined().isEmpty)
    }

    static let damages = [
        "UPDATE workflows SET mode = 'bold'", "UPDATE workflows SET outcome = 'lost'", "DELETE FROM steps",
        "UPDATE steps SET step = 2", "UPDATE steps SET state = 'sleeping'", "UPDATE steps SET attempt = -1",
        "UPDATE steps SET tries = 9999999",
        "UPDATE steps SET state = 'runningLocal', attempt = 7", "UPDATE steps SET state = 'awaitingUser'",
        "UPDATE steps SET state = 'runningRemote'; UPDATE workflows SET outcome = 'succeeded'",
        "UPDATE steps SET failure = '{\"code\":'",
        "UPDATE runs SET inputs = 'x'", "UPDATE runs SET params = ''", "UPDATE runs SET failure = '{'",
        "UPDATE assets SET sha256 = 'abc'",
        "UPDATE assets SET bytes = -1", "UPDATE assets SET meta = '['", "UPDATE assets SET sha256 = upper(sha256)",
        "INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, question) VALUES (1, 1, 'confirmCall', 'done', '', '', 'low', 1, '{]')",
        // Of a step that is not there.
        "INSERT INTO runs (workflow, step, attempt, kind, started_at, inputs, params) VALUES (1, 99, 1, 'tool', 5, '{}', '{}')",
        "UPDATE assets SET step = 0", "UPDATE runs SET step = 7",
        "INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at) VALUES (1, 9, 'text', 'done', '', '', 'low', 1)",
        // Values that nobody ever wrote.
        "UPDATE steps SET updated_at = 4611686018427387904", "UPDATE steps SET due_at = -1",
        "UPDATE workflows SET created_at = -5",
        "UPDATE steps SET state = 'awaitingUser'; INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, expires_at) VALUES (1, 1, 'text', 'pending', '', '', 'low', 1, -5)",
    ]

    /// Each would trip whoever carries it, at every start; each is set aside with a reason, once, and the next workflow
    /// is not.
    @Test(arguments: damages) func aWorkflowWhoseRowsContradictEachOtherIsSetAside(sql: String) throws {
        let bad = try store(archive, contents: [hash("a")], outcome: nil, at: now)
        try damage(sql)
        let good = try store(archive, contents: [hash("b")], outcome: nil, at: now)
        #expect(try archive.fault(of: bad)?.hasSuffix(".") == true, "\(sql)")
        let failure = #expect(throws: Failure.self) { _ = try archive.loadSound(bad) }
        #expect(failure?.code == "workflowDamaged")
        try archive.quarantine(bad, reason: failure?.message ?? "", at: now)
        #expect(try archive.loadSound(bad) == nil && archive.quarantined().map(\.workflow) == [bad])
        #expect(try archive.loadSound(good) != nil && archive.fault(of: good) == nil)
        #expect(try archive.claim(for: "two") { _ in false }.map(\.id) == [good])
    }

    /// One bad value costs its own row in what is listed of all, and no other; and whoever would carry it hears that it
    /// is damaged.
    @Test func aBadValueHidesNoOtherWorkflow() throws {
        let (bad, good) = (
            try store(archive, contents: [], outcome: nil, at: now),
            try store(archive, contents: [], outcome: nil, at: now)
        )
        try damage(
            """
            UPDATE workflows SET updated_at = -5, rests = 1 WHERE id = 1; UPDATE workflows SET rests = 1 WHERE id = 2;
            INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, expires_at) VALUES
            (1, 1, 'text', 'pending', 'bad', '', 'low', 1, -5), (2, 1, 'text', 'pending', 'good', '', 'low', 1, 5)
            """)
        for summaries in [try archive.summaries(), try archive.summaries(WorkflowQuery())] {
            #expect(summaries.map(\.record.id) == [good, bad] && summaries.map { $0.damage == nil } == [true, false])
        }
        #expect(try archive.awaits().map(\.title) == ["good"])
        #expect(try archive.claim(for: "two") { _ in false }.map(\.id) == [bad, good])
        // Of what rests only the times are read: that is where it is found.
        #expect(try archive.expiries(for: "two").map(\.0.workflow) == [good])
        let entry = try #require(try archive.quarantined().first)
        #expect(try entry.workflow == bad && entry.cause == .damaged && archive.quarantined().count == 1)
        try archive.delete(bad)
        #expect(try archive.summaries().map(\.record.id) == [good])
    }

    /// History and approvals are looked up for what runs already.
    @Test(arguments: ["UPDATE runs SET finished_at = -1", "UPDATE assets SET bytes = 9223372036854775807"])
    func aBadValueInHistoryIsItsWorkflows(sql: String) throws {
        let id = try store(archive, contents: [hash("a")], outcome: nil, at: now)
        try damage(sql)
        let failure = #expect(throws: Failure.self) { _ = try archive.history(of: id) }
        #expect(failure?.code == "workflowDamaged")
        #expect(try archive.fault(of: id) != nil)
    }

    @Test func aBadValueOfAStepIsMadeAnewFromEvents() throws {
        let id = try store(archive, contents: [hash("a")], at: now)
        try damage("UPDATE steps SET updated_at = 4611686018427387904")
        #expect(throws: Failure.self) { _ = try archive.steps(of: id) }
        #expect(try archive.rebuild(id, nodes: [("n", "T")], at: now) == 1)
        #expect(
            try archive.contradiction(in: id) == nil && archive.differences(of: id) == []
                && archive.steps(of: id)[0].updatedAt == now)
    }

    @Test func rowsThatBelongToNothingGo() throws {
        let id = try store(archive, contents: [hash("a")], at: now)
        try damage(
            """
            INSERT INTO runs (workflow, step, attempt, kind, started_at, inputs, params) VALUES (1, 99, 1, 'tool', 5, '{}', '{}');
            INSERT INTO assets (workflow, step, attempt, port, type, sha256, bytes, name, meta)
            SELECT 1, 99, 1, port, type, sha256, bytes, name, meta FROM assets
            """)
        #expect(try archive.orphans().count == 1, "the asset has its run")
        #expect(try archive.dropOrphans() == 2)
        #expect(try archive.orphans().isEmpty && archive.fault(of: id) == nil && archive.assets(of: id).count == 1)
        #expect(throws: Failure.self, "foreign keys hold again") {
            try archive.write { try $0.execute(sql: "DELETE FROM steps WHERE workflow = 1") }
        }
    }

    /// One that cannot be read is taken and told of: it would keep the workflow from being deleted for ever.
    @Test(arguments: [
        "verb = 'rerun', argument = '{'", "verb = 'complete', argument = '{\"await\":1}'", "argument = '[]'",
    ])
    func aCommandThatCannotBeReadIsTaken(change: String) throws {
        let id = try store(archive, contents: [], at: now)
        try archive.put(.retry(step: nil), for: id, at: now)
        try archive.put(.retry(step: 1), for: id, at: now)
        try damage("UPDATE commands SET \(change) WHERE id = 1")
        #expect(throws: Failure.self) { try archive.delete(id) }
        let commands = try archive.waitingCommands(for: "one")
        #expect(commands.map(\.verb) == [.retry(step: 1)])
        try archive.take(commands, for: "one", at: now)
        #expect(try archive.changes(of: id).last?.body["reason"] == "commandUnreadable")
        try archive.delete(id)
    }

    /// What it was taking up when it crashed, or at whose step it was, is set aside at the next start; a note without a
    /// number sets nothing aside. Once it is released it goes on.
    @Test(arguments: [(true, nil), (true, 0), (true, 2), (false, nil)] as [(Bool, Int64?)])
    func afterACrashWhatItWasAtIsSetAside(isNamed: Bool, step: Int64?) throws {
        let (bad, good) = (
            try store(archive, contents: [], outcome: nil, at: now),
            try store(archive, contents: [], outcome: nil, at: now)
        )
        let folder = try String(archive.writer.path.dropLast("/assent.db".count))
        let note = CrashNote(folder: folder)
        try ScratchFolder.write(
            isNamed ? ([bad.number] + [step].compactMap(\.self)).flatMap { withUnsafeBytes(of: $0) { Array($0) } } : [],
            to: note.path)
        let next = try Archive(folder: folder)
        #expect(try next.quarantined().first?.reason.contains("worked on step 2") ?? false == (step == 2))
        #expect(try next.quarantined().map(\.workflow) == (isNamed ? [bad] : []) && !note.isThere)
        #expect(try next.claim(for: "two") { _ in false }.map(\.id) == (isNamed ? [good] : [bad, good]))
        if isNamed { #expect(try next.release(bad) && next.claim(for: "two") { _ in false }.map(\.id) == [bad]) }
    }

    @Test func aSoundWorkflowIsLoaded() throws {
        let id = try store(archive, contents: [hash("a")], outcome: nil, at: now)
        #expect(try archive.fault(of: id) == nil && archive.loadSound(id)?.steps.count == 1)
        #expect(try archive.quarantined().isEmpty)
    }
}

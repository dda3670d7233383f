import GRDB
import JSON
import Testing
import Vocabulary

@testable import Storage

@Suite struct QuarantineTests {
    let archive: Archive
    let now = Moment(milliseconds: 1_700_000_000_000)

    init() throws { archive = try Archive(folder: scratchFolder()) }

    private func damage(_ sql: String) throws {
        try archive.writer.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: sql)
            try db.execute(sql: "PRAGMA foreign_keys = ON; PRAGMA ignore_check_constraints = OFF")
        }
    }

    @Test func whatIsSetAsideIsCarriedByNobodyAndTheOthersGoOn() throws {
        let (bad, good) = (try store(archive, contents: [], outcome: nil, at: now), try store(archive, contents: [], outcome: nil, at: now))
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
        "UPDATE steps SET state = 'runningRemote'; UPDATE workflows SET outcome = 'succeeded'", "UPDATE steps SET failure = '{\"code\":'",
        "UPDATE runs SET inputs = 'x'", "UPDATE runs SET params = ''", "UPDATE runs SET failure = '{'", "UPDATE assets SET sha256 = 'abc'",
        "UPDATE assets SET bytes = -1", "UPDATE assets SET meta = '['", "UPDATE assets SET sha256 = upper(sha256)",
        "INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, question) VALUES (1, 1, 'confirmCall', 'done', '', '', 'low', 1, '{]')",
    ]

    /// Each would trip whoever carries it, at every start; each is set aside with a reason, once, and the next workflow is not.
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

    @Test func aSoundWorkflowIsLoaded() throws {
        let id = try store(archive, contents: [hash("a")], outcome: nil, at: now)
        #expect(try archive.fault(of: id) == nil && archive.loadSound(id)?.steps.count == 1)
        #expect(try archive.quarantined().isEmpty)
    }
}

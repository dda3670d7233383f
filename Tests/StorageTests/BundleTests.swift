import CaseNames
import GRDB
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// A workflow's rows out of one database and into another.
@Suite struct BundleTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private static let nodes = [(id: "text", kind: "Text"), (id: "write", kind: "WriteFile")]

    private func reception(bundle: ContentHash = hash("f"), nodes: [(id: String, kind: String)] = nodes)
        -> Archive.Reception
    {
        Archive.Reception(
            workspace: "/elsewhere", mode: .adaptive, at: Moment(milliseconds: 1_800_000_000_000), bundle: bundle,
            nodes: nodes,
            path: { "/there/\($0)" })
    }

    private func source() throws -> Archive { try Archive(folder: try Fixture.make(5, in: scratch)) }

    /// A decision is made for every table: what travels, and what stays.
    @Test func everyTableOfAWorkflowTravelsOrStaysOnPurpose() throws {
        let tables = try Archive(folder: scratch.folder()).read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            ).filter {
                name in
                try db.columns(in: name).contains { $0.name == "workflow" }
            }
        }
        #expect(Set(tables) == Set(BundleRows.carried.map(\.name)).union(BundleRows.leftBehind))
    }

    @Test(arguments: [1, 2, 3, 5] as [Int64]) func whatCameInGoesOutTheSame(number: Int64) throws {
        let old = try source()
        let rows = try old.bundleRows(of: WorkflowID(number)) { "/here/\($0)" }
        let new = try Archive(folder: scratch.folder())
        // Other numbers than at home.
        _ = try store(new, contents: [hash("a")], at: Moment(milliseconds: 5))
        try new.write { db in
            try db.execute(
                sql: """
                    INSERT INTO awaits (number, workflow, step, type, status, title, reason, urgency, created_at)
                    VALUES (70, 1, 1, 'text', 'done', 't', 'r', 'low', 5)
                    """)
        }
        let (id, isHeld) = try new.receive(rows, reception())
        #expect(id.number == 2 && isHeld == (number == 3 || number == 5))
        #expect(try new.bundleRows(of: id) { "/there/\($0)" } == rows)
        #expect(
            try (new.faults() + new.orphans()).isEmpty
                && new.differences(of: id) == old.differences(of: WorkflowID(number)))
        // On the same machine too, beside the original.
        let (again, _) = try old.receive(rows, reception())
        #expect(again.number == 6)
        #expect(try old.bundleRows(of: again) { "/there/\($0)" } == rows)
    }

    /// No machine, no process, no yes comes along.
    @Test func whatBelongsToOneMachineStaysThere() throws {
        let old = try source()
        for number in [1, 5] as [Int64] {
            let rows = try old.bundleRows(of: WorkflowID(number)) { "/here/\($0)" }
            #expect(
                Set(rows.workflow.keys).isDisjoint(with: [
                    "id", "owner", "fence", "workspace", "mode", "on_ask", "session",
                ]))
            let text = rows.tables.values.flatMap { $0 }.map { JSON.object($0).text }.joined()
            #expect(!text.contains("assent://") && !text.contains("\"owner\""))
        }
        let new = try Archive(folder: scratch.folder())
        let (id, _) = try new.receive(try old.bundleRows(of: WorkflowID(5)) { "/here/\($0)" }, reception())
        let record = try #require(try new.summaries(only: id).first?.record)
        #expect(
            record.workspace == "/elsewhere" && record.mode == .adaptive && record.onAsk == .park
                && record.session == nil)
        #expect(try new.approvals(of: id).isEmpty && new.waitingCommands(for: "nobody").isEmpty)
        // It waits for a person, and its question is one of this inbox.
        #expect(try new.claim(for: "me") { _ in false }.isEmpty && new.loadSound(id) == nil)
        let entry = try #require(try new.quarantined().first)
        #expect(entry.workflow == id && entry.cause == .imported)
        let question = try #require(try new.awaits().first)
        let opened = try #require(try new.events(of: id).last { $0.type == "await.opened" })
        #expect(opened.body["await"]?.int == Int(question.number) && opened.body["link"]?.string == question.link)
        #expect(try new.release(id) && new.claim(for: "me") { _ in false }.map(\.id) == [id])
    }

    /// A gate that was passed elsewhere, or that the bundle only says was passed, is not passed here.
    @Test func aPassedGateStaysWhereItWasPassed() throws {
        let old = try source()
        try old.write { db in
            try db.execute(
                sql: "UPDATE steps SET agreed = ? WHERE workflow = 3", arguments: [ContentHash.ofNothing.hex])
        }
        var rows = try old.bundleRows(of: WorkflowID(3)) { $0.hex }
        #expect(rows.tables["steps"]!.allSatisfy { $0["agreed"] == nil })
        for index in rows.tables["steps"]!.indices {
            rows.tables["steps"]![index]["agreed"] = .string(ContentHash.ofNothing.hex)
        }
        let new = try Archive(folder: scratch.folder())
        let (id, isHeld) = try new.receive(rows, reception())
        #expect(try isHeld && new.steps(of: id).allSatisfy { $0.agreed == nil })
    }

    /// Between the answer and the engine that hears it: the answer is a command, and stays; whoever imports is asked. A
    /// bundle in which a step waits for what is answered is refused: nobody could ever answer.
    @Test func anAnswerThatNobodyHasHeardIsAskedForAgain() throws {
        let old = try source()
        let at = Moment(milliseconds: 1_700_000_000_000)
        let question = try #require(try old.awaits().first { $0.step.workflow == WorkflowID(5) })
        #expect(try old.answer(question.number, .no(reason: "no"), approvals: [], by: "me", at: at) == .taken)
        var rows = try old.bundleRows(of: WorkflowID(5)) { $0.hex }
        let new = try Archive(folder: scratch.folder())
        let (id, _) = try new.receive(rows, reception())
        let again = try #require(try new.awaits().first)
        #expect(
            again.step.workflow == id && again.resolution == nil && again.answeredBy == nil && again.closedAt == nil)
        for index in rows.tables["awaits"]!.indices { rows.tables["awaits"]![index]["status"] = "done" }
        let failure = #expect(throws: Failure.self) { _ = try new.receive(rows, reception()) }
        #expect(failure?.code == "badBundle")
    }

    /// What an entry of the inbox names is the importer's own workflow, not another of the same number.
    @Test func whatAnEntryNamesIsOfItsOwnWorkflow() throws {
        let request = AwaitRequest(
            inputs: [
                .init(port: "text", type: .text, name: "a.b.txt", hash: hash("a"), bytes: 7, asset: "w5.1.1.text.1")
            ], isPerson: true)
        let old = try source()
        try old.write { db in
            try db.execute(
                sql: "UPDATE awaits SET type = 'text', question = ? WHERE workflow = 5", arguments: [request.json.text])
        }
        let rows = try old.bundleRows(of: WorkflowID(5)) { "/here/\($0)" }
        #expect(rows.tables["awaits"]!.allSatisfy { $0["question"]?.string?.contains("\"w1.1.1.text.1\"") == true })
        let new = try Archive(folder: scratch.folder())
        for _ in 0..<2 { _ = try store(new, contents: [hash("a")], at: Moment(milliseconds: 5)) }
        let (id, _) = try new.receive(rows, reception())
        #expect(try new.awaits().compactMap(\.request).flatMap(\.inputs).map(\.asset) == ["w3.1.1.text.1"])
        #expect(try id.number == 3 && new.bundleRows(of: id) { "/there/\($0)" } == rows)
    }

    @Test func resultsLieWhereTheyLieHere() throws {
        let archive = try Archive(folder: scratch.folder())
        let id = try store(archive, contents: [hash("a")], outcome: nil, at: Moment(milliseconds: 5))
        var batch = Batch(workflow: id, fence: 1)
        batch.outcome = .some(.succeeded)
        let output = Event.Output(
            step: 1, port: "out", type: .text, path: "/here/\(hash("a"))", hash: hash("a"), bytes: 7)
        var saved = output
        saved.path = "/home/me/cat.jpg"
        batch.events = [
            Event(at: Moment(milliseconds: 6), workflow: id, .workflowFinished(.succeeded, outputs: [output, saved]))
        ]
        _ = try archive.commit([batch])
        let rows = try archive.bundleRows(of: id) { "/here/\($0)" }
        let (other, _) = try archive.receive(rows, reception(nodes: [("n", "T")]))
        let outputs = try archive.events(of: other).last?.body["outputs"]?.array
        #expect(outputs?.map { $0["path"]?.string } == ["/there/\(hash("a"))", "/home/me/cat.jpg"])
        #expect(try archive.bundleRows(of: other) { "/there/\($0)" } == rows)
    }

    @Test func aRehearsalLeavesNothing() throws {
        let old = try source()
        let rows = try old.bundleRows(of: WorkflowID(1)) { $0.hex }
        let new = try Archive(folder: scratch.folder())
        _ = try new.receive(rows, reception(), isRehearsal: true)
        #expect(try new.summaries().isEmpty && new.receive(rows, reception()).id.number == 1)
    }

    // MARK: A bundle is anybody's

    typealias Change = @Sendable (inout BundleRows) -> Void

    private static func set(_ table: String, _ key: String, _ value: JSON?, row: Int = 0) -> Change {
        { $0.tables[table]![row][key] = value }
    }

    static let hostile: [(String, Change)] = [
        ("a state", set("steps", "state", "sleeping")), ("a foreign column", set("steps", "owner", "me")),
        ("another workflow", set("steps", "workflow", 1)), ("a number for a text", set("steps", "node", 7)),
        ("a text for a number", set("steps", "attempt", "7")), ("null", set("steps", "node", .null)),
        ("a list", set("steps", "node", ["a"])), ("a gap", set("steps", "step", 3)),
        ("the same step twice", set("steps", "step", 2)),
        ("a step less", { $0.tables["steps"]!.removeLast() }), ("no steps", { $0.tables["steps"] = [] }),
        ("another kind", set("steps", "kind", "Shell")), ("another node", set("steps", "node", "other")),
        ("a huge number", set("steps", "updated_at", .int(Int.max))),
        ("a time before all", set("steps", "updated_at", -1)),
        ("attempts without end", set("steps", "attempt", 1_099_511_627_776)),
        ("broken JSON", set("runs", "params", "{")),
        ("a run of no step", set("runs", "step", 9)), ("a run of no kind", set("runs", "kind", "wish")),
        ("an asset of no run", set("assets", "attempt", 9)),
        ("a hash that leads away", set("assets", "sha256", "../../../etc/passwd")),
        ("fewer than no bytes", set("assets", "bytes", -1)), ("a decision of no step", set("decisions", "step", 9)),
        ("a decision that is no word", set("decisions", "decision", "maybe")),
        ("a call that is none", set("decisions", "call", "{")),
        ("an await of no type", set("awaits", "type", "wish")), ("an await of no step", set("awaits", "step", 9)),
        ("an await that is open when all is over", set("awaits", "status", "pending")),
        ("an inbox number", set("awaits", "number", 3)), ("an event that is a list", set("events", "body", "[]")),
        ("an event of no form", set("events", "type", "rm -rf /")),
        ("a NUL", set("events", "body", "{\"a\":\"\u{0}\"}")),
        ("a place among the events", set("events", "seq", 1)), ("an outcome", { $0.workflow["outcome"] = "lost" }),
        ("it is over and runs", set("steps", "state", "runningLocal")), ("an owner", { $0.workflow["owner"] = "me" }),
        ("a mode", { $0.workflow["mode"] = "auto" }), ("a workspace", { $0.workflow["workspace"] = "/" }),
        ("no title", { $0.workflow["title"] = nil }), ("an own id", { $0.workflow["id"] = 1 }),
        ("a template", { $0.workflow["template"] = "{}" }),
        (
            "a job under way",
            {
                $0.tables["steps"]![1]["state"] = "runningRemote"; $0.workflow["outcome"] = nil
            }
        ),
        ("stale by nothing", set("steps", "stale_since", "w1.9.1")),
        ("stale by a word", set("steps", "stale_since", "x")),
        ("edits that are none", set("steps", "edits", "{")), ("a replay of nothing", set("steps", "replays", 9)),
        ("a pin to nothing", set("pins", "attempt", 9)), ("a pin of nothing", set("pins", "step", 9)),
        ("a job", set("runs", "job", "{}")),
        ("a claim", set("awaits", "claimed_by", "me")), ("it rests", { $0.workflow["rests"] = 1 }),
        ("the same run twice", { $0.tables["runs"]!.append($0.tables["runs"]![0]) }),
    ]

    @Test(arguments: hostile.indices) func aBundleThatLiesIsRefusedWhole(index: Int) throws {
        let (name, change) = Self.hostile[index]
        var rows = try source().bundleRows(of: WorkflowID(1)) { $0.hex }
        change(&rows)
        let new = try Archive(folder: scratch.folder())
        let before = try Fixture.contents(of: "\(new.writer.path.dropLast("/assent.db".count))")
        let failure = #expect(throws: Failure.self, "\(name)") { _ = try new.receive(rows, reception()) }
        #expect(failure?.code == "badBundle", "\(name): \(failure as Any)")
        #expect(try Fixture.contents(of: "\(new.writer.path.dropLast("/assent.db".count))") == before, "\(name)")
    }

    @Test func aSecondOpenQuestionOfAStepIsRefused() throws {
        var rows = try source().bundleRows(of: WorkflowID(5)) { $0.hex }
        rows.tables["awaits"]!.append(rows.tables["awaits"]![0])
        let failure = #expect(throws: Failure.self) {
            _ = try Archive(folder: scratch.folder()).receive(rows, reception())
        }
        #expect(failure?.code == "badBundle")
    }
}

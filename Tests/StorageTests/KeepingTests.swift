import GRDB
import Harness
import JSON
import Testing
import Vocabulary

@testable import Storage

/// A workflow of one step that has made something.
func store(
    _ archive: Archive, contents: [ContentHash], outcome: Outcome? = .succeeded, ending: RunEnding? = nil,
    at now: Moment
) throws -> WorkflowID {
    let record = WorkflowRecord(id: WorkflowID(0), title: "w", workspace: "/w", createdAt: now, updatedAt: now)
    let id = try archive.create(record, template: "{}", owner: "one") { id in
        [StepRecord(id: StepID(id, 1), node: "n", kind: "T", updatedAt: now)]
    }.0.id
    let run = RunID(StepID(id, 1), attempt: 1)
    let assets = contents.enumerated().map { index, hash in
        Asset(run: run, port: "out.\(index + 1)", type: .image, hash: hash, bytes: 7, name: "cat.jpg")
    }
    var batch = Batch(workflow: id, fence: 1)
    batch.steps = [
        StepRecord(id: run.step, node: "n", kind: "T", state: .succeeded, attempt: 1, tries: 1, updatedAt: now)
    ]
    batch.runsStarted = [RunRecord(id: run, startedAt: now)]
    batch.runsEnded = [Batch.RunEnd(run: run, at: now, ending: ending ?? .succeeded(assets))]
    batch.events = [
        Event(
            at: now, workflow: id, step: 1, run: run,
            .stepChanged(.succeeded, phase: nil, reason: nil, progress: nil, failure: nil))
    ]
    if let outcome {
        batch.outcome = .some(outcome)
        batch.events.append(Event(at: now, workflow: id, .workflowFinished(outcome, outputs: [])))
    }
    _ = try archive.commit([batch])
    return id
}

func hash(_ digit: Character) -> ContentHash { ContentHash(hex: String(repeating: digit, count: 64)) }

@Suite struct KeepingTests {
    private let scratch: ScratchFolder
    let archive: Archive
    var folder: String { scratch.path }
    let now = Moment(milliseconds: 1_700_000_000_000)

    init() throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
    }

    @Test func whatRowsNameIsInUse() throws {
        let done = try store(archive, contents: [hash("a"), hash("b")], at: now)
        let open = try store(archive, contents: [hash("b")], outcome: nil, at: now + 1)
        #expect(try archive.references().contents == [hash("a"), hash("b")])
        #expect(try archive.references().oldestRun == nil)
        var used: [String: [WorkflowID]] = [:]
        try archive.contents { used[$1.hex, default: []].append($0) }
        #expect(used == [hash("a").hex: [done], hash("b").hex: [done, open]])
        // An attempt that has not ended may have put something in already.
        try archive.write { db in
            try db.execute(sql: "UPDATE runs SET finished_at = NULL WHERE workflow = ?", arguments: [open.number])
        }
        #expect(try archive.references().oldestRun == now + 1)
    }

    /// What a person or a tool has named is in use before a row of assets says so.
    @Test(arguments: [
        "INSERT INTO commands (workflow, step, verb, argument, at) VALUES (1, 1, 'answer', '{\"asset\":\"HASH\"}', 1)",
        "INSERT INTO awaits (workflow, step, type, status, title, reason, urgency, created_at, question) VALUES (1, 1, 'selectAsset', 'pending', 't', 'r', 'low', 1, '{\"of\":[\"HASH\"]}')",
        "UPDATE assets SET meta = '{\"undo\":\"HASH\"}'",
        "INSERT INTO kept_assets (sha256, bytes, workflow, step, attempt, port, name, at) VALUES ('HASH', 1, 9, 1, 1, 'out', 'n', 1)",
    ])
    func whatIsOnItsWayIsInUse(sql: String) throws {
        _ = try store(archive, contents: [hash("a")], outcome: nil, at: now)
        try archive.write { try $0.execute(sql: sql.replacing("HASH", with: hash("c").hex)) }
        #expect(try archive.references().contents == [hash("a"), hash("c")])
    }

    @Test func aCommandThatWasTakenNamesNothingAnyMore() throws {
        let id = try store(archive, contents: [], at: now)
        try archive.write { db in
            try db.execute(
                sql: "INSERT INTO commands (workflow, verb, argument, at, taken_at) VALUES (?, 'retry', ?, 1, 2)",
                arguments: [id.number, hash("c").hex])
        }
        #expect(try archive.references().contents.isEmpty)
    }

    @Test func aKeptAssetStaysKeptAcrossStarts() throws {
        let id = try store(archive, contents: [hash("a")], at: now)
        let asset = try #require(try archive.assets(of: id).first)
        #expect(try archive.keep(asset, at: now + 5))
        #expect(try !archive.keep(asset, at: now + 6))
        archive.close()
        let again = try Archive(folder: folder)
        let kept = try #require(try again.keptAssets().first)
        #expect(
            kept == KeptAsset(hash: hash("a"), bytes: 7, run: asset.run, port: "out.1", name: "cat.jpg", at: now + 5))
        #expect(
            try again.keptAssets().count == 1 && again.release(content: hash("a")) && !again.release(content: hash("a"))
        )
        #expect(try again.keptAssets().isEmpty)
    }

    @Test(arguments: [
        ("w1.1.1.out.2", "b"), ("w1.1.out.2", "b"), ("w2.1.1.out.1", "b"), ("w2.1", "b"), ("bbbbbb", "b"),
        ("BBBBBBBB", "b"),
        ("w1.1", "ab"),
        ("w1.1.1", "ab"), ("w1.2", ""), ("w7.1", ""), ("cccccc", ""), ("w1.1.2.out.2", ""), ("w1.1.out", ""),
    ])
    func assetsAreFoundByTheirNames(name: String, found: String) throws {
        _ = try store(archive, contents: [hash("a"), hash("b")], at: now)
        _ = try store(archive, contents: [hash("b")], at: now)
        let assets = try archive.assets(named: try #require(AssetName(parsing: name)))
        #expect(Set(assets.map { $0.hash.hex.prefix(1) }).sorted().joined() == found)
    }

    @Test(arguments: [
        "", "w", "w1", "w0.1.image", "w1.0", "w1.x", "abc", "abcdeg1", "w1.1.0.out", String(repeating: "a", count: 65),
    ])
    func whatIsNoNameOfAnAssetIsNone(name: String) { #expect(AssetName(parsing: name) == nil) }

    /// Whoever takes a workflow up commits that first; until then what it left behind may go.
    @Test func onlyWhatIsOverIsClearedAway() throws {
        let done = try store(archive, contents: [], at: now)
        let open = try store(archive, contents: [], outcome: nil, at: now)
        var cleared: [Int64] = []
        for id in [done, open, WorkflowID(99)] {
            if try archive.ifOver(id, { cleared.append(id.number) }) { #expect(try archive.isOver(id)) }
        }
        #expect(cleared == [done.number, 99])
        try archive.put(.retry(step: nil), for: done, at: now)
        #expect(try !archive.isOver(done), "somebody wants something of it")
    }

    @Test func hashesAreSeenInTexts() {
        let (a, b) = (hash("a"), hash("0"))
        #expect(ContentHash.named(in: "x\(a)y \(b), \(a.hex.dropLast()) \(a)\(b.hex) " + b.hex) == [a, b])
        #expect(ContentHash.named(in: "").isEmpty && ContentHash.named(in: a.hex.uppercased()).isEmpty)
    }
}

import CaseNames
import Consent
import Engine
import GRDB
import Harness
import JSON
import Synchronization
import Testing
import Vocabulary
import Workflows

@testable import Storage

/// The rows of steps and outcomes are what the events tell, whatever happened; and can be made anew from them.
@Suite(.serialized) struct RebuildTests {
    /// A workflow of a random form, whose tools fail, refuse, are cut and are taken up again as the seed wants.
    private func life(of seed: UInt64) async throws -> (EngineRig, WorkflowID) {
        var random = Seeded(seed)
        let kinds = ["Work", "Work", "Pass", "Once", "Remote"]
        var words: [String] = []
        for index in 0..<Int.random(in: 2...9, using: &random) {
            let producers = (0..<index).filter { _ in random.chance(30) }.map { "n\($0)" }
            let kind = random.chance(15) ? "Write" : kinds.randomElement(using: &random)!
            words.append("n\(index):\(kind)" + (producers.isEmpty ? "" : "(\(producers.joined(separator: ",")))"))
        }
        let faults = Mutex(random)
        let rig = try EngineRig { _, assignment, _ in
            let draw = faults.withLock { Int.random(in: 0..<100, using: &$0) }
            if draw < 12 { return .failed(Failure("broken", "It broke.", remedy: "Mend it.")) }
            if draw < 20, assignment.manifest.isIdempotent {
                return .failed(Failure("busy", "Busy.", isTransient: true))
            }
            return nil
        }
        let policy = random.chance(50) ? "fail-fast" : "isolate-node"
        let id = try rig.make(words.joined(separator: " "), mode: random.chance(50) ? .auto : .adaptive, policy: policy)
        var engine = try rig.start()
        for round in 0..<4 {
            try await settle(rig, id, engine)
            for record in try rig.openAwaits() where record.step.workflow == id {
                if random.chance(70) {
                    _ = try rig.approve(record)
                } else {
                    _ = try rig.archive.answer(
                        record.number, .no(reason: "no"), approvals: [], by: "me", at: rig.state.withLock { $0.now })
                }
            }
            engine.look()
            switch Int.random(in: 0..<5, using: &random) {
            case 0: try rig.archive.put(.cancel, for: id, at: rig.state.withLock { $0.now })
            case 1:
                let rerun = Rerun(step: Int.random(in: 1...words.count, using: &random), isBelow: random.chance(50))
                try rig.archive.put(.rerun(rerun), for: id, at: rig.state.withLock { $0.now })
            case 2: try rig.archive.put(.retry(step: nil), for: id, at: rig.state.withLock { $0.now })
            case 3:
                rig.kill("one\(round == 0 ? "" : "\(round)")")
                engine = try rig.start("one\(round + 1)")
            default: break
            }
            engine.look()
        }
        try await settle(rig, id, engine)
        for owner in ["one", "one1", "one2", "one3", "one4"] { rig.kill(owner) }
        // Whoever is still on the way to a commit comes too late.
        try await rig.archive.writer.write { try $0.execute(sql: "UPDATE workflows SET fence = fence + 100") }
        return (rig, id)
    }

    /// Until nothing changes for a while. Time goes on meanwhile, so that what waits for it goes on, too.
    private func settle(_ rig: EngineRig, _ id: WorkflowID, _ engine: Engine) async throws {
        var (before, quiet) = (-1, 0)
        for _ in 0..<400 where quiet < 8 {
            try await Task.sleep(for: .milliseconds(5))
            let count = try rig.archive.events(of: id, limit: 100_000).count
            quiet = count == before ? quiet + 1 : 0
            before = count
            let looks = rig.state.withLock { state in
                state.now = state.now + 100
                return state.looks.values.reduce(0, +)
            }
            engine.look()
            // On a busy machine nothing changes for a while before the engine's thread has its turn.
            try await rig.until("a look") { rig.state.withLock { $0.looks.values.reduce(0, +) > looks } }
        }
    }

    private func steps(_ rig: EngineRig, _ id: WorkflowID) throws -> [StepRecord] {
        try rig.archive.steps(of: id).map { step in
            var step = step
            // Not told by events: see `Projection`.
            step.dueAt = nil
            step.failure?.cause = nil
            return step
        }
    }

    @Test(arguments: [0..<10, 10..<20, 20..<30, 30..<40] as [Range<UInt64>]) func rowsAreWhatTheirEventsTell(
        seeds: Range<UInt64>
    )
        async throws
    {
        var outcomes: Set<String> = []
        for seed in seeds {
            let (rig, id) = try await life(of: seed)
            #expect(try rig.archive.differences(of: id) == [], "seed \(seed)")
            #expect(try rig.archive.contradiction(in: id) == nil, "seed \(seed)")
            let (before, outcome) = (try steps(rig, id), try rig.outcome(id))
            outcomes.insert(outcome?.rawValue ?? "open")
            let nodes = before.map { (id: $0.node, kind: $0.kind) }
            let now = rig.state.withLock { $0.now }
            #expect(try rig.archive.rebuild(id, nodes: nodes, at: now) == 0, "seed \(seed)")
            // All of it is lost, or wrong; and made anew.
            try await rig.archive.writer.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA foreign_keys = OFF")
                try db.execute(
                    sql: """
                        UPDATE steps SET state = 'ready', attempt = 77, tries = 55, reason_code = 'x', failure = NULL WHERE workflow = ?1;
                        """, arguments: [id.number])
                try db.execute(sql: "DELETE FROM steps WHERE workflow = ? AND step = 1", arguments: [id.number])
                try db.execute(
                    sql: "UPDATE workflows SET outcome = iif(outcome IS NULL, 'failed', NULL) WHERE id = ?",
                    arguments: [id.number])
                try db.execute(sql: "PRAGMA foreign_keys = ON")
            }
            #expect(try !rig.archive.differences(of: id).isEmpty)
            #expect(try rig.archive.rebuild(id, nodes: nodes, at: now) == before.count + 1)
            #expect(try rig.archive.differences(of: id) == [], "seed \(seed)")
            var after = try steps(rig, id)
            // A step that nothing has happened to has no event: when it was made, and what it waited for then, is not
            // told.
            for index in after.indices where before[index].attempt == 0 && before[index].state == .blocked {
                (after[index].updatedAt, after[index].reason) = (before[index].updatedAt, before[index].reason)
            }
            for (one, other) in zip(after, before) { #expect(one == other, "seed \(seed)") }
            #expect(try rig.outcome(id) == outcome, "seed \(seed)")
        }
        #expect(outcomes.count >= 2, "\(outcomes)")
    }

    /// The graph of a life, with another kind for some node or with one more: what a person's edit makes of it.
    private func edited(_ text: String, _ random: inout Seeded) throws -> String {
        var template = try #require(TemplateReader.read(Array(text.utf8)).0)
        if random.chance(30) {
            let (from, id) = (template.nodes.randomElement(using: &random)!, "x\(template.nodes.count)")
            template.nodes.append(
                Template.Node(id: id, kind: "Work", inputs: [Port("in", .any)], outputs: [Port("out", .any)]))
            template.edges.append(
                Template.Edge(from: Template.Endpoint(from.id, "out"), to: Template.Endpoint(id, "in")))
        } else {
            let index = template.nodes.indices.randomElement(using: &random)!
            template.nodes[index].kind = template.nodes[index].kind == "Work" ? "Pass" : "Work"
        }
        return template.json.text
    }

    /// Edits, pins, re-runs and retries of what is over and of what is not, in any order: after each of them, when all
    /// is quiet, the rows are what the events tell.
    @Test(arguments: 0..<8 as Range<UInt64>) func rowsAreWhatTheirEventsTellAlsoAfterEditsAndPins(seed: UInt64)
        async throws
    {
        // Another content now and then: only that makes anything stale. A run draws by its number, not by its turn.
        let rig = try EngineRig { rig, assignment, _ in
            let run = UInt64(1000 * assignment.run.step.index + assignment.run.attempt)
            var chance = Seeded(seed << 32 ^ run)
            let draw = Int.random(in: 0..<100, using: &chance)
            if draw < 6 { return .failed(Failure("broken", "It broke.", remedy: "Mend it.")) }
            return .succeeded(
                rig.assets(of: assignment).map { asset in
                    var asset = asset
                    asset.hash = ContentHash(hex: String(repeating: String(draw % 3), count: 64))
                    return asset
                })
        }
        var random = Seeded(seed)
        let policy = random.chance(50) ? "fail-fast" : "isolate-node"
        let id = try rig.make("a:Work b:Work(a) c:Pass(b) d:Work(a) e:Work(c,d)", mode: .auto, policy: policy)
        let engine = try rig.start()
        var staleWhenOver = 0
        for round in 0..<14 {
            try await settle(rig, id, engine)
            #expect(try rig.archive.differences(of: id) == [], "seed \(seed), before round \(round)")
            let steps = try rig.archive.steps(of: id)
            if try rig.outcome(id) != nil, steps.contains(where: { $0.staleSince != nil }) { staleWhenOver += 1 }
            let step = Int.random(in: 1...steps.count, using: &random)
            let verb: Command.Verb
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let graph = try #require(try rig.archive.graph(of: id))
                verb = .revise(template: try edited(graph.template, &random))
            case 2:
                let port = ["a", "b", "c", "d", "in"].randomElement(using: &random)!
                verb = .pin(step: step, port: port, attempt: random.chance(60) ? 1 : nil)
            case 3: verb = .rerun(Rerun(step: random.chance(80) ? step : nil, isBelow: random.chance(50)))
            case 4: verb = .retry(step: random.chance(50) ? step : nil)
            default: verb = random.chance(20) ? .cancel : .rerun(Rerun(step: 1))
            }
            try rig.archive.put(verb, for: id, at: rig.state.withLock { $0.now })
            engine.look()
        }
        #expect(staleWhenOver > 0, "seed \(seed)")
        rig.kill("one")
    }

    @Test func whoeverCarriedItHearsThatItWasRebuilt() async throws {
        let rig = try EngineRig()
        let id = try rig.make("a:Write b:Work(a)")
        try rig.start()
        try await rig.until("the question") { try !rig.openAwaits().isEmpty }
        rig.kill("one")
        try rig.archive.write { try $0.execute(sql: "UPDATE steps SET state = 'ready' WHERE step = 1") }
        let now = rig.state.withLock { $0.now }
        #expect(try rig.archive.rebuild(id, nodes: [("a", "Write"), ("b", "Work")], at: now) == 1)
        var batch = Batch(workflow: id, fence: 1)
        batch.outcome = .some(.failed)
        #expect(try rig.archive.commit([batch]).lost == [id])
        _ = try rig.approve(try #require(try rig.openAwaits().first))
        try rig.start("two")
        #expect(try await rig.finished(id) == .succeeded)
        #expect(rig.runs("a") == 1 && rig.runs("b") == 1)
    }

    @Test func aWorkflowThatIsSetAsideHoldsNobodyUp() async throws {
        let rig = try EngineRig()
        let (bad, good) = (try rig.make("a:Work"), try rig.make("a:Work"))
        try rig.archive.quarantine(bad, reason: "Bad.", at: rig.state.withLock { $0.now })
        let engine = try rig.start()
        #expect(try await rig.finished(good) == .succeeded)
        #expect(try rig.outcome(bad) == nil && rig.runs("a") == 1)
        _ = try rig.archive.release(bad)
        rig.state.withLock { $0.now = $0.now + 5 }
        engine.look()
        #expect(try await rig.finished(bad) == .succeeded)
    }

    @Test func eventsThatCannotBeReadAreNotBelieved() {
        let now = Moment(milliseconds: 1)
        func event(_ type: String, _ body: JSON, step: Int? = 1) -> EventRecord {
            EventRecord(at: now, step: step, attempt: nil, type: type, body: body)
        }
        for bad in [
            event("step.changed", ["state": "sleeping"]), event("step.changed", .null),
            event("step.changed", ["state": "ready"], step: nil),
            event("step.changed", ["state": "ready"], step: 0), event("workflow.finished", ["outcome": "lost"]),
        ] { #expect(Projection([bad]).isGarbled) }
        let told = Projection([
            event("step.changed", ["state": "ready", "tries": 4, "due": 99]), event("something.new", ["state": "x"]),
        ])
        #expect(!told.isGarbled && told.steps[1]?.tries == 4 && told.steps[1]?.dueAt == Moment(milliseconds: 99))
    }
}

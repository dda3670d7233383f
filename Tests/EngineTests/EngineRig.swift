import CaseNames
import Consent
import Engine
import Glibc
import Harness
import JSON
import Storage
import Synchronization
import Testing
import Vocabulary
import Workflows

/// A real archive in a scratch folder, scripted tools, a clock that the test moves, and engines that can be killed. It
/// ends with the test: engines that live are stopped then, and the threads of those that were "killed" have nothing of
/// it.
final class EngineRig: Sendable {
    struct State {
        var now = Moment(milliseconds: 1_000_000_000)
        var events: [Event] = []
        /// Node → how often its tool ran.
        var runs: [String: Int] = [:]
        var running: [Queue: Int] = [:]
        var mostRunning: [Queue: Int] = [:]
        var inputs: [String: [[String]]] = [:]
        /// What a finished child leaves behind.
        var exitRecords: [RunID: RunEnding] = [:]
        var expected: Set<RunID> = []
        var killed: Set<RunID> = []
        /// The attempts whose rehearsals were removed.
        var forgotten: Set<RunID> = []
        var living: Set<String> = []
        /// What the file that `Write` overwrites looks like.
        var fileSize: Int64 = 1
        var hits: [FailPoint: Int] = [:]
        /// How often a workflow was read from the database to be carried.
        var loads = 0
        /// The number of times that each engine has looked for what others have changed.
        var looks: [String: Int] = [:]
        /// Commits that came too late, by whom.
        var lost: [String: Set<WorkflowID>] = [:]
        var policy = Policy.modesOnly
        var preparations = 0
        var arePreparationsHeld = false
        var rehearsals = 0
    }

    /// Engines keep it, and not the rig.
    final class Shared: Sendable {
        private let state = Mutex(State())

        func withLock<Value>(_ body: (inout sending State) throws -> sending Value) rethrows -> Value {
            try state.withLock(body)
        }
    }

    let state = Shared()
    private let scratch: ScratchFolder
    var folder: String { scratch.path }
    let archive: Archive
    private let engines = Mutex<[Engine]>([])
    /// What a tool does, by node.
    let script: @Sendable (EngineRig, Assignment, String) -> RunEnding?

    init(script: @escaping @Sendable (EngineRig, Assignment, String) -> RunEnding? = { _, _, _ in nil }) throws {
        scratch = try ScratchFolder()
        archive = try Archive(folder: scratch.path)
        self.script = script
    }

    deinit { for engine in engines.withLock({ $0 }) { engine.stop {} } }

    static let catalogue: Catalogue = {
        func tool(
            _ kind: String, effects: Set<Effect> = [], isIdempotent: Bool = true, queue: Queue = .local,
            params: [ToolManifest.Param] = []
        )
            -> ToolManifest
        {
            ToolManifest(
                kind: kind, title: kind, outputs: [], hasOpenPorts: true, params: params, effects: effects,
                isIdempotent: isIdempotent,
                queue: queue,
                action: .builtin(kind.lowercased()))
        }
        return Catalogue(
            [
                tool("Pass", queue: .none), tool("Work"), tool("Remote", queue: .remote),
                tool("Write", effects: [.overwrites]),
                tool("Once", effects: [.creates], isIdempotent: false), tool("Refused", effects: [.creates]),
                tool("Rehearsed", effects: [.executes]),
                tool("Delay", queue: .none, params: [.init(name: "seconds", kind: .number, isRequired: true)]),
                tool("Secret", effects: [.overwrites], params: [.init(name: "key", kind: .text, isSecret: true)]),
                ToolManifest(
                    kind: "Job", title: "Job", outputs: [], hasOpenPorts: true, queue: .remote,
                    action: .job(.init(provider: "p"))),
            ], providers: [JobTerms(provider: "p", idempotency: .put, concurrent: 1)])
    }()

    // MARK: Workflows

    /// `"a:Work b:Work(a) c:Pass(a,b)"`: nodes with their producers.
    func make(
        _ words: String, owner: String = "maker", mode: ConfirmationMode = .adaptive, onAsk: OnAsk = .park,
        policy: String = "isolate-node",
        local: Int = 2, params: [String: String] = [:], awaits: [String: String] = [:]
    ) throws -> WorkflowID {
        var nodes: [String] = []
        var edges: [String] = []
        for word in words.split(separator: " ") {
            let parts = word.split(whereSeparator: { ":()".contains($0) }).map(String.init)
            let gate = awaits[parts[0]].map { #","await":\#($0)"# } ?? ""
            nodes.append(#"{"id":"\#(parts[0])","kind":"\#(parts[1])","params":\#(params[parts[0]] ?? "{}")\#(gate)}"#)
            for producer in parts.count > 2 ? parts[2].split(separator: ",") : [] {
                edges.append(#"{"from":["\#(producer)","out"],"to":["\#(parts[0])","\#(producer)"]}"#)
            }
        }
        let text =
            #"{"schema":"app.workflow/v2","name":"w","nodes":[\#(nodes.joined(separator: ","))],"edges":[\#(edges.joined(separator: ","))],"#
            + #""options":{"errorPolicy":"\#(policy)","concurrency":{"local":\#(local)}}}"#
        let template = try #require(TemplateReader.read(Array(text.utf8)).0)
        let graph = try #require(check(template, against: Self.catalogue).0)
        let now = state.withLock { $0.now }
        let record = WorkflowRecord(
            id: WorkflowID(0), title: "w", workspace: "/w", mode: mode, onAsk: onAsk, createdAt: now, updatedAt: now)
        return try archive.create(record, template: text, owner: owner) {
            Flow.initialSteps(of: graph, workflow: $0, at: now)
        }.0.id
    }

    // MARK: Engines

    static func shared(_ file: SlotFile) -> World.SharedSlots {
        World.SharedSlots(
            take: { file.take($0, of: $1) }, give: { file.give($1, of: $0) }, stopWaiting: { file.stopWaiting(for: $0) }
        )
    }

    /// - Parameter crash: where and at which hit the engine's thread stands still for ever, as if its process had been
    ///   killed.
    @discardableResult
    func start(
        _ owner: String = "one", crash: (FailPoint, Int)? = nil, shared: World.SharedSlots = World.SharedSlots(),
        working: @escaping @Sendable (StepID?) -> Void = { _ in },
        beforeCommit: @escaping @Sendable () throws(Failure) -> Void = {}
    ) throws -> Engine {
        state.withLock {
            $0.living.insert(owner)
            $0.hits = [:]
        }
        let (archive, state) = (try Archive(folder: folder), state)
        let ledger = World.Ledger(
            commit: { batches throws(Failure) in
                try beforeCommit()
                let committed = try archive.commit(batches)
                state.withLock { $0.lost[owner, default: []].formUnion(committed.lost) }
                return committed
            },
            claim: { () throws(Failure) in
                try archive.claim(for: owner) { name in state.withLock { $0.living.contains(name) } }
            },
            ownedByOthers: { ids throws(Failure) in try archive.owned(byOthersThan: owner, of: ids) },
            load: { id throws(Failure) in
                state.withLock { $0.loads += 1 }
                return try archive.loadSound(id, for: owner)
            },
            waitingCommands: { () throws(Failure) in try archive.waitingCommands(for: owner) },
            take: { commands throws(Failure) in try archive.take(commands, for: owner, at: state.withLock { $0.now }) },
            approvals: { id throws(Failure) in try archive.approvals(of: id) },
            history: { id throws(Failure) in try archive.history(of: id) },
            await: { number throws(Failure) in try archive.await(numbered: number) },
            isJobHeld: { provider, id, key throws(Failure) in
                try archive.isJobHeld(provider: provider, id: id, key: key)
            },
            expiries: { () throws(Failure) in try archive.expiries(for: owner) },
            putAside: { id, failure throws(Failure) in
                try archive.quarantine(id, reason: failure.message, at: state.withLock { $0.now })
            },
            version: { () throws(Failure) in
                state.withLock { $0.looks[owner, default: 0] += 1 }
                return try archive.dataVersion()
            }, lostRuns: { run throws(Failure) in try archive.lostRuns(before: run) },
            spendingOfTurn: { id throws(Failure) in try archive.spendingOfTurn(of: id) }
        )
        let tools = World.Tools(
            catalogue: { Self.catalogue }, prepare: { Self.prepare($0, state) },
            rehearse: { _, _, _ in
                state.withLock { $0.rehearsals += 1 }
                return .failure(Failure("commandFailed", "It ended with 1."))
            },
            forget: { run, _ in state.withLock { _ = $0.forgotten.insert(run) } },
            run: { [weak self] assignment, _ in self?.run(assignment, owner) ?? .lost },
            recover: { assignment in state.withLock { $0.exitRecords[assignment.run] } ?? .lost },
            expect: { run in state.withLock { _ = $0.expected.insert(run) } },
            // Nobody else can be reached.
            kill: { run in state.withLock { if $0.expected.contains(run) { $0.killed.insert(run) } } },
            isInstant: { $0.kind == "Pass" })
        let engine = Engine(
            world: World(
                now: { state.withLock { $0.now } }, ledger: ledger, tools: tools, onWorker: { inBackground($0) },
                emit: { event in state.withLock { $0.events.append(event) } },
                reach: { Self.reach($0, owner, crash, state) }, working: working,
                policy: { _ in state.withLock { $0.policy } },
                surroundings: { Surroundings(workspace: $0) }, shared: shared))
        engine.start()
        engines.withLock { $0.append(engine) }
        return engine
    }

    private static func reach(_ point: FailPoint, _ owner: String, _ crash: (FailPoint, Int)?, _ state: Shared) {
        let isDead = state.withLock { state in
            state.hits[point, default: 0] += 1
            guard let crash, crash.0 == point, crash.1 == state.hits[point] else {
                return !state.living.contains(owner)
            }
            state.living.remove(owner)
            return true
        }
        while isDead { pause() }
    }

    private static func prepare(_ assignment: Assignment, _ state: Shared) -> Result<Call, Failure> {
        state.withLock { $0.preparations += 1 }
        while state.withLock({ $0.arePreparationsHeld }) { usleep(1000) }
        switch assignment.manifest.kind {
        case "Refused": return .failure(Failure("targetExists", "It is there already."))
        case "Rehearsed":
            let target = Call.Target(.reads, .path("/elsewhere"), reach: .outside, before: .absent)
            return .success(
                Call(
                    tool: "Rehearsed", toolVersion: .ofNothing, params: assignment.params, targets: [target],
                    rehearsal: .wanted))
        default: break
        }
        let size = state.withLock { $0.fileSize }
        let effect = assignment.manifest.effects.first ?? .reads
        let file = Call.Before.file(device: 1, inode: 1, size: size, modifiedNanoseconds: 0, hash: nil)
        let target = Call.Target(
            effect, .path("/w/file"), reach: .workspace, before: effect == .overwrites ? file : .absent)
        return .success(
            Call(
                tool: assignment.manifest.kind, toolVersion: .ofNothing, params: assignment.params,
                inputs: assignment.inputs.map { Call.Input(port: $0.port, from: $0.from, hash: $0.asset?.hash) },
                targets: assignment.manifest.effects.isEmpty ? [] : [target], effects: assignment.manifest.effects))
    }

    private func run(_ assignment: Assignment, _ owner: String) -> RunEnding {
        let node = node(of: assignment.run.step)
        let queue = assignment.manifest.queue
        let isAlive = state.withLock { state in
            guard state.living.contains(owner) else { return false }
            state.runs[node, default: 0] += 1
            state.inputs[node, default: []].append(
                assignment.inputs.compactMap { input in input.asset.map { "\($0.run).\(input.port)" } })
            state.running[queue, default: 0] += 1
            state.mostRunning[queue] = max(state.mostRunning[queue] ?? 0, state.running[queue]!)
            return true
        }
        guard isAlive else { return .lost }
        let ending = script(self, assignment, node) ?? .succeeded(assets(of: assignment))
        state.withLock {
            $0.running[queue]! -= 1
            $0.exitRecords[assignment.run] = ending
        }
        return ending
    }

    func assets(of assignment: Assignment) -> [Asset] {
        assignment.outputs.map {
            Asset(run: assignment.run, port: $0.name, type: $0.type, hash: .ofNothing, bytes: 0, name: "x")
        }
    }

    private func node(of step: StepID) -> String { (try? archive.steps(of: step.workflow)[step.index - 1].node) ?? "?" }

    // MARK: Looking

    func kill(_ owner: String) { state.withLock { _ = $0.living.remove(owner) } }

    func runs(_ node: String) -> Int { state.withLock { $0.runs[node] ?? 0 } }

    func outcome(_ id: WorkflowID) throws -> Outcome? { try archive.summaries(only: id).first?.record.outcome }

    func step(_ id: WorkflowID, _ node: String) throws -> StepRecord {
        try #require(try archive.steps(of: id).first { $0.node == node })
    }

    func openAwaits() throws -> [AwaitRecord] { try archive.awaits() }

    func until(_ what: String = "", location: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool)
        async throws
    {
        if try await eventually(holds) { return }
        Issue.record("It never came: \(what)", sourceLocation: location)
        throw CancellationError()
    }

    /// Waits until an engine has looked so many times more for what others have changed.
    func looks(_ owner: String = "one", more count: Int = 3, location: SourceLocation = #_sourceLocation) async throws {
        let before = state.withLock { $0.looks[owner] ?? 0 }
        try await until("looks of \(owner)", location: location) {
            state.withLock { $0.looks[owner] ?? 0 } >= before + count
        }
    }

    func finished(_ id: WorkflowID, location: SourceLocation = #_sourceLocation) async throws -> Outcome? {
        try await until("the end of \(id)", location: location) { try outcome(id) != nil }
        return try outcome(id)
    }

    func approve(_ record: AwaitRecord, with archive: Archive? = nil) throws -> Archive.Answered {
        let (now, epoch) = state.withLock { ($0.now, $0.policy.epoch) }
        let approval = Approval(
            digest: try #require(record.digest), isPlanned: false, step: record.step, awaitNumber: record.number,
            by: "me", at: now,
            expiresAt: now + 3600, policyEpoch: epoch)
        return try (archive ?? self.archive).answer(record.number, .yes, approvals: [approval], by: "me", at: now)
    }
}

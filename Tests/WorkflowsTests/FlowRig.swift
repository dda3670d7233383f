import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// A flow driven by hand, with the rows that a database would hold.
struct FlowRig {
    var graph: Graph
    var record: WorkflowRecord
    var flow: Flow
    var now = Moment(milliseconds: 1_000_000)
    var random: any RandomNumberGenerator & Sendable = Seeded(1)
    var intents: [Flow.Intent] = []
    var events: [Event] = []
    var outcomes: [Outcome] = []
    /// Whether running jobs find a slot at once for what they send and fetch.
    var hasSlots = true
    // The rows.
    var steps: [StepRecord]
    var assets: [Asset] = []
    var awaits: [AwaitRecord] = []
    var runs: [RunID: String] = [:]
    var runRecords: [RunID: RunRecord] = [:]
    var endings: [RunID: RunEnding] = [:]

    /// - Parameters:
    ///   - edges: producer and consumer, by index.
    ///   - order: the computed order of each node that has one, by index.
    init(
        nodes: [Graph.Node], edges: [(Int, Int)] = [], order: [Int: StepOrder] = [:],
        policy: Template.ErrorPolicy = .failFast, providers: [JobTerms] = []
    ) {
        var nodes = nodes
        var consumers = [[Int]](repeating: [], count: nodes.count)
        for (from, to) in edges {
            nodes[to].inputs.append(
                Graph.Input(port: "in\(nodes[to].inputs.count)", isOptional: false, producer: (from, "out")))
            consumers[from].append(to)
        }
        var graph = Graph(
            name: "w", options: Template.Options(errorPolicy: policy), nodes: nodes, consumers: consumers,
            providers: providers)
        graph.setOrder(nodes.indices.map { order[$0] ?? StepOrder() })
        self.init(graph: graph)
    }

    init(graph: Graph) {
        self.graph = graph
        record = WorkflowRecord(id: WorkflowID(1), title: "w", workspace: "/w", createdAt: now, updatedAt: now)
        steps = Flow.initialSteps(of: graph, workflow: record.id, at: now)
        flow = Flow(graph: graph, record: record, steps: steps)
        feed(.begin)
    }

    static func node(
        _ id: String, isIdempotent: Bool = true, isPure: Bool = true, queue: Queue = .local, delay: Double? = nil,
        missing: Reason? = nil
    ) -> Graph.Node {
        Graph.Node(
            id: id, kind: "T", params: JSON.Object(), inputs: [], outputs: [Port("out", .any)], queue: queue,
            isIdempotent: isIdempotent,
            isPure: isPure, awaits: nil, missing: missing, delaySeconds: delay)
    }

    /// A step whose job is bought at the first provider.
    static func job(_ id: String) -> Graph.Node {
        var node = node(id, isIdempotent: false, isPure: false, queue: .remote)
        node.provider = 0
        return node
    }

    /// The words by which a provider names a job.
    static func named(_ id: String) -> JSON.Object {
        var captured = JSON.Object()
        captured["jobId"] = .string(id)
        return captured
    }

    static func person(_ id: String, _ type: AwaitType, onTimeout: OnTimeout = .cancel, expires: Double? = nil)
        -> Graph.Node
    {
        var node = node(id, queue: .none)
        node.isPerson = true
        node.awaits = Template.AwaitSpec(type: type, expiresInSeconds: expires, onTimeout: onTimeout)
        return node
    }

    /// An answer to the newest request. Status, results and cancel need not have been asked for: time passes unseen
    /// here.
    mutating func hear(_ index: Int, _ verb: JobRequest.Verb, _ answer: JobAnswer) {
        if verb != .submit, verb != .find, flow.jobs[index]?.requests[verb] == nil, flow.steps[index].state.isRunning {
            let number = flow.nextRequest()
            flow.jobs[index]?.requests[verb] = number
        }
        feed(
            .job(
                index, attempt: flow.steps[index].attempt, verb, request: flow.jobs[index]?.requests[verb] ?? 0, answer)
        )
    }

    /// The requests to providers among the intents.
    mutating func takeRequests() -> [JobRequest.Verb] {
        takeIntents().compactMap { if case .job(_, _, let verb, _, _) = $0 { verb } else { nil } }
    }

    /// As the engine does: what earlier attempts were made of is looked up first.
    mutating func again(_ input: Flow.Input) {
        flow.remember(history)
        feed(input)
    }

    /// Runs a step to an output of the given content.
    mutating func make(_ index: Int, _ content: String) {
        admit(index)
        finish(index, content)
    }

    mutating func finish(_ index: Int, _ content: String) {
        var made = asset(of: index)
        made.hash = ContentHash(hex: content)
        end(index, .succeeded([made]))
    }

    mutating func revise(to new: Graph) {
        flow.remember(history)
        let batch = change { flow, transition in flow.revise(to: new, template: "", in: &transition) }
        steps += batch.stepsAdded
        commit(batch)
        graph = new
    }

    /// When the flow wants to be woken, as seconds from now.
    mutating func takeAlarm(_ index: Int) -> Double? {
        takeIntents().compactMap { intent in
            switch intent {
            case .wake(index, let at), .wakeByWall(index, let at): at.seconds(since: now)
            default: nil
            }
        }.last
    }

    mutating func pass(seconds: Double, due index: Int) {
        now = now + seconds
        feed(.due(index))
    }

    /// One input, one commit.
    mutating func feed(_ input: Flow.Input) { feed([input]) }

    /// Several inputs in one commit.
    mutating func feed(_ inputs: [Flow.Input]) {
        commit(change { flow, transition in for input in inputs { flow.step(input, in: &transition) } })
        guard hasSlots, let place = intents.firstIndex(where: waitsToTransfer) else { return }
        guard case .consider(let index) = intents.remove(at: place) else { return }
        feed(.admitted(index, callDigest: nil))
    }

    /// Returns the changes, which are not committed. The wishes are among the intents.
    mutating func change(_ change: (inout Flow, inout Transition) -> Void) -> Batch {
        var transition = Transition(now: now, random: random, batch: Batch(workflow: record.id, fence: 1))
        change(&flow, &transition)
        random = transition.random
        intents += transition.intents
        return transition.batch
    }

    private func waitsToTransfer(_ intent: Flow.Intent) -> Bool {
        if case .consider(let index) = intent { flow.waitsToTransfer(index) } else { false }
    }

    private mutating func commit(_ batch: Batch) {
        for step in flow.takeTouched() { steps[step.id.index - 1] = step }
        for run in batch.runsStarted {
            #expect(runs[run.id] == nil, "a run starts once")
            runs[run.id] = "running"
            runRecords[run.id] = run
        }
        for end in batch.runsEnded {
            #expect(runs[end.run] == "running", "a run ends once")
            runs[end.run] = "ended"
            runRecords[end.run]!.finishedAt = end.at
            endings[end.run] = end.ending
            if case .succeeded(let made) = end.ending { assets += made }
        }
        for close in batch.awaitsClosed {
            let index = Int(close.number) - 1
            #expect(awaits[index].status != .done, "an await is closed once")
            awaits[index].status = .done
            awaits[index].resolution = close.resolution
        }
        for var opened in batch.awaitsOpened {
            #expect(!awaits.contains { $0.step == opened.step && $0.status != .done }, "one await per need (row 48)")
            opened.number = Int64(awaits.count) + 1
            awaits.append(opened)
            flow.note(await: opened)
        }
        for (run, job) in batch.jobs { runRecords[run]!.job = job }
        if let paused = batch.pollingPausedAt { record.pollingPausedAt = paused }
        if let outcome = batch.outcome {
            record.outcome = outcome
            record.isCancelRequested = false
            if let outcome { outcomes.append(outcome) }
        }
        if batch.cancels, batch.outcome ?? nil == nil { record.isCancelRequested = true }
        events += batch.events
    }

    /// Throws the flow away and makes it again from the rows.
    mutating func restart() {
        let waiting = Set(steps.filter { $0.state == .awaitingUser }.map(\.id))
        flow = Flow(
            graph: graph, record: record, steps: steps, outputs: newestAssets,
            openAwaits: awaits.filter { $0.status != .done && waiting.contains($0.step) },
            running: runRecords.values.filter { $0.finishedAt == nil })
        if flow.needsHistory { flow.remember(history) }
        intents = []
        feed(.begin)
    }

    /// What the store knows of earlier attempts.
    var history: WorkflowHistory {
        let ended = Dictionary(grouping: runRecords.values.filter { $0.finishedAt != nil }) { $0.id.step }
        return WorkflowHistory(
            runs: ended.values.compactMap { $0.max { $0.id.attempt < $1.id.attempt } }, assets: assets)
    }

    private var newestAssets: [Asset] {
        let newest = Dictionary(grouping: assets) { $0.run.step }.mapValues { $0.map(\.run.attempt).max() }
        return assets.filter { newest[$0.run.step] == $0.run.attempt }
    }

    mutating func admit(_ index: Int) { feed(.admitted(index, callDigest: nil)) }

    mutating func end(_ index: Int, _ ending: RunEnding) {
        feed(.ended(index, attempt: flow.steps[index].attempt, ending))
    }

    mutating func succeed(_ index: Int) { end(index, .succeeded([asset(of: index)])) }

    mutating func run(_ index: Int) {
        admit(index)
        succeed(index)
    }

    mutating func fail(_ index: Int, _ failure: Failure = Failure("broken", "It broke.")) {
        admit(index)
        end(index, .failed(failure))
    }

    mutating func ask(_ index: Int, type: AwaitType = .confirmCall) { feed(.asked(index, question(index, type))) }

    func question(_ index: Int, _ type: AwaitType = .confirmCall) -> AwaitRecord {
        AwaitRecord(step: StepID(record.id, index + 1), type: type, title: "?", reason: "because", createdAt: now)
    }

    func asset(of index: Int) -> Asset {
        Asset(
            run: RunID(flow.steps[index].id, attempt: flow.steps[index].attempt), port: "out", type: .any,
            hash: .ofNothing, bytes: 0,
            name: "x")
    }

    var states: [StepState] { flow.steps.map(\.state) }
    var openAwaits: [AwaitRecord] { awaits.filter { $0.status != .done } }

    mutating func takeIntents() -> [Flow.Intent] {
        defer { intents = [] }
        return intents
    }
}

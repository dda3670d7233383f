package import JSON
package import Vocabulary

/// One workflow while it is carried out: the state of each step and what may happen next.
///
/// Pure: time and chance come in, changes go into a batch, wishes for the outside come back as intents. Nothing in it
/// is authoritative; after a crash it is built again from the records. Every input costs in proportion to the steps it
/// changes: producers that are not settled yet are counted, never looked for again.
package struct Flow: Sendable {
    package internal(set) var graph: Graph
    package let workflow: WorkflowID
    package internal(set) var steps: [StepRecord]
    /// The newest outputs of each step, by port.
    package internal(set) var outputs: [[String: Asset]]
    package internal(set) var isCancelRequested: Bool
    package internal(set) var outcome: Outcome?
    /// Since when the status of jobs is not asked for.
    package internal(set) var pollingPausedAt: Moment?
    /// What the attempts that run were started with: it holds whatever their producers do meanwhile.
    package internal(set) var frozen: [Int: Frozen] = [:]
    /// The runs of jobs that have not ended, by step.
    package internal(set) var jobs: [Int: JobRun] = [:]
    /// What earlier attempts were made of; `nil` until it is needed.
    var history: History?
    /// What pinned inputs take: step → port → asset.
    var pinned: [Int: [String: Asset]] = [:]
    private(set) var requestCount = 0
    /// Steps that were passed over and whose consumers have not heard of it.
    var passedOver: [Int] = []
    /// Begins the names of our jobs at providers, so that two databases never name two jobs alike.
    let jobPrefix: String

    /// Required or optional producers that have not settled, per step.
    var pending: [Int]
    /// The await that a step waits for: open, or answered and not yet heard of.
    var openAwaits: [Int: OpenAwait]
    var readyCount = 0
    var runningCount = 0
    var awaitingCount = 0
    var failedCount = 0
    /// Failed and cancelled steps that a retry has not set aside: under `fail-fast` they hold everything back.
    private var haltingCount = 0
    private var touched: [Int] = []
    private var isTouched: [Bool]

    /// What one attempt is made of.
    package struct Frozen: Hashable, Sendable {
        package var inputs: [String: Asset]
        package var params: JSON.Object
        package var toolVersion: ContentHash?

        package init(inputs: [String: Asset], params: JSON.Object, toolVersion: ContentHash? = nil) {
            self.inputs = inputs
            self.params = params
            self.toolVersion = toolVersion
        }
    }

    /// - Parameters:
    ///   - steps: one record a node, in the order of the graph.
    ///   - outputs: the assets of the newest successful run of each step.
    ///   - running: attempts that have not ended.
    ///   - requestCount: the number of the last request that was made of it before: answers to that may still come.
    package init(
        graph: Graph, record: WorkflowRecord, steps: [StepRecord], outputs assets: [Asset] = [],
        openAwaits: [AwaitRecord] = [],
        running: [RunRecord] = [], pinned: [PinnedInput] = [], jobPrefix: String = "assent", requestCount: Int = 0
    ) {
        precondition(steps.count == graph.nodes.count, "one record for each node")
        self.graph = graph
        self.jobPrefix = jobPrefix
        self.requestCount = requestCount
        workflow = record.id
        self.steps = steps
        isCancelRequested = record.isCancelRequested
        outcome = record.outcome
        pollingPausedAt = record.pollingPausedAt
        outputs = Array(repeating: [:], count: steps.count)
        isTouched = Array(repeating: false, count: steps.count)
        for asset in assets { outputs[asset.run.step.index - 1][asset.port] = asset }
        self.openAwaits = Dictionary(openAwaits.map { ($0.step.index - 1, OpenAwait($0)) }) { _, newer in newer }
        for run in running where run.id.attempt == steps[run.id.step.index - 1].attempt {
            frozen[run.id.step.index - 1] = Frozen(inputs: run.inputs, params: run.params, toolVersion: run.toolVersion)
            if let job = run.job { jobs[run.id.step.index - 1] = JobRun(job) }
        }
        for pin in pinned { self.pinned[pin.step - 1, default: [:]][pin.port] = pin.asset }
        pending = Array(repeating: 0, count: steps.count)
        for index in graph.nodes.indices {
            pending[index] = unsettledProducers(of: index)
            count(index, by: 1)
        }
    }

    /// Returns the number of the next request to a provider.
    mutating func nextRequest() -> Int {
        requestCount += 1
        return requestCount
    }

    struct OpenAwait: Hashable {
        var number: Int64
        var type: AwaitType
        var isAboutCall: Bool
        var expiresAt: Moment?
        /// What a gate stands before.
        var digest: ContentHash?

        init(_ record: AwaitRecord) {
            number = record.number
            type = record.type
            isAboutCall = record.isAboutCall
            expiresAt = record.expiresAt
            digest = record.digest
        }
    }

    func unsettledProducers(of index: Int) -> Int {
        graph.nodes[index].inputs.count { input in input.producer.map { steps[$0.node].state != .succeeded } ?? false }
            + graph.nodes[index].control.count { steps[$0].state != .succeeded }
    }

    /// The first records of a workflow that has just been made.
    package static func initialSteps(of graph: Graph, workflow: WorkflowID, at now: Moment) -> [StepRecord] {
        graph.nodes.enumerated().map { index, node in
            StepRecord(
                id: StepID(workflow, index + 1), node: node.id, kind: node.kind, reason: node.missing, updatedAt: now)
        }
    }

    /// After a failure or a refusal under `fail-fast` nothing new starts until somebody retries
    /// (`semantics.md` 12 and 187).
    package var isHalted: Bool { isCancelRequested || (haltingCount > 0 && graph.options.errorPolicy == .failFast) }

    /// Whether nothing can happen until a person answers.
    package var isWaitingForPerson: Bool { outcome == nil && runningCount == 0 && readyCount == 0 && awaitingCount > 0 }

    /// What is plugged into a step's inputs now: the newest of its producers, or what it is pinned to (`semantics.md`
    /// 20).
    package func inputs(of index: Int) -> [String: Asset] {
        let pins = pinned[index]
        var inputs: [String: Asset] = [:]
        for input in graph.nodes[index].inputs {
            if let asset = pins?[input.port] {
                inputs[input.port] = asset
            } else if let producer = input.producer, !isPassedOver(producer.node),
                let asset = outputs[producer.node][producer.port]
            {
                inputs[input.port] = asset
            }
        }
        return inputs
    }

    /// What the next attempt of a step is made of: the snapshot that it repeats, or what its producers and its node
    /// give now.
    package func material(of index: Int) -> Frozen {
        if let running = frozen[index] { return running }
        if let attempt = steps[index].replays, let old = history?.runs[index], old.attempt == attempt {
            return old.frozen
        }
        return Frozen(inputs: inputs(of: index), params: params(of: index))
    }

    /// As its node says, with what a person changed.
    package func params(of index: Int) -> JSON.Object {
        guard let edits = steps[index].edits else { return graph.nodes[index].params }
        var params = graph.nodes[index].params
        for member in edits.members { params[member.key] = member.value }
        return params
    }

    /// The rows that changed since the last call: each once, in its newest form.
    package mutating func takeTouched() -> [StepRecord] {
        defer {
            for index in touched { isTouched[index] = false }
            touched.removeAll(keepingCapacity: true)
        }
        return touched.map { steps[$0] }
    }

    /// The database has given this await its number.
    package mutating func note(await record: AwaitRecord) {
        openAwaits[record.step.index - 1] = OpenAwait(record)
    }

    package func openAwait(of index: Int) -> Int64? { openAwaits[index]?.number }

    /// Whether the step waits for a yes to its call, rather than at a gate of the template.
    package func waitsForConsent(_ index: Int) -> Bool { openAwaits[index]?.isAboutCall ?? false }

    /// Whether a question about a call is open: the only one that may be asked while it is waited for (`semantics.md`
    /// 47).
    package var hasOpenQuestion: Bool { openAwaits.values.contains(where: \.isAboutCall) }

    // MARK: Moving one step

    /// Moves a step along the table and records the event.
    mutating func move(
        _ index: Int, _ happened: StepEvent, reason: Reason? = nil, failure: Failure? = nil, phase: String? = nil,
        in transition: inout Transition
    ) {
        guard let next = steps[index].state.after(happened) else {
            preconditionFailure("\(steps[index].id): \(happened) cannot happen in \(steps[index].state)")
        }
        count(index, by: -1)
        steps[index].state = next
        steps[index].reason = reason
        count(index, by: 1)
        steps[index].failure = failure
        steps[index].dueAt = nil
        steps[index].updatedAt = transition.now
        touch(index)
        let run =
            next == .blocked || (next == .ready && steps[index].attempt == 0)
            ? nil : RunID(steps[index].id, attempt: steps[index].attempt)
        transition.batch.events.append(
            event(
                index, .stepChanged(next, phase: phase, reason: reason, progress: nil, failure: failure), run: run,
                now: transition.now))
    }

    func event(_ index: Int, _ kind: Event.Kind, run: RunID? = nil, now: Moment) -> Event {
        Event(at: now, workflow: workflow, step: index + 1, node: steps[index].node, run: run, kind)
    }

    mutating func touch(_ index: Int) {
        guard !isTouched[index] else { return }
        isTouched[index] = true
        touched.append(index)
    }

    mutating func setReason(_ reason: Reason?, of index: Int, in transition: inout Transition) {
        guard steps[index].reason != reason else { return }
        count(index, by: -1)
        steps[index].reason = reason
        count(index, by: 1)
        steps[index].updatedAt = transition.now
        touch(index)
        transition.batch.events.append(
            event(
                index,
                .stepChanged(
                    steps[index].state, phase: nil, reason: reason, progress: nil, failure: steps[index].failure),
                now: transition.now)
        )
    }

    /// Steps that a new graph revision brought.
    mutating func append(_ added: [StepRecord]) {
        for step in added {
            steps.append(step)
            outputs.append([:])
            pending.append(0)
            isTouched.append(false)
            count(steps.count - 1, by: 1)
        }
    }

    private mutating func count(_ index: Int, by amount: Int) {
        switch steps[index].state {
        case .ready: readyCount += amount
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: runningCount += amount
        case .awaitingUser: awaitingCount += amount
        case .failed: failedCount += amount
        case .blocked, .succeeded, .cancelled: break
        }
        if steps[index].state == .failed || steps[index].state == .cancelled, !isSetAside(index) {
            haltingCount += amount
        }
    }

    /// It failed or was refused, and somebody retried others since, or took it out of the graph: it no longer holds
    /// them back. The mark is in the row.
    func isSetAside(_ index: Int) -> Bool { steps[index].reason?.code == .setAside || isRemoved(steps[index]) }
}

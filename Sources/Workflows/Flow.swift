package import JSON
package import Vocabulary

/// The state of a workflow that runs: the state of each step, and what may happen next.
///
/// The type is pure: time and chance come in, changes go into a batch, and wishes for the outside come back as intents.
/// After a crash it is built again from the records. An input costs time in proportion to the steps that it changes,
/// since unsettled producers are counted and never searched.
package struct Flow: Sendable {
    package internal(set) var graph: Graph
    package let workflow: WorkflowID
    package internal(set) var steps: [StepRecord]
    /// The newest outputs of each step, by port.
    package internal(set) var outputs: [[String: Asset]]
    package internal(set) var isCancelRequested: Bool
    package internal(set) var outcome: Outcome?
    /// The moment when the user paused the status checks of jobs. `nil` if they are not paused.
    package internal(set) var pollingPausedAt: Moment?
    /// The inputs and parameters with which each running attempt was started. Later outputs of producers do not change
    /// them.
    package internal(set) var frozen: [Int: Frozen] = [:]
    /// The jobs that have not ended, by the index of their step.
    package internal(set) var jobs: [Int: JobRun] = [:]
    /// The inputs and outputs of earlier attempts. `nil` until they are needed and loaded.
    var history: History?
    /// The assets to which inputs are pinned, by step and port.
    var pinned: [Int: [String: Asset]] = [:]
    private(set) var requestCount = 0
    /// The steps that were passed over and whose consumers do not know yet.
    var passedOver: [Int] = []
    /// The prefix of the names of jobs at providers, so that two databases never give two jobs the same name.
    let jobPrefix: String

    /// The number of required and optional producers that have not settled, by step.
    var pending: [Int]
    /// The steps that hold up others by the computed order. `nil` if the graph has no such order.
    var order: OrderState?
    /// The await of each waiting step, by its index. It is open, or its answer has not reached the flow yet.
    var openAwaits: [Int: OpenAwait]
    var readyCount = 0
    var runningCount = 0
    var awaitingCount = 0
    var failedCount = 0
    /// The number of failed and cancelled steps that no retry has set aside. Under `fail-fast` they stop the whole
    /// workflow.
    private var haltingCount = 0
    private var touched: [Int] = []
    private var isTouched: [Bool]

    /// The inputs, parameters and tool version of an attempt.
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

    /// Builds the flow of a workflow from its records.
    ///
    /// - Parameters:
    ///   - steps: one record for each node, in the order of the graph.
    ///   - outputs: the assets of the newest successful run of each step.
    ///   - running: the attempts that have not ended.
    ///   - requestCount: the number of the last request to a provider before. Its answer may still come.
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
        countOrder()
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
        /// The digest of the inputs and parameters that a yes at a gate covers.
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

    /// Returns the first step records of a new workflow.
    ///
    /// - Parameter numbering: the nodes of the graph in the order in which they are stored. Without it, that is the
    ///   order of the graph.
    package static func initialSteps(
        of graph: Graph, numbering: [Int]? = nil, workflow: WorkflowID, at now: Moment
    ) -> [StepRecord] {
        (numbering ?? Array(graph.nodes.indices)).enumerated().map { index, place in
            let node = graph.nodes[place]
            return StepRecord(
                id: StepID(workflow, index + 1), node: node.id, kind: node.kind, reason: node.missing, updatedAt: now)
        }
    }

    /// Whether nothing new may start: after a cancel, or under `fail-fast` after a failure or refusal until a retry
    /// (`semantics.md` 12 and 187).
    package var isHalted: Bool { isCancelRequested || (haltingCount > 0 && graph.options.errorPolicy == .failFast) }

    /// Whether nothing can happen until a person answers.
    package var isWaitingForPerson: Bool { outcome == nil && runningCount == 0 && readyCount == 0 && awaitingCount > 0 }

    /// Returns the assets that the inputs of a step have now, by port: the newest of its producers, or the pinned ones
    /// (`semantics.md` 20).
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

    /// Returns the inputs and parameters of the current or next attempt of a step. A retry repeats those of an earlier
    /// attempt.
    package func material(of index: Int) -> Frozen {
        if let running = frozen[index] { return running }
        if let attempt = steps[index].replays, let old = history?.runs[index], old.attempt == attempt {
            return old.frozen
        }
        return Frozen(inputs: inputs(of: index), params: params(of: index))
    }

    /// Returns the parameters of a step: those of its node, with the changes of a person.
    package func params(of index: Int) -> JSON.Object {
        guard let edits = steps[index].edits else { return graph.nodes[index].params }
        var params = graph.nodes[index].params
        for member in edits.members { params[member.key] = member.value }
        return params
    }

    /// Returns the step records that changed since the last call, each once in its newest form.
    package mutating func takeTouched() -> [StepRecord] {
        defer {
            for index in touched { isTouched[index] = false }
            touched.removeAll(keepingCapacity: true)
        }
        return touched.map { steps[$0] }
    }

    /// Records the number that the database gave to an await.
    package mutating func note(await record: AwaitRecord) {
        openAwaits[record.step.index - 1] = OpenAwait(record)
    }

    package func openAwait(of index: Int) -> Int64? { openAwaits[index]?.number }

    /// Whether the step waits for a yes to its call, rather than at a gate of the template.
    package func waitsForConsent(_ index: Int) -> Bool { openAwaits[index]?.isAboutCall ?? false }

    /// Whether a question about a call is open. No other question may be asked during the wait for its answer
    /// (`semantics.md` 47).
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
        // What runs again from the start cannot have been overtaken.
        if next == .ready, jobs[index] == nil { steps[index].staleSince = nil }
        steps[index].updatedAt = transition.now
        touch(index)
        noteOrder(of: index)
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
        noteOrder(of: index)
        transition.batch.events.append(
            event(
                index,
                .stepChanged(
                    steps[index].state, phase: nil, reason: reason, progress: nil, failure: steps[index].failure),
                now: transition.now)
        )
    }

    /// Adds the steps of a new graph revision.
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

    /// Returns whether a failed or cancelled step no longer stops others, since a person retried other steps or removed
    /// it from the graph. The mark is in the row.
    func isSetAside(_ index: Int) -> Bool { steps[index].reason?.code == .setAside || isRemoved(steps[index]) }
}

package import Vocabulary

/// One workflow while it is carried out: the state of each step and what may happen next.
///
/// Pure: time and chance come in, changes go into a batch, wishes for the outside come back as intents. Nothing in it is authoritative;
/// after a crash it is built again from the records. Every input costs in proportion to the steps it changes: producers that are not
/// settled yet are counted, never looked for again.
package struct Flow: Sendable {
    package let graph: Graph
    package let workflow: WorkflowID
    package internal(set) var steps: [StepRecord]
    /// The newest outputs of each step, by port.
    package internal(set) var outputs: [[String: Asset]]
    package internal(set) var isCancelRequested: Bool
    package internal(set) var outcome: Outcome?

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

    /// - Parameters:
    ///   - steps: one record a node, in the order of the graph.
    ///   - outputs: the assets of the newest successful runs.
    package init(graph: Graph, record: WorkflowRecord, steps: [StepRecord], outputs assets: [Asset] = [], openAwaits: [AwaitRecord] = []) {
        precondition(steps.count == graph.nodes.count, "one record for each node")
        self.graph = graph
        workflow = record.id
        self.steps = steps
        isCancelRequested = record.isCancelRequested
        outcome = record.outcome
        outputs = Array(repeating: [:], count: steps.count)
        isTouched = Array(repeating: false, count: steps.count)
        for asset in assets where asset.run.attempt == steps[asset.run.step.index - 1].attempt {
            outputs[asset.run.step.index - 1][asset.port] = asset
        }
        self.openAwaits = Dictionary(openAwaits.map { ($0.step.index - 1, OpenAwait(number: $0.number, type: $0.type)) }) { _, newer in
            newer
        }
        pending = Array(repeating: 0, count: steps.count)
        for (index, node) in graph.nodes.enumerated() {
            pending[index] = node.inputs.count { input in input.producer.map { steps[$0.node].state != .succeeded } ?? false }
            count(index, by: 1)
        }
    }

    struct OpenAwait: Hashable {
        var number: Int64
        var type: AwaitType
    }

    /// The first records of a workflow that has just been made.
    package static func initialSteps(of graph: Graph, workflow: WorkflowID, at now: Moment) -> [StepRecord] {
        graph.nodes.enumerated().map { index, node in
            StepRecord(id: StepID(workflow, index + 1), node: node.id, kind: node.kind, reason: node.missing, updatedAt: now)
        }
    }

    /// After a failure or a refusal under `fail-fast` nothing new starts until somebody retries (`semantics.md` 12; `decisions.md`,
    /// Approvals).
    package var isHalted: Bool { isCancelRequested || (haltingCount > 0 && graph.options.errorPolicy == .failFast) }

    /// Whether nothing can happen until a person answers.
    package var isWaitingForPerson: Bool { outcome == nil && runningCount == 0 && readyCount == 0 && awaitingCount > 0 }

    /// What is plugged into a step's inputs now.
    package func inputs(of index: Int) -> [String: Asset] {
        var inputs: [String: Asset] = [:]
        for input in graph.nodes[index].inputs {
            if let producer = input.producer, let asset = outputs[producer.node][producer.port] { inputs[input.port] = asset }
        }
        return inputs
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
        openAwaits[record.step.index - 1] = OpenAwait(number: record.number, type: record.type)
    }

    package func openAwait(of index: Int) -> Int64? { openAwaits[index]?.number }

    /// Whether the step waits for a yes to its call, rather than at a gate of the template.
    package func waitsForConsent(_ index: Int) -> Bool { openAwaits[index]?.type == .confirmCall }

    // MARK: Moving one step

    /// Moves a step along the table and records the event.
    mutating func move(
        _ index: Int, _ happened: StepEvent, reason: Reason? = nil, failure: Failure? = nil, phase: String? = nil, now: Moment,
        into batch: inout Batch
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
        steps[index].updatedAt = now
        touch(index)
        let run =
            next == .blocked || (next == .ready && steps[index].attempt == 0) ? nil : RunID(steps[index].id, attempt: steps[index].attempt)
        batch.events.append(
            event(index, .stepChanged(next, phase: phase, reason: reason, progress: nil, failure: failure), run: run, now: now))
    }

    func event(_ index: Int, _ kind: Event.Kind, run: RunID? = nil, now: Moment) -> Event {
        Event(at: now, workflow: workflow, step: index + 1, node: steps[index].node, run: run, kind)
    }

    mutating func touch(_ index: Int) {
        guard !isTouched[index] else { return }
        isTouched[index] = true
        touched.append(index)
    }

    mutating func setReason(_ reason: Reason?, of index: Int, now: Moment, into batch: inout Batch) {
        guard steps[index].reason != reason else { return }
        count(index, by: -1)
        steps[index].reason = reason
        count(index, by: 1)
        steps[index].updatedAt = now
        touch(index)
        batch.events.append(
            event(
                index, .stepChanged(steps[index].state, phase: nil, reason: reason, progress: nil, failure: steps[index].failure), now: now)
        )
    }

    private mutating func count(_ index: Int, by amount: Int) {
        switch steps[index].state {
        case .ready: readyCount += amount
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: runningCount += amount
        case .awaitingUser: awaitingCount += amount
        case .failed: failedCount += amount
        case .blocked, .succeeded, .cancelled: break
        }
        if steps[index].state == .failed || steps[index].state == .cancelled, !isSetAside(index) { haltingCount += amount }
    }

    /// It failed or was refused, and somebody retried others since: it no longer holds them back. The mark is in the row.
    func isSetAside(_ index: Int) -> Bool { steps[index].reason?.code == "setAside" }
}

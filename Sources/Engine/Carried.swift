import Consent
import JSON
import Vocabulary
import Workflows

/// A workflow that this engine runs: its flow, its changes since the last commit, and its work under way.
///
/// It is an object, since only the engine's thread uses it, and many functions change parts of the same workflow.
final class Carried {
    var flow: Flow
    private(set) var record: WorkflowRecord
    /// The revision of the graph, counting the edit that the next commit stores.
    private(set) var graphRevision: Int
    private(set) var manifests: [ToolManifest?]
    var batch: Batch
    var approvals: [Approval]
    /// The spending that was allowed to this workflow, including the calls of the batch that is not committed yet.
    var spending: Spending
    /// The steps that wait for slots, by lane. A lane without a free slot does not hold up another one, and is never
    /// searched.
    private var waiting: [Lane: Line]
    /// The steps whose call is being looked at, with the number of the look. The result of an earlier look is ignored.
    var looks: [Int: Int]
    /// The steps whose command is being rehearsed.
    var rehearsing: Set<Int>
    /// The slots of steps that run, or whose call is being looked at.
    var slots: [Int: SlotKinds]
    /// The call that consent has allowed, by step, from the decision to the run.
    var allowed: [Int: Call]
    /// The deadlines of steps as they are stored, by index.
    var deadlines: [Int: StoredDeadline] = [:]
    /// Whether the store marks the workflow as resting: nothing can happen until a person answers or a time comes.
    private var isResting: Bool

    /// A line in which steps wait for slots. Jobs of one provider do not hold up those of another.
    enum Lane: Hashable {
        case queue(Queue)
        /// The jobs of a provider, by its name, since an edit of the graph can change its index.
        case provider(String)
        /// Running jobs that have something to look for or to fetch.
        case transfer
    }

    /// Creates the state of a workflow that was loaded from the store.
    ///
    /// - Parameter requestCount: the highest number that any unanswered request of the workflow can have.
    init(_ loaded: CarriedWorkflow, graph: Graph, catalogue: Catalogue, jobPrefix: String, requestCount: Int) {
        isResting = loaded.isResting
        record = loaded.record
        graphRevision = loaded.record.graphRevision
        manifests = graph.nodes.map { catalogue[$0.kind] }
        flow = Flow(
            graph: graph, record: loaded.record, steps: loaded.steps, outputs: loaded.assets,
            openAwaits: loaded.openAwaits,
            running: loaded.running.map { Self.withSecrets($0, graph, catalogue) }, pinned: loaded.pinned,
            jobPrefix: jobPrefix,
            requestCount: requestCount)
        batch = Batch(workflow: loaded.record.id, fence: loaded.fence)
        approvals = loaded.approvals
        spending = loaded.spending
        (waiting, looks, rehearsing, slots, allowed) = ([:], [:], [], [:], [:])
    }

    /// Makes an object of its own with the state of another one, which may then change.
    init(copying other: Carried) {
        flow = other.flow
        record = other.record
        graphRevision = other.graphRevision
        manifests = other.manifests
        batch = other.batch
        approvals = other.approvals
        spending = other.spending
        waiting = other.waiting
        looks = other.looks
        rehearsing = other.rehearsing
        slots = other.slots
        allowed = other.allowed
        deadlines = other.deadlines
        isResting = other.isResting
    }

    var id: WorkflowID { record.id }

    /// Returns the name of a step by its dense index.
    func stepID(_ index: Int) -> StepID { StepID(id, index + 1) }

    /// Returns the attempt that comes next for a step.
    func nextRun(_ index: Int) -> RunID { RunID(stepID(index), attempt: flow.steps[index].attempt + 1) }

    /// Returns a run with the secrets of its template. Runs are stored without secrets.
    private static func withSecrets(_ run: RunRecord, _ graph: Graph, _ catalogue: Catalogue) -> RunRecord {
        guard graph.nodes.indices.contains(run.id.step.index - 1) else { return run }
        let node = graph.nodes[run.id.step.index - 1]
        var whole = run
        for param in catalogue[node.kind]?.params ?? [] where param.isSecret {
            whole.params[param.name] = node.params[param.name]
        }
        return whole
    }

    /// Applies the terms of a command: later decisions use the stricter of both modes, and ask where `terms` says.
    ///
    /// - Returns: the terms that hold now, or `nil` if they have not changed.
    func tighten(to terms: AskTerms) -> AskTerms? {
        let (old, new) = (
            AskTerms(mode: record.mode, onAsk: record.onAsk),
            AskTerms(mode: .strictest(record.mode, terms.mode), onAsk: terms.onAsk)
        )
        guard new != old else { return nil }
        (record.mode, record.onAsk, batch.terms) = (new.mode, new.onAsk, new)
        return new
    }

    func remember(_ history: WorkflowHistory, _ catalogue: Catalogue) {
        var whole = history
        whole.runs = history.runs.map { Self.withSecrets($0, flow.graph, catalogue) }
        flow.remember(whole)
    }

    /// Returns what the flow wants done after the next commit.
    func step(
        _ input: Flow.Input, now: Moment, wall: Moment, random: inout any RandomNumberGenerator & Sendable
    ) -> [Flow.Intent] {
        change(now, wall, &random) { flow, transition in flow.step(input, in: &transition) }
    }

    /// Lets the flow change, and keeps its changes for the next commit.
    private func change(
        _ now: Moment, _ wall: Moment, _ random: inout any RandomNumberGenerator & Sendable,
        _ change: (inout Flow, inout Transition) -> Void
    ) -> [Flow.Intent] {
        var transition = Transition(now: now, wall: wall, random: random, batch: batch)
        // Moved, not copied: a second reference to its lists would copy them at the first change.
        batch = emptyBatch
        change(&flow, &transition)
        (batch, random) = (transition.batch, transition.random)
        return transition.intents
    }

    private var emptyBatch: Batch { Batch(workflow: batch.workflow, fence: batch.fence) }

    func revise(
        to graph: Graph, text: String, _ catalogue: Catalogue, now: Moment, wall: Moment,
        random: inout any RandomNumberGenerator & Sendable
    ) -> [Flow.Intent] {
        manifests = graph.nodes.map { catalogue[$0.kind] }
        graphRevision += 1
        let intents = change(now, wall, &random) { flow, transition in
            flow.revise(to: graph, template: text, in: &transition)
        }
        // What is ready gets into line anew; so does what runs and has something to send or to fetch.
        waiting = [:]
        for index in flow.steps.indices where flow.steps[index].state.isRunning && flow.waitsToTransfer(index) {
            wait(index)
        }
        return intents
    }

    // MARK: Waiting for a slot

    var hasWaiting: Bool { waiting.values.contains { !$0.isEmpty } }

    func lane(of index: Int) -> Lane {
        guard let provider = flow.graph.nodes[index].provider else { return .queue(flow.graph.nodes[index].queue) }
        // It is at its provider, whatever slots there are.
        if flow.hasTakenJob(index), !flow.steps[index].state.isRunning { return .queue(.none) }
        return slots[index]?.contains(.job) ?? false ? .transfer : .provider(flow.graph.providers[provider].provider)
    }

    func wait(_ index: Int) { waiting[lane(of: index), default: Line()].append(index) }

    /// Puts a step back to the front of its line, after it was taken out and could not start.
    func waitAgain(_ index: Int) { waiting[lane(of: index), default: Line()].putBack(index) }

    /// Returns the lanes of a queue in which a step waits, always in the same order.
    func lanes(of queue: Queue) -> [Lane] {
        let jobs = queue == .remote ? [.transfer] + flow.graph.providers.map { Lane.provider($0.provider) } : []
        return ([.queue(queue)] + jobs).filter { waiting[$0].map { !$0.isEmpty } ?? false }
    }

    /// Removes the step that has waited longest from a lane and returns it, or `nil` if the lane is empty.
    func nextWaiting(in lane: Lane) -> Int? { waiting[lane]?.popFirst() }

    /// Whether a step at the front of its line is to be looked at now. A step that must wait for its time is not, nor
    /// is a step that entered the line twice.
    func isFreeToGo(_ index: Int) -> Bool {
        if flow.waitsToTransfer(index) { return true }
        return flow.steps[index].state == .ready && flow.steps[index].dueAt == nil && looks[index] == nil
            && (!flow.isHalted || flow.jobs[index] != nil)
    }

    /// A queue of steps, in the order in which they became ready.
    private struct Line {
        private var items: [Int] = []
        /// The number of items that were already removed. Removing from the front of a long array would cost its length
        /// each time.
        private var taken = 0

        var isEmpty: Bool { taken == items.count }

        mutating func append(_ index: Int) { items.append(index) }

        mutating func putBack(_ index: Int) {
            guard taken > 0 else { return items.insert(index, at: 0) }
            taken -= 1
            items[taken] = index
        }

        mutating func popFirst() -> Int? {
            guard !isEmpty else { return nil }
            defer {
                taken += 1
                if isEmpty {
                    items.removeAll(keepingCapacity: true)
                    taken = 0
                }
            }
            return items[taken]
        }
    }

    /// Replaces the approvals with those of the database. Approvals that the current batch uses up are left out, since
    /// the database still has them as unused.
    func know(_ stored: [Approval]) {
        approvals = stored.filter { one in
            !batch.approvalsUsed.contains {
                $0.awaitNumber == one.awaitNumber && $0.step == one.step && $0.digest == one.digest
            }
        }
    }

    /// Returns how many of its steps hold a slot of one of these kinds.
    func held(_ kinds: SlotKinds) -> Int { slots.values.count { !$0.isDisjoint(with: kinds) } }

    /// Returns an attempt of a step as the tools see it, or `nil` if its tool is not installed.
    ///
    /// - Parameters:
    ///   - isPlanned: whether inputs whose producers have not run are given by name only, so that a plan can be looked
    ///     at before it starts.
    ///   - folder: returns the folder of an attempt.
    func assignment(_ index: Int, attempt: Int, isPlanned: Bool = false, in folder: (RunID) -> String) -> Assignment? {
        guard let manifest = manifests[index] else { return nil }
        let run = RunID(stepID(index), attempt: attempt)
        let node = flow.graph.nodes[index]
        let material = flow.material(of: index)
        let inputs = node.inputs.compactMap { input -> Assignment.Input? in
            guard let producer = input.producer else { return nil }
            let asset = material.inputs[input.port]
            guard asset != nil || isPlanned else { return nil }
            return Assignment.Input(
                input.port, asset, from: Template.Endpoint(flow.graph.nodes[producer.node].id, producer.port),
                expectedName: asset == nil ? expectedName(from: producer.node) : nil)
        }
        return Assignment(
            run: run, manifest: manifest, params: material.params, inputs: inputs, outputs: node.outputs,
            workspace: record.workspace,
            runFolder: folder(run))
    }

    /// Returns a guess at the name of an output that does not exist yet: that of the file that the chain begins with.
    /// If the guess is wrong, the real call is another one, and consent is asked for it again.
    private func expectedName(from producer: Int) -> String {
        var node = producer
        for _ in 0...flow.graph.nodes.count {
            if let path = flow.graph.nodes[node].params["path"]?.string {
                return path.split(separator: "/").last.map(String.init) ?? path
            }
            guard let next = flow.graph.nodes[node].inputs.lazy.compactMap(\.producer).first else { break }
            node = next.node
        }
        return "result"
    }

    /// Whether nothing can happen until a person answers or a time comes. A workflow does not rest while one of its
    /// steps is looked at or waits in a line.
    var isAtRest: Bool { flow.isWaitingForPerson && slots.isEmpty && looks.isEmpty && !hasWaiting }

    /// Removes the changes that are not committed yet and returns them, or `nil` if there are none.
    func takeBatch() -> Batch? {
        batch.steps = flow.takeTouched()
        let rests = isAtRest
        if rests != isResting { (isResting, batch.isResting) = (rests, rests) }
        guard !batch.isEmpty else { return nil }
        defer { batch = emptyBatch }
        return batch
    }
}

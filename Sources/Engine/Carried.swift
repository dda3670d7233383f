import Consent
import JSON
import Vocabulary
import Workflows

/// A workflow that this engine runs: its flow, what has changed since the last commit, and what is under way.
///
/// It is an object, since only the engine's thread uses it, and many functions change parts of the same workflow.
final class Carried {
    var flow: Flow
    private(set) var record: WorkflowRecord
    /// Of its graph, with the one that the next commit brings.
    private(set) var graphRevision: Int
    private(set) var manifests: [ToolManifest?]
    var batch: Batch
    var approvals: [Approval]
    /// With what the batch at hand lets go.
    var spending: Spending
    /// Steps that wait for slots, by lane, so that a full one holds no other up and is never searched.
    private var waiting: [Lane: Line]
    /// Steps whose call is being looked at, with the number of the look: an older one that still comes in is not this
    /// one.
    var looks: [Int: Int]
    /// Steps whose command is being rehearsed.
    var rehearsing: Set<Int>
    /// The slots that steps hold whose call is being looked at, or that run.
    var slots: [Int: SlotKinds]
    /// The call that consent has allowed, by step, from the decision to the run.
    var allowed: [Int: Call]
    /// What the store says of it: whether it can be left alone until somebody or some time comes.
    private var isResting: Bool

    /// Where a step waits for slots: jobs of one provider do not hold up those of another.
    enum Lane: Hashable {
        case queue(Queue)
        /// By its name: its place in the graph is another after an edit.
        case provider(String)
        /// Running jobs that have something to look for or to fetch.
        case transfer
    }

    /// - Parameter requestCount: no request that is still to be answered has a higher number.
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
        isResting = other.isResting
    }

    var id: WorkflowID { record.id }

    /// Returns the name of a step by its dense index.
    func stepID(_ index: Int) -> StepID { StepID(id, index + 1) }

    /// Returns the attempt that comes next for a step.
    func nextRun(_ index: Int) -> RunID { RunID(stepID(index), attempt: flow.steps[index].attempt + 1) }

    /// Runs are stored without their secrets, which are in the template that needs them.
    private static func withSecrets(_ run: RunRecord, _ graph: Graph, _ catalogue: Catalogue) -> RunRecord {
        guard graph.nodes.indices.contains(run.id.step.index - 1) else { return run }
        let node = graph.nodes[run.id.step.index - 1]
        var whole = run
        for param in catalogue[node.kind]?.params ?? [] where param.isSecret {
            whole.params[param.name] = node.params[param.name]
        }
        return whole
    }

    /// What comes from now on is decided under the stricter of both modes, and asks where these terms say.
    ///
    /// - Returns: what holds now; `nil` if that is what held before.
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
    func step(_ input: Flow.Input, now: Moment, random: inout any RandomNumberGenerator & Sendable)
        -> [Flow.Intent]
    {
        change(now, &random) { flow, transition in flow.step(input, in: &transition) }
    }

    /// Lets the flow change, and keeps its changes for the next commit.
    private func change(
        _ now: Moment, _ random: inout any RandomNumberGenerator & Sendable,
        _ change: (inout Flow, inout Transition) -> Void
    ) -> [Flow.Intent] {
        var transition = Transition(now: now, random: random, batch: batch)
        // Moved, not copied: a second reference to its lists would copy them at the first change.
        batch = emptyBatch
        change(&flow, &transition)
        (batch, random) = (transition.batch, transition.random)
        return transition.intents
    }

    private var emptyBatch: Batch { Batch(workflow: batch.workflow, fence: batch.fence) }

    func revise(
        to graph: Graph, text: String, _ catalogue: Catalogue, now: Moment,
        random: inout any RandomNumberGenerator & Sendable
    ) -> [Flow.Intent] {
        manifests = graph.nodes.map { catalogue[$0.kind] }
        graphRevision += 1
        let intents = change(now, &random) { flow, transition in
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

    /// It was taken out of its line and could not go.
    func waitAgain(_ index: Int) { waiting[lane(of: index), default: Line()].putBack(index) }

    /// The lanes of a queue in which a step waits, always in the same order.
    func lanes(of queue: Queue) -> [Lane] {
        let jobs = queue == .remote ? [.transfer] + flow.graph.providers.map { Lane.provider($0.provider) } : []
        return ([.queue(queue)] + jobs).filter { waiting[$0].map { !$0.isEmpty } ?? false }
    }

    /// The longest waiting step of a lane.
    func nextWaiting(in lane: Lane) -> Int? { waiting[lane]?.popFirst() }

    /// Whether a step that comes up in its line is to be looked at now. One that was put into line twice, or must wait
    /// for its time, is not.
    func isFreeToGo(_ index: Int) -> Bool {
        if flow.waitsToTransfer(index) { return true }
        return flow.steps[index].state == .ready && flow.steps[index].dueAt == nil && looks[index] == nil
            && (!flow.isHalted || flow.jobs[index] != nil)
    }

    /// Steps in the order in which they became ready.
    private struct Line {
        private var items: [Int] = []
        /// How far it has been worked off: removing from the front of a long list would cost its length each time.
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

    /// Approvals as the database has them; those that the batch at hand uses up are still unused there.
    func know(_ stored: [Approval]) {
        approvals = stored.filter { one in
            !batch.approvalsUsed.contains {
                $0.awaitNumber == one.awaitNumber && $0.step == one.step && $0.digest == one.digest
            }
        }
    }

    /// Returns how many of its steps hold a slot of one of these kinds.
    func held(_ kinds: SlotKinds) -> Int { slots.values.count { !$0.isDisjoint(with: kinds) } }

    /// The attempt as the tools see it.
    ///
    /// - Parameters:
    ///   - isPlanned: inputs whose producers have not run are there by name only, so that a plan can be looked at
    ///     before it starts.
    ///   - folder: where an attempt keeps its things.
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

    /// The name of an output that is not there yet, guessed from the file that the chain began with. A guess that turns
    /// out wrong makes another call, which is asked anew.
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

    /// Nothing can move until a person or a time comes. While a step is looked at, or waits in a line, it does not
    /// rest.
    var isAtRest: Bool { flow.isWaitingForPerson && slots.isEmpty && looks.isEmpty && !hasWaiting }

    /// What is changed and not yet committed; the batch is empty afterwards.
    func takeBatch() -> Batch? {
        batch.steps = flow.takeTouched()
        let rests = isAtRest
        if rests != isResting { (isResting, batch.isResting) = (rests, rests) }
        guard !batch.isEmpty else { return nil }
        defer { batch = emptyBatch }
        return batch
    }
}

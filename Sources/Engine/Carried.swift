import Consent
import JSON
import Vocabulary
import Workflows

/// One workflow that this engine carries: its flow, what has changed since the last commit, and what is under way.
struct Carried {
    var flow: Flow
    let record: WorkflowRecord
    let manifests: [ToolManifest?]
    var batch: Batch
    var approvals: [Approval]
    /// Ready steps by queue, so that a full one holds no other up and is never searched.
    private var waiting = Queue.allCases.map { _ in Line() }
    /// Steps whose call is being looked at, with the number of the look: an older one that still comes in is not this one.
    var looks: [Int: Int] = [:]
    /// Steps whose call is being looked at, and steps that run, with the queue whose slot they hold.
    var slots: [Int: Queue] = [:]
    /// The call that consent has allowed, by step, from the decision to the run.
    var allowed: [Int: Call] = [:]

    init(_ loaded: CarriedWorkflow, graph: Graph, catalogue: Catalogue) {
        flow = Flow(graph: graph, record: loaded.record, steps: loaded.steps, outputs: loaded.assets, openAwaits: loaded.openAwaits)
        record = loaded.record
        manifests = graph.nodes.map { catalogue[$0.kind] }
        batch = Batch(workflow: loaded.record.id, fence: loaded.fence)
        approvals = loaded.approvals
    }

    mutating func step(_ input: Flow.Input, now: Moment, random: inout some RandomNumberGenerator) -> [Flow.Intent] {
        flow.step(input, now: now, random: &random, into: &batch)
    }

    var hasWaiting: Bool { waiting.contains { !$0.isEmpty } }

    mutating func wait(_ index: Int) { waiting[place(of: flow.graph.nodes[index].queue)].append(index) }

    /// The longest waiting step of the first queue that has a free slot.
    mutating func nextWaiting(where isFree: (Queue) -> Bool) -> Int? {
        for queue in Queue.allCases where isFree(queue) {
            if let index = waiting[place(of: queue)].popFirst() { return index }
        }
        return nil
    }

    private func place(of queue: Queue) -> Int {
        switch queue {
        case .local: 0
        case .remote: 1
        case .none: 2
        }
    }

    /// Whether a step that comes up in its line is to be looked at now. One that was put into line twice, or must wait for its time,
    /// is not.
    func isFreeToGo(_ index: Int) -> Bool {
        flow.steps[index].state == .ready && flow.steps[index].dueAt == nil && looks[index] == nil
    }

    /// Steps in the order in which they became ready.
    private struct Line {
        private var items: [Int] = []
        /// How far it has been worked off: removing from the front of a long list would cost its length each time.
        private var taken = 0

        var isEmpty: Bool { taken == items.count }

        mutating func append(_ index: Int) { items.append(index) }

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
    mutating func know(_ stored: [Approval]) {
        approvals = stored.filter { one in
            !batch.approvalsUsed.contains { $0.awaitNumber == one.awaitNumber && $0.step == one.step && $0.digest == one.digest }
        }
    }

    func held(_ queue: Queue) -> Int { slots.values.count { $0 == queue } }

    /// The attempt as the tools see it.
    ///
    /// - Parameters:
    ///   - isPlanned: inputs whose producers have not run are there by name only, so that a plan can be looked at before it starts.
    ///   - folder: where an attempt keeps its things.
    func assignment(_ index: Int, attempt: Int, isPlanned: Bool = false, in folder: (RunID) -> String) -> Assignment? {
        guard let manifest = manifests[index] else { return nil }
        let run = RunID(StepID(record.id, index + 1), attempt: attempt)
        let node = flow.graph.nodes[index]
        let inputs = node.inputs.compactMap { input -> Assignment.Input? in
            guard let producer = input.producer else { return nil }
            let asset = flow.outputs[producer.node][producer.port]
            guard asset != nil || isPlanned else { return nil }
            return Assignment.Input(
                input.port, asset, from: Template.Endpoint(flow.graph.nodes[producer.node].id, producer.port),
                expectedName: asset == nil ? expectedName(from: producer.node) : nil)
        }
        return Assignment(
            run: run, manifest: manifest, params: node.params, inputs: inputs, outputs: node.outputs, workspace: record.workspace,
            runFolder: folder(run))
    }

    /// The name of an output that is not there yet, guessed from the file that the chain began with. A guess that turns out wrong makes
    /// another call, which is asked anew.
    private func expectedName(from producer: Int) -> String {
        var node = producer
        for _ in 0...flow.graph.nodes.count {
            if let path = flow.graph.nodes[node].params["path"]?.string { return path.split(separator: "/").last.map(String.init) ?? path }
            guard let next = flow.graph.nodes[node].inputs.lazy.compactMap(\.producer).first else { break }
            node = next.node
        }
        return "result"
    }

    /// What is changed and not yet committed; the batch is empty afterwards.
    mutating func takeBatch() -> Batch? {
        batch.steps = flow.takeTouched()
        guard !batch.isEmpty else { return nil }
        defer { batch = Batch(workflow: batch.workflow, fence: batch.fence) }
        return batch
    }
}

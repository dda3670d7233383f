import JSON
package import Vocabulary

extension Flow {
    /// Returns the steps that an input would make this workflow run. It plays copies of the flow to their end, and
    /// changes nothing.
    ///
    /// The copies assume that each run succeeds, and that each person does the requested work. One pair of copies
    /// assumes that every run gives new content, the other that it gives the same content as before. A step that runs
    /// in both is certain, and a step that runs only with new content depends on content (`semantics.md` 24).
    ///
    /// Each pair plays the runs that make other steps stale once last and once first. If several such races happen at
    /// once, not every combination is played.
    ///
    /// - Parameter fault: returns the reason if a step cannot repeat an earlier attempt, as `faultOfRepeating` does.
    package func forecast(of input: Input, now: Moment, fault: @escaping (Flow, Int) -> Failure? = { _, _ in nil })
        -> Forecast
    {
        func played(_ input: Input?, keepsContent: Bool) -> [Rehearsal] {
            [false, true].map { isStaleFirst in
                var rehearsal = Rehearsal(
                    self, keepsContent: keepsContent, isStaleFirst: isStaleFirst, now: now, fault: fault)
                rehearsal.play(input)
                return rehearsal
            }
        }
        let (changed, same) = (played(input, keepsContent: false), played(input, keepsContent: true))
        // What happens without it too is not its doing.
        let without = played(nil, keepsContent: false) + played(nil, keepsContent: true)
        let anyway = Set(without.flatMap(\.runs))
        let certain = (changed + same).map { Set($0.runs.map(\.run)) }
        var named: Set<RunID> = []
        let runs = (changed + same).flatMap(\.runs).filter { !anyway.contains($0) && named.insert($0.run).inserted }.map
        { run in
            var run = run
            run.isCertain = certain.allSatisfy { $0.contains(run.run) }
            return run
        }
        let stale = steps.indices.filter { index in
            changed.contains { $0.flow.steps[index].staleSince != nil }
                && !without.contains { $0.flow.steps[index].staleSince != nil }
        }
        return Forecast(runs: runs, stale: stale.map { $0 + 1 })
    }

    /// Returns why an earlier attempt cannot be repeated exactly: its tool has another version, or content of its
    /// inputs is missing (`semantics.md` 25, 26). `nil` if it can.
    package func faultOfRepeating(_ index: Int, with manifest: ToolManifest?, holds: (Asset) -> Bool) -> Failure? {
        guard steps[index].replays != nil else { return nil }
        let material = material(of: index)
        if let version = material.toolVersion, let manifest, manifest.version != version {
            return Failure(
                .toolChanged, "\(manifest.title) is another version than the one that failed.",
                remedy: "Re-run step \(graph.word(of: index)) with the latest.")
        }
        guard let gone = material.inputs.values.sorted(by: { $0.port < $1.port }).first(where: { !holds($0) }) else {
            return nil
        }
        return Failure(
            .pinnedInputMissing, "\"\(gone.name)\", which the failed run consumed, is gone.",
            remedy: "Re-run step \(graph.word(of: index)) with the latest.")
    }
}

/// A copy of a flow that is played to its end, with runs that all succeed.
private struct Rehearsal {
    private(set) var flow: Flow
    private let before: Flow
    private let keepsContent: Bool
    private let fault: (Flow, Int) -> Failure?
    private var now: Moment
    private(set) var runs: [Forecast.Run] = []
    private var made: Set<RunID> = []
    private let isStaleFirst: Bool
    private var queue = Line<Flow.Intent>()
    /// The runs that have not ended and that make a finished step stale. The other runs are in `quiet`.
    private var stirring = Line<Int>()
    private var quiet = Line<Int>()

    /// A source of chance that always gives 0, since delays do not matter in a forecast.
    private struct NoChance: RandomNumberGenerator {
        mutating func next() -> UInt64 { 0 }
    }

    init(_ flow: Flow, keepsContent: Bool, isStaleFirst: Bool, now: Moment, fault: @escaping (Flow, Int) -> Failure?) {
        (self.flow, before) = (flow, flow)
        self.keepsContent = keepsContent
        self.isStaleFirst = isStaleFirst
        self.now = now
        self.fault = fault
    }

    mutating func play(_ input: Flow.Input?) {
        if let input { feed(input) }
        // What was under way already goes on.
        if flow.outcome == nil {
            for index in flow.steps.indices {
                switch before.steps[index].state {
                case .ready: queue.append(.consider(index))
                case .runningLocal, .queuedRemote, .runningRemote, .downloading, .awaitingUser: run(index)
                case .blocked, .succeeded, .failed, .cancelled: break
                }
            }
        }
        while true {
            if isStaleFirst, let index = stirring.next() {
                finish(index)
            } else if let intent = queue.next() {
                act(intent)
            } else if let index = quiet.next() ?? stirring.next() {
                finish(index)
            } else {
                return
            }
        }
    }

    private mutating func act(_ intent: Flow.Intent) {
        switch intent {
        case .consider(let index): start(index)
        case .wake(let index, let moment):
            guard flow.steps[index].dueAt != nil, flow.steps[index].state == .ready else { return }
            now = max(now, moment)
            feed(.due(index))
        case .run(let index, _), .recover(let index, _), .job(let index, _, _, _, _): run(index)
        // A delay is over at once; its wake comes to nothing.
        case .kill, .wakeByWall, .expire, .finished: break
        }
    }

    private mutating func run(_ index: Int) {
        if flow.graph.consumers[index].contains(where: { flow.steps[$0].state == .succeeded }) {
            stirring.append(index)
        } else {
            quiet.append(index)
        }
    }

    private struct Line<Element> {
        private var items: [Element] = []
        private var taken = 0

        mutating func append(_ item: Element) { items.append(item) }

        mutating func next() -> Element? {
            guard taken < items.count else { return nil }
            taken += 1
            return items[taken - 1]
        }
    }

    private mutating func feed(_ input: Flow.Input) {
        let repeating = input.step.flatMap { flow.steps.indices.contains($0) ? flow.steps[$0].replays : nil }
        var transition = Transition(
            now: now, random: NoChance(), batch: Batch(workflow: flow.workflow, fence: 0))
        flow.step(input, in: &transition)
        for intent in transition.intents { queue.append(intent) }
        for run in transition.batch.runsStarted { note(run, repeating) }
        for opened in transition.batch.awaitsOpened { flow.note(await: opened) }
    }

    private mutating func note(_ run: RunRecord, _ repeats: Int?) {
        let index = run.id.step.index - 1
        let node = flow.graph.nodes[index]
        made.insert(run.id)
        runs.append(
            Forecast.Run(
                run: run.id, node: node.id, kind: node.kind, inputs: inputs(of: index, run.inputs), params: run.params,
                repeats: repeats,
                needsPerson: node.isPerson || node.awaits != nil))
    }

    private func inputs(of index: Int, _ assets: [String: Asset]) -> [Forecast.Input] {
        flow.graph.nodes[index].inputs.compactMap { input in
            guard let asset = assets[input.port] else { return nil }
            return Forecast.Input(
                input.port, made.contains(asset.run) ? .coming(asset.run, port: asset.port) : .asset(asset))
        }
    }

    // MARK: What happens to a step

    private mutating func start(_ index: Int) {
        guard flow.steps[index].state == .ready, flow.steps[index].dueAt == nil else { return }
        if let failure = fault(flow, index) {
            let node = flow.graph.nodes[index]
            let material = flow.material(of: index)
            runs.append(
                Forecast.Run(
                    run: RunID(flow.steps[index].id, attempt: flow.steps[index].attempt + 1), node: node.id,
                    kind: node.kind,
                    inputs: inputs(of: index, material.inputs), params: material.params,
                    repeats: flow.steps[index].replays,
                    fault: failure))
            return feed(.refused(index, failure, isCancelled: false))
        }
        guard flow.graph.nodes[index].isPerson else {
            feed(.admitted(index, callDigest: nil))
            // A delay has no intent but its time.
            if flow.graph.nodes[index].delaySeconds != nil { run(index) }
            return
        }
        feed(
            .asked(index, AwaitRecord(step: flow.steps[index].id, type: .choose, title: "", reason: "", createdAt: now))
        )
        run(index)
    }

    private mutating func answer(_ index: Int) {
        if flow.graph.nodes[index].isPerson {
            return feed(.completed(index, .outputs(outputs(of: index)), agreed: nil, by: ""))
        }
        guard flow.jobs[index] == nil else { return }
        if flow.waitsForConsent(index) { return feed(.answered(index, .yes, by: "")) }
        feed(.completed(index, .agreed(edits: nil), agreed: nil, by: ""))
    }

    private mutating func finish(_ index: Int) {
        if flow.steps[index].state == .awaitingUser { return answer(index) }
        guard flow.steps[index].state.isRunning else { return }
        let attempt = flow.steps[index].attempt
        guard flow.jobs[index] != nil else {
            return feed(.ended(index, attempt: attempt, .succeeded(outputs(of: index))))
        }
        if flow.steps[index].state != .downloading, let request = flow.jobs[index]?.requests[.submit] {
            feed(
                .job(
                    index, attempt: attempt, .submit, request: request,
                    .accepted(captured: .init(), JobStatus(.succeeded))))
        }
        guard flow.steps[index].state == .downloading else { return }
        // There is always a slot.
        feed(.admitted(index, callDigest: nil))
        guard let request = flow.jobs[index]?.requests[.collect] else { return }
        feed(.job(index, attempt: attempt, .collect, request: request, .collected(outputs(of: index))))
    }

    /// Returns the outputs of a run: those that the step has, as if this run gave them, or new content.
    private func outputs(of index: Int) -> [Asset] {
        let isPerson = flow.graph.nodes[index].isPerson
        let run = RunID(flow.steps[index].id, attempt: flow.steps[index].attempt + (isPerson ? 1 : 0))
        let known = before.outputs[index]
        if keepsContent, !known.isEmpty || before.steps[index].state == .succeeded {
            return known.values.map { asset in
                var again = asset
                again.run = run
                return again
            }
        }
        return flow.graph.nodes[index].outputs.map { port in
            Asset(
                run: run, port: port.name, type: port.type, hash: ContentHash(hex: "\(run).\(port.name)"), bytes: 0,
                name: known[port.name]?.name ?? port.name)
        }
    }
}

extension Flow.Input {
    /// The index of the step that the input starts. `nil` for other inputs.
    fileprivate var step: Int? {
        switch self {
        case .admitted(let index, _, _): index
        case .begin, .ended, .job, .asked, .refused, .held, .answered, .completed, .expired, .due, .cancel, .retry,
            .rerun, .poll, .pin,
            .waits, .misnamed, .rehearsed:
            nil
        }
    }
}

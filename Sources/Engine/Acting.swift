import JSON
import Vocabulary
import Workflows

extension Limits {
    /// The most times in a row that a step runs again after its process was lost together with the engine. After that
    /// the step fails, since it may be the cause of the crash.
    package static let lostRuns = 100
}

/// The part of the engine's loop that carries out the intents of flows, after their commit.
extension Loop {
    mutating func act(_ workflow: WorkflowID, _ intent: Flow.Intent) throws(Failure) {
        guard let carried = carried[workflow] else { return }
        try world.reach(.beforeAct)
        switch intent {
        case .run(let index, let attempt): start(index, attempt, of: carried)
        case .recover(let index, let attempt): recover(index, attempt, of: carried)
        case .kill(let index, let attempt): world.tools.kill(RunID(carried.stepID(index), attempt: attempt))
        case .job(let index, let attempt, let verb, let request, let job):
            ask(verb, request, job, index, attempt, of: carried)
        case .expire(let index):
            try settingAside(workflow) { loop throws(Failure) in try loop.expire(index, of: carried) }
        // Unless somebody took it up again in the same commit.
        case .finished: if carried.flow.outcome != nil { drop(workflow) }
        case .consider, .wake, .wakeByWall: break
        }
        try world.reach(.afterAct)
    }

    private mutating func ask(
        _ verb: JobRequest.Verb, _ request: Int, _ job: JobRecord, _ index: Int, _ attempt: Int, of carried: Carried
    ) {
        guard let assignment = carried.assignment(index, attempt: attempt, in: world.tools.runFolder)
        else { return }
        if carried.flow.steps[index].state.isRunning { hold(index, of: carried) }
        let (engine, run) = (engine, assignment.run)
        world.tools.job(JobRequest(verb, assignment, job)) { answer in
            engine.mailbox.post(.answered(run, verb, request: request, answer))
        }
    }

    /// Returns the output that `autoDefault` gives for a step of a person (`semantics.md` 41), after it was stored: the
    /// values as they stand, or the only choice.
    ///
    /// - Returns: `nil` if the step has no such default, or if the store has no room for it.
    private func offered(_ index: Int, of carried: Carried) -> Asset? {
        let (node, params) = (carried.flow.graph.nodes[index], carried.flow.params(of: index))
        guard node.isPerson, node.awaits?.onTimeout == .autoDefault, node.outputs.count == 1 else { return nil }
        let text: String?
        switch node.awaits?.type {
        case .confirmParams?: text = params["values"]?.text
        case .choose?: text = params["choices"]?.array.flatMap { $0.count == 1 ? $0[0].string : nil }
        case .drawMask?, .selectAsset?, .confirmCall?, .text?, .capture?, .connect?, .submitUnknown?, nil: text = nil
        }
        guard let text, let hash = world.tools.keep(text) else { return nil }
        let port = node.outputs[0]
        return Asset(
            run: RunID(carried.stepID(index), attempt: 0), port: port.name, type: port.type, hash: hash,
            bytes: text.utf8.count,
            name: "\(node.id).\(port.type == .json ? "json" : "txt")")
    }

    /// Closes an await whose time is over. If an editor holds a valid claim on the await, the end is put off by one
    /// lease at most (`semantics.md` 42).
    private mutating func expire(_ index: Int, of carried: Carried) throws(Failure) {
        guard let number = carried.flow.openAwait(of: index), let record = try world.ledger.await(number),
            record.status != .done, let expiresAt = record.expiresAt
        else { return }
        // Other processes read leases and expiries, too, and show them to a person.
        let now = world.clocks().wall
        if record.status(at: now) == .claimed, let until = record.until,
            now.seconds(since: expiresAt) < Limits.claimSeconds
        {
            return expiries.set(carried.stepID(index), to: min(until, expiresAt + Limits.claimSeconds))
        }
        // In a commit of its own, and taken back if a person's answer came first: whatever else comes in meanwhile must
        // not be lost with it. The answer is heard as a command.
        let before = Carried(copying: carried)
        feed(carried, .expired(index, offered: offered(index, of: carried)))
        sortIntents()
        if try commitAndAct().contains(before.id) { self.carried[before.id] = before }
    }

    private mutating func start(_ index: Int, _ attempt: Int, of carried: Carried) {
        let run = RunID(carried.stepID(index), attempt: attempt)
        guard let assignment = carried.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            return instant.append((run, .failed(Failure(.toolNotInstalled, "Tool not installed."))))
        }
        let call = carried.allowed[index]
        guard !world.tools.isInstant(assignment.manifest) else {
            return instant.append((run, world.at(run.step) { world.tools.run(assignment, call) }))
        }
        let engine = engine
        world.tools.expect(run)
        world.onWorker(for: run.step) { engine.mailbox.post(.ended(run, engine.world.tools.run(assignment, call))) }
    }

    private mutating func recover(_ index: Int, _ attempt: Int, of carried: Carried) {
        let run = RunID(carried.stepID(index), attempt: attempt)
        guard let assignment = carried.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            return instant.append((run, .lost))
        }
        hold(index, of: carried)
        let engine = engine
        world.tools.expect(run)
        world.onWorker(for: run.step) { engine.mailbox.post(.ended(run, engine.world.tools.recover(assignment))) }
    }

    /// Returns the ending that a lost attempt counts as. After more than `Limits.lostRuns` losses in a row the attempt
    /// has failed, since it probably ends the engine too and would do so forever.
    func judged(_ ending: RunEnding, of run: RunID) throws(Failure) -> RunEnding {
        guard case .lost = ending, let carried = carried[run.step.workflow], !carried.flow.isCancelRequested,
            carried.flow.graph.nodes[run.step.index - 1].isIdempotent
        else { return ending }
        let times = try world.ledger.lostRuns(run) + 1
        guard times > Limits.lostRuns else { return ending }
        return .failed(
            Failure(
                .processLost,
                "The process was lost \(times) times in a row before it said how it ended: something ends it, and Assent.",
                remedy:
                    "Look what that is, such as a lack of memory. Then retry step \(carried.flow.graph.word(of: run.step.index - 1))."
            ))
    }
}

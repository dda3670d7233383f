import Consent
import Vocabulary
import Workflows

/// The engine's thread: the only place that waits.
struct Loop {
    let engine: Engine
    let takesOver: Bool
    let onIdle: @Sendable () -> Void
    var carried: [WorkflowID: Carried] = [:]
    /// The order in which workflows are offered slots.
    var order: [WorkflowID] = []
    var localHeld = 0
    var remoteHeld = 0
    var timers = Timers()
    var random: any RandomNumberGenerator & Sendable
    /// Wishes of the flows that wait for the next commit.
    var intents: [(WorkflowID, Flow.Intent)] = []
    /// What instant tools gave back: input for the next round.
    var instant: [(RunID, RunEnding)] = []
    private var isStopping = false
    private var onStopped: [@Sendable () -> Void] = []
    private var seenVersion = -1
    private var lastLook = Moment(milliseconds: 0)
    private var lastClaim = Moment(milliseconds: 0)
    private var wasIdle = false
    var lookCount = 0

    /// How long a command of another process may wait to be heard.
    private static let lookMilliseconds: Int32 = 200
    private static let claimSeconds = 1.0

    init(engine: Engine, takesOver: Bool, onIdle: @escaping @Sendable () -> Void) {
        self.engine = engine
        self.takesOver = takesOver
        self.onIdle = onIdle
        random = engine.world.random
    }

    var world: World { engine.world }

    mutating func run() {
        do throws(Failure) {
            if takesOver { try claim() }
            try hearCommands()
            while !isStopping {
                try round(engine.mailbox.take(waiting: patience))
            }
        } catch {
            // Nothing in memory is authoritative: what was not committed did not happen, and the next start goes on from there.
            world.emit(Event(at: world.now(), .error(error)))
        }
        for case .stop(let call) in engine.mailbox.close() { onStopped.append(call) }
        for call in onStopped { call() }
    }

    /// How long nothing needs to be looked at.
    private var patience: Int32 {
        if !instant.isEmpty || !intents.isEmpty { return 0 }
        guard let next = timers.next else { return Self.lookMilliseconds }
        return max(0, min(Self.lookMilliseconds, Int32(clamping: next.milliseconds - world.now().milliseconds)))
    }

    private mutating func round(_ messages: [Engine.Message]) throws(Failure) {
        var isPoked = false
        for message in messages {
            switch message {
            case .carry(let workflow): try carry(workflow)
            case .ended(let run, let ending): end(run, ending)
            case .prepared(let step, let look, let result): decide(step, look: look, result)
            case .look: isPoked = true
            case .stop(let callback):
                isStopping = true
                onStopped.append(callback)
            }
        }
        let returned = instant
        instant = []
        for (run, ending) in returned { end(run, ending) }
        // Also while there is never a quiet moment: a command of another process is heard within a fraction of a second.
        let isDue = world.now().milliseconds - lastLook.milliseconds >= Int64(Self.lookMilliseconds)
        if messages.isEmpty || isPoked || isDue { try look(isPoked: isPoked) }
        for step in timers.takeDue(world.now()) { feed(step.workflow, .due(step.index - 1)) }
        sortIntents()
        if !isStopping { schedule() }
        try commitAndAct()
        tellIdle()
    }

    /// Commands and orphans: whatever other processes have changed.
    private mutating func look(isPoked: Bool) throws(Failure) {
        lastLook = world.now()
        let version = try world.ledger.version()
        if isPoked || version != seenVersion {
            seenVersion = version
            try hearCommands()
        }
        guard takesOver, lastLook.seconds(since: lastClaim) >= Self.claimSeconds else { return }
        try claim()
    }

    private mutating func claim() throws(Failure) {
        lastClaim = world.now()
        for workflow in try world.ledger.claim() { try carry(workflow) }
        try hearCommands()
    }

    // MARK: Flows

    private mutating func carry(_ workflow: WorkflowID) throws(Failure) {
        guard carried[workflow] == nil, let loaded = try world.ledger.load(workflow) else { return }
        let catalogue = world.tools.catalogue()
        let (template, _) = TemplateReader.read(Array(loaded.template.utf8))
        // It was checked before it was stored; if tools have changed so much that it no longer passes, it is left for a person to see.
        guard let template, let graph = Workflows.check(template, against: catalogue).0, graph.nodes.count == loaded.steps.count else {
            world.emit(
                Event(
                    at: world.now(), workflow: workflow,
                    .error(
                        Failure("workflowUnreadable", "\(workflow) no longer fits the tools that are installed.", remedy: "Make it anew.")))
            )
            return
        }
        carried[workflow] = Carried(loaded, graph: graph, catalogue: catalogue)
        order.append(workflow)
        feed(workflow, .begin)
    }

    mutating func feed(_ workflow: WorkflowID, _ input: Flow.Input) {
        guard carried[workflow] != nil else { return }
        for wish in carried[workflow]!.step(input, now: world.now(), random: &random) { intents.append((workflow, wish)) }
    }

    private mutating func end(_ run: RunID, _ ending: RunEnding) {
        let workflow = run.step.workflow
        guard carried[workflow] != nil else { return }
        let index = run.step.index - 1
        release(index, of: workflow)
        carried[workflow]!.allowed[index] = nil
        feed(workflow, .ended(index, attempt: run.attempt, ending))
    }

    private mutating func hearCommands() throws(Failure) {
        let commands = try world.ledger.waitingCommands()
        guard !commands.isEmpty else { return }
        var unheard: [Command] = []
        for command in commands {
            try carry(command.workflow)
            guard carried[command.workflow] != nil else {
                unheard.append(command)
                continue
            }
            // Taken in the same commit as what it changes: a crash between the two would do it twice, a lost fence never.
            carried[command.workflow]!.batch.commandsTaken.append(command.id)
            switch command.verb {
            case .cancel: feed(command.workflow, .cancel)
            case .retry(let step):
                carried[command.workflow]!.know(try world.ledger.approvals(command.workflow))
                feed(command.workflow, .retry(step.map { $0 - 1 }))
            case .answer(let step, let number, let answer, let by):
                carried[command.workflow]!.know(try world.ledger.approvals(command.workflow))
                guard carried[command.workflow]!.flow.openAwait(of: step - 1) == number else { continue }
                feed(command.workflow, .answered(step - 1, answer, by: by))
                if answer == .yesToPlan { agree(toPlanOf: command.workflow, in: number, by: by) }
            }
        }
        sortIntents()
        try commitAndAct()
        // What had ended and was not taken up again needs nobody to carry it.
        for command in commands where carried[command.workflow]?.flow.outcome != nil { drop(command.workflow) }
        if !unheard.isEmpty { try world.ledger.take(unheard) }
    }

    /// Steps that ask already when their plan is approved need not be asked for again. Each call is still held against the approval.
    private mutating func agree(toPlanOf workflow: WorkflowID, in number: Int64, by: String) {
        let planned = Set(carried[workflow]!.approvals.filter { $0.awaitNumber == number && $0.isPlanned }.map(\.step.index))
        for index in planned.sorted() where carried[workflow]!.flow.waitsForConsent(index - 1) {
            feed(workflow, .answered(index - 1, .yesToPlan, by: by))
        }
    }

    // MARK: Committing, then acting

    /// Wishes that need no commit first are worked in; what remains acts on the outside.
    private mutating func sortIntents() {
        var rest: [(WorkflowID, Flow.Intent)] = []
        for (workflow, intent) in intents {
            switch intent {
            case .consider(let index): carried[workflow]?.wait(index)
            case .wake(let index, let moment): timers.set(StepID(workflow, index + 1), to: moment)
            case .run, .recover, .kill, .finished: rest.append((workflow, intent))
            }
        }
        intents = rest
    }

    mutating func commitAndAct() throws(Failure) {
        var batches: [Batch] = []
        for workflow in order {
            if var batch = carried[workflow]?.takeBatch() {
                complete(&batch)
                batches.append(batch)
            }
        }
        if !batches.isEmpty {
            world.reach(.beforeCommit)
            let committed = try world.ledger.commit(batches)
            world.reach(.afterCommit)
            for workflow in committed.lost { drop(workflow) }
            announce(batches, committed)
        }
        sortIntents()
        let wishes = intents
        intents = []
        for (workflow, wish) in wishes { act(workflow, wish) }
    }

    /// What a flow cannot know of its events: the session, and where the files of the results lie.
    private func complete(_ batch: inout Batch) {
        let session = carried[batch.workflow]?.record.session
        for place in batch.runsStarted.indices {
            let run = batch.runsStarted[place]
            guard let manifest = carried[batch.workflow]?.manifests[run.id.step.index - 1], manifest.params.contains(where: \.isSecret)
            else {
                continue
            }
            // Runs are shown and told to models; a secret is only in the template that needs it.
            let call = Call(tool: manifest.kind, toolVersion: manifest.version, params: run.params)
            batch.runsStarted[place].params = redacted(call, manifest).params
        }
        for index in batch.events.indices { batch.events[index].session = session }
        for index in batch.events.indices {
            guard case .workflowFinished(let outcome, var outputs) = batch.events[index].kind else { continue }
            for place in outputs.indices where outputs[place].path == nil { outputs[place].path = world.tools.path(outputs[place].hash) }
            batch.events[index].kind = .workflowFinished(outcome, outputs: outputs)
        }
    }

    private mutating func announce(_ batches: [Batch], _ committed: Committed) {
        for batch in batches where !committed.lost.contains(batch.workflow) {
            for event in batch.events { world.emit(event) }
        }
        for record in committed.awaits {
            let workflow = record.step.workflow
            carried[workflow]?.flow.note(await: record)
            let node = carried[workflow]?.flow.steps[record.step.index - 1].node
            world.emit(
                Event(
                    at: record.createdAt, session: carried[workflow]?.record.session, workflow: workflow, step: record.step.index,
                    node: node,
                    .awaitOpened(record)))
        }
        for batch in batches {
            guard let carried = carried[batch.workflow], carried.flow.isWaitingForPerson, carried.record.onAsk != .inline else { continue }
            world.emit(
                Event(at: world.now(), session: carried.record.session, workflow: batch.workflow, .workflowFinished(.waiting, outputs: [])))
        }
    }

    private mutating func act(_ workflow: WorkflowID, _ intent: Flow.Intent) {
        guard carried[workflow] != nil else { return }
        world.reach(.beforeAct)
        switch intent {
        case .run(let index, let attempt): start(workflow, index, attempt)
        case .recover(let index, let attempt): recover(workflow, index, attempt)
        case .kill(let index, let attempt): world.tools.kill(RunID(StepID(workflow, index + 1), attempt: attempt))
        case .finished: drop(workflow)
        case .consider, .wake: break
        }
        world.reach(.afterAct)
    }

    private mutating func start(_ workflow: WorkflowID, _ index: Int, _ attempt: Int) {
        let run = RunID(StepID(workflow, index + 1), attempt: attempt)
        guard let assignment = carried[workflow]!.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            return instant.append((run, .failed(Failure("toolNotInstalled", "Tool not installed."))))
        }
        let call = carried[workflow]!.allowed[index]
        guard !world.tools.isInstant(assignment.manifest) else { return instant.append((run, world.tools.run(assignment, call))) }
        let engine = engine
        world.tools.expect(run)
        world.onWorker { engine.mailbox.post(.ended(run, engine.world.tools.run(assignment, call))) }
    }

    private mutating func recover(_ workflow: WorkflowID, _ index: Int, _ attempt: Int) {
        let run = RunID(StepID(workflow, index + 1), attempt: attempt)
        guard let assignment = carried[workflow]!.assignment(index, attempt: attempt, in: world.tools.runFolder) else {
            return instant.append((run, .lost))
        }
        hold(index, of: workflow)
        let engine = engine
        world.tools.expect(run)
        world.onWorker { engine.mailbox.post(.ended(run, engine.world.tools.recover(assignment))) }
    }

    private mutating func drop(_ workflow: WorkflowID) {
        guard let gone = carried.removeValue(forKey: workflow) else { return }
        for queue in gone.slots.values { count(queue, by: -1) }
        order.removeAll { $0 == workflow }
        timers.forget(workflow)
    }

    private mutating func tellIdle() {
        let isIdle =
            intents.isEmpty && instant.isEmpty && timers.next == nil
            && carried.values.allSatisfy { $0.slots.isEmpty && !$0.hasWaiting && ($0.flow.isWaitingForPerson || $0.flow.outcome != nil) }
        if isIdle, !wasIdle { onIdle() }
        wasIdle = isIdle
    }
}

import Consent
import Vocabulary
import Workflows

/// The state and the loop of the engine's thread, the only place in the engine that waits.
struct Loop {
    let engine: Engine
    let takesOver: Bool
    let onIdle: @Sendable () -> Void
    let onFailure: @Sendable (Failure) -> Void
    var carried: [WorkflowID: Carried] = [:]
    /// The workflows that have changed since the last commit, each once, in order.
    private var dirty: [WorkflowID] = []
    private(set) var isDirty: Set<WorkflowID> = []
    /// How often a workflow was loaded. It separates answers to requests of an earlier load from those of this load.
    private var loads = 0
    private static let requestsOfALoad = 1 << 32
    var localHeld = 0
    var transfersHeld = 0
    var jobsHeld: [String: Int] = [:]
    /// The slots that each step holds of those that all engines share.
    var shared: [StepID: [SharedSlot]] = [:]
    /// The kinds of slots that taken-over steps lack, since none were free.
    var unshared: [StepID: SlotKinds] = [:]
    /// The running jobs that entered the line for a transfer in this round.
    var linedUp: [StepID] = []
    /// The places where no slot is asked for until a moment, since other engines hold all slots there or wait for one.
    var closed: [SlotPlace: Moment] = [:]
    var waitsFor: Set<SlotPlace> = []
    /// The moment of the last turn that other engines got, by place.
    var turnsLeft: [SlotPlace: Moment] = [:]
    /// The workflows that wait for a slot, by queue, in the order of their turns.
    var turns: [Queue: Turns] = [:]
    var focus: WorkflowID?
    /// The times of the engine's clock at which steps are looked at again.
    var timers = Timers()
    /// The dates of the wall clock at which steps are looked at again, such as expiries.
    var expiries = Timers()
    /// The command that is held back for the shortest time, or nil.
    var held: Command?
    var random: any RandomNumberGenerator & Sendable
    /// The intents of flows that wait for the next commit.
    var intents: [(WorkflowID, Flow.Intent)] = []
    /// The ends of instant steps, which the next round reads.
    var instant: [(RunID, RunEnding)] = []
    private(set) var isStopping = false
    private var onStopped: [@Sendable () -> Void] = []
    private var seenVersion = -1
    private var lastLook = Moment(milliseconds: 0)
    private var lastClaim = Moment(milliseconds: 0)
    private var wasIdle = false
    var lookCount = 0
    /// The rehearsals that begin after the next commit.
    var rehearsals: [PendingRehearsal] = []

    /// How long a command of another process may wait before it is read, in milliseconds.
    private static let lookMilliseconds: Int32 = 200
    /// How long the workflows of a dead engine may wait for a claim, in seconds.
    private static let claimSeconds = 0.4

    init(
        engine: Engine, takesOver: Bool, onIdle: @escaping @Sendable () -> Void,
        onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) {
        (self.engine, self.takesOver) = (engine, takesOver)
        (self.onIdle, self.onFailure) = (onIdle, onFailure)
        random = engine.world.random
    }

    var world: World { engine.world }

    mutating func run() {
        do throws(Failure) {
            try begin()
            while !isStopping {
                try round(engine.mailbox.take(waiting: patience))
            }
        } catch {
            // Nothing in memory is authoritative: what was not committed did not happen, and the next start goes on
            // from there.
            world.emit(Event(at: world.now(), .error(error)))
            onFailure(error)
        }
        for case .stop(let call) in engine.mailbox.close() { onStopped.append(call) }
        for call in onStopped { call() }
    }

    /// Claims the workflows of dead engines and reads the stored commands. A start after a crash does the same.
    mutating func begin() throws(Failure) {
        if takesOver { try claim() }
        try hearCommands()
    }

    /// How long the thread may sleep if no message comes, in milliseconds.
    var patience: Int32 {
        if !instant.isEmpty || !intents.isEmpty { return 0 }
        var next = timers.next
        for until in closed.values { next = min(next ?? until, until) }
        let nextByWall = [expiries.next, held?.heldUntil].compactMap(\.self).min()
        guard next != nil || nextByWall != nil else { return Self.lookMilliseconds }
        let left = next.map { $0.milliseconds - world.now().milliseconds } ?? .max
        let leftByWall = nextByWall.map { $0.milliseconds - world.clocks().wall.milliseconds } ?? .max
        return max(0, min(Self.lookMilliseconds, Int32(clamping: min(left, leftByWall))))
    }

    mutating func round(_ messages: [Engine.Message]) throws(Failure) {
        var isPoked = false
        let isLeaving = messages.contains { if case .stop = $0 { true } else { false } }
        for message in messages {
            switch message {
            case .carry(let workflow): try carry(workflow)
            case .ended(let run, let ending): end(run, try judged(ending, of: run))
            // Whoever leaves uses up no yes for a rehearsal that would be cut.
            case .prepared where isLeaving: break
            case .prepared(let step, let look, let result): try decide(step, look: look, result)
            case .hasTurn(let step, let look, let hasTurn):
                guard carried[step.workflow]?.looks[step.index - 1] == look else { break }
                feed(step.workflow, .rehearsed(step.index - 1, hasTurn: hasTurn))
            case .answered(let run, let verb, let request, let answer):
                feed(run.step.workflow, .job(run.step.index - 1, attempt: run.attempt, verb, request: request, answer))
            case .look: isPoked = true
            case .focus(let workflow):
                focus = workflow
                for queue in turns.keys { turns[queue]?.focus = workflow }
            case .stop(let callback):
                isStopping = true
                onStopped.append(callback)
            }
        }
        let returned = instant
        instant = []
        for (run, ending) in returned { end(run, ending) }
        // Also while there is never a quiet moment: a command of another process is heard within a fraction of a
        // second.
        let sinceLook = world.now().milliseconds - lastLook.milliseconds
        let isDue = sinceLook >= Int64(Self.lookMilliseconds)
        if messages.isEmpty || isPoked || isDue { try look(isPoked: isPoked) }
        if let held, !held.isHeld(at: world.clocks().wall) { try hearCommands() }
        let late = expiries.next == nil ? [] : expiries.takeDue(world.clocks().wall)
        for step in timers.takeDue(world.now()) + late {
            try carry(step.workflow)
            feed(step.workflow, .due(step.index - 1))
        }
        sortIntents()
        openPlaces()
        if !isStopping {
            schedule()
            runInstantSteps()
        }
        tellWhatWaits()
        try commitAndAct()
        tellIdle()
    }

    /// Reads commands of other processes after a change of the store, and claims workflows of dead engines.
    private mutating func look(isPoked: Bool) throws(Failure) {
        lastLook = world.now()
        let version = try world.ledger.version()
        if isPoked || version != seenVersion {
            seenVersion = version
            try hearCommands()
        }
        let sinceClaim = lastLook.seconds(since: lastClaim)
        guard takesOver, sinceClaim >= Self.claimSeconds else { return }
        try claim()
    }

    private mutating func claim() throws(Failure) {
        lastClaim = world.now()
        try dropWhatOthersOwn()
        let claimed = try world.ledger.claim()
        guard !claimed.isEmpty else { return }
        for workflow in claimed {
            // Whoever mended its rows took it over for that; what is known of it here is of before.
            drop(workflow.id)
            if !workflow.isResting { try carry(workflow.id) }
        }
        // What rests is not loaded; only its times are kept.
        for (step, moment) in try world.ledger.expiries() { expiries.set(step, to: moment) }
        try hearCommands()
    }

    // MARK: Flows

    mutating func carry(_ workflow: WorkflowID) throws(Failure) {
        guard carried[workflow] == nil else { return }
        try settingAside(workflow) { loop throws(Failure) in try loop.takeUp(workflow) }
    }

    private mutating func takeUp(_ workflow: WorkflowID) throws(Failure) {
        guard var loaded = try world.ledger.load(workflow) else { return }
        let deadlines = moveToThisClock(&loaded)
        let catalogue = world.tools.catalogue()
        guard let graph = graph(of: loaded, catalogue), graph.nodes.count == loaded.steps.count else {
            // It was checked before it was stored: tools have changed too much since, or the store is damaged.
            let failure = Failure(
                .workflowUnreadable, "\(workflow) no longer fits the tools that are installed.",
                remedy: "Install them again and run 'assent doctor --repair', or make it anew.")
            return try putAside(workflow, failure)
        }
        loads += 1
        let carried = Carried(
            loaded, graph: graph, catalogue: catalogue, jobPrefix: world.jobPrefix,
            requestCount: loads * Self.requestsOfALoad)
        carried.deadlines = deadlines
        self.carried[workflow] = carried
        if carried.flow.needsHistory { try remember(carried) }
        feed(carried, .begin)
        // The times of what rested were kept, and some were put off since, for a claim.
        intents.removeAll { of, intent in
            guard of == workflow else { return false }
            return switch intent {
            case .wake(let index, _): timers.isSet(StepID(workflow, index + 1))
            case .wakeByWall(let index, _): expiries.isSet(StepID(workflow, index + 1))
            case .consider, .run, .recover, .kill, .job, .expire, .finished: false
            }
        }
        // What runs already has its slot before anything new is offered one.
        for step in carried.flow.steps where step.state.isRunning { hold(step.id.index - 1, of: carried) }
    }

    private func graph(of loaded: CarriedWorkflow, _ catalogue: Catalogue) -> Graph? {
        let record = loaded.record
        let template = world.templates.read(loaded.template, of: record.id, revision: record.graphRevision)
        guard let template else { return nil }
        return Workflows.check(template, against: catalogue, isStored: true).0
    }

    func graph(of template: String, _ catalogue: Catalogue) -> Graph? {
        guard let template = TemplateReader.read(Array(template.utf8), isStored: true).0 else { return nil }
        return Workflows.check(template, against: catalogue, isStored: true).0
    }

    /// Runs `body` for a workflow, and sets the workflow aside if its rows are damaged.
    mutating func settingAside(_ workflow: WorkflowID, _ body: (inout Loop) throws(Failure) -> Void) throws(Failure) {
        // What we crash at here would be met again at every start: the next one sets it aside.
        world.takingUp(workflow)
        defer { world.takingUp(nil) }
        do throws(Failure) { try body(&self) } catch  where error.code == .workflowDamaged {
            drop(workflow)
            try putAside(workflow, error)
        }
    }

    private func putAside(_ workflow: WorkflowID, _ failure: Failure) throws(Failure) {
        try world.ledger.putAside(workflow, failure)
        world.emit(Event(at: world.now(), workflow: workflow, .error(failure)))
    }

    func remember(_ carried: Carried) throws(Failure) {
        carried.remember(try world.ledger.history(carried.id), world.tools.catalogue())
    }

    /// Marks a workflow as changed, so that the next commit includes it.
    mutating func mark(_ workflow: WorkflowID) {
        if isDirty.insert(workflow).inserted { dirty.append(workflow) }
    }

    /// Lets a workflow decide what results from an input, if this engine runs it.
    mutating func feed(_ workflow: WorkflowID, _ input: Flow.Input) {
        if let carried = carried[workflow] { feed(carried, input) }
    }

    /// Lets a workflow decide what results from an input.
    mutating func feed(_ carried: Carried, _ input: Flow.Input) {
        mark(carried.id)
        let asked = askedSteps(of: carried)
        for wish in carried.step(input, now: world.now(), wall: world.clocks().wall, random: &random) {
            intents.append((carried.id, wish))
        }
        switch input {
        case .due(let index), .job(let index, _, _, _, _), .admitted(let index, _, _): trim(index, of: carried)
        case .cancel:
            for index in carried.slots.keys.sorted() { trim(index, of: carried) }
            endRehearsals(of: carried)
        case .begin, .ended, .asked, .refused, .held, .answered, .completed, .expired, .retry, .rerun, .poll, .pin,
            .waits, .misnamed, .rehearsed:
            break
        }
        // Whatever ended them: a cancel, the end of their time, or another step.
        for run in asked where carried.flow.steps[run.step.index - 1].state.isTerminal { forget(run) }
    }

    mutating func end(_ run: RunID, _ ending: RunEnding) {
        guard let carried = carried[run.step.workflow] else { return }
        let index = run.step.index - 1
        // A late end, of an attempt given up on, frees no slot. The end is timed before another process has the slot.
        let isCurrent = carried.flow.isCurrent(run)
        feed(carried, .ended(index, attempt: run.attempt, ending))
        guard isCurrent else { return }
        release(index, of: carried)
        carried.allowed[index] = nil
    }

    // MARK: Committing, then acting

    /// Handles the intents that need no commit first. The others act on the outside after the commit.
    mutating func sortIntents() {
        var rest: [(WorkflowID, Flow.Intent)] = []
        for (workflow, intent) in intents {
            switch intent {
            case .consider(let index): line(up: index, of: workflow)
            case .wake(let index, let moment): timers.set(StepID(workflow, index + 1), to: moment)
            case .wakeByWall(let index, let date): expiries.set(StepID(workflow, index + 1), to: date)
            case .run, .recover, .kill, .job, .expire, .finished: rest.append((workflow, intent))
            }
        }
        intents = rest
    }

    /// Commits the changes of all workflows at once, then carries out their intents.
    ///
    /// - Returns: the workflows not stored because a person's answer came before an expiry (`Batch.AwaitClose.yields`).
    @discardableResult
    mutating func commitAndAct() throws(Failure) -> Set<WorkflowID> {
        var batches: [Batch] = []
        for workflow in dirty {
            if var batch = carried[workflow]?.takeBatch() {
                complete(&batch)
                batches.append(batch)
            }
        }
        let changed = dirty
        (dirty, isDirty) = ([], [])
        var overtaken: Set<WorkflowID> = []
        if !batches.isEmpty {
            try world.reach(.beforeCommit)
            let committed = try world.ledger.commit(batches)
            try world.reach(.afterCommit)
            for workflow in committed.lost.sorted() { drop(workflow) }
            overtaken = committed.overtaken
            announce(batches, committed)
        }
        sortIntents()
        let wishes = intents
        intents = []
        for (workflow, wish) in wishes where !overtaken.contains(workflow) { try act(workflow, wish) }
        beginRehearsals()
        for workflow in changed where !overtaken.contains(workflow) { rest(workflow) }
        return overtaken
    }

    /// Removes a workflow from memory if it only waits for a person. Its timers remain.
    private mutating func rest(_ workflow: WorkflowID) {
        guard let idle = carried[workflow], idle.isAtRest, !isDirty.contains(workflow) else { return }
        carried[workflow] = nil
    }

    private mutating func announce(_ batches: [Batch], _ committed: Committed) {
        for batch in batches
        where !committed.lost.contains(batch.workflow) && !committed.overtaken.contains(batch.workflow) {
            for event in batch.events { world.emit(event) }
        }
        for record in committed.awaits {
            let workflow = record.step.workflow
            carried[workflow]?.flow.note(await: record)
            let node = carried[workflow]?.flow.steps[record.step.index - 1].node
            world.emit(
                Event(
                    at: record.createdAt, session: carried[workflow]?.record.session, workflow: workflow,
                    step: record.step.index, node: node,
                    .awaitOpened(record)))
        }
        for batch in batches {
            // Who is asked inline answers now; everything else waits in the inbox.
            guard let carried = carried[batch.workflow], carried.flow.isWaitingForPerson,
                carried.record.onAsk != .inline || !carried.flow.hasOpenQuestion
            else { continue }
            world.emit(
                Event(
                    at: world.now(), session: carried.record.session, workflow: batch.workflow,
                    .workflowFinished(.waiting, outputs: [])))
        }
    }

    mutating func drop(_ workflow: WorkflowID) {
        // Also of one that rests, and is known by its times alone.
        timers.forget(workflow)
        expiries.forget(workflow)
        // What it was about to do was of its rows as they were then: whoever takes it up again finds out what is to be
        // done.
        intents.removeAll { $0.0 == workflow }
        guard let gone = carried.removeValue(forKey: workflow) else { return }
        for (index, kinds) in gone.slots.sorted(by: { $0.key < $1.key }) {
            count(kinds, index, of: gone, by: -1)
            giveBack(kinds, StepID(workflow, index + 1))
        }
        for queue in turns.keys { turns[queue]?.leave(workflow) }
    }

    private mutating func tellIdle() {
        // What rests is not carried any more; a time that is still to come for it is no reason to stay.
        let isIdle =
            intents.isEmpty && instant.isEmpty
            && carried.values.allSatisfy { $0.isAtRest || ($0.flow.outcome != nil && $0.slots.isEmpty) }
        if isIdle, !wasIdle { onIdle() }
        wasIdle = isIdle
    }
}

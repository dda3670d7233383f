import CaseNames
import Vocabulary

@testable import Engine
@testable import Storage

/// What must hold after every commit, read from the rows.
final class Checks {
    unowned let simulation: Simulation
    let reader: RowReader
    /// To look at what all engines share.
    let slots: SimulatedSlots?
    private(set) var violation: String?
    private(set) var commits = 0
    private(set) var hasChanged = true
    private var lastEvent = 0
    private var eventCount = 0
    private var commandCount = 0
    private var states: [StepID: String] = [:]
    private var endings: [RunID: String] = [:]
    /// Attempts of whose end an event has told.
    private var isTold: Set<RunID> = []
    private var fences: [WorkflowID: Int64] = [:]
    private var isFinished: Set<WorkflowID> = []
    private var stored: [String: Int] = [:]
    /// Names of jobs that were on record as such that may exist.
    private(set) var isUnknown: Set<String> = []
    private let runChecks: RunChecks
    let orderChecks: OrderChecks

    /// What happened how often: whoever plays many seeds sees what was never tried.
    private(set) var marks: [String: Int] = [:]

    func mark(_ word: String) { marks[word, default: 0] += 1 }

    init(_ simulation: Simulation) {
        self.simulation = simulation
        reader = RowReader(path: simulation.folder + "/assent.db")
        slots = simulation.scenario.sharesSlots ? try? SimulatedSlots(of: simulation) : nil
        runChecks = RunChecks(simulation)
        orderChecks = OrderChecks(simulation)
    }

    func close() { reader.close() }

    /// The first counts; what comes after it may follow from it.
    func fail(_ words: String) {
        if violation == nil {
            violation = words
            simulation.note("VIOLATION: \(words)")
        }
    }

    // MARK: After a commit

    func committed(_ batches: [Batch], _ committed: Committed, by engine: SimulatedEngine) {
        commits += 1
        hasChanged = true
        let (before, wereOver) = (states, isFinished)
        for batch in batches {
            if committed.lost.contains(batch.workflow) {
                simulation.note("\(engine.owner) has lost \(batch.workflow)")
                mark("lost fence")
            } else if committed.overtaken.contains(batch.workflow) {
                simulation.note("\(batch.workflow): an answer came before the expiry")
                mark("overtaken")
            } else {
                checkFence(batch, engine)
            }
        }
        readEvents(asToldTo: Set(batches.filter { !$0.commandsTaken.isEmpty }.map(\.workflow)))
        for batch in batches
        where !committed.lost.contains(batch.workflow) && !committed.overtaken.contains(batch.workflow) {
            let (allowed, wasCancelled) = (
                simulation.wishes.allowances, simulation.wishes.isCancelled.contains(batch.workflow)
            )
            if let text = batch.template { take(text, for: batch.workflow) }
            simulation.wishes.committed(batch, before: before, wasOver: wereOver.contains(batch.workflow))
            runChecks.began(batch, before: allowed, wasCancelled: wasCancelled)
            runChecks.ended(batch)
            checkSteps(of: batch.workflow)
            checkRuns(of: batch.workflow)
            checkAwaits(of: batch.workflow)
            orderChecks.committed(batch.workflow)
            let isOver =
                reader.count("SELECT outcome IS NOT NULL FROM workflows WHERE id = ?", Int(batch.workflow.number)) == 1
            if isOver { isFinished.insert(batch.workflow) } else { isFinished.remove(batch.workflow) }
        }
    }

    private func take(_ text: String, for workflow: WorkflowID) {
        guard let plan = simulation.people.revision(text) else {
            return fail("\(workflow) has a graph that nobody wrote")
        }
        simulation.wishes.revised(workflow, from: simulation.plans[workflow]!, to: plan)
        simulation.change(workflow, to: plan)
    }

    func acts(_ run: RunID, _ what: String, for engine: String) { runChecks.acts(run, what, for: engine) }

    func checkEffects() { runChecks.checkEffects() }

    func fence(of workflow: WorkflowID) -> Int64 {
        Int64(reader.count("SELECT fence FROM workflows WHERE id = ?", Int(workflow.number)))
    }

    func owner(of workflow: WorkflowID) -> String {
        reader.rows("SELECT owner FROM workflows WHERE id = ?", Int(workflow.number)) { $0.text(0) }.first ?? ""
    }

    /// Claims with valid fences never overlap.
    private func checkFence(_ batch: Batch, _ engine: SimulatedEngine) {
        let (owner, fence) = (owner(of: batch.workflow), fence(of: batch.workflow))
        if owner != engine.owner { fail("\(engine.owner) has written \(batch.workflow), which is \(owner)'s") }
        if fence != batch.fence { fail("\(batch.workflow) was written under fence \(batch.fence); it is at \(fence)") }
        if fence < fences[batch.workflow] ?? 0 { fail("the fence of \(batch.workflow) went back") }
        fences[batch.workflow] = fence
    }

    // MARK: Events

    private struct StoredEvent {
        var number: Int
        var at: Int
        var workflow: WorkflowID
        var step: Int
        var attempt: Int
        var type: String
        var body: String

        var key: String { "\(type) \(workflow).\(step).\(attempt) \(at) \(body)" }
        func word(_ name: String) -> String? {
            guard let start = body.firstRange(of: "\"\(name)\":\"") else { return nil }
            return String(body[start.upperBound...].prefix { $0 != "\"" })
        }
    }

    /// - Parameter told: workflows of which persons wanted something just now: they may be taken up again and end in
    ///   one commit.
    private func readEvents(asToldTo told: Set<WorkflowID> = []) {
        let events = reader.rows(
            "SELECT seq, at, workflow, step, attempt, type, body FROM events WHERE seq > ? ORDER BY seq", lastEvent
        ) { row in
            StoredEvent(
                number: row.int(0), at: row.int(1), workflow: WorkflowID(Int64(row.int(2))), step: row.int(3),
                attempt: row.int(4),
                type: row.text(5), body: row.text(6))
        }
        eventCount += events.count
        let reopened = told.union(
            Set(events.map(\.workflow)).filter { workflow in
                reader.count("SELECT outcome IS NULL FROM workflows WHERE id = ?", Int(workflow.number)) == 1
            })
        for event in events {
            lastEvent = event.number
            stored[event.key, default: 0] += 1
            mark(event.type)
            for name in ["reason", "code"] { if let word = event.word(name), !word.contains(" ") { mark(word) } }
            simulation.note("  \(event.type) \(event.workflow).\(event.step).\(event.attempt) \(event.body)")
            if isFinished.contains(event.workflow), !reopened.contains(event.workflow) { checkAfterEnd(event) }
            guard event.type == "step.changed", let next = event.word("state") else { continue }
            follow(event, next)
        }
    }

    /// Legal transitions only, by a table of our own; each end of an attempt is told once, and nothing of it after
    /// that.
    private func follow(_ event: StoredEvent, _ next: String) {
        let step = StepID(event.workflow, event.step)
        let before = states[step] ?? "blocked"
        if before != next, Self.legal[before]?.contains(next) != true { fail("\(step) went from \(before) to \(next)") }
        states[step] = next
        orderChecks.follow(step, next, event.word("reason"), attempt: event.attempt)
        if event.word("reason") == "halted" { simulation.wishes.isHalted.insert(step) }
        guard event.attempt > 0 else { return }
        let run = RunID(step, attempt: event.attempt)
        let isRunning = Self.running.contains(next)
        if isRunning, isTold.contains(run) { fail("\(run) has ended and went to \(next)") }
        guard ["succeeded", "failed", "cancelled"].contains(next) else { return }
        // A change of the reason names no attempt.
        if before == next { fail("\(run) was told twice to be \(next)") }
        if Self.running.contains(before), !isTold.insert(run).inserted {
            fail("\(run) has ended twice, now as \(next)")
        }
    }

    static let running: Set<String> = ["runningLocal", "queuedRemote", "runningRemote", "downloading"]

    static let legal: [String: Set<String>] = [
        "blocked": ["ready", "cancelled", "succeeded"],
        "ready": ["awaitingUser", "runningLocal", "queuedRemote", "failed", "cancelled", "blocked"],
        "awaitingUser": ["ready", "succeeded", "failed", "cancelled", "blocked"],
        "runningLocal": ["succeeded", "failed", "cancelled", "ready"],
        "queuedRemote": ["awaitingUser", "runningRemote", "downloading", "failed", "cancelled"],
        "runningRemote": ["awaitingUser", "downloading", "failed", "cancelled"],
        "downloading": ["awaitingUser", "succeeded", "failed", "cancelled"],
        "succeeded": ["blocked", "ready"], "failed": ["blocked", "ready"], "cancelled": ["blocked", "ready"],
    ]

    /// Nothing after the end but what came too late, what persons do to the inbox or want of it, and marks of
    /// staleness.
    private func checkAfterEnd(_ event: StoredEvent) {
        switch event.type {
        case "step.late": break
        case "await.changed" where event.word("by").map { simulation.people.names.contains($0) } ?? false: break
        case "workflow.changed" where Self.afterEnd.contains(event.word("reason") ?? ""): break
        case "step.changed" where event.word("state") == "blocked" && Self.stale.contains(event.word("reason") ?? ""):
            break
        default: fail("\(event.type) \(event.body) came after the end of \(event.workflow)")
        }
    }

    private static let stale: Set<String> = [
        "inputChanged", "upstreamStale", "definitionChanged", "rerunQueued", "standsAfter",
    ]
    private static let afterEnd: Set<String> = ["revisionRefused", "revised", "pinned", "unpinned"]

    /// What is announced is durable: word for word, and no oftener than it was stored.
    func emitted(_ event: Event, by engine: SimulatedEngine) {
        if case .error(let failure) = event.kind {
            if failure.code != "workflowUnreadable" { fail("\(engine.owner): \(failure)") }
            return
        }
        if case .workflowFinished(.waiting, _) = event.kind { return }
        let run = "\(event.workflow.map { "\($0)" } ?? "").\(event.step ?? 0).\(event.run?.attempt ?? 0)"
        let key = "\(event.type) \(run) \(event.at.milliseconds) \(event.storedBody)"
        guard let left = stored[key], left > 0 else { return fail("announced, and not stored: \(key)") }
        stored[key] = left - 1
    }

    // MARK: Rows

    private func checkSteps(of workflow: WorkflowID) {
        for (step, state) in reader.rows(
            "SELECT step, state FROM steps WHERE workflow = ?", Int(workflow.number), map: { ($0.int(0), $0.text(1)) })
        where states[StepID(workflow, step)] ?? "blocked" != state {
            fail("\(workflow).\(step) is \(state); its events say \(states[StepID(workflow, step)] ?? "blocked")")
        }
    }

    /// One terminal outcome per run; what runs has an open run, and the other way round.
    private func checkRuns(of workflow: WorkflowID) {
        let rows = reader.rows(
            """
            SELECT runs.step, runs.attempt, ending, state, steps.attempt, phase FROM runs JOIN steps USING (workflow, step)
            WHERE workflow = ?
            """, Int(workflow.number)
        ) { ($0.int(0), $0.int(1), $0.optionalText(2), $0.text(3), $0.int(4), $0.optionalText(5)) }
        for (step, attempt, ending, state, current, phase) in rows {
            let run = RunID(StepID(workflow, step), attempt: attempt)
            if let known = endings[run], known != ending {
                fail("\(run) had ended \(known), and is now \(ending ?? "open")")
            }
            if let ending { endings[run] = ending }
            if phase == "submitUnknown", let key = jobKey(of: run) { isUnknown.insert(key) }
            let isRunning = Self.running.contains(state)
            if ending == nil, attempt != current { fail("\(run) is open, but the step is at attempt \(current)") }
            if ending == nil, !isRunning, !(phase != nil && ["awaitingUser", "ready"].contains(state)) {
                fail("\(run) is open in \(state)")
            }
            if ending != nil, attempt == current, isRunning { fail("\(run) has ended, and runs") }
        }
    }

    /// A pending await, or an answer that is on its way, stands behind each step that waits for a person; and nowhere
    /// else.
    func checkAwaits(of workflow: WorkflowID) {
        let rows = reader.rows(
            """
            SELECT step, state = 'awaitingUser', (SELECT count(*) FROM awaits WHERE awaits.workflow = steps.workflow
            AND awaits.step = steps.step AND status <> 'done'), EXISTS (SELECT 1 FROM commands WHERE commands.workflow = steps.workflow
            AND commands.step = steps.step AND taken_at IS NULL AND (verb = 'answer' OR verb = 'complete')) FROM steps WHERE workflow = ?
            """, Int(workflow.number)
        ) { ($0.int(0), $0.int(1) == 1, $0.int(2), $0.int(3) == 1) }
        for (step, isWaiting, open, isAnswered) in rows {
            if open > 1 { fail("\(workflow).\(step) has \(open) awaits") }
            if open > 0, !isWaiting { fail("\(workflow).\(step) has an open await and does not wait") }
            if open == 0, isWaiting, !isAnswered { fail("\(workflow).\(step) waits for a person without an await") }
        }
    }

    /// After a round: what began in it found room, and all engines together have no more than there are slots for.
    func checkSlots(of begun: [Batch], _ engine: SimulatedEngine) {
        for batch in begun { checkCaps(batch, engine) }
        checkSharedCaps()
        checkTransfers()
    }

    /// What starts finds room: what was taken over from others may be more.
    private func checkCaps(_ batch: Batch, _ engine: SimulatedEngine) {
        let started = Set(batch.runsStarted.map { simulation.node($0.id.step).kind })
        let own = holding.filter { $0.owner == engine.owner }.map(\.step)
        // What is taken over in the round in which something else starts may find its slot taken.
        checkCaps(own.filter { !engine.isBeyondSlots.contains($0) }, of: started, "of \(engine.owner)")
        let mine = own.filter { $0.workflow == batch.workflow }
        let plan = simulation.plans[batch.workflow]!
        if started.contains(where: \.isLocal) {
            hold(mine, \.isLocal, "on the machine in \(batch.workflow)", plan.local)
        }
        if started.contains(where: \.isRemote) { hold(mine, \.isRemote, "elsewhere in \(batch.workflow)", plan.remote) }
    }

    /// Over all engines, after a round of one: what was taken over while there was no slot has none, and what a dead
    /// engine has left has none any more. Of an engine in the middle of a round something may be over that is not yet
    /// stored.
    private func checkSharedCaps() {
        guard simulation.scenario.sharesSlots else { return }
        let engines = simulation.engines.filter { !$0.isDead && !$0.isInRound }
        let steps = holding.filter { one in
            engines.contains { $0.owner == one.owner && !$0.isBeyondSlots.contains(one.step) }
        }.map(\.step)
        checkCaps(steps, of: Set(steps.map { simulation.node($0).kind }), "of all engines")
    }

    private func checkCaps(_ running: [StepID], of kinds: Set<Plan.Kind>, _ whose: String) {
        if kinds.contains(where: \.isLocal) {
            hold(running, \.isLocal, "on the machine \(whose)", simulation.scenario.localSlots)
        }
        for provider in Set(kinds.compactMap(\.provider)) {
            let terms = simulation.scenario.providers[provider].terms
            hold(running, { $0.provider == provider }, "at \(terms.provider) \(whose)", terms.concurrent)
        }
    }

    private func hold(_ steps: [StepID], _ isOne: (Plan.Kind) -> Bool, _ words: String, _ cap: Int) {
        let count = steps.count { isOne(simulation.node($0).kind) }
        if count > cap { fail("\(count) steps at once \(words), at most \(cap)") }
    }

    /// What runs, anywhere, and whose it is, but for jobs that wait to be tried again, and for those whose tool is
    /// gone: nobody knows any more what slots they would hold.
    var holding: [(step: StepID, attempt: Int, owner: String)] {
        reader.rows(
            """
            SELECT workflow, step, attempt, owner FROM steps JOIN workflows ON workflows.id = workflow WHERE outcome IS NULL AND
            (state IN ('runningLocal', 'runningRemote', 'downloading') OR (state = 'queuedRemote' AND due_at IS NULL))
            """
        ) { (StepID(WorkflowID(Int64($0.int(0))), $0.int(1)), $0.int(2), $0.text(3)) }
        .filter { one in simulation.engines.first { $0.owner == one.owner }?.hasTool(of: one.step) ?? true }
    }

    /// What is sent and fetched at once, of living engines and of runs that they carry: no more than there are slots
    /// for. What was given up with its run may still be on its way.
    private func checkTransfers() {
        guard simulation.scenario.sharesSlots else { return }
        let running = holding
        let transfers = simulation.providers.values.flatMap(\.transfers).filter { one in
            !one.by.isDead && !one.by.isInRound && !one.by.isBeyondSlots.contains(one.run.step)
                && running.contains { RunID($0.step, attempt: $0.attempt) == one.run && $0.owner == one.by.owner }
        }
        let fetches = running.filter { one in
            simulation.node(one.step).kind == .fetch
                && !simulation.engines.contains { !$0.isDead && $0.isBeyondSlots.contains(one.step) }
                && simulation.engines.contains { !$0.isDead && !$0.isInRound && $0.owner == one.owner }
        }
        // What a run has on its way twice, because its engine lost it and took it back, is one.
        let count = Set(transfers.map(\.run)).count + fetches.count
        if count > simulation.scenario.remoteSlots {
            fail("\(count) transfers at once, at most \(simulation.scenario.remoteSlots)")
        }
    }

    // MARK: Counting

    func commandWasPut(_ count: Int = 1) {
        commandCount += count
        hasChanged = true
    }

    func resolution(of await: Int64) -> String {
        reader.rows("SELECT resolution FROM awaits WHERE number = ?", Int(`await`)) { $0.text(0) }.first ?? ""
    }

    /// Whether everything has come to its end and every wish was heard.
    var isAllOver: Bool {
        hasChanged = false
        return reader.count(
            "SELECT (SELECT count(*) FROM workflows WHERE outcome IS NULL) + (SELECT count(*) FROM commands WHERE taken_at IS NULL)"
        ) == 0
    }

    /// Acknowledged means durable.
    func checkDurable() {
        readEvents()
        let events = reader.count("SELECT count(*) FROM events")
        if events != eventCount { fail("\(eventCount) events were stored, \(events) are there") }
        let commands = reader.count("SELECT count(*) FROM commands")
        if commands != commandCount { fail("\(commandCount) commands were acknowledged, \(commands) are there") }
        for (number, resolution) in simulation.people.answers where self.resolution(of: number) != resolution {
            fail("await \(number) was answered \(resolution); now it says \(self.resolution(of: number))")
        }
    }
}

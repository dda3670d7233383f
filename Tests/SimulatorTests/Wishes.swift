import CaseNames
import JSON
import Vocabulary

/// What persons wanted, in their own words: kept apart from the rows, so that an engine that drops a wish, or makes one
/// up, is found.
final class Wishes {
    struct Wish {
        var workflow: WorkflowID
        var verb: Command.Verb
        /// The graph as it was when somebody wrote another.
        var base: String?
    }

    /// What somebody gave for an await.
    struct Answer {
        var resolutions: Set<String>
        var content: ContentHash?
        var edits: Int?
    }

    unowned let simulation: Simulation
    private var wishes: [Int64: Wish] = [:]
    private var answers: [Int64: Answer] = [:]
    /// How each await was closed by an engine.
    private var closed: [Int64: String] = [:]
    /// Workflows of which somebody wanted more than answers: their ends are what was wanted, not what the plan alone
    /// says.
    private(set) var isTouched: Set<WorkflowID> = []
    /// What the parameter of a step was set to last.
    private(set) var values: [StepID: Int] = [:]
    /// The attempt of its producer that an input takes.
    private(set) var pins: [StepID: [String: Int]] = [:]
    /// What a person made, by step: the newest that was taken.
    private(set) var contents: [StepID: ContentHash] = [:]
    /// How often persons let a step run again.
    private(set) var allowances: [StepID: Int] = [:]
    /// Steps that were put back because another failed under fail-fast.
    var isHalted: Set<StepID> = []
    /// Cancelled, and not taken up since.
    private(set) var isCancelled: Set<WorkflowID> = []
    /// When status checks were paused; absent while they go on.
    private(set) var pausedAt: [WorkflowID: Int] = [:]

    init(_ simulation: Simulation) { self.simulation = simulation }

    private var reader: RowReader { simulation.checks.reader }
    private func fail(_ words: String) { simulation.checks.fail(words) }

    // MARK: What is wanted

    /// Somebody has just put it down, and it was acknowledged: it is the newest row.
    func put(_ verb: Command.Verb, _ workflow: WorkflowID) {
        let number = Int64(reader.count("SELECT max(id) FROM commands"))
        let plan = simulation.plans[workflow]
        wishes[number] = Wish(workflow: workflow, verb: verb, base: plan?.text)
        switch verb {
        case .answer, .complete, .poll: break
        case .cancel, .retry, .rerun, .pin, .revise: isTouched.insert(workflow)
        }
    }

    func answered(_ number: Int64, _ step: StepID, _ answer: Answer, _ verb: Command.Verb) {
        answers[number] = answer
        put(verb, step.workflow)
    }

    /// It is not what the plan says any more.
    func touch(_ workflow: WorkflowID) { isTouched.insert(workflow) }

    // MARK: What comes of it

    /// - Parameters:
    ///   - before: the states before this commit.
    ///   - wasOver: whether the workflow had ended then.
    func committed(_ batch: Batch, before: [StepID: String], wasOver: Bool) {
        for close in batch.awaitsClosed { closed[close.number] = closed[close.number] ?? close.resolution }
        noteContents(batch)
        let taken = batch.commandsTaken.sorted()
        // It may have ended in this very commit, before the command was heard.
        let wasOver = wasOver || batch.events.contains { if case .workflowFinished = $0.kind { true } else { false } }
        for number in taken {
            guard let wish = wishes[number], wish.workflow == batch.workflow else {
                fail("command \(number) was taken for \(batch.workflow), and nobody gave it")
                continue
            }
            allow(wish)
            note(wish, number, in: batch, before: before, isAlone: taken.count == 1, wasOver: wasOver)
        }
        checkLedgers(batch)
    }

    /// Taken without a change: only who carries it may say that there is nothing to do.
    ///
    /// - Parameter waiting: those of them that nobody had heard before.
    func checkDismissed(_ waiting: [Command], by engine: SimulatedEngine) {
        for command in waiting where simulation.checks.owner(of: command.workflow) != engine.owner {
            simulation.checks.mark("left to the next owner")
            guard !isWaiting(command) else { continue }
            fail(
                "\(engine.owner) has dismissed command \(command.id), which is \(simulation.checks.owner(of: command.workflow))'s to hear"
            )
        }
    }

    func isWaiting(_ command: Command) -> Bool {
        reader.count("SELECT taken_at IS NULL FROM commands WHERE id = ?", Int(command.id)) == 1
    }

    /// Whoever wants a step to run again lets it, and what has to run with it.
    private func allow(_ wish: Wish) {
        let plan = simulation.plans[wish.workflow]!
        var reached: Set<Int>
        switch wish.verb {
        case .retry(let step?): reached = [step - 1]
        case .rerun(let rerun):
            guard let step = rerun.step else { fallthrough }
            reached = plan.above(step - 1).union(rerun.isBelow ? plan.below(step - 1) : []).union([step - 1])
        case .retry, .revise: reached = Set(plan.nodes.indices)
        case .cancel, .answer, .complete, .poll, .pin: return
        }
        // Whatever is taken up lifts what a failure has halted; it had not begun, or nothing had come of it.
        reached.formUnion(isHalted.filter { $0.workflow == wish.workflow }.map { $0.index - 1 })
        for index in reached { allowances[StepID(wish.workflow, index + 1), default: 0] += 1 }
    }

    private func note(
        _ wish: Wish, _ number: Int64, in batch: Batch, before: [StepID: String], isAlone: Bool, wasOver: Bool
    ) {
        let workflow = wish.workflow
        let isOver = reader.count("SELECT outcome IS NOT NULL FROM workflows WHERE id = ?", Int(workflow.number)) == 1
        switch wish.verb {
        case .answer(_, let number, _, _), .complete(_, let number, _, _): noteAnswer(number, in: batch)
        case .cancel:
            if !wasOver { isCancelled.insert(workflow) }
            if isAlone, !wasOver { checkCancelled(workflow) }
        case .retry(let step):
            isCancelled.remove(workflow)
            if isAlone { checkTakenUp(workflow, step, from: ["failed", "cancelled"], before) }
        case .rerun(let rerun):
            isCancelled.remove(workflow)
            if let step = rerun.step {
                noteEdits(rerun, StepID(workflow, step), before, isAlone: isAlone)
                if isAlone { checkTakenUp(workflow, step, from: ["succeeded", "failed", "cancelled"], before) }
            }
        case .poll(let isOn):
            let isPaused =
                reader.count("SELECT polling_paused_at IS NOT NULL FROM workflows WHERE id = ?", Int(workflow.number))
                == 1
            if isAlone, !isOver, !wasOver, isPaused == isOn {
                fail("\(workflow) was told \(isOn ? "to go on asking" : "to stop asking") in vain")
            }
        case .pin(let step, let port, let attempt): notePin(StepID(workflow, step), port, attempt, in: batch)
        case .revise(let text, _):
            // New steps begin, also behind an end.
            if wasOver { isCancelled.remove(workflow) }
            noteRevision(text, of: wish, in: batch, before, isAlone: isAlone)
        }
    }

    private func checkCancelled(_ workflow: WorkflowID) {
        let left = reader.rows(
            """
            SELECT step, state FROM steps WHERE workflow = ? AND (state = 'ready' OR state = 'awaitingUser'
            OR (state = 'blocked' AND stale_since IS NULL))
            """, Int(workflow.number)
        ) { "\($0.int(0)) \($0.text(1))" }
        if !left.isEmpty { fail("\(workflow) was cancelled, and \(left) is left") }
    }

    /// - Parameter step: `nil` for all of them.
    private func checkTakenUp(_ workflow: WorkflowID, _ step: Int?, from: Set<String>, _ before: [StepID: String]) {
        for (number, state) in states(of: workflow) where step == nil || step == number {
            let id = StepID(workflow, number)
            guard let was = before[id], from.contains(was), !simulation.node(id).isRemoved else { continue }
            if state != "ready", state != "blocked" { fail("\(id) was to run again; it is \(state) as before") }
        }
    }

    private func states(of workflow: WorkflowID) -> [(Int, String)] {
        reader.rows("SELECT step, state FROM steps WHERE workflow = ?", Int(workflow.number)) {
            ($0.int(0), $0.text(1))
        }
    }

    // MARK: Answers

    /// An answer that was taken closes its await in those words, or the await had been closed already by what somebody
    /// wanted.
    private func noteAnswer(_ number: Int64, in batch: Batch) {
        guard let answer = answers[number] else { return fail("await \(number) was answered by nobody") }
        guard let resolution = closed[number] else {
            return fail("the answer to await \(number) was taken, and nothing came of it")
        }
        if answer.resolutions.contains(resolution) {
            if let edits = answer.edits, resolution == "agreed" { values[step(of: number)] = edits }
            return
        }
        let isExcused =
            isTouched.contains(batch.workflow)
            || (resolution == "superseded" && simulation.plans[batch.workflow]!.isFailFast)
        if !isExcused {
            fail("await \(number) was answered \(answer.resolutions.sorted()); it was closed as \(resolution)")
        }
    }

    private func step(of number: Int64) -> StepID {
        reader.rows("SELECT workflow, step FROM awaits WHERE number = ?", Int(number)) {
            StepID(WorkflowID(Int64($0.int(0))), $0.int(1))
        }[0]
    }

    /// What a person made is what came out, to the byte; a default is the one candidate.
    private func noteContents(_ batch: Batch) {
        for close in batch.awaitsClosed where close.resolution == "completed" || close.resolution == "default" {
            let step = step(of: close.number)
            guard simulation.node(step).kind.isHuman,
                let end = batch.runsEnded.first(where: { $0.run.step == step }), case .succeeded = end.ending
            else { continue }
            let stored = reader.rows(
                "SELECT sha256 FROM assets WHERE workflow = ? AND step = ? AND attempt = ?", Int(step.workflow.number),
                step.index,
                end.run.attempt
            ) { ContentHash(hex: $0.text(0)) }
            let wanted: Set<ContentHash> =
                close.resolution == "completed"
                ? Set([answers[close.number]?.content].compactMap(\.self))
                : Set(
                    (batch.runsStarted.first { $0.id == end.run }?.inputs.values.map(\.hash) ?? []) + offered(by: step))
            guard stored.count == 1, wanted.contains(stored[0]) else {
                return fail(
                    "await \(close.number) was answered with \(wanted.map(\.hex)); what is stored is \(stored.map(\.hex))"
                )
            }
            contents[step] = stored[0]
        }
    }

    private func offered(by step: StepID) -> [ContentHash] {
        let node = simulation.node(step)
        guard node.isOffering else { return [] }
        return [Content.hash("kept \(node.kind == .human(.choose) ? node.id : #"{"of":"\#(node.id)"}"#)")]
    }

    // MARK: Edits, pins, revisions

    /// What runs, or is not there any more, is not changed; what waits for a slot or a person may run by the time that
    /// it is heard.
    private func noteEdits(_ rerun: Rerun, _ step: StepID, _ before: [StepID: String], isAlone: Bool) {
        guard let value = rerun.edits?["v"]?.int else { return }
        let isSure = isAlone && ["blocked", "succeeded", "failed", "cancelled"].contains(before[step] ?? "blocked")
        if isSure, !simulation.node(step).isRemoved {
            values[step] = value
        } else if stored(step) == value {
            values[step] = value
        }
    }

    private func stored(_ step: StepID) -> Int? {
        reader.rows("SELECT edits FROM steps WHERE workflow = ? AND step = ?", Int(step.workflow.number), step.index) {
            $0.optionalText(0).flatMap { try? JSONReader.read($0) }?["v"]?.int
        }.first ?? nil
    }

    private func notePin(_ step: StepID, _ port: String, _ attempt: Int?, in batch: Batch) {
        guard let input = simulation.node(step).inputs.first(where: { $0.port == port }) else { return }
        guard let attempt else {
            pins[step]?[port] = nil
            return
        }
        let isThere =
            reader.count(
                "SELECT count(*) FROM assets WHERE workflow = \(step.workflow.number) AND step = \(input.producer + 1) AND attempt = ?",
                attempt)
            > 0
        guard isThere else { return }
        let run = RunID(StepID(step.workflow, input.producer + 1), attempt: attempt)
        // What a person made in the same round may have come after the wish to take it.
        if batch.runsStarted.contains(where: { $0.id == run }), !isStored(port, of: step) { return }
        pins[step, default: [:]][port] = attempt
    }

    private func isStored(_ port: String, of step: StepID) -> Bool {
        reader.count(
            "SELECT count(*) FROM pins WHERE workflow = \(step.workflow.number) AND port = '\(port)' AND step = ?",
            step.index) > 0
    }

    private func noteRevision(_ text: String, of wish: Wish, in batch: Batch, _ before: [StepID: String], isAlone: Bool)
    {
        guard isAlone else { return }
        let isRefused = batch.events.contains {
            if case .workflowChanged(let reason, _) = $0.kind { reason.code == "revisionRefused" } else { false }
        }
        if batch.template == text { return }
        guard isRefused else { return fail("\(wish.workflow) was to have another graph, and has the old one") }
        let isBusy = before.contains { step, state in
            step.workflow == wish.workflow
                && ["runningLocal", "queuedRemote", "runningRemote", "downloading", "awaitingUser", "ready"].contains(
                    state)
        }
        if !isBusy, wish.base == simulation.plans[wish.workflow]?.text, simulation.isSound(text) {
            fail("\(wish.workflow) may have another graph, and that was refused")
        }
    }

    /// The graph has changed: what was set for a step goes, where the new one says something else of it.
    func revised(_ workflow: WorkflowID, from old: Plan, to new: Plan) {
        for (index, node) in new.nodes.enumerated() where index < old.nodes.count {
            if old.nodes[index].value != node.value || old.nodes[index].isRemoved != node.isRemoved {
                values[StepID(workflow, index + 1)] = nil
            }
        }
    }

    /// What is set and what is pinned is what persons said last, and nothing else.
    private func checkLedgers(_ batch: Batch) {
        let workflow = batch.workflow
        let edits = reader.rows(
            "SELECT step, edits FROM steps WHERE workflow = ? AND edits IS NOT NULL", Int(workflow.number)
        ) {
            (StepID(workflow, $0.int(0)), (try? JSONReader.read($0.text(1)))?["v"]?.int)
        }
        var known = values.filter { $0.key.workflow == workflow }
        for case (let step, let value?) in edits {
            if known.removeValue(forKey: step) != value { fail("\(step) has \(value) set, which nobody did") }
        }
        for (step, value) in known { fail("\(step) was set to \(value), which is lost") }
        var stored: [StepID: [String: Int]] = [:]
        for (step, port, attempt) in reader.rows(
            "SELECT step, port, attempt FROM pins WHERE workflow = ?", Int(workflow.number),
            map: { ($0.int(0), $0.text(1), $0.int(2)) })
        { stored[StepID(workflow, step), default: [:]][port] = attempt }
        let wanted = pins.filter { $0.key.workflow == workflow && !$0.value.isEmpty }
        if stored != wanted { fail("the pins of \(workflow) are \(stored); persons wanted \(wanted)") }
    }
}

extension Plan {
    func above(_ index: Int) -> Set<Int> {
        reached(from: index) { Set(nodes[$0].inputs.map(\.producer) + nodes[$0].follows) }
    }

    func below(_ index: Int) -> Set<Int> {
        reached(from: index) { Set(consumers(of: $0).map(\.0) + followers(of: $0)) }
    }

    private func followers(of index: Int) -> [Int] { nodes.indices.filter { nodes[$0].follows.contains(index) } }

    private func reached(from index: Int, _ next: (Int) -> Set<Int>) -> Set<Int> {
        var reached: Set<Int> = []
        var queue = [index]
        while let one = queue.popLast() {
            for other in next(one) where reached.insert(other).inserted { queue.append(other) }
        }
        return reached
    }
}

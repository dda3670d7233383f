import Consent
import JSON
import Storage
import Vocabulary
import Workflows

/// Two persons at one inbox, who answer as the scenario says, now and then after other things; and what they want
/// besides.
final class SimulatedPeople {
    unowned let simulation: Simulation
    let names = ["ann", "bob"]
    private var wishesLeft = 0
    /// Who believes to hold which await, and until when.
    private var leases: [Int64: (by: String, until: Moment)] = [:]
    /// How often a person said "submit it again" of a job, by its name.
    private(set) var saidAgain: [String: Int] = [:]
    /// Steps of whose job a person said "let it be", whether it exists or not.
    private(set) var saidLetBe: Set<StepID> = []
    private(set) var answers: [Int64: String] = [:]
    private var revisions: [String: Plan] = [:]

    private struct Open {
        var number: Int64
        var step: StepID
        var type: AwaitType
    }

    init(_ simulation: Simulation) {
        self.simulation = simulation
        for plan in simulation.scenario.revisions { revisions[plan.text] = plan }
    }

    var hasNoWish: Bool { wishesLeft == 0 }
    private var archive: Archive { simulation.archive }
    private var now: Moment { simulation.clock.wall }

    func begin() {
        for name in names { visitLater(name) }
        let weather = simulation.scenario.weather
        wishesLeft = weather.wishes.count
        for wish in weather.wishes {
            let longest = simulation.chance(500) ? weather.stormMilliseconds / 4 : 90_000
            simulation.clock.after(simulation.dice(0...longest)) { [unowned self] in
                wishesLeft -= 1
                simulation.checks.commandWasPut(0)
                perform(wish)
            }
        }
    }

    // MARK: The inbox

    private func visitLater(_ name: String) {
        let longest = simulation.isHealed ? 20_000 : 60_000
        simulation.clock.after(simulation.dice(500...longest)) { [unowned self] in
            do throws(Failure) { try visit(name) } catch { simulation.checks.fail("\(name): \(error)") }
            visitLater(name)
        }
    }

    private func visit(_ name: String) throws(Failure) {
        let open = simulation.checks.reader.rows(
            "SELECT number, workflow, step, type FROM awaits WHERE status <> 'done' ORDER BY number"
        ) {
            Open(
                number: Int64($0.int(0)), step: StepID(WorkflowID(Int64($0.int(1))), $0.int(2)),
                type: AwaitType(rawValue: $0.text(3))!)
        }
        guard !open.isEmpty else { return }
        let chosen = open[simulation.dice(0...open.count - 1)]
        if simulation.storm.isOn, simulation.chance(simulation.scenario.weather.dawdling) {
            return try dawdle(chosen, name)
        }
        try answer(chosen, claim: nil, name)
    }

    /// Between an engine's look at an await and its commit that closes it: somebody is quicker.
    func race(for await: Int64) {
        guard simulation.storm.isOn, simulation.chance(simulation.scenario.weather.dawdling) else { return }
        let open = simulation.checks.reader.rows(
            "SELECT number, workflow, step, type FROM awaits WHERE number = ?", Int(`await`)
        ) {
            Open(
                number: Int64($0.int(0)), step: StepID(WorkflowID(Int64($0.int(1))), $0.int(2)),
                type: AwaitType(rawValue: $0.text(3))!)
        }
        do throws(Failure) { for one in open { try answer(one, claim: nil, names[0]) } } catch {
            simulation.checks.fail("\(error)")
        }
    }

    private func dawdle(_ open: Open, _ name: String) throws(Failure) {
        switch simulation.dice(0...3) {
        case 0:
            guard
                case .until = try archive.snooze(
                    open.number, seconds: Double(simulation.dice(1...600)), by: name, at: now)
            else { break }
            leases[open.number] = nil
        case 1:
            guard let claim = try claim(open, name) else { return }
            try archive.release(open.number, claim: claim, draft: .int(simulation.dice(0...9)), by: name, at: now)
            leases[open.number] = nil
        default:
            guard let claim = try claim(open, name) else { return }
            simulation.clock.after(simulation.duration(longest: 400_000)) { [unowned self] in
                do throws(Failure) {
                    if simulation.chance(500), let until = try archive.renew(open.number, claim: claim, at: now) {
                        leases[open.number] = (name, until)
                    }
                    try answer(open, claim: claim, name)
                } catch { simulation.checks.fail("\(name): \(error)") }
            }
        }
        simulation.databaseChanged(by: nil)
    }

    private func claim(_ open: Open, _ name: String) throws(Failure) -> Int? {
        guard case .yours(let record) = try archive.claim(open.number, by: name, at: now) else { return nil }
        simulation.note("\(name) claims \(open.number)")
        if let other = leases[open.number], other.by != name, other.until > now {
            simulation.checks.fail("await \(open.number) is \(name)'s and \(other.by)'s at once")
        }
        leases[open.number] = (name, record.until ?? now)
        return record.claim
    }

    private func answer(_ open: Open, claim: Int?, _ name: String) throws(Failure) {
        let node = simulation.node(open.step)
        if open.type == .confirmCall { return try assent(open, node, name) }
        guard var completion = completion(of: open, node) else { return }
        // A slip: what belongs to another kind of await.
        let weather = simulation.scenario.weather
        var isSlip = false
        if simulation.storm.isOn, !weather.wishes.isEmpty, simulation.chance(weather.dawdling / 10) {
            completion = [.outputs([]), .agreed(edits: nil), .lookAgain][simulation.dice(0...2)]
            if completion == .outputs([]), node.kind.isHuman, open.type != .submitUnknown { completion = .lookAgain }
            simulation.wishes.touch(open.step.workflow)
            isSlip = true
        }
        let result = try archive.complete(open.number, claim: claim, completion, draft: .int(1), by: name, at: now)
        simulation.note("\(name) completes \(open.number) (\(open.step)) \(completion.brief): \(result)")
        switch result {
        case .taken:
            if let other = leases[open.number], claim == nil, other.by != name, other.until > now {
                simulation.checks.fail("\(name) completed await \(open.number) while \(other.by) held it")
            }
            note(completion, open, node, isSlip: isSlip)
            taken(open, completion.word)
        case .claimIsOver, .refused: break
        }
    }

    /// As it was said: what comes of it is held against it.
    private func note(_ completion: Completion, _ open: Open, _ node: Plan.Node, isSlip: Bool) {
        var answer = Wishes.Answer(resolutions: isSlip ? [completion.word, "badAnswer"] : [completion.word])
        switch completion {
        case .outputs(let assets): answer.content = assets.first?.hash
        case .agreed(let edits): answer.edits = edits?["v"]?.int
        case .skipped:
            if !(node.kind.isHuman && isDispensable(open.step)) {
                answer.resolutions = node.kind.isHuman ? ["rejected"] : ["badAnswer"]
            }
        case .submitAgain:
            if let key = simulation.checks.jobKey(of: open.step) { saidAgain[key, default: 0] += 1 }
        case .rejected: if open.type == .submitUnknown { saidLetBe.insert(open.step) }
        case .submittedAs, .lookAgain: break
        }
        simulation.wishes.answered(
            open.number, open.step, answer,
            .complete(step: open.step.index, await: open.number, completion, by: "person"))
    }

    private func isDispensable(_ step: StepID) -> Bool {
        !simulation.plans[step.workflow]!.consumers(of: step.index - 1).contains { !$0.1.isOptional }
    }

    private func taken(_ open: Open, _ word: String) {
        leases[open.number] = nil
        answers[open.number] = word
        simulation.checks.commandWasPut()
        // In the same process the engine is told; others find out.
        if simulation.chance(400) { simulation.engines.last { !$0.isDead }?.poke() }
        simulation.databaseChanged(by: nil)
    }

    /// Whether a call may happen.
    private func assent(_ open: Open, _ node: Plan.Node, _ name: String) throws(Failure) {
        guard let record = try archive.await(numbered: open.number), let digest = record.digest else {
            return simulation.checks.fail("await \(open.number) has no digest")
        }
        let isYes = node.isAllowed || simulation.isHealed
        let approval = Approval(
            digest: digest, isPlanned: false, step: open.step, awaitNumber: open.number, by: name, at: now,
            expiresAt: now + Limits.approvalSeconds, policyEpoch: simulation.policy.epoch)
        let answer: Answer = isYes ? .yes : .no(reason: "no")
        let result = try archive.answer(open.number, answer, approvals: isYes ? [approval] : [], by: name, at: now)
        simulation.note("\(name) says \(isYes ? "yes" : "no") to \(open.number) (\(open.step)): \(result)")
        guard case .taken = result else { return }
        let word = isYes ? "approved" : "rejected"
        simulation.wishes.answered(
            open.number, open.step, Wishes.Answer(resolutions: [word]),
            .answer(step: open.step.index, await: open.number, answer, by: name)
        )
        taken(open, word)
    }

    private func completion(of open: Open, _ node: Plan.Node) -> Completion? {
        switch open.type {
        case .submitUnknown: return ofSubmission(open, node)
        case .connect:
            guard let provider = node.kind.provider else { return .agreed(edits: nil) }
            simulation.providers[simulation.scenario.providers[provider].terms.provider]!.hasKey = true
            return .agreed(edits: nil)
        case .confirmCall: return nil
        case .drawMask, .selectAsset, .choose, .text, .capture, .confirmParams: break
        }
        guard !simulation.isHealed else { return made(node) }
        switch node.wait?.says {
        case .agrees?: return made(node)
        case .rejects?: return .rejected(reason: "no")
        case .skips?: return .skipped()
        case .never?, nil: return nil
        }
    }

    private func made(_ node: Plan.Node) -> Completion {
        if node.kind.isHuman {
            let choice = simulation.dice(0...1)
            let run = RunID(StepID(WorkflowID(0), 0), attempt: 0)
            var asset = Asset(
                run: run, port: "out", type: .any, hash: Content.byHand(node.id, choice), bytes: 1, name: "x")
            if node.kind == .human(.text) { asset.meta[Asset.answerKey] = .string(Content.answers[choice]) }
            return .outputs([asset])
        }
        guard case .agrees(let value?)? = node.wait?.says else { return .agreed(edits: nil) }
        var edits = JSON.Object()
        edits["v"] = .int(value)
        return .agreed(edits: edits)
    }

    /// The person looks at the provider's own list, and now and then not carefully.
    private func ofSubmission(_ open: Open, _ node: Plan.Node) -> Completion {
        guard let provider = node.kind.provider else { return .rejected(reason: "what?") }
        let script = simulation.providers[simulation.scenario.providers[provider].terms.provider]!
        let job = script.jobs.last { $0.run.step == open.step }
        if simulation.scenario.isMisreading, !simulation.isHealed, simulation.chance(500),
            let other = another(than: open.step, at: script)
        {
            return .submittedAs(id: other)
        }
        let word = simulation.dice(0...9)
        if word < 2, !simulation.isHealed { return .rejected(reason: "let it be") }
        if word < 6 { return .lookAgain }
        guard let job, word < 9 else { return .submitAgain }
        return .submittedAs(id: job.id)
    }

    /// A job of another run at that provider, which is known to be that run's.
    private func another(than step: StepID, at script: SimulatedProvider) -> String? {
        guard let key = simulation.checks.jobKey(of: step) else { return nil }
        return script.jobs.last { job in
            job.run.step != step
                && (try? archive.isJobHeld(provider: script.script.terms.provider, id: job.id, key: key)) == true
        }?.id
    }

    // MARK: Wishes

    private func perform(_ wish: Weather.Wish) {
        let known = simulation.plans.keys.sorted()
        guard !known.isEmpty else { return }
        let workflow = known[simulation.dice(0...known.count - 1)]
        let plan = simulation.plans[workflow]!
        let step = simulation.dice(1...plan.nodes.count)
        switch wish {
        case .cancel: simulation.put(.cancel, workflow)
        case .retry: simulation.put(.retry(step: step), workflow)
        case .retryAll: simulation.put(.retry(step: nil), workflow)
        case .rerun: simulation.put(.rerun(Rerun(step: step)), workflow)
        case .rerunBelow: simulation.put(.rerun(Rerun(step: step, isBelow: true)), workflow)
        case .rerunAll: simulation.put(.rerun(Rerun()), workflow)
        case .edit:
            var edits = JSON.Object()
            if [.ghost, .delay].contains(plan.nodes[step - 1].kind) == false {
                edits["v"] = .int(simulation.dice(0...9))
            }
            simulation.put(.rerun(Rerun(step: step, edits: edits, isBelow: simulation.chance(500))), workflow)
        case .pause: simulation.put(.poll(false), workflow)
        case .resume: simulation.put(.poll(true), workflow)
        case .pin:
            guard let input = plan.nodes[step - 1].inputs.first else { return }
            simulation.put(
                .pin(
                    step: step, port: input.port,
                    attempt: simulation.chance(300) ? nil : [1, 1, 2, 3][simulation.dice(0...3)]), workflow)
        case .revise:
            let revised = plan.revised { simulation.dice($0) }
            let text = simulation.text(of: revised)
            revisions[text] = revised
            simulation.put(.revise(template: text), workflow)
        }
    }

    func revision(_ text: String) -> Plan? { revisions[text] }
}

extension Plan {
    /// Another value, one node more, or one that nobody consumes fewer.
    fileprivate func revised(_ dice: (ClosedRange<Int>) -> Int) -> Plan {
        var new = self
        let index = dice(0...nodes.count - 1)
        switch dice(0...3) {
        case 0: new.nodes[index].value = dice(10...19)
        case 1:
            let input = Input(port: "in0", producer: index, isOptional: false)
            new.nodes.append(
                Node(
                    id: "n\(nodes.count + 1)", kind: .work, inputs: nodes[index].isRemoved ? [] : [input], value: 1,
                    isBlunt: false,
                    fate: .succeeds, isAllowed: true))
            // Without dice, so that kept seeds have the same.
            let earlier = index / 2
            if hasFollowing, earlier != index, !nodes[earlier].isRemoved {
                new.nodes[nodes.count].follows = [earlier]
            }
        default:
            guard consumers(of: index).isEmpty else { break }
            new.nodes[index].isRemoved = true
            new.nodes[index].inputs = []
            (new.nodes[index].follows, new.nodes[index].startsAfter) = ([], [])
            for other in nodes.indices {
                new.nodes[other].follows.removeAll { $0 == index }
                new.nodes[other].startsAfter.removeAll { $0 == index }
            }
        }
        return new
    }
}

extension Completion {
    /// What an await is closed with that was answered so.
    fileprivate var word: String {
        switch self {
        case .outputs: "completed"
        case .agreed: "agreed"
        case .skipped: "skipped"
        case .rejected: "rejected"
        case .submittedAs: "found"
        case .lookAgain: "lookAgain"
        case .submitAgain: "submitAgain"
        }
    }

    fileprivate var brief: String {
        switch self {
        case .outputs: "outputs"
        case .agreed(let edits): edits == nil ? "agreed" : "agreed with edits"
        case .skipped: "skipped"
        case .rejected: "rejected"
        case .submittedAs(let id): "submitted as \(id)"
        case .lookAgain: "look again"
        case .submitAgain: "submit again"
        }
    }
}

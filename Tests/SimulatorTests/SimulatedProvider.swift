import CaseNames
import JSON
import Vocabulary

/// A provider of jobs with its own ledger of what it was asked: whatever was said of it before, this is what was
/// bought.
final class SimulatedProvider {
    final class Job {
        let id: String
        let key: String
        let run: RunID
        /// Whether it was asked for by an engine that lived, and was thought dead meanwhile.
        let isFromOverthrown: Bool
        let startsAt: Int
        let endsAt: Int
        let node: Plan.Node
        let outputs: [Asset]
        var cancelsAt: Int?

        init(
            id: String, _ request: JobRequest, isFromOverthrown: Bool, startsAt: Int, endsAt: Int, node: Plan.Node,
            outputs: [Asset]
        ) {
            (self.id, key, run, self.isFromOverthrown) = (id, request.job.key, request.assignment.run, isFromOverthrown)
            (self.startsAt, self.endsAt, self.node, self.outputs) = (startsAt, endsAt, node, outputs)
        }
    }

    let script: ProviderScript
    unowned let simulation: Simulation
    private(set) var jobs: [Job] = []
    var hasKey: Bool
    /// What is being sent to it or fetched from it, as long as nobody has had an answer.
    private(set) var transfers: [(run: RunID, by: SimulatedEngine)] = []
    private var busy: [StepID: Int] = [:]
    /// Steps whose submission was answered by nothing that says whether it was taken.
    private(set) var unclear: Set<StepID> = []
    /// How often a submission was answered with what spends a try.
    private(set) var refusals: [StepID: Int] = [:]
    /// Answers that are told again as soon as the same is asked anew, by verb and run.
    private var echoes: [String: () -> Void] = [:]
    /// How often each thing has gone wrong for each run: it does not go wrong for ever.
    private var troubles: [String: Int] = [:]

    init(_ script: ProviderScript, _ simulation: Simulation) {
        self.script = script
        self.simulation = simulation
        hasKey = !script.needsKey
    }

    func ask(_ request: JobRequest, by engine: SimulatedEngine, _ reply: @escaping @Sendable (JobAnswer) -> Void) {
        let verb = request.verb
        let isTransfer = verb == .submit || verb == .find || verb == .collect
        if isTransfer { transfers.append((request.assignment.run, engine)) }
        simulation.checks.sends(request, by: engine)
        let name = "\(verb) \(request.assignment.run)"
        if let echo = echoes.removeValue(forKey: name) {
            simulation.clock.after(1) {
                echo()
                engine.wake(within: 0)
            }
        }
        simulation.clock.after(simulation.duration(longest: 3000)) { [unowned self] in
            // What a process that died had not sent is not sent.
            guard !engine.isDead || simulation.chance(600) else { return }
            defer { isTransfer ? transfers.removeAll { $0.run == request.assignment.run && $0.by === engine } : () }
            let answer = answer(to: request, by: engine)
            simulation.note(
                "\(script.terms.provider) \(verb) \(request.assignment.run) for \(engine.owner): \(answer.brief)")
            if simulation.storm.isOn, simulation.scenario.echoes > 0, simulation.chance(simulation.scenario.echoes) {
                echoes[name] = { reply(answer) }
            }
            let isTwice = simulation.storm.isOn && simulation.chance(80)
            for copy in 0..<(isTwice ? 2 : 1) {
                // The second may come when something else has been asked long since.
                let longest = simulation.storm.isOn ? copy == 0 ? 20_000 : 400_000 : 1000
                simulation.clock.after(simulation.duration(longest: longest)) {
                    reply(answer)
                    engine.wake(within: 0)
                }
            }
        }
    }

    private func answer(to request: JobRequest, by engine: SimulatedEngine) -> JobAnswer {
        let lost = Failure("unreachable", "No answer.", isTransient: true)
        switch request.verb {
        case .submit: return submit(request, by: engine)
        case .find:
            // It knows the second submission as the first; to look for it is to ask a person in the end.
            if !script.terms.canLook {
                simulation.checks.fail("\(script.terms.provider) is asked for a job, which it cannot be")
            }
            if isTrouble(request, 300) { return .unreachable(lost) }
            let own = jobs.filter { $0.key == request.job.key }
            if own.count > 1 { return .several(own.count) }
            return own.first.map { .accepted(captured: captured($0), nil) } ?? .notFound
        case .status:
            guard let job = job(of: request), !isForgotten(job) else {
                return .strike(Failure("notFound", "404"), limit: 2)
            }
            if isTrouble(request, 300) {
                return simulation.chance(300) && isTrouble(request, 1000, of: "strike", most: 1)
                    ? .strike(Failure("unknownStatus", "It says: hm."), limit: 2) : .unreachable(slow(lost))
            }
            return .status(status(of: job))
        case .collect:
            guard let job = job(of: request) else { return .strike(Failure("notFound", "404"), limit: 2) }
            if isTrouble(request, 300) { return .unreachable(slow(lost)) }
            switch simulation.isHealed ? .succeeds : job.node.fate {
            case .spoiled: return .spoiled(Failure("badOutput", "It is no picture."))
            case .gone: return .strike(Failure("gone", "404"), limit: 2)
            default:
                // Whichever attempt it was asked for.
                return .collected(
                    job.outputs.map { output in
                        var own = output
                        own.run = request.assignment.run
                        return own
                    })
            }
        case .cancel: return cancel(request)
        }
    }

    // MARK: Submitting

    private func submit(_ request: JobRequest, by engine: SimulatedEngine) -> JobAnswer {
        let step = request.assignment.run.step
        let fate = simulation.isHealed ? .succeeds : simulation.node(step).fate
        if !hasKey {
            return .notTaken(Failure("keyMissing", "\(script.terms.title) needs a key.", remedy: "Give it one."))
        }
        if fate == .refused { return .notTaken(Failure("badRequest", "400: bad input.")) }
        if case .busy(let times) = fate, busy[step, default: 0] < times {
            busy[step, default: 0] += 1
            refusals[step, default: 0] += 1
            return .notTaken(
                Failure("busy", "429", isTransient: true, retryAfterSeconds: simulation.chance(300) ? 30 : nil))
        }
        if isTrouble(request, 400, most: 2) {
            let word = simulation.dice(0...3)
            if word != 1 { refusals[step, default: 0] += 1 }
            if word > 1 { unclear.insert(step) }
            switch word {
            case 0: return .notTaken(Failure("busy", "503", isTransient: true))
            case 1: return .notTaken(Failure("offline", "No network.", isTransient: true))
            case 2: return .unclear(Failure("timeout", "504, and it was not taken."))
            default:
                take(request, by: engine)
                return .unclear(Failure("reset", "The answer was lost."))
            }
        }
        let job = take(request, by: engine)
        return .accepted(captured: captured(job), simulation.chance(300) ? status(of: job) : nil)
    }

    @discardableResult
    private func take(_ request: JobRequest, by engine: SimulatedEngine) -> Job {
        let isKnown: Bool =
            switch script.terms.idempotency {
            case .put, .clientId, .header: true
            case .reconcile, .none: false
            }
        if isKnown, let known = jobs.first(where: { $0.key == request.job.key }) { return known }
        let run = request.assignment.run
        let node = simulation.node(run.step)
        let starts = simulation.clock.elapsed + simulation.duration(longest: 60_000)
        let job = Job(
            id: "\(script.terms.provider)-\(jobs.count + 1)", request,
            isFromOverthrown: engine.overthrown.contains(run.step.workflow)
                && simulation.checks.owner(of: run.step.workflow) != engine.owner,
            startsAt: starts, endsAt: starts + simulation.duration(longest: 300_000), node: node,
            outputs: simulation.tools.assets(of: request.assignment))
        jobs.append(job)
        simulation.checks.bought(job, from: self)
        return job
    }

    private func captured(_ job: Job) -> JSON.Object {
        var captured = JSON.Object()
        captured["jobId"] = .string(job.id)
        return captured
    }

    // MARK: Watching

    private func job(of request: JobRequest) -> Job? { jobs.first { $0.id == request.job.captured["jobId"]?.string } }

    private func fate(of job: Job) -> Plan.Fate { simulation.isHealed ? .succeeds : job.node.fate }

    private func isForgotten(_ job: Job) -> Bool {
        fate(of: job) == .forgotten && simulation.clock.elapsed > job.startsAt
    }

    private func status(of job: Job) -> JobStatus {
        let now = simulation.clock.elapsed
        if let at = job.cancelsAt, now >= at { return JobStatus(.cancelled) }
        if now < job.startsAt || fate(of: job) == .stuckQueued { return JobStatus(.queued, queuePosition: 1) }
        if now < job.endsAt || fate(of: job) == .stuckRunning || fate(of: job) == .forgotten {
            return JobStatus(.running, progress: 0.5)
        }
        switch fate(of: job) {
        case .providerFails: return JobStatus(.failed(Failure("providerFailed", "Out of memory.")))
        case .providerCancels: return JobStatus(.cancelled)
        default: return JobStatus(.succeeded, progress: 1)
        }
    }

    private func cancel(_ request: JobRequest) -> JobAnswer {
        guard let job = job(of: request) else { return .strike(Failure("notFound", "404"), limit: 2) }
        if script.terms.cancelling == .unsupported {
            return .cancelRefused(Failure("cancelUnsupported", "There is no such request."))
        }
        if isTrouble(request, 300) { return .unreachable(Failure("unreachable", "No answer.", isTransient: true)) }
        let now = simulation.clock.elapsed
        guard now < job.endsAt else { return .cancelRefused(Failure("tooLate", "It is done already.")) }
        // Now and then nothing comes of it.
        if !simulation.chance(250) {
            job.cancelsAt = min(job.cancelsAt ?? .max, now + simulation.duration(longest: 60_000))
        }
        return .cancelTaken
    }

    // MARK: Trouble

    private func isTrouble(_ request: JobRequest, _ perMille: Int, of kind: String? = nil, most: Int = 4) -> Bool {
        guard simulation.storm.isOn, simulation.chance(simulation.scenario.weather.provider * perMille / 400) else {
            return false
        }
        let name = "\(kind ?? request.verb.rawValue) \(request.assignment.run)"
        guard troubles[name, default: 0] < most else { return false }
        troubles[name, default: 0] += 1
        return true
    }

    private func slow(_ failure: Failure) -> Failure {
        var slow = failure
        if simulation.chance(200) { slow.retryAfterSeconds = Double(simulation.dice(1...120)) }
        return slow
    }
}

extension JobAnswer {
    fileprivate var brief: String {
        switch self {
        case .accepted(let captured, _): "accepted \(captured["jobId"]?.string ?? "?")"
        case .notTaken(let failure): "not taken, \(failure.code)"
        case .unclear(let failure): "unclear, \(failure.code)"
        case .notFound: "not found"
        case .several(let count): "\(count) such jobs"
        case .status(let status): "\(status.state)".prefix(9).description
        case .unreachable: "unreachable"
        case .stuck(let failure): "stuck, \(failure.code)"
        case .strike(let failure, _): "strike, \(failure.code)"
        case .collected: "collected"
        case .spoiled: "spoiled"
        case .cancelTaken: "cancel taken"
        case .cancelRefused(let failure): "cancel refused, \(failure.code)"
        }
    }
}

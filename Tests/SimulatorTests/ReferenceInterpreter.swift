import CaseNames
import Vocabulary
import Workflows

/// What a workflow must come to, from its plan and its fates alone: no time, no engine, one recursion over the graph.
struct ReferenceInterpreter {
    struct End: Hashable {
        /// More than one where races with time leave it open, or something happened to it that the plan does not know.
        var states: Set<StepState>
        /// What a failure of it may be called.
        var codes: Set<String> = []
        /// What comes out if it succeeds; `nil` if nothing does, or if that is open.
        var content: ContentHash?
        var maySkip = false
        /// Whether it may be blocked only because what it needs was skipped: that holds up no step that follows it.
        var mayBeAbsent = false

        mutating func fail(_ code: String) {
            states.insert(.failed)
            codes.insert(code)
        }
    }

    let plan: Plan
    let scenario: Scenario
    /// What happened to its steps that no plan knows, by step.
    let mishaps: [Int: Mishap]
    /// What persons gave in the end, by step.
    let given: [Int: ContentHash]
    /// Parameters that persons changed.
    let values: [Int: Int]
    /// Step and port, and what they are pinned to.
    let pins: [String: ContentHash]
    private var known: [Int: End] = [:]

    /// What really happened, by those to whom it did: nothing that only could have happened excuses an end.
    struct Mishap: OptionSet {
        let rawValue: Int
        /// Its process was looked for after a crash, and neither it nor a record of its end was there.
        static let lost = Mishap(rawValue: 1)
        /// Of a job that may exist, a person said "let it be".
        static let letBe = Mishap(rawValue: 2)
        /// Whether its job was taken was not known: an answer was lost, or a process that had asked for it.
        static let unclear = Mishap(rawValue: 4)
        /// It was refused more often than its own fate says.
        static let trouble = Mishap(rawValue: 8)
    }
    private var contents: [Int: ContentHash?] = [:]

    init(
        plan: Plan, scenario: Scenario, mishaps: [Int: Mishap], given: [Int: ContentHash],
        values: [Int: Int],
        pins: [String: ContentHash]
    ) {
        (self.plan, self.scenario, self.mishaps) = (plan, scenario, mishaps)
        (self.given, self.values, self.pins) = (given, values, pins)
    }

    // MARK: The state of each step

    /// As the error policy leaves it.
    mutating func end(of index: Int) -> End {
        var end = alone(index)
        guard plan.isFailFast else { return end }
        // Whatever another one's end forbids to start stays behind.
        for other in plan.nodes.indices where other != index {
            if !alone(other).states.isDisjoint(with: [.failed, .cancelled]) { end.states.insert(.blocked) }
        }
        return end
    }

    /// Under isolate-node: only what stands above a step matters.
    private mutating func alone(_ index: Int) -> End {
        if let end = known[index] { return end }
        let node = plan.nodes[index]
        var states: Set<StepState> = []
        var (canRun, mayBeAbsent) = (true, false)
        for input in node.inputs {
            let above = alone(input.producer)
            if above.states != [.succeeded] { states.insert(.blocked) }
            if !above.states.contains(.succeeded) { canRun = false }
            if above.maySkip, !input.isOptional {
                states.insert(.blocked)
                mayBeAbsent = true
            }
        }
        // A step follows those that succeeded or were skipped. What only has to be over ends sooner or later.
        for place in node.follows {
            let above = alone(place)
            if above.states != [.succeeded] { states.insert(.blocked) }
            if !above.states.contains(.succeeded), !above.mayBeAbsent { canRun = false }
            guard plan.nodes[place].fate == .told else { continue }
            states.insert(.blocked)
            if !above.maySkip, !above.mayBeAbsent { canRun = false }
        }
        for place in node.after + node.skipsWith + (node.when.map { [$0.node] } ?? []) {
            let above = alone(place)
            if above.states != [.succeeded] { states.insert(.blocked) }
            if !above.states.contains(.succeeded) { canRun = false }
        }
        var end = End(states: states)
        if canRun {
            let (mayBeWanted, mayBePassedOver) = wanted(index)
            let own = mayBeWanted ? byItself(index) : End(states: [])
            end = End(
                states: states.union(own.states).union(mayBePassedOver ? [.succeeded] : []), codes: own.codes,
                content: mayBePassedOver ? nil : own.content, maySkip: own.maySkip || mayBePassedOver)
        }
        end.mayBeAbsent = mayBeAbsent
        known[index] = end
        return end
    }

    /// Whether the answers may want it to be carried out, and whether they may not. Both, where races with time leave
    /// an answer open.
    private mutating func wanted(_ index: Int) -> (may: Bool, mayNot: Bool) {
        let node = plan.nodes[index]
        var (may, mayNot) = (true, false)
        for place in node.skipsWith where alone(place).maySkip {
            mayNot = true
            if case .skips? = plan.nodes[place].wait?.says, plan.nodes[place].wait?.expiresSeconds == nil,
                alone(place).content == nil
            {
                may = may && plan.nodes[place].mayBePassedOver
            }
        }
        guard let demand = node.when else { return (may, mayNot) }
        let answer = alone(demand.node)
        if answer.maySkip { return (may && given[demand.node] != nil, true) }
        let holds = words(of: demand.node) == demand.word
        return (may && holds, mayNot || !holds)
    }

    /// Returns the words of an answer: those that were typed at the step, or at the step whose output was its default.
    /// A default that a tool made has none.
    private func words(of index: Int) -> String? {
        guard let content = given[index] else { return nil }
        for node in plan.nodes where node.kind == .human(.text) {
            for (choice, word) in Content.answers.enumerated() where Content.byHand(node.id, choice) == content {
                return word
            }
        }
        return nil
    }

    private mutating func byItself(_ index: Int) -> End {
        let node = plan.nodes[index]
        if node.kind == .ghost { return End(states: [.blocked]) }
        if node.kind.isHuman { return ofPerson(index) }
        var own = End(states: [])
        if let wait = node.wait {
            let gate = passing(wait)
            (own.states, own.codes) = (gate.states, gate.codes)
            if !gate.mayPass { return own }
        }
        if scenario.isDenied(node.kind) {
            own.states.insert(.cancelled)
            return own
        }
        if plan.asks(node.kind) {
            switch plan.onAsk {
            case .inline where node.isAllowed, .park where node.isAllowed: break
            case .inline, .park, .deny:
                own.states.insert(.cancelled)
                return own
            case .fail:
                own.fail("needsApproval")
                return own
            }
        }
        let run = running(index)
        own.states.formUnion(run.states)
        own.codes.formUnion(run.codes)
        let isOpen = plan.nodes[index].inputs.contains {
            alone($0.producer).maySkip || alone($0.producer).content == nil
        }
        own.content = isOpen ? nil : content(of: index)
        return own
    }

    private func passing(_ wait: Plan.Wait) -> (states: Set<StepState>, codes: Set<String>, mayPass: Bool) {
        let expiry: (Set<StepState>, Set<String>, Bool) =
            wait.onTimeout == .autoDefault ? ([], [], true) : ([.failed], ["awaitExpired"], false)
        let answer: (Set<StepState>, Set<String>, Bool) =
            switch wait.says {
            case .agrees: ([], [], true)
            case .rejects: ([.cancelled], [], false)
            // A gate is no step that could be skipped: such an answer does not fit.
            case .skips: ([.failed], ["badAnswer"], false)
            case .never: expiry
            }
        guard wait.expiresSeconds != nil else { return answer }
        return (answer.0.union(expiry.0), answer.1.union(expiry.1), answer.2 || expiry.2)
    }

    private mutating func ofPerson(_ index: Int) -> End {
        let wait = plan.nodes[index].wait!
        let canSkip = !plan.consumers(of: index).contains { !$0.1.isOptional }
        var end = End(states: [], codes: ["awaitExpired"])
        switch wait.says {
        case .agrees: end.states = [.succeeded]
        case .rejects: end.states = [.cancelled]
        case .skips:
            end.states = canSkip ? [.succeeded] : [.cancelled]
            end.maySkip = canSkip
        case .never: break
        }
        if wait.expiresSeconds != nil {
            switch wait.onTimeout {
            case .cancel: end.states.insert(.failed)
            case .skip:
                end.states.insert(.succeeded)
                end.maySkip = true
            case .autoDefault:
                let candidates = plan.nodes[index].inputs.map { alone($0.producer) }
                let isSure = candidates.count == 1 && !candidates[0].maySkip
                let isOffered = plan.nodes[index].isOffering
                end.states.insert(candidates.count == 0 && !isOffered ? .failed : .succeeded)
                if !isSure, !isOffered || scenario.lostContents > 0 { end.states.insert(.failed) }
            }
        }
        end.content = end.maySkip ? nil : given[index]
        return end
    }

    /// What becomes of it once it may run.
    private func running(_ index: Int) -> End {
        let node = plan.nodes[index]
        switch node.kind {
        case .pass, .delay: return End(states: [.succeeded])
        case .load, .work, .fetch, .write:
            switch node.fate {
            case .fails: return End(states: [.failed], codes: ["broken"])
            case .busy(let times) where times > Limits.retries:
                return End(states: [.failed], codes: ["busy", "cooldown"])
            default: return End(states: [.succeeded])
            }
        case .once:
            // What may not be repeated is not tried again, and is lost with its process.
            var end =
                switch node.fate {
                case .succeeds, .told: End(states: [.succeeded])
                case .busy: End(states: [.failed], codes: ["busy"])
                case .killed: End(states: [.failed], codes: ["processKilled"])
                default: End(states: [.failed], codes: ["broken"])
                }
            if mishap(index).contains(.lost) { end.fail("processLost") }
            return end
        case .job: return ofJob(index)
        case .ghost, .human: return End(states: [])
        }
    }

    private func mishap(_ index: Int) -> Mishap { mishaps[index] ?? [] }

    /// A job comes to what its provider makes of it, whatever is lost on the way, unless a person or a deadline ends
    /// it.
    private func ofJob(_ index: Int) -> End {
        let node = plan.nodes[index]
        let terms = scenario.providers[node.kind.provider!].terms
        var end =
            switch node.fate {
            case .succeeds, .killed, .told: End(states: [.succeeded])
            case .busy(let times) where times > Limits.retries: End(states: [.failed], codes: ["busy", "cooldown"])
            case .busy: End(states: [.succeeded])
            case .providerCancels: End(states: [.cancelled])
            case .refused: End(states: [.failed], codes: ["badRequest"])
            case .providerFails: End(states: [.failed], codes: ["providerFailed"])
            case .stuckQueued: End(states: [.failed], codes: ["queueTimeout"])
            case .stuckRunning: End(states: [.failed], codes: ["runTimeout"])
            case .forgotten: End(states: [.failed], codes: ["jobLost"])
            case .spoiled: End(states: [.failed], codes: ["badOutput"])
            case .gone: End(states: [.failed], codes: ["resultExpired"])
            case .fails: End(states: [.failed], codes: ["broken"])
            }
        if mishap(index).contains(.letBe) { end.fail("submitUnknown") }
        if mishap(index).contains(.unclear), terms.idempotency == .none, terms.ambiguity == .fail {
            end.fail("submitUnknown")
        }
        if mishap(index).contains(.trouble) {
            for code in ["busy", "cooldown", "timeout", "reset"] { end.fail(code) }
        }
        return end
    }

    // MARK: What comes out

    /// If all of it succeeds.
    mutating func content(of index: Int) -> ContentHash? {
        if let known = contents[index] { return known }
        let node = plan.nodes[index]
        let made: ContentHash?
        if node.kind.isHuman {
            made = given[index]
        } else {
            var inputs: [(String, ContentHash)] = []
            for input in node.inputs {
                if let content = pins["\(index) \(input.port)"] ?? content(of: input.producer) {
                    inputs.append((input.port, content))
                }
            }
            let value = node.kind == .delay ? 0 : values[index] ?? node.value
            made = Content.made(by: node, value: value, inputs: inputs)
        }
        contents[index] = made
        return made
    }
}

import Vocabulary

/// What a workflow must come to, from its plan and its fates alone: no time, no engine, one recursion over the graph.
struct ReferenceInterpreter {
    struct End: Hashable {
        /// More than one where crashes, lost answers or races leave it open.
        var states: Set<StepState>
        /// What comes out if it succeeds; `nil` if nothing does, or if that is open.
        var content: ContentHash?
        var maySkip = false
    }

    let plan: Plan
    let scenario: Scenario
    let clockJumps: [Int]
    /// What persons gave in the end, by step.
    let given: [Int: ContentHash]
    /// Parameters that persons changed.
    let values: [Int: Int]
    /// Step and port, and what they are pinned to.
    let pins: [String: ContentHash]
    private var known: [Int: End] = [:]
    private var contents: [Int: ContentHash?] = [:]

    init(
        plan: Plan, scenario: Scenario, clockJumps: [Int], given: [Int: ContentHash], values: [Int: Int], pins: [String: ContentHash]
    ) {
        (self.plan, self.scenario, self.clockJumps) = (plan, scenario, clockJumps)
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
        var canRun = true
        for input in node.inputs {
            let above = alone(input.producer)
            if above.states != [.succeeded] { states.insert(.blocked) }
            if !above.states.contains(.succeeded) { canRun = false }
            if above.maySkip, !input.isOptional { states.insert(.blocked) }
        }
        var end = End(states: states)
        if canRun {
            let own = byItself(index)
            end = End(states: states.union(own.states), content: own.content, maySkip: own.maySkip)
        }
        known[index] = end
        return end
    }

    private mutating func byItself(_ index: Int) -> End {
        let node = plan.nodes[index]
        if node.kind == .ghost { return End(states: [.blocked]) }
        if node.kind.isHuman { return ofPerson(index) }
        var states: Set<StepState> = []
        if let wait = node.wait {
            let gate = passing(wait)
            states.formUnion(gate.states)
            if !gate.mayPass { return End(states: states) }
        }
        if node.kind == .write || plan.asksAlways, !node.isAllowed { return End(states: states.union([.cancelled])) }
        let run = running(node)
        let isOpen = plan.nodes[index].inputs.contains { alone($0.producer).maySkip || alone($0.producer).content == nil }
        return End(states: states.union(run), content: isOpen ? nil : content(of: index))
    }

    private func passing(_ wait: Plan.Wait) -> (states: Set<StepState>, mayPass: Bool) {
        let expiry: (Set<StepState>, Bool) = wait.onTimeout == .autoDefault ? ([], true) : ([.failed], false)
        let answer: (Set<StepState>, Bool) =
            switch wait.says {
            case .agrees: ([], true)
            case .rejects: ([.cancelled], false)
            // A gate is no step that could be skipped: such an answer does not fit.
            case .skips: ([.failed], false)
            case .never: expiry
            }
        guard wait.expiresSeconds != nil else { return answer }
        return (answer.0.union(expiry.0), answer.1 || expiry.1)
    }

    private mutating func ofPerson(_ index: Int) -> End {
        let wait = plan.nodes[index].wait!
        let canSkip = !plan.consumers(of: index).contains { !$0.1.isOptional }
        var end = End(states: [])
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
                end.states.insert(candidates.count == 0 ? .failed : .succeeded)
                if !isSure { end.states.insert(.failed) }
            }
        }
        end.content = end.maySkip ? nil : given[index]
        return end
    }

    /// What becomes of it once it may run.
    private func running(_ node: Plan.Node) -> Set<StepState> {
        let weather = scenario.weather
        let mayDie = weather.crash > 0 || weather.commitFault > 0 || (weather.pause > 0 && weather.isPausedTakenOver)
        switch node.kind {
        case .pass, .delay: return [.succeeded]
        case .load, .work, .write:
            switch node.fate {
            case .fails: return [.failed]
            case .busy(let times): return times > Limits.retries ? [.failed] : [.succeeded]
            default: return [.succeeded]
            }
        case .once:
            // What may not be repeated is not tried again, and is lost with its process.
            return node.fate == .succeeds ? (mayDie ? [.succeeded, .failed] : [.succeeded]) : [.failed]
        case .job: return ofJob(node, mayDie: mayDie)
        case .ghost, .human: return []
        }
    }

    private func ofJob(_ node: Plan.Node, mayDie: Bool) -> Set<StepState> {
        let mayMiss = mayDie || scenario.weather.provider > 0 || clockJumps.contains { abs($0) >= 600 }
        switch node.fate {
        case .succeeds: return mayMiss ? [.succeeded, .failed] : [.succeeded]
        case .busy(let times): return times > Limits.retries ? [.failed] : mayMiss ? [.succeeded, .failed] : [.succeeded]
        case .providerCancels: return mayMiss ? [.cancelled, .failed] : [.cancelled]
        case .fails, .refused, .providerFails, .stuckQueued, .stuckRunning, .forgotten, .spoiled, .gone: return [.failed]
        }
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
                if let content = pins["\(index) \(input.port)"] ?? content(of: input.producer) { inputs.append((input.port, content)) }
            }
            let value = node.kind == .delay ? 0 : values[index] ?? node.value
            made = Content.made(by: node, value: value, inputs: inputs)
        }
        contents[index] = made
        return made
    }
}

import JSON
package import Vocabulary

extension Limits {
    /// How deep `why` follows causes of causes.
    package static let causeDepth = 16

    /// The most causes that `why` lists.
    package static let causeLines = 64
}

/// A search for the reasons why a workflow or a step does not go on: a failure, a new run that makes a step stale, a
/// wait for a person, a slot or a provider.
///
/// The search follows stored events back to the first cause (`architecture.md` invariant 9). Its depth and its number
/// of lines are bounded.
package struct Causes {
    let known: Circumstances
    private(set) var chain: [Cause] = []
    private var seen: Set<Int> = []

    /// Returns the chain of causes, each with its depth.
    ///
    /// - Parameter number: the number of a step. `nil` means the steps that hold up the workflow.
    package static func chain(of number: Int?, in circumstances: Circumstances) -> [Cause] {
        var causes = Causes(known: circumstances)
        if let number {
            if circumstances.steps.indices.contains(number - 1) { causes.visit(number - 1, 0) }
        } else {
            causes.visitAll()
        }
        causes.tellOfEngine()
        return causes.chain
    }

    private init(known: Circumstances) {
        self.known = known
    }

    private mutating func visitAll() {
        if let outcome = known.record.outcome {
            let end = known.changes.last { $0.type == "workflow.finished" }
            add(nil, 0, at: end?.at, outcome.rawValue, "\(known.record.id) is over: \(outcome.rawValue).")
        } else if known.record.isCancelRequested {
            tellWhoCancelled(0)
        }
        let ranks = known.steps.indices.compactMap { index in rank(known.steps[index]).map { (index, $0) } }
        for (index, _) in ranks.sorted(by: { ($0.1, $0.0) < ($1.1, $1.0) }).prefix(Limits.causeRoots) {
            visit(index, 0)
        }
    }

    /// Returns the place of a step in the list of causes, lowest first. `nil` if the step needs no explanation, or if
    /// another step explains it.
    private func rank(_ step: StepRecord) -> Int? {
        switch step.state {
        case .failed: 0
        case .awaitingUser: 1
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: 2
        case .ready: 3
        case .cancelled: step.reason?.code == .removed ? nil : 4
        case .blocked:
            step.reason.map { $0.code.isOne(of: .upstreamStale, .upstreamFailed, .halted) ? nil : 5 } ?? nil
        case .succeeded: nil
        }
    }

    mutating func add(_ index: Int?, _ depth: Int, at moment: Moment?, _ code: String, _ words: String) {
        guard chain.count < Limits.causeLines else { return }
        chain.append(Cause(at: moment, step: index.map { $0 + 1 }, depth: depth, code: code, words: words))
    }

    // MARK: One step

    mutating func visit(_ index: Int, _ depth: Int) {
        guard depth < Limits.causeDepth, seen.insert(index).inserted else { return }
        switch known.steps[index].state {
        case .failed, .cancelled: tellOfEnd(index, depth)
        case .blocked: tellOfBlock(index, depth)
        case .ready: tellOfReady(index, depth)
        case .awaitingUser: tellOfPerson(index, depth)
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: tellOfRun(index, depth)
        case .succeeded:
            add(
                index, depth, at: entered(index), "succeeded",
                "\(name(index)) is done, with run \(known.steps[index].attempt).")
            tellWhoAsked(index, depth + 1, before: entered(index) ?? known.now)
        }
    }

    private mutating func tellOfEnd(_ index: Int, _ depth: Int) {
        let step = known.steps[index]
        let (at, word) = (entered(index), step.state == .failed ? "failed" : "was cancelled")
        let failure =
            step.failure
            ?? Failure(step.state == .failed ? .failed : .cancelled, step.reason?.words ?? "Nothing was written down.")
        let remedy = failure.remedy.map { " \($0)" } ?? ""
        add(index, depth, at: at, failure.code.text, "\(name(index)) \(word): \(failure.message)\(remedy)")
        // What it was tried again for, before it was given up.
        let tries = known.events(index + 1).filter {
            $0.body["reason"]?.string == "backoff" && $0.at <= at ?? known.now
        }
        for event in tries.suffix(max(0, step.tries - 1)) {
            add(index, depth + 1, at: event.at, "backoff", event.body["words"]?.string ?? "It was tried again.")
        }
        switch failure.code.ours {
        case .rejected, .awaitExpired:
            if let closed = known.events(index + 1).last(where: { $0.type == "await.closed" }) {
                let words =
                    "The question was closed (\(closed.body["resolution"]?.string ?? "?")) by \(closed.body["by"]?.string ?? "?")."
                add(index, depth + 1, at: closed.at, "await", words)
            }
        case .cancelled: tellWhoCancelled(depth + 1)
        default: break
        }
        tellWhoAsked(index, depth + 1, before: at ?? known.now)
    }

    private mutating func tellOfBlock(_ index: Int, _ depth: Int) {
        let step = known.steps[index]
        let at = since(index)
        guard let reason = step.reason else {
            let waits = known.producers[index].filter { known.steps[$0].state != .succeeded }
            let names = waits.prefix(3).map(name).joined(separator: ", ") + (waits.count > 3 ? ", …" : "")
            add(
                index, depth, at: at, "blocked",
                "\(name(index)) is blocked: it waits for \(names.isEmpty ? "its turn" : names).")
            if let first = waits.first { visit(first, depth + 1) }
            return
        }
        add(index, depth, at: at, reason.code.text, "\(name(index)) is blocked: \(reason.words)")
        switch reason.code.ours {
        case .upstreamFailed:
            for cause in upstream(of: index, where: { $0.state == .failed || $0.state == .cancelled }) {
                visit(cause, depth + 1)
            }
        case .standsAfter:
            for cause in upstream(
                of: index, where: { $0.state == .failed || $0.state == .cancelled || $0.reason?.code == .exited })
            {
                visit(cause, depth + 1)
            }
        case .upstreamSkipped:
            for cause in upstream(of: index, where: { $0.reason?.code.isOne(of: .skipped, .notAsked) ?? false }) {
                visit(cause, depth + 1)
            }
        case .halted:
            for cause in known.steps.indices.filter({ known.steps[$0].state == .failed }).prefix(1) {
                visit(cause, depth + 1)
            }
        case .upstreamStale, .rerunQueued:
            // The stale or running step next above it that is so by itself.
            let causes = upstream(of: index) {
                ($0.staleSince != nil && $0.reason?.code != .upstreamStale) || !Self.isSettled($0)
            }
            if causes.isEmpty { tellOfStaleness(index, depth + 1) }
            for cause in causes { visit(cause, depth + 1) }
        case .inputChanged, .definitionChanged: tellOfStaleness(index, depth + 1)
        default: break
        }
    }

    private static func isSettled(_ step: StepRecord) -> Bool { step.state == .succeeded || step.state == .blocked }

    /// Adds the run that made a step stale, and the command that started that run.
    private mutating func tellOfStaleness(_ index: Int, _ depth: Int) {
        guard let run = known.steps[index].staleSince else { return }
        let cause = run.step.index - 1
        guard known.steps.indices.contains(cause) else { return }
        guard cause != index else { return tellWhoAsked(index, depth, before: since(index) ?? known.now) }
        let end = known.events(cause + 1).last { $0.attempt == run.attempt && $0.body["state"]?.string == "succeeded" }
        add(cause, depth, at: end?.at, "changed", "\(name(cause)) gave something new with run \(run.attempt).")
        tellWhoAsked(cause, depth + 1, before: end?.at ?? known.now)
        // A pin or an edit of this very step may have been what changed its input.
        tellWhoAsked(index, depth + 1, before: since(index) ?? known.now, after: end?.at)
    }

    /// Returns the nearest steps above a step for which `holds` is true. The search goes on above steps for which it is
    /// false.
    private func upstream(of index: Int, where holds: (StepRecord) -> Bool) -> [Int] {
        var (found, passed, queue) = ([Int](), Set([index]), known.producers[index])
        while let next = queue.popLast() {
            guard passed.insert(next).inserted else { continue }
            if holds(known.steps[next]) { found.append(next) } else { queue += known.producers[next] }
        }
        return Array(found.sorted().prefix(Limits.causeRoots))
    }

    // MARK: Who

    private static let asked: [Code] = [.retryAsked, .rerunAsked, .pinAsked, .editAsked]

    /// Adds the last command before a moment that named the step, or the whole workflow.
    mutating func tellWhoAsked(_ index: Int, _ depth: Int, before: Moment, after: Moment? = nil) {
        guard
            let event = known.changes.last(where: { event in
                FailureCode(event.body["reason"]?.string ?? "").isOne(of: Self.asked)
                    && (event.step == nil || event.step == index + 1)
                    && event.at <= before && event.at > after ?? Moment(milliseconds: .min)
            })
        else { return }
        tell(event, depth)
    }

    mutating func tellWhoCancelled(_ depth: Int) {
        if let event = known.changes.last(where: { $0.body["reason"]?.string == "cancelAsked" }) { tell(event, depth) }
    }

    mutating func tell(_ event: EventRecord, _ depth: Int) {
        let by = event.body["by"]?.string.map { " By \($0)." } ?? ""
        let words = (event.body["words"]?.string ?? "Somebody asked for it.") + by
        guard !chain.contains(where: { $0.at == event.at && $0.words == words }) else { return }
        add(event.step.map { $0 - 1 }, depth, at: event.at, event.body["reason"]?.string ?? "asked", words)
    }

    // MARK: When

    func name(_ index: Int) -> String {
        let (node, number) = (known.steps[index].node, index + 1)
        return known.rows.isFolded(number) ? "Step \(node)" : "Step \(number) (\(node))"
    }

    /// Returns the moment when a step entered its current state, or `nil` if no event tells it.
    func entered(_ index: Int) -> Moment? {
        let state = known.steps[index].state.rawValue
        return known.events(index + 1).reversed().lazy.filter { $0.type == "step.changed" }.prefix {
            $0.body["state"]?.string == state
        }
        .last?.at
    }

    /// Returns the moment since which a step has its current reason, or `nil` if no event tells it.
    func since(_ index: Int) -> Moment? {
        let (state, code) = (known.steps[index].state.rawValue, known.steps[index].reason?.code.text)
        let events = known.events(index + 1).reversed().lazy.filter { $0.type == "step.changed" }
        let held = events.prefix { $0.body["state"]?.string == state && $0.body["reason"]?.string == code }
        return held.last?.at ?? (known.steps[index].attempt == 0 ? known.record.createdAt : nil)
    }
}

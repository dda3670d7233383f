import Vocabulary

/// A check of the steps of a guide against each other: their ids, the steps that they wait for, and the names in their
/// conditions.
struct GuideCheck {
    private let guide: Guide
    private let file: String
    private let steps: [GuideStep]
    /// The steps by their ids. If two steps have one id, it is the first.
    private let known: [String: GuideStep]

    init(_ guide: Guide, file: String) {
        (self.guide, self.file) = (guide, file)
        steps = guide.allSteps
        known = Dictionary(steps.map { ($0.id, $0) }) { first, _ in first }
    }

    func problems() -> [Problem] {
        let faults = twins() + names()
        // Without a right order nothing is before anything.
        return faults.isEmpty ? order() : faults
    }

    // MARK: Ids

    private func twins() -> [Problem] {
        steps.compactMap { step in
            guard let first = known[step.id], first.place != step.place else { return nil }
            return problem(
                .duplicateID, step, "Two steps are called \(step.id): the first is in line \(first.place.line).")
        }
    }

    /// Finds names in `after` and `then` that are not ids of steps.
    private func names() -> [Problem] {
        steps.flatMap { step in
            ((step.after ?? []) + [step.skip?.then].compactMap(\.self)).filter { known[$0] == nil }.map { name in
                problem(
                    .unknownStep, step,
                    "\(step.id) names a step \(name.prefix(40)). \(NearestWord.hint(for: name, among: known.keys))")
            }
        }
    }

    // MARK: Order

    /// Returns the steps that each step waits for: those that it names, or else the step above it in its group, or else
    /// those that the group waits for.
    private func waits() -> [String: [String]] {
        var waits: [String: [String]] = [:]
        func walk(_ steps: [GuideStep], _ before: [String]) {
            var before = before
            for step in steps {
                let own = step.after ?? before
                waits[step.id] = own
                walk(step.inner, own)
                walk(step.otherwise, own)
                before = [step.id] + step.otherwise.map(\.id)
                if let last = step.inner.last { before = [last.id] + last.otherwise.map(\.id) }
            }
        }
        walk(guide.steps, [])
        return waits
    }

    private func order() -> [Problem] {
        let waits = waits()
        var over: [String] = []
        var isOver: Set<String> = []
        var left = steps
        // In each round, the steps that wait only for finished steps are finished, too.
        while true {
            let ready = left.filter { step in (waits[step.id] ?? []).allSatisfy(isOver.contains) }
            if ready.isEmpty { break }
            over += ready.map(\.id)
            isOver.formUnion(ready.map(\.id))
            left.removeAll { isOver.contains($0.id) }
        }
        guard left.isEmpty else { return left.map { cycle($0, waits) } }
        return steps.flatMap { conditions(of: $0, before: earlier(than: $0.id, waits)) } + jumps(over)
    }

    private func cycle(_ step: GuideStep, _ waits: [String: [String]]) -> Problem {
        let isInCycle = earlier(than: step.id, waits).contains(step.id)
        return isInCycle
            ? problem(
                .cycle, step,
                "\(step.id) waits for itself, by way of \((waits[step.id] ?? []).joined(separator: ", ")).")
            : problem(.unreachable, step, "\(step.id) is never reached: it waits for steps that wait for themselves.")
    }

    /// Returns all steps that are over before a step.
    private func earlier(than id: String, _ waits: [String: [String]]) -> Set<String> {
        var found: Set<String> = []
        var open = waits[id] ?? []
        while let next = open.popLast() {
            if found.insert(next).inserted { open += waits[next] ?? [] }
        }
        return found
    }

    private func conditions(of step: GuideStep, before: Set<String>) -> [Problem] {
        guard let condition = step.when else { return [] }
        let answers = steps.filter { before.contains($0.id) }.flatMap(\.answers)
        let types = Dictionary(answers.map { ($0.name, $0.type) }) { first, _ in first }
        return condition.faults(types: types).map { fault in
            let isLater =
                fault.code == .unknownStep && condition.names.contains { known[$0] != nil && !before.contains($0) }
            let words = isLater ? "The condition of \(step.id) names a step that is not over before it." : fault.message
            return problem(
                isLater ? .laterStep : fault.code, at: step.whenPlace?.moved(by: fault.offset) ?? step.place, words)
        }
    }

    /// Finds each `then` that leads back to an earlier step.
    private func jumps(_ order: [String]) -> [Problem] {
        steps.compactMap { step in
            guard let then = step.skip?.then, let from = order.firstIndex(of: step.id),
                let to = order.firstIndex(of: then), to <= from
            else {
                return nil
            }
            return problem(.backwards, step, "\(step.id) is skipped to \(then), which comes before it.")
        }
    }

    private func problem(_ code: Code, _ step: GuideStep, _ words: String) -> Problem {
        problem(code, at: step.place, words)
    }

    private func problem(_ code: Code, at place: GuideStep.Place, _ words: String) -> Problem {
        Problem(code, at: "\(file):\(place.line):\(place.column)", words)
    }
}

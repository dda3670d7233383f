import Actions
package import Vocabulary

extension Limits {
    /// The steps of a kind from which on their ends are one line.
    package static let countedSteps = 6

    /// The items of a batch that must be done before the rest is estimated.
    fileprivate static let estimatedItems = 3
}

/// The steps of one workflow that run, as a pure function of its events. Steps of one kind are counted together.
package struct WorkflowProgress: Sendable {
    /// The steps of one kind.
    package struct Group: Sendable {
        package let title: String
        package let total: Int
        package fileprivate(set) var done: Set<Int> = []
        fileprivate var ended: Set<Int> = []
        fileprivate var since: Moment?
        fileprivate var until: Moment?
        /// The steps that had succeeded when the clock began.
        fileprivate var doneBefore = 0

        package var hasBegun: Bool { since != nil }
        package var isWhole: Bool { done.count == total }

        /// Returns the seconds from its first start to a moment, or to its end.
        package func seconds(at now: Moment) -> Double {
            let end = ended.count == total ? until ?? now : now
            return max(0, since.map { end.seconds(since: $0) } ?? 0)
        }

        /// The seconds from its first start to its last end.
        package var lastSeconds: Double { since.flatMap { start in until.map { $0.seconds(since: start) } } ?? 0 }

        fileprivate mutating func count(_ number: Int, _ step: StepProgress, at moment: Moment) {
            if step.isRunning {
                ended.remove(number)
                // A user has taken the steps up again.
                if until != nil, ended.count + 1 == total { since = nil }
                if since == nil { (since, doneBefore) = (moment, done.count) }
            } else if step.state.isTerminal {
                ended.insert(number)
                until = moment
            }
            if step.state == .succeeded { done.insert(number) } else { done.remove(number) }
        }

        /// Returns the seconds that the rest takes if it goes on as before, or nil while too few are done.
        fileprivate func remaining(at now: Moment) -> Double? {
            let made = done.count - doneBefore
            guard made >= Limits.estimatedItems, ended.count < total else { return nil }
            return seconds(at: now) / Double(made) * Double(total - ended.count)
        }
    }

    package let id: WorkflowID
    /// The steps of the plan. A step has the number of its place, from 1.
    package let plan: [PlannedStep]
    private var steps: [Int: StepProgress] = [:]
    private var groups: [String: Group] = [:]

    /// Creates the progress of a workflow of which nothing is known yet.
    package init(_ id: WorkflowID, plan: [PlannedStep]) {
        (self.id, self.plan) = (id, plan)
        let kinds = Dictionary(grouping: plan.filter { !$0.isFolded }) { $0.kind }
        groups = kinds.filter { $0.value.count > 1 }.mapValues { Group(title: $0[0].title, total: $0.count) }
    }

    /// Whether a step works now.
    package var isRunning: Bool { steps.values.contains { $0.isRunning } }

    /// The numbers of the steps whose commands run over an overlay.
    package var rehearsed: [Int] { steps.filter { $0.value.isRehearsed }.keys.sorted() }

    /// The number of the step that works now and began first, or nil.
    package var current: Int? { steps.filter { $0.value.isRunning }.keys.min() }

    package func step(_ number: Int) -> StepProgress? { steps[number] }

    package func title(of number: Int) -> String { planned(number)?.title ?? "step \(number)" }

    package var hasCountedGroups: Bool { groups.values.contains { $0.total >= Limits.countedSteps } }

    /// Returns the group whose end is one line for all its steps, or nil if the step has a line of its own.
    package func countedGroup(of number: Int) -> Group? {
        planned(number).flatMap { groups[$0.kind] }.flatMap { $0.total >= Limits.countedSteps ? $0 : nil }
    }

    /// The groups whose ends are one line each, in the order of the plan.
    package var countedGroups: [Group] {
        groups.values.filter { $0.total >= Limits.countedSteps && $0.hasBegun }
            .sorted { ($0.since?.milliseconds ?? 0, $0.title) < ($1.since?.milliseconds ?? 0, $1.title) }
    }

    /// Records a new state of a step.
    ///
    /// - Returns: the seconds that the step took, if it has ended and was seen to begin.
    @discardableResult
    package mutating func take(
        _ number: Int, _ state: StepState, phase: String? = nil, reason: Reason? = nil, share: Double? = nil,
        at moment: Moment
    ) -> Double? {
        var step = steps[number] ?? StepProgress()
        step.take(state, phase: phase, reason: reason, share: share, at: moment)
        count(number, step, at: moment)
        guard state.isTerminal else {
            steps[number] = step
            return nil
        }
        steps[number] = nil
        return step.hasBegun ? step.seconds(at: moment) : nil
    }

    private mutating func count(_ number: Int, _ step: StepProgress, at moment: Moment) {
        guard let kind = planned(number)?.kind, let place = groups.index(forKey: kind) else { return }
        // In place: a copy of the sets for each event of thousands of steps would take longer than the steps.
        groups.values[place].count(number, step, at: moment)
    }

    private func planned(_ number: Int) -> PlannedStep? {
        plan.indices.contains(number - 1) ? plan[number - 1] : nil
    }

    // MARK: Lines

    /// Returns a line for each step that works and is alone of its kind, and one for all others of a kind. If none
    /// works, it returns the first one that waits for something else than a person.
    package func lines(at now: Moment) -> [ProgressLine] {
        var (seen, lines) = (Set<String>(), [ProgressLine]())
        let isRunning = isRunning
        // In the order of the plan, without sorting: this is called for each event of thousands of steps.
        for (index, planned) in plan.enumerated() {
            let number = index + 1
            guard let step = steps[number] else { continue }
            if let group = groups[planned.kind] {
                let isUnderWay = step.isRunning || group.hasBegun && group.ended.count < group.total && !step.isAsking
                guard isUnderWay, isRunning, seen.insert(planned.kind).inserted else { continue }
                lines.append(line(of: group, planned, step, at: now))
            } else if step.isRunning {
                // What only loads or saves is shown once one wonders.
                guard !planned.isFolded || step.seconds(at: now) >= 2 else { continue }
                lines.append(line(of: step, planned, at: now))
            }
        }
        let heldUp = steps.filter { $0.value.isHeldUp && $0.value.isOld(at: now) }.min { $0.key < $1.key }
        if lines.isEmpty, let (number, step) = heldUp, let planned = planned(number), !planned.isFolded {
            lines.append(line(of: step, planned, at: now))
        }
        return lines
    }

    private func line(of group: Group, _ planned: PlannedStep, _ step: StepProgress, at now: Moment) -> ProgressLine {
        // One of several that is far enough to tell its own percent is no news beside their number.
        ProgressLine(
            workflow: id, title: planned.title, count: (group.done.count, group.total),
            words: planned.provider.map { "at \($0)" }, share: Double(group.ended.count) / Double(group.total),
            seconds: group.seconds(at: now), remaining: group.remaining(at: now))
    }

    private func line(of step: StepProgress, _ planned: PlannedStep, at now: Moment) -> ProgressLine {
        let seconds = step.seconds(at: now)
        let share = step.share.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
        return ProgressLine(
            workflow: id, title: planned.title, words: step.words(planned.provider), share: share,
            showsPercent: true, seconds: step.hasBegun ? seconds : nil,
            remaining: share.flatMap { $0 > 0 && $0 < 1 ? seconds * (1 - $0) / $0 : nil })
    }
}

extension StepProgress {
    /// Whether it is ready and something else than a person holds it up.
    fileprivate var isHeldUp: Bool {
        state == .ready && !isRehearsed && reason?.code.isOne(of: .waitingForSlot, .backoff, .offline) == true
    }

    /// Returns its present activity and the name of what it waits for.
    fileprivate func words(_ provider: String?) -> String? {
        if isRehearsed { return "rehearsing" }
        if isHeldUp { return reason.map { "waits: \($0.words)" } }
        let place = provider.map { "at \($0)" }
        let activity = phase.map { JobPhase(rawValue: $0).map { $0.words ?? "" } ?? $0 } ?? ""
        let state: String? =
            switch self.state {
            case .queuedRemote: ["queued", place].compactMap(\.self).joined(separator: " ")
            case .runningRemote: ["running", place].compactMap(\.self).joined(separator: " ")
            case .downloading: ["downloading from", provider ?? "its provider"].joined(separator: " ")
            default: nil
            }
        let why = reason.flatMap { $0.code.isOne(of: .reconnecting, .offline, .paused) ? $0.words : nil }
        let words = [state, activity.isEmpty ? nil : activity, why].compactMap(\.self).joined(separator: ", ")
        return words.isEmpty ? nil : words
    }
}

import Actions
import Synchronization
import Terminal
package import Vocabulary

/// The result of following one workflow, up to the point at which following ended.
package struct Followed: Hashable, Sendable {
    package var outcome: Outcome
    package var failures: [Failure]
    package var outputs: [Event.Output]
    /// The words of steps whose programs gave warnings.
    package var warnings: [String] = []

    package var status: ExitStatus { ExitStatus(of: outcome, failures: failures) }
}

/// Follows one workflow until it ends, or until it waits for a person and this process does not ask.
struct Following {
    let workflow: WorkflowID
    let context: CommandContext
    /// Asks the person at this terminal. It is nil if awaits go to the inbox.
    let asker: Asker?
    /// Whether the person is also asked about entries that the template opens, and not only about calls.
    var asksAll = false
    /// Whether the workflow was started earlier. Then its open entries and its end are looked up, since their events
    /// may be over.
    var isTakenUp = false
    /// Receives each event of the workflow, before the event is handled.
    let onEvent: @Sendable (Event) async -> Void

    private enum Input: Sendable {
        case event(Event)
        case asked(Int64, Asker.Outcome)
        /// A tick at which the stored workflow is read, since another process may own it.
        case look
    }

    private static let lookMilliseconds = 250

    /// Follows the workflow until it ends or waits.
    ///
    /// - Parameter events: a subscription from before the start of the workflow, so that no event is missed.
    func untilItRests(_ events: AsyncStream<Event>) async -> Followed {
        // Events are handled during a question, too, since another process may answer it.
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let source = Task {
            for await event in events { feed.yield(.event(event)) }
            feed.finish()
        }
        let looking =
            isTakenUp
            ? Task {
                while !Task.isCancelled {
                    feed.yield(.look)
                    try? await Task.sleep(for: .milliseconds(Self.lookMilliseconds))
                }
            } : nil
        var followed = Followed(outcome: .waiting, failures: [], outputs: [])
        var questions = StandingQuestions { record in
            guard let asker else { return nil }
            return Task { feed.yield(.asked(record.number, await asker.ask(record))) }
        }
        defer {
            source.cancel()
            looking?.cancel()
            questions.withdrawAll()
        }
        for await input in inputs {
            switch input {
            case .asked(let number, let outcome):
                guard let answered = questions.answered(number) else { break }
                if outcome == .unanswered, !answered.isWithdrawn { return followed }
                if outcome == .answered(.yesToPlan), let plan = try? context.look.question(answered.record).plan {
                    questions.cover(plan, by: answered)
                }
                questions.putNext()
            case .event(let event):
                if await hasRested(event, &followed, &questions) { return followed }
            case .look:
                if hasRested(&followed, &questions) { return followed }
            }
        }
        return followed
    }

    /// Returns whether the stored workflow has ended, or waits for a person. With an asker, the person is asked about
    /// its open entries.
    private func hasRested(_ followed: inout Followed, _ questions: inout StandingQuestions) -> Bool {
        guard let summary = try? context.look.summary(workflow) else { return false }
        if let outcome = summary.record.outcome, outcome != .waiting {
            followed.outcome = outcome
            followed.outputs = context.look.results(of: workflow)
            let failures = ((try? context.look.steps(workflow)) ?? []).compactMap(\.failure)
            for failure in failures where !followed.failures.contains(failure) { followed.failures.append(failure) }
            return true
        }
        let open = ((try? context.look.awaits(false)) ?? []).filter { $0.step.workflow == workflow }
        guard asker != nil else { return !open.isEmpty }
        for record in open where isAsked(record) { questions.ask(record) }
        return !open.isEmpty && questions.isEmpty
    }

    /// Returns whether the person is asked here about an entry. In a turn this includes the questions of the template,
    /// otherwise only those about calls (`semantics.md` 47).
    private func isAsked(_ record: AwaitRecord) -> Bool { record.isAboutCall || asksAll && record.isWrittenByTemplate }

    private func hasRested(_ event: Event, _ followed: inout Followed, _ questions: inout StandingQuestions) async
        -> Bool
    {
        if case .error(let failure) = event.kind, event.workflow == nil || event.workflow == workflow,
            event.session == nil
        {
            // The engine has stopped, and no further events will come.
            await onEvent(event)
            followed.failures.append(failure)
            followed.outcome = .failed
            return true
        }
        guard event.workflow == workflow else { return false }
        await onEvent(event)
        switch event.kind {
        case .stepChanged(_, _, _, _, let failure?): followed.failures.append(failure)
        case .stepChanged(.succeeded, _, let reason?, _, nil) where reason.code == .warned:
            followed.warnings.append(reason.words)
        // The other entries wait in the inbox.
        case .awaitOpened(let record) where isAsked(record): questions.ask(record)
        case .awaitClosed(let number, _, _, _): questions.withdraw(number)
        case .workflowFinished(let outcome, let outputs):
            // With an asker, the question is still open when the workflow reports that it waits.
            if outcome == .waiting {
                questions.putCovered()
                if !questions.isEmpty { break }
            }
            followed.outcome = outcome
            followed.outputs = outputs
            if outcome == .failed, followed.failures.isEmpty { await tellWhatIsMissing(&followed) }
            return true
        default: break
        }
        return false
    }

    /// Reports the steps whose tools are missing. They never start, so no event reports them.
    private func tellWhatIsMissing(_ followed: inout Followed) async {
        for step in (try? context.look.steps(workflow)) ?? [] {
            guard step.state == .blocked, let reason = step.reason, reason.isAbsence else { continue }
            let failure = Failure(
                reason.code, "Step \(step.id.index) (\(step.node)): \(reason.words)", remedy: "See 'assent doctor'.")
            followed.failures.append(failure)
            await onEvent(
                Event(at: context.now(), workflow: workflow, step: step.id.index, node: step.node, .error(failure)))
        }
    }
}

/// The questions that the person is still to be asked, one at a time.
struct StandingQuestions {
    /// Puts a question, and returns the task that waits for its answer. Returns nil if the person is not asked here.
    let put: (AwaitRecord) -> Task<Void, Never>?
    private var waiting: [AwaitRecord] = []
    private var standing: (question: Standing, task: Task<Void, Never>)?
    /// The digests of calls that a yes to their plan covers, by step.
    private var covered: [Int: ContentHash] = [:]
    /// The questions about these calls, which the engine opened before it saw that yes, and closes.
    private var aside: [AwaitRecord] = []
    /// The await that was answered with a yes to the plan, until the engine has closed it.
    private var unseenYes: Int64?

    /// A question that the person was asked.
    struct Standing: Equatable {
        let record: AwaitRecord
        /// Whether the await was closed before the person's answer arrived here. The answer may have closed it.
        var isWithdrawn = false
    }

    init(put: @escaping (AwaitRecord) -> Task<Void, Never>?) { self.put = put }

    /// Whether no question is left here, and the engine has seen each yes to a plan.
    var isEmpty: Bool {
        (standing?.question.isWithdrawn ?? true) && waiting.isEmpty && (unseenYes == nil || aside.isEmpty)
    }

    mutating func ask(_ record: AwaitRecord) {
        let isKnown =
            standing?.question.record.number == record.number
            || (waiting + aside).contains { $0.number == record.number }
        guard !isKnown else { return }
        if let digest = record.digest, covered[record.step.index] == digest { return aside.append(record) }
        waiting.append(record)
        putNext()
    }

    /// Removes the question whose answer has arrived.
    ///
    /// - Returns: the question, or nil if it is not open.
    mutating func answered(_ number: Int64) -> Standing? {
        guard let question = standing?.question, question.record.number == number else { return nil }
        standing = nil
        return question
    }

    /// Records the calls that a yes to their plan covers. The engine closes their awaits, or opens others. The person
    /// is not asked about an await that the engine opens before it has seen the yes.
    mutating func cover(_ plan: [Question.Planned], by yes: Standing) {
        if !yes.isWithdrawn { unseenYes = yes.record.number }
        for call in plan { covered[call.step] = call.digest }
        let steps = Set(plan.map(\.step))
        waiting.removeAll { $0.type == .confirmCall && steps.contains($0.step.index) }
    }

    /// Puts the open questions that a yes seemed to cover, after the workflow waits for nothing else. Does nothing
    /// until the engine has read that yes, since the workflow may still wait for the calls that it covers.
    mutating func putCovered() {
        guard unseenYes == nil else { return }
        waiting += aside
        (aside, covered) = ([], [:])
        putNext()
    }

    /// Withdraws the question of a closed await. If it is open, the next question follows after its task has ended. The
    /// person's answer may have closed the await, and may cover the next question, too.
    mutating func withdraw(_ number: Int64) {
        if unseenYes == number { unseenYes = nil }
        waiting.removeAll { $0.number == number }
        aside.removeAll { $0.number == number }
        guard standing?.question.record.number == number else { return }
        standing?.task.cancel()
        standing?.question.isWithdrawn = true
    }

    mutating func withdrawAll() {
        (waiting, aside) = ([], [])
        standing?.task.cancel()
        standing = nil
    }

    /// Puts the next question, unless a question is open.
    mutating func putNext() {
        while standing == nil, !waiting.isEmpty {
            let next = waiting.removeFirst()
            standing = put(next).map { (Standing(record: next), $0) }
        }
    }
}

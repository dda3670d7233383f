import Synchronization
package import Vocabulary

/// The result of following one workflow, up to the point at which following ended.
package struct Followed: Hashable, Sendable {
    package var outcome: Outcome
    package var failures: [Failure]
    package var outputs: [Event.Output]
    /// The words of steps whose programs gave warnings.
    package var warnings: [String] = []
    /// The commands of the workflow that ended with another exit code than 0, by step.
    package var commands: [CommandExit] = []
    /// Whether the rest was read from the store, since another process runs the workflow. Its events were not seen.
    package var isRead = false
    /// Whether the workflow was under way when the time to follow it was over.
    package var isUnderWay = false
    /// Whether only jobs at providers are under way, so that another process can go on with them.
    package var isRemote = false

    /// The exit status of the outcome alone, whatever the codes of commands are.
    package var status: ExitStatus { ExitStatus(of: outcome, failures: failures) }

    /// The exit status for a user who asked for these commands: a command failed if its step does not list its code.
    package var statusWithCommands: ExitStatus {
        .gravest([status] + (commands.allSatisfy(\.isListed) ? [] : [.failed]))
    }
}

/// Follows one workflow until it ends, or until it waits for a person and this process does not ask.
package struct WorkflowFollower {
    let workflow: WorkflowID
    let records: WorkflowRecords
    /// Asks the person at this terminal. It is nil if awaits go to the inbox.
    let asker: (any Questioner)?
    /// Whether the person is also asked about entries that the template opens, and not only about calls.
    let asksAll: Bool
    /// Whether the workflow was started earlier. Then its open entries and its end are looked up, since their events
    /// may be over.
    let isTakenUp: Bool
    /// Whether a command or an answer was stored before. Then following ends once no step of the workflow can go on in
    /// a process on this machine.
    let isContinued: Bool
    /// The seconds for which the workflow is followed while no question of it is open here, or nil for no limit.
    let seconds: Int?
    /// Receives each event of the workflow, or nil.
    let listener: (any WorkflowListener)?

    /// Creates a follower of one workflow.
    ///
    /// - Parameters:
    ///   - asksAll: whether the user is also asked about entries that the template opens.
    ///   - isTakenUp: whether the workflow was started earlier.
    ///   - isContinued: whether a command or an answer was stored before. Following then ends once no step can go on
    ///     in a process on this machine.
    ///   - listener: receives each event of the workflow, before the event is handled.
    package init(
        workflow: WorkflowID, records: WorkflowRecords, asker: (any Questioner)?, asksAll: Bool = false,
        isTakenUp: Bool = false, isContinued: Bool = false, seconds: Int? = nil,
        listener: (any WorkflowListener)? = nil
    ) {
        self.seconds = seconds
        (self.workflow, self.records, self.asker) = (workflow, records, asker)
        (self.asksAll, self.isTakenUp, self.isContinued) = (asksAll, isTakenUp, isContinued)
        self.listener = listener
    }

    private enum Input: Sendable {
        case event(Event)
        case asked(Int64, QuestionOutcome)
        /// A tick at which the stored workflow is read, since another process may own it.
        case look
        /// The time for which the workflow is followed is over.
        case late
    }

    /// The person at this terminal, whose answers come in with the events.
    private struct Place: QuestionPlace {
        let asker: (any Questioner)?
        let feed: AsyncStream<Input>.Continuation

        func put(_ record: AwaitRecord) -> Task<Void, Never>? {
            guard let asker else { return nil }
            return Task { feed.yield(.asked(record.number, await asker.ask(record))) }
        }
    }

    private static let lookMilliseconds = 250

    /// Follows the workflow until it ends or waits.
    ///
    /// - Parameter events: a subscription from before the start of the workflow, so that no event is missed.
    package func untilItRests(_ events: AsyncStream<Event>) async -> Followed {
        var followed = await followedUntilItRests(events)
        followed.commands = (try? records.commandExits(of: workflow)) ?? []
        return followed
    }

    private func followedUntilItRests(_ events: AsyncStream<Event>) async -> Followed {
        // Events are handled during a question, too, since another process may answer it.
        let (inputs, feed) = AsyncStream.makeStream(of: Input.self)
        let source = Task {
            for await event in events { feed.yield(.event(event)) }
            feed.finish()
        }
        let looking =
            isTakenUp || isContinued
            ? Task {
                while !Task.isCancelled {
                    feed.yield(.look)
                    try? await Task.sleep(for: .milliseconds(Self.lookMilliseconds))
                }
            } : nil
        var (time, isLate) = (timer(feed), false)
        var followed = Followed(outcome: .waiting, failures: [], outputs: [])
        var questions = StandingQuestions(at: Place(asker: asker, feed: feed))
        var looks = StoredRest(of: self)
        defer {
            source.cancel()
            looking?.cancel()
            time?.cancel()
            questions.withdrawAll()
        }
        for await input in inputs {
            switch input {
            case .asked(let number, let outcome):
                guard let answered = questions.answered(number) else { break }
                if outcome == .unanswered, !answered.isWithdrawn { return followed }
                if outcome == .answered(.yesToPlan), let plan = try? records.question(answered.record).plan {
                    questions.cover(plan, by: answered)
                }
                questions.putNext()
                // The user has thought meanwhile, and the command begins or is applied only now.
                if isLate, questions.isEmpty { (time, isLate) = (timer(feed), false) }
            case .late:
                isLate = true
                followed.isUnderWay = questions.isEmpty
                if followed.isUnderWay { return followed }
            case .event(let event):
                if await hasRested(event, &followed, &questions) { return followed }
            case .look:
                if isContinued ? await looks.isReached(&followed, &questions) : hasRested(&followed, &questions) {
                    return followed
                }
            }
        }
        return followed
    }

    /// Starts to measure the time for which the workflow is followed, if there is a limit.
    private func timer(_ feed: AsyncStream<Input>.Continuation) -> Task<Void, Never>? {
        seconds.map { seconds in
            Task {
                do { try await Task.sleep(for: .seconds(seconds)) } catch { return }
                feed.yield(.late)
            }
        }
    }

    /// Returns whether the stored workflow has ended, or waits for a person. With an asker, the person is asked about
    /// its open entries.
    private func hasRested(_ followed: inout Followed, _ questions: inout StandingQuestions) -> Bool {
        guard let summary = try? records.summary(workflow), !records.hasWaitingCommand(workflow) else { return false }
        if let outcome = summary.record.outcome, outcome != .waiting {
            readEnd(outcome, &followed)
            return true
        }
        let open = ((try? records.awaits(false)) ?? []).filter { $0.step.workflow == workflow }
        guard asker != nil else { return !open.isEmpty || records.hasHeldCommand(workflow) }
        for record in open where isAsked(record) { questions.ask(record) }
        return !open.isEmpty && questions.isEmpty
    }

    /// Takes the outcome, the results and the failures of a workflow that has ended from the store.
    func readEnd(_ outcome: Outcome, _ followed: inout Followed) {
        followed.outcome = outcome
        followed.outputs = records.results(of: workflow)
        addStoredFailures(&followed)
    }

    private func addStoredFailures(_ followed: inout Followed) {
        let failures = ((try? records.steps(workflow)) ?? []).compactMap(\.failure)
        for failure in failures where !followed.failures.contains(failure) { followed.failures.append(failure) }
    }

    /// Returns whether the person is asked here about an entry. In a turn this includes the questions of the template,
    /// otherwise only those about calls (`semantics.md` 47).
    func isAsked(_ record: AwaitRecord) -> Bool { record.isAboutCall || asksAll && record.isWrittenByTemplate }

    private func hasRested(_ event: Event, _ followed: inout Followed, _ questions: inout StandingQuestions) async
        -> Bool
    {
        if case .error(let failure) = event.kind, event.workflow == nil || event.workflow == workflow,
            event.session == nil
        {
            // The engine has stopped, and no further events will come.
            await listener?.happened(event)
            followed.failures.append(failure)
            followed.outcome = .failed
            return true
        }
        guard event.workflow == workflow else { return false }
        await listener?.happened(event)
        switch event.kind {
        case .stepChanged(_, _, _, _, let failure?): followed.failures.append(failure)
        case .stepChanged(.succeeded, _, let reason?, _, nil) where reason.code == .warned:
            followed.warnings.append(reason.words)
        // The other entries wait in the inbox.
        case .awaitOpened(let record) where isAsked(record): questions.ask(record)
        case .awaitClosed(let number, _, _, _): questions.withdraw(number)
        case .workflowFinished(let outcome, let outputs):
            // With an asker, the question is still open when the workflow reports that it waits.
            // Whatever it came to before, a command that waits moves it again.
            if isContinued, records.hasWaitingCommand(workflow) { break }
            if outcome == .waiting {
                questions.putCovered()
                if !questions.isEmpty { break }
            }
            followed.outcome = outcome
            followed.outputs = outputs
            if isContinued, outcome != .waiting { addStoredFailures(&followed) }
            if outcome == .failed, followed.failures.isEmpty { await tellWhatIsMissing(&followed) }
            return true
        default: break
        }
        return false
    }

    /// Reports the steps whose tools are missing. They never start, so no event reports them.
    private func tellWhatIsMissing(_ followed: inout Followed) async {
        for step in (try? records.steps(workflow)) ?? [] {
            guard step.state == .blocked, let reason = step.reason, reason.isAbsence else { continue }
            let failure = Failure(
                reason.code, "Step \(step.id.index) (\(step.node)): \(reason.words)", remedy: "See 'assent doctor'.")
            followed.failures.append(failure)
            await listener?.happened(
                Event(
                    at: OpenWorkspace.now(), workflow: workflow, step: step.id.index, node: step.node, .error(failure)))
        }
    }
}

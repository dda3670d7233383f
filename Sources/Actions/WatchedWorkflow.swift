package import Vocabulary

/// A workflow that is looked at while any process runs it. Its news are read from the store, in their order.
package struct WatchedWorkflow {
    /// The news since the last look.
    package struct News {
        /// The steps whose state, progress or reason has changed, as events, by the time of their change.
        package var changes: [Event] = []
        /// The stored events.
        package var events: [EventRecord] = []
        /// The outcome, or nil while it is under way.
        package var outcome: Outcome?
        /// Whether an entry of the inbox is open.
        package var asks = false
        /// Whether it could move and no process runs it.
        package var isStanding = false
    }

    package let id: WorkflowID
    private let records: WorkflowRecords
    private var seen: [Int: Event.Kind] = [:]
    private var last: Int64?

    /// Creates a watch that has seen nothing. Its first news are the states of the steps that run.
    package init(_ id: WorkflowID, _ records: WorkflowRecords) {
        (self.id, self.records) = (id, records)
    }

    /// Makes the states of the steps that run news again.
    package mutating func forgetRunning() {
        seen = seen.filter { entry in
            guard case .stepChanged(let state, _, _, _, _) = entry.value else { return true }
            return !state.isRunning
        }
    }

    /// Reads what has happened since the last call.
    ///
    /// - Returns: nil if there is no such workflow any more.
    package mutating func news() throws(Failure) -> News? {
        // The outcome is read first: whatever has led to it is stored by then.
        guard let summary = try records.summary(id) else { return nil }
        let isFirst = last == nil
        var news = News(outcome: summary.record.outcome, asks: summary.openAwaits > 0)
        (news.events, last) = try records.events(of: id, after: last)
        news.isStanding = summary.wantsEngine && !records.hasEngine()
        for step in try records.steps(id).sorted(by: { $0.updatedAt < $1.updatedAt }) {
            let job = step.state.isRunning ? try records.runs(step.id).last?.job : nil
            let kind = Event.Kind.stepChanged(
                step.state, phase: job?.phase.rawValue, reason: step.reason, progress: job?.progress,
                failure: step.failure)
            guard seen.updateValue(kind, forKey: step.id.index) != kind else { continue }
            // What had ended before is no news.
            if isFirst, !step.state.isRunning, step.state != .ready { continue }
            news.changes.append(
                Event(at: step.updatedAt, workflow: id, step: step.id.index, node: step.node, kind))
        }
        return news
    }

    /// Returns the end of the workflow as a follower gets it.
    package func end(_ outcome: Outcome) throws(Failure) -> Followed {
        Followed(
            outcome: outcome, failures: try records.steps(id).compactMap(\.failure),
            outputs: outcome == .waiting ? [] : records.results(of: id),
            commands: try records.commandExits(of: id))
    }

    /// Returns the last lines that the step with a number has written.
    package func log(of step: Int, lines: Int) throws(Failure) -> [String] {
        let id = StepID(id, step)
        if let said = records.saidSoFar(id) { return LogTail.lines(said).suffix(lines) }
        guard let run = try records.runs(id).last, run.finishedAt == nil,
            let text = LogTail.text(of: run, in: Reruns(records.shared))
        else { return [] }
        return LogTail.lines(text).suffix(lines)
    }
}

package import Vocabulary

/// The workflows that ended, stopped or were set aside while `work` ran, each with its last news.
package struct WorkedWorkflows: Sendable {
    private enum News: Sendable {
        case outcome(Outcome)
        /// The workflow was set aside, since it cannot be read.
        case setAside(Failure)
    }

    private var news: [WorkflowID: News] = [:]

    /// Creates the news of a worker that begins.
    package init() {}

    /// Stores what an event says about the end of its workflow. Other events change nothing.
    package mutating func record(_ event: Event) {
        guard let id = event.workflow else { return }
        switch event.kind {
        case .workflowFinished(let outcome, _): news[id] = .outcome(outcome)
        case .error(let failure): news[id] = .setAside(failure)
        default: break
        }
    }

    /// Returns the gravest status of these workflows and of the inbox.
    ///
    /// - Throws: a failure of the storage.
    package func status(_ records: WorkflowRecords) throws(Failure) -> ExitStatus {
        var statuses: [ExitStatus] = try records.awaits(false).isEmpty ? [] : [.waiting]
        for (id, news) in news {
            switch news {
            case .outcome(.succeeded): break
            case .outcome(let outcome):
                // The stored steps, since another process may have run some of them.
                let failures = try records.steps(id).compactMap(\.failure)
                statuses.append(ExitStatus(of: outcome, failures: failures))
            case .setAside(let failure): statuses += [.failed, ExitStatus(of: failure)]
            }
        }
        return .gravest(statuses)
    }
}

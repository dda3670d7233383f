import Synchronization
import Terminal
package import Vocabulary

/// What one workflow came to, as far as it was followed.
package struct Followed: Hashable, Sendable {
    package var outcome: Outcome
    package var failures: [Failure]
    package var outputs: [Event.Output]

    package var status: ExitStatus { ExitStatus(of: outcome, failures: failures) }
}

/// Follows one workflow until it ends or waits for a person who is not asked here.
struct Following {
    let workflow: WorkflowID
    let house: House
    /// Asks the person here and now; `nil` where awaits go to the inbox.
    let asker: Asker?
    /// Told of each event of the workflow, before it is acted upon.
    let onEvent: @Sendable (Event) async -> Void

    /// - Parameter events: subscribed to before the workflow was started, so that nothing is missed.
    func untilItRests(_ events: AsyncStream<Event>) async -> Followed {
        var followed = Followed(outcome: .waiting, failures: [], outputs: [])
        for await event in events {
            if case .error(let failure) = event.kind, event.workflow == nil || event.workflow == workflow, event.session == nil {
                // The engine has stopped: nothing more will come.
                await onEvent(event)
                followed.failures.append(failure)
                followed.outcome = .failed
                return followed
            }
            guard event.workflow == workflow else { continue }
            await onEvent(event)
            switch event.kind {
            case .stepChanged(_, _, _, _, let failure?): followed.failures.append(failure)
            case .awaitOpened(let record):
                guard let asker else { break }
                if await asker.ask(record) == .unanswered { return followed }
            case .workflowFinished(let outcome, let outputs):
                // With an asker the question is still to be put when the workflow says that it waits.
                if outcome == .waiting, asker != nil { break }
                followed.outcome = outcome
                followed.outputs = outputs
                return followed
            default: break
            }
        }
        return followed
    }
}

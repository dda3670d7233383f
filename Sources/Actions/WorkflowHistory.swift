import Services
import Storage
package import Vocabulary
import Workflows

extension Limits {
    /// The most events of a workflow that its timeline reads.
    fileprivate static let timelineEvents = 200_000
}

/// The past of workflows: causes, times, pins and logs.
extension Reruns {
    /// Returns why a workflow, or one of its steps, is in its state. The nearest cause comes first.
    package func causes(_ id: WorkflowID, _ step: Int?) throws(Failure) -> [Cause] {
        Causes.chain(of: step, in: try circumstances(of: id))
    }

    /// Returns the times of the whole workflow, and then of each step.
    package func timelines(_ id: WorkflowID) throws(Failure) -> [Timeline] {
        let archive = try shared.archive.get()
        let summary = try summary(of: id)
        let events = try archive.events(of: id, limit: Limits.timelineEvents)
        let end =
            summary.record.outcome == nil
            ? nil : events.last { $0.type == "step.changed" || $0.type == "workflow.finished" }?.at
        return Timelines.of(
            events, steps: summary.stepCount, from: summary.record.createdAt, to: end ?? OpenWorkspace.now())
    }

    /// Returns the pinned inputs of a workflow.
    package func pins(_ id: WorkflowID) throws(Failure) -> [PinnedInput] { try shared.archive.get().pins(of: id) }

    /// Returns the last lines of a run's standard error that are kept, without keys. Returns nil if there are none.
    package func log(_ run: RunRecord) -> String? {
        let (step, attempt) = (run.id.step, run.id.attempt)
        return EndOfFile.text(of: "\(shared.folders.runs)/\(step.workflow)/\(step.index)-\(attempt).stderr").map {
            shared.keyRing.filter.cut($0).lastLines(bytes: Limits.jobLogTailBytes)
        }
    }

    private func circumstances(of id: WorkflowID) throws(Failure) -> Circumstances {
        let archive = try shared.archive.get()
        let record = try summary(of: id).record
        let steps = try archive.steps(of: id)
        var running: [RunRecord] = []
        for step in steps where step.state.isRunning || step.state == .awaitingUser {
            running += try archive.runs(of: step.id).suffix(1)
        }
        return Circumstances(
            record: record, steps: steps, template: try WorkflowRecords(shared).template(id),
            awaits: try archive.newestAwaits(of: id), running: running, busy: try archive.busySteps(),
            // A living engine takes over the workflows of one that has ended.
            hasEngine: WorkflowRecords(shared).hasEngine(), now: OpenWorkspace.now(),
            changes: try archive.changes(of: id),
            events: { step in (try? archive.events(of: id, step: step)) ?? [] })
    }

    private func summary(of id: WorkflowID) throws(Failure) -> WorkflowSummary {
        if let summary = try WorkflowRecords(shared).summary(id) { return summary }
        throw Failure(.unknownWorkflow, "There is no workflow \(id).")
    }
}

import Actions
import Progress
import Terminal
package import Vocabulary

/// The state of a job at a provider: its progress or place in the queue, or "Reconnecting…", with the age of the news.
package struct RemoteStatus: Hashable, Sendable {
    let job: JobRecord
    /// The time of the last change that was reported.
    let changedAt: Moment?
    let pausedAt: Moment?

    /// Creates the state of a run's job. Fails if the step has no job at a provider.
    package init?(_ run: RunRecord?, changedAt: Moment?, pausedAt: Moment?) {
        guard let job = run?.job else { return nil }
        self.job = job
        self.changedAt = changedAt
        self.pausedAt = pausedAt
    }

    /// Returns the state for a list, such as `42 %`, `place 3 in its queue` or `Reconnecting…`. Returns nil if there is
    /// nothing to add.
    func short(of step: StepRecord) -> String? {
        guard step.state.isRunning else { return nil }
        if pausedAt != nil { return "status checks paused" }
        if step.reason?.code == .reconnecting { return "Reconnecting…" }
        if let progress = job.progress, progress.isFinite {
            return "\(Int((min(max(progress, 0), 1) * 100).rounded(.down))) %"
        }
        if step.state == .queuedRemote, let place = job.queuePosition { return "place \(place) in its queue" }
        return job.phase.words
    }

    func lines(of step: StepRecord, now: Moment, columns: Int, indent: Int = 4) -> [StyledText] {
        guard step.state.isRunning else { return [] }
        var parts = [StyledText(job.provider)]
        if let progress = job.progress, progress.isFinite {
            parts.append(StyledText("\(Int((min(max(progress, 0), 1) * 100).rounded(.down))) %", .running))
        } else if step.state == .runningRemote {
            parts.append(StyledText("running …", .running))
        }
        if step.state == .queuedRemote, let place = job.queuePosition {
            parts.append(StyledText("place \(place) in its queue"))
        }
        if let words = job.phase.words { parts.append(StyledText(words)) }
        if let changedAt { parts.append(StyledText("updated \(Amounts.age(of: changedAt, now: now))", .dim)) }
        let line = Layout.wrapped(Layout.dotted(parts), columns: columns, indent: indent, hanging: indent + 2)
        guard pausedAt != nil else { return line }
        let words = "Status checks are paused; the remote job goes on. \(Voice.call("poll \(step.id.workflow) on"))"
        return line + Layout.wrapped(StyledText(words, .warning), columns: columns, indent: indent, hanging: indent + 2)
    }
}

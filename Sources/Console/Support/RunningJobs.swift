import Actions
import Vocabulary

/// The jobs that are under way at providers.
enum RunningJobs {
    static func underWay(
        _ summary: WorkflowSummary, _ steps: [StepRecord], in context: CommandContext
    ) throws(Failure) -> [Int: RemoteStatus] {
        var jobs: [Int: RemoteStatus] = [:]
        for step in steps where step.state.isRunning && step.state != .runningLocal {
            jobs[step.id.index] = RemoteStatus(
                try context.look.runs(step.id).last, changedAt: step.updatedAt, pausedAt: summary.record.pollingPausedAt
            )
        }
        return jobs
    }
}

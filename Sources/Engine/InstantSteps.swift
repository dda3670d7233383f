import Vocabulary
import Workflows

extension Limits {
    /// The most instant steps that share a commit: steps that cannot block and touch nothing outside.
    fileprivate static let instantRunsPerCommit = 64
}

extension Loop {
    /// Runs instant steps at once, up to a limit, so that they share the commit that stores their ends. An instant step
    /// needs no commit before it runs: it cannot block, touches nothing outside, and runs again after a crash.
    mutating func runInstantSteps() {
        var left = Limits.instantRunsPerCommit
        while left > 0, let place = intents.firstIndex(where: { isInstant($0.0, $0.1) }) {
            let (workflow, intent) = intents.remove(at: place)
            guard case .run(let index, let attempt) = intent,
                let carried = carried[workflow],
                let assignment = carried.assignment(index, attempt: attempt, in: world.tools.runFolder)
            else { continue }
            left -= 1
            let call = carried.allowed[index]
            end(assignment.run, world.at(assignment.run.step) { world.tools.run(assignment, call) })
            sortIntents()
            schedule()
        }
    }

    private func isInstant(_ workflow: WorkflowID, _ intent: Flow.Intent) -> Bool {
        guard case .run(let index, _) = intent, let carried = carried[workflow], let manifest = carried.manifests[index]
        else {
            return false
        }
        let node = carried.flow.graph.nodes[index]
        return node.isPure && node.isIdempotent && world.tools.isInstant(manifest)
    }
}

package import Vocabulary

/// Workflows that could move while no process runs them.
package enum StandingWorkflows {
    /// Returns the notice, such as `Nobody carries w35 and w36: 'assent work' goes on with them, 'assent cancel w35'
    /// ends one.` It is empty without workflows.
    package static func words(_ workflows: [WorkflowID]) -> String {
        guard let first = workflows.first else { return "" }
        let names = NameList.words(workflows.map(\.description))
        let (them, one) = workflows.count == 1 ? ("it", "it") : ("them", "one")
        return "Nobody carries \(names): 'assent work' goes on with \(them), 'assent cancel \(first)' ends \(one)."
    }
}

extension WorkflowSummary {
    /// Whether the workflow can move as soon as a process runs it: it has not ended, and does not only wait for a
    /// person.
    package var wantsEngine: Bool {
        record.outcome == nil && (record.isCancelRequested || states.contains { $0.isRunning || $0 == .ready })
    }
}


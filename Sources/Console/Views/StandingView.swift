import Terminal
package import Vocabulary

/// The notice about workflows that could move while no process runs them.
package enum StandingView {
    /// Returns the notice, such as `Nobody carries w35 and w36: 'assent work' goes on with them, 'assent cancel w35'
    /// ends one.` It is empty without workflows.
    package static func words(_ workflows: [WorkflowID]) -> String {
        guard let first = workflows.first else { return "" }
        let names = Layout.names(workflows.map(\.description))
        let (them, one) = workflows.count == 1 ? ("it", "it") : ("them", "one")
        return "Nobody carries \(names): 'assent work' goes on with \(them), 'assent cancel \(first)' ends \(one)."
    }

    static func lines(_ workflows: [WorkflowID], columns: Int) -> [StyledText] {
        workflows.isEmpty ? [] : Layout.wrapped(StyledText(words(workflows), .warning), columns: columns, indent: 2)
    }
}

extension WorkflowSummary {
    /// Whether the workflow can move as soon as a process runs it: it has not ended, and does not only wait for a
    /// person.
    package var wantsEngine: Bool {
        record.outcome == nil && (record.isCancelRequested || states.contains { $0.isRunning || $0 == .ready })
    }
}

extension House {
    /// Returns the workflows that could move while no process runs them. Quarantined ones are left out, since they
    /// stand still for another reason.
    func standing(_ summaries: [WorkflowSummary]) throws(Failure) -> [WorkflowID] {
        let moving = summaries.filter(\.wantsEngine).map(\.record.id)
        guard !moving.isEmpty, !look.hasEngine() else { return [] }
        let aside = Set(try keep.quarantined().map(\.workflow))
        return moving.filter { !aside.contains($0) }
    }
}

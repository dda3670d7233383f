import Terminal
package import Vocabulary

/// Workflows that could move, and that no process carries: they stand still until one does.
package enum StandingView {
    /// `Nobody carries w35 and w36: 'assent work' goes on with them, 'assent cancel w35' ends one.`
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
    /// Whether it moves as soon as somebody carries it: it does not only wait for a person, and is not over.
    package var wantsEngine: Bool {
        record.outcome == nil && (record.isCancelRequested || states.contains { $0.isRunning || $0 == .ready })
    }
}

extension House {
    /// Of these, those that nobody carries although they could move. What is set aside stands still for a reason of its
    /// own.
    func standing(_ summaries: [WorkflowSummary]) throws(Failure) -> [WorkflowID] {
        let moving = summaries.filter(\.wantsEngine).map(\.record.id)
        guard !moving.isEmpty, !look.hasEngine() else { return [] }
        let aside = Set(try keep.quarantined().map(\.workflow))
        return moving.filter { !aside.contains($0) }
    }
}

import Actions
import Terminal
import Vocabulary

/// The notice about workflows that could move while no process runs them.
enum StandingView {
    static func lines(_ workflows: [WorkflowID], columns: Int) -> [StyledText] {
        workflows.isEmpty
            ? []
            : Layout.wrapped(
                StyledText(Voice.worded(StandingWorkflows.words(workflows)), .warning), columns: columns, indent: 2)
    }
}

extension CommandContext {
    /// Returns the workflows that could move while no process runs them. Quarantined ones are left out, since they
    /// stand still for another reason.
    func standing(_ summaries: [WorkflowSummary]) throws(Failure) -> [WorkflowID] {
        let moving = summaries.filter(\.wantsEngine).map(\.record.id)
        guard !moving.isEmpty, !look.hasEngine() else { return [] }
        let aside = Set(try diagnostics.quarantined().map(\.workflow))
        return moving.filter { !aside.contains($0) }
    }
}

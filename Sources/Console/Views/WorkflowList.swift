import Actions
import Progress
package import Terminal
package import Vocabulary

/// The list of workflows, in the order of the query: number, state, progress, age and title.
package enum WorkflowList {
    /// Draws a list of workflows.
    ///
    /// - Parameters:
    ///   - isNarrowed: whether the query may have left out other workflows.
    ///   - blocking: the workflows in which steps must wait for a person.
    ///   - notes: the progress of their jobs, in a few words.
    ///   - undone: the words for workflows that were undone.
    ///   - asked: the stored commands that no engine has carried out.
    ///   - standing: the workflows that could move while no process runs them.
    package static func lines(
        _ summaries: [WorkflowSummary], isNarrowed: Bool = false, blocking: Set<WorkflowID> = [],
        notes: [WorkflowID: String] = [:],
        undone: [WorkflowID: String] = [:], asked: [WorkflowID: [Command]] = [:], standing: [WorkflowID] = [],
        now: Moment, columns: Int
    ) -> [StyledText] {
        guard !summaries.isEmpty else {
            let words =
                isNarrowed
                ? "None of the workflows is like that. \(Voice.call("list --all")) shows every one."
                : "No workflows yet. Say what you want, or \(Voice.call("run FILE"))."
            return Layout.wrapped(StyledText(words, .dim), columns: columns, indent: 2)
        }
        let rows = summaries.map { summary in
            let (record, id) = (summary.record, summary.record.id)
            let sign = StateSign(summary, isStanding: standing.contains(id), asked: asked[id] ?? [])
            return Layout.Row(
                head: [StyledText(id.description, .bold), sign.text], title: StyledText(record.title),
                rest: [
                    StyledText("\(summary.doneCount)/\(summary.stepCount)"),
                    StyledText(Amounts.age(of: record.updatedAt, now: now), .dim),
                ], remarks: remarks(summary, blocking.contains(id), notes[id], undone[id]))
        }
        return Layout.list(rows, columns: columns) + StandingView.lines(standing, columns: columns)
    }

    /// Returns the words beside the title of a workflow.
    private static func remarks(
        _ summary: WorkflowSummary, _ isBlocking: Bool, _ note: String?, _ undone: String?
    ) -> [StyledText] {
        var remarks: [StyledText] = []
        if let note { remarks.append(StyledText(" \(note)", .running)) }
        if let undone { remarks.append(StyledText("(\(undone))", .dim)) }
        if summary.record.archivedAt != nil { remarks.append(StyledText("(archived)", .dim)) }
        if summary.openAwaits > 0 {
            let count = Amounts.count(summary.openAwaits, "question")
            let words = "(\(count)\(isBlocking ? ", blocking" : ""): \(Voice.call("inbox")))"
            remarks.append(StyledText(words, .question))
        }
        return remarks
    }
}

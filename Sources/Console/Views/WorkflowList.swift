package import Terminal
package import Vocabulary

/// The workflows, newest first as they come: number, state, how far, since when, title.
package enum WorkflowList {
    /// - Parameters:
    ///   - isNarrowed: whether others may be there that were not asked for.
    ///   - blocking: workflows in which steps have to wait for a person.
    package static func lines(
        _ summaries: [WorkflowSummary], isNarrowed: Bool = false, blocking: Set<WorkflowID> = [], now: Moment, columns: Int
    ) -> [StyledText] {
        guard !summaries.isEmpty else {
            let words =
                isNarrowed
                ? "None of the workflows is like that. /list --all shows every one."
                : "No workflows yet. Say what you want, or /run a file."
            return Layout.wrapped(StyledText(words, .dim), columns: columns, indent: 2)
        }
        return Layout.table(summaries.map { row($0, blocking.contains($0.record.id), now) }, columns: columns)
    }

    private static func row(_ summary: WorkflowSummary, _ isBlocking: Bool, _ now: Moment) -> [StyledText] {
        let record = summary.record
        var title = StyledText(record.title)
        if record.archivedAt != nil { title.append(" (archived)", .dim) }
        if summary.openAwaits > 0 {
            title.append(" (\(Amounts.count(summary.openAwaits, "question"))\(isBlocking ? ", blocking" : ""): /inbox)", .question)
        }
        return [
            StyledText(record.id.description, .bold), StateSign(summary).text, StyledText("\(summary.doneCount)/\(summary.stepCount)"),
            StyledText(Amounts.age(of: record.updatedAt, now: now), .dim), title,
        ]
    }
}

import Actions
import Terminal
import Vocabulary

/// The end of a workflow that no report shows: its title, with its results or the reason, and the verb that helps.
struct EndNews {
    private let id: WorkflowID
    private let outcome: Outcome
    private let workspace: String
    private let summary: WorkflowSummary?
    private let steps: [StepRecord]
    private let batch: BatchSummary
    private let outputs: [Event.Output]

    init(_ id: WorkflowID, _ outcome: Outcome, _ look: WorkflowRecords, in workspace: String) throws(Failure) {
        (self.id, self.outcome, self.workspace) = (id, outcome, workspace)
        (summary, steps) = (try look.summary(id), try look.steps(id))
        batch = try look.template(id).map { [steps] in BatchSummary($0, steps, look.catalogue()) } ?? BatchSummary()
        outputs = look.results(of: id)
    }

    /// Returns rows such as `✓ w1 "holiday.jpg: resize" → ./holiday-6.jpg`.
    func lines(columns: Int) -> [StyledText] {
        let title = summary.map { " \"\(VisibleText.line($0.record.title))\"" } ?? ""
        let sign = StateSign(outcome, exit: outcome == .succeeded ? summary?.exit : nil)
        let line = sign.mark + StyledText(" \(id)\(title)") + StyledText(rest, .dim)
        return Layout.wrapped(line, columns: columns, hanging: 2)
    }

    private var rest: String {
        switch outcome {
        case .succeeded: summary?.exit.map { " exit \($0) · /show \(id)" } ?? results ?? " · /show \(id)"
        case .failed: failure
        case .cancelled, .waiting: " \(outcome.rawValue) · /show \(id)"
        }
    }

    /// The files that were saved, or those that a command changed.
    private var results: String? {
        let paths = outputs.compactMap(\.path)
        if paths.count == 1 { return " → \(Values.path(paths[0], in: workspace))" }
        if paths.count > 1 { return " → \(Amounts.count(paths.count, "file")) · /show \(id)" }
        return outputs.lazy.compactMap(\.changed).first.map { " · \($0.words(NameWords.shownWithin)) · /show \(id)" }
    }

    /// The reason of the first step that failed, how much was made all the same, and the verb that helps.
    private var failure: String {
        let failed = steps.lazy.compactMap(\.failure).first
        let (fault, all) = (batch.faults.first, batch.made + batch.lacking)
        let reason = fault?.words ?? failed?.message ?? "failed"
        let words = fault?.file.flatMap { reason.contains($0) ? nil : "\($0): \(reason)" } ?? reason
        let made = batch.made > 0 ? " · \(batch.made) of \(all) made" : ""
        return " \(VisibleText.line(words))\(made) · /\(failed?.isTransient == true ? "retry" : "why") \(id)"
    }
}

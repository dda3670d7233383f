import Actions
import Terminal
import Vocabulary

/// The end of a workflow that no report shows: its title, with its results or the reason, and the verb that helps.
struct EndNews {
    let look: WorkflowRecords
    let id: WorkflowID
    let outcome: Outcome
    let workspace: String

    /// Returns rows such as `✓ w1 "holiday.jpg: resize" → ./holiday-6.jpg`.
    func lines(columns: Int) -> [StyledText] {
        let summary = (try? look.summary(id)) ?? nil
        let title = summary.map { " \"\(VisibleText.line($0.record.title))\"" } ?? ""
        let sign = StateSign(outcome, exit: outcome == .succeeded ? summary?.exit : nil)
        let line = sign.mark + StyledText(" \(id)\(title)") + StyledText(rest(exit: summary?.exit), .dim)
        return Layout.wrapped(line, columns: columns, hanging: 2)
    }

    private func rest(exit: Int?) -> String {
        switch outcome {
        case .succeeded: exit.map { " exit \($0) · /show \(id)" } ?? results ?? " · /show \(id)"
        case .failed: failure
        case .cancelled: " cancelled · /show \(id)"
        case .waiting: " waits for you: /inbox"
        }
    }

    /// The files that were saved, or those that a command changed.
    private var results: String? {
        let outputs = look.results(of: id)
        let paths = outputs.compactMap(\.path)
        if paths.count == 1 { return " → \(Values.path(paths[0], in: workspace))" }
        if paths.count > 1 { return " → \(Amounts.count(paths.count, "file")) · /show \(id)" }
        return outputs.lazy.compactMap(\.changed).first.map { " · \($0.words(NameWords.shownWithin)) · /show \(id)" }
    }

    /// The reason of the first step that failed, how much was made all the same, and what helps.
    private var failure: String {
        let steps = (try? look.steps(id)) ?? []
        let failed = steps.lazy.compactMap(\.failure).first
        let batch = ((try? look.template(id)) ?? nil).map { BatchSummary($0, steps, look.catalogue()) }
        let fault = batch?.faults.first
        let words = [fault?.file, fault?.words ?? failed?.message].compactMap(\.self).joined(separator: ": ")
        let made = batch.flatMap { $0.made > 0 ? " · \($0.made) of \($0.made + $0.lacking) made" : nil } ?? ""
        let verb = failed?.isTransient == true ? "retry" : "why"
        return " \(VisibleText.line(words.isEmpty ? "failed" : words))\(made) · /\(verb) \(id)"
    }
}

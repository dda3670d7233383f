import Actions
import Progress
import Terminal
import Vocabulary

/// The end of a workflow in a line: its title, with its results or the reason, and the verb that helps.
struct EndNews {
    let end: WorkflowEnd
    let workspace: String
    /// Whether its plan and its results stand above it, so that it names neither.
    var isBelowPlan = false

    init(_ id: WorkflowID, _ outcome: Outcome, in context: CommandContext) throws(Failure) {
        self.init(end: try WorkflowEnd(id, outcome, context.look), workspace: context.workspace)
    }

    init(end: WorkflowEnd, workspace: String, isBelowPlan: Bool = false) {
        (self.end, self.workspace, self.isBelowPlan) = (end, workspace, isBelowPlan)
    }

    /// Returns rows such as `✓ w1 "holiday.jpg: resize" → ./holiday-6.jpg`.
    func lines(columns: Int) -> [StyledText] { Layout.wrapped(line, columns: columns, hanging: 2) }

    /// The end in one line, of any width.
    var line: StyledText {
        let title = end.title.isEmpty || isBelowPlan ? "" : " \"\(VisibleText.line(end.title))\""
        let sign = end.isStale ? StateSign.stale : StateSign(end.outcome, exit: end.exit)
        return sign.mark + StyledText(" \(end.id)\(title)") + StyledText(rest, .dim)
    }

    private var rest: String {
        let show = " · \(Voice.call("show \(end.id)"))"
        switch end.outcome {
        case .succeeded where end.isStale: return " stale\(show)"
        case .succeeded where isBelowPlan && end.exit == nil: return " done\(show)"
        case .succeeded: return end.exit.map { " exit \($0)\(show)" } ?? results(show) ?? show
        case .failed: return " \(VisibleText.line(end.reason ?? "failed"))\(made) · \(Self.call(end.offer))"
        case .cancelled, .waiting: return " \(end.outcome.rawValue)\(show)"
        }
    }

    private var made: String {
        end.batch.made > 0 ? " · \(end.batch.made) of \(end.batch.made + end.batch.lacking) made" : ""
    }

    /// Returns the files that were saved, or those that a command changed.
    private func results(_ show: String) -> String? {
        let paths = end.outputs.compactMap(\.path)
        if paths.count == 1 { return " → \(Values.path(paths[0], in: workspace))" }
        if paths.count > 1 { return " → \(Amounts.count(paths.count, "file"))\(show)" }
        return end.outputs.lazy.compactMap(\.changed).first.map { " · \($0.words(NameWords.shownWithin))\(show)" }
    }

    /// Returns an offer as it is typed, such as `/retry w1`.
    static func call(_ offer: Offer) -> String {
        Voice.call(offer.command.map { Words.quoted(VisibleText.line($0)) }.joined(separator: " "))
    }
}

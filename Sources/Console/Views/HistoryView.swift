import Actions
import JSON
import Progress
package import Terminal
package import Vocabulary

extension Limits {
    /// The parts that are shown when a conversation continues: the first and the last ones of its last turn.
    fileprivate static let resumedParts = 4
}

/// The list of conversations: number, age, count of messages, title and folder. If all are of one folder, it is left
/// out and the titles are whole.
package enum HistoryList {
    package static func lines(_ sessions: [SessionRecord], now: Moment, columns: Int, areOfOneFolder: Bool = false)
        -> [StyledText]
    {
        guard !sessions.isEmpty else {
            return Layout.wrapped(StyledText("No conversations yet.", .dim), columns: columns, indent: 2)
        }
        let rows = sessions.map { session in
            Layout.Row(
                head: [StyledText(session.id.description, .bold)], title: StyledText(session.title),
                rest: [
                    StyledText(Amounts.age(of: session.updatedAt, now: now), .dim),
                    StyledText(Amounts.count(session.messageCount, "message")),
                ], remarks: areOfOneFolder ? [] : [StyledText(session.workspace, .dim)])
        }
        guard columns >= Layout.narrowColumns else { return Layout.stacked(rows, columns: columns) }
        let cells = rows.map { $0.head + $0.rest + [$0.title] + $0.remarks }
        guard areOfOneFolder else { return Layout.table(cells, columns: columns) }
        return Layout.ledger(cells, columns: columns, below: 6, gap: Layout.gap).flatMap(\.self)
    }
}

/// The transcript of a conversation, drawn as the chat draws it. Text from outside stands behind a mark, so that it
/// cannot look like a prompt or a question.
struct HistoryTranscript {
    /// The tools of stored workflows, for their plans.
    let catalogue: Catalogue
    let workspace: String
    /// Whether all thoughts and whole texts that a model read are shown.
    var isWhole = false
    let columns: Int

    /// Draws a conversation.
    func lines(_ session: SessionRecord, _ parts: [StoryPart], now: Moment) -> [StyledText] {
        let left = "  " + StyledText("\(session.id)  ", .dim) + StyledText(session.title, .bold)
        let right = StyledText(
            "\(Amounts.count(session.messageCount, "message")) · \(Amounts.age(of: session.updatedAt, now: now))", .dim)
        return Layout.spread(left, right, columns: columns, measure: 100, hanging: 4) + parts.flatMap(lines)
    }

    /// Returns the end of a conversation that continues: its last line, and its last parts.
    func tail(_ parts: [StoryPart]) -> [StyledText] {
        let turn = parts.filter { $0.turn == parts.last?.turn }
        return (turn.prefix(1) + turn.dropFirst().suffix(Limits.resumedParts - 1)).flatMap(lines)
    }

    /// Draws one part of a conversation.
    func lines(_ part: StoryPart) -> [StyledText] {
        switch part.kind {
        // The number of the turn is shown, since a fork names it.
        case .line(let text): marked("\(part.turn) › ", .accent, text, .bold)
        case .system(let text): marked("* ", .dim, text, .dim)
        case .thought(let text):
            [row("thought: \(Amounts.count(text.split(whereSeparator: \.isWhitespace).count, "word"))")]
                + (isWhole ? behindGutter(text) : [])
        case .words(let text, let isPartial):
            StreamingMarkdown.lines(text, width: room).flatMap { $0.rows(of: room) }.map { "  " + Gutter.mark + $0 }
                + (isPartial ? [StyledText("  … cut off", .warning)] : [])
        case .look(let words, let read): [row(VisibleText.line(words))] + (isWhole ? behindGutter(read) : [])
        case .refusal(let words): wrapped(StateSign.failed.mark + StyledText(" \(VisibleText.line(words))"))
        case .work(let work): lines(work)
        }
    }

    private func lines(_ work: StoryWork) -> [StyledText] {
        let show = work.id.map { "show \($0)" } ?? "tools"
        let plan =
            work.template.isQuestion
            ? []
            : PlanTable.lines(
                work.template, catalogue: catalogue, workspace: workspace, isStored: true, isShort: true, call: show,
                columns: columns)
        return plan + work.answers.flatMap(line) + results(of: work) + end(of: work)
    }

    /// Draws the end. The results of a success name their workflow already.
    private func end(of work: StoryWork) -> [StyledText] {
        guard let end = work.end else { return [row("\(work.id.map { "\($0) " } ?? "")is under way")] }
        let isPlain = end.outcome == .succeeded && end.exit == nil && !end.isStale
        guard !isPlain || work.outputs.isEmpty && !work.template.isQuestion else { return [] }
        return wrapped(EndNews(end: end, workspace: workspace, isBelowPlan: true).line)
    }

    /// Draws an answer, such as `? delete a file → approved by person at the terminal`.
    private func line(_ answer: StoryWork.Answer) -> [StyledText] {
        let text =
            StyledText("? ", .question) + StyledText("\(VisibleText.line(answer.title)) → ")
            + StyledText(VisibleText.line(answer.words ?? answer.resolution), .bold)
        return wrapped(text + StyledText(answer.by.map { " by \(VisibleText.line($0))" } ?? "", .dim))
    }

    private func results(of work: StoryWork) -> [StyledText] {
        guard let id = work.id, !work.template.isQuestion else { return [] }
        let shown = ResultLine.withWordsForData(work.outputs)
        guard shown.count <= BatchView.resultsLimit else {
            return BatchView.results(shown, of: id, workspace: workspace, columns: columns)
        }
        return shown.flatMap {
            ResultLine.lines(
                $0, workflow: id, workspace: workspace, name: $0.path?.pathNames.last, preview: work.texts[$0.hash],
                columns: columns)
        }
    }

    private var room: Int { max(2, columns - 4) }

    private func row(_ words: String) -> StyledText { StyledText("  \(words)", .dim).truncated(to: columns) }

    private func wrapped(_ text: StyledText) -> [StyledText] {
        Layout.wrapped(text, columns: columns, indent: 2, hanging: 4)
    }

    private func behindGutter(_ text: String) -> [StyledText] {
        VisibleText.lines(text).flatMap { StyledText($0, .dim).rows(of: room) }.map { "  " + Gutter.mark + $0 }
    }

    private func marked(_ mark: String, _ style: Style, _ text: String, _ textStyle: Style) -> [StyledText] {
        VisibleText.lines(text).flatMap { StyledText($0, textStyle).rows(of: max(2, columns - mark.count)) }
            .enumerated().map { index, row in
                StyledText(index == 0 ? mark : Layout.spaces(mark.count), style) + row
            }
    }
}

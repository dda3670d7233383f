import Actions
import JSON
package import Terminal
package import Vocabulary

extension Limits {
    /// The messages that are shown when a conversation continues: the first and the last ones of its last turn.
    fileprivate static let resumedMessages = 4
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
            [
                StyledText(session.id.description, .bold),
                StyledText(Amounts.age(of: session.updatedAt, now: now), .dim),
                StyledText(Amounts.count(session.messageCount, "message")), StyledText(session.title),
            ] + (areOfOneFolder ? [] : [StyledText(session.workspace, .dim)])
        }
        guard areOfOneFolder else { return Layout.table(rows, columns: columns) }
        return Layout.ledger(rows, columns: columns, below: 6, gap: Layout.gap).flatMap(\.self)
    }
}

/// The transcript of a conversation. Text from outside stands behind a mark, so that it cannot look like a prompt or a
/// question.
package enum HistoryTranscript {
    /// The most rows of one tool result.
    static let resultRows = 6

    /// Draws a conversation.
    ///
    /// - Parameter isWhole: whether all thoughts and whole results are shown.
    package static func lines(
        _ session: SessionRecord, messages: [MessageRecord], isWhole: Bool = false, now: Moment, columns: Int
    ) -> [StyledText] {
        let left = "  " + StyledText("\(session.id)  ", .dim) + StyledText(session.title, .bold)
        let right = StyledText(
            "\(Amounts.count(messages.count, "message")) · \(Amounts.age(of: session.updatedAt, now: now))", .dim)
        return Layout.spread(left, right, columns: columns, measure: 100, hanging: 4)
            + messages.flatMap { lines($0, isWhole, columns) }
    }

    /// Returns the end of a conversation that continues: its last line, and the result of it. Calls are named, without
    /// their arguments and results.
    ///
    /// - Parameter now: returns how a workflow has ended since, or nil while it is under way.
    static func tail(
        _ messages: [MessageRecord], columns: Int, now: (WorkflowID) -> Outcome? = { _ in nil }
    ) -> [StyledText] {
        let turn = messages.filter { $0.turn == messages.last?.turn }
        return (turn.prefix(1) + turn.dropFirst().suffix(Limits.resumedMessages - 1)).flatMap {
            brief($0, columns, now)
        }
    }

    private static func brief(
        _ record: MessageRecord, _ columns: Int, _ now: (WorkflowID) -> Outcome?
    ) -> [StyledText] {
        let message = record.message
        switch message.role {
        case .user, .system: return lines(record, false, columns)
        case .assistant:
            let calls = message.calls.map { call in
                let title = ["name", "title", "workflow"].lazy.compactMap { call.arguments[$0]?.string }.first
                let text = StyledText("  ▸ ", .running) + StyledText(call.name, .bold)
                return (text + StyledText(title.map { " \"\(VisibleText.line($0))\"" } ?? "", .dim)).truncated(
                    to: columns)
            }
            return said(message, columns) + calls
        case .tool: return outcome(message.text, now).map { [$0.truncated(to: columns)] } ?? []
        }
    }

    /// Returns the result of a call: the outcome of a workflow, or the reason for its absence. Returns nil for a call
    /// that only gave an answer.
    private static func outcome(_ text: String, _ now: (WorkflowID) -> Outcome?) -> StyledText? {
        guard let json = try? JSONReader.read(Array(text.utf8)) else { return nil }
        if let fault = json["error"]?["message"]?.string ?? json["declined"]?.string {
            return StyledText("  ✗ ", .failure) + StyledText(VisibleText.line(fault))
        }
        guard let workflow = json["result"]?["workflow"]?.string, let stored = json["result"]?["outcome"]?.string
        else { return nil }
        let outcome = WorkflowID(parsing: workflow).flatMap(now)?.rawValue ?? stored
        // A model that may not know the code hears words in its place.
        let exit = (json["result"]?["commands"]?[0]?["exit"]).map { VisibleText.line($0.string ?? $0.text) }
        let isDone = outcome == Outcome.succeeded.rawValue
        let sign =
            isDone ? exit.map(StateSign.exited) : nil
        return StyledText("  ") + (sign ?? StateSign(Outcome(rawValue: outcome) ?? .waiting, exit: nil)).mark
            + StyledText(" \(VisibleText.line(workflow)) \(sign?.word ?? VisibleText.line(outcome))", .dim)
    }

    private static func lines(_ record: MessageRecord, _ isWhole: Bool, _ columns: Int) -> [StyledText] {
        let message = record.message
        switch message.role {
        // The number of the turn is shown, since a fork names it.
        case .user:
            return marked(
                "\(record.turn) › ", .accent, VisibleText.lines(message.text).map { StyledText($0, .bold) }, columns)
        case .assistant:
            return thought(message.reasoning, isWhole, columns) + said(message, columns)
                + message.calls.flatMap { call($0, columns) }
        case .tool: return result(message, isWhole, columns)
        case .system: return marked("* ", .dim, VisibleText.lines(message.text).map { StyledText($0, .dim) }, columns)
        }
    }

    private static func said(_ message: ChatMessage, _ columns: Int) -> [StyledText] {
        guard !message.text.isEmpty else { return [] }
        let room = max(2, columns - 4)
        let rows = StreamingMarkdown.lines(message.text, width: room).flatMap { $0.rows(of: room) }
        let cut = message.isPartial ? [StyledText("  … cut off", .warning)] : []
        return rows.map { "  " + Gutter.mark + $0 } + cut
    }

    /// Returns the row with the length of a thought, or the whole thought if it is wanted.
    private static func thought(_ text: String, _ isWhole: Bool, _ columns: Int) -> [StyledText] {
        let words = text.split(whereSeparator: \.isWhitespace).count
        guard words > 0 else { return [] }
        let head = StyledText("  thought: \(Amounts.count(words, "word"))", .dim).truncated(to: columns)
        guard isWhole else { return [head] }
        let room = max(2, columns - 4)
        return [head]
            + VisibleText.lines(text).flatMap { StyledText($0, .dim).rows(of: room) }.map { "  " + Gutter.mark + $0 }
    }

    private static func call(_ call: ChatCall, _ columns: Int) -> [StyledText] {
        let text = StyledText("  ▸ ", .running) + StyledText(call.name, .bold) + " "
        let arguments = VisibleText.cut(call.arguments.text, to: max(8, 2 * columns - text.width - 8))
        return Layout.wrapped(text + StyledText(arguments, .dim), columns: columns, hanging: 4)
    }

    private static func result(_ message: ChatMessage, _ isWhole: Bool, _ columns: Int) -> [StyledText] {
        let all = VisibleText.lines(message.text) + message.pictures.map { VisibleText.line($0.words) }
        guard !isWhole else {
            return all.flatMap { StyledText($0, .dim).rows(of: max(2, columns - 4)) }.map { "  " + Gutter.mark + $0 }
        }
        let rows = VisibleText.cut(all, toRows: resultRows)
        return rows.map { ("  " + Gutter.mark + StyledText($0, .dim)).truncated(to: columns) }
    }

    private static func marked(_ mark: String, _ style: Style, _ rows: [StyledText], _ columns: Int) -> [StyledText] {
        rows.flatMap { $0.rows(of: max(2, columns - mark.count)) }.enumerated().map { index, row in
            StyledText(index == 0 ? mark : Layout.spaces(mark.count), style) + row
        }
    }
}

import JSON
package import Terminal
package import Vocabulary

/// A conversation as a file of Markdown. What was said stands in fences that are longer than any run of backticks in
/// it, so that no message can pass for a heading, or for another message.
package enum SessionExport {
    package static func markdown(_ session: SessionRecord, _ messages: [MessageRecord]) -> [StyledText] {
        let origin = "\(session.id) · \(escaped(session.workspace)) · \(Amounts.time(session.startedAt))"
        var lines = ["# \(escaped(session.title))", "", origin]
        var turn = 0
        for record in messages {
            if record.turn != turn { lines += ["", "## Turn \(record.turn)"] }
            turn = record.turn
            lines += self.lines(record.message)
        }
        return lines.map { StyledText($0) }
    }

    private static func lines(_ message: ChatMessage) -> [String] {
        var lines: [String] = []
        func add(_ title: String, _ text: String, _ form: String) {
            if !text.isEmpty { lines += ["", "**\(title)**", ""] + fenced(text, form) }
        }
        switch message.role {
        case .user: add("You", message.text, "text")
        case .assistant:
            add("Thought", message.reasoning, "text")
            add(message.isPartial ? "Assent (cut off)" : "Assent", message.text, "markdown")
            for call in message.calls { add("Call", "\(call.name) \(call.arguments.text)", "text") }
        case .tool: add("Result", message.text, "json")
        case .system: add("System", message.text, "text")
        }
        return lines
    }

    private static func fenced(_ text: String, _ form: String) -> [String] {
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return ["\(fence)\(form)"] + VisibleText.lines(text) + [fence]
    }

    /// In a line of ours: signs of Markdown are only signs.
    private static func escaped(_ text: String) -> String {
        VisibleText.line(text).reduce(into: "") { escaped, character in
            if "\\`*_{}[]<>()#|!&".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}

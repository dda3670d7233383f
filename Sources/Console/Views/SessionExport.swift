import Actions
import JSON
package import Terminal
package import Vocabulary

/// The export of a conversation as Markdown. Messages stand in fences that are longer than any run of backticks in
/// them, so that no message can look like a heading or like another message.
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
        case .tool:
            let pictures = message.pictures.map { "\n\($0.words)" }.joined()
            add("Result", message.text + pictures, "json")
        case .system: add("System", message.text, "text")
        }
        return lines
    }

    private static func fenced(_ text: String, _ form: String) -> [String] {
        let longest = text.split { $0 != "`" }.map(\.count).max() ?? 0
        let fence = String(repeating: "`", count: max(3, longest + 1))
        return ["\(fence)\(form)"] + VisibleText.lines(text) + [fence]
    }

    /// Returns a text for a line of ours, with the signs of Markdown escaped.
    private static func escaped(_ text: String) -> String {
        VisibleText.line(text).reduce(into: "") { escaped, character in
            if "\\`*_{}[]<>()#|!&".contains(character) { escaped.append("\\") }
            escaped.append(character)
        }
    }
}

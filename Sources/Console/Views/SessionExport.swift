import Actions
import Terminal
import Vocabulary

extension Limits {
    /// The columns of plans and results in an export.
    static let exportColumns = 100
}

/// The export of a conversation as Markdown. Texts stand in fences that are longer than any run of backticks in them,
/// so that no text can look like a heading or like another one.
struct SessionExport {
    /// Draws the plans and the results of workflows.
    let transcript: HistoryTranscript

    /// Returns the lines of the document.
    func markdown(_ session: SessionRecord, _ parts: [StoryPart]) -> [StyledText] {
        let origin = "\(session.id) · \(Self.escaped(session.workspace)) · \(Amounts.time(session.startedAt))"
        var lines = ["# \(Self.escaped(session.title))", "", origin]
        var turn = 0
        for part in parts {
            if part.turn != turn { lines += ["", "## Turn \(part.turn)"] }
            turn = part.turn
            let (title, text, form) = block(part)
            lines += ["", "**\(title)**", ""] + Self.fenced(text, form)
        }
        return lines.map { StyledText($0) }
    }

    private func block(_ part: StoryPart) -> (title: String, text: String, form: String) {
        switch part.kind {
        case .line(let text): ("You", text, "text")
        case .system(let text): ("System", text, "text")
        case .thought(let text): ("Thought", text, "text")
        case .words(let text, let isPartial): (isPartial ? "Assent (cut off)" : "Assent", text, "markdown")
        case .look(let words, let read): ("Look", transcript.isWhole ? "\(words)\n\(read)" : words, "text")
        case .refusal(let words): ("Refused", words, "text")
        case .work: ("Workflow", transcript.lines(part).map(\.plain).joined(separator: "\n"), "text")
        }
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

import Actions
import Conversations
import Terminal
import Vocabulary

/// The verbs about the window of the model: `/context` and `/compact`.
extension Chatting {
    func showContext() async {
        if let report = await session?.context() {
            screen.show(ContextView.lines(report, columns: screen.columns))
        } else {
            screen.show(StyledText(noContext, .dim))
        }
        screen.invite()
    }

    func compact() async {
        do throws(Failure) {
            if let report = try await session?.compact() {
                screen.show(StyledText("✓ Older results and turns are shortened for the model.", .success))
                screen.show(ContextView.lines(report, columns: screen.columns))
            } else {
                let words = session == nil ? noContext : "Nothing can be shortened that is worth it."
                screen.show(StyledText(words, .dim))
            }
        } catch {
            show(error)
        }
        screen.invite()
    }

    private var noContext: String {
        session == nil
            ? "There is no conversation with a model yet."
            : "The built-in planner has no window: it reads only your last lines."
    }
}

/// The parts that fill a window, each with a bar.
enum ContextView {
    private static let bar = 20

    static func lines(_ report: ContextReport, columns: Int) -> [StyledText] {
        let room = report.room
        let head =
            "\(Amounts.grouped(report.tokens)) of \(Amounts.grouped(room.tokens)) tokens, \(report.share) %"
            + " (window \(Amounts.grouped(room.window)), the rest is for the answer)"
            + (report.isCounted ? "" : ", estimated")
        var lines = Layout.wrapped(StyledText(head), columns: columns, indent: 2, hanging: 4)
        for part in report.parts {
            let filled = min(bar, part.tokens * bar / max(1, room.tokens))
            let text = StyledText(
                String(repeating: "█", count: filled) + String(repeating: "·", count: bar - filled), .dim)
            lines.append(
                (StyledText("  ") + text
                    + StyledText(DisplayWidth.pad(Amounts.grouped(part.tokens), to: 9, .trailing) + "  \(part.name)"))
                    .truncated(to: columns))
        }
        if report.stubs + report.lines > 0 {
            let words =
                "Shortened for the model: \(Amounts.count(report.stubs, "message")) to head and tail, "
                + "\(report.lines) turns and calls to a line each. The history keeps all."
            lines += Layout.wrapped(StyledText(words, .dim), columns: columns, indent: 2)
        }
        return lines
    }
}

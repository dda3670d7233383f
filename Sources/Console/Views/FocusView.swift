import Actions
import JSON
import Progress
import Terminal
import Vocabulary

/// The view of one await: its workflow, the card of its step, and the request of its editor (`semantics.md` 112).
enum FocusView {
    static let paramsLimit = 30

    static func lines(
        _ summary: WorkflowSummary, pending: [Command] = [], card: [StyledText], entry: InboxEntry?,
        asked: Asked?, now: Moment, columns: Int
    ) -> [StyledText] {
        let record = summary.record
        let left = "  " + StyledText("\(record.id)  ", .dim) + StyledText(record.title, .bold)
        let head = Layout.spread(
            left, StateSign(summary, asked: pending).text, columns: columns, measure: 100, hanging: 4)
        guard let entry else { return head + card }
        return head + card + InboxView.rows([entry], now, columns)
            + (asked.map { request($0, columns, showsPrompt: $0.prompt != entry.record.reason) } ?? [])
    }

    /// Returns the rows of the things to see or choose. They have numbers if they are chosen by number.
    static func request(_ asked: Asked, _ columns: Int, showsPrompt: Bool? = nil) -> [StyledText] {
        var lines: [StyledText] = []
        func add(_ text: StyledText) { lines += Layout.wrapped(text, columns: columns, indent: 7, hanging: 9) }
        if let prompt = asked.prompt, showsPrompt ?? (prompt != asked.record.title) {
            lines += InboxView.ofOthers(StyledText(prompt), columns)
        }
        switch asked.record.type {
        case .choose: lines += numbered(choices(of: asked), columns)
        case .selectAsset: lines += numbered(asked.request.inputs.map(candidate), columns)
        case .confirmParams: lines += values(asked.proposed, asked, columns)
        case .submitUnknown, .connect:
            for key in ["provider", "key", "since", "remedy"] {
                if let value = asked.record.question?[key]?.string {
                    add(StyledText("\(key)  ", .dim) + StyledText(value))
                }
            }
            let choices = asked.record.type == .connect ? "done" : asked.submissionWords()
            add(StyledText("choices  ", .dim) + StyledText(choices))
        case .drawMask, .capture, .text, .confirmCall:
            for input in asked.request.inputs { add(StyledText("\(input.port)  ", .dim) + candidate(input)) }
        }
        return lines
    }

    /// Returns the choices of a question, each with what it leads to, if that is known.
    private static func choices(of asked: Asked) -> [StyledText] {
        let meanings = asked.request.params[AwaitRequest.meanings]?.array ?? []
        return asked.choices.enumerated().map { index, choice in
            guard meanings.indices.contains(index), let meaning = meanings[index].string, !meaning.isEmpty else {
                return StyledText(choice)
            }
            return StyledText(choice) + StyledText(" – \(meaning)", .dim)
        }
    }

    /// Returns the values one in a line, such as `steps=30`. A changed value is marked.
    ///
    /// - Parameter span: the numbers of the values that are drawn, or nil for the first ones and the command that
    ///   prints the others.
    static func values(_ values: JSON.Object, _ asked: Asked, _ columns: Int, span: Range<Int>? = nil) -> [StyledText] {
        let all = values.members
        let shown = all.entries(span ?? 1..<min(paramsLimit, all.count) + 1).flatMap { member in
            let unit = asked.tool?.param(member.key)?.unit.map { " \($0)" } ?? ""
            let isChanged = asked.proposed[member.key] != member.value
            let text =
                StyledText("\(member.key)=", .dim)
                + StyledText(VisibleText.cut(Values.text(member.value), to: 200) + unit, isChanged ? .warning : [])
            return Layout.wrapped(text, columns: columns, indent: 7, hanging: 9)
        }
        let rest =
            span != nil
            ? nil
            : Remainder(
                min(paramsLimit, all.count) + 1..<all.count + 1, of: all.count, "more value",
                "inbox \(asked.record.number)")
        return shown + rest.lines(columns: columns, indent: 7)
    }

    private static func numbered(_ items: [StyledText], _ columns: Int) -> [StyledText] {
        items.enumerated().flatMap { index, item in
            Layout.wrapped(
                StyledText(DisplayWidth.pad("\(index + 1)", to: 3, .trailing) + "  ", .accent) + item, columns: columns,
                indent: 7,
                hanging: 12)
        }
    }

    static func candidate(_ input: AwaitRequest.Input) -> StyledText {
        var text = StyledText("\(input.name)  \(Amounts.size(input.bytes))")
        if let dimensions = ResultLine.dimensions(input.meta) { text.append("  \(dimensions)") }
        return text + StyledText("  \(input.type)", .dim)
    }
}

package import Terminal
package import Vocabulary

/// The question before a call (`consent.md`, The question). Expanded, it shows everything that is hashed, of the call and of the plan
/// that a yes may cover; in short, what is cut says so.
package enum QuestionView {
    /// Rows of one value in the short form.
    static let rowsLimit = 4
    /// Parameters, inputs, targets (each) and planned calls in the short form.
    static let detailsLimit = 10
    static let plannedLimit = 12
    static let measure = 100

    package static func lines(_ question: Question, columns: Int, isExpanded: Bool = false) -> [StyledText] {
        header(question, columns) + call(question, columns, isExpanded) + because(question, columns)
            + plan(question, columns, isExpanded) + keys(question, columns)
    }

    private static func header(_ question: Question, _ columns: Int) -> [StyledText] {
        var right = StyledText(question.subject)
        if question.call.reversibility == .no { right += StyledText(" · ", .dim) + StyledText("irreversible", .warning) }
        let left = " " + StyledText("?", [.question, .bold]) + " " + StyledText(question.title, .bold)
        let isOneRow = left.width + Layout.gap + right.width <= columns
        if isOneRow { return Layout.spread(left, right, columns: columns, measure: measure, hanging: 3) }
        return Detail.words(left, columns: columns, indent: 0) + Detail.words(right, columns: columns, indent: 3)
    }

    private static func call(_ question: Question, _ columns: Int, _ isExpanded: Bool) -> [StyledText] {
        guard !isExpanded else {
            return all(question.call, question.digest, columns)
        }
        let parts = CallDetails.brief(question.call)
        var lines = Detail.lines(of: parts.flatMap(\.details), columns: columns, rowsLimit: rowsLimit)[...]
        return parts.flatMap { part in
            defer { lines = lines.dropFirst(part.details.count) }
            return cut(Array(lines.prefix(part.details.count)), to: detailsLimit, part.noun, columns).flatMap(\.self)
        }
    }

    private static func all(_ call: Call, _ digest: ContentHash, _ columns: Int) -> [StyledText] {
        Detail.lines(of: CallDetails.all(call, digest: digest), columns: columns, rowsLimit: nil).flatMap(\.self)
    }

    private static func because(_ question: Question, _ columns: Int) -> [StyledText] {
        guard !question.because.isEmpty else { return [] }
        let text = StyledText("asks because: ", .dim) + StyledText(question.because.joined(separator: "; "))
        return Detail.words(text, columns: columns, indent: 3)
    }

    private static func plan(_ question: Question, _ columns: Int, _ isExpanded: Bool) -> [StyledText] {
        guard !question.plan.isEmpty else { return [] }
        let title = Layout.wrapped(
            StyledText("the whole plan: \(Amounts.count(question.plan.count, "more call"))", .dim), columns: columns, indent: 3)
        guard isExpanded else {
            return title + cut(question.plan.map { [planned($0, columns)] }, to: plannedLimit, "calls", columns).flatMap(\.self)
        }
        return title
            + question.plan.flatMap { planned in
                [StyledText("   step \(planned.step)", .bold).truncated(to: columns)]
                    + all(planned.call, planned.digest, columns)
            }
    }

    private static func planned(_ planned: Question.Planned, _ columns: Int) -> StyledText {
        let call = planned.call
        var text = StyledText("   \(planned.step)  ", .dim) + StyledText(call.tool)
        let params = Values.digest(call.params, of: nil)
        if !params.isEmpty { text += "  " + params }
        for target in call.targets { text += "  " + StyledText("\(target.effect.rawValue) \(CallDetails.place(target.place))", .accent) }
        guard text.width > columns else { return text }
        return StyledText(VisibleText.cut(text.plain, to: columns))
    }

    /// The first and the last of many, with a count between them.
    private static func cut(_ parts: [[StyledText]], to limit: Int, _ noun: String, _ columns: Int) -> [[StyledText]] {
        guard parts.count > limit else { return parts }
        let (head, tail) = (limit / 2, limit / 2 - 1)
        let marker = StyledText("   … \(parts.count - head - tail) more \(noun): d shows them …", .warning).truncated(to: columns)
        return parts.prefix(head) + [[marker]] + parts.suffix(tail)
    }

    private static func keys(_ question: Question, _ columns: Int) -> [StyledText] {
        func key(_ key: String, _ words: String) -> StyledText { StyledText("[\(key)]", [.question, .bold]) + StyledText(" \(words)") }
        if let word = question.wordToType {
            let pieces = [
                "type " + StyledText(word, .bold) + " to go on", StyledText("no", .bold) + " to refuse",
                StyledText("details", .bold) + " to see everything",
            ]
            return Layout.packed(pieces, columns: columns, indent: 3, gap: 2)
        }
        var keys = [key("y", "yes")]
        if !question.plan.isEmpty { keys.append(key("p", "yes to the whole plan")) }
        keys += [key("n", "no, and say why"), key("d", "all details")]
        return Layout.packed(keys, columns: columns, indent: 3, gap: 2)
    }
}

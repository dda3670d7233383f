import Actions
import JSON
package import Terminal
package import Vocabulary

/// The drawing of the question before a call. Expanded, it shows everything that is hashed of the call and of the plan
/// that a yes may cover. In its short form, it marks what is cut, and never cuts effects.
package struct QuestionView {
    /// The most rows of one value in the short form.
    static let rowsLimit = 4
    /// The most parameters, inputs and targets (each) in the short form, and the most planned calls.
    static let detailsLimit = 10
    static let plannedLimit = 12
    /// The most rows of all comparisons of texts together, in the short form and expanded.
    static let diffRowsLimit = (short: 40, whole: 4000)
    static let measure = 100

    package private(set) var lines: [StyledText] = []
    /// Whether something that is hashed is not on the screen. Then no answer is accepted that lets something happen.
    package private(set) var isCut = false

    private let question: Question
    private let texts: [Int: TextChange]
    private let printed: String?
    private let others: Int
    private let folder: String?
    private let undoUntil: Moment?
    private let columns: Int
    private let isExpanded: Bool
    private var diffRowsLeft: Int

    /// Draws a question.
    ///
    /// - Parameters:
    ///   - texts: the changes of text files, by the index of the target.
    ///   - printed: what a rehearsed command printed, without keys.
    ///   - others: the number of questions that wait behind this one.
    ///   - folder: the workspace that the person is in.
    ///   - undoUntil: the time until which the record of the changes is kept, or nil to leave it out.
    package init(
        _ question: Question, texts: [Int: TextChange] = [:], printed: String? = nil, others: Int = 0,
        folder: String? = nil,
        undoUntil: Moment? = nil,
        columns: Int,
        isExpanded: Bool = false
    ) {
        (self.question, self.texts, self.others, self.folder) = (question, texts, others, folder)
        (self.printed, self.undoUntil) = (printed, undoUntil)
        (self.columns, self.isExpanded) = (columns, isExpanded)
        diffRowsLeft = isExpanded ? Self.diffRowsLimit.whole : Self.diffRowsLimit.short
        header()
        call()
        because()
        plan()
        leftOut()
        // The expanded form shows everything.
        if isExpanded { isCut = false }
        keys()
    }

    private mutating func header() {
        var right = StyledText(question.subject)
        if others > 0 { right += StyledText(" · \(Amounts.count(others, "more question")) after it", .dim) }
        if question.call.reversibility == .no {
            right += StyledText(" · ", .dim) + StyledText("irreversible", .warning)
        }
        let left = " " + StyledText("?", [.question, .bold]) + " " + StyledText(question.title, .bold)
        let isOneRow = left.width + Layout.gap + right.width <= columns
        lines +=
            isOneRow
            ? Layout.spread(left, right, columns: columns, measure: Self.measure, hanging: 3)
            : Detail.words(left, columns: columns, indent: 0) + Detail.words(right, columns: columns, indent: 3)
    }

    private mutating func call() {
        guard !isExpanded else {
            lines += Self.all(question.call, question.digest, columns)
            for index in question.call.targets.indices { lines += diff(of: index) }
            return
        }
        let parts = CallDetails.brief(question.call, shownBelow: comparedParams, folder: folder, undoUntil: undoUntil)
        func drawn(_ rowsLimit: Int?) -> [Detail.Drawn] {
            Detail.lines(of: parts.flatMap(\.details), columns: columns, rowsLimit: rowsLimit)
        }
        var short = drawn(Self.rowsLimit)[...]
        // Everything that leaves this machine is shown in full, since no later question shows it.
        var whole = question.call.reachesOut ? drawn(nil)[...] : short
        for part in parts {
            let isWhole = part.noun == "targets" && question.call.reachesOut
            var details = Array((isWhole ? whole : short).prefix(part.details.count))
            (short, whole) = (short.dropFirst(part.details.count), whole.dropFirst(part.details.count))
            if part.noun == "targets" {
                for (row, index) in CallDetails.shownTargets(of: question.call).enumerated() {
                    details[row].rows += diff(of: index)
                }
            }
            lines += cut(details, to: isWhole ? .max : Self.detailsLimit, part.noun)
        }
        lines += PrintedRows(printed, of: question.call).rows(columns: columns)
    }

    private static func all(_ call: Call, _ digest: ContentHash, _ columns: Int) -> [StyledText] {
        Detail.lines(of: CallDetails.all(call, digest: digest), columns: columns, rowsLimit: nil).flatMap(\.rows)
    }

    private mutating func because() {
        guard !question.because.isEmpty else { return }
        let text = StyledText("asks because: ", .dim) + StyledText(question.because.joined(separator: "; "))
        lines += Detail.words(text, columns: columns, indent: 3)
    }

    // MARK: Texts

    /// The parameters that only repeat a text whose comparison is shown.
    private var comparedParams: Set<String> {
        if question.call.tool == "Edit", question.call.targets.indices.allSatisfy({ texts[$0] != nil }) {
            return ["edits"]
        }
        let afters = Set(texts.values.compactMap(\.after).map { Array($0.utf8) })
        return Set(
            question.call.params.members.filter { member in
                member.value.string.map { afters.contains(Array($0.utf8)) } ?? false
            }.map(
                \.key))
    }

    private mutating func diff(of index: Int) -> [StyledText] {
        guard let change = texts[index] else { return [] }
        let left = StyledText(Layout.spaces(min(Detail.indent, columns / 4)))
        func marker(_ words: String) -> StyledText {
            (left + StyledText("… \(words) …", .warning)).truncated(to: columns)
        }
        guard let diff = LineDiff(change, context: LineDiff.shownContext) else {
            isCut = true
            return [marker("too many lines to compare")]
        }
        let rows = diff.drawn(columns: columns)
        guard rows.count > diffRowsLeft else {
            diffRowsLeft -= rows.count
            return rows
        }
        isCut = true
        let (head, tail) = (diffRowsLeft / 2, diffRowsLeft - diffRowsLeft / 2)
        diffRowsLeft = 0
        let hidden = Amounts.count(rows.count - head - tail, "more row")
        return rows.prefix(head) + [marker(hidden)] + rows.suffix(tail)
    }

    // MARK: The plan

    private mutating func plan() {
        guard !question.plan.isEmpty else { return }
        lines += Layout.wrapped(
            StyledText("the whole plan: \(Amounts.count(question.plan.count, "more call"))", .dim), columns: columns,
            indent: 3)
        if isExpanded {
            for planned in question.plan {
                lines.append(StyledText("   step \(planned.step)", .bold).truncated(to: columns))
                lines += Self.all(planned.call, planned.digest, columns)
            }
        } else {
            lines += cut(question.plan.map(planned), to: Self.plannedLimit, "calls")
        }
    }

    /// Returns the row of a planned call. Its values are cut one by one, with the size of each missing part. Its
    /// effects are never cut.
    private func planned(_ planned: Question.Planned) -> Detail.Drawn {
        let call = planned.call
        var text = StyledText("\(planned.step)  ", .dim) + StyledText(call.tool)
        let params = Values.digest(call.params, of: nil)
        if !params.isEmpty { text += "  " + params }
        for input in call.inputs {
            text +=
                "  "
                + StyledText(
                    "\(input.port) ← \(input.from.map { "\($0)" } ?? input.name.map(NameWords.shownWithin) ?? "given")",
                    .dim)
        }
        for target in call.targets {
            let words = [CallDetails.place(target.place)] + CallDetails.facts(target, of: call)
            text += "  " + StyledText("\(target.effect.rawValue) \(words.joined(separator: " · "))", .accent)
        }
        return Detail.Drawn(
            rows: Detail.words(text, columns: columns, indent: 3),
            isCut: call.params.members.contains { !Values.isShownWhole($0.value) })
    }

    private mutating func leftOut() {
        guard !question.leftOut.isEmpty else { return }
        let title = "asked when their turn comes: \(Amounts.count(question.leftOut.count, "step"))"
        lines += Layout.wrapped(StyledText(title, .dim), columns: columns, indent: 3)
        let rows = question.leftOut.map { step in
            let text = StyledText("\(step.step)  ", .dim) + StyledText(step.tool) + StyledText("  \(step.reason)", .dim)
            return Detail.Drawn(rows: Detail.words(text, columns: columns, indent: 3))
        }
        // No yes covers these steps, so cutting them does not restrict the answers.
        let wasCut = isCut
        lines += isExpanded ? rows.flatMap(\.rows) : cut(rows, to: Self.plannedLimit, "steps")
        isCut = wasCut
    }

    /// Returns the rows of the first and the last parts, with a count between them. If any is cut, sets `isCut`.
    private mutating func cut(_ parts: [Detail.Drawn], to limit: Int, _ noun: String) -> [StyledText] {
        guard parts.count > limit else {
            isCut = isCut || parts.contains(where: \.isCut)
            return parts.flatMap(\.rows)
        }
        isCut = true
        let (head, tail) = (limit / 2, limit / 2 - 1)
        let marker = StyledText("   … \(parts.count - head - tail) more \(noun): d shows them …", .warning).truncated(
            to: columns)
        return parts.prefix(head).flatMap(\.rows) + [marker] + parts.suffix(tail).flatMap(\.rows)
    }

    // MARK: Answers

    /// Adds the answers that can be typed or pressed. An answer that lets something happen is offered only after
    /// everything was shown.
    private mutating func keys() {
        if let word = question.wordToType {
            let details = StyledText("details", .bold)
            let pieces =
                isCut
                ? ["not all of it is shown: type " + details + " first", StyledText("no", .bold) + " to refuse"]
                : [
                    "type " + StyledText(word, .bold) + " to go on", StyledText("no", .bold) + " to refuse",
                    details + " to see everything",
                ]
            lines += Layout.packed(pieces, columns: columns, indent: 3, gap: 2)
            return
        }
        let refusal = Layout.key("n", "no, and say why")
        guard !isCut else {
            let keys = [Layout.key("d", "all details first, then yes"), refusal, Layout.key("/", "look")]
            lines += Layout.packed(
                [StyledText("not all of it is shown:", .warning)] + keys, columns: columns, indent: 3, gap: 2)
            return
        }
        var keys = [Layout.key("y", "yes")]
        if !question.plan.isEmpty { keys.append(Layout.key("p", "yes to the whole plan")) }
        if isDivisible { keys.append(Layout.key("s", "a part of it")) }
        keys += [refusal, Layout.key("d", "all details"), Layout.key("/", "look")]
        lines += Layout.packed(keys, columns: columns, indent: 3, gap: 2)
    }

    /// The form of the answer, by the state in which the question is drawn.
    package var form: KeyQuestion.Form {
        if question.wordToType != nil {
            return .words((isCut ? [] : question.wordsThatAreYes) + ["no", "details", "/"])
        }
        guard !isCut else { return .keys(["n", "d", "/"]) }
        return .keys(["y"] + (question.plan.isEmpty ? [] : ["p"]) + (isDivisible ? ["s"] : []) + ["n", "d", "/"])
    }

    /// Whether the changes of a command can be accepted in part.
    private var isDivisible: Bool {
        guard case .done = question.call.rehearsal else { return false }
        return CallDetails.choices(of: question.call).count > 1
    }

    /// Returns the changes of a rehearsed command, with numbers.
    static func choices(_ call: Call, columns: Int) -> [StyledText] {
        let details = CallDetails.choices(of: call).enumerated().map { index, choice in
            let detail = choice.detail
            return Detail(label: "\(index + 1)  \(detail.label)", value: detail.value, style: detail.style)
        }
        return Detail.lines(of: details, columns: columns, rowsLimit: rowsLimit).flatMap(\.rows)
    }
}

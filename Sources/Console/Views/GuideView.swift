import Actions
import JSON
import Progress
import Terminal
import Vocabulary

/// The views of guides and of the steps of their runs.
enum GuideView {
    /// Draws the steps of a guide's run, with the number of finished ones.
    ///
    /// - Parameter asked: the stored commands that no engine has carried out. A step that they change is not finished.
    static func list(_ record: GuideRecord, asked: [Command] = [], columns: Int) -> [StyledText] {
        let places = Dictionary(grouping: record.entries.filter { $0.number != nil }) { $0.number ?? 0 }
        let pending = pending(asked)
        let done = places.values.count { entries in
            let counting = entries.filter { $0.state != .notAsked }
            guard !entries.contains(where: { pending[$0.record.id.index] != nil }) else { return false }
            return counting.allSatisfy { $0.state == .answered || $0.state == .skipped }
                && (!counting.isEmpty || entries.allSatisfy { $0.state == .notAsked })
        }
        let head =
            StyledText("  \(record.guide.title)", .bold) + StyledText("  \(done) of \(record.guide.numberCount)", .dim)
        return Layout.wrapped(head, columns: columns, hanging: 4) + rows(record, pending, columns)
    }

    /// Returns the signs of the steps that stored commands change, by step number.
    private static func pending(_ asked: [Command]) -> [Int: StateSign] {
        let signs = asked.compactMap { command -> (Int, StateSign)? in
            guard let step = command.verb.changedStep else { return nil }
            return switch command.verb {
            case .retry, .rerun: (step, .willRunAgain)
            case .answer, .complete: (step, .willGoOn)
            case .cancel, .poll, .pin, .revise: nil
            }
        }
        return Dictionary(signs) { _, newest in newest }
    }

    /// Draws all answers, before the package is made.
    static func review(_ record: GuideRecord, columns: Int) -> [StyledText] {
        let hint = "back NUMBER answers a step again; Enter ends the review."
        return list(record, columns: columns) + Layout.wrapped(StyledText(hint, .dim), columns: columns, indent: 2)
    }

    /// Draws the names of the steps that check their pictures by the measured limits. Returns no row if there are none.
    static func measuredLimits(of guide: Guide, columns: Int) -> [StyledText] {
        let steps = guide.allSteps.filter { step in
            guard case .capture = step.kind else { return false }
            return step.accept.picture == .measured
        }
        guard !steps.isEmpty else { return [] }
        let names = VisibleText.cut(steps.map(\.id).joined(separator: ", "), to: 100)
        let limits = GuideStep.Accept.Picture.measured.words
        let words = "\(names): pictures are checked by the measured limits (\(limits)); accept: {} checks nothing."
        return Layout.wrapped(StyledText(words, .dim), columns: columns, indent: 2)
    }

    private static func rows(_ record: GuideRecord, _ pending: [Int: StateSign], _ columns: Int) -> [StyledText] {
        // Of a step and its replacement, only the one that applies is shown.
        let counting = Set(record.entries.filter { $0.state != .notAsked }.compactMap(\.number))
        let shown = record.entries.filter { entry in
            entry.step.kind != .note && !(entry.state == .notAsked && entry.number.map(counting.contains) ?? false)
        }
        return shown.flatMap { entry in
            let number = DisplayWidth.pad(entry.number.map { "\($0)" } ?? "", to: 3, .trailing)
            var row = StyledText("  \(number)  ", .dim)
            if let sign = pending[entry.record.id.index] {
                row += sign.mark + StyledText(" \(entry.step.title)  ") + StyledText(sign.word, sign.style)
                return Layout.wrapped(row, columns: columns, hanging: 9)
            }
            row += sign(entry.state) + StyledText(" \(entry.step.title)")
            if let answer = answer(of: entry) { row += StyledText("  ") + answer }
            if let why = entry.taken { row += StyledText("  as it is: \(VisibleText.cut(why, to: 80))", .warning) }
            return Layout.wrapped(row, columns: columns, hanging: 9)
        }
    }

    private static func sign(_ state: GuideRecord.State) -> StyledText {
        switch state {
        case .open: StyledText("·", .dim)
        case .asked: StyledText("?", .question)
        case .answered: StyledText("✓", .success)
        case .skipped, .notAsked: StyledText("⊘", .dim)
        case .failed: StyledText("✗", .failure)
        }
    }

    /// Returns the answer of a step in a few words, or nil if there is none.
    static func answer(of entry: GuideRecord.Entry) -> StyledText? {
        switch entry.state {
        case .skipped:
            return StyledText(entry.skipWords.isEmpty ? "skipped" : VisibleText.cut(entry.skipWords, to: 60), .dim)
        case .notAsked: return StyledText("not asked", .dim)
        case .open, .asked, .failed: return nil
        case .answered: break
        }
        if let value = entry.value {
            let words = value.array?.compactMap(\.string).joined(separator: ", ") ?? value.string ?? Values.text(value)
            let unit = if case .number(let unit) = entry.step.kind, !unit.isEmpty { " \(unit)" } else { "" }
            return StyledText(VisibleText.cut(words, to: 60) + unit)
        }
        guard !entry.media.isEmpty else { return nil }
        let names = entry.media.map { VisibleText.cut($0.asset.name, to: 30) }
        return StyledText(NameList.words(names))
    }

    /// Draws the list of guides.
    static func guides(_ entries: [GuideEntry], columns: Int) -> [StyledText] {
        guard !entries.isEmpty else { return [StyledText("  There are no guides.", .dim)] }
        return entries.flatMap { entry in
            let words = entry.about.isEmpty ? Voice.worded(entry.title) : "\(entry.title). \(entry.about)"
            return Layout.wrapped(
                StyledText("  \(entry.name)  ", .accent) + StyledText(words), columns: columns, hanging: 6)
        }
    }

    /// Draws a guide before it is run: its steps in their order.
    static func steps(_ guide: Guide, columns: Int) -> [StyledText] {
        let numbers = guide.numbers
        let head = StyledText("  \(guide.title)", .bold) + StyledText("  \(guide.id), version \(guide.version)", .dim)
        let about = guide.about.isEmpty ? [] : Layout.wrapped(StyledText(guide.about), columns: columns, indent: 2)
        return Layout.wrapped(head, columns: columns, hanging: 4) + about
            + guide.askedSteps.flatMap { step in
                let number = DisplayWidth.pad(numbers[step.id].map { "\($0)" } ?? "", to: 3, .trailing)
                var row =
                    StyledText("  \(number)  ", .dim) + StyledText("\(step.title)  ")
                    + StyledText(kind(step.kind), .dim)
                if let condition = step.when { row += StyledText("  if \(condition)", .dim) }
                return Layout.wrapped(row, columns: columns, hanging: 7)
            }
    }

    private static func kind(_ kind: GuideStep.Kind) -> String {
        switch kind {
        case .capture(let capture):
            capture.wanted == 1...1
                ? "a picture"
                : "\(capture.wanted.lowerBound == capture.wanted.upperBound ? "" : "\(capture.wanted.lowerBound) to ")\(capture.wanted.upperBound) pictures"
        case .text: "a text"
        case .number(let unit): unit.isEmpty ? "a number" : "a number in \(unit)"
        case .date: "a day"
        case .choose(_, let isSeveral): isSeveral ? "several choices" : "a choice"
        case .code: "a code"
        case .note: "a note"
        case .group: "a group"
        }
    }
}

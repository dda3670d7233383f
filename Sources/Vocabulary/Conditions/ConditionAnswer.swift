package import JSON

/// An answer as a condition reads it. If a step was not asked, was skipped, failed, or was answered with nothing, its
/// answer is empty.
package enum ConditionAnswer: Hashable, Sendable {
    case empty
    case text(String)
    case number(ExactNumber)
    case date(CivilDate)
    /// The chosen words. A choice has one.
    case words([String])
    /// The number of pictures, videos or sounds.
    case media(Int)

    /// Whether the answer is empty.
    package var isEmpty: Bool {
        switch self {
        case .empty: true
        case .text(let text): text.isEmpty
        case .words(let words): words.isEmpty
        case .media(let count): count == 0
        case .number, .date: false
        }
    }
}

extension Condition {
    /// Returns whether the condition holds.
    ///
    /// An empty answer is equal to `''` and to nothing else. It is neither smaller nor greater than any value, and in
    /// no list. Its count is 0, and a pattern is tried on the empty text (`conditions.md`, "Empty answers").
    ///
    /// - Parameter answer: returns the answer of a name, or `.empty` if there is none.
    package func holds(_ answer: (String) -> ConditionAnswer) -> Bool {
        switch self {
        case .any(let parts): return parts.contains { $0.holds(answer) }
        case .all(let parts): return parts.allSatisfy { $0.holds(answer) }
        case .not(let part): return !part.holds(answer)
        case .exists(let name): return !answer(name.text).isEmpty
        case .selected(let name, let word):
            guard case .words(let words) = answer(name.text) else { return false }
            return words.contains(word)
        case .matches(let name, let pattern):
            guard case .text(let text) = answer(name.text) else { return pattern.fits("") }
            return pattern.fits(text)
        case .compare(let one, let comparison, let other):
            return Self.holds(Self.value(one, answer), comparison, Self.value(other, answer))
        case .isIn(let value, let isNegated, let list):
            let found = Self.value(value, answer)
            let isIn = !found.isEmpty && list.contains { Self.holds(found, .equal, Self.answer($0)) }
            return isIn != isNegated
        }
    }

    private static func value(_ value: Value, _ answer: (String) -> ConditionAnswer) -> ConditionAnswer {
        switch value {
        case .name(let name): answer(name.text)
        case .count(let name):
            switch answer(name.text) {
            case .words(let words): .number(ExactNumber(words.count))
            case .media(let count): .number(ExactNumber(count))
            case .empty, .text, .number, .date: .number(ExactNumber(0))
            }
        case .literal(let literal): self.answer(literal)
        }
    }

    private static func answer(_ literal: Literal) -> ConditionAnswer {
        switch literal {
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        case .date(let date): .date(date)
        }
    }

    private static func holds(_ one: ConditionAnswer, _ comparison: Comparison, _ other: ConditionAnswer) -> Bool {
        switch comparison {
        case .equal: isEqual(one, other)
        case .unequal: !isEqual(one, other)
        case .less: isLess(one, other)
        case .greater: isLess(other, one)
        case .lessOrEqual: isLess(one, other) || isOrdered(one, other) && isEqual(one, other)
        case .greaterOrEqual: isLess(other, one) || isOrdered(one, other) && isEqual(one, other)
        }
    }

    private static func isEqual(_ one: ConditionAnswer, _ other: ConditionAnswer) -> Bool {
        if one == .text("") || other == .text("") { return one.isEmpty && other.isEmpty }
        guard !one.isEmpty, !other.isEmpty else { return false }
        switch (one, other) {
        case (.words(let words), .text(let text)), (.text(let text), .words(let words)): return words == [text]
        default: return one == other
        }
    }

    private static func isLess(_ one: ConditionAnswer, _ other: ConditionAnswer) -> Bool {
        switch (one, other) {
        case (.number(let one), .number(let other)): one < other
        case (.date(let one), .date(let other)): one < other
        default: false
        }
    }

    private static func isOrdered(_ one: ConditionAnswer, _ other: ConditionAnswer) -> Bool {
        switch (one, other) {
        case (.number, .number), (.date, .date): true
        default: false
        }
    }
}

extension ConditionAnswer {
    /// Reads the answer of a step from its stored form. It is `.empty` if the stored form has another type.
    package init(_ json: JSON, as type: AnswerType) {
        let text = json.string
        self =
            switch type {
            case .text: text.map { .text($0) } ?? .empty
            case .number: text.flatMap { ExactNumber($0) }.map { .number($0) } ?? .empty
            case .date: text.flatMap { CivilDate($0) }.map { .date($0) } ?? .empty
            case .choice: text.map { .words([$0]) } ?? .empty
            case .choices: .words((json.array ?? []).compactMap(\.string))
            case .media: .empty
            }
    }
}

extension Limits {
    /// Steps of the search of one `matches`.
    fileprivate static let conditionPatternSteps = 20_000_000
}

/// A condition that has to hold for a step of a guide to be asked (`when`), or for an answer to be taken (`accept`).
///
/// The language is small and has no side effects: `hurt = 'somebody' and count(damage) > 0`. Its grammar and its rules
/// for empty values are in `docs/design/conditions.md`.
package indirect enum Condition: Hashable, Sendable {
    /// Holds if one of them does; there are at least two.
    case any([Condition])
    /// Holds if all of them do; there are at least two.
    case all([Condition])
    case not(Condition)
    /// The step has an answer that is not empty.
    case exists(ConditionName)
    /// A choice is, or several choices hold, this word.
    case selected(ConditionName, String)
    /// The whole text of an answer fits a pattern. An empty answer is tested as the empty text.
    case matches(ConditionName, ConditionPattern)
    case compare(Value, Comparison, Value)
    case isIn(Value, isNegated: Bool, [Literal])

    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case equal = "="
        case unequal = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Whether it asks which of two values comes first.
        var isOrder: Bool { self != .equal && self != .unequal }
    }

    /// A side of a comparison.
    package enum Value: Hashable, Sendable {
        /// The answer of a step.
        case name(ConditionName)
        /// How many words were chosen, or media given.
        case count(ConditionName)
        case literal(Literal)

        /// The step that it is about; `nil` for a literal.
        package var name: ConditionName? {
            switch self {
            case .name(let name), .count(let name): name
            case .literal: nil
            }
        }
    }

    /// A value that is written in the condition.
    package enum Literal: Hashable, Sendable {
        case text(String)
        case number(ExactNumber)
        case date(CivilDate)
    }

    /// The names that the condition reads, each once, in order.
    package var names: [String] {
        var names: [String] = []
        for name in allNames where !names.contains(name.text) { names.append(name.text) }
        return names
    }

    /// The names as they stand in the text, also those that come again.
    var allNames: [ConditionName] {
        switch self {
        case .any(let parts), .all(let parts): parts.flatMap(\.allNames)
        case .not(let part): part.allNames
        case .exists(let name), .selected(let name, _), .matches(let name, _): [name]
        case .compare(let one, _, let other): [one.name, other.name].compactMap(\.self)
        case .isIn(let value, _, _): [value.name].compactMap(\.self)
        }
    }
}

/// The name of a step, or of a part of one, with its place in the text: `corners.front-left`.
package struct ConditionName: Hashable, Sendable {
    package let text: String
    /// Counts scalars of the condition from 0.
    package let offset: Int

    /// Creates a name.
    package init(_ text: String, offset: Int = 0) { (self.text, self.offset) = (text, offset) }

    /// Compares two names, wherever they stand.
    package static func == (one: ConditionName, other: ConditionName) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A pattern that a whole text has to fit (`LinePattern`).
package struct ConditionPattern: Hashable, Sendable {
    /// The text as the author wrote it.
    package let text: String
    private let whole: LinePattern

    /// - Throws: what is wrong with the text, as the rest of a sentence that begins with "it".
    package init(_ text: String) throws(LinePatternFault) {
        self.text = text
        whole = try LinePattern(whole: text)
    }

    /// Whether the whole of a text fits. A text on which the search takes too long does not.
    package func fits(_ text: String) -> Bool {
        var steps = Limits.conditionPatternSteps
        if case .match = whole.first(in: Array(text.unicodeScalars), steps: &steps) { return true }
        return false
    }
}

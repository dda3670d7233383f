extension Limits {
    /// The most steps of the search of one `matches`. A longer search counts as no match.
    fileprivate static let conditionPatternSteps = 20_000_000
}

/// A condition for a step of a guide to be asked (`when`), or for an answer to be accepted (`accept`).
///
/// The language is small and has no side effects: `hurt = 'somebody' and count(damage) > 0`. Its grammar and its rules
/// for empty values are in `docs/design/conditions.md`.
package indirect enum Condition: Hashable, Sendable {
    /// Holds if at least one of the conditions holds. There are two or more.
    case any([Condition])
    /// Holds if all conditions hold. There are two or more.
    case all([Condition])
    case not(Condition)
    /// The step has an answer that is not empty.
    case exists(ConditionName)
    /// The answer of a choice is this word, or the answers of several choices contain it.
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

        /// Whether the comparison depends on the order of two values.
        var isOrder: Bool { self != .equal && self != .unequal }
    }

    /// A side of a comparison.
    package enum Value: Hashable, Sendable {
        /// The answer of a step.
        case name(ConditionName)
        /// The number of chosen words, or of media.
        case count(ConditionName)
        case literal(Literal)

        /// The name of the step that the value refers to, or `nil` for a literal.
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

    /// The names as they stand in the text, including repeated ones.
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

    /// Compares the texts of two names, regardless of their places.
    package static func == (one: ConditionName, other: ConditionName) -> Bool { one.text == other.text }

    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

/// A pattern that a whole text has to fit (`LinePattern`).
package struct ConditionPattern: Hashable, Sendable {
    /// The text as the author wrote it.
    package let text: String
    private let whole: LinePattern

    /// Reads a pattern.
    ///
    /// - Throws: the error in the text, as the rest of a sentence that begins with "it".
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

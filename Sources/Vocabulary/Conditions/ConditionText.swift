extension Condition: CustomStringConvertible {
    /// The condition as text. Read again, it is equal to this one.
    package var description: String {
        switch self {
        case .any(let parts): parts.map { $0.isJoined(.any) ? "(\($0))" : "\($0)" }.joined(separator: " or ")
        case .all(let parts): parts.map { $0.isJoined(.all) ? "(\($0))" : "\($0)" }.joined(separator: " and ")
        case .not(let part): part.isJoined(.all) ? "not (\(part))" : "not \(part)"
        case .exists(let name): "\(name.text) exists"
        case .selected(let name, let word): "selected(\(name.text), \(Self.quoted(word)))"
        case .matches(let name, let pattern): "\(name.text) matches \(Self.quoted(pattern.text))"
        case .compare(let one, let comparison, let other): "\(one) \(comparison.rawValue) \(other)"
        case .isIn(let value, let isNegated, let list):
            "\(value) \(isNegated ? "not " : "")in [\(list.map(\.description).joined(separator: ", "))]"
        }
    }

    private enum Joint { case any, all }

    /// Returns whether the condition needs brackets beside a joint, since its own joint would be read otherwise.
    private func isJoined(_ joint: Joint) -> Bool {
        switch self {
        case .any: true
        case .all: joint == .all
        case .not, .exists, .selected, .matches, .compare, .isIn: false
        }
    }

    fileprivate static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    /// Returns a condition that holds if both do. `nil` stands for a condition that always holds.
    package static func both(_ one: Condition?, _ other: Condition?) -> Condition? {
        guard let one, let other else { return one ?? other }
        return .all(
            [one, other].flatMap { condition -> [Condition] in
                if case .all(let parts) = condition { parts } else { [condition] }
            })
    }
}

extension Condition.Value: CustomStringConvertible {
    package var description: String {
        switch self {
        case .name(let name): name.text
        case .count(let name): "count(\(name.text))"
        case .literal(let literal): literal.description
        }
    }
}

extension Condition.Literal: CustomStringConvertible {
    package var description: String {
        switch self {
        case .text(let text): Condition.quoted(text)
        case .number(let number): number.description
        case .date(let date): date.description
        }
    }
}

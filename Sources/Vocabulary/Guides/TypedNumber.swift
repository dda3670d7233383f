package import JSON

extension Character {
    /// Whether the character is a digit of ASCII.
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}

/// A number as a person types it. Many languages write a comma for the decimal point, and a point before thousands.
package enum TypedNumber: Hashable, Sendable {
    /// The number in its stored form, such as `-1202.5`.
    case exact(String)
    /// A number with one sign before exactly three digits: `1.234` is a thousand times more to one reader than to
    /// another. Both readings are given as a person can type them: `1234` and `1.2340`.
    case ambiguous(large: String, small: String)
    case none

    /// Reads a number.
    ///
    /// - Parameters:
    ///   - text: the number, with or without its unit.
    ///   - groupedBy: the signs before three digits that can divide thousands for the reader. They are empty for a
    ///     number that a program wrote.
    package init(_ text: String, unit: String = "", groupedBy signs: Set<Character>) {
        let text = text.trimmedOfBlanks
        let bare = unit.isEmpty || !text.hasSuffix(unit) ? text : String(text.dropLast(unit.count)).trimmedOfBlanks
        let parts = bare.drop { $0 == "-" }.split(omittingEmptySubsequences: false) { signs.contains($0) }
        if parts.count == 2, (1...3).contains(parts[0].count), parts[0].first != "0", parts[1].count == 3,
            parts.allSatisfy({ $0.allSatisfy(\.isDigit) })
        {
            self = .ambiguous(large: bare.filter { !signs.contains($0) }, small: bare + "0")
            return
        }
        // With both signs the number is no number.
        let plain = bare.contains(".") ? bare : bare.replacing(",", with: ".")
        self = ExactNumber(plain) == nil ? .none : .exact(plain)
    }

    /// Returns a stored number in a form that a file of answers reads as the same number in every language.
    package static func unambiguous(_ plain: String) -> JSON {
        guard case .ambiguous(_, let small) = TypedNumber(plain, groupedBy: [".", ","]) else { return .string(plain) }
        if let number = Double(plain).map(JSON.double), number.text == plain { return number }
        return .string(small)
    }
}

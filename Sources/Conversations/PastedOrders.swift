import Vocabulary

extension Limits {
    /// The most lines of a paste that count as separate orders. A paste of more lines is one text.
    fileprivate static let pastedOrders = 20
}

/// The orders in a text of several lines that was pasted.
package enum PastedOrders {
    /// Returns the lines of a text if each of them is an order by itself. Returns nil if the text is one order, or has
    /// more lines than `Limits.pastedOrders`.
    ///
    /// A text is one order if a line is indented, quoted or an item of a list, if a quote or a bracket stays open at
    /// the end of a line, or if the end of a line requires another line.
    package static func orders(in text: String) -> [String]? {
        let lines = text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }
        guard (2...Limits.pastedOrders).contains(lines.count) else { return nil }
        // The first line may follow typed text, so its indentation means nothing.
        let isOne =
            lines.contains(where: goesOn) || lines.dropFirst().contains(where: continues)
            || lines.contains(where: isListed)
        return isOne ? nil : lines.map { String($0).trimmedOfBlanks }
    }

    /// Whether another line must follow.
    private static func goesOn(_ line: Substring) -> Bool {
        let text = String(line).trimmedOfBlanks
        guard let last = text.last else { return false }
        let opening = text.count { "([{".contains($0) }, closing = text.count { ")]}".contains($0) }
        return "\\,:;([{=&|".contains(last) || opening != closing || text.count { $0 == "\"" } % 2 == 1
            || text.contains("```")
    }

    /// Returns whether a line belongs to the line before it.
    private static func continues(_ line: Substring) -> Bool { line.first?.isWhitespace ?? false }

    private static func isListed(_ line: Substring) -> Bool {
        let text = String(line).trimmedOfBlanks
        return [">", "|", "- ", "* ", "• ", "#"].contains { text.hasPrefix($0) }
    }
}

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
        return isOne ? nil : lines.map { String($0).trimmed }
    }

    /// Whether another line must follow.
    private static func goesOn(_ line: Substring) -> Bool {
        let text = String(line).trimmed
        guard let last = text.last else { return false }
        let opening = text.count { "([{".contains($0) }, closing = text.count { ")]}".contains($0) }
        return "\\,:;([{=&|".contains(last) || opening != closing || text.count { $0 == "\"" } % 2 == 1
            || text.contains("```")
    }

    /// Whether a line belongs to the one before it.
    private static func continues(_ line: Substring) -> Bool { line.first?.isWhitespace ?? false }

    private static func isListed(_ line: Substring) -> Bool {
        let text = String(line).trimmed
        return [">", "|", "- ", "* ", "• ", "#"].contains { text.hasPrefix($0) }
    }
}

/// The orders of a paste that wait for the present one.
struct WaitingOrders: Hashable {
    private(set) var lines: [String] = []
    /// The number of orders that were started. `all` is the number of all.
    private(set) var begun = 0
    private(set) var all = 0
    /// Whether the orders are held, because the one before them asked something or failed.
    var isHeld = false

    mutating func add(_ orders: [String]) {
        if lines.isEmpty { (begun, all) = (0, 0) }
        lines += orders
        all += orders.count
    }

    /// Takes the next order off the queue. Returns nil if there is none, or if the orders are held.
    mutating func next() -> String? {
        guard !isHeld, !lines.isEmpty else { return nil }
        begun += 1
        return lines.removeFirst()
    }

    mutating func takeLines() -> [String] {
        defer { (lines, isHeld) = ([], false) }
        return lines
    }
}

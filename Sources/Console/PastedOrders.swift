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

    /// Returns whether a line belongs to the line before it.
    private static func continues(_ line: Substring) -> Bool { line.first?.isWhitespace ?? false }

    private static func isListed(_ line: Substring) -> Bool {
        let text = String(line).trimmed
        return [">", "|", "- ", "* ", "• ", "#"].contains { text.hasPrefix($0) }
    }
}

/// The orders of a paste that wait for the current order.
struct WaitingOrders: Hashable {
    private(set) var lines: [String] = []
    /// The number of orders that were started. `all` is the number of all.
    private(set) var begun = 0
    private(set) var all = 0
    private var state = State.none

    private enum State {
        /// No order waits or is being done.
        case none
        /// An order is being done, or the next one begins.
        case underWay
        /// The orders are stopped, because the order before them failed or asked a question.
        case held
        /// The orders were stopped, and continue once the user's line is done.
        case resuming
    }

    /// Adds the orders of a paste.
    ///
    /// - Returns: whether the caller must begin to do the orders, since none is under way.
    mutating func add(_ orders: [String]) -> Bool {
        if lines.isEmpty { (begun, all) = (0, 0) }
        lines += orders
        all += orders.count
        switch state {
        case .underWay, .resuming: return false
        case .none, .held:
            state = .underWay
            return true
        }
    }

    /// Removes the next order and returns it. The result is `nil` if there is none, or if the orders are stopped.
    mutating func next() -> String? {
        guard state == .underWay else { return nil }
        guard !lines.isEmpty else {
            state = .none
            return nil
        }
        begun += 1
        return lines.removeFirst()
    }

    /// Stops the orders before the next one.
    mutating func hold() { state = .held }

    /// Resumes orders that stand still, after a line of the user. `goOn` must follow when that line is done.
    ///
    /// - Returns: whether there are such orders.
    mutating func resume() -> Bool {
        guard state == .held else { return false }
        state = .resuming
        return true
    }

    /// Continues resumed orders after the user's line, or stops them again.
    ///
    /// - Parameter isAsked: whether the user's line was answered with a question.
    mutating func goOn(isAsked: Bool) {
        guard state == .resuming else { return }
        state = isAsked ? .held : .underWay
    }

    /// Removes the waiting orders and returns them.
    mutating func takeLines() -> [String] {
        defer {
            lines = []
            switch state {
            case .none, .underWay: break
            case .held: state = .none
            // The task that does the orders waits for the line, and then finds none.
            case .resuming: state = .underWay
            }
        }
        return lines
    }
}

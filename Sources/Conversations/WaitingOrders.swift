/// The orders of a paste that wait for the current order.
package struct WaitingOrders: Hashable {
    package private(set) var lines: [String] = []
    /// The number of orders that were started. `all` is the number of all.
    package private(set) var begun = 0
    package private(set) var all = 0
    private var state = State.none

    /// Creates the value without orders.
    package init() {}

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
    package mutating func add(_ orders: [String]) -> Bool {
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
    package mutating func next() -> String? {
        guard state == .underWay else { return nil }
        guard !lines.isEmpty else {
            state = .none
            return nil
        }
        begun += 1
        return lines.removeFirst()
    }

    /// Stops the orders before the next one.
    package mutating func hold() { state = .held }

    /// Resumes orders that stand still, after a line of the user. `goOn` must follow when that line is done.
    ///
    /// - Returns: whether there are such orders.
    package mutating func resume() -> Bool {
        guard state == .held else { return false }
        state = .resuming
        return true
    }

    /// Continues resumed orders after the user's line, or stops them again.
    ///
    /// - Parameter isAsked: whether the user's line was answered with a question.
    package mutating func goOn(isAsked: Bool) {
        guard state == .resuming else { return }
        state = isAsked ? .held : .underWay
    }

    /// Removes the waiting orders and returns them.
    package mutating func takeLines() -> [String] {
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

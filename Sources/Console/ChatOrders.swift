import Actions
import Conversations
import Terminal
import Vocabulary

/// Several orders that were pasted at once: they are done one after the other, and never answer anything.
extension Chatting {
    func begin(_ orders: [String]) {
        // No order of a paste may ask for a key, so nothing is held back.
        screen.endHold()
        let begins = waiting.add(orders)
        screen.show(StyledText("\(orders.count) orders, one after the other. Ctrl-C drops those that are left.", .dim))
        if begins { carryOutOrders() }
        refreshPrompt()
    }

    /// Runs the waiting orders, each once the order before it has ended.
    ///
    /// - Parameter afterLine: whether a line of the user is run first.
    func carryOutOrders(afterLine: Bool = false) {
        Task { [feed, session] in
            if afterLine {
                await Self.settled(feed)
                waiting.goOn(isAsked: asks)
            } else if await session?.isBusy == true {
                // The first one stands above its answer, too.
                await Self.settled(feed)
            }
            while let order = nextOrder() {
                let before = statuses.count
                feed.yield(.order(order))
                await Self.settled(feed)
                holdOrders(ifNotDone: statuses.dropFirst(before))
            }
        }
    }

    private func nextOrder() -> String? {
        defer { refreshPrompt() }
        return waiting.next()
    }

    /// Runs an order of a paste. A verb that permits or answers something is refused, since the user must type it.
    func take(order line: String) async {
        screen.show(
            StyledText("\(waiting.begun) of \(waiting.all) ", .dim) + StyledText("› ", .accent) + StyledText(line))
        said.value = ""
        guard !Self.mustBeTyped(line) else {
            show(
                Failure(
                    .notFromPaste, "This was not done, since it came with a paste: it permits or answers something.",
                    remedy: "Type it."))
            return screen.invite()
        }
        await take(line: line)
    }

    private static func mustBeTyped(_ line: String) -> Bool {
        guard line.hasPrefix("/"), let name = Words.split(String(line.dropFirst())).first,
            let verb = Root.verb(named: name)
        else {
            return false
        }
        guard [.inbox, .setup].contains(verb.description.group) else { return verb.description.asksForKey }
        return Root.verb(calledBy: String(line.dropFirst()))?.role != .looks
    }

    /// Whether the last words of a model or the planner are a question.
    private var asks: Bool { said.value.trimmed.hasSuffix("?") }

    /// Stops the orders if the last one failed or asked a question, since the next order is no answer.
    private func holdOrders(ifNotDone statuses: ArraySlice<ExitStatus>) {
        let asks = self.asks
        guard !waiting.lines.isEmpty, asks || statuses.contains(where: { $0 != .succeeded }) else { return }
        waiting.hold()
        let why = asks ? "the one before asks something" : "the one before was not done"
        let words =
            "\(Amounts.count(waiting.lines.count, "order")) of the paste left: \(why). The rest goes on after your next line."
        screen.show(Layout.wrapped(StyledText(words + " Ctrl-C drops it.", .warning), columns: screen.columns))
    }

    /// Returns whether a line of the user resumes the orders. A line that only looks does not.
    func goesOnWithOrders(_ line: String) -> Bool {
        guard line.hasPrefix("/") else { return !line.trimmed.isEmpty }
        return Root.verb(calledBy: String(line.dropFirst())).map { $0.role != .looks } ?? false
    }

    /// Drops the orders that wait, and says how many.
    ///
    /// - Returns: whether there were any.
    func dropOrders() -> Bool {
        let lines = waiting.takeLines()
        guard !lines.isEmpty else { return false }
        show(
            lines,
            below: "\(Amounts.count(lines.count, "order")) of the paste \(lines.count == 1 ? "was" : "were") dropped:")
        refreshPrompt()
        return true
    }
}

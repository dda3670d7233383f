import Actions
import JSON
package import Terminal
package import Vocabulary

/// The usage of models: replies, tokens in and out, and money.
package enum TokenView {
    package static func lines(_ totals: [UsageTotal], columns: Int) -> [StyledText] {
        guard !totals.isEmpty else {
            return Layout.wrapped(StyledText("No model has told yet what it took.", .dim), columns: columns, indent: 2)
        }
        // A number is never cut. The name is cut, or the numbers stand below it.
        let cells = Layout.table(totals.map(figures), columns: Limits.lineBytes, indent: 0)
        let rows = zip(totals, cells).map { [StyledText($0.name, .bold), $1] }
        return Layout.ledger(rows, columns: columns, below: 4, gap: Layout.gap).flatMap(\.self)
    }

    private static func figures(_ total: UsageTotal) -> [StyledText] {
        let usage = total.usage
        return [
            StyledText(total.replies == 1 ? "1 reply" : "\(total.replies) replies"),
            StyledText("\(Amounts.grouped(usage.promptTokens)) in") + note(usage.cachedTokens, "cached"),
            StyledText("\(Amounts.grouped(usage.completionTokens)) out") + note(usage.reasoningTokens, "thought"),
            money(total),
        ]
    }

    /// Returns the usage of one row in one line.
    static func sum(_ total: UsageTotal) -> StyledText { Layout.dotted(figures(total)) }

    private static func note(_ tokens: Int, _ words: String) -> StyledText {
        tokens == 0 ? StyledText() : StyledText(" (\(Amounts.grouped(tokens)) \(words))", .dim)
    }

    private static func money(_ total: UsageTotal) -> StyledText {
        guard let cost = total.usage.cost else { return StyledText("price not known", .dim) }
        let more = total.unpricedReplies == 0 ? "" : " and \(Amounts.count(total.unpricedReplies, "price")) not known"
        return StyledText(dollars(cost)) + StyledText(more, .dim)
    }

    /// Returns a price, given in millionths of a dollar, such as `$0.0123` or `$12.34`. A price below a hundredth of a
    /// cent is `< $0.0001`.
    static func dollars(_ millionths: Int) -> String {
        if (1..<100).contains(millionths) { return "< $0.0001" }
        let (whole, rest) = max(0, millionths).quotientAndRemainder(dividingBy: 1_000_000)
        let places = millionths < 1_000_000 ? 4 : 2
        let digits = String(rest + 1_000_000).dropFirst().prefix(places)
        return "$\(Amounts.grouped(whole)).\(digits)"
    }
}

extension UsageTotal {
    func json(by grouping: UsageGrouping) -> JSON {
        var object = JSON.Object()
        object[grouping.rawValue] = .string(name)
        object["replies"] = .int(replies)
        for member in usage.json.object?.members ?? [] { object[member.key] = member.value }
        object["unpriced"] = .int(unpricedReplies)
        return .object(object)
    }
}

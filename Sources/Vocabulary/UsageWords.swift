/// The usage of replies in words.
extension Reply.Usage {
    package static func + (one: Reply.Usage, other: Reply.Usage) -> Reply.Usage {
        Reply.Usage(
            promptTokens: one.promptTokens + other.promptTokens,
            completionTokens: one.completionTokens + other.completionTokens,
            cachedTokens: one.cachedTokens + other.cachedTokens,
            reasoningTokens: one.reasoningTokens + other.reasoningTokens,
            cost: one.cost.flatMap { cost in other.cost.map { cost + $0 } })
    }

    /// The usage in short, such as `1.2k in (0.9k cached) · 180 out · 0.3 ¢`.
    package var inShort: String {
        let cached = cachedTokens > 0 ? " (\(Self.short(cachedTokens)) cached)" : ""
        let price = cost.map { " · \(Self.price($0))" } ?? ""
        return "\(Self.short(promptTokens)) in\(cached) · \(Self.short(completionTokens)) out\(price)"
    }

    /// Returns a number of tokens, such as `180`, `1.2k` or `3.4M`.
    package static func short(_ tokens: Int) -> String {
        switch tokens {
        case ..<1_000: "\(tokens)"
        case ..<1_000_000: "\(tenths(tokens, of: 1_000))k"
        default: "\(tenths(tokens, of: 1_000_000))M"
        }
    }

    /// Returns a price, given in millionths of a dollar. Below a dollar it is in cents.
    package static func price(_ cost: Int) -> String {
        cost < 1_000_000 ? "\(tenths(cost, of: 10_000)) ¢" : "\(tenths(cost, of: 1_000_000)) $"
    }

    private static func tenths(_ number: Int, of unit: Int) -> String {
        let tenths = (number * 10 + unit / 2) / unit
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

package import JSON

/// An amount of money in millionths of a dollar, so that sums are exact. Never negative.
package struct Dollars: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let millionths: Int

    package init(millionths: Int) { self.millionths = max(0, millionths) }

    /// Reads an amount such as `0.04`. Returns `nil` if it is negative, has more than six places, or exceeds
    /// `Limits.mostPriceDollars`.
    package init?(_ json: JSON) {
        guard let value = json.number, (0...Double(Limits.mostPriceDollars)).contains(value) else { return nil }
        let millionths = Int((value * 1_000_000).rounded())
        // Both are whole numbers, so the quotient is the number nearest to the decimal. A value that differs from it
        // has more places.
        guard Double(millionths) / 1_000_000 == value else { return nil }
        self.millionths = millionths
    }

    /// `0.04 $`
    package var description: String {
        var places = String(String(1_000_000 + millionths % 1_000_000).dropFirst())
        while places.last == "0" { places.removeLast() }
        return "\(millionths / 1_000_000)\(places.isEmpty ? "" : ".\(places)") $"
    }

    package static func < (one: Dollars, other: Dollars) -> Bool { one.millionths < other.millionths }
    package static func + (one: Dollars, other: Dollars) -> Dollars {
        Dollars(millionths: one.millionths + other.millionths)
    }
}

/// The money that the calls of a workflow have been allowed to spend so far.
package struct Spending: Hashable, Sendable {
    /// The prices of all attempts that were started, also of those that failed, since it is not known here whether they
    /// are billed.
    package var spent: Dollars
    /// Whether a person has said yes to a call of the workflow whose price is not known.
    package var hasYesToUnknownPrice: Bool

    package init(spent: Dollars = Dollars(millionths: 0), hasYesToUnknownPrice: Bool = false) {
        self.spent = spent
        self.hasYesToUnknownPrice = hasYesToUnknownPrice
    }

    /// Counts a call that is let go.
    package mutating func count(_ call: Call, isSaidByPerson: Bool) {
        guard call.effects.contains(.spends) else { return }
        if let price = call.price { spent = spent + price } else if isSaidByPerson { hasYesToUnknownPrice = true }
    }
}

/// The effect of a new value of a setting on what Assent asks.
package enum SettingEffect: Hashable, Sendable {
    /// Assent asks as much as before, or more.
    case asksNoLess
    /// Later sessions begin with this mode. It may ask less than the present one.
    case mode(ConfirmationMode)
    /// A workflow may spend more than before until it asks.
    case moreSpending(from: Dollars, to: Dollars)
}

extension Limits {
    /// The most characters of a number that is compared exactly.
    fileprivate static let numberDigits = 40
}

/// A decimal number as a person writes it, compared exactly: `0.1`, `-12`, `3.50` (the same as `3.5`).
package struct ExactNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    private let isNegative: Bool
    /// The digits before the point, without zeros in front. They are empty for a number below one.
    private let whole: [UInt8]
    /// The digits behind the point, without zeros at the end.
    private let fraction: [UInt8]

    /// Reads `["-"]digits["."digits]`. Returns `nil` for any other text, and for more than `Limits.numberDigits`
    /// digits.
    package init?(_ text: some StringProtocol) {
        var bytes = Array(text.utf8)[...]
        let isMinus = bytes.first == UInt8(ascii: "-")
        if isMinus { bytes.removeFirst() }
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        guard bytes.count <= Limits.numberDigits, let first = parts.first,
            parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } })
        else { return nil }
        let zero = UInt8(ascii: "0")
        whole = Array(first.drop { $0 == zero })
        fraction = parts.count > 1 ? Array(parts[1].reversed().drop { $0 == zero }.reversed()) : []
        isNegative = isMinus && !(whole.isEmpty && fraction.isEmpty)
    }

    /// Creates a whole number.
    package init(_ number: Int) {
        whole = number == 0 ? [] : Array(String(number.magnitude).utf8)
        fraction = []
        isNegative = number < 0
    }

    package static func < (one: ExactNumber, other: ExactNumber) -> Bool {
        if one.isNegative != other.isNegative { return one.isNegative }
        return one.isNegative ? other.isSmaller(than: one) : one.isSmaller(than: other)
    }

    /// Compares without the signs.
    private func isSmaller(than other: ExactNumber) -> Bool {
        if whole.count != other.whole.count { return whole.count < other.whole.count }
        if whole != other.whole { return whole.lexicographicallyPrecedes(other.whole) }
        return fraction.lexicographicallyPrecedes(other.fraction)
    }

    package var description: String {
        let digits = (whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self))
        return (isNegative ? "-" : "") + digits
            + (fraction.isEmpty ? "" : "." + String(decoding: fraction, as: UTF8.self))
    }
}

/// A day of the calendar: `2026-11-25` (ISO 8601, the Gregorian calendar also before its time).
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let year: Int
    package let month: Int
    package let day: Int

    /// Reads `YYYY-MM-DD`. Returns `nil` for another form, and for a day that does not exist.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            bytes[range].reduce(0 as Int?) { sum, byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    ? sum.map { $0 * 10 + Int(byte - UInt8(ascii: "0")) } : nil
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), (1...12).contains(month),
            day >= 1,
            day <= Self.days(of: month, in: year)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    private static func days(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    package static func < (one: CivilDate, other: CivilDate) -> Bool {
        (one.year, one.month, one.day) < (other.year, other.month, other.day)
    }

    package var description: String {
        func padded(_ number: Int, to count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
    }
}

/// A point in time, in milliseconds since 1970-01-01 00:00 UTC. Modules receive it as a parameter. Only the outermost
/// module reads a clock.
package struct Moment: Hashable, Comparable, Sendable, CustomStringConvertible {
    package var milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (one: Moment, other: Moment) -> Bool { one.milliseconds < other.milliseconds }

    package static func + (moment: Moment, seconds: Double) -> Moment {
        Moment(milliseconds: moment.milliseconds + Int64((seconds * 1000).rounded()))
    }

    /// Returns the next moment whose milliseconds are a multiple of `grid`, or the moment itself if the grid is a
    /// millisecond or finer.
    package func roundedUp(toMilliseconds grid: Int64) -> Moment {
        guard grid > 1 else { return self }
        let over = (milliseconds % grid + grid) % grid
        return over == 0 ? self : Moment(milliseconds: milliseconds + grid - over)
    }

    /// Returns the seconds from `other` to `self`.
    package func seconds(since other: Moment) -> Double { Double(milliseconds - other.milliseconds) / 1000 }

    /// RFC 3339 with milliseconds, in UTC: `2026-11-21T10:54:58.123Z`.
    package var description: String {
        let days = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let rest = Int(milliseconds) - days * 86_400_000
        let (year, month, day) = Self.civil(days: days)
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T"
            + "\(padded(rest / 3_600_000, 2)):\(padded(rest / 60_000 % 60, 2)):\(padded(rest / 1000 % 60, 2)).\(padded(rest % 1000, 3))Z"
    }

    /// Returns the date of the Gregorian calendar for a number of days since 1970, by the well-known algorithm over
    /// eras of 400 years.
    private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }
}

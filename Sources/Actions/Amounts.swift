import Glibc
package import Vocabulary

/// Sizes, durations and ages as people read them.
package enum Amounts {
    /// Returns a size such as `58 KB`, in units of 1000 as in file managers.
    package static func size(_ bytes: Int) -> String { FileSize.words(bytes) }

    /// Returns a duration, such as `0.1 s`, `12 s`, `2 m 05 s`, `3 h 12 m` or `4 d 01 h`.
    package static func duration(_ seconds: Double) -> String {
        let seconds = seconds.isFinite ? min(max(0, seconds), 1e12) : 0
        if seconds < 9.95 { return decimal(max(1, Int((seconds * 10).rounded()))) + " s" }
        let whole = Int(seconds.rounded())
        switch whole {
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) m \(twoDigits(whole % 60)) s"
        case ..<86_400: return "\(whole / 3600) h \(twoDigits(whole / 60 % 60)) m"
        default: return "\(whole / 86_400) d \(twoDigits(whole / 3600 % 24)) h"
        }
    }

    /// Returns an exact time, such as `2026-11-20 14:05:09 UTC`.
    package static func time(_ moment: Moment) -> String {
        moment.description.prefix(19).replacing("T", with: " ") + " UTC"
    }

    /// Returns the age of a moment, such as `just now`, `2 m ago`, `3 h ago` or `5 d ago`, and its date after a month.
    /// A future moment is `in 2 m`.
    package static func age(of moment: Moment, now: Moment) -> String {
        let seconds = now.seconds(since: moment)
        if seconds <= -5, -seconds < 2_678_400 { return "in \(ahead(-seconds))" }
        guard let amount = coarse(abs(seconds)) else { return String(moment.description.prefix(10)) }
        if amount.isEmpty { return "just now" }
        return seconds < 0 ? "in \(amount)" : "\(amount) ago"
    }

    /// Returns the rest of a wait, rounded up, such as `30 m`. A second unit follows if it is more than a tenth, as in
    /// `1 m 30 s`.
    private static func ahead(_ seconds: Double) -> String {
        let whole = Int(seconds.rounded(.up))
        let units = [(86_400, "d"), (3600, "h"), (60, "m"), (1, "s")]
        let place = units.firstIndex { whole >= $0.0 } ?? units.count - 1
        let (first, rest) = whole.quotientAndRemainder(dividingBy: units[place].0)
        let major = "\(first) \(units[place].1)"
        guard place + 1 < units.count, rest * 10 > whole, rest >= units[place + 1].0 else { return major }
        return major + " \(rest / units[place + 1].0) \(units[place + 1].1)"
    }

    /// Returns a duration in one unit. It is empty for a few seconds, and nil beyond a month.
    private static func coarse(_ seconds: Double) -> String? {
        let whole = Int(min(seconds, 1e12))
        switch whole {
        case ..<5: return ""
        case ..<60: return "\(whole) s"
        case ..<3600: return "\(whole / 60) m"
        case ..<86_400: return "\(whole / 3600) h"
        case ..<2_678_400: return "\(whole / 86_400) d"
        default: return nil
        }
    }

    /// Returns the day of a moment in the user's time zone, such as `12 January`.
    package static func day(_ moment: Moment) -> String {
        var (seconds, parts) = (time_t(moment.milliseconds / 1000), tm())
        localtime_r(&seconds, &parts)
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December",
        ]
        return "\(parts.tm_mday) \(months[max(0, min(11, Int(parts.tm_mon)))])"
    }

    /// Returns the date of a moment in the user's time zone, such as `2026-11-23`. The usage of models is added up by
    /// such dates.
    package static func date(_ moment: Moment) -> String {
        var (seconds, parts) = (time_t(moment.milliseconds / 1000), tm())
        localtime_r(&seconds, &parts)
        return "\(Int(parts.tm_year) + 1900)-\(twoDigits(Int(parts.tm_mon) + 1))-\(twoDigits(Int(parts.tm_mday)))"
    }

    /// Writes a number with commas: `1,202`.
    package static func grouped(_ number: Int) -> String { number.grouped }

    /// Returns a count with its noun, such as `1 step` or `3 steps`.
    package static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)" + (number == 1 ? "" : "s")
    }

    private static func decimal(_ tenths: Int) -> String { "\(tenths / 10).\(tenths % 10)" }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

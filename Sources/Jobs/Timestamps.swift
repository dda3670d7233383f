import JSON
import Vocabulary

extension Moment {
    /// Reads a time in RFC 3339 (`2026-11-21T07:58:59.123Z`, or without a zone, which means UTC), or in seconds or
    /// milliseconds since 1970.
    init?(of json: JSON) {
        if let number = json.number {
            guard number.isFinite, number >= 0, number < 1e14 else { return nil }
            self.init(milliseconds: Int64(number >= 1e11 ? number : number * 1000))
            return
        }
        guard let text = json.string, let moment = Moment(rfc3339: text) else { return nil }
        self = moment
    }

    init?(rfc3339 text: String) {
        let bytes = Array(text.utf8)
        guard (19...40).contains(bytes.count) else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard (0x30...0x39).contains(byte) else { return nil }
                value = value * 10 + Int(byte - 0x30)
            }
            return value
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month),
            (1...31).contains(day), hour < 24,
            minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var fraction = 0.0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            fraction = Double("0.\(String(decoding: digits, as: UTF8.self))") ?? 0
            rest = rest.dropFirst(digits.count + 1)
        }
        var offset = 0
        if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
            let start = rest.startIndex
            guard rest.count == 6, let hours = number(start + 1..<start + 3),
                let minutes = number(start + 4..<start + 6)
            else {
                return nil
            }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60 : 60)
        } else if !rest.isEmpty, rest.count > 1 || rest.first != UInt8(ascii: "Z") {
            return nil
        }
        let seconds =
            Self.days(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second - offset
        self.init(milliseconds: Int64(seconds) * 1000 + Int64((fraction * 1000).rounded()))
    }

    /// Returns the days from 1970 to a date of the Gregorian calendar (the inverse of the algorithm in `description`).
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

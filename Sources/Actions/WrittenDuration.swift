import Vocabulary

/// How long something takes, as people write it: `90s`, `30m`, `2h`, `1d`, `1h30m`.
package enum WrittenDuration {
    /// Reads a duration such as `2h` or `1h 30m`.
    ///
    /// - Returns: the seconds, or nil if it is not a duration or too long.
    package static func seconds(_ text: String) -> Double? {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        var (total, digits) = (0.0, "")
        for character in text.lowercased() where character != " " {
            if character.isASCII, character.isNumber || character == "." {
                digits.append(character)
            } else {
                guard let unit = units[character], let number = Double(digits) else { return nil }
                total += unit * number
                digits = ""
            }
        }
        return digits.isEmpty && total > 0 && total <= Limits.longestWaitSeconds ? total : nil
    }
}

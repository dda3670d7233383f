/// The conversion of foreign texts to HTML, in which they look the same and cannot affect the page.
enum HTMLText {
    /// Returns a text for the content of an element, or for an attribute in double quotes. Invisible characters, and
    /// those that change the direction of writing, are made visible. Line breaks stay.
    ///
    /// - Parameter limit: the most characters of the text. A note replaces the rest.
    static func escaped(_ text: String, limit: Int = .max) -> String {
        var out = ""
        out.reserveCapacity(text.utf8.count + 16)
        var left = limit
        for scalar in text.unicodeScalars {
            guard left > 0 else { return out + "… (the whole text is in answers.json)" }
            left -= 1
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            case "\n", "\t": out.unicodeScalars.append(scalar)
            // The first half of a line break of Windows.
            case "\r": continue
            default:
                if let sign = sign(for: scalar) { out += sign } else { out.unicodeScalars.append(scalar) }
            }
        }
        return out
    }

    /// Returns a visible sign for an invisible character, or `nil` for other characters.
    private static func sign(for scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0x00..<0x20: return Unicode.Scalar(0x2400 + scalar.value).map { String($0) }
        case 0x7F: return "\u{2421}"
        // Joiners belong to scripts and to emoji of people.
        case 0x200C, 0x200D: return nil
        case 0x80..<0xA0, 0xAD, 0x61C, 0x180E, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
            0xFFF9...0xFFFB, 0xFFFE, 0xFFFF,
            0xE0000...0xE001F:
            let hex = String(scalar.value, radix: 16, uppercase: true)
            return "⟨U+\(String(repeating: "0", count: max(0, 4 - hex.count)))\(hex)⟩"
        default: return nil
        }
    }
}

import Vocabulary

/// Signs that make a text of YAML mean something else than an editor shows.
enum YAMLSigns {
    /// Refuses a sign that ends a line for YAML but not for an editor, since text after it would seem to be part of a
    /// comment. Control characters, which YAML does not allow, are refused too.
    ///
    /// - Throws: `badYAML` with the line of the first such sign.
    static func check(_ text: String, file: String) throws(Problem) {
        var line = 1
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            if isAfterReturn, scalar != "\n" { throw problem("\r", "\(file):\(line)") }
            isAfterReturn = scalar == "\r"
            if scalar == "\n" { line += 1 }
            if endsLine(scalar) || isControl(scalar) { throw problem(scalar, "\(file):\(line)") }
        }
        if isAfterReturn { throw problem("\r", "\(file):\(line)") }
    }

    private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A, 0x0D, 0x85: false
        case ..<0x20, 0x7F...0x9F, 0xFFFE, 0xFFFF: true
        default: false
        }
    }

    private static func problem(_ scalar: Unicode.Scalar, _ place: String) -> Problem {
        let hex = String(scalar.value, radix: 16, uppercase: true)
        let sign = "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
        if scalar == "\r" {
            return Problem(
                .badYAML, at: place,
                "A carriage return (\(sign)) without a line feed ends a line here. End lines with a line feed.")
        }
        return endsLine(scalar)
            ? Problem(.badYAML, at: place, "The sign \(sign) ends a line here, which editors do not show. Remove it.")
            : Problem(
                .badYAML, at: place, "The control character \(sign) is here, which YAML does not allow. Remove it.")
    }
}

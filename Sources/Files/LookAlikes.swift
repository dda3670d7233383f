/// The form of a name in which names that look alike are equal.
///
/// Signs of other scripts count as the Latin letters that they look like, signs that are not seen are left out, and so
/// are dots and spaces at the end. Only signs that are not ASCII are replaced, so two names in ASCII look alike only by
/// case or by what stands at their end. The list has the letters of Cyrillic, Greek and Armenian that most fonts draw
/// like Latin ones, wide and mathematical letters, and the dashes, dots and spaces. It is a part of Unicode's
/// confusables (UTS 39).
enum LookAlikes {
    static func skeleton(of name: String) -> String {
        var text = ""
        for scalar in name.lowercased().unicodeScalars {
            if scalar.isASCII {
                text.unicodeScalars.append(scalar)
            } else if let ascii = plain(scalar) {
                text += ascii
            } else if !isUnseen(scalar) {
                text.unicodeScalars.append(scalar)
            }
        }
        while let last = text.last, last == "." || last == " " { text.removeLast() }
        return text
    }

    /// Returns what a sign that is not ASCII looks like, or `nil` if it looks like itself.
    private static func plain(_ scalar: Unicode.Scalar) -> String? {
        if let known = letters[scalar] { return known }
        switch scalar.value {
        // Wide forms.
        case 0xFF01...0xFF5E: return Unicode.Scalar(scalar.value - 0xFEE0).map { String($0).lowercased() }
        // Mathematical letters and digits.
        case 0x1D400...0x1D6A3: return letter((scalar.value - 0x1D400) % 52 % 26)
        case 0x1D7CE...0x1D7FF: return String((scalar.value - 0x1D7CE) % 10)
        case 0x24D0...0x24E9: return letter(scalar.value - 0x24D0)
        default: return scalar.properties.generalCategory == .spaceSeparator ? " " : nil
        }
    }

    private static func letter(_ number: UInt32) -> String? { Unicode.Scalar(0x61 + number).map { String($0) } }

    /// Whether a sign is not seen: of no width, or a mark that chooses a form.
    private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return properties.isDefaultIgnorableCodePoint || [.format, .control].contains(properties.generalCategory)
    }

    /// Small letters and signs with what they look like.
    private static let letters: [Unicode.Scalar: String] = {
        let groups: [(String, String)] = [
            ("a", "\u{430}\u{3B1}\u{251}"), ("b", "\u{184}\u{44C}"), ("c", "\u{441}\u{3F2}\u{1D04}"),
            ("d", "\u{501}"), ("e", "\u{435}\u{4BD}\u{212E}"), ("f", "\u{17F}\u{584}"), ("g", "\u{261}\u{581}"),
            ("h", "\u{4BB}\u{570}"), ("i", "\u{456}\u{3B9}\u{131}\u{269}\u{4CF}"), ("j", "\u{458}\u{3F3}"),
            ("k", "\u{43A}\u{3BA}"), ("l", "\u{4C0}\u{5C0}\u{5D5}\u{5DF}\u{2223}"), ("m", "\u{43C}"),
            ("n", "\u{578}\u{57C}"), ("o", "\u{43E}\u{3BF}\u{585}\u{5E1}\u{6F5}\u{3C3}"),
            ("p", "\u{440}\u{3C1}"), ("q", "\u{51B}\u{563}"), ("r", "\u{433}\u{1D26}"), ("s", "\u{455}\u{1BD}"),
            ("t", "\u{442}\u{3C4}"), ("u", "\u{3C5}\u{57D}\u{28B}"), ("v", "\u{3BD}\u{475}"), ("w", "\u{51D}\u{461}"),
            ("x", "\u{445}\u{3C7}"), ("y", "\u{443}\u{3B3}\u{4AF}"), ("z", "\u{290}"),
            ("-", "\u{2010}\u{2011}\u{2012}\u{2013}\u{2212}"),
            (".", "\u{2024}\u{FF0E}\u{3002}"), ("_", "\u{FF3F}"), ("'", "\u{2019}\u{2018}\u{2B9}\u{2BC}"),
            ("/", "\u{2044}\u{2215}"),
            ("ss", "\u{DF}"), ("fi", "\u{FB01}"), ("fl", "\u{FB02}"), ("...", "\u{2026}"),
        ]
        var table: [Unicode.Scalar: String] = [:]
        for (plain, alike) in groups { for scalar in alike.unicodeScalars { table[scalar] = plain } }
        return table
    }()
}

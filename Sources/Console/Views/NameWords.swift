import Terminal
import Vocabulary

/// Names of others as they stand between words of ours: paths, files, servers. One that could be taken for more than a name is in quotes, so
/// that `data.bin · 0 bytes` is no file `data.bin` of which a question says how large it is.
enum NameWords {
    /// In front of facts that are parted by ` · `.
    static func shown(_ name: String) -> String { isPlain(name) ? VisibleText.unforged(name) : quoted(name) }

    /// In the middle of a sentence of ours, where a space would be enough to go on with it.
    static func shownWithin(_ name: String) -> String {
        isPlain(name) && !name.utf8.contains(UInt8(ascii: " ")) ? VisibleText.unforged(name) : quoted(name)
    }

    /// In quotes, with those in it escaped.
    static func quoted(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in VisibleText.unforged(text).unicodeScalars {
            if scalar == "\"" || scalar == "\\" { out.append("\\") }
            out.append(scalar)
        }
        return "\"" + String(out) + "\""
    }

    /// Letters, digits and the signs of ASCII but quotes, with single spaces between them. A letter alone between spaces is one of
    /// ASCII: there are others that look like a dot.
    private static func isPlain(_ name: String) -> Bool {
        let words = name.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        // A space at either end of a name is seen in quotes only.
        let isAtAnEnd = words.dropLast().contains { $0.last == "/" } || words.dropFirst().contains { $0.first == "/" }
        guard !isAtAnEnd else { return false }
        return words.allSatisfy { word in
            guard let first = word.first, word.count > 1 || first.isASCII || words.count == 1 else { return false }
            return word.allSatisfy(isPlain)
        }
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar != "\"" && scalar.value > 0x20 && scalar.value < 0x7F }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark,
            .decimalNumber, .letterNumber, .otherNumber:
            true
        default: false
        }
    }
}

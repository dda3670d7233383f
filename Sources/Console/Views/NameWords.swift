import Terminal
import Vocabulary

/// Names from outside between words of ours: of paths, files and servers. A name that could be read as more than a name
/// is in quotes. Thus a file called `data.bin · 0 bytes` does not look like `data.bin` with its size.
enum NameWords {
    /// Returns a name for a place before facts that are separated by ` · `.
    static func shown(_ name: String) -> String { isPlain(name) ? VisibleText.unforged(name) : quoted(name) }

    /// Returns a name for the middle of a sentence of ours. There, a name with a space is in quotes, too.
    static func shownWithin(_ name: String) -> String {
        isPlain(name) && !name.utf8.contains(UInt8(ascii: " ")) ? VisibleText.unforged(name) : quoted(name)
    }

    /// Returns a text in quotes, with the quotes in it escaped.
    static func quoted(_ text: String) -> String {
        var out = String.UnicodeScalarView()
        for scalar in VisibleText.unforged(text).unicodeScalars {
            if scalar == "\"" || scalar == "\\" { out.append("\\") }
            out.append(scalar)
        }
        return "\"" + String(out) + "\""
    }

    /// Returns whether a name needs no quotes. It has letters, digits and signs of ASCII without quotes, with single
    /// spaces between words. Other letters are of blocks without look-alikes of signs, and none stands alone between
    /// spaces.
    private static func isPlain(_ name: String) -> Bool {
        let words = name.unicodeScalars.split(separator: " ", omittingEmptySubsequences: false)
        // A space at an end of a name is visible only in quotes.
        let isAtAnEnd = words.dropLast().contains { $0.last == "/" } || words.dropFirst().contains { $0.first == "/" }
        guard !isAtAnEnd else { return false }
        return words.allSatisfy { word in
            guard let first = word.first, word.count > 1 || first.isASCII || words.count == 1 else { return false }
            return isPlain(word)
        }
    }

    private static func isPlain(_ word: Substring.UnicodeScalarView) -> Bool {
        var isAfterLetter = false
        for scalar in word {
            guard isPlain(scalar) else { return false }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark, .modifierLetter:
                // The mark joins the letter before it. Behind a space or a sign it would look like a dot or a stroke.
                guard isAfterLetter else { return false }
            default: isAfterLetter = scalar.properties.isAlphabetic
            }
        }
        return true
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar != "\"" && scalar.value > 0x20 && scalar.value < 0x7F }
        guard letterBlocks.contains(where: { $0.contains(scalar) }), !likeSigns.contains(scalar) else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .nonspacingMark: true
        case .modifierLetter: scalar == "\u{30FC}" || scalar == "\u{3005}"
        default: false
        }
    }

    /// The blocks of letters without look-alikes of signs: Latin, Greek and Cyrillic with their marks, kana, ideographs
    /// and Hangul. Other blocks have letters that look like a dot, a colon or a quotation mark, or are invisible.
    private static let letterBlocks: [ClosedRange<Unicode.Scalar>] = [
        "\u{C0}"..."\u{24F}", "\u{300}"..."\u{36F}", "\u{370}"..."\u{52F}", "\u{1E00}"..."\u{1FFF}",
        "\u{3005}"..."\u{3005}",
        "\u{3041}"..."\u{30FF}", "\u{3400}"..."\u{4DBF}", "\u{4E00}"..."\u{9FFF}", "\u{AC00}"..."\u{D7A3}",
        "\u{20000}"..."\u{323AF}",
    ]
    /// The scalars of these blocks that look like signs: clicks, Greek signs, strokes, and marks that do not join the
    /// letter before.
    private static let likeSigns: Set<Unicode.Scalar> = [
        "\u{1C0}", "\u{1C1}", "\u{1C2}", "\u{1C3}", "\u{1BB}", "\u{374}", "\u{37A}", "\u{1FBE}", "\u{4E36}", "\u{4E3F}",
        "\u{4E28}",
        "\u{30FB}", "\u{315}", "\u{34F}", "\u{358}", "\u{483}", "\u{488}", "\u{489}",
    ]
}

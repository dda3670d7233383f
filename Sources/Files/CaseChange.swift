import Vocabulary

/// A way to write the letters of a text.
package enum CaseChange: String {
    case upper, lower, title, sentence

    /// Returns the text in this way. `title` begins each word with a capital, `sentence` each sentence and each
    /// paragraph, and both write all other letters small.
    package func applied(to text: String) -> String {
        switch self {
        case .upper: text.uppercased()
        case .lower: text.lowercased()
        case .title: Self.capitalized(text) { $0.isWhitespace }
        case .sentence: Self.sentences(text)
        }
    }

    /// Writes a capital at the start and after each sign for which `isBreak` holds. Quotation marks and brackets may
    /// stand before the capital.
    private static func capitalized(_ text: String, after isBreak: (Character) -> Bool) -> String {
        var result = ""
        var isAtStart = true
        for sign in text {
            let begins = isAtStart && (sign.isLetter || sign.isNumber)
            result += begins ? sign.uppercased() : sign.lowercased()
            isAtStart = isBreak(sign) || isAtStart && !begins
        }
        return result
    }

    /// Returns the text with a capital at the start of each sentence and paragraph. A sentence ends with `.`, `!`, `?`
    /// or `…` and a space, a paragraph with an empty line. Quotation marks and brackets may stand before the space.
    private static func sentences(_ text: String) -> String {
        var (hasEnded, isLineEmpty) = (false, false)
        return capitalized(text) { sign in
            defer { isLineEmpty = sign.isNewline || isLineEmpty && sign.isWhitespace }
            switch sign {
            case ".", "!", "?", "…": hasEnded = true
            case _ where sign.isWhitespace:
                defer { hasEnded = false }
                return hasEnded || sign.isNewline && isLineEmpty
            case "\"", "'", "”", "’", "»", ")", "]": break
            default: hasEnded = false
            }
            return false
        }
    }
}

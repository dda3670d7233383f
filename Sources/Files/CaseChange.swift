import Vocabulary

/// A way to write the letters of a text.
package enum CaseChange: String {
    case upper, lower, title, sentence

    /// Returns the text in this way. `title` begins each word with a capital, `sentence` each sentence and each
    /// paragraph, and both write all other letters small.
    package func applied(to text: String) -> String {
        switch self {
        case .upper: text.uppercased()
        case .lower: text.inSmallLetters
        case .title: Self.capitalized(text.withFinalSigma) { $0.isWhitespace }
        case .sentence: Self.sentences(text.withFinalSigma)
        }
    }

    /// Writes a capital at the start and after each sign for which `isBreak` holds. Quotation marks and brackets may
    /// stand before the capital.
    private static func capitalized(_ text: String, after isBreak: (Character) -> Bool) -> String {
        var result = ""
        var isAtStart = true
        for sign in text {
            let begins = isAtStart && (sign.isLetter || sign.isNumber)
            result += begins ? titled(sign) : sign.lowercased()
            isAtStart = isBreak(sign) || isAtStart && !begins
        }
        return result
    }

    /// Returns a letter as it stands at the start of a word: `ß` becomes `Ss`, and `ǆ` becomes `ǅ`.
    private static func titled(_ sign: Character) -> String {
        let scalars = sign.unicodeScalars
        guard let first = scalars.first else { return "" }
        return first.properties.titlecaseMapping + String(String.UnicodeScalarView(scalars.dropFirst()))
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

/// Upper and lower case as Unicode defines them, for all tools that change or ignore it.
extension String {
    /// The text in small letters. A sigma at the end of a word is `ς`, which `lowercased` does not know.
    package var inSmallLetters: String { withFinalSigma.lowercased() }

    /// The text without a difference between capitals and small letters, for comparisons only: `ß` is `ss`, and both
    /// forms of the small sigma are one.
    package var withoutCase: String { lowercased().uppercased().lowercased() }

    /// The text with `ς` for each capital sigma at the end of a word (Unicode, 3.13, Final_Sigma): a letter stands
    /// before it, and none behind it. Signs such as an apostrophe or an accent do not end a word.
    fileprivate var withFinalSigma: String {
        guard unicodeScalars.contains("Σ") else { return self }
        let scalars = Array(unicodeScalars)
        func isCased(_ places: some Sequence<Int>) -> Bool {
            for place in places where !scalars[place].properties.isCaseIgnorable {
                return scalars[place].properties.isCased
            }
            return false
        }
        var text = String.UnicodeScalarView()
        for (place, scalar) in scalars.enumerated() {
            let isFinal =
                scalar == "Σ" && isCased((0..<place).reversed()) && !isCased((place + 1)..<scalars.count)
            text.append(isFinal ? "ς" : scalar)
        }
        return String(text)
    }
}

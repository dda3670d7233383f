import Vocabulary

extension Limits {
    /// The characters on either side of a match that was found without the index of words.
    fileprivate static let snippetCharacters = 40
}

/// The words that a user typed, in the forms that the index and a plain search need. Their characters are searched
/// literally, never read as syntax.
struct SearchWords {
    /// The query for FTS5: all words, the last of them as a prefix. It is nil if no word has a letter or digit that the
    /// index knows.
    let expression: String?
    /// The words of the expression as they were typed.
    let beginnings: [String]
    /// The parts that are searched letter by letter: signs, and words in scripts without spaces.
    let parts: [String]

    var isEmpty: Bool { expression == nil && parts.isEmpty }

    init(_ typed: String) {
        let words = typed.replacing("\0", with: " ").split(whereSeparator: \.isWhitespace).map(String.init)
        var quoted: [String] = []
        var beginnings: [String] = []
        var parts: [String] = []
        for (number, word) in words.enumerated() {
            guard Self.hasToken(word), !Self.isUnspaced(word) else {
                parts.append(word)
                continue
            }
            beginnings.append(word)
            quoted.append("\"\(word.replacing("\"", with: "\"\""))\"" + (number == words.count - 1 ? "*" : ""))
        }
        expression = quoted.isEmpty ? nil : quoted.joined(separator: " ")
        (self.beginnings, self.parts) = (beginnings, parts)
    }

    private static func hasToken(_ word: String) -> Bool {
        word.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// Returns whether a word is of a script in which the index treats a whole sentence as one word.
    private static func isUnspaced(_ word: String) -> Bool {
        word.unicodeScalars.contains { scalar in unspaced.contains { $0.contains(scalar.value) } }
    }

    /// The scripts without spaces: Thai to Tibetan, Burmese, Khmer, and Chinese and Japanese signs.
    private static let unspaced: [ClosedRange<UInt32>] = [
        0x0E00...0x0FFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007, 0x3040...0x30FF,
        0x3400...0x4DBF,
        0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9D, 0x20000...0x3FFFF,
    ]

    // MARK: Snippets

    /// The marks that SQLite puts around a match.
    static let (opening, closing) = ("\u{2}", "\u{3}")

    /// Splits a result of SQLite's `snippet` into pieces.
    static func pieces(_ marked: String) -> [SearchHit.Piece] {
        marked.split(separator: opening, omittingEmptySubsequences: false).enumerated().flatMap { number, part in
            guard number > 0 else { return [SearchHit.Piece(line(part))] }
            let halves = part.split(separator: closing, maxSplits: 1, omittingEmptySubsequences: false)
            return [SearchHit.Piece(line(halves[0]), isMatch: true)]
                + halves.dropFirst().map { SearchHit.Piece(line($0)) }
        }.filter { !$0.text.isEmpty }
    }

    /// Returns the text around the first part that occurs in `text`, in pieces, or nil if no part occurs.
    func pieces(of text: String) -> [SearchHit.Piece]? {
        let letters = Array(text)
        let folded = letters.map { $0.lowercased() }
        for part in parts {
            let wanted = part.map { $0.lowercased() }
            guard let start = folded.firstRange(of: wanted)?.lowerBound else { continue }
            let end = start + wanted.count
            let (from, to) = (
                max(0, start - Limits.snippetCharacters), min(letters.count, end + Limits.snippetCharacters)
            )
            return [
                SearchHit.Piece(Self.line((from > 0 ? "…" : "") + String(letters[from..<start]))),
                SearchHit.Piece(String(letters[start..<end]), isMatch: true),
                SearchHit.Piece(Self.line(String(letters[end..<to]) + (to < letters.count ? "…" : ""))),
            ].filter { !$0.text.isEmpty }
        }
        return nil
    }

    private static func line(_ text: some StringProtocol) -> String { String(text.map { $0.isNewline ? " " : $0 }) }
}

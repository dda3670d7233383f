/// The words of a line up to the cursor, for completion. The last word may be unfinished, also within quotes.
package struct TypedWords: Hashable {
    /// The finished words, without their quotes.
    package var finished: [String] = []
    /// The word at the cursor as it was typed. It is empty behind a space.
    package var raw = ""
    /// The word at the cursor without its quotes.
    package var word = ""
    /// The quote that is still open.
    package var openQuote: Character?

    /// Reads a line up to the cursor.
    package init(_ line: String) {
        for character in line {
            switch (openQuote, character) {
            case (nil, "\""), (nil, "'"):
                openQuote = character
                raw.append(character)
            case (let open?, _) where open == character:
                openQuote = nil
                raw.append(character)
            case (nil, _) where character.isWhitespace:
                if !raw.isEmpty { finished.append(word) }
                (raw, word) = ("", "")
            default:
                raw.append(character)
                word.append(character)
            }
        }
    }

    /// Whether the word at the cursor begins with `~/` that means the home folder.
    package var isOfHome: Bool { raw.hasPrefix("~/") }
}

/// The name of a file in the form in which it is typed as one word of a line.
package struct TypedName {
    let name: String

    /// Creates the typed form of a name.
    package init(name: String) { self.name = name }

    /// Returns the name, in quotes if it needs them, or nil if it cannot be typed as one word.
    ///
    /// - Parameter isClosed: whether the name ends here. The name of a folder continues.
    package func typed(quote: Character?, isClosed: Bool) -> String? {
        guard quote != nil || name.contains(where: { $0.isWhitespace || $0 == "\"" || $0 == "'" }) else { return name }
        let preferred: [Character] = quote.map { [$0] } ?? ["\"", "'"]
        guard let quote = preferred.first(where: { !name.contains($0) }) else { return nil }
        return String(quote) + name + (isClosed ? String(quote) : "")
    }
}

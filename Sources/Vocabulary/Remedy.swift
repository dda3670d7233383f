/// The next step after a failure: words, and calls of the program's verbs. A front end words the calls, since a user of
/// the chat types `/show w3` where a user of a shell types `assent show w3`.
///
/// In a text, a call stands in single quotes, with the name of the program: `See 'assent show w3'.`
package struct Remedy: Hashable, Sendable {
    package enum Part: Hashable, Sendable {
        case words(String)
        /// A verb with its arguments, such as `show w3`.
        case call(String)
    }

    package let parts: [Part]

    /// The mark before a call, and the mark behind it.
    private static let (begin, end): (String, Character) = ("'assent ", "'")

    /// Reads the calls in a text. Quotes without the name of the program are words.
    package init(_ text: String) {
        var (parts, rest): ([Part], Substring) = ([], text[...])
        while let mark = rest.firstRange(of: Self.begin), let close = rest[mark.upperBound...].firstIndex(of: Self.end)
        {
            if mark.lowerBound > rest.startIndex { parts.append(.words(String(rest[..<mark.lowerBound]))) }
            parts.append(.call(String(rest[mark.upperBound..<close])))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.words(String(rest))) }
        self.parts = parts
    }

    /// Returns the text with each call as `wording` gives it. A call that `wording` does not know stays in quotes.
    package func text(_ wording: (String) -> String?) -> String {
        parts.map { part in
            switch part {
            case .words(let words): words
            case .call(let call): wording(call) ?? Self.begin + call + String(Self.end)
            }
        }.joined()
    }
}

/// A conversation in which words were found, at its newest message that has them.
package struct SearchHit: Hashable, Sendable {
    /// A piece of the text around the match.
    package struct Piece: Hashable, Sendable {
        package var text: String
        package var isMatch: Bool

        package init(_ text: String, isMatch: Bool = false) {
            self.text = text
            self.isMatch = isMatch
        }
    }

    package var session: SessionRecord
    /// The turn of the message, or `nil` if only the title contains the words.
    package var turn: Int?
    package var at: Moment
    /// The pieces in the order of the text.
    package var snippet: [Piece]

    package init(session: SessionRecord, turn: Int?, at: Moment, snippet: [Piece]) {
        self.session = session
        self.turn = turn
        self.at = at
        self.snippet = snippet
    }
}

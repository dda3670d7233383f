import Vocabulary

/// The tokens of a sentence, with typing errors corrected and numbers in words joined: "two hundred pixels".
struct SentenceTokens {
    private(set) var tokens: [Token]
    private let grammar: Grammar

    init(_ tokens: [Token], _ grammar: Grammar) {
        self.tokens = tokens
        self.grammar = grammar
        for place in tokens.indices where tokens[place].isWord {
            if let meant = grammar.meant(by: tokens[place].word) { self.tokens[place].word = meant }
        }
        var place = 0
        while place < self.tokens.count {
            if self.tokens[place].isWord { join(at: place) }
            place += 1
        }
    }

    private func word(_ place: Int) -> String {
        tokens.indices.contains(place) && tokens[place].isWord ? tokens[place].word : ""
    }

    /// Joins the tokens of a number in words: "two hundred pixels", "half a megabyte", "one and a half minutes". It
    /// must have a unit, since "one" and "half" mean other things, too.
    private mutating func join(at place: Int) {
        guard let (value, end) = value(at: place) else { return }
        var at = end
        if grammar.isOf(word(at)), grammar.isArticle(word(at + 1)) {
            at += 2
        } else if grammar.isArticle(word(at)) {
            at += 1
        }
        guard let unit = grammar.unit(of: word(at)) else { return }
        let range = place..<(at + 1)
        let span = tokens[place].range.lowerBound..<tokens[at].range.upperBound
        let text = tokens[range].map(\.text).joined(separator: " ")
        tokens.replaceSubrange(range, with: [Token(kind: .number(value, unit), text: text, word: "", range: span)])
    }

    private func value(at place: Int) -> (Double, end: Int)? {
        var place = place
        if grammar.isArticle(word(place)), let next = grammar.number(of: word(place + 1)), next < 1 { place += 1 }
        var (total, end) = (0.0, place)
        var isAny = grammar.isArticle(word(place)) && grammar.unit(of: word(place + 1)) != nil
        if isAny { return (1, place + 1) }
        while end < tokens.count {
            var next = end
            if isAny, grammar.isAnd(word(next)) { next += 1 }
            if isAny, grammar.isArticle(word(next)), let part = grammar.number(of: word(next + 1)), part < 1 {
                return (total + part, next + 2)
            }
            guard let value = grammar.number(of: word(next)) else { break }
            total = value >= 100 ? max(total, 1) * value : total + value
            isAny = true
            end = next + 1
            if value < 1 { break }
        }
        return isAny ? (total, end) : nil
    }
}

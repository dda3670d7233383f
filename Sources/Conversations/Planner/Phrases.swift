import Vocabulary

/// Groups of words that mean one: "two hundred" is a number, "gray scale" a word that a tool says, "remove the colour" grayscale.
struct Phrases {
    private var tokens: [Token]
    private let words: ToolWords

    static func applied(to tokens: [Token], words: ToolWords) -> [Token] {
        var phrases = Phrases(tokens: tokens, words: words)
        var place = 0
        while place < phrases.tokens.count {
            if phrases.tokens[place].isWord { phrases.join(at: place) }
            place += 1
        }
        return phrases.tokens
    }

    private func word(_ place: Int) -> String { tokens.indices.contains(place) && tokens[place].isWord ? tokens[place].word : "" }

    private mutating func put(_ kind: Token.Kind, _ word: String, over range: Range<Int>) {
        let span = tokens[range.lowerBound].range.lowerBound..<tokens[range.upperBound - 1].range.upperBound
        let text = kind == .word ? word : tokens[range].map(\.text).joined(separator: " ")
        tokens.replaceSubrange(range, with: [Token(kind: kind, text: text, word: word, range: span)])
    }

    private mutating func join(at place: Int) {
        if number(at: place) { return }
        switch (word(place), word(place + 1)) {
        case ("blow", "up"), ("scale", "up"): put(.word, "enlarge", over: place..<(place + 2))
        case ("hold", "on"), ("hang", "on"): put(.word, "wait", over: place..<(place + 2))
        case ("scale", "down"), ("size", "down"): put(.word, "shrink", over: place..<(place + 2))
        case ("change", "the") where word(place + 2) == "name" && word(place + 3) == "of": put(.word, "rename", over: place..<(place + 4))
        case ("take", _), ("remove", _), ("strip", _), ("drop", _), ("lose", _), ("without", _), ("no", _), ("discard", _):
            colourless(at: place)
        default: said(at: place)
        }
    }

    /// "remove the colours from", "take the color out of", "no colour": not "remove the colour red".
    private mutating func colourless(at place: Int) {
        var end = place + 1
        while ["the", "all", "its", "any", "of"].contains(word(end)) { end += 1 }
        guard ["color", "colour", "colors", "colours"].contains(word(end)) else { return }
        end += 1
        if ["out", "away"].contains(word(end)) { end += 1 }
        let isEnd = end >= tokens.count || !tokens[end].isWord || ["from", "of", "in", "and", "then", "please"].contains(word(end))
        guard isEnd, let tool = words.saying("colourless").first else { return }
        put(.word, tool.verb, over: place..<end)
    }

    /// "gray scale", "cut out": two words that a tool says as one.
    private mutating func said(at place: Int) {
        let joined = word(place) + word(place + 1)
        guard !word(place).isEmpty, !word(place + 1).isEmpty, word(place).count > 2, let tool = words.saying(joined).first,
            tool.says.contains(joined),
            !tool.effects.contains(.deletes), !tool.effects.contains(.executes)
        else { return }
        let isPair = tool.inputs.count { !$0.isOptional } > 1
        guard !isPair || tokens.count(where: \.isName) > 1 else { return }
        put(.word, joined, over: place..<(place + 2))
    }

    // MARK: Numbers in words

    /// "two hundred pixels", "half a megabyte", "one and a half minutes": always with a unit, for "one" and "half" mean other things too.
    private mutating func number(at place: Int) -> Bool {
        guard let (value, end) = value(at: place) else { return false }
        var at = end
        if word(at) == "of", ["a", "an"].contains(word(at + 1)) { at += 2 } else if ["a", "an"].contains(word(at)) { at += 1 }
        guard let unit = Lexicon.units[word(at)] else { return false }
        put(.number(value, unit), "", over: place..<(at + 1))
        return true
    }

    private func value(at place: Int) -> (Double, end: Int)? {
        var place = place
        if ["a", "an"].contains(word(place)), Self.fractions[word(place + 1)] != nil { place += 1 }
        if let fraction = Self.fractions[word(place)] { return (fraction, place + 1) }
        var (total, end) = (0.0, place)
        var isAny = false
        while end < tokens.count {
            var next = end
            if isAny, word(next) == "and" { next += 1 }
            if isAny, word(next) == "a", word(next + 1) == "half" { return (total + 0.5, next + 2) }
            guard let value = Lexicon.numbers[word(next)] else { break }
            total = value >= 100 ? max(total, 1) * value : total + value
            isAny = true
            end = next + 1
        }
        return isAny ? (total, end) : nil
    }

    private static let fractions: [String: Double] = ["half": 0.5, "quarter": 0.25]
}

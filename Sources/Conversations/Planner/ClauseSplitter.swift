import Vocabulary

/// Cuts a line into clauses at "then", commas, "and", "but" and full stops, but not within lists of files, figures or words of one tool.
struct ClauseSplitter {
    private let tokens: [Token]
    private let words: ToolWords
    private var clauses: [[Token]] = []
    private var current: [Token] = []

    static func clauses(of tokens: [Token], words: ToolWords) -> [[Token]] {
        var splitter = ClauseSplitter(tokens: tokens, words: words)
        for place in tokens.indices { splitter.take(place) }
        splitter.close()
        return inOrder(splitter.clauses)
    }

    /// "before cropping it, make it gray", "make it gray after cropping it": what comes first is done first.
    private static func inOrder(_ clauses: [[Token]]) -> [[Token]] {
        var clauses = clauses
        for index in clauses.indices {
            guard let first = clauses[index].first, clauses[index].count > 1, first.word == "before" || first.word == "after",
                isDoing(clauses[index][1])
            else { continue }
            clauses[index].removeFirst()
            if first.word == "before", index == 0, clauses.count > 1 { clauses.swapAt(0, 1) }
            if first.word == "after", index > 0 { clauses.swapAt(index - 1, index) }
        }
        return clauses
    }

    /// "cropping", but not "everything".
    private static func isDoing(_ token: Token) -> Bool { token.isWord && token.word.hasSuffix("ing") && !token.word.hasSuffix("thing") }

    private init(tokens: [Token], words: ToolWords) {
        self.tokens = tokens
        self.words = words
    }

    private mutating func close() {
        if !current.isEmpty { clauses.append(current) }
        current = []
    }

    private mutating func take(_ place: Int) {
        let token = tokens[place]
        switch token.kind {
        case .stop: return close()
        case .comma: return isList(place) ? () : isPosition(place) ? current.append(token) : close()
        default: break
        }
        guard token.isWord else { return current.append(token) }
        switch token.word {
        case "and", "plus", "or": if isList(place) { return } else if isPosition(place) { current.append(token) } else { close() }
        case "before", "after":
            if place + 1 < tokens.count, Self.isDoing(tokens[place + 1]) { close() }
            current.append(token)
        case "then", "afterwards", "finally", "followed": close()
        case "but", "except", "excluding", "besides":
            var except = token
            except.word = "except"
            excludes(place) ? current.append(except) : close()
        default: current.append(token)
        }
    }

    /// "all jpgs but (not) cat.jpg".
    private func excludes(_ place: Int) -> Bool {
        var next = place + 1
        while next < tokens.count, ["not", "for", "the", "file"].contains(tokens[next].word) { next += 1 }
        return next < tokens.count && tokens[next].isName
    }

    private func isList(_ place: Int) -> Bool {
        guard place > 0 else { return false }
        var next = place + 1
        while next < tokens.count, ["and", "or", "also"].contains(tokens[next].word) { next += 1 }
        guard next < tokens.count else { return false }
        let (left, right) = (tokens[place - 1], tokens[next])
        let isJoined = left.kind == .comma || tokens[place].kind == .comma && next > place + 1
        let before = left.kind == .comma && place > 1 ? tokens[place - 2] : left
        if before.isName, right.isName { return true }
        if before.isName, ["the", "my", "file"].contains(right.word), next + 1 < tokens.count, tokens[next + 1].isName { return true }
        if before.isName || isSetNoun(before), ["every", "all", "each"].contains(right.word) { return true }
        if isSetNoun(before), isSetNoun(right) { return true }
        if isSingleNoun(before), right.word == "the", next + 1 < tokens.count, isSingleNoun(tokens[next + 1]) { return true }
        guard tokens[place].isWord, !isJoined, left.isWord, right.isWord else { return false }
        let tools = Set(words.saying(left.word).map(\.kind))
        return words.saying(right.word).contains { tools.contains($0.kind) } && left.word != right.word
            && !Lexicon.saveWords.contains(right.word)
            && !["turn", "resize", "scale", "shrink", "list", "show", "open", "load"].contains(right.word)
    }

    private func isSingleNoun(_ token: Token) -> Bool {
        token.isWord && (Lexicon.images.contains(token.word) || ["picture", "image", "photo"].contains(token.word))
    }

    private func isSetNoun(_ token: Token) -> Bool {
        token.isWord && token.word.hasSuffix("s")
            && (Lexicon.images.contains(ToolWords.singular(token.word)) || ["files", "pictures", "images", "photos"].contains(token.word))
    }

    private func isPosition(_ place: Int) -> Bool {
        guard place > 0, place + 1 < tokens.count, case .number(_, let unit) = tokens[place - 1].kind,
            case .number(_, let second) = tokens[place + 1].kind
        else { return false }
        return [nil, .pixels].contains(unit) && [nil, .pixels].contains(second)
            && !(place + 2 < tokens.count && ["wide", "tall", "high", "width", "height"].contains(tokens[place + 2].word))
    }
}

import JSON
import Vocabulary

/// Reads one clause: what it speaks of, the tools its words call for, its figures, and what it forbids.
struct ClauseReader {
    let tokens: [Token]
    let words: ToolWords
    /// "Is it larger than 2 MB?" asks for nothing to be made so.
    let isQuestion: Bool
    var clause = Clause()
    var place = 0
    /// "clockwise by 15": the direction was said before the figure.
    var isLeftward: Bool?

    static func read(_ tokens: [Token], words: ToolWords, isQuestion: Bool = false) throws(Refusal) -> Clause {
        var reader = ClauseReader(tokens: tokens, words: words, isQuestion: isQuestion)
        reader.clause.tokens = tokens
        reader.findHead()
        while reader.place < tokens.count { try reader.step() }
        reader.clause.joinFolders()
        return reader.clause
    }

    init(tokens: [Token], words: ToolWords, isQuestion: Bool) {
        self.isQuestion = isQuestion
        self.tokens = tokens
        self.words = words
    }

    func word(_ place: Int) -> String {
        guard tokens.indices.contains(place), tokens[place].isWord else { return "" }
        return tokens[place].word
    }

    mutating func step() throws(Refusal) {
        let token = tokens[place]
        switch token.kind {
        case .word: try readWord(token)
        case .act(let kind, let params): act(kind, params)
        case .file(let entry, let isExact): mention(.file(entry, isExact: isExact))
        case .missing(let name): mention(.missing(name))
        case .outside(let path): mention(.outside(path))
        case .url(let url): mention(.url(url))
        case .glob(let pattern): mention(.set(FileSet(what: pattern, folder: nil)))
        case .quoted(let text), .code(let text), .dotted(let text): clause.literals.append((text, place))
        case .number(let value, let unit): try number(value, unit)
        case .size(let width, let height): clause.measures.append((.box(width, height), place))
        case .comma, .stop: break
        }
        place += 1
    }

    mutating func act(_ kind: String, _ params: [String: String]) {
        guard let tool = words.catalogue[kind] else { return }
        var step = Step(tool: tool, word: kind, place: place)
        for param in tool.params { step.params[param.name] = params[param.name].map { .string($0) } }
        clause.steps.append(step)
        if clause.head.isEmpty { clause.head = kind }
    }

    /// "call it puppy", "save it as puppy": a name without an ending.
    mutating func plainName() -> Bool {
        let isCalled = ["it", "them"].contains(word(place)) && ["call", "name"].contains(word(place - 1))
        let isSaved = word(place) == "as" && (clause.saves || clause.copies) || ["called", "named"].contains(word(place))
        guard isCalled || isSaved, place > 0, tokens.indices.contains(place + 1) else { return false }
        switch tokens[place + 1].kind {
        case .word where !words.isKnown(word(place + 1)) && word(place + 1).count > 1:
            clause.mentions.append(Clause.Mention(reference: .missing(tokens[place + 1].text), role: "as", place: place + 1))
        case .quoted(let text) where !text.contains("."):
            clause.mentions.append(Clause.Mention(reference: .missing(text), role: "as", place: place + 1))
        default: return false
        }
        place += 1
        return true
    }

    mutating func mention(_ reference: Reference, at start: Int? = nil) {
        var before = (start ?? place) - 1
        let between: Set<String> = [
            "the", "a", "an", "file", "files", "picture", "image", "photo", "folder", "directory", "my", "new", "called", "named", "text",
            "archive", "name", "original", "existing",
        ]
        var role = ""
        while before >= 0, between.contains(word(before)) {
            if ["called", "named"].contains(word(before)) { role = "as" }
            before -= 1
        }
        if role.isEmpty, Lexicon.prepositions.contains(word(before)) { role = word(before) }
        if ["it", "them", "result", "this"].contains(word(before)),
            (1...3).contains(where: { ["call", "name", "rename", "title"].contains(word(before - $0)) })
        {
            role = "as"
        }
        if role.isEmpty, ["output", "result", "target", "destination"].contains(word(before)) { role = "as" }
        if role == "top" || (role == "of" && word(before - 1) == "top") { role = "on" }
        if role.isEmpty, before >= 0, tokens[before].isName, before == (start ?? place) - 1 { role = clause.mentions.last?.role ?? "" }
        clause.mentions.append(Clause.Mention(reference: reference, role: role, place: place))
    }

    // MARK: Head

    /// Finds the word that says what to do, and whether it is one that nobody here knows.
    mutating func findHead() {
        var place = 0
        while place < tokens.count {
            guard tokens[place].isWord else {
                place += 1
                continue
            }
            let word = tokens[place].word
            let isWish = ["want", "wants", "need", "needs", "let", "like", "help", "go", "use"].contains(word)
            if isWish || Lexicon.politeness.contains(word) && !Lexicon.lightVerbs.contains(word)
                || Lexicon.determiners.contains(word) && word != "that"
            {
                place +=
                    Lexicon.determiners.contains(word) && !Lexicon.pronouns.contains(word) && place + 1 < tokens.count
                        && !words.isKnown(self.word(place + 1)) ? 2 : 1
            } else if Lexicon.prepositions.contains(word) {
                let rest = tokens[(place + 1)...].prefix(3)
                guard rest.contains(where: { $0.isName || Lexicon.pronouns.contains($0.word) }) else { return }
                place += 1
            } else if Lexicon.pronouns.contains(word) || Lexicon.nouns.contains(word) {
                place += 1
            } else {
                clause.head = word
                let isUpsideDown = tokens.contains { $0.word == "upside" }
                let isRequest = word == "send" && tokens.contains { $0.word == "request" }
                if !words.isKnown(word), !(word == "flip" && isUpsideDown), !isRequest { clause.unknown = tokens[place].text }
                break
            }
        }
        becoming()
        guard Lexicon.lightVerbs.contains(clause.head), !["put", "add", "use", "take", "tell"].contains(clause.head) else { return }
        for later in tokens.indices where later > place && tokens[later].isWord && !words.isKnown(tokens[later].word) {
            let before = word(later - 1)
            let isNoun =
                Lexicon.determiners.contains(before) || Lexicon.prepositions.contains(before) || word(later - 2) == "for"
                || isNounGroup(later)
            if !isNoun { clause.unknown = tokens[later].text }
        }
    }

    /// "turn it into a dog": what it is to become is nothing that is known here.
    private mutating func becoming() {
        guard let place = tokens.lastIndex(where: { ["into", "as"].contains($0.word) }), ["a", "an"].contains(word(place + 1)),
            !word(place + 2).isEmpty, !words.isKnown(word(place + 2)), place + 3 == tokens.count
        else { return }
        clause.unknown = "\(clause.head) \(tokens[place...].map(\.text).joined(separator: " "))"
    }

    /// "a tiny web thumbnail": an unknown word between a determiner and what is known is only an adjective or a name.
    func isNounGroup(_ place: Int) -> Bool {
        [place - 1, place - 2].contains { Lexicon.determiners.contains(word($0)) }
            && Lexicon.nouns.union(Lexicon.images).contains(ToolWords.singular(word(place + 1)))
    }
}

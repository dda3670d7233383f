import Vocabulary

/// The words of a clause: calls for tools, negations, overwriting, strengths and directions.
extension ClauseReader {
    mutating func readWord(_ token: Token) throws(Refusal) {
        let word = token.word
        if negation(word) || plainName() || set() || format() || overwrite() || relative() || strength() || corner() { return }
        if ["copy", "duplicate", "backup"].contains(word), word == clause.head { clause.copies = true }
        if Lexicon.saveWords.contains(word) { clause.saves = true }
        if ["find", "search"].contains(word), clause.head == word { clause.looks = true }
        if cut(word) { return }
        if ["show", "open", "print", "read", "load", "list", "display"].contains(word), clause.head == word || word == "list" {
            clause.looks = true
        }
        if Lexicon.pronouns.contains(word) || ["all", "each", "both", "everything"].contains(word) { clause.usesPronoun = true }
        if let value = Lexicon.numbers[word] ?? (["a", "an"].contains(word) ? 1 : nil), let unit = Lexicon.units[self.word(place + 1)],
            Lexicon.numbers[word] != nil || { if case .seconds = unit { true } else { false } }()
        {
            place += 1
            return try number(value, unit)
        }
        if ["clockwise", "left", "right", "counterclockwise", "ccw", "sideways"].contains(word) { direction(word) }
        shape(word)
        if word == "upside" { clause.measures.append((.angle(180), place)) }
        guard var step = words.step(for: token, at: place) else { return }
        // "the blur", "a zip": nouns are cues as well, but "without the …" was skipped before.
        if let same = clause.steps.firstIndex(where: { $0.tool.kind == step.tool.kind }) {
            clause.steps[same].isWeak = clause.steps[same].isWeak && step.isWeak
            return
        }
        if step.others.contains(where: { other in clause.steps.contains { $0.tool.kind == other.kind } }) { return }
        // "blur the faces in cat.jpg" wants a part that no tool here finds.
        if ["the", "a", "an"].contains(self.word(place + 1)), tokens.indices.contains(place + 3), tokens[place + 2].isWord,
            !words.isKnown(self.word(place + 2)), !tokens[place + 3].isName
        {
            clause.unknown = "\(word) the \(tokens[place + 2].text)"
        }
        step.place = place
        clause.steps.removeAll { $0.others.contains { $0.kind == step.tool.kind } && step.others.isEmpty }
        clause.steps.append(step)
    }

    /// Shapes: a square can be cut; no other can, and as a mere adjective it would be left out without a word.
    private mutating func shape(_ word: String) {
        if ["square", "squared", "squares"].contains(word) { clause.isSquare = true }
        let others: Set<String> = ["round", "rounded", "circular", "oval", "elliptic", "triangular", "hexagonal"]
        guard others.contains(word), clause.unknown == nil, !clause.has("turn", "rotate", "way") else { return }
        clause.unknown = tokens[place].text
    }

    /// "number of words", "a part of": nouns that a tool says, where the rest says that the tool is meant.
    private mutating func cut(_ word: String) -> Bool {
        let isCount = word == "number" && self.word(place + 1) == "of"
        let isPart = ["part", "region", "area", "piece", "section"].contains(word) && ["of", "from", "out"].contains(self.word(place + 1))
        guard isCount || isPart, clause.steps.isEmpty,
            let tool = words.saying(isCount ? "count" : "region").first(where: { isCount || $0.param("left") != nil })
        else { return false }
        // Before the figures that stand before it, so that they are for this tool.
        clause.steps.append(Step(tool: tool, word: word, place: 0))
        return true
    }

    /// "no larger than" is a limit; "don't forget to" is nothing; any other "not" forbids what follows it in the clause.
    mutating func negation(_ word: String) -> Bool {
        guard Negation.words.contains(word), word != "instead" else { return false }
        let next = self.word(place + 1)
        if Lexicon.comparatives.contains(next) || ["exceed", "exceeding", "over", "above", "much"].contains(next) { return true }
        if next == "to", Lexicon.comparatives.contains(self.word(place + 2)) || self.word(place + 2) == "exceed" { return true }
        if next == "forget" || self.word(place - 1) == "why" {
            place += next == "forget" ? 1 : 0
            return true
        }
        let end = tokens[(place + 1)...].firstIndex { $0.isWord && ["but", "just", "only"].contains($0.word) } ?? tokens.count
        for token in tokens[(place + 1)..<end] where token.isWord { clause.negatedStems.insert(Stem.of(token.word)) }
        if clause.unknown.map({ text in tokens[place..<end].contains { $0.text == text } }) ?? false { clause.unknown = nil }
        if tokens[place..<end].contains(where: { $0.isWord && $0.word == clause.head }) { clause.head = "" }
        for case .file(let entry, _) in tokens[place..<end].map(\.kind) where !entry.isFolder { clause.spared.append(entry) }
        place = end - 1
        return true
    }

    mutating func overwrite() -> Bool {
        let word = self.word(place)
        let rest = tokens[(place + 1)...].prefix(4).map(\.word)
        if ["overwrite", "overwriting"].contains(word) || word == "inplace" || (word == "in" && self.word(place + 1) == "place") {
            clause.overwrites = true
            if word == "in" { place += 1 }
            return true
        }
        guard ["replace", "replacing"].contains(word) else { return false }
        if rest.contains(where: { ["original", "originals"].contains($0) }) || rest.first == "it"
            || tokens[(place + 1)...].prefix(1).contains(where: \.isName)
        {
            clause.overwrites = true
        }
        return clause.overwrites
    }

    mutating func relative() -> Bool {
        let word = self.word(place)
        if ["turn", "rotation", "circle"].contains(self.word(place + 1)), let angle = ["half": 180.0, "quarter": 90][word] {
            clause.measures.append((.angle(angle), place))
            return true
        }
        let near = tokens[(place + 1)...].prefix(3).map(\.word) + tokens[..<place].suffix(3).map(\.word)
        guard ["half", "double", "twice", "quarter", "third", "halve"].contains(word),
            word == "halve"
                || near.contains(where: {
                    ["size", "big", "large", "width", "height", "dimensions", "resolution", "the", "in", "to", "as", "its", "by"].contains(
                        $0)
                })
        else { return false }
        clause.measures.append((.relative(word), place))
        return true
    }

    mutating func strength() -> Bool {
        let strengths: [String: String] = [
            "little": "a little", "bit": "a little", "slightly": "a little", "lightly": "a little", "gently": "a little",
            "softly": "a little", "subtly": "a little",
            "light": "a little", "slight": "a little", "gentle": "a little", "subtle": "a little", "touch": "a little", "tad": "a little",
            "strongly": "a lot", "heavily": "a lot", "lot": "a lot", "strong": "a lot", "heavy": "a lot", "much": "a lot",
            "intensely": "a lot", "very": "a lot",
            "hard": "a lot", "extremely": "a lot", "lots": "a lot", "somewhat": "some", "moderately": "some",
        ]
        guard let strength = strengths[self.word(place)] else { return false }
        clause.measures.append((.strength(strength), place))
        return true
    }

    mutating func corner() -> Bool {
        guard ["top", "upper"].contains(word(place)), word(place + 1) == "left" else { return false }
        clause.measures.append((.point(0, 0), place))
        place += 1
        return true
    }

    mutating func direction(_ word: String) {
        let turns =
            tokens.contains {
                ["rotate", "turn", "rotated", "turned", "rotating", "turning", "spin", "degrees", "clockwise"].contains($0.word)
                    || $0.kind == .number(90, .degrees)
            } || word.contains("clockwise")
        guard turns else { return }
        let isLeft =
            ["left", "counterclockwise", "ccw"].contains(word)
            || (word == "clockwise" && ["counter", "anti"].contains(self.word(place - 1)))
        let known = clause.measures.indices.first {
            if case .angle = clause.measures[$0].measure { true } else if case .bare = clause.measures[$0].measure { true } else { false }
        }
        let isFigureAhead = tokens[(place + 1)...].prefix(4).contains {
            if case .number(_, let unit) = $0.kind { unit == .degrees || unit == nil } else { false }
        }
        if known == nil, isFigureAhead {
            isLeftward = isLeft
        } else if let known {
            switch clause.measures[known].measure {
            case .angle(let value), .bare(let value): clause.measures[known].measure = .angle(isLeft ? -abs(value) : value)
            default: break
            }
        } else {
            clause.measures.append((.angle(isLeft ? -90 : 90), place))
        }
    }
}

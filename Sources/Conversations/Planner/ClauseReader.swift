import JSON
import Vocabulary

/// Reads one clause: what it speaks of, the tools its words call for, its figures, and what it forbids.
struct ClauseReader {
    private let tokens: [Token]
    private let words: ToolWords
    /// "Is it larger than 2 MB?" asks for nothing to be made so.
    private let isQuestion: Bool
    private var clause = Clause()
    private var place = 0

    static func read(_ tokens: [Token], words: ToolWords, isQuestion: Bool = false) throws(Refusal) -> Clause {
        var reader = ClauseReader(tokens: tokens, words: words, isQuestion: isQuestion)
        reader.clause.tokens = tokens
        reader.findHead()
        while reader.place < tokens.count { try reader.step() }
        return reader.clause
    }

    private init(tokens: [Token], words: ToolWords, isQuestion: Bool) {
        self.isQuestion = isQuestion
        self.tokens = tokens
        self.words = words
    }

    private func word(_ place: Int) -> String {
        guard tokens.indices.contains(place), tokens[place].isWord else { return "" }
        return tokens[place].word
    }

    private mutating func step() throws(Refusal) {
        let token = tokens[place]
        switch token.kind {
        case .word: try readWord(token)
        case .act(let kind, let params): act(kind, params)
        case .file(let entry, let isExact): mention(.file(entry, isExact: isExact))
        case .missing(let name): mention(.missing(name))
        case .url(let url): mention(.url(url))
        case .glob(let pattern): mention(.set(FileSet(what: pattern, folder: nil)))
        case .quoted(let text), .code(let text), .dotted(let text): clause.literals.append((text, place))
        case .number(let value, let unit): try number(value, unit)
        case .size(let width, let height): clause.measures.append((.box(width, height), place))
        case .comma, .stop: break
        }
        place += 1
    }

    private mutating func act(_ kind: String, _ params: [String: String]) {
        guard let tool = words.catalogue[kind] else { return }
        var step = Step(tool: tool, word: kind, place: place)
        for param in tool.params { step.params[param.name] = params[param.name].map { .string($0) } }
        clause.steps.append(step)
        if clause.head.isEmpty { clause.head = kind }
    }

    private mutating func mention(_ reference: Reference, at start: Int? = nil) {
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
            (1...3).contains(where: { ["call", "name"].contains(word(before - $0)) })
        {
            role = "as"
        }
        if role == "top" || (role == "of" && word(before - 1) == "top") { role = "on" }
        if role.isEmpty, before >= 0, tokens[before].isName, before == (start ?? place) - 1 { role = clause.mentions.last?.role ?? "" }
        clause.mentions.append(Clause.Mention(reference: reference, role: role, place: place))
    }

    // MARK: Head

    /// Finds the word that says what to do, and whether it is one that nobody here knows.
    private mutating func findHead() {
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
                if !words.isKnown(word) { clause.unknown = tokens[place].text }
                break
            }
        }
        guard Lexicon.lightVerbs.contains(clause.head), !["put", "add", "use", "take", "tell"].contains(clause.head) else { return }
        for later in tokens.indices where later > place && tokens[later].isWord && !words.isKnown(tokens[later].word) {
            let before = word(later - 1)
            let isNoun =
                Lexicon.determiners.contains(before) || Lexicon.prepositions.contains(before) || word(later - 2) == "for"
                || isNounGroup(later)
            if !isNoun { clause.unknown = tokens[later].text }
        }
    }

    /// "a tiny web thumbnail": an unknown word between a determiner and what is known is only an adjective or a name.
    private func isNounGroup(_ place: Int) -> Bool {
        [place - 1, place - 2].contains { Lexicon.determiners.contains(word($0)) }
            && Lexicon.nouns.union(Lexicon.images).contains(ToolWords.singular(word(place + 1)))
    }

    // MARK: Words

    private mutating func readWord(_ token: Token) throws(Refusal) {
        let word = token.word
        if negation(word) || set() || format() || overwrite() || relative() || strength() || corner() { return }
        if ["copy", "duplicate", "backup"].contains(word), word == clause.head { clause.copies = true }
        if Lexicon.saveWords.contains(word) { clause.saves = true }
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

    /// "no larger than" is a limit; "don't forget to" is nothing; any other "not" forbids what follows it in the clause.
    private mutating func negation(_ word: String) -> Bool {
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

    private mutating func overwrite() -> Bool {
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

    private mutating func relative() -> Bool {
        let word = self.word(place)
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

    private mutating func strength() -> Bool {
        let strengths: [String: String] = [
            "little": "a little", "bit": "a little", "slightly": "a little", "lightly": "a little", "gently": "a little",
            "softly": "a little", "subtly": "a little",
            "light": "a little", "slight": "a little", "gentle": "a little", "subtle": "a little", "touch": "a little",
            "strongly": "a lot", "heavily": "a lot", "lot": "a lot", "strong": "a lot", "heavy": "a lot", "much": "a lot",
            "intensely": "a lot", "very": "a lot",
            "hard": "a lot", "extremely": "a lot", "lots": "a lot", "somewhat": "some", "moderately": "some",
        ]
        guard let strength = strengths[self.word(place)] else { return false }
        clause.measures.append((.strength(strength), place))
        return true
    }

    private mutating func corner() -> Bool {
        guard ["top", "upper"].contains(word(place)), word(place + 1) == "left" else { return false }
        clause.measures.append((.point(0, 0), place))
        place += 1
        return true
    }

    private mutating func direction(_ word: String) {
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
        if let known {
            switch clause.measures[known].measure {
            case .angle(let value), .bare(let value): clause.measures[known].measure = .angle(isLeft ? -abs(value) : value)
            default: break
            }
        } else {
            clause.measures.append((.angle(isLeft ? -90 : 90), place))
        }
    }

    // MARK: Files by what they are

    private static let imageNouns: Set<String> = ["picture", "image", "photo", "pic", "photograph"]

    private static func what(_ noun: String) -> String? {
        if imageNouns.contains(noun) { return "image" }
        if noun == "file" || noun == "document" { return "any" }
        return noun != "text" && noun != "word" && Lexicon.extensions.contains(noun) && noun.count > 1
            ? noun : noun == "text" ? "text" : nil
    }

    /// "every jpg", "all the png files", "the pictures in photos/", "the photo".
    private mutating func set() -> Bool {
        var at = place
        var quantifier = false
        var definite = false
        while ["every", "all", "each", "any", "both", "of", "the", "my", "these", "those", "other", "single", "our", "this", "that"]
            .contains(word(at)), at - place < 4
        {
            quantifier = quantifier || ["every", "all", "each", "any"].contains(word(at))
            definite = definite || ["the", "my", "this", "that", "these", "those"].contains(word(at))
            at += 1
        }
        let written = word(at)
        if written == "everything", at == place {
            guard !clause.usesPronoun, clause.mentions.isEmpty, place > 0 else { return false }
            mention(.set(FileSet(what: "any", folder: nil)))
            return true
        }
        let isPlural = written.hasSuffix("s") && written.count > 3
        let noun = ToolWords.singular(written)
        guard var what = Self.what(noun), quantifier || isPlural || (definite && at > place) else { return false }
        var last = at
        var plural = isPlural
        if let second = Self.what(ToolWords.singular(word(at + 1))),
            Self.imageNouns.contains(ToolWords.singular(word(at + 1))) || second == "any"
        {
            last = at + 1
            plural = plural || word(last).hasSuffix("s")
        }
        guard quantifier || plural || definite else { return false }
        if !quantifier, !plural, isTarget(at) || ["size", "name", "format", "type", "extension"].contains(word(last + 1)) { return false }
        if !quantifier, !plural, tokens.indices.contains(last + 1), tokens[last + 1].isName || ["called", "named"].contains(word(last + 1))
        {
            return false
        }
        if !quantifier, tokens.indices.contains(last + 1), tokens[last + 1].isName { return false }
        if plural, !quantifier, at == place, !isObject(place) { return false }
        if what == "text", !quantifier, last == at { return false }
        if what == "json", !quantifier, !plural, last == at { return false }
        if what == "tif" { what = "tiff" }
        let start = place
        place = last
        var set = FileSet(what: what, folder: nil)
        set.folder = folder()
        mention(quantifier || plural ? .set(set) : .definite(set), at: start)
        clause.mentions[clause.mentions.count - 1].place = last
        return true
    }

    private func isTarget(_ place: Int) -> Bool {
        ["to", "as", "into"].contains(word(place - 1)) || ["to", "as", "into"].contains(word(place - 2))
    }

    /// A bare plural is meant where it is asked about or acted upon: "which jpgs", "shrink pngs".
    private func isObject(_ place: Int) -> Bool {
        let before = word(place - 1)
        return before != "to" && before != "as" && before != "into" && !(place == 0 && tokens.count > 1 && word(1) == "to")
    }

    /// "… in photos/", "… in the folder photos".
    private mutating func folder() -> String? {
        var at = place + 1
        guard ["in", "from", "inside", "under"].contains(word(at)) else { return nil }
        at += 1
        while ["the", "folder", "directory", "my"].contains(word(at)) { at += 1 }
        guard tokens.indices.contains(at), case .file(let entry, _) = tokens[at].kind, entry.isFolder else { return nil }
        place = ["folder", "directory"].contains(word(at + 1)) ? at + 1 : at
        return entry.name
    }

    private static let formats: Set<String> = Lexicon.images.union([
        "pdf", "docx", "doc", "mp4", "mp3", "html", "csv", "md", "json", "xml", "yaml", "epub", "ico", "eps", "jp2", "jxl",
    ])

    /// "to png", "as a webp", "in png format", "a png version", or just "webp".
    private mutating func format() -> Bool {
        let word = ToolWords.singular(word(place))
        guard Self.formats.contains(word) else { return false }
        var before = place - 1
        while Lexicon.determiners.contains(self.word(before)) || ["new", "format", "picture", "image"].contains(self.word(before)) {
            before -= 1
        }
        let role = self.word(before)
        let next = self.word(place + 1)
        let isPicture = Lexicon.images.contains(word)
        if role == "from" || role == "of" { return true }
        let isMeant =
            ["to", "as", "into"].contains(role) || ["version", "format", "copy"].contains(next)
            || (isPicture && !["file", "files"].contains(next))
        guard isMeant, isPicture || ["to", "as", "into"].contains(role) else { return true }
        clause.measures.append((.format(FileName.format(word)), place))
        return true
    }

    // MARK: Figures

    private mutating func number(_ value: Double, _ unit: Token.Unit?) throws(Refusal) {
        let next = [word(place + 1), word(place + 2)]
        let text = tokens[place].text
        let measure: Measure
        switch unit {
        case .bytes(let factor): return try bytes(value * factor, words: text, unit: factor)
        case .degrees: measure = .angle(value)
        case .seconds(let factor): measure = .time(value * factor)
        case .foreign: measure = .foreign(text)
        case .percent: measure = isQuality ? .quality(value) : .percent(value)
        case .pixels, nil: measure = isQuality ? .quality(value) : pixels(value, isPlain: unit == nil, next: next)
        }
        if case .point = measure {} else { clause.measures.append((measure, place)) }
    }

    private var isQuality: Bool { word(place - 1) == "quality" || word(place - 2) == "quality" || word(place + 1) == "quality" }

    private mutating func pixels(_ value: Double, isPlain: Bool, next: [String]) -> Measure {
        let edge = word(place + 2) == "the" ? word(place + 3) : word(place + 2)
        if next[0] == "from", ["left", "top"].contains(edge) { return .named(edge, value) }
        if ["wide", "width", "across"].contains(next[0]) || (["in", "of"].contains(next[0]) && next[1] == "width") {
            return .width(value)
        }
        if ["tall", "high", "height"].contains(next[0]) || (["in", "of"].contains(next[0]) && next[1] == "height") {
            return .height(value)
        }
        let after = tokens[(place + 1)...].prefix(5).map(\.word)
        if after.contains("side") || after.contains("edge"),
            after.contains(where: { ["longest", "long", "longer", "largest", "larger", "either", "each"].contains($0) })
        {
            return .longest(value)
        }
        for back in 1...4 where tokens.indices.contains(place - back) {
            if tokens[place - back].isName { continue }
            let word = word(place - back)
            if back == 1, ["left", "top"].contains(word) { return .named(word, value) }
            if word == "width" || word == "wide" { return .width(value) }
            if word == "height" || word == "tall" { return .height(value) }
            if word.isEmpty || (Lexicon.numbers[word] != nil) { break }
        }
        if tokens.contains(where: { $0.word == "square" }) { return .box(value, value) }
        if let second = position(value) { return second }
        return isPlain ? .bare(value) : .side(value)
    }

    /// "at 10,20" and "at 10, 20": a comma between figures does not end a clause.
    private mutating func position(_ x: Double) -> Measure? {
        var at = place + 1
        if tokens.indices.contains(at), tokens[at].kind == .comma || word(at) == "and" { at += 1 }
        guard at > place + 1 || tokens.contains(where: { $0.word == "at" }), tokens.indices.contains(at),
            case .number(let y, let unit) = tokens[at].kind,
            unit == nil || unit == .pixels
        else { return nil }
        clause.measures.append((.point(x, y), place))
        place = at
        return .point(x, y)
    }

    private mutating func bytes(_ value: Double, words text: String, unit: Double) throws(Refusal) {
        var isFloor = false
        for back in 1...4 where tokens.indices.contains(place - back) {
            if tokens[place - back].isName { break }
            if case .number = tokens[place - back].kind { break }
            let word = word(place - back)
            if Lexicon.floors.contains(word) { isFloor = true }
            if Negation.words.contains(word) || word == "most" { isFloor = false; break }
            if Lexicon.ceilings.contains(word) { break }
        }
        guard isFloor else { return clause.measures.append((.bytes(value, words: text), place)) }
        if let last = clause.mentions.indices.last, case .set(var set) = clause.mentions[last].reference,
            place - clause.mentions[last].place <= 5
        {
            set.largerThanBytes = value
            clause.mentions[last].reference = .set(set)
        } else if !isQuestion {
            throw Refusal("I can make a file smaller than a limit, but not larger than \(text).")
        }
    }
}

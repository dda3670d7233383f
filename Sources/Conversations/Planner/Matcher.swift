import JSON
import Vocabulary

extension Limits {
    /// The most ways to match a pattern that are followed at one place of a sentence.
    fileprivate static let patternStates = 64

    /// The most words of a text that stands in a sentence without quotes.
    fileprivate static let textWords = 60
}

/// The content of a slot of a pattern.
struct Bound: Hashable {
    enum Value: Hashable {
        case number(Double)
        case pair(Double, Double)
        case bytes(Double, words: String)
        case text(String)
        case reference(Reference)
        case noun(String, isPlural: Bool)
    }

    var value: Value
    /// The tokens in the slot.
    var range: Range<Int>

    var text: String? {
        switch value {
        case .text(let text): text
        case .number(let number): Filling.number(number).text
        case .noun(let kind, _): kind
        case .pair, .bytes, .reference: nil
        }
    }

    /// The name of the file, in quotes if it has spaces.
    var fileName: String? {
        guard case .reference(let reference) = value else { return nil }
        return reference.plainName.map(FileName.quoted)
    }

    var number: Double? { if case .number(let number) = value { number } else { nil } }
}

/// A matcher of the tokens of a sentence against patterns. It is a class, since its many small functions would copy the
/// grammar if it were a structure.
final class Matcher {
    /// A partial match of a pattern.
    struct State: Hashable {
        var place: Int
        var bound: [String: Bound] = [:]
        /// How many words without quotes were matched as a text. The match with the fewest is best.
        var looseWords = 0
        /// Whether a text without quotes was just matched. The next word must then follow directly.
        var isTight = false
    }

    let tokens: [Token]
    let line: String
    let grammar: Grammar

    init(tokens: [Token], line: String, grammar: Grammar) {
        (self.tokens, self.line, self.grammar) = (tokens, line, grammar)
    }

    /// Returns all matches of a pattern that begin at a place.
    func matches(_ pattern: Pattern, at place: Int) -> [State] {
        follow(pattern, [State(place: place)], start: place).filter { $0.place > place }
    }

    private func follow(_ pattern: Pattern, _ states: [State], start: Int) -> [State] {
        guard !states.isEmpty else { return [] }
        switch pattern {
        case .word(let word):
            return states.compactMap {
                step($0, start) { $0.isWord ? $0.word == word : word == "," && $0.kind == .comma }
            }
        case .stem(let stem):
            return states.compactMap { step($0, start) { $0.isWord && grammar.stem(of: $0.word) == stem } }
        case .slot(let name, let slot):
            return limited(states.flatMap { state in filled(state, name, slot, start) })
        case .maybe(let part): return limited(follow(part, states, start: start) + states)
        case .choice(let sides): return limited(sides.flatMap { follow($0, states, start: start) })
        case .sequence(let parts): return parts.reduce(states) { follow($1, $0, start: start) }
        }
    }

    private func limited(_ states: [State]) -> [State] {
        var seen: Set<State> = []
        return Array(states.filter { seen.insert($0).inserted }.prefix(Limits.patternStates))
    }

    /// Matches the next token if it fits. Idle words are skipped, except at the beginning of a pattern.
    private func step(_ state: State, _ start: Int, _ fits: (Token) -> Bool) -> State? {
        var state = state
        while state.place < tokens.count {
            let token = tokens[state.place]
            if fits(token) {
                state.place += 1
                state.isTight = false
                return state
            }
            guard state.place > start, !state.isTight, grammar.isIdle(token) else { return nil }
            state.place += 1
        }
        return nil
    }

    private func filled(_ state: State, _ name: String, _ slot: Slot, _ start: Int) -> [State] {
        if slot == .text { return texts(state, name, start) }
        var place = state.place
        while place < tokens.count {
            if let (value, end) = value(slot, at: place) {
                var state = state
                state.place = end
                state.isTight = false
                state.bound[name] = Bound(value: value, range: place..<end)
                if slot == .word || slot == .plain || slot == .name && tokens[place].isWord { state.looseWords += 1 }
                if slot == .field || slot == .place, tokens[place].isWord { state.looseWords += 3 }
                return [state]
            }
            // "called new stuff": no word of a new name is left out.
            let isName = slot == .new || slot == .label
            guard place > start, grammar.isIdle(tokens[place]), !isName || grammar.isArticle(tokens[place].word) else {
                return []
            }
            place += 1
        }
        return []
    }

    // MARK: Texts

    /// Returns the matches of a text: one in quotes, or runs of words of each length without a file name or a stop.
    private func texts(_ state: State, _ name: String, _ start: Int) -> [State] {
        var place = state.place
        if place > start {
            // "the word plumber" means the last word.
            let announced = place + (place < tokens.count && grammar.isIdle(tokens[place]) ? 1 : 0)
            if announced + 1 < tokens.count, grammar.announcesText(tokens[announced]) { place = announced + 1 }
        }
        guard place < tokens.count else { return [] }
        if let text = tokens[place].literal {
            return [filledState(state, name, text, place..<(place + 1), loose: 0)]
        }
        var states: [State] = []
        for end in place..<min(tokens.count, place + Limits.textWords) {
            let token = tokens[end]
            if token.kind == .stop || grammar.partsOrders(token) || token.isName && !token.isBarePath
                || token.literal != nil
            {
                break
            }
            // Words that describe a text, or say that there is none, are not the text.
            if grammar.isVoid(token) || grammar.qualifies(token) && end > place { break }
            if end > place, grammar.qualifies(tokens[place]) { break }
            guard let text = run(place...end) else { continue }
            // More than one word is a text only in quotes. Otherwise words of the sentence might end up in it.
            let words = text.split(whereSeparator: \.isWhitespace)
            if words.drop(while: { grammar.leads($0.lowercased()) }).count > 1 { break }
            // A path is rarely meant as a text.
            let unlikely = tokens[place...end].count { $0.isName }
            states.append(filledState(state, name, text, place..<(end + 1), loose: end - place + 1 + 3 * unlikely))
        }
        return states
    }

    private func filledState(_ state: State, _ name: String, _ text: String, _ range: Range<Int>, loose: Int) -> State {
        var state = state
        state.place = range.upperBound
        state.bound[name] = Bound(value: .text(text), range: range)
        state.looseWords += loose
        state.isTight = loose > 0
        return state
    }

    /// Returns the words as they stand in the line, or nil for words that only refer to something, such as "it".
    private func run(_ range: ClosedRange<Int>) -> String? {
        if let sign = grammar.sign(of: tokens[range.upperBound]),
            range.dropLast().allSatisfy({ grammar.isIdle(tokens[$0]) })
        {
            return sign
        }
        if range.allSatisfy({ grammar.refers(tokens[$0]) || grammar.isPreposition(tokens[$0]) }),
            range.contains(where: { grammar.isPreposition(tokens[$0]) })
        {
            return nil
        }
        // "dog in" continues with a place.
        if range.count > 1, grammar.isPreposition(tokens[range.upperBound]) { return nil }
        guard
            !range.allSatisfy({ grammar.refers(tokens[$0]) })
                || range.count == 1 && grammar.isIdle(tokens[range.lowerBound])
        else {
            return nil
        }
        return tokens.text(range.lowerBound..<(range.upperBound + 1), in: line)
    }

    // MARK: Slots

    private func value(_ slot: Slot, at place: Int) -> (Bound.Value, end: Int)? {
        let token = tokens[place]
        switch slot {
        case .number, .length, .side, .percent, .degrees, .seconds, .megapixels, .foreign, .count, .bytes, .size:
            return measured(slot, token).map { ($0, place + 1) }
        case .file: return token.reference.map { (.reference($0), place + 1) }
        case .folder:
            guard let reference = token.reference, reference.isFolder else { return nil }
            return (.reference(reference), place + 1)
        case .label: return label(token).map { (.reference($0), place + 1) }
        case .place:
            let isPlace =
                token.isWord && !grammar.isIdle(token) && !grammar.isPronoun(token) && grammar.noun(of: token) == nil
                && grammar.format(of: token.word) == nil
            return (name(token) ?? (isPlace ? .missing(token.text) : nil)).map { (.reference($0), place + 1) }
        case .new:
            guard let name = label(token), case .missing = name else { return nil }
            return (.reference(name), place + 1)
        case .name: return name(token).map { (.reference($0), place + 1) }
        case .noun: return noun(at: place)
        case .format:
            guard token.isWord, let format = grammar.format(of: token.word) else { return nil }
            return (.text(format), place + 1)
        case .param: return token.isWord && grammar.params.contains(token.word) ? (.text(token.word), place + 1) : nil
        case .quoted: return token.literal.map { (.text($0), place + 1) }
        case .plain:
            return grammar.isPlain(token) ? (.text(token.text), place + 1) : nil
        case .word: return token.isWord && !grammar.isIdle(token) ? (.text(token.text), place + 1) : nil
        case .field: return field(token).map { (.text($0), place + 1) }
        case .dotted: if case .dotted(let text) = token.kind { return (.text(text), place + 1) } else { return nil }
        case .url: if case .url(let url) = token.kind { return (.reference(.url(url)), place + 1) } else { return nil }
        case .command:
            return Commands(tokens: tokens, line: line, grammar: grammar).command(at: place).map { (.text($0), $1) }
        case .workflow:
            let isNamed = token.isWord && token.word.wholeMatch(of: /w\d+/) != nil
            return isNamed ? (.text(token.word), place + 1) : nil
        case .color: return grammar.isColor(token) ? (.text(token.word), place + 1) : nil
        case .sign: return (token.isBreak ? token.text : grammar.sign(of: token)).map { (.text($0), place + 1) }
        case .text: return nil
        }
    }

    private func measured(_ slot: Slot, _ token: Token) -> Bound.Value? {
        switch (slot, token.kind) {
        case (.number, .number(let value, nil)), (.length, .number(let value, nil)),
            (.length, .number(let value, .pixels)),
            (.side, .number(let value, .pixels)), (.percent, .number(let value, .percent)),
            (.degrees, .number(let value, .degrees)),
            (.megapixels, .number(let value, .megapixels)):
            return .number(value)
        case (.seconds, .number(let value, .seconds(let factor))): return .number(value * factor)
        case (.bytes, .number(let value, .bytes(let factor))): return .bytes(value * factor, words: token.text)
        case (.foreign, .number(_, .foreign)): return .text(token.text)
        case (.size, .size(let width, let height)): return .pair(width, height)
        case (.count, .number(let value, nil)): return value >= 0 && value == value.rounded() ? .number(value) : nil
        case (.count, .word): return grammar.number(of: token.word).flatMap { $0 >= 1 ? .number($0) : nil }
        default: return nil
        }
    }

    private func name(_ token: Token) -> Reference? {
        if let reference = token.reference { return reference.plainName == nil ? nil : reference }
        if token.literal != nil { return .missing(token.text) }
        if case .dotted(let text) = token.kind { return .missing(text) }
        guard token.isWord, token.word.contains(where: { $0.isLetter || $0.isNumber }), !grammar.isKnown(token.word)
        else { return nil }
        return .missing(token.text)
    }

    /// Returns the name in the word after "folder", which only announces it.
    private func label(_ token: Token) -> Reference? {
        if let name = name(token) { return name }
        let isLabel =
            token.isWord && !grammar.isIdle(token) && !grammar.isFolder(token.word) && !grammar.isPronoun(token)
        return isLabel ? .missing(token.text) : nil
    }

    private func field(_ token: Token) -> String? {
        if case .dotted(let text) = token.kind { return text }
        if token.literal != nil { return token.text }
        return token.isWord && !grammar.isIdle(token) && !grammar.isJoint(token) ? token.text : nil
    }

    /// Returns the kind of files that one or two nouns name: "pictures", "jpg files", "text file".
    private func noun(at place: Int) -> (Bound.Value, end: Int)? {
        guard let (kind, isPlural) = grammar.noun(of: tokens[place]) else { return nil }
        guard place + 1 < tokens.count, let (next, isNextPlural) = grammar.noun(of: tokens[place + 1]), kind != next
        else {
            return (.noun(kind, isPlural: isPlural), place + 1)
        }
        if next == "any" || FileName.type(of: "x.\(kind)") == next, kind != "any" {
            return (.noun(kind, isPlural: isPlural || isNextPlural), place + 2)
        }
        return (.noun(kind, isPlural: isPlural), place + 1)
    }
}

extension Slot {
    /// Whether a value of the slot may begin with a token, judged by its kind alone.
    func canTake(_ token: Token) -> Bool {
        switch self {
        case .file, .folder: token.reference != nil
        case .number, .length, .side, .percent, .degrees, .seconds, .bytes, .megapixels, .size, .foreign: token.isFigure
        case .noun, .format, .param, .workflow, .color: token.isWord
        case .quoted: token.literal != nil
        case .count, .name, .new, .label, .place, .plain, .text, .word, .field, .dotted, .url, .command, .sign: true
        }
    }
}

extension Token {
    var isNumber: Bool { if case .number = kind { true } else { false } }

    fileprivate var isFigure: Bool {
        switch kind {
        case .number, .size: true
        default: false
        }
    }

    /// The text between quotes or backticks.
    var literal: String? {
        switch kind {
        case .quoted(let text), .code(let text): text
        default: nil
        }
    }

    var reference: Reference? {
        switch kind {
        case .file(let entry, let isExact): .file(entry, isExact: isExact)
        case .missing(let name): .missing(name)
        case .outside(let path): .outside(path)
        case .url(let url): .url(url)
        case .glob(let pattern): .set(FileSet(what: pattern))
        default: nil
        }
    }
}

extension Array where Element == Token {
    /// Returns tokens as they stand in the line, from the first to the last.
    func text(_ range: Range<Int>, in line: String) -> String {
        let characters = Array<Character>(line)
        guard let first = self[range].first, let last = self[range].last else { return "" }
        return String(characters[first.range.lowerBound..<Swift.min(last.range.upperBound, characters.count)])
    }
}

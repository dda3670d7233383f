import JSON
import Vocabulary

/// A part of a sentence: a phrase with its meaning, or words that no phrase explains.
struct Part {
    enum Kind {
        case phrase(Meaning)
        /// A comma or a stop.
        case pause(isStop: Bool)
        /// A word without a meaning of its own.
        case idle
        case unknown
    }

    var kind: Kind
    /// The tokens of the sentence that the part covers.
    var range: Range<Int>
    var bound: [String: Bound] = [:]
    /// The words as they stand in the line.
    var text = ""
    /// The verb with which the words begin, or nil if they begin with none.
    var verb: String?
    /// The places of its tokens in the line, by character.
    var spans: [Range<Int>] = []

    var meaning: Meaning? { if case .phrase(let meaning) = kind { meaning } else { nil } }

    /// Returns the value of a meaning, with its slots filled.
    func value(_ value: Meaning.Value) -> Bound.Value? {
        switch value {
        case .slot(let name): bound[name]?.value
        case .constant(let json):
            if let number = json.number { .number(number) } else { .text(json.string ?? json.text) }
        }
    }
}

/// A cover of a sentence with phrases. Each word belongs to exactly one phrase. The cover has the least cost: few
/// phrases, few words read as a text, no word without a meaning.
struct Cover {
    private let matcher: Matcher
    private var tokens: [Token] { matcher.tokens }
    private var grammar: Grammar { matcher.grammar }

    private enum Cost {
        /// The share of the costs below that decides between covers of equal cost, by the files that tools take.
        static let whole = 1_024
        static let withoutTool = 4
        static let idle = 2
        static let pause = 4
        static let sureRefusal = 12
        static let phrase = 20
        /// The cost of a phrase without meaning. It explains less than any other, and "that" is rarely a file.
        static let idlePhrase = 21
        static let pronoun = 22
        static let looseWord = 8
        /// The cost of a phrase that is refused. It is used only if no other phrase explains the words.
        static let refusal = 600
        /// The cost of a place that is a word alone, such as "into backup". It is used only if nothing else fits.
        static let place = 640
        /// The further cost of a phrase of tools that take none of the files. It is used only if no other tool does.
        static let unfit = 700
        static let unknown = 2_000
    }

    /// The words of the sentence, and their stems.
    private let words: Set<Pattern.Need>
    /// The names of the files in the sentence.
    private let fileNames: [String]
    /// Whether names of templates are phrases.
    private let allowsTemplates: Bool

    init(_ tokens: [Token], line: String, grammar: Grammar, allowsTemplates: Bool = true) {
        self.allowsTemplates = allowsTemplates
        words = Set(
            tokens.filter(\.isWord).flatMap { [.word($0.word), .stem(grammar.stem(of: $0.word))] })
        let named = tokens.compactMap { token in
            token.reference.flatMap { $0.isFolder ? nil : $0.plainName }
        }
        fileNames =
            named.isEmpty ? tokens.compactMap { grammar.noun(of: $0).flatMap { Self.example(of: $0.kind) } } : named
        matcher = Matcher(tokens: tokens, line: line, grammar: grammar)
    }

    /// Returns a name of a file of a kind, or nil if the kind says nothing.
    private static func example(of kind: String) -> String? {
        switch kind {
        case "any": nil
        case "image": "x.png"
        case "text": "x.txt"
        default: "x.\(kind)"
        }
    }

    /// Returns the parts of the sentence, in order.
    func parts() -> [Part] {
        var best: [(cost: Int, part: Part, from: Int)?] = Array(repeating: nil, count: tokens.count + 1)
        var costs = [0] + Array(repeating: Int.max, count: tokens.count)
        for place in tokens.indices where costs[place] < Int.max {
            for (part, cost) in parts(at: place) where costs[place] + cost < costs[part.range.upperBound] {
                costs[part.range.upperBound] = costs[place] + cost
                best[part.range.upperBound] = (costs[place] + cost, part, place)
            }
        }
        var parts: [Part] = []
        var end = tokens.count
        while end > 0, let step = best[end] {
            parts.append(step.part)
            end = step.from
        }
        return parts.reversed().map { part in
            var part = part
            part.text = tokens.text(part.range, in: matcher.line)
            part.verb = verb(of: part)
            part.spans = tokens[part.range].map(\.range)
            return part
        }
    }

    /// Returns the verb with which a part begins. "Make" says nothing of what a tool does.
    private func verb(of part: Part) -> String? {
        let first = tokens[part.range.lowerBound]
        if let meaning = part.meaning, !meaning.tools.isEmpty, grammar.isLight(first) { return nil }
        return grammar.verb(first)
    }

    /// Whether a noun, or a path into JSON, fits the file. It does not in "the picture notes.txt".
    private func isConsistent(_ state: Matcher.State, _ meaning: Meaning) -> Bool {
        // "replace /usr/bin with …" is about a text.
        if meaning.kind == .overwrite, case .reference(let reference)? = state.bound["f"]?.value,
            let name = reference.plainName
        {
            return FileName.suffix(of: name) != nil
        }
        if state.bound["p"] != nil, case .reference(let reference)? = state.bound["f"]?.value,
            let name = reference.plainName
        {
            return FileName.type(of: name) == "json"
        }
        guard case .noun(let kind, _)? = state.bound["k"]?.value,
            case .reference(let reference)? = state.bound["f"]?.value,
            !(meaning.answer == "count" && reference.isFolder)
        else {
            return true
        }
        return grammar.fits(kind, reference)
    }

    /// Returns how badly the tools of a phrase fit the file that it binds, or else the files of the sentence. Of two
    /// tools with the same words, the one is meant that takes the file.
    private func distance(of meaning: Meaning, _ state: Matcher.State) -> Int {
        let tools = meaning.tools.compactMap { grammar.catalogue[$0] }.filter { !$0.inputs.isEmpty }
        // Words for a tool win over the same words without one: "zip" is rather done than looked for.
        guard !meaning.tools.isEmpty || meaning.template != nil else { return Cost.withoutTool }
        guard !tools.isEmpty else { return 0 }
        var names = fileNames
        if case .reference(let reference)? = state.bound["f"]?.value, let name = reference.plainName { names = [name] }
        return names.flatMap { name in tools.map { FileName.distance(of: name, from: $0) } }.min() ?? 0
    }

    private func cost(of meaning: Meaning) -> Int {
        if meaning.isRefusal { return meaning.isSure ? Cost.sureRefusal : Cost.refusal }
        if meaning.role == "place" { return Cost.place }
        if meaning.kind == .idle { return Cost.idlePhrase }
        // A question without an answer, such as "when you can", is not meant as one.
        return meaning.kind == .pronoun || meaning.answer == "question" ? Cost.pronoun : Cost.phrase
    }

    private func parts(at place: Int) -> [(Part, Int)] {
        let token = tokens[place]
        let alone = place..<(place + 1)
        var found: [(Part, Int)] = [(Part(kind: .unknown, range: alone), Cost.unknown * Cost.whole)]
        if token.isBreak {
            found.append((Part(kind: .pause(isStop: token.kind == .stop), range: alone), Cost.pause * Cost.whole))
        }
        if grammar.isFree(token) { found.append((Part(kind: .idle, range: alone), Cost.idle * Cost.whole)) }
        for phrase in grammar.phrases(beginningWith: token) {
            guard phrase.needs.allSatisfy({ !$0.isDisjoint(with: words) }) else { continue }
            if phrase.meaning.template != nil, !allowsTemplates { continue }
            for state in matcher.matches(phrase.pattern, at: place) where isConsistent(state, phrase.meaning) {
                let distance = distance(of: phrase.meaning, state)
                let base = cost(of: phrase.meaning) + (distance == FileName.farthest ? Cost.unfit : 0)
                found.append(
                    (
                        Part(kind: .phrase(phrase.meaning), range: place..<state.place, bound: state.bound),
                        (base + state.looseWords * Cost.looseWord) * Cost.whole + distance
                    ))
            }
        }
        return found
    }
}

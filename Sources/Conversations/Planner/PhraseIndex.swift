import JSON
import Synchronization
import Vocabulary

extension Limits {
    /// The most words of lines whose phrases are kept. All are read again when there are more.
    fileprivate static let keptWords = 10_000
}

/// The phrases of a language and of the tools. Each is found by the words with which it can begin, and read from its
/// text when a line first has such a word: of two thousand, a line needs those of its words.
final class PhraseIndex: Sendable {
    /// A phrase that was read.
    struct Phrase: Sendable {
        /// The place among all phrases. The first of two that explain the same words counts.
        let number: Int
        let pattern: Pattern
        var meaning: Meaning
        /// The words of which a sentence must have one each.
        let needs: [Set<Pattern.Need>]
        fileprivate let beginning: Pattern.Beginning

        fileprivate init(number: Int, _ pattern: Pattern, _ meaning: Meaning) {
            (self.number, self.pattern, self.meaning) = (number, pattern, meaning)
            (needs, beginning) = (pattern.needs, pattern.beginning)
        }
    }

    /// The phrases that were read so far.
    private struct Read {
        var reader: PatternReader
        var phrases: [Int: [Phrase]] = [:]
        var byWord: [String: [Phrase]] = [:]
        var byStem: [String: [Phrase]] = [:]
        var others: [Phrase]?
    }

    /// The most phrases that one source becomes: `ToolPhrase.mostChoices`, each with all sides of a choice.
    private static let mostOfSource = 1 << 16

    private let language: PlannerLanguage
    private let tools: [ToolManifest]
    private let sources: [PhraseSource]
    private let beginnings: PhraseBeginnings
    /// The words with a meaning, which cannot be names.
    let known: Set<String>
    /// The stems of verbs without a meaning of their own: "make".
    let light: Set<String>
    private let read: Mutex<Read>

    /// Finds the words of all phrases.
    init(_ language: PlannerLanguage, catalogue: Catalogue, templates: [String]) {
        (self.language, tools) = (language, catalogue.sorted)
        var words = PhraseWords(language)
        for phrase in language.phrases.indices { words.add(language.phrases[phrase], phrase) }
        for tool in tools.indices {
            guard let phrases = tools[tool].phrases[language.id] else { continue }
            words.add(phrases, of: tool, tools[tool].inputs, tools[tool].params)
        }
        words.addWords(of: tools)
        words.add(templates)
        (sources, beginnings, known, light) = (words.sources, words.beginnings, words.known, words.light)
        read = Mutex(Read(reader: PatternReader(groups: language.groups)))
    }

    /// Whether a phrase can begin with a stem.
    func hasVerb(_ stem: String) -> Bool { beginnings.hasStem(stem) }

    /// Returns the phrases that can begin with a word of this stem.
    func phrases(word: String, stem: String) -> [Phrase] {
        read.withLock { read in
            if read.byWord.count >= Limits.keptWords { (read.byWord, read.byStem) = ([:], [:]) }
            let words = read.byWord[word] ?? phrases(beginnings.sources(word: word), &read) { $0.words.contains(word) }
            let stems = read.byStem[stem] ?? phrases(beginnings.sources(stem: stem), &read) { $0.stems.contains(stem) }
            (read.byWord[word], read.byStem[stem]) = (words, stems)
            return words + stems
        }
    }

    /// Returns the phrases that can begin with a slot that takes a token.
    func phrases(taking token: Token) -> [Phrase] {
        let found = read.withLock { read in
            let found = read.others ?? phrases(beginnings.sourcesWithSlots, &read) { !$0.slots.isEmpty }
            read.others = found
            return found
        }
        return found.filter { $0.beginning.slots.contains { $0.canTake(token) } }
    }

    /// Reads all phrases, and returns the problems of those that cannot be read, with their places. A phrase that would
    /// not be found by what its pattern begins with is a problem, too.
    var problems: [Problem] {
        sources.indices.compactMap { number in
            guard case .text(let text, let phrase, let tool) = sources[number] else { return nil }
            let written = written(phrase, of: tool)
            do throws(Pattern.Fault) {
                let phrases = try read.withLock { read throws(Pattern.Fault) in try readings(of: number, &read.reader) }
                guard !phrases.allSatisfy({ isFound(number, by: $0.beginning) }) else { return nil }
                return Problem(
                    .badPattern, at: written.place, "No word finds the pattern \"\(written.patterns[text])\".")
            } catch {
                return Problem(.badPattern, at: written.place, error.words)
            }
        }
    }

    private func isFound(_ number: Int, by beginning: Pattern.Beginning) -> Bool {
        beginning.words.allSatisfy { beginnings.sources(word: $0).contains(number) }
            && beginning.stems.allSatisfy { beginnings.sources(stem: $0).contains(number) }
            && (beginning.slots.isEmpty || beginnings.sourcesWithSlots.contains(number))
    }

    private func written(_ phrase: Int, of tool: Int?) -> PlannerLanguage.Phrase {
        tool.flatMap { tools[$0].phrases[language.id]?[phrase] } ?? language.phrases[phrase]
    }

    // MARK: Reading

    /// Returns the phrases of some sources that begin as asked. Those that cannot be read are left out.
    private func phrases(
        _ numbers: [Int], _ read: inout Read, where begins: (Pattern.Beginning) -> Bool
    ) -> [Phrase] {
        var found: [Phrase] = []
        var bare: [Pattern: Int] = [:]
        for number in numbers {
            for phrase in phrases(of: number, &read) where begins(phrase.beginning) {
                // Tools that share a word are all meant by it. The file decides.
                if phrase.meaning.isBare, let twin = bare[phrase.pattern] {
                    found[twin].meaning.addTools(of: phrase.meaning)
                    continue
                }
                if phrase.meaning.isBare { bare[phrase.pattern] = found.count }
                found.append(phrase)
            }
        }
        return found
    }

    /// Returns the phrases of a source. There are none if it cannot be read.
    private func phrases(of number: Int, _ read: inout Read) -> [Phrase] {
        if let known = read.phrases[number] { return known }
        let phrases = Result { () throws(Pattern.Fault) in try readings(of: number, &read.reader) }
        read.phrases[number] = if case .success(let phrases) = phrases { phrases } else { [] }
        return read.phrases[number] ?? []
    }

    private func readings(of number: Int, _ reader: inout PatternReader) throws(Pattern.Fault) -> [Phrase] {
        var patterns: [(Pattern, Meaning)] = []
        switch sources[number] {
        case .pattern(let pattern, let meaning): patterns = [(pattern, meaning)]
        case .text(let text, let phrase, nil):
            let phrase = written(phrase, of: nil)
            patterns = [(try reader.read(phrase.patterns[text]), try Meaning(phrase.meaning))]
        case .text(let text, let phrase, let tool?):
            let phrase = written(phrase, of: tool)
            let readings = try ToolPhrase(phrase.patterns[text], phrase.meaning, of: tools[tool], &reader).readings
            for (pattern, meaning) in readings {
                // Each word alone may be one of another tool, too.
                let sides = if meaning.isBare, case .choice(let sides) = pattern { sides } else { [pattern] }
                patterns += sides.map { ($0, meaning) }
            }
        }
        return patterns.prefix(Self.mostOfSource).enumerated().map { place, pattern in
            Phrase(number: number * Self.mostOfSource + place, pattern.0, pattern.1)
        }
    }
}

import JSON
import Synchronization
import Vocabulary

/// The phrases of a language and of the tools. Each is found by the words with which it can begin, and read from its
/// text when a line first has such a word: of thousands, a line needs a few dozen.
final class PhraseIndex: Sendable {
    /// A phrase that was read.
    struct Phrase: Sendable {
        /// Its place among all phrases. The first of two that explain the same words counts.
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

    private enum Source {
        /// A pattern of the language, or of a tool.
        case text(String, PlannerLanguage.Phrase, tool: ToolManifest?)
        case pattern(Pattern, Meaning)
    }

    /// What was read so far.
    private struct Read {
        var reader: PatternReader
        var phrases: [Int: [Phrase]] = [:]
        var byWord: [String: [Phrase]] = [:]
        var byStem: [String: [Phrase]] = [:]
        var others: [Phrase]?
    }

    /// The most phrases that one source becomes: `ToolPhrase.mostChoices`, each with all sides of a choice.
    private static let mostOfSource = 1 << 16

    private let sources: [Source]
    private let byWord: [String: [Int]]
    private let byStem: [String: [Int]]
    /// The sources that begin with a slot.
    private let others: [Int]
    /// The words with a meaning, which cannot be names.
    let known: Set<String>
    /// The stems of verbs without a meaning of their own: "make".
    let light: Set<String>
    private let read: Mutex<Read>

    /// Finds the words of all phrases.
    init(_ language: PlannerLanguage, catalogue: Catalogue, templates: [String]) {
        var words = IndexedWords(language)
        for phrase in language.phrases { words.add(phrase, nil) }
        for tool in catalogue.sorted {
            for phrase in tool.phrases[language.id] ?? [] { words.add(phrase, tool) }
        }
        words.addWords(of: catalogue)
        words.add(templates)
        (sources, byWord, byStem) = (words.sources, words.byWord, words.byStem)
        (others, known, light) = (words.others, words.known, words.light)
        read = Mutex(Read(reader: PatternReader(groups: language.groups)))
    }

    /// Whether a phrase can begin with a stem.
    func hasVerb(_ stem: String) -> Bool { byStem[stem] != nil }

    /// Returns the phrases that can begin with a word of this stem.
    func phrases(word: String, stem: String) -> [Phrase] {
        read.withLock { read in
            let words = read.byWord[word] ?? phrases(byWord[word], &read) { $0.words.contains(word) }
            let stems = read.byStem[stem] ?? phrases(byStem[stem], &read) { $0.stems.contains(stem) }
            (read.byWord[word], read.byStem[stem]) = (words, stems)
            return words + stems
        }
    }

    /// Returns the phrases that can begin with a slot that takes a token.
    func phrases(taking token: Token) -> [Phrase] {
        let found = read.withLock { read in
            let found = read.others ?? phrases(others, &read) { !$0.slots.isEmpty }
            read.others = found
            return found
        }
        return found.filter { $0.beginning.slots.contains { $0.canTake(token) } }
    }

    /// Reads all phrases, and returns the problems of those that cannot be read, with their places. A phrase that would
    /// not be found by what its pattern begins with is a problem, too.
    var problems: [Problem] {
        sources.indices.compactMap { number in
            guard case .text(let text, let phrase, _) = sources[number] else { return nil }
            do throws(Pattern.Fault) {
                let phrases = try read.withLock { read throws(Pattern.Fault) in try readings(of: number, &read.reader) }
                guard !phrases.allSatisfy({ isFound(number, by: $0.beginning) }) else { return nil }
                return Problem(.badPattern, at: phrase.place, "No word finds the pattern \"\(text)\".")
            } catch {
                return Problem(.badPattern, at: phrase.place, error.words)
            }
        }
    }

    private func isFound(_ number: Int, by beginning: Pattern.Beginning) -> Bool {
        beginning.words.allSatisfy { byWord[$0]?.contains(number) ?? false }
            && beginning.stems.allSatisfy { byStem[$0]?.contains(number) ?? false }
            && (beginning.slots.isEmpty || others.contains(number))
    }

    // MARK: Reading

    /// Returns the phrases of some sources that begin as asked. Those that cannot be read are left out.
    private func phrases(
        _ numbers: [Int]?, _ read: inout Read, where begins: (Pattern.Beginning) -> Bool
    ) -> [Phrase] {
        var found: [Phrase] = []
        var bare: [Pattern: Int] = [:]
        for number in numbers ?? [] {
            let phrases = read.phrases[number] ?? (try? readings(of: number, &read.reader)) ?? []
            read.phrases[number] = phrases
            for phrase in phrases where begins(phrase.beginning) {
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

    private func readings(of number: Int, _ reader: inout PatternReader) throws(Pattern.Fault) -> [Phrase] {
        var patterns: [(Pattern, Meaning)] = []
        switch sources[number] {
        case .pattern(let pattern, let meaning): patterns = [(pattern, meaning)]
        case .text(let text, let phrase, nil):
            patterns = [(try reader.read(text), try Meaning(phrase.meaning))]
        case .text(let text, let phrase, let tool?):
            for (pattern, meaning) in try ToolPhrase(text, phrase.meaning, of: tool, &reader).readings {
                // Each word alone may be one of another tool, too.
                let sides = if meaning.isBare, case .choice(let sides) = pattern { sides } else { [pattern] }
                patterns += sides.map { ($0, meaning) }
            }
        }
        return patterns.prefix(Self.mostOfSource).enumerated().map { place, pattern in
            Phrase(number: number * Self.mostOfSource + place, pattern.0, pattern.1)
        }
    }

    /// The words of the phrases, while they are collected.
    private struct IndexedWords {
        private let language: PlannerLanguage
        private var finder: PatternWordFinder
        private var knownGroups: Set<String> = []
        private(set) var sources: [Source] = []
        private(set) var byWord: [String: [Int]] = [:]
        private(set) var byStem: [String: [Int]] = [:]
        private(set) var others: [Int] = []
        private(set) var known: Set<String> = []
        private(set) var light: Set<String> = []

        init(_ language: PlannerLanguage) {
            self.language = language
            finder = PatternWordFinder(groups: language.groups)
        }

        /// Adds the patterns of a phrase of the language or of a tool.
        mutating func add(_ phrase: PlannerLanguage.Phrase, _ tool: ToolManifest?) {
            let isRefusal = phrase.meaning["refuse"] != nil || phrase.meaning["forbid"] != nil
            let isLight = phrase.meaning["is"]?.string == Meaning.Kind.light.rawValue && phrase.meaning["give"] == nil
            for text in phrase.patterns {
                let words =
                    if let tool { finder.words(of: text, slots: { ToolPhrase.words(ofSlot: $0, of: tool) }) } else {
                        finder.words(of: text)
                    }
                add(.text(text, phrase, tool: tool), words.beginning)
                if isLight { light.formUnion(words.beginning.stems) }
                if tool != nil { known.formUnion(words.verbs) }
                if !isRefusal { known.formUnion(words.literals) }
                for name in words.groups { know(name, verbs: tool != nil, literals: !isRefusal) }
            }
        }

        private mutating func know(_ name: String, verbs: Bool, literals: Bool) {
            guard let group = finder.group(name) else { return }
            if verbs, knownGroups.insert("~" + name).inserted { known.formUnion(group.verbs) }
            if literals, knownGroups.insert(name).inserted { known.formUnion(group.literals) }
        }

        private mutating func add(_ source: Source, _ beginning: Pattern.Beginning) {
            let number = sources.count
            sources.append(source)
            for word in beginning.words where byWord[word]?.last != number { byWord[word, default: []].append(number) }
            for stem in beginning.stems where byStem[stem]?.last != number { byStem[stem, default: []].append(number) }
            if !beginning.slots.isEmpty { others.append(number) }
        }

        /// Adds the tools of the user by the bare words of their manifests. If several tools have the same word, it
        /// means each of them. A tool that names it earlier is preferred. Those that ship are found by their phrases
        /// alone.
        mutating func addWords(of catalogue: Catalogue) {
            var kinds: [String: [(place: Int, kind: String)]] = [:]
            for tool in catalogue.sorted where !tool.isShipped {
                for (place, word) in tool.says.enumerated() {
                    kinds[word.lowercased(), default: []].append((place, tool.kind))
                }
            }
            for (word, tools) in kinds.sorted(by: { $0.key < $1.key }) {
                let sorted = tools.sorted { ($0.place, $0.kind) < ($1.place, $1.kind) }.map(\.kind)
                let pattern: Pattern = language.hasStems ? .stem(Stem.of(word)) : .word(word)
                add(.pattern(pattern, Meaning(tools: sorted)), pattern.beginning)
                known.insert(word)
            }
        }

        /// Adds templates by their names.
        mutating func add(_ templates: [String]) {
            for name in templates.sorted() {
                let words = Stem.words(of: name)
                guard !words.isEmpty else { continue }
                let parts = words.map { Pattern.word($0) }
                let pattern = parts.count == 1 ? parts[0] : .sequence(parts)
                add(.pattern(pattern, Meaning(template: name)), pattern.beginning)
                known.formUnion(words)
            }
        }
    }
}

import Vocabulary

/// A language in the form that the planner uses: its phrases, with the tokens that each can begin with, and its words.
struct Grammar: Sendable {
    struct Phrase: Sendable {
        let pattern: Pattern
        var meaning: Meaning
        /// The words of which a sentence must have one each.
        let needs: [Set<Pattern.Need>]
    }

    /// The phrases that mean tools and nothing else, by their patterns.
    private var bare: [Pattern: Int] = [:]

    /// The problems of the language, with their places.
    private(set) var problems: [Problem] = []
    private(set) var phrases: [Phrase] = []
    private var byWord: [String: [Int]] = [:]
    private var byStem: [String: [Int]] = [:]
    /// Phrases that begin with a slot.
    private var others: [(number: Int, slots: Set<Slot>)] = []

    let catalogue: Catalogue
    private let language: PlannerLanguage
    private let idle: Set<String>
    private let references: Set<String>
    /// The stems of verbs without a meaning of their own: "make".
    private var light: Set<String> = []
    /// The words with a meaning, which cannot be names.
    private var known: Set<String> = []
    /// The names of parameters that accept a number.
    let params: Set<String>

    /// Reads a language for the tools of a catalogue and for templates by their names.
    init(_ language: PlannerLanguage, catalogue: Catalogue, templates: [String]) {
        self.language = language
        self.catalogue = catalogue
        idle = Set(language.idle)
        references = Set(language.references)
        params = Set(
            catalogue.sorted.flatMap { tool in
                tool.params.filter { $0.kind == .number || $0.kind == .integer }.map(\.name)
            })
        var reader = PatternReader(groups: language.groups)
        for phrase in language.phrases {
            do throws(Pattern.Fault) {
                let meaning = try Meaning(phrase.meaning)
                for text in phrase.patterns {
                    let words = try reader.read(text)
                    add(words.pattern, meaning)
                    if !meaning.isRefusal { known.formUnion(words.literals) }
                }
            } catch {
                problems.append(Problem(.badPattern, at: phrase.place, error.words))
            }
        }
        addPhrases(of: catalogue, &reader)
        addWords(of: catalogue)
        addTemplates(templates)
    }

    private mutating func add(_ pattern: Pattern, _ meaning: Meaning) {
        // Tools that share a word are all meant by it. The file decides.
        if meaning.isBare, let twin = bare[pattern] {
            phrases[twin].meaning.tools += meaning.tools.filter { !phrases[twin].meaning.tools.contains($0) }
            return
        }
        let number = phrases.count
        if meaning.isBare { bare[pattern] = number }
        phrases.append(Phrase(pattern: pattern, meaning: meaning, needs: pattern.needs))
        let beginning = pattern.beginning
        for word in beginning.words where byWord[word]?.last != number { byWord[word, default: []].append(number) }
        for stem in beginning.stems where byStem[stem]?.last != number { byStem[stem, default: []].append(number) }
        if !beginning.slots.isEmpty { others.append((number, beginning.slots)) }
        if meaning.kind == .light, meaning.gives.isEmpty { light.formUnion(beginning.stems) }
    }

    /// Adds the phrases that the manifests of tools have in this language.
    private mutating func addPhrases(of catalogue: Catalogue, _ reader: inout PatternReader) {
        for tool in catalogue.sorted {
            for phrase in tool.phrases[language.id] ?? [] {
                do throws(Pattern.Fault) {
                    for (words, meaning) in try ToolPhrase(phrase, of: tool, &reader).readings {
                        // Each word alone may be one of another tool, too.
                        let sides =
                            if meaning.isBare, case .choice(let sides) = words.pattern { sides } else {
                                [words.pattern]
                            }
                        for side in sides { add(side, meaning) }
                        known.formUnion(words.verbs)
                        if !meaning.isRefusal { known.formUnion(words.literals) }
                    }
                } catch {
                    problems.append(Problem(.badPattern, at: phrase.place, error.words))
                }
            }
        }
    }

    /// Adds the tools of the user by the bare words of their manifests. If several tools have the same word, it means
    /// each of them. A tool that names it earlier is preferred. Those that ship are found by their phrases alone.
    private mutating func addWords(of catalogue: Catalogue) {
        var kinds: [String: [(place: Int, kind: String)]] = [:]
        for tool in catalogue.sorted where !tool.isShipped {
            for (place, word) in tool.says.enumerated() {
                kinds[word.lowercased(), default: []].append((place, tool.kind))
            }
        }
        for (word, tools) in kinds.sorted(by: { $0.key < $1.key }) {
            let sorted = tools.sorted { ($0.place, $0.kind) < ($1.place, $1.kind) }.map(\.kind)
            add(language.hasStems ? .stem(Stem.of(word)) : .word(word), Meaning(tools: sorted))
            known.insert(word)
        }
    }

    private mutating func addTemplates(_ names: [String]) {
        for name in names.sorted() {
            let words = Stem.words(of: name).map { Pattern.word($0) }
            guard !words.isEmpty else { continue }
            add(words.count == 1 ? words[0] : .sequence(words), Meaning(template: name))
            known.formUnion(Stem.words(of: name))
        }
    }

    // MARK: Words

    /// Returns the phrases that can begin with a token.
    func phrases(beginningWith token: Token) -> [Int] {
        let words = token.isWord ? (byWord[token.word] ?? []) + (byStem[stem(of: token.word)] ?? []) : []
        return words
            + others.filter { phrase in !words.contains(phrase.number) && phrase.slots.contains { $0.canTake(token) } }
            .map(\.number)
    }

    func isIdle(_ token: Token) -> Bool { token.isWord && idle.contains(token.word) }

    /// Whether a word has no meaning, even outside of a phrase.
    func isFree(_ token: Token) -> Bool { isIdle(token) && !language.inner.contains(token.word) }

    /// Whether a word may stand before the one word of a text: "the".
    func leads(_ word: String) -> Bool { isIn("leading", word) }

    func stem(of word: String) -> String { language.hasStems ? Stem.of(word) : word }

    func isKnown(_ word: String) -> Bool {
        known.contains(word) || idle.contains(word) || byStem[stem(of: word)] != nil
    }

    /// Whether a word can be a text without quotes: it is not a noun, and begins no phrase except those that are
    /// answered in words.
    func isPlain(_ token: Token) -> Bool {
        guard token.isWord, !isIdle(token), noun(of: token) == nil else { return false }
        return ((byWord[token.word] ?? []) + (byStem[stem(of: token.word)] ?? [])).allSatisfy {
            phrases[$0].meaning.answer != nil
        }
    }

    func sign(of token: Token) -> String? { token.isWord ? language.signs[singular(token.word)] : nil }

    func number(of word: String) -> Double? { language.numbers[word] }

    func refers(_ token: Token) -> Bool {
        // The word as it was written, since a corrected slip may be meant as the text.
        let word = token.text.lowercased()
        return token.isWord && (references.contains(word) || idle.contains(word))
    }

    /// Whether a word stands for something that was named before: "it". No new name is called so.
    func isPronoun(_ token: Token) -> Bool { token.isWord && language.thread["them"]?.contains(token.word) ?? false }

    /// Whether a noun describes the kind of a file rightly.
    func fits(_ kind: String, _ reference: Reference) -> Bool {
        guard let name = reference.plainName else { return kind == "any" }
        return FileSet(what: kind, folder: nil).isKind(of: name)
    }

    /// Whether a word only announces a text: "the word foo".
    func announcesText(_ token: Token) -> Bool {
        token.isWord && references.contains(token.word) && !isIn("pronouns", token.word)
    }

    /// Returns the kind of files that a noun names, such as `image`, `any` or `jpg`, or nil if it names none.
    func noun(of token: Token) -> (kind: String, isPlural: Bool)? {
        guard token.isWord else { return nil }
        let singular = singular(token.word)
        if let kind = language.nouns[token.word] { return (kind, false) }
        if let kind = language.nouns[singular] { return (kind, singular != token.word) }
        if FileName.words.contains(token.word) { return nil }
        if FileName.extensions.contains(token.word) { return (FileName.format(token.word), false) }
        if FileName.extensions.contains(singular) { return (FileName.format(singular), true) }
        return nil
    }

    /// Returns the format of pictures or documents with this name, or nil if there is none.
    func format(of word: String) -> String? {
        let singular = singular(word)
        return FileName.formats.contains(singular) ? FileName.format(singular) : nil
    }

    private func singular(_ word: String) -> String {
        if let singular = language.plurals[word] { return singular }
        return language.hasStems && word.count > 3 && word.hasSuffix("s") && !word.hasSuffix("ss")
            ? String(word.dropLast()) : word
    }

    /// Returns the unit that a word names, or nil if it names none.
    func unit(of word: String) -> Token.Unit? { word.count > 1 ? Token.Unit(language.units[word]) : nil }

    /// Whether a word belongs to a group of the language, which must consist of single words.
    private func isIn(_ group: String, _ word: String) -> Bool { language.groups[group]?.contains(word) ?? false }

    func isArticle(_ word: String) -> Bool { isIn("article", word) }
    func isAnd(_ word: String) -> Bool { isIn("and", word) }
    func greets(_ word: String) -> Bool { isIn("greeting", word.lowercased()) }
    func thanks(_ word: String) -> Bool { isIn("gratitude", word.lowercased()) }
    /// Whether a word separates two orders, so that a text cannot continue over it.
    func partsOrders(_ token: Token) -> Bool { token.isWord && isIn("then", token.word) }
    func isJoint(_ token: Token) -> Bool { partsOrders(token) || token.isWord && isAnd(token.word) }
    /// Whether a word describes the text after it, or the text's place.
    func qualifies(_ token: Token) -> Bool { token.isWord && isIn("qualifiers", token.word) }
    /// Whether a word says how many are meant, so that the next one is a noun: "all photos".
    func isQuantity(_ token: Token) -> Bool {
        token.isWord ? isIn("quantities", token.word) || number(of: token.word) != nil : token.isNumber
    }
    func isVoid(_ token: Token) -> Bool { token.isWord && isIn("voids", token.word) }
    func isColor(_ token: Token) -> Bool { token.isWord && isIn("colors", token.word) }
    func isPreposition(_ token: Token) -> Bool { token.isWord && isIn("prepositions", token.word) }
    func isFolder(_ word: String) -> Bool { isIn("folder", word) }

    /// Returns the verb that a word is: one in any of its forms, or the word of a tool. Returns nil for other words.
    func verb(_ token: Token) -> String? {
        guard token.isWord, byStem[stem(of: token.word)] != nil || isIn("verbs", token.word) else { return nil }
        return token.word
    }
    func isLight(_ token: Token) -> Bool { token.isWord && light.contains(stem(of: token.word)) }
    func isOf(_ word: String) -> Bool { isIn("of", word) }

    // MARK: Slips

    /// Returns the word that a mistyped word probably means, if there is exactly one. An idle word counts only if two
    /// letters are swapped. A word that deletes never counts.
    func meant(by word: String) -> String? {
        guard word.count >= 3, !isKnown(word), number(of: word) == nil, language.units[word] == nil,
            language.nouns[word] == nil
        else {
            return nil
        }
        let meant = known.union(idle).filter { other in
            guard abs(other.count - word.count) <= 1, Slip.isTypo(word, of: other), !Meaning.destroying.contains(other)
            else { return false }
            return idle.contains(other) || word.count < 5
                ? word.count == other.count && word.sorted() == other.sorted() : true
        }
        return meant.count == 1 ? meant.first : nil
    }
}

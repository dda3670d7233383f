import Vocabulary

/// A language in the form that the planner uses: its phrases, with the tokens that each can begin with, and its words.
struct Grammar: Sendable {
    private let index: PhraseIndex
    let catalogue: Catalogue
    private let language: PlannerLanguage
    private let idle: Set<String>
    private let references: Set<String>
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
        index = PhraseIndex(language, catalogue: catalogue, templates: templates)
    }

    /// The problems of the language and of the phrases of tools, with their places.
    var problems: [Problem] { index.problems }

    // MARK: Words

    /// Returns the phrases that can begin with a token.
    func phrases(beginningWith token: Token) -> [PhraseIndex.Phrase] {
        let words = token.isWord ? phrases(beginningWith: token.word) : []
        let numbers = Set(words.map(\.number))
        return words + index.phrases(taking: token).filter { !numbers.contains($0.number) }
    }

    private func phrases(beginningWith word: String) -> [PhraseIndex.Phrase] {
        index.phrases(word: word, stem: stem(of: word))
    }

    func isIdle(_ token: Token) -> Bool { token.isWord && idle.contains(token.word) }

    /// Whether a word has no meaning, even outside of a phrase.
    func isFree(_ token: Token) -> Bool { isIdle(token) && !language.inner.contains(token.word) }

    /// Whether a word may stand before the one word of a text: "the".
    func leads(_ word: String) -> Bool { isIn("leading", word) }

    func stem(of word: String) -> String { language.hasStems ? Stem.of(word) : word }

    func isKnown(_ word: String) -> Bool {
        index.known.contains(word) || idle.contains(word) || index.hasVerb(stem(of: word))
    }

    /// Whether a word can be a text without quotes: it is not a noun, and begins no phrase except those that are
    /// answered in words.
    func isPlain(_ token: Token) -> Bool {
        guard token.isWord, !isIdle(token), noun(of: token) == nil else { return false }
        return phrases(beginningWith: token.word).allSatisfy { $0.meaning.answer != nil }
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
        guard token.isWord, index.hasVerb(stem(of: token.word)) || isIn("verbs", token.word) else { return nil }
        return token.word
    }
    func isLight(_ token: Token) -> Bool { token.isWord && index.light.contains(stem(of: token.word)) }
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
        // A slip keeps the first letter, or has it as its second one.
        let beginnings = Set(word.prefix(2).compactMap(\.utf8.first))
        func canBe(_ other: String) -> Bool { other.utf8.first.map(beginnings.contains) ?? false }
        let meant = index.known.filter(canBe).union(idle.filter(canBe)).filter { other in
            guard abs(other.count - word.count) <= 1, Slip.isTypo(word, of: other), !Meaning.destroying.contains(other)
            else { return false }
            return idle.contains(other) || word.count < 5
                ? word.count == other.count && word.sorted() == other.sorted() : true
        }
        return meant.count == 1 ? meant.first : nil
    }
}

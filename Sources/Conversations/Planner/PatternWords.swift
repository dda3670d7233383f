/// The words of a pattern, found without reading it into a tree: those with which a match can begin, and all. Most
/// patterns are never read, since no word of a line begins them.
struct PatternWords: Sendable {
    /// The tokens with which a match can begin, but for those of groups. A word may be listed twice.
    var beginning = Pattern.Beginning()
    /// The groups with which a match can begin.
    var beginningGroups: [String] = []
    /// The words in the pattern, to one of which a mistyped word may be corrected. Those of its groups are not listed.
    var literals: [String] = []
    /// The words that stand for all their forms, without those of its groups.
    var verbs: [String] = []
    /// The names of the groups in the pattern.
    var groups: [String] = []
    /// Whether the pattern can match nothing.
    fileprivate var canBeEmpty = false
}

/// Finds the words of the patterns of a language. Each group is searched once.
struct PatternWordFinder {
    /// The words of a slot, or its kind. Nil for a slot that has no meaning.
    enum SlotWords {
        case kind(Slot)
        /// The choices of a parameter, each as its words.
        case choices([[String]])
    }
    typealias SlotReader = (String) -> SlotWords?

    private let texts: [String: [String]]
    private var found: [String: PatternWords] = [:]
    private var open: Set<String> = []
    private var stems: [String: String] = [:]

    /// - Parameter groups: the texts of the named patterns.
    init(groups: [String: [String]]) { texts = groups }

    /// Returns the words of a pattern. Of one that cannot be read, they are those before its error.
    mutating func words(of text: String, slots: SlotReader = Self.slot) -> PatternWords {
        guard PatternText.isReadable(text) else { return PatternWords() }
        var search = PatternSearch(text)
        search.words.canBeEmpty = search.choice(&self, slots)
        return search.words
    }

    /// Returns the kind of a slot that is written out: `n:length`.
    static func slot(_ text: String) -> SlotWords? { PatternReader.slot(text).map { .kind($0.slot) } }

    /// Returns the words of a group, those of the groups in it included, or nil if there is none.
    mutating func group(_ name: String) -> PatternWords? {
        if let known = found[name] { return known }
        guard let texts = texts[name], open.insert(name).inserted else { return nil }
        defer { open.remove(name) }
        var whole = PatternWords()
        for text in texts {
            let side = words(of: text)
            for words in [side] + side.beginningGroups.compactMap({ group($0) }) {
                whole.beginning.add(words.beginning)
            }
            whole.canBeEmpty = whole.canBeEmpty || side.canBeEmpty
            for words in [side] + side.groups.compactMap({ group($0) }) {
                whole.literals += words.literals
                whole.verbs += words.verbs
            }
        }
        found[name] = whole
        return whole
    }

    fileprivate mutating func stem(_ word: String) -> String {
        if let stem = stems[word] { return stem }
        let stem = Stem.of(word)
        stems[word] = stem
        return stem
    }
}

extension Pattern.Beginning {
    fileprivate mutating func add(_ other: Self) {
        words += other.words
        stems += other.stems
        slots.formUnion(other.slots)
    }
}

/// A search in the text of one pattern, in the notation that `PatternReader` reads. Each method returns whether what it
/// passed can match nothing.
private struct PatternSearch {
    private var text: PatternText
    /// Whether a match can begin here.
    private var isBeginning = true
    var words = PatternWords()

    init(_ text: String) { self.text = PatternText(text) }

    mutating func choice(_ finder: inout PatternWordFinder, _ slots: PatternWordFinder.SlotReader) -> Bool {
        let isBeginning = isBeginning
        var canBeEmpty = false
        repeat {
            self.isBeginning = isBeginning
            canBeEmpty = sequence(&finder, slots) || canBeEmpty
        } while text.skip(.bar)
        self.isBeginning = isBeginning
        return canBeEmpty
    }

    private mutating func sequence(_ finder: inout PatternWordFinder, _ slots: PatternWordFinder.SlotReader) -> Bool {
        var canBeEmpty = true
        while let byte = text.next, byte != .bar, byte != .close {
            guard !text.skip(.space) else { continue }
            let isMissing = part(&finder, slots)
            guard !text.skip(.question), !isMissing else { continue }
            (canBeEmpty, isBeginning) = (false, false)
        }
        return canBeEmpty
    }

    private mutating func part(_ finder: inout PatternWordFinder, _ slots: PatternWordFinder.SlotReader) -> Bool {
        switch text.next {
        case .open:
            text.skip(.open)
            let canBeEmpty = choice(&finder, slots)
            text.skip(.close)
            return canBeEmpty
        case .brace:
            if let slot = text.name(closedBy: .endBrace).flatMap({ slots($0) }) { add(slot) }
            return false
        case .angle:
            guard let name = text.name(closedBy: .endAngle), let group = finder.group(name) else { return false }
            words.groups.append(name)
            if isBeginning { words.beginningGroups.append(name) }
            return group.canBeEmpty
        case .tilde:
            text.skip(.tilde)
            let word = text.word()
            words.verbs.append(word)
            if isBeginning { words.beginning.stems.append(finder.stem(word)) }
        default:
            let word = text.word()
            words.literals.append(word)
            if isBeginning { words.beginning.words.append(word) }
        }
        return false
    }

    private mutating func add(_ slot: PatternWordFinder.SlotWords) {
        switch slot {
        case .kind(let kind): if isBeginning { words.beginning.slots.insert(kind) }
        case .choices(let choices):
            words.literals += choices.joined()
            if isBeginning { words.beginning.words += choices.compactMap(\.first) }
        }
    }
}

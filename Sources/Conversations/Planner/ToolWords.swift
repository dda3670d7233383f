import Vocabulary

/// The words that manifests say, as cues: which tools a word calls for.
struct ToolWords: Sendable {
    let catalogue: Catalogue
    let index: ToolIndex
    private var tools: [String: [ToolManifest]] = [:]

    init(_ catalogue: Catalogue) {
        self.catalogue = catalogue
        index = ToolIndex(catalogue)
        var places: [String: [(place: Int, tool: ToolManifest)]] = [:]
        for tool in catalogue.sorted {
            for (place, word) in tool.says.enumerated() { places[Stem.of(word.lowercased()), default: []].append((place, tool)) }
        }
        // The tool that says a word first means it most.
        tools = places.mapValues { $0.sorted { $0.place < $1.place }.map(\.tool) }
    }

    func saying(_ word: String) -> [ToolManifest] { tools[Stem.of(word)] ?? [] }

    /// Words that tools say and that are everyday words: never a cue by themselves.
    static let structural: Set<String> = Lexicon.prepositions.union(Lexicon.determiners).union(Lexicon.pronouns).union(Lexicon.nouns)
        .union(Lexicon.politeness).union(Lexicon.lightVerbs).subtracting(["turn", "archive"]).union([
            "called", "named", "how", "what", "which", "many", "large", "big", "less", "most", "max", "maximum", "limit", "under", "below",
            "together",
            "note", "form", "letter", "literal", "say", "says", "layer", "logo", "unsharp", "api", "http", "https", "request", "part",
            "area", "region",
            "show", "open", "print", "read", "load", "list", "length", "soft", "save", "store", "keep", "export", "write", "as", "wide",
            "tall", "high",
            "size", "left", "down", "blanks", "instead", "tool", "run", "execute", "bash", "get", "take", "replace", "swap", "substitute",
            "change", "degrees",
        ])

    private static let weak: Set<String> = ["turn", "smaller", "bigger", "shrink", "scale", "enlarge", "resize"]

    /// The step a word calls for, also where a long word is mistyped; slips never lead to what deletes or executes.
    func step(for token: Token, at place: Int) -> Step? {
        guard token.isWord, !Self.structural.contains(token.word) else { return nil }
        var found = saying(token.word)
        if found.isEmpty { found = slip(of: token.word) }
        found.removeAll {
            $0.isLoader || $0.isSaver || $0.effects.contains(.deletes) || $0.effects.contains(.executes)
                || $0.params.contains { $0.kind == .url }
        }
        guard let first = found.first else { return nil }
        return Step(tool: first, word: token.word, place: place, others: Array(found.dropFirst()), isWeak: Self.weak.contains(token.word))
    }

    private func slip(of word: String) -> [ToolManifest] {
        guard word.count >= 5, !Lexicon.filler.contains(word), !Self.structural.contains(word) else { return [] }
        for (stem, tools) in tools.sorted(by: { $0.key < $1.key }) where stem.count >= 4 && !Self.structural.contains(stem) {
            if Lexicon.isSlip(Stem.of(word), of: stem) { return tools }
        }
        return []
    }

    func isKnown(_ word: String) -> Bool {
        Lexicon.isFiller(word) || !saying(word).isEmpty || !slip(of: word).isEmpty || Lexicon.extensions.contains(Self.singular(word))
            || Lexicon.comparatives.contains(word) || Lexicon.ceilings.contains(word) || Lexicon.floors.contains(word)
            || Lexicon.questionWords.contains(word) || Negation.words.contains(word) || Self.other.contains(word)
    }

    static let other: Set<String> = [
        "overwrite", "overwriting", "replacing", "inplace", "copy", "duplicate", "original", "originals", "half", "double", "twice",
        "quarter", "strong",
        "strongly", "heavy", "heavily", "lightly", "gentle", "gently", "much", "except", "excluding", "each", "forget", "again", "instead",
        "look", "looks",
        "add", "place", "lay", "paste", "append", "tell", "know", "see", "find", "exactly", "square", "contain", "contains", "there",
        "present", "available",
        "somehow", "paint", "use", "fit", "fits", "big", "large", "small", "tiny", "long", "longest", "largest", "shortest", "wide", "tall",
        "high", "how",
        "many", "more", "less", "most", "least", "bigger", "smaller", "unless", "else", "either", "exceed", "exceeding", "color", "colors",
        "colours", "give",
        "gives", "stay", "stays", "called", "named", "say", "says", "greyed", "sideways", "upright", "occupy", "weigh", "weighs",
        "kilobytes",
    ]

    static func singular(_ word: String) -> String { word.count > 3 && word.hasSuffix("s") ? String(word.dropLast()) : word }

    /// The tool for a figure nobody claims, by the words of its unit.
    func tool(saying words: String, where fits: (ToolManifest) -> Bool) -> ToolManifest? {
        index.ranked(by: words).first { fits($0.tool) }?.tool
    }
}

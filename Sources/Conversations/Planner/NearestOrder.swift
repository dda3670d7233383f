import Vocabulary

extension Limits {
    /// The most tools whose phrases are tried for a sentence.
    fileprivate static let nearTools = 6

    /// The most sentences that are tried as the nearest order.
    fileprivate static let nearOrders = 60
}

/// The order that is nearest to a sentence which was not understood: a phrase of the tool that its words name best,
/// with the files, figures and quoted texts of the sentence.
struct NearestOrder {
    let planner: BuiltInPlanner
    let listing: Listing

    /// Returns an order that works, or nil if there is none that takes all files of the sentence. Nothing that deletes
    /// or runs a program is offered in the place of other words.
    func sentence(for line: String) -> String? {
        let tokens = planner.tokens(of: line, listing: listing)
        let given = GivenWords(tokens)
        let asks = tokens.first.map { planner.language.thread["questions"]?.contains($0.word) ?? false } ?? false
        guard !given.files.isEmpty, !given.hasFigures, !asks else { return nil }
        let stems = Set(tokens.filter(\.isWord).compactMap(telling))
        let near = planner.catalogue.sorted.compactMap { tool -> (tool: ToolManifest, words: Int)? in
            guard tool.effects.isDisjoint(with: [.deletes, .executes]) else { return nil }
            let words = Set(tool.says.map { Stem.of($0.lowercased()) }).intersection(stems).count
            return words == 0 ? nil : (tool, words)
        }.sorted { $0.words > $1.words }
        var tried = 0
        for tool in near.prefix(Limits.nearTools).map(\.tool) {
            for pattern in ToolPhrase.written(of: tool, planner.language) {
                guard let said = sentence(pattern, given) else { continue }
                tried += 1
                guard tried <= Limits.nearOrders else { return nil }
                if planner.isPlan(said, listing: listing) { return said }
            }
        }
        return nil
    }

    /// Returns the stem of a word that says what is to be done. A kind of file, or "make", does not.
    private func telling(_ token: Token) -> String? {
        guard !planner.grammar.isIdle(token), !planner.grammar.isLight(token), planner.grammar.noun(of: token) == nil
        else { return nil }
        return Stem.of(token.word)
    }

    /// Returns the sentence of a pattern that says all that is given, or nil if it cannot.
    private func sentence(_ pattern: Pattern, _ given: GivenWords) -> String? {
        let slots = pattern.fileSlots
        guard slots <= given.files.count else { return nil }
        var rest = given
        let files = given.files.joined(separator: " \(planner.language.thread["and"]?.first ?? "and") ")
        if slots == 1 { rest.places = [files] }
        guard let said = pattern.sentence({ rest.take($0) }), !rest.holdsTexts else { return nil }
        guard slots == 0 else { return rest.places.isEmpty ? said : nil }
        // A verb alone: "sepia".
        return said.contains(" ") ? nil : "\(said) \(files)"
    }
}

/// The files and texts of a sentence, which fill the slots of another one in their order.
private struct GivenWords {
    private(set) var files: [String] = []
    /// Whether it has figures. What they mean is not guessed.
    private(set) var hasFigures = false
    var places: ArraySlice<String>
    private var texts: ArraySlice<String>

    init(_ tokens: [Token]) {
        var texts: [String] = []
        for token in tokens {
            switch token.kind {
            case .file, .glob, .url, .outside: files.append(token.text)
            case .quoted(let text): texts.append("\"\(text)\"")
            case .missing(let name): texts.append(name)
            case .number, .size: hasFigures = true
            case .word, .code, .dotted, .comma, .stop: break
            }
        }
        (places, self.texts) = (files[...], texts[...])
    }

    /// Whether a text of the sentence would be lost.
    var holdsTexts: Bool { !texts.isEmpty }

    /// Returns the words that fill a slot, or nil if the sentence has none left.
    mutating func take(_ slot: Slot) -> String? {
        switch slot {
        case .file: places.popFirst()
        case .name, .label, .place, .new, .text, .quoted, .word, .plain, .field, .dotted: texts.popFirst()
        case .number, .count, .length, .side, .percent, .degrees, .seconds, .bytes, .megapixels, .size, .folder, .noun,
            .format, .param, .url, .command, .workflow, .color, .sign, .foreign:
            nil
        }
    }
}

extension Pattern {
    /// The number of slots for files in the plainest sentence that it matches.
    fileprivate var fileSlots: Int {
        switch self {
        case .word, .stem, .maybe: 0
        case .slot(_, let slot): slot == .file ? 1 : 0
        case .choice(let sides): sides.first?.fileSlots ?? 0
        case .sequence(let parts): parts.reduce(0) { $0 + $1.fileSlots }
        }
    }

    /// Returns the plainest sentence that the pattern matches, or nil if a slot cannot be filled.
    fileprivate func sentence(_ fill: (Slot) -> String?) -> String? {
        switch self {
        case .word(let word), .stem(let word): return word
        case .slot(_, let slot): return fill(slot)
        case .maybe: return ""
        case .choice(let sides): return sides.first?.sentence(fill)
        case .sequence(let parts):
            var words: [String] = []
            for part in parts {
                guard let said = part.sentence(fill) else { return nil }
                if !said.isEmpty { words.append(said) }
            }
            return words.joined(separator: " ")
        }
    }
}

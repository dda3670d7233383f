import JSON
import Vocabulary

/// A pattern that is not read yet.
enum PhraseSource {
    /// A pattern of a phrase of the language, or of a tool, by their places.
    case text(Int, phrase: Int, tool: Int?)
    case pattern(Pattern, Meaning)
}

/// The words of the phrases, while they are collected.
struct PhraseWords {
    private let hasStems: Bool
    private var finder: PatternWordFinder
    private var knownGroups: Set<String> = []
    private(set) var sources: [PhraseSource] = []
    private(set) var beginnings = PhraseBeginnings()
    private(set) var known: Set<String> = []
    private(set) var light: Set<String> = []

    init(_ language: PlannerLanguage) {
        hasStems = language.hasStems
        finder = PatternWordFinder(groups: language.groups)
    }

    /// Adds the patterns of a phrase of the language.
    mutating func add(_ phrase: PlannerLanguage.Phrase, _ number: Int) {
        let isLight = phrase.meaning["is"]?.string == Meaning.Kind.light.rawValue && phrase.meaning["give"] == nil
        for place in phrase.patterns.indices {
            let words = finder.words(of: phrase.patterns[place])
            add(words, .text(place, phrase: number, tool: nil), isRefusal: phrase.isRefusal)
            guard isLight else { continue }
            light.formUnion(words.beginning.stems)
            for name in words.beginningGroups { light.formUnion(finder.group(name)?.beginning.stems ?? []) }
        }
    }

    /// Adds the patterns of the phrases of a tool, which is the one of that number.
    ///
    /// - Parameters:
    ///   - inputs: its inputs, which slots of the patterns name.
    ///   - params: its parameters, which slots name, too.
    mutating func add(
        _ phrases: [PlannerLanguage.Phrase], of tool: Int, _ inputs: [Port], _ params: [ToolManifest.Param]
    ) {
        for number in phrases.indices {
            for place in phrases[number].patterns.indices {
                let words = finder.words(of: phrases[number].patterns[place]) {
                    ToolPhrase.words(ofSlot: $0, inputs, params)
                }
                add(words, .text(place, phrase: number, tool: tool), isRefusal: phrases[number].isRefusal)
                known.formUnion(words.verbs)
                for name in words.groups where knownGroups.insert("~" + name).inserted {
                    known.formUnion(finder.group(name)?.verbs ?? [])
                }
            }
        }
    }

    private mutating func add(_ words: PatternWords, _ source: PhraseSource, isRefusal: Bool) {
        for name in words.beginningGroups where !beginnings.knows(name) {
            beginnings.set(finder.group(name)?.beginning ?? Pattern.Beginning(), of: name)
        }
        beginnings.add(words.beginning, words.beginningGroups, of: sources.count)
        sources.append(source)
        guard !isRefusal else { return }
        known.formUnion(words.literals)
        for name in words.groups where knownGroups.insert(name).inserted {
            known.formUnion(finder.group(name)?.literals ?? [])
        }
    }

    /// Adds the tools of the user by the bare words of their manifests. If several tools have the same word, it
    /// means each of them. A tool that names it earlier is preferred. Those that ship are found by their phrases
    /// alone.
    mutating func addWords(of tools: [ToolManifest]) {
        var kinds: [String: [(place: Int, kind: String)]] = [:]
        for tool in tools where !tool.isShipped {
            for (place, word) in tool.says.enumerated() {
                kinds[word.lowercased(), default: []].append((place, tool.kind))
            }
        }
        for (word, tools) in kinds.sorted(by: { $0.key < $1.key }) {
            let sorted = tools.sorted { ($0.place, $0.kind) < ($1.place, $1.kind) }.map(\.kind)
            add(hasStems ? .stem(Stem.of(word)) : .word(word), Meaning(tools: sorted))
            known.insert(word)
        }
    }

    /// Adds templates by their names.
    mutating func add(_ templates: [String]) {
        for name in templates.sorted() {
            let words = Stem.words(of: name)
            guard !words.isEmpty else { continue }
            let parts = words.map { Pattern.word($0) }
            add(parts.count == 1 ? parts[0] : .sequence(parts), Meaning(template: name))
            known.formUnion(words)
        }
    }

    private mutating func add(_ pattern: Pattern, _ meaning: Meaning) {
        beginnings.add(pattern.beginning, of: sources.count)
        sources.append(.pattern(pattern, meaning))
    }
}

extension PlannerLanguage.Phrase {
    /// Whether its words are refused.
    fileprivate var isRefusal: Bool { meaning["refuse"] != nil || meaning["forbid"] != nil }
}

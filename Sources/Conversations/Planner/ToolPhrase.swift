import JSON
import Vocabulary

/// A phrase of a tool's manifest in the form of the planner: patterns whose slots have kinds, each with its meaning.
///
/// In a manifest a slot is only named: an input port takes a file, and a parameter takes what fits its type. The words
/// of a choice stand in the pattern, so that each choice is a pattern of its own.
struct ToolPhrase {
    /// The most patterns that one pattern with choices becomes.
    private static let mostChoices = 64

    /// The patterns, each with its meaning.
    private(set) var readings: [(words: ReadPattern, meaning: Meaning)] = []

    /// Reads the phrase of a tool.
    ///
    /// - Throws: what cannot be read in a pattern or the meaning.
    init(
        _ phrase: PlannerLanguage.Phrase, of tool: ToolManifest, _ reader: inout PatternReader
    ) throws(Pattern.Fault) {
        var meaning = try Meaning(phrase.meaning)
        meaning.tools = [tool.kind]
        for text in phrase.patterns {
            var meaning = meaning
            var choices: [ToolManifest.Param] = []
            let words = try reader.read(text) { slot in Self.slot(slot, of: tool, &meaning, &choices) }
            var open = [(words, meaning)]
            for param in choices {
                open = Array(open.flatMap { Self.chosen($0.0, $0.1, param) }.prefix(Self.mostChoices))
            }
            readings += open.map { ($0.0, $0.1) }
        }
    }

    /// Returns the patterns of a tool in a language, each word in the form in which it is written. Phrases that cannot
    /// be read are left out.
    static func written(of tool: ToolManifest, _ language: PlannerLanguage) -> [Pattern] {
        var reader = PatternReader(groups: language.groups, readsForms: false)
        return (tool.phrases[language.id] ?? []).flatMap { phrase in
            ((try? ToolPhrase(phrase, of: tool, &reader).readings) ?? []).map(\.words.pattern)
        }
    }

    /// Returns the name and kind of a slot, and adds what it gives to the meaning.
    ///
    /// - Parameter choices: gets the parameter whose choices take the place of the slot.
    private static func slot(
        _ text: String, of tool: ToolManifest, _ meaning: inout Meaning, _ choices: inout [ToolManifest.Param]
    ) -> (name: String, slot: Slot)? {
        let parts = text.split(separator: ":")
        let name = parts.first.map { String($0) } ?? text
        if tool.inputs.contains(where: { $0.name == name }) {
            meaning.role = meaning.role ?? "object"
            return ("f", .file)
        }
        guard let param = tool.param(name) else { return PatternReader.slot(text) }
        guard param.kind != .choice else {
            if !choices.contains(where: { $0.name == name }) { choices.append(param) }
            return (name, .word)
        }
        meaning.with[name] = .slot(name)
        guard parts.count > 1 else { return (name, slot(for: param)) }
        return Slot(rawValue: String(parts[1])).map { (name, $0) }
    }

    /// Returns a pattern for each choice of a parameter.
    private static func chosen(
        _ words: ReadPattern, _ meaning: Meaning, _ param: ToolManifest.Param
    ) -> [(ReadPattern, Meaning)] {
        param.choices.map { choice in
            var (words, meaning) = (words, meaning)
            meaning.with[param.name] = .constant(.string(choice))
            let said = Stem.words(of: choice)
            let literals = said.isEmpty ? [choice] : said
            let parts = literals.map { Pattern.word($0) }
            words.literals += literals
            words.pattern = words.pattern.replacing(
                slot: param.name, with: parts.count == 1 ? parts[0] : .sequence(parts))
            return (words, meaning)
        }
    }

    /// Returns the kind of words that fill a parameter.
    private static func slot(for param: ToolManifest.Param) -> Slot {
        switch (param.kind, param.unit) {
        case (.integer, "px"), (.number, "px"): .length
        case (.integer, "%"), (.number, "%"): .percent
        case (.integer, "°"), (.number, "°"): .degrees
        case (.integer, "s"), (.number, "s"): .seconds
        case (.integer, "KB"), (.number, "KB"), (.integer, "MB"), (.number, "MB"): .bytes
        case (.integer, _): .count
        case (.number, _): .number
        case (.path, _): .name
        case (.url, _): .url
        case (.json, _): .field
        case (.text, _), (.flag, _), (.choice, _), (.list, _): .text
        }
    }
}

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
    private(set) var readings: [(pattern: Pattern, meaning: Meaning)] = []

    /// Reads a pattern of a tool.
    ///
    /// - Parameters:
    ///   - text: the pattern.
    ///   - meaning: the meaning as the manifest has it.
    /// - Throws: what cannot be read in the pattern or the meaning.
    init(
        _ text: String, _ meaning: JSON.Object, of tool: ToolManifest, _ reader: inout PatternReader
    ) throws(Pattern.Fault) {
        var meaning = try Meaning(meaning)
        meaning.tools = [tool.kind]
        var choices: [ToolManifest.Param] = []
        let pattern = try reader.read(text) { slot in Self.slot(slot, of: tool, &meaning, &choices) }
        readings = [(pattern, meaning)]
        for param in choices {
            readings = Array(readings.flatMap { Self.chosen($0.pattern, $0.meaning, param) }.prefix(Self.mostChoices))
        }
    }

    /// Returns the patterns of a tool in a language, each word in the form in which it is written. Patterns that cannot
    /// be read are left out.
    static func written(of tool: ToolManifest, _ language: PlannerLanguage) -> [Pattern] {
        var reader = PatternReader(groups: language.groups, readsForms: false)
        return (tool.phrases[language.id] ?? []).flatMap { phrase in
            phrase.patterns.flatMap { text in
                ((try? ToolPhrase(text, phrase.meaning, of: tool, &reader).readings) ?? []).map(\.pattern)
            }
        }
    }

    /// The part of a tool that a slot names, or its name and kind as they are written.
    private enum Named {
        case input
        /// The place of the parameter, and the kind of words that fill it.
        case param(Int, Slot)
        case written(name: String, Slot)
    }

    /// Returns what a slot of a tool with these inputs and parameters names, or nil if it has no meaning.
    private static func named(_ text: String, _ inputs: [Port], _ params: [ToolManifest.Param]) -> Named? {
        let parts = text.split(separator: ":")
        let name = parts.first ?? text[...]
        if inputs.contains(where: { $0.name == name }) { return .input }
        guard let place = params.firstIndex(where: { $0.name == name }) else {
            return PatternReader.slot(text).map { .written(name: $0.name, $0.slot) }
        }
        if params[place].kind == .choice { return .param(place, .word) }
        guard parts.count > 1 else { return .param(place, slot(for: params[place])) }
        return Slot(rawValue: String(parts[1])).map { .param(place, $0) }
    }

    /// Returns the words or the kind of a slot of a tool with these inputs and parameters, or nil if it has no meaning.
    static func words(
        ofSlot text: String, _ inputs: [Port], _ params: [ToolManifest.Param]
    ) -> PatternWordFinder.SlotWords? {
        switch named(text, inputs, params) {
        case .input: .kind(.file)
        case .param(let place, let slot):
            params[place].kind == .choice ? .choices(params[place].choices.map(words)) : .kind(slot)
        case .written(_, let slot): .kind(slot)
        case nil: nil
        }
    }

    /// Returns the name and kind of a slot, and adds what it gives to the meaning.
    ///
    /// - Parameter choices: gets the parameter whose choices take the place of the slot.
    private static func slot(
        _ text: String, of tool: ToolManifest, _ meaning: inout Meaning, _ choices: inout [ToolManifest.Param]
    ) -> (name: String, slot: Slot)? {
        switch named(text, tool.inputs, tool.params) {
        case .input:
            meaning.role = meaning.role ?? "object"
            return ("f", .file)
        case .param(let place, let slot):
            let param = tool.params[place]
            if param.kind != .choice {
                meaning.with[param.name] = .slot(param.name)
            } else if !choices.contains(where: { $0.name == param.name }) {
                choices.append(param)
            }
            return (param.name, slot)
        case .written(let name, let slot): return (name, slot)
        case nil: return nil
        }
    }

    /// Returns a pattern for each choice of a parameter.
    private static func chosen(
        _ pattern: Pattern, _ meaning: Meaning, _ param: ToolManifest.Param
    ) -> [(pattern: Pattern, meaning: Meaning)] {
        param.choices.map { choice in
            var meaning = meaning
            meaning.with[param.name] = .constant(.string(choice))
            let parts = words(of: choice).map { Pattern.word($0) }
            return (
                pattern.replacing(slot: param.name, with: parts.count == 1 ? parts[0] : .sequence(parts)), meaning
            )
        }
    }

    /// Returns the words of a choice. There is at least one.
    private static func words(of choice: String) -> [String] {
        let said = Stem.words(of: choice)
        return said.isEmpty ? [choice] : said
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

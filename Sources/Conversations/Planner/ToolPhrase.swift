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
    private(set) var readings: [(pattern: String, meaning: JSON.Object)] = []

    init(_ phrase: PlannerLanguage.Phrase, of tool: ToolManifest) {
        for text in phrase.patterns {
            var meaning = phrase.meaning
            meaning["do"] = .string(tool.kind)
            var open = [(text, meaning)]
            for name in Self.slots(of: text) {
                open = open.flatMap { Self.filled($0.0, $0.1, name, of: tool) }
                if open.count > Self.mostChoices { open = Array(open.prefix(Self.mostChoices)) }
            }
            readings += open.map { ($0.0, $0.1) }
        }
    }

    /// Returns the contents of the braces of a pattern.
    private static func slots(of text: String) -> [String] {
        var seen: Set<String> = []
        return text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map {
            String($0.prefix { $0 != "}" })
        }.filter { seen.insert($0).inserted }
    }

    private static func filled(_ text: String, _ meaning: JSON.Object, _ slot: String, of tool: ToolManifest) -> [(
        String, JSON.Object
    )] {
        let parts = slot.split(separator: ":").map(String.init)
        let name = parts.first ?? slot
        var meaning = meaning
        if tool.inputs.contains(where: { $0.name == name }) {
            if meaning["file"] == nil { meaning["file"] = "object" }
            return [(text.replacing("{\(slot)}", with: "{f:file}"), meaning)]
        }
        guard let param = tool.param(name) else { return [(text, meaning)] }
        var with = meaning["with"]?.object ?? JSON.Object()
        guard param.kind != .choice else {
            return param.choices.map { choice in
                var (meaning, with) = (meaning, with)
                with[name] = .string(choice)
                meaning["with"] = .object(with)
                let words = Stem.words(of: choice).joined(separator: " ")
                return (text.replacing("{\(slot)}", with: words.isEmpty ? choice : words), meaning)
            }
        }
        with[name] = .string("$\(name)")
        meaning["with"] = .object(with)
        let kind = parts.count > 1 ? parts[1] : Self.slot(for: param).rawValue
        return [(text.replacing("{\(slot)}", with: "{\(name):\(kind)}"), meaning)]
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

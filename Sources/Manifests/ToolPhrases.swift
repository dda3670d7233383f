import JSON
import Vocabulary

/// Reads the phrases of a tool in one language: texts, or `{say: …, with: {…}, file: of}`.
extension Fields {
    mutating func phrases(_ member: YAML.Member, of tool: ToolManifest) -> [PlannerLanguage.Phrase] {
        guard case .list(let entries) = member.value.value else {
            report(.badField, line: member.line, "The phrases of \"\(member.key)\" must be a list.")
            return []
        }
        return entries.compactMap { phrase($0, of: tool) }
    }

    private mutating func phrase(_ yaml: YAML, of tool: ToolManifest) -> PlannerLanguage.Phrase? {
        var meaning = JSON.Object()
        var patterns: [String] = []
        if let text = yaml.json.string {
            patterns = [text]
        } else if let object = yaml.json.object {
            meaning = object
            patterns = object["say"]?.string.map { [$0] } ?? object["say"]?.array?.compactMap(\.string) ?? []
            meaning["say"] = nil
        }
        guard !patterns.isEmpty else {
            report(.badField, line: yaml.line, "A phrase is a text, or an object with \"say\".")
            return nil
        }
        if meaning["do"] != nil {
            report(.badField, line: yaml.line, "A phrase of a tool has no \"do\": it means this tool.")
        }
        for name in meaning["with"]?.object?.keys ?? [] where tool.param(name) == nil {
            report(.badField, line: yaml.line, "\"with\" names \"\(name)\", which is no parameter.")
        }
        for name in patterns.flatMap(Placeholders.names) where !name.contains(":") {
            let isPort = tool.inputs.contains { $0.name == name }
            let isParam = tool.param(name).map { $0.kind != .flag } ?? false
            guard !isPort, !isParam else { continue }
            report(
                .badPattern, line: yaml.line,
                "The slot {\(name)} is no input and no parameter that words can fill; a flag stands under \"with\".")
        }
        for pattern in patterns where Self.isEmptyWithoutSlots(pattern) {
            report(.badPattern, line: yaml.line, "The pattern \"\(pattern)\" has no word besides its slots.")
        }
        return PlannerLanguage.Phrase(patterns: patterns, meaning: meaning, place: "\(file):\(yaml.line)")
    }

    /// Whether a pattern has no words besides its slots, so that it would match anything.
    private static func isEmptyWithoutSlots(_ pattern: String) -> Bool {
        var depth = 0
        return !pattern.contains { sign in
            if sign == "{" { depth += 1 } else if sign == "}" { depth -= 1 }
            return depth == 0 && (sign.isLetter || sign == "<")
        }
    }
}

package import JSON
package import Vocabulary

extension Limits {
    /// The most tools in the result of `find_tools`.
    package static let toolsFound = 8

    /// The most values of a parameter in the line about a kind.
    fileprivate static let choicesInLine = 10
}

/// The kinds that match some words best, for the result of `find_tools`.
package struct FoundKinds {
    /// The first kinds, the best first.
    package let tools: [ToolManifest]
    private let count: Int
    private let catalogue: Catalogue

    /// Finds kinds by words.
    package init(_ words: String, in catalogue: Catalogue) {
        // Kinds by their own names stand first.
        let written = words.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        let named = catalogue.sorted.filter { written.contains($0.kind.lowercased()) }
        let ranked = ToolIndex(catalogue).ranked(by: Self.parted(words)).map(\.tool).filter { !named.contains($0) }
        tools = Array((named + ranked).prefix(Limits.toolsFound))
        (count, self.catalogue) = (named.count + ranked.count, catalogue)
    }

    /// Returns words with a space in front of each capital letter behind a small one: `JoinPDFs` is `Join PDFs`.
    private static func parted(_ words: String) -> String {
        var (parted, last) = ("", Character(" "))
        for character in words {
            if character.isUppercase, last.isLowercase { parted.append(" ") }
            parted.append(character)
            last = character
        }
        return parted
    }

    /// Returns the kinds, each with its ports and parameters, and the number of the other matches.
    ///
    /// - Parameter unconnected: the reasons why kinds are not connected, by kind.
    package func json(unconnected: [String: String] = [:]) -> JSON {
        let cards = tools.map { tool in
            PlannerTools.card(
                of: tool,
                why: catalogue.unavailable[tool.kind]?.words ?? unconnected[tool.kind].map { "not connected: \($0)" })
        }
        guard count > cards.count else { return .array(cards) }
        return .array(
            cards + [.string("… \(count - cards.count) more of \(count) kinds fit. Ask with closer words …")])
    }
}

extension PlannerTools {
    /// Returns one line about a tool: `Resize(image: image; width: integer px, height: integer px) → image: image`.
    static func line(of tool: ToolManifest) -> String {
        let inputs = tool.inputs.map { "\($0.name): \($0.type)\($0.isVariadic ? "*" : $0.isOptional ? "?" : "")" }
            .joined(separator: ", ")
        let params = tool.params.map { param in
            "\(param.name): \(values(of: param))"
                + (param.unit.map { " \($0)" } ?? "") + (param.isRequired ? " (required)" : "")
        }.joined(separator: ", ")
        let outputs = tool.outputs.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
        return "\(tool.kind)(\(inputs)\(tool.hasOpenPorts ? "…" : ""); \(params)) → \(outputs). \(tool.summary)"
    }

    private static func values(of param: ToolManifest.Param) -> String {
        guard !param.choices.isEmpty else { return param.kind.rawValue }
        let more = param.choices.count - Limits.choicesInLine
        let words =
            param.choices.prefix(Limits.choicesInLine).joined(separator: "|") + (more > 0 ? "|… \(more) more" : "")
        return param.kind == .list ? "list of \(words) or codes" : words
    }

    fileprivate static func card(of tool: ToolManifest, why unavailable: String?) -> JSON {
        .of([
            "kind": .string(tool.kind), "use": .string(line(of: tool)),
            "effects": .array(tool.effects.sorted().map { .string($0.rawValue) }),
            "unavailable": unavailable.map { .string($0) },
        ])
    }
}

extension Catalogue {
    /// Returns the line about a kind with its ports and parameters, or nil if there is none.
    package func line(of kind: String) -> String? { self[kind].map(PlannerTools.line) }

    /// Returns up to three kinds that a wrong name may mean: by its letters, or by the words of the manifests.
    func kinds(near name: String) -> [String] {
        let similar = NearestWord.of(name, among: sorted.map(\.kind))
        let ranked = ToolIndex(self).ranked(by: name).map(\.tool.kind).filter { $0 != similar }
        return Array(([similar].compactMap(\.self) + ranked).prefix(3))
    }
}

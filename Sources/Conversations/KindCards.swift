package import JSON
package import Vocabulary

extension Limits {
    /// The most tools in the result of `find_tools`.
    package static let toolsFound = 8
}

extension PlannerTools {
    /// Returns the tools that match the words best, each with its ports and parameters, and the number of the other
    /// matches.
    ///
    /// - Parameter missing: returns why a kind is not connected, or nil.
    package static func found(
        _ query: String, in catalogue: Catalogue, missing: (ToolManifest) -> String? = { _ in nil }
    ) -> JSON {
        let ranked = ToolIndex(catalogue).ranked(by: query)
        let told = ranked.prefix(Limits.toolsFound).map {
            card(of: $0.tool, why: catalogue.unavailable[$0.tool.kind]?.words ?? missing($0.tool).map { "not connected: \($0)" })
        }
        guard ranked.count > told.count else { return .array(told) }
        return .array(
            told + [
                .string("… \(ranked.count - told.count) more of \(ranked.count) tools fit. Ask with closer words …")
            ])
    }

    /// Returns one line about a tool: `Resize(image: image; width: integer px, height: integer px) → image: image`.
    static func line(of tool: ToolManifest) -> String {
        let inputs = tool.inputs.map { "\($0.name): \($0.type)\($0.isVariadic ? "*" : $0.isOptional ? "?" : "")" }
            .joined(separator: ", ")
        let params = tool.params.map { param in
            "\(param.name): \(param.choices.isEmpty ? param.kind.rawValue : param.choices.joined(separator: "|"))"
                + (param.unit.map { " \($0)" } ?? "") + (param.isRequired ? " (required)" : "")
        }.joined(separator: ", ")
        let outputs = tool.outputs.map { "\($0.name): \($0.type)" }.joined(separator: ", ")
        return "\(tool.kind)(\(inputs)\(tool.hasOpenPorts ? "…" : ""); \(params)) → \(outputs). \(tool.summary)"
    }

    private static func card(of tool: ToolManifest, why unavailable: String?) -> JSON {
        .of([
            "kind": .string(tool.kind), "use": .string(line(of: tool)),
            "effects": .array(tool.effects.sorted().map { .string($0.rawValue) }),
            "unavailable": unavailable.map { .string($0) },
        ])
    }
}

extension Catalogue {
    /// Returns up to three kinds that a wrong name may mean: by its letters, or by the words of the manifests.
    func kinds(near name: String) -> [String] {
        let similar = NearestWord.of(name, among: sorted.map(\.kind))
        let ranked = ToolIndex(self).ranked(by: name).map(\.tool.kind).filter { $0 != similar }
        return Array(([similar].compactMap(\.self) + ranked).prefix(3))
    }
}

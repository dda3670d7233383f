import JSON
import Vocabulary

/// The part of the builder for folders that are taken as a whole.
extension PlanBuilder {
    /// Adds the step that copies a folder. Without a place, the copy gets the next free name beside it.
    mutating func copy(_ source: Intent.Source, of flow: inout Flow, to path: String?) throws(Refusal) {
        guard let tool = draft.catalogue.sorted.first(where: \.copiesFolders) else {
            throw Refusal("No tool here copies a folder.")
        }
        guard var to = path ?? freeName(source.name, "") else {
            throw Refusal("There is no free name beside \(source.name). Give one.")
        }
        if to.hasSuffix("/") { to += FileName.base(of: source.name) }
        guard !listing.files.contains(where: { $0.name == to }) else { throw OrderReader.isThere(to) }
        guard !FileName.folder(to).hasPrefix(FileName.folder(source.name)) else {
            throw Refusal("\(source.name) cannot be copied into itself. Name another place.")
        }
        var params = JSON.Object()
        params["from"] = .string(source.name)
        params["to"] = .string(to)
        _ = draft.add(tool, params: params)
        verbs.append("copy")
        flow.isSaved = true
    }

    /// Returns a step that packs one file or folder, with an archive that is named after it.
    func namedAlone(_ step: Step, _ flows: [Flow]) -> Step {
        guard flows.count == 1, let source = flows[0].source, !source.isURL, step.params["name"] == nil,
            let usual = step.tool.param("name")?.defaultValue?.string, let dot = usual.firstIndex(of: ".")
        else { return step }
        var step = step
        let base = FileName.base(of: source.name)
        let stem = source.isFolder ? base : base.lastIndex(of: ".").map { String(base[..<$0]) } ?? base
        step.params["name"] = .string((stem.isEmpty ? base : stem) + usual[dot...])
        return step.ordered
    }
}

import JSON
import Vocabulary

/// A workflow for a single call of a tool: loaders for its files, the step, a saver for its result.
struct SingleCall {
    private(set) var template: JSON

    /// Makes the workflow from the arguments of `call_tool`.
    ///
    /// - Throws: `unknownKind`, `badArguments`.
    init(_ arguments: JSON, catalogue: Catalogue) throws(Failure) {
        guard let kind = arguments["kind"]?.string else {
            throw Failure(.badArguments, "call_tool needs \"kind\", a text.")
        }
        guard let tool = catalogue[kind] else {
            let near = catalogue.kinds(near: kind).joined(separator: ", ")
            let fault = catalogue.unavailable[kind].map { " \($0.words)" } ?? ""
            throw Failure(
                .unknownKind, "There is no tool \"\(kind)\"." + fault + (near.isEmpty ? "" : " Near are \(near)."))
        }
        var draft = Draft(catalogue: catalogue)
        let feeds = try Self.feeds(arguments["files"], of: tool)
        let values = feeds.map { draft.load($0.path, for: $0.port.type) }
        let step = draft.add(tool, params: arguments["params"]?.object ?? JSON.Object())
        for (feed, value) in zip(feeds, values) {
            draft.connect(value, to: step, port: feed.name, type: feed.port.type)
        }
        let target = arguments["save_as"]?.string
        if let output = tool.outputs.first, target != nil || tool.makesFiles {
            draft.save(Draft.Value(node: step, port: output.name, type: output.type), path: target)
        }
        template = draft.json(name: ([kind] + feeds.map(\.path)).prefix(4).joined(separator: " "))
    }

    private static func feeds(_ files: JSON?, of tool: ToolManifest) throws(Failure) -> [(
        name: String, port: Port, path: String
    )] {
        var feeds: [(name: String, port: Port, path: String)] = []
        for member in files?.object?.members ?? [] {
            guard let port = tool.inputs.first(where: { $0.name == member.key }) else {
                let known = tool.inputs.map(\.name).joined(separator: ", ")
                throw Failure(
                    .badArguments,
                    "\(tool.kind) has no input \"\(member.key)\"; it has \(known.isEmpty ? "none" : known).")
            }
            let paths = (member.value.array ?? [member.value]).compactMap(\.string)
            guard port.isVariadic ? !paths.isEmpty : paths.count == 1 else {
                throw Failure(
                    .badArguments,
                    "\"\(member.key)\" takes \(port.isVariadic ? "paths of files" : "the path of one file").")
            }
            for (number, path) in paths.enumerated() {
                feeds.append((port.isVariadic ? "\(port.name).\(number + 1)" : port.name, port, path))
            }
        }
        return feeds
    }
}

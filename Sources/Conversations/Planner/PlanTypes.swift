import JSON
import Vocabulary

extension PlanBuilder {
    // MARK: Types

    mutating func load(_ flow: inout Flow, for type: PortType?, fetcher: ToolManifest?, of step: Step? = nil)
        throws(Refusal)
    {
        guard flow.value == nil, let source = flow.source else { return }
        guard !source.isFolder else { throw Refusal("\(source.name) is a folder. Name the files in it.") }
        let type = type ?? (source.isURL ? .any : PortType(source.type))
        guard !source.isURL else {
            flow.value = try fetch(source, for: type, by: fetcher)
            return
        }
        let fits: Bool =
            switch (type.name, source.type) {
            case ("image", "image"), ("mask", "image"), ("json", "json"), ("file", _), ("any", _): true
            case _ where FileName.types(of: source.name).contains(type.name): true
            case ("text", let kind): kind == "text" || kind == "json" || FileName.suffix(of: source.name) == nil
            default: false
            }
        guard fits else {
            throw Refusal("\(step?.called ?? "This") takes \(Self.inWords(type)); \(source.name) is not one.")
        }
        flow.value = draft.load(source.name, for: type)
    }

    static func inWords(_ type: PortType) -> PlannerText {
        switch type.name {
        case "image": "a picture"
        case "text": "a text"
        case "json": "JSON"
        case "mask": "a mask"
        case "csv": "a table (csv)"
        case "pdf": "a PDF"
        case "sound": "a sound file"
        case "film": "a film"
        case "archive": "an archive"
        default: "a file"
        }
    }

    /// Adds a step that loads from an address, and returns its output. Uses the tool that the verb calls for, or
    /// otherwise one whose output fits the type.
    mutating func fetch(_ source: Intent.Source, for type: PortType, by fetcher: ToolManifest?) throws(Refusal)
        -> Draft.Value
    {
        let tools = draft.catalogue.sorted.filter {
            $0.param("url")?.isRequired == true && $0.inputs.allSatisfy(\.isOptional)
        }
        func output(_ tool: ToolManifest) -> Port? {
            tool.outputs.first { $0.type == type } ?? tool.outputs.first { type.accepts($0.type) }
        }
        let exact = tools.first { $0.outputs.contains { $0.type == type } }
        let first = type == .image || type == .file || type == .any ? tools.first { $0.outputs.count == 1 } : exact
        guard let tool = fetcher ?? first ?? tools.first, let port = output(tool) else {
            throw Refusal("No tool here loads from the web.")
        }
        var params = JSON.of(["url": .string(source.name)]).object ?? JSON.Object()
        for (name, value) in source.params.sorted(by: { $0.key < $1.key }) { params[name] = .string(value) }
        let node = draft.add(tool, params: params)
        if fetcher != nil || draft.nodes.count == 1 { verbs.append(tool.verb) }
        return Draft.Value(node: node, port: port.name, type: port.type)
    }

    /// Returns an output that fits the input of a step: the current one, or another output of the same tool.
    func plug(_ flow: Flow, into type: PortType, of step: Step) throws(Refusal) -> Draft.Value {
        guard let value = flow.value else { throw Refusal("Nothing comes to \(step.called).") }
        guard let maker = flow.maker else { return value }
        if type.accepts(value.type) { return value }
        guard let port = maker.outputs.first(where: { type.accepts($0.type) }) else {
            throw Refusal(
                "\(step.called) takes \(Self.inWords(type)), but \(maker.title) gives \(maker.outputs.map { Self.inWords($0.type).inEnglish }.joined(separator: " and "))."
            )
        }
        return Draft.Value(node: value.node, port: port.name, type: port.type)
    }
}

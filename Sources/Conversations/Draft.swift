import JSON
import Vocabulary

extension Limits {
    /// The characters of a command that are the title of its workflow.
    fileprivate static let commandTitleCharacters = 40
}

/// A workflow under construction. Its nodes are tools, and an edge starts from a value.
struct Draft {
    /// The output of a port of a node.
    struct Value: Hashable {
        var node: Int
        var port: String
        var type: PortType
    }

    struct Node {
        var tool: ToolManifest
        var params: JSON.Object
        /// The outputs that this node declares with a wider type than its tool.
        var widened: Set<String> = []
    }

    private struct Edge {
        var from: Value
        var node: Int
        var port: String
    }

    let catalogue: Catalogue
    private(set) var nodes: [Node] = []
    private var edges: [Edge] = []

    /// The loaders that were looked up already, by type, since there may be ten thousand files.
    private var loaders: [PortType: ToolManifest] = [:]

    init(catalogue: Catalogue) {
        self.catalogue = catalogue
    }

    mutating func add(_ tool: ToolManifest, params: JSON.Object = JSON.Object()) -> Int {
        nodes.append(Node(tool: tool, params: params))
        return nodes.count - 1
    }

    /// Adds a loader for a file, the one that fits the type best, and returns its output.
    mutating func load(_ path: String, for type: PortType) -> Value {
        guard let tool = loader(for: type), let output = tool.outputs.first,
            let param = tool.params.first(where: \.isRequired)
        else {
            return Value(node: 0, port: "", type: .any)
        }
        var params = JSON.Object()
        params[param.name] = .string(path)
        return Value(node: add(tool, params: params), port: output.name, type: output.type)
    }

    private mutating func loader(for type: PortType) -> ToolManifest? {
        if let known = loaders[type] { return known }
        loaders[type] = catalogue.loader(for: type)
        return loaders[type]
    }

    /// Adds an edge. If the types do not fit, the output is declared as `any`: the user named the file for this use
    /// (JSON in a text file, a picture as a mask), and the tool checks it when it runs.
    mutating func connect(_ value: Value, to node: Int, port: String, type: PortType) {
        if !type.accepts(value.type) { nodes[value.node].widened.insert(value.port) }
        edges.append(Edge(from: value, node: node, port: port))
    }

    mutating func save(_ value: Value, path: String?, overwrite: Bool = false) {
        guard let saver = catalogue.saver, let input = saver.inputs.first else { return }
        var params = JSON.Object()
        if let path { params["path"] = .string(path) }
        if overwrite { params["overwrite"] = true }
        connect(value, to: add(saver, params: params), port: input.name, type: input.type)
    }

    /// Passes a value through a tool that accepts any port (`Delay`).
    mutating func pass(_ value: Value, through tool: ToolManifest, params: JSON.Object) -> Value {
        let node = add(tool, params: params)
        edges.append(Edge(from: value, node: node, port: value.port))
        return Value(node: node, port: value.port, type: .any)
    }

    mutating func setParam(_ name: String, _ value: JSON, of node: Int) { nodes[node].params[name] = value }

    // MARK: JSON

    /// Returns the draft as `app.workflow/v2`. The id of a node is the first word of its tool, with a number if several
    /// nodes have the same word.
    func json(name: String) -> JSON {
        let ids = self.ids
        return .of([
            "schema": .string(Template.schema), "name": .string(name),
            "nodes": .array(
                zip(ids, nodes).map { id, node in
                    .of([
                        "id": .string(id), "kind": .string(node.tool.kind), "params": .object(node.params),
                        "outputs": node.widened.isEmpty ? nil : Self.outputs(node.widened),
                    ])
                }),
            "edges": .array(
                edges.map { edge in
                    [
                        "from": [.string(ids[edge.from.node]), .string(edge.from.port)],
                        "to": [.string(ids[edge.node]), .string(edge.port)],
                    ]
                }),
        ])
    }

    private static func outputs(_ names: Set<String>) -> JSON {
        var object = JSON.Object()
        for name in names.sorted() { object[name] = .string(PortType.any.name) }
        return .object(object)
    }

    private var ids: [String] {
        let counts = Dictionary(grouping: nodes, by: \.tool.verb).mapValues(\.count)
        var used: [String: Int] = [:]
        return nodes.map { node in
            let verb = node.tool.verb
            guard counts[verb, default: 0] > 1 else { return verb }
            used[verb, default: 0] += 1
            return "\(verb)\(used[verb]!)"
        }
    }
}

extension Step {
    /// The word for the step in the title of its workflow. For a command, it is the first words of the command.
    var title: String {
        let title = tool.title.lowercased()
        return commandTitle ?? verb ?? (tool.makesFiles && title.hasPrefix(tool.verb) ? tool.verb : title)
    }

    private var commandTitle: String? {
        guard case .builtin("shell") = tool.action, let command = params["command"]?.string else { return nil }
        return Self.commandTitle(of: command)
    }

    /// Returns the first words of a command, or nil if it has none.
    static func commandTitle(of command: String) -> String? {
        let words = command.prefix(Limits.commandTitleCharacters * 4).split { $0.isWhitespace || $0.isNewline }
        let title = words.joined(separator: " ")
        guard !title.isEmpty else { return nil }
        let isWhole = title.count <= Limits.commandTitleCharacters && command.count <= Limits.commandTitleCharacters * 4
        return isWhole ? title : title.prefix(Limits.commandTitleCharacters - 1) + "…"
    }
}

extension ToolManifest {
    /// The first word of the tool, in the form of a node id: `resize`.
    var verb: String {
        let word = (says.first ?? kind).lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return word.isEmpty ? kind.lowercased() : word
    }

    /// Whether the tool makes pictures of a format that is chosen.
    var makesFormats: Bool { params.contains { $0.kind == .choice && $0.choices.contains("png") } }

    /// Whether the results of the tool are saved in the folder unless the user says otherwise: those of the same kind as
    /// an input, and all that are no text. Results that only describe something (dimensions, a count, a list) are shown.
    var makesFiles: Bool {
        guard outputs.count == 1, let output = outputs.first, !inputs.isEmpty else { return false }
        let told: [PortType] = [.text, .json, .any]
        return inputs.contains { $0.type == output.type }
            || !told.contains(output.type) && effects.isEmpty && !isPersons
    }

    private var isPersons: Bool {
        if case .person = action { true } else { false }
    }
}

extension Catalogue {
    func loader(for type: PortType) -> ToolManifest? {
        let loaders = sorted.filter(\.isLoader)
        let wanted =
            type == .any ? PortType.file : [.json, .csv].contains(type) ? .text : type == .mask ? .image : type
        return loaders.first { $0.outputs[0].type == wanted } ?? loaders.first { $0.outputs[0].type == .file }
            ?? loaders.first
    }

    var saver: ToolManifest? { sorted.first(where: \.isSaver) }
}

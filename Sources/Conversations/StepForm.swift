import JSON
import Vocabulary

extension Limits {
    /// The most problems of a proposed workflow that are listed before the graph is read.
    fileprivate static let stepProblems = 50
}

/// The form in which the tool `workflow` proposes steps: each names its kind, its parameters, and for each input
/// the output or the file that feeds it. It becomes a graph of `app.workflow/v2`.
struct StepForm {
    private let catalogue: Catalogue
    private(set) var problems: [Problem] = []
    private var nodes: [JSON] = []
    private var edges: [JSON] = []
    private var kinds: [String: String] = [:]
    private var loaders: [String: String] = [:]
    /// The step that is read, with wrong words replaced by those that were probably meant.
    private var repaired = JSON.null
    /// The steps with problems. Those that they feed may have others for the same reason.
    private var faulty: Set<String> = []
    private var starved: Set<String> = []

    /// Reads steps. All problems are collected.
    init(_ steps: [JSON], catalogue: Catalogue) {
        self.catalogue = catalogue
        for step in steps.prefix(Limits.templateNodes) {
            guard let id = step["id"]?.string, let kind = step["kind"]?.string else { continue }
            kinds[id] = kind
        }
        for (index, step) in steps.enumerated() where problems.count < Limits.stepProblems {
            let before = problems.count
            repaired = step
            read(step, index + 1)
            guard problems.count > before else { continue }
            if let id = step["id"]?.string { faulty.insert(id) }
            if repaired != step { problems[problems.count - 1].message += " Write: \(repaired.text)" }
        }
        for step in steps where feeds(step).contains(where: faulty.contains) {
            if let id = step["id"]?.string { starved.insert(id) }
        }
    }

    /// The steps whose problems in the graph may follow from one of the form alone: those with one, and those that
    /// they feed.
    var doubtful: Set<String> { faulty.union(starved) }

    /// Returns the steps that feed a step.
    private func feeds(_ step: JSON) -> [String] {
        (step["in"]?.object?.members ?? []).flatMap { $0.value.array ?? [$0.value] }.compactMap { source in
            source.string?.split(separator: ".", maxSplits: 1).first.map(String.init)
        }
    }

    /// Returns the graph of the steps.
    func graph(named name: String) -> JSON {
        [
            "schema": .string(Template.schema), "name": .string(name), "nodes": .array(nodes),
            "edges": .array(edges),
        ]
    }

    private static let keys: Set<String> = ["id", "kind", "params", "in", "after"]

    private mutating func read(_ step: JSON, _ number: Int) {
        guard let object = step.object, let id = step["id"]?.string, !id.isEmpty, let kind = step["kind"]?.string else {
            return add(.missingField, "step \(number)", "A step needs \"id\" and \"kind\".")
        }
        guard let tool = catalogue[kind] else { return addUnknown(kind, at: id) }
        var params = step["params"]?.object ?? JSON.Object()
        for member in object.members where !Self.keys.contains(member.key) {
            guard tool.param(member.key) != nil else {
                add(
                    .unknownKey, id,
                    "A step has no \"\(member.key)\". It has id, kind, params, in and after.")
                repaired = repaired.replacing(member.key, with: nil)
                continue
            }
            // Some models write parameters beside the kind.
            params[member.key] = member.value
        }
        nodes.append(
            .of([
                "id": .string(id), "kind": .string(kind), "params": .object(params),
                "after": step["after"].flatMap { $0.isNull ? nil : $0.string.map { .array([.string($0)]) } ?? $0 },
            ]))
        for member in step["in"]?.object?.members ?? [] {
            for source in member.value.array ?? [member.value] { feed(member.key, of: id, tool, from: source) }
        }
    }

    private mutating func feed(_ name: String, of id: String, _ tool: ToolManifest, from source: JSON) {
        guard let port = tool.inputs.first(where: { $0.name == name }) ?? openPort(name, of: tool) else {
            let known = tool.inputs.map(\.name)
            let meant = known.count == 1 ? known[0] : NearestWord.of(name, among: known)
            if let meant { repair { $0.renaming(name, to: meant) } }
            return add(
                .unknownPort, id,
                "\(tool.kind) has no input \"\(name)\""
                    + (known.isEmpty ? "." : ": it has \(known.joined(separator: ", "))."))
        }
        guard let text = source.string, !text.isEmpty else {
            return add(.wrongType, id, "in.\(name) is \"step.port\" or \"file:PATH\".")
        }
        if text.hasPrefix("file:") {
            return edge(from: load(String(text.dropFirst(5)), for: port.type), to: id, name)
        }
        let parts = text.split(separator: ".", maxSplits: 1).map(String.init)
        if kinds[parts[0]] == nil, case .output? = AssetName(parsing: text) {
            return edge(from: result(text), to: id, name)
        }
        guard let kind = kinds[parts[0]] else {
            repair { $0.replacing(text, of: name, with: "file:\(text)") }
            return add(
                .unknownNode, id,
                "in.\(name) names \"\(text)\", and there is no step \"\(parts[0])\". "
                    + "A file is written \"file:\(text)\"."
            )
        }
        guard let output = parts.count > 1 ? parts[1] : catalogue[kind]?.outputs.first?.name else {
            return add(.unknownPort, id, "in.\(name): step \"\(parts[0])\" has no output.")
        }
        edge(from: (parts[0], output), to: id, name)
    }

    private func openPort(_ name: String, of tool: ToolManifest) -> Port? {
        tool.hasOpenPorts ? Port(name, .any) : nil
    }

    private mutating func edge(from source: (node: String, port: String), to node: String, _ port: String) {
        edges.append([
            "from": [.string(source.node), .string(source.port)], "to": [.string(node), .string(port)],
        ])
    }

    /// Returns the output of a loader for a file. A file that feeds several inputs of one type is loaded once.
    private mutating func load(_ path: String, for type: PortType) -> (node: String, port: String) {
        guard let tool = catalogue.loader(for: type), let output = tool.outputs.first,
            let param = tool.params.first(where: \.isRequired)
        else { return ("", "") }
        let key = "\(tool.kind) \(path)"
        if let known = loaders[key] { return (known, output.name) }
        var number = loaders.count + 1
        while kinds["file\(number)"] != nil { number += 1 }
        let id = "file\(number)"
        (kinds[id], loaders[key]) = (tool.kind, id)
        nodes.append(
            .of([
                "id": .string(id), "kind": .string(tool.kind),
                "params": .object(JSON.Object(members: [.init(key: param.name, value: .string(path))])),
                // The file was named for this input, and the tool looks at it when it runs.
                "outputs": type.accepts(output.type)
                    ? nil : .object(JSON.Object(members: [.init(key: output.name, value: .string(PortType.any.name))])),
            ]))
        return (id, output.name)
    }

    /// Returns the output of the step that brings a result of an earlier workflow in.
    private mutating func result(_ name: String) -> (node: String, port: String) {
        let port = StoredResult.port
        if let known = loaders[name] { return (known, port) }
        var number = 1
        while kinds["result\(number)"] != nil { number += 1 }
        let id = "result\(number)"
        (kinds[id], loaders[name]) = (StoredResult.kind, id)
        nodes.append(["id": .string(id), "kind": .string(StoredResult.kind), "params": ["result": .string(name)]])
        return (id, port)
    }

    private mutating func addUnknown(_ kind: String, at id: String) {
        let near = catalogue.kinds(near: kind)
        if let meant = NearestWord.of(kind, among: catalogue.sorted.map(\.kind)) {
            repaired = repaired.replacing("kind", with: .string(meant))
        }
        let why = catalogue.unavailable[kind].map { " \($0.words)" } ?? ""
        add(
            .unknownKind, id,
            "There is no kind \"\(kind)\".\(why)"
                + (near.isEmpty ? " Use find_tools." : " Near are \(near.joined(separator: ", "))."))
    }

    /// Changes the inputs of the repaired step.
    private mutating func repair(_ change: (JSON.Object) -> JSON.Object) {
        guard let inputs = repaired["in"]?.object else { return }
        repaired = repaired.replacing("in", with: .object(change(inputs)))
    }

    private mutating func add(_ code: Code, _ place: String, _ words: String) {
        problems.append(Problem(code, at: place, words))
    }
}

extension JSON.Object {
    /// Returns the object with another name of a key, or without the key if the name is there already.
    fileprivate func renaming(_ key: String, to name: String) -> JSON.Object {
        guard self[name] == nil else { return JSON.Object(members: members.filter { $0.key != key }) }
        return JSON.Object(members: members.map { $0.key == key ? .init(key: name, value: $0.value) : $0 })
    }

    /// Returns the object with another text in place of one, also if it stands in a list.
    fileprivate func replacing(_ text: String, of key: String, with other: String) -> JSON.Object {
        func replaced(_ value: JSON) -> JSON { value == .string(text) ? .string(other) : value }
        return JSON.Object(
            members: members.map { member in
                guard member.key == key else { return member }
                let value = member.value.array.map { .array($0.map(replaced)) } ?? replaced(member.value)
                return .init(key: key, value: value)
            })
    }
}

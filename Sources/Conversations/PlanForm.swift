import JSON
import Vocabulary

extension Limits {
    /// The most characters of a plan's name in the schema for models. The reader accepts longer names.
    fileprivate static let planNameCharacters = 120

    /// The most nodes of a plan in the schema for models. The reader accepts larger plans.
    fileprivate static let planNodes = 200
}

/// The form in which a model proposes a workflow. It returns the JSON Schema for the model, and converts a proposal
/// into the form of the reader. Both use one list of keys, so a plan that obeys the schema is never refused for its
/// form.
struct PlanForm {
    let catalogue: Catalogue

    // MARK: Told

    /// The JSON Schema of the arguments of `propose_workflow`.
    var schema: JSON {
        Self.object(
            [
                "schema": ["type": "string", "enum": .array([.string(Template.schema)])],
                "name": .of([
                    "type": "string", "description": "A few words, such as \"cat.jpg: resize, grayscale\"",
                    "maxLength": .int(Limits.planNameCharacters),
                ]),
                "nodes": ["type": "array", "items": node, "minItems": 1, "maxItems": .int(Limits.planNodes)],
                "edges": ["type": "array", "items": Self.edge, "maxItems": .int(Limits.planNodes * 4)],
            ], required: ["name", "nodes"])
    }

    private var node: JSON {
        let kinds = catalogue.sorted.filter { catalogue.unavailable[$0.kind] == nil }.map { JSON.string($0.kind) }
        return Self.object(
            [
                "id": .of(["type": "string", "description": "Such as resize1", "pattern": Self.namePattern]),
                "kind": .of([
                    "type": "string", "description": "A tool's kind", "enum": kinds.isEmpty ? nil : .array(kinds),
                ]),
                "params": ["type": "object"],
            ], required: ["id", "kind"])
    }

    /// The pattern of names: letters, digits and `_`. The reader accepts more, but no model needs it.
    private static let namePattern: JSON = "^[A-Za-z][A-Za-z0-9_]{0,59}$"
    private static let end: JSON = [
        "type": "array", "minItems": 2, "maxItems": 2, "items": ["type": "string", "pattern": namePattern],
        "description": "[node, port]; a port that takes several (files*) is named once for each, in their order",
    ]
    private static let edge = object(["from": end, "to": end], required: ["from", "to"])

    private static func object(_ properties: KeyValuePairs<String, JSON?>, required: [JSON]) -> JSON {
        [
            "type": "object", "properties": JSON.of(properties), "required": .array(required),
            "additionalProperties": false,
        ]
    }

    // MARK: Taken

    /// Returns a proposal in the reader's form. It has a schema, edges to a port with several inputs are numbered, and
    /// files for text inputs are read as texts.
    ///
    /// - Parameter isPlanned: whether parameters get the values of plans, such as the exit codes of a command.
    func normalised(_ proposal: JSON, isPlanned: Bool = true) -> JSON {
        guard case .object(var plan) = proposal else { return proposal }
        // The reader refuses larger ones.
        guard plan["nodes"]?.array?.count ?? 0 <= Limits.templateNodes,
            plan["edges"]?.array?.count ?? 0 <= Limits.templateNodes * 4
        else {
            return proposal
        }
        if plan["schema"] == nil || plan["schema"] == .null { plan["schema"] = .string(Template.schema) }
        var nodes = plan["nodes"]?.array ?? []
        var edges = (plan["edges"]?.array ?? []).map(Edge.init)
        let kinds = Dictionary(
            nodes.compactMap { node in node["id"]?.string.flatMap { id in node["kind"]?.string.map { (id, $0) } } },
            uniquingKeysWith: { $1 })
        number(&edges, kinds)
        let loaders = textLoaders(edges, kinds)
        for index in nodes.indices where nodes[index]["id"]?.string.map(loaders.contains) ?? false {
            guard case .object(var node) = nodes[index] else { continue }
            node["kind"] = "ReadFile"
            nodes[index] = .object(node)
        }
        for index in edges.indices where loaders.contains(edges[index].from.node) { edges[index].from.port = "text" }
        if plan["nodes"] != nil { plan["nodes"] = .array(nodes) }
        if plan["edges"] != nil { plan["edges"] = .array(edges.map(\.json)) }
        return withPlannedValues(Self.isolating(.object(plan)), isPlanned: isPlanned)
    }

    /// Writes into a plan that a failure ends only what depends on it, unless the plan says otherwise. One damaged file
    /// of many must not stop the others (`semantics.md` 218).
    private static func isolating(_ proposal: JSON) -> JSON {
        guard case .object(var plan) = proposal, plan["options"].map({ $0.object != nil }) ?? true else {
            return proposal
        }
        var options = plan["options"]?.object ?? JSON.Object()
        guard options["errorPolicy"] == nil else { return proposal }
        options["errorPolicy"] = .string(Template.ErrorPolicy.isolateNode.rawValue)
        plan["options"] = .object(options)
        return .object(plan)
    }

    /// Writes the values into a plan that its tools use in plans but not in files, such as the exit codes of a command
    /// that are not a failure (`semantics.md` 190). A value that the plan has already stays. So the stored graph shows
    /// the values that are used, even after a crash.
    ///
    /// - Parameter isPlanned: if false, only numbers and flags that were written as texts are read.
    func withPlannedValues(_ proposal: JSON, isPlanned: Bool = true) -> JSON {
        guard case .object(var plan) = proposal, let nodes = plan["nodes"]?.array else { return proposal }
        plan["nodes"] = .array(
            nodes.map { node in
                guard case .object(var object) = node, let tool = node["kind"]?.string.flatMap({ catalogue[$0] }) else {
                    return node
                }
                let given = object["params"] ?? .null
                guard given.isNull || given.object != nil else { return node }
                var params = given.object ?? JSON.Object()
                for param in tool.params {
                    if let typed = params[param.name].flatMap(param.typed) { params[param.name] = typed }
                    if isPlanned, params[param.name] == nil, let planned = param.plannedValue {
                        params[param.name] = planned
                    }
                }
                guard params != given.object ?? JSON.Object() else { return node }
                object["params"] = .object(params)
                return .object(object)
            })
        return .object(plan)
    }

    private struct Edge {
        var written: JSON
        var from = (node: "", port: "")
        var to = (node: "", port: "")
        /// Whether the JSON has the form of an edge. `TemplateReader` reports the others.
        var isWhole = false

        init(_ json: JSON) {
            written = json
            guard let from = json["from"]?.array, let to = json["to"]?.array, from.count == 2, to.count == 2,
                let node = from[0].string,
                let port = from[1].string, let target = to[0].string, let targetPort = to[1].string
            else { return }
            (self.from, self.to, isWhole) = ((node, port), (target, targetPort), true)
        }

        var json: JSON {
            guard isWhole, case .object(var object) = written else { return written }
            object["from"] = [.string(from.node), .string(from.port)]
            object["to"] = [.string(to.node), .string(to.port)]
            return .object(object)
        }
    }

    /// Assigns a number to each edge of a port with several inputs: `files` becomes the next free one of `files.1`,
    /// `files.2`, …
    private func number(_ edges: inout [Edge], _ kinds: [String: String]) {
        var used = Set(edges.map { "\($0.to.node)\n\($0.to.port)" })
        /// The next number to try, by node and port. All lower numbers are used.
        var next: [String: Int] = [:]
        for index in edges.indices where edges[index].isWhole {
            let (node, port) = edges[index].to
            guard
                kinds[node].flatMap({ catalogue[$0] })?.inputs.contains(where: { $0.name == port && $0.isVariadic })
                    ?? false
            else {
                continue
            }
            var number = next["\(node)\n\(port)"] ?? 1
            while used.contains("\(node)\n\(port).\(number)") { number += 1 }
            next["\(node)\n\(port)"] = number + 1
            edges[index].to.port = "\(port).\(number)"
            used.insert("\(node)\n\(edges[index].to.port)")
        }
    }

    /// Returns the loaders of files whose consumers all need a text. They must read the file as a text, since no tool
    /// can look into an unread file.
    private func textLoaders(_ edges: [Edge], _ kinds: [String: String]) -> Set<String> {
        guard catalogue["ReadFile"] != nil else { return [] }
        var loaders: Set<String> = []
        let bySource = Dictionary(grouping: edges) { $0.from.node }
        for (id, kind) in kinds where kind == "FileLoader" {
            let outgoing = bySource[id] ?? []
            let wantsText = outgoing.allSatisfy { edge in
                let base = edge.to.port.split(separator: ".").first.map(String.init) ?? edge.to.port
                let port = kinds[edge.to.node].flatMap { catalogue[$0] }?.inputs.first { $0.name == base }
                return edge.from.port == "file" && (port?.type == .text || port?.type == .json)
            }
            if !outgoing.isEmpty, wantsText { loaders.insert(id) }
        }
        return loaders
    }
}

extension ToolManifest.Param {
    /// Returns a number or a flag that a model wrote as a text, or nil if the value stays as it is.
    fileprivate func typed(_ value: JSON) -> JSON? {
        guard let text = value.string else { return nil }
        switch kind {
        case .integer: return Int(text).map { .int($0) }
        case .number: return Int(text).map { .int($0) } ?? Double(text).flatMap { $0.isFinite ? .double($0) : nil }
        case .flag: return text == "true" ? true : text == "false" ? false : nil
        case .list: return [.string(text)]
        case .text, .choice, .path, .url, .json: return nil
        }
    }
}

package import JSON
package import Vocabulary

/// The options `--set NODE.PARAM=VALUE` and `--input NODE.PORT=FILE`, and their effect on a template.
package enum TemplateBinding {
    /// Splits the value of an option into a name and a value.
    ///
    /// - Parameter form: the right form, for the message.
    /// - Throws: `badUsage` if there is no `=`.
    package static func split(_ text: String, option: String, form: String) throws(Failure) -> (
        name: String, value: String
    ) {
        guard let (name, value) = split(text), !name.isEmpty else {
            throw Failure(.badUsage, "\(option) \(text) has no name and value.", remedy: "Write \(option) \(form).")
        }
        return (name, value)
    }

    /// Returns the parts before and after the first `=`, or nil if there is none. It compares scalars, since `=` and a
    /// combining mark are one `Character`.
    package static func split(_ text: String) -> (name: String, value: String)? {
        let scalars = text.unicodeScalars
        guard let equals = scalars.firstIndex(of: "=") else { return nil }
        return (String(scalars[..<equals]), String(scalars[scalars.index(after: equals)...]))
    }

    /// Returns a template with its parameters set and its inputs bound to files. Every file becomes a loader with an
    /// edge, so that an import is a run like any other (`semantics.md` 27).
    package static func applied(to template: Template, sets: [String], inputs: [String], catalogue: Catalogue)
        throws(Failure)
        -> Template
    {
        var bound = template
        for set in sets { try apply(set, to: &bound, catalogue: catalogue) }
        for input in inputs { try bind(input, in: &bound, catalogue) }
        if let first = open(in: bound, bound: []).first {
            throw Failure(
                .badUsage, "The input \"\(first.name)\" (\(first.type)) is not bound.",
                remedy: "Add --input \(first.name)=FILE.")
        }
        bound.inputs = []
        return bound
    }

    /// Returns the required inputs that neither an option nor an edge binds.
    ///
    /// - Parameter inputs: the options, such as `photo=cat.jpg`.
    package static func open(in template: Template, bound inputs: [String]) -> [Template.WorkflowInput] {
        let names = Set(inputs.compactMap { split($0)?.name })
        return template.inputs.filter { input in
            !input.isOptional && !names.contains(input.name)
                && !input.to.allSatisfy { end in
                    names.contains(end.description) || template.edges.contains { $0.to == end }
                }
        }
    }

    private static func apply(_ set: String, to template: inout Template, catalogue: Catalogue) throws(Failure) {
        let (name, value) = try split(set, option: "--set", form: "NODE.PARAM=VALUE")
        // An id in an old workflow may contain a full stop.
        let named = template.nodes.indices.filter { name.hasPrefix(template.nodes[$0].id + ".") }
        let dot = name.firstIndex(of: ".") ?? name.endIndex
        guard
            let node = named.max(by: { template.nodes[$0].id.utf8.count < template.nodes[$1].id.utf8.count })
                ?? template.index(ofStep: String(name[..<dot]), in: catalogue)
        else {
            throw Failure(
                .badUsage, "--set \(set): there is no such node.",
                remedy: "Nodes are \(template.nodes.map(\.id).joined(separator: ", "))."
            )
        }
        let isByID = named.contains(node)
        let param = String(isByID ? name.dropFirst(template.nodes[node].id.count + 1) : name[dot...].dropFirst())
        let kind = catalogue[template.nodes[node].kind]?.param(param)?.kind
        template.nodes[node].params[param] = self.value(value, as: kind)
    }

    /// Returns the value that a text stands for. A text parameter keeps it as it is, even if it looks like a number.
    /// Others read it as JSON, or keep it as a text if it is not JSON.
    package static func value(_ text: String, as kind: ToolManifest.Param.Kind?) -> JSON {
        switch kind {
        case .text, .path, .url, .choice: .string(text)
        case .integer, .number, .flag, .json, .list, nil: (try? JSONReader.read(text)) ?? .string(text)
        }
    }

    private static func bind(_ input: String, in template: inout Template, _ catalogue: Catalogue) throws(Failure) {
        let (name, file) = try split(input, option: "--input", form: "NAME=FILE or NODE.PORT=FILE")
        let ends: [Template.Endpoint]
        let type: PortType
        if let declared = template.inputs.first(where: { $0.name == name }) {
            ends = declared.to
            type = declared.type
        } else if let dot = name.firstIndex(of: "."), let node = template.nodes.first(where: { $0.id == name[..<dot] })
        {
            let end = Template.Endpoint(node.id, String(name[name.index(after: dot)...]))
            ends = [end]
            type = Self.type(of: end.port, at: node, catalogue) ?? .file
        } else {
            let known = template.inputs.map(\.name).joined(separator: ", ")
            let nodes = template.nodes.map(\.id).joined(separator: ", ")
            throw Failure(
                .badUsage, "--input \(input): there is no such input.",
                remedy: known.isEmpty
                    ? "It has no named inputs: write NODE.PORT=FILE. Nodes are \(nodes)." : "Inputs are \(known).")
        }
        let id = freeID("input-\(name.replacing(".", with: "-"))", in: template)
        let isImage = type == .image || type == .mask
        let isText = type == .text || type == .json
        template.nodes.append(
            Template.Node(
                id: id, kind: isImage ? "ImageLoader" : isText ? "ReadFile" : "FileLoader",
                params: JSON.Object(members: [.init(key: "path", value: .string(file))])))
        template.edges += ends.map {
            Template.Edge(from: Template.Endpoint(id, isImage ? "image" : isText ? "text" : "file"), to: $0)
        }
    }

    /// Returns the type of a port as the node declares it, or else the tool. The port `files.1` has the type of
    /// `files`.
    private static func type(of port: String, at node: Template.Node, _ catalogue: Catalogue) -> PortType? {
        if let declared = node.inputs?.first(where: { $0.name == port }) { return declared.type }
        return catalogue[node.kind]?.inputs.first { $0.name == port || $0.isVariadic && port.hasPrefix($0.name + ".") }?
            .type
    }

    private static func freeID(_ wanted: String, in template: Template) -> String {
        let taken = Set(template.nodes.map(\.id))
        guard taken.contains(wanted) else { return wanted }
        return (2...).lazy.map { "\(wanted)-\($0)" }.first { !taken.contains($0) }!
    }
}

extension Template {
    /// Returns the index of the node with a number or an id. The number is that of a plan (`semantics.md` 80).
    func index(ofStep word: String, in catalogue: Catalogue) -> Int? {
        if let number = Int(word) {
            let numbered = numbered(in: catalogue)
            guard numbered.nodes.indices.contains(number - 1), !StepRows(numbered).isFolded(number) else { return nil }
            return nodes.firstIndex { $0.id == numbered.nodes[number - 1].id }
        }
        return nodes.firstIndex { $0.id == word }
    }
}

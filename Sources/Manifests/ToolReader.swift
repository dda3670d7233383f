import JSON
package import Vocabulary

/// Reads the tools of a manifest file (`assent.tool/v1`, one document each) and reports all problems at once. A tool
/// with a problem is left out, and the others stay valid.
///
/// - Parameters:
///   - file: the name of the file in problems (`images.yaml:12`).
///   - isShipped: whether the file came with the program.
///   - hash: the SHA-256 of a text. The caller passes this function, since Manifests has no cryptography. The version
///     of a tool is the hash of its own document in canonical form, so that comments, spaces and other documents do not
///     change it.
package func readTools(
    _ text: some ConfigText, file: String, isShipped: Bool, hash: (String) -> ContentHash
) -> (tools: [ToolManifest], problems: [Problem]) {
    let (tools, problems): ([ToolManifest], [Problem]) = readManifests(text, file: file, key: "kind", noun: "tool") {
        fields, document, others in
        var tool = fields.tool()
        fields.refuseTheRest()
        if others.contains(where: { $0.kind == tool.kind }) {
            fields.report(.duplicateKind, at: "kind", "This kind is in the file twice.")
        }
        tool.isShipped = isShipped
        tool.version = hash(versionText(of: document.json))
        return tool
    }
    return (tools, problems)
}

/// The fields that are no part of a tool's version. They say how plans are made and ordered, and not what a call does,
/// so that open questions, grants and retries outlive a change of them.
private let unversioned: Set<String> = ["reads", "changes", "phrases"]

private func versionText(of document: JSON) -> String {
    guard let object = document.object, object.keys.contains(where: unversioned.contains) else {
        return document.canonical
    }
    return JSON.object(JSON.Object(members: object.members.filter { !unversioned.contains($0.key) })).canonical
}

extension Fields {
    fileprivate mutating func tool() -> ToolManifest {
        if let schema = take("tool"), schema.json != "assent.tool/v1" {
            report(.badSchema, line: schema.line, "\"tool\" must be assent.tool/v1; this version reads no other.")
        } else if take("tool") == nil {
            report(.missingField, "\"tool: assent.tool/v1\" is missing.")
        }
        let kind = requiredText("kind")
        if !kind.isEmpty, !Self.isKind(kind) {
            report(
                .badField, at: "kind", "\"kind\" must be UpperCamelCase: letters and digits, beginning with a capital."
            )
        }
        var tool = ToolManifest(kind: kind, title: requiredText("title"), action: .builtin(""))
        tool.icon = text("icon") ?? tool.icon
        tool.summary = text("summary") ?? ""
        tool.says = texts("says") ?? []
        let phrases = mapping("phrases")
        tool.inputs = ports("inputs")
        tool.outputs = ports("outputs")
        tool.hasOpenPorts = flag("openPorts") ?? false
        tool.params = mapping("params").compactMap { param($0) }
        tool.effects = effects()
        tool.price = dollars("price")
        if tool.price != nil, !tool.effects.contains(.spends) {
            report(.badField, at: "price", "\"price\" is only for tools that spend.")
        }
        tool.reversibility = undo() ?? tool.reversibility
        idempotence(of: &tool)
        tool.queue = choice("class", Queue.self) ?? .local
        tool.needs = list("needs").compactMap { need($0) }
        tool.errors = errorRules()
        tool.drops = drops()
        tool.action = action() ?? tool.action
        tool.touches = touches(of: tool)
        checkPlaceholders(of: tool)
        for member in phrases { tool.phrases[member.key] = self.phrases(member, of: tool) }
        return tool
    }

    /// Reads whether a tool may be run twice: `true`, `false`, or only with some values of a parameter, as in `{method:
    /// [GET, HEAD]}`.
    private mutating func idempotence(of tool: inout ToolManifest) {
        guard case .mapping(let members)? = take("idempotent")?.value else {
            tool.isIdempotent = flag("idempotent") ?? true
            return
        }
        tool.isIdempotent = false
        for member in members {
            let values = (member.value.json.array ?? []).compactMap(\.string)
            guard let param = tool.param(member.key), !values.isEmpty,
                values.allSatisfy({ param.choices.isEmpty || param.choices.contains($0) })
            else {
                report(
                    .badField, line: member.line, "\"idempotent\" must name parameters with a list of their values.")
                continue
            }
            tool.idempotentWith[member.key] = values
        }
    }

    private static func isKind(_ word: String) -> Bool {
        word.utf8.count <= 64 && ("A"..."Z").contains(word.prefix(1))
            && word.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) }
    }

    /// Returns ports by their types: `image`, `"text?"` (optional), `"file*"` (variadic), or `"file*?"` (variadic, may
    /// be empty).
    private mutating func ports(_ key: String) -> [Port] {
        mapping(key).compactMap { member in
            guard var type = member.value.json.string, !type.isEmpty else {
                report(.badPort, line: member.line, "The type of port \"\(member.key)\" must be a word.")
                return nil
            }
            let isOptional = type.last == "?"
            if isOptional { type.removeLast() }
            let isVariadic = type.last == "*"
            if isVariadic { type.removeLast() }
            guard type.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic }), !type.isEmpty,
                !member.key.contains(".")
            else {
                report(.badPort, line: member.line, "Port \"\(member.key)\" or its type \"\(type)\" is not a name.")
                return nil
            }
            return Port(member.key, PortType(type), isOptional: isOptional, isVariadic: isVariadic)
        }
    }

    private mutating func effects() -> Set<Effect> {
        var effects: Set<Effect> = []
        for word in texts("effects") ?? [] {
            guard let effect = Effect(rawValue: word) else {
                report(
                    .badField, line: line(of: "effects", holding: word),
                    "\"\(word)\" is not an effect: \(Effect.allCases.map(\.rawValue).joined(separator: ", ")).")
                continue
            }
            effects.insert(effect)
        }
        return effects
    }

    private mutating func undo() -> Reversibility? {
        guard let yaml = take("undo") else { return nil }
        switch yaml.json {
        case .bool(false): return .no
        case .string(let how) where !how.isEmpty: return .yes(how: how)
        default:
            report(.badField, line: yaml.line, "\"undo\" must be false, or say how.")
            return nil
        }
    }

    private mutating func need(_ yaml: YAML) -> ToolManifest.Need? {
        guard var fields = Fields(yaml, file: file, subject: "\(subject), needs") else {
            report(.badField, line: yaml.line, "A need is {program: …, package: …}.")
            return nil
        }
        let need = ToolManifest.Need(
            program: fields.requiredText("program"), debianPackage: fields.requiredText("package"))
        fields.refuseTheRest()
        add(fields.problems)
        return need
    }
}

import JSON
import Vocabulary

/// Readers for tools whose work a provider of jobs or a person does.
extension Fields {
    /// Reads the action of a job: `{provider: …, with: {…}, outputs: {port: name}}`.
    mutating func jobAction() -> ToolManifest.JobAction? {
        var action: ToolManifest.JobAction?
        nested("job") { fields in
            var found = ToolManifest.JobAction(provider: fields.requiredText("provider"), with: fields.object("with"))
            for member in fields.mapping("outputs") {
                if let name = member.value.json.string {
                    found.outputs[member.key] = name
                } else {
                    fields.report(.badField, line: member.line, "The output for \"\(member.key)\" must be a name.")
                }
            }
            action = found
        }
        return action
    }

    /// Reads the action of a person, such as `person: drawMask`.
    mutating func personAction() -> AwaitType? {
        guard let yaml = take("person") else { return nil }
        let gates: Set<AwaitType> = [.confirmCall, .connect, .submitUnknown]
        if let type = yaml.json.string.flatMap({ AwaitType(parsing: $0) }), !gates.contains(type) { return type }
        let known = AwaitType.allCases.filter { !gates.contains($0) }.map(\.rawValue).joined(separator: ", ")
        report(.badField, line: yaml.line, "\"person\" must be one of \(known).")
        return nil
    }

    /// The forms of an input that a job's `with` may use, as in `{image.dataUrl}`.
    private static let inputForms: Set<String> = [
        "dataUrl", "base64", "text", "json", "name", "mime", "sha256", "file",
    ]

    mutating func checkPlaceholders(of action: ToolManifest.JobAction, in tool: ToolManifest) {
        for port in action.outputs.keys.sorted() where !tool.outputs.contains(where: { $0.name == port }) {
            report(
                .unknownPort, line: line(of: "run", "job", "outputs", port),
                "\"outputs\" names \"\(port)\", which is no output.")
        }
        for member in action.with.members {
            guard let holes = Blanks.holes(in: member.value) else {
                report(
                    .badTemplate, line: line(of: "run", "job", "with", member.key),
                    "\"\(member.key)\" has a brace without its partner; {{ and }} are the braces themselves.")
                continue
            }
            let isAlone = member.value.string.flatMap { Blanks($0)?.only } != nil
            for hole in holes.flatMap(\.choices) where !isKnown(hole, in: tool) {
                report(
                    .unknownPlaceholder, line: line(of: hole, member),
                    "\"{\(hole)}\" is no parameter, and no input with what is wanted of it, such as {image.dataUrl}.")
            }
            for hole in holes.flatMap(\.choices) where hole.parts == ["file"] && !isAlone {
                report(
                    .unknownPlaceholder, line: line(of: hole, member),
                    "\"{\(hole)}\" is a whole file: it stands alone, as a member of \"with\".")
            }
            for hole in holes where !hole.isOptional && hole.choices.allSatisfy({ mayBeMissing($0, in: tool) }) {
                report(
                    .unknownPlaceholder, line: line(of: hole, member),
                    "\"{\(hole)}\" may be missing: write {\(hole)?}, or give it a default.")
            }
        }
    }

    /// Returns the line of the text with the placeholder, in a member of `with`.
    private func line(of hole: Blanks.Hole, _ member: JSON.Object.Member) -> Int {
        line(of: "run", "job", "with", member.key, holding: text(with: hole, in: [member.value]) ?? "")
    }

    private func isKnown(_ hole: Blanks.Hole, in tool: ToolManifest) -> Bool {
        if hole.parts.isEmpty { return tool.param(hole.name) != nil }
        return hole.parts.count == 1 && Self.inputForms.contains(hole.parts[0])
            && tool.inputs.contains { $0.name == hole.name }
    }

    private func mayBeMissing(_ hole: Blanks.Hole, in tool: ToolManifest) -> Bool {
        if let param = tool.param(hole.name), hole.parts.isEmpty {
            return !param.isRequired && param.defaultValue == nil
        }
        return tool.inputs.contains { $0.name == hole.name && ($0.isOptional || $0.isVariadic) }
    }
}

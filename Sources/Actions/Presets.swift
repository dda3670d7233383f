package import JSON
import Services
package import Vocabulary
import Workflows

/// The use cases of presets: values for the parameters of one tool under a name, which the user saves and a run uses.
package struct Presets: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of a process.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    private var file: PresetFile { PresetFile(folder: shared.folders.config) }
    private var tools: Catalogue { WorkflowRecords(shared).catalogue() }

    /// Returns the presets of the user, and then those of the manifests, by kind. Keys are cut out of the values.
    ///
    /// - Parameter kind: the kind of the tool, or nil for all.
    /// - Throws: `badSettings` if `presets.yaml` cannot be used, `badUsage` for a kind without a tool and a preset.
    package func list(of kind: String? = nil) throws(Failure) -> [Preset] {
        let filter = shared.keyRing.filter
        return try all(of: kind).map { preset in
            var preset = preset
            preset.params = filter.cut(preset.params)
            return preset
        }
    }

    private func all(of kind: String? = nil) throws(Failure) -> [Preset] {
        let (own, tools) = (try file.list(), tools)
        let all = own + tools.sorted.flatMap(\.presets)
        if let kind, tools[kind] == nil, !own.contains(where: { $0.kind == kind }) {
            let near = NearestWord.of(kind, among: tools.sorted.map(\.kind)).map { "Did you mean \($0)? " } ?? ""
            throw Failure(
                .badUsage, "There is no tool \"\(Self.shown(kind))\".", remedy: near + "See 'assent tools'.")
        }
        return all.filter { kind == nil || $0.kind == kind }.sorted { one, other in
            guard one.isShipped == other.isShipped else { return other.isShipped }
            return one.kind == other.kind ? !one.isShipped && one.name < other.name : one.kind < other.kind
        }
    }

    /// Saves the values of a step under a name. The values of an earlier preset of this name are replaced.
    ///
    /// - Throws: `badUsage` for a name that is not possible, and for a step without values that can be stored,
    ///   `badSettings` if the file cannot be used.
    package func save(_ name: String, of step: StepRecord) throws(Failure) -> SavedPreset {
        guard Preset.isName(name) else {
            throw Failure(
                .badUsage,
                "\"\(Self.shown(name))\" cannot be the name of a preset: such a name has \(Preset.nameInWords).",
                remedy: "Name it such as web or small-2.")
        }
        guard let tool = tools[step.kind], let template = try WorkflowRecords(shared).template(step.id.workflow),
            template.nodes.indices.contains(step.id.index - 1)
        else {
            throw Failure(
                .badUsage,
                "Step \(step.id.index) of \(step.id.workflow) (\(step.kind)) has no tool that runs can name.",
                remedy: "See 'assent tools'.")
        }
        guard !tool.presets.contains(where: { $0.name == name }) else {
            throw Failure(
                .badUsage, "\(tool.kind) has a preset \"\(name)\" already, which is a part of its manifest.",
                remedy: "Take another name.")
        }
        var params = template.nodes[step.id.index - 1].params
        for edit in step.edits?.members ?? [] { params[edit.key] = edit.value }
        var (kept, secret) = (JSON.Object(), [String]())
        for member in params.members where !member.value.isNull {
            if isSecret(member.value, tool.param(member.key)) {
                secret.append(member.key)
            } else {
                kept[member.key] = member.value
            }
        }
        let preset = Preset(kind: tool.kind, name: name, params: kept)
        guard !kept.isEmpty else {
            throw Failure(
                .badUsage, "Step \(step.id.index) of \(step.id.workflow) has no values for a preset.",
                remedy: secret.isEmpty ? "Name another step." : "A secret value is never stored in a preset.")
        }
        if let fault = fault(of: preset, tool) {
            throw Failure(.badParam, "The preset is not saved: \(fault)", remedy: "See 'assent tools \(tool.kind)'.")
        }
        let before = try file.list().first { ($0.kind, $0.name) == (preset.kind, name) }
        try file.set(kept, of: tool.kind, name)
        return SavedPreset(preset: preset, before: before.map { shared.keyRing.filter.cut($0.params) }, secret: secret)
    }

    /// Deletes a preset of the user.
    ///
    /// - Parameter kind: the kind of the tool, or nil if only one kind has such a preset.
    /// - Throws: `badUsage` if there is no such preset, or if several kinds have one, `badSettings`.
    package func delete(_ name: String, of kind: String?) throws(Failure) -> Preset {
        let named = try list(of: kind).filter { $0.name == name }
        let own = named.filter { !$0.isShipped }
        guard let preset = own.first else {
            guard let shipped = named.first else { throw try unknown(name, among: list(of: kind)) }
            throw Failure(
                .badUsage, "\"\(name)\" is a part of the manifest of \(shipped.kind), so it cannot be deleted.",
                remedy: "See 'assent presets'.")
        }
        guard own.count == 1 else {
            throw Failure(
                .badUsage, "There is a preset \"\(name)\" of \(NameList.words(own.map(\.kind))).",
                remedy: "Name the kind: 'assent presets delete \(name) \(preset.kind)'")
        }
        try file.set(nil, of: preset.kind, name)
        return preset
    }

    // MARK: Use

    /// Returns the values of a preset for a step, after the checks of `--set`.
    ///
    /// - Throws: `badUsage` if the kind has no such preset, `badParam` if the tool takes a value no more, `badSettings`.
    package func values(_ name: String, for kind: String) throws(Failure) -> JSON.Object {
        let (all, name) = (try all(), name.replacing(" ", with: "-"))
        guard let preset = all.first(where: { $0.kind == kind && $0.name == name }) else {
            throw unknown(name, among: all.filter { $0.kind == kind }, of: kind)
        }
        guard let tool = tools[kind] else {
            throw Failure(.badParam, "The preset \"\(name)\" is of \(kind), and there is no such tool here.")
        }
        if let fault = fault(of: preset, tool) {
            throw Failure(
                .badParam, "The preset \"\(name)\" of \(kind) is not used: \(fault)",
                remedy: "Save it again, or 'assent presets delete \(name) \(kind)'")
        }
        return preset.params
    }

    /// Returns a template with the values of presets in its steps, in the order of `words`.
    ///
    /// - Parameter words: names such as `web`, for the only step whose kind has that preset, or `web@2` and
    ///   `web@resize` for a step by its number or id.
    /// - Throws: `badUsage` if the step is missing or not the only one, and the failures of `values`.
    package func applied(_ words: [String], to template: Template) throws(Failure) -> Template {
        guard !words.isEmpty else { return template }
        var (template, all) = (template, try all())
        let tools = tools
        for word in words {
            let (name, step) = Self.parts(of: word)
            let index: Int
            if let step {
                guard let found = template.index(ofStep: step, in: tools) else {
                    throw Failure(
                        .badUsage, "--preset \(Self.shown(word)): there is no such step.",
                        remedy: "Steps are \(NameList.words(template.nodes.map(\.id))).")
                }
                index = found
            } else {
                index = try Self.only(name, in: template, all)
            }
            for member in try values(name, for: template.nodes[index].kind).members {
                template.nodes[index].params[member.key] = member.value
            }
        }
        return template
    }

    private static func only(_ name: String, in template: Template, _ all: [Preset]) throws(Failure) -> Int {
        let kinds = Set(all.filter { $0.name == name }.map(\.kind))
        let fitting = template.nodes.indices.filter { kinds.contains(template.nodes[$0].kind) }
        guard let first = fitting.first else {
            let own = Set(template.nodes.map(\.kind))
            let known = NameList.words(Set(all.filter { own.contains($0.kind) }.map(\.name)).sorted())
            throw Failure(
                .badUsage, "No step is of a kind that has a preset \"\(shown(name))\".",
                remedy: known.isEmpty ? "See 'assent presets'." : "Presets for its steps are \(known).")
        }
        guard fitting.count == 1 else {
            let ids = fitting.map { template.nodes[$0].id }
            throw Failure(
                .badUsage, "The preset \"\(name)\" fits \(fitting.count) steps: \(NameList.words(ids)).",
                remedy: "Name the step: --preset \(name)@\(template.nodes[first].id)")
        }
        return first
    }

    /// Splits `web@2` into a name and a step. Without `@`, the step is nil.
    package static func parts(of word: String) -> (name: String, step: String?) {
        let parts = word.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0].replacing(" ", with: "-"), parts.count > 1 ? parts[1] : nil)
    }

    // MARK: Checks

    private func fault(of preset: Preset, _ tool: ToolManifest) -> String? {
        if !preset.isShipped, tool.presets.contains(where: { $0.name == preset.name }) {
            return "the manifest of \(tool.kind) has a preset of that name."
        }
        for member in preset.params.members {
            guard let param = tool.param(member.key) else {
                return "\(tool.kind) has no parameter \"\(Self.shown(member.key))\"."
            }
            if isSecret(member.value, param) {
                return "\(param.name) is secret or holds a key, which is never taken from a preset."
            }
            if let fault = param.fault(of: member.value) { return fault }
        }
        return nil
    }

    private func isSecret(_ value: JSON, _ param: ToolManifest.Param?) -> Bool {
        param?.isSecret ?? false || SealedValue.isIn(value) || KeyFilter.isMarked(value)
            || shared.keyRing.filter.cut(value) != value
    }

    private func unknown(_ name: String, among known: [Preset], of kind: String? = nil) -> Failure {
        let names = NameList.words(known.map(\.name).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        return Failure(
            .badUsage, "\(kind.map { "\($0) has" } ?? "There is") no preset \"\(Self.shown(name))\".",
            remedy: names.isEmpty ? "To make one: 'assent presets save NAME w1.2'" : "There are \(names).")
    }

    private static func shown(_ text: String) -> String { String(text.prefix(60)) }
}

/// A preset that was saved.
package struct SavedPreset: Sendable {
    package let preset: Preset
    /// The values that the preset replaced, or nil if it is new.
    package let before: JSON.Object?
    /// The parameters that are not stored, since their values are secret or hold a key.
    package let secret: [String]
}

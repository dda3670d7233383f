import JSON
import Vocabulary
import Workflows

/// The use of a template that a line names: "make cat.jpg web ready", "run the thumbnail template on every jpg". There
/// is one copy of the template for each file, with a loader for its input.
struct TemplateUse {
    let templates: [Template]
    let catalogue: Catalogue
    let listing: Listing

    /// Returns the workflow of a sentence that names a template.
    ///
    /// - Parameter reader: the reader of the same sentence. It is copied, and does not change.
    /// - Returns: nil if the sentence names no template, or says more than a template with a name of one word does.
    func workflow(_ reader: OrderReader) throws(Refusal) -> JSON? {
        var reader = reader
        let numbers = reader.parts.indices.filter { reader.meaning($0).template != nil }
        guard let number = numbers.first,
            let template = templates.first(where: { $0.name == reader.meaning(number).template })
        else {
            return nil
        }
        let isCalled = reader.parts.contains { $0.meaning?.answer == "template" }
        let isOwn = isCalled || template.name.contains { !$0.isLetter }
        let clauses = reader.clauses.all
        let isAlone =
            clauses.count == 1
            || clauses.dropFirst().allSatisfy { clause in
                clause.parts.allSatisfy {
                    [.save, .pronoun].contains(reader.meaning($0).kind)
                        || ["as", "to", "name"].contains(reader.role($0) ?? "")
                }
            }
        let asksMore =
            !isAlone || numbers.count > 1
            || reader.parts.contains { part in
                guard let meaning = part.meaning else { return false }
                return !meaning.tools.isEmpty && meaning.template == nil && meaning.role != "on"
                    || !meaning.gives.isEmpty
                    || meaning.kind == .overwrite
            }
        guard !asksMore else {
            guard isOwn else { return nil }
            throw Refusal(
                "The template \(template.name) stands for itself: say the rest in a line of its own, when it has ended."
            )
        }
        var sources: [Intent.Source] = []
        var target: String?
        for clause in clauses {
            let found = try reader.files(of: clause)
            sources += found.sources
            if reader.current == nil, !found.sources.isEmpty {
                reader.intent.groups.append(Intent.Group(sources: found.sources))
                reader.current = 0
            }
            target = found.target ?? target
        }
        reader.use(numbers)
        reader.use(
            reader.parts.indices.filter { number in
                let meaning = reader.meaning(number)
                return meaning.answer == "template" || meaning.kind != nil && meaning.kind != .overwrite
            })
        guard !sources.isEmpty else {
            guard isOwn else { return nil }
            throw Refusal("Which file? Name it, as in “run the \(template.name) template on cat.jpg”.").asking(.file)
        }
        let rest = reader.parts.indices.filter { reader.parts[$0].meaning != nil && !reader.used.contains($0) }
        guard rest.isEmpty else { throw .notUnderstood(rest.map { reader.parts[$0].text }) }
        return try bound(template, to: sources, target: target)
    }

    // MARK: Binding

    private func bound(_ template: Template, to sources: [Intent.Source], target: String?) throws(Refusal) -> JSON {
        let inputs = template.inputs.filter { !$0.isOptional }
        guard !inputs.isEmpty, sources.count % inputs.count == 0, inputs.count == 1 || sources.count == inputs.count
        else {
            let takes = inputs.map { "\($0.name) (\($0.type.name))" }.joined(separator: " and ")
            throw Refusal(
                "The template \(template.name) takes \(takes.isEmpty ? "nothing" : takes). Start it with: 'assent run \(template.name)'"
            )
        }
        guard sources.count <= Limits.plannedFiles * inputs.count else {
            throw Refusal(PlanBuilder.tooMany(sources.count))
        }
        guard target == nil || sources.count == inputs.count else {
            throw Refusal("\(sources.count) results cannot all become \(target ?? "").")
        }
        if let target, listing.files.contains(where: { $0.name == target }) {
            throw Refusal("\(target) is there already. Give another name.")
        }
        var nodes: [Template.Node] = []
        var edges: [Template.Edge] = []
        for (number, first) in stride(from: 0, to: sources.count, by: inputs.count).enumerated() {
            let suffix = sources.count == inputs.count ? "" : "\(number + 1)"
            for (offset, input) in inputs.enumerated() {
                let (loader, port) = try loader(for: input, sources[first + offset], of: template, suffix: suffix)
                nodes.append(loader)
                edges += input.to.map {
                    Template.Edge(
                        from: Template.Endpoint(loader.id, port), to: Template.Endpoint($0.node + suffix, $0.port))
                }
            }
            nodes += template.nodes.map { renamed($0, suffix: suffix, target: target) }
            edges += template.edges.map { edge in
                Template.Edge(
                    from: Template.Endpoint(edge.from.node + suffix, edge.from.port),
                    to: Template.Endpoint(edge.to.node + suffix, edge.to.port))
            }
        }
        let names = sources.count > 3 ? "\(sources.count) files" : sources.map(\.name).joined(separator: ", ")
        return Template(name: "\(names): \(template.name)", nodes: nodes, edges: edges, options: template.options).json
    }

    private func renamed(_ node: Template.Node, suffix: String, target: String?) -> Template.Node {
        var node = node
        node.id += suffix
        guard let tool = catalogue[node.kind] else { return node }
        if let target, tool.isSaver { node.params["path"] = .string(target) }
        // The value stays a template. A value that a plan would use in place of a default is not meant (`semantics.md`
        // 190).
        for param in tool.params where param.plannedValue != nil && node.params[param.name] == nil {
            node.params[param.name] = param.defaultValue
        }
        return node
    }

    private func loader(
        for input: Template.WorkflowInput, _ source: Intent.Source, of template: Template, suffix: String
    ) throws(Refusal) -> (Template.Node, port: String) {
        let fits =
            input.type == .any || input.type == .file || input.type.name == source.type
            || (input.type == .text && source.type == "json")
        guard fits || source.isURL else {
            throw Refusal(
                "The template \(template.name) takes \(PlanBuilder.inWords(input.type)); \(source.name) is not one.")
        }
        let tools = catalogue.sorted.filter { $0.param("url")?.isRequired == true }
        let fetcher =
            tools.first { $0.outputs.contains { $0.type == input.type } }
            ?? tools.first { $0.outputs.contains { $0.type == .any } }
        guard let tool = source.isURL ? fetcher : catalogue.loader(for: input.type),
            let param = tool.params.first(where: \.isRequired),
            let output = tool.outputs.first(where: { $0.type == input.type }) ?? tool.outputs.first
        else { throw Refusal("No tool here loads \(source.name).") }
        let taken = Set(template.nodes.map { $0.id + suffix })
        let id =
            ["load", "load-\(input.name)", "input-\(input.name)"].map { $0 + suffix }.first { !taken.contains($0) }
            ?? "load-0\(suffix)"
        return (
            Template.Node(
                id: id, kind: tool.kind, params: JSON.of([param.name: .string(source.name)]).object ?? JSON.Object()),
            output.name
        )
    }
}

import JSON
import Vocabulary
import Workflows

/// A line that names a template: "make cat.jpg web ready", "run the thumbnail template on every jpg". One copy of the template per file, with
/// a loader for what it takes.
struct TemplateUse {
    let templates: [Template]
    let words: ToolWords
    let listing: Listing

    /// - Returns: the workflow, or `nil` where the line names no template or asks for more than a template says.
    func workflow(_ tokens: [Token]) throws(Refusal) -> JSON? {
        let isCalled = tokens.contains { ["template", "recipe"].contains($0.word) }
        guard let (template, place, count) = named(in: tokens, isCalled: isCalled) else {
            if isCalled, tokens.contains(where: { ["run", "use", "apply"].contains($0.word) }), !tokens.contains(where: \.isText) {
                let known = templates.map(\.name).sorted().joined(separator: ", ")
                throw Refusal("There is no template of that name. Templates here: \(known.isEmpty ? "none" : known).")
            }
            return nil
        }
        var rest = tokens
        rest.removeSubrange(place..<(place + count))
        let (mentions, asksMore) = try read(rest)
        guard !asksMore else {
            guard count > 1 || isCalled else { return nil }
            throw Refusal("The template \(template.name) stands for itself: say the rest in a line of its own, when it has ended.")
        }
        var sources: [Intent.Source] = []
        var target: String?
        let reader = IntentReader(words: words, listing: listing)
        for mention in mentions {
            if let name = Self.newName(mention.reference), ["as", "to", "into"].contains(mention.role), !sources.isEmpty {
                target = name
            } else if case .file(let entry, _) = mention.reference, mention.role == "as", !sources.isEmpty {
                target = entry.name
            } else {
                sources += try reader.sources(of: mention.reference)
            }
        }
        guard !sources.isEmpty else {
            guard isCalled || count > 1 else { return nil }
            throw Refusal("Which file? Name it, as in “run the \(template.name) template on cat.jpg”.")
        }
        try Elsewhere.check(rest)
        try Conditions.check(rest)
        return try bound(template, to: sources, target: target)
    }

    /// The longest name that stands in the line, its words in a row. A name of one word is a template only by itself: a "200 px thumbnail" is not.
    private func named(in tokens: [Token], isCalled: Bool) -> (Template, place: Int, count: Int)? {
        let said = tokens.map { $0.isWord ? $0.word : "" }
        for template in templates.sorted(by: { ($0.name.count, $0.name) > ($1.name.count, $1.name) }) {
            let name = Stem.words(of: template.name)
            guard !name.isEmpty, name.count <= said.count, isCalled || name.count > 1 || !words.isKnown(name[0]) || hasNoFigures(tokens)
            else {
                continue
            }
            if let place = (0...(said.count - name.count)).first(where: { Array(said[$0..<($0 + name.count)]) == name }) {
                return (template, place, name.count)
            }
        }
        return nil
    }

    private func hasNoFigures(_ tokens: [Token]) -> Bool {
        !tokens.contains { token in
            switch token.kind {
            case .number, .size: true
            default: false
            }
        }
    }

    private func read(_ tokens: [Token]) throws(Refusal) -> ([Clause.Mention], asksMore: Bool) {
        var mentions: [Clause.Mention] = []
        var asksMore = false
        let small: Set<String> = ["run", "execute", "template", "recipe", "workflow"]
        for part in ClauseSplitter.clauses(of: tokens.filter { !small.contains($0.word) }, words: words) {
            let clause = try ClauseReader.read(part, words: words)
            mentions += clause.mentions
            asksMore =
                asksMore || clause.isSquare || !clause.steps.isEmpty || !clause.measures.isEmpty || clause.unknown != nil
                || !clause.negatedStems.isEmpty
            asksMore =
                asksMore || Lexicon.literalDeletes.contains(clause.head) || Lexicon.literalMoves.contains(clause.head) || clause.overwrites
        }
        return (mentions, asksMore)
    }

    private static func newName(_ reference: Reference) -> String? {
        switch reference {
        case .missing(let name), .outside(let name): name
        case .file, .url, .set, .definite: nil
        }
    }

    // MARK: Binding

    private func bound(_ template: Template, to sources: [Intent.Source], target: String?) throws(Refusal) -> JSON {
        let inputs = template.inputs.filter { !$0.isOptional }
        guard !inputs.isEmpty, sources.count % inputs.count == 0, inputs.count == 1 || sources.count == inputs.count else {
            let takes = inputs.map { "\($0.name) (\($0.type.name))" }.joined(separator: " and ")
            throw Refusal(
                "The template \(template.name) takes \(takes.isEmpty ? "nothing" : takes). Start it with: assent run \(template.name)")
        }
        guard sources.count <= Limits.plannedFiles * inputs.count else { throw Refusal(PlanBuilder.tooMany(sources.count)) }
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
                    Template.Edge(from: Template.Endpoint(loader.id, port), to: Template.Endpoint($0.node + suffix, $0.port))
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
        guard let tool = words.catalogue[node.kind] else { return node }
        if let target, tool.isSaver { node.params["path"] = .string(target) }
        // It stays a template: what a plan would say in place of a default is not meant (`semantics.md` 190).
        for param in tool.params where param.plannedValue != nil && node.params[param.name] == nil {
            node.params[param.name] = param.defaultValue
        }
        return node
    }

    private func loader(
        for input: Template.WorkflowInput, _ source: Intent.Source, of template: Template, suffix: String
    ) throws(Refusal) -> (Template.Node, port: String) {
        let fits =
            input.type == .any || input.type == .file || input.type.name == source.type || (input.type == .text && source.type == "json")
        guard fits || source.isURL else {
            throw Refusal("The template \(template.name) takes \(PlanBuilder.inWords(input.type)); \(source.name) is not one.")
        }
        let tools = words.catalogue.sorted.filter { $0.param("url")?.isRequired == true }
        let fetcher =
            tools.first { $0.outputs.contains { $0.type == input.type } } ?? tools.first { $0.outputs.contains { $0.type == .any } }
        guard let tool = source.isURL ? fetcher : words.catalogue.loader(for: input.type),
            let param = tool.params.first(where: \.isRequired),
            let output = tool.outputs.first(where: { $0.type == input.type }) ?? tool.outputs.first
        else { throw Refusal("No tool here loads \(source.name).") }
        let taken = Set(template.nodes.map { $0.id + suffix })
        let id =
            ["load", "load-\(input.name)", "input-\(input.name)"].map { $0 + suffix }.first { !taken.contains($0) } ?? "load-0\(suffix)"
        return (
            Template.Node(id: id, kind: tool.kind, params: JSON.of([param.name: .string(source.name)]).object ?? JSON.Object()), output.name
        )
    }
}

extension Token {
    /// A text between quotes or backticks.
    fileprivate var isText: Bool {
        switch kind {
        case .quoted, .code: true
        default: false
        }
    }
}

import JSON
import Vocabulary

/// Puts an intent together as a workflow: loaders, one chain per file, savers; every edge by its port types.
struct PlanBuilder {
    private var draft: Draft
    private let listing: Listing
    private var verbs: [String] = []
    private var named: [String] = []

    /// A file or a result on its way through the tools.
    private struct Flow {
        var source: Intent.Source?
        var value: Draft.Value?
        /// The tool that made the value.
        var maker: ToolManifest?
        /// The format a conversion gave it.
        var format: String?
        var isSaved = false
    }

    init(catalogue: Catalogue, listing: Listing) {
        draft = Draft(catalogue: catalogue)
        self.listing = listing
    }

    mutating func workflow(_ intent: Intent) throws(Refusal) -> JSON? {
        try checkAlone(intent)
        for step in intent.alone { try alone(step) }
        var results: [[Flow]] = []
        for (number, group) in intent.groups.enumerated() {
            let isGathered = intent.groups.contains { $0.parents.contains(number) }
            results.append(try flows(of: group, earlier: results, isGathered: isGathered))
        }
        guard !draft.nodes.isEmpty else { return nil }
        guard draft.nodes.count <= Limits.templateNodes else { throw Refusal("That is too much for one workflow.") }
        return draft.json(name: name)
    }

    private var name: String {
        var unique: [String] = []
        for name in named where !unique.contains(name) { unique.append(name) }
        let files = unique.count > 3 ? "\(unique.count) files" : unique.joined(separator: ", ")
        var done: [String] = []
        for verb in verbs where !done.contains(verb) { done.append(verb) }
        let what = done.isEmpty ? (draft.nodes.contains { $0.tool.isSaver } ? "save" : "load") : done.joined(separator: ", ")
        return files.isEmpty ? what : "\(files): \(what)"
    }

    /// Steps without edges have no order: what moves or deletes a file never stands in one plan with something that uses it.
    private func checkAlone(_ intent: Intent) throws(Refusal) {
        let moving = intent.alone.filter { $0.tool.effects.contains(.deletes) }
        guard !moving.isEmpty else { return }
        let used = Set(intent.groups.flatMap { $0.sources.map(\.name) })
        let touched = moving.flatMap { $0.params.members.compactMap(\.value.string) }
        let isTwice = Set(touched).count < touched.count
        let delays = intent.alone.contains { $0.tool.hasOpenPorts }
        if delays || isTwice || touched.contains(where: used.contains) {
            throw Refusal("Moving or deleting comes after the rest is done: say it in a line of its own, when this has ended.")
        }
    }

    private mutating func alone(_ step: Step) throws(Refusal) {
        try requireAll(step)
        _ = draft.add(step.tool, params: step.params)
        verbs.append(step.tool.verb)
        for name in step.params.members.filter({ ["path", "from"].contains($0.key) }).compactMap(\.value.string) where name != "." { named.append(name) }
    }

    private func requireAll(_ step: Step) throws(Refusal) {
        let missing = step.tool.params.filter { $0.isRequired && step.params[$0.name] == nil }
        guard let first = missing.first else { return }
        let names = missing.map(\.name).joined(separator: " and ")
        let choices = first.choices.isEmpty ? "" : ": \(first.choices.joined(separator: ", "))"
        throw Refusal("\(step.tool.title) needs \(names)\(choices). \(first.summary).")
    }

    // MARK: Chains

    private mutating func flows(of group: Intent.Group, earlier: [[Flow]], isGathered: Bool) throws(Refusal) -> [Flow] {
        var flows = group.sources.map { Flow(source: $0) } + group.parents.flatMap { earlier[$0] }
        named += group.sources.map { $0.isURL ? String($0.name.split(separator: "/").last ?? "") : $0.name }
        if flows.isEmpty, case .step(let step, _)? = group.actions.first { flows = [try start(step)] }
        let skips = group.sources.isEmpty && group.parents.isEmpty ? 1 : 0
        for (place, action) in group.actions.enumerated().dropFirst(skips) {
            switch action {
            case .step(let step, let second): try apply(step, second: second, to: &flows, saving: target(after: place, in: group), fetcher: group.fetcher)
            case .save(let path, let overwrite): try save(&flows, to: path, overwrite: overwrite, group: group)
            }
        }
        if !isGathered { try finish(&flows, group) }
        return flows
    }

    private func target(after place: Int, in group: Intent.Group) -> String? {
        for case .save(let path?, _) in group.actions[place...] { return path }
        return nil
    }

    private mutating func start(_ step: Step) throws(Refusal) -> Flow {
        try requireAll(step)
        let node = draft.add(step.tool, params: step.params)
        verbs.append(step.tool.verb)
        guard let output = step.tool.outputs.first else { return Flow() }
        return Flow(value: Draft.Value(node: node, port: output.name, type: output.type), maker: step.tool)
    }

    private mutating func apply(_ step: Step, second: Intent.Source?, to flows: inout [Flow], saving target: String?, fetcher: ToolManifest?) throws(Refusal) {
        var step = step
        fillFromTarget(&step, target)
        try requireAll(step)
        if !step.tool.hasOpenPorts { verbs.append(step.tool.verb) }
        if step.tool.hasOpenPorts {
            for index in flows.indices {
                try load(&flows[index], for: nil, fetcher: fetcher)
                guard let value = flows[index].value else { continue }
                let type = value.type
                flows[index].value = draft.pass(value, through: step.tool, params: step.params)
                flows[index].value?.type = type
            }
            return
        }
        if let port = step.tool.inputs.first(where: \.isVariadic) { return try gather(step, port: port, &flows, fetcher: fetcher) }
        guard let port = step.tool.inputs.first(where: { !$0.isOptional }) ?? step.tool.inputs.first else { return }
        for index in flows.indices {
            try load(&flows[index], for: port.type, fetcher: fetcher, tool: step.tool)
            let value = try plug(flows[index], into: port.type, of: step.tool)
            var node: Int?
            if let other = step.tool.inputs.first(where: { !$0.isOptional && $0.name != port.name }) {
                guard let second else { throw Refusal("\(step.tool.title) needs a second file for its \(other.name): say “put logo.png on cat.jpg”.") }
                var flow = Flow(source: second)
                try load(&flow, for: other.type, fetcher: nil, tool: step.tool)
                node = draft.add(step.tool, params: step.params)
                if let value = flow.value { draft.connect(value, to: node!, port: other.name, type: other.type) }
            }
            let place = node ?? draft.add(step.tool, params: step.params)
            draft.connect(value, to: place, port: port.name, type: port.type)
            leave(&flows[index], through: step, node: place)
        }
    }

    private func leave(_ flow: inout Flow, through step: Step, node: Int) {
        flow.maker = step.tool
        flow.isSaved = false
        if let format = step.params["format"]?.string { flow.format = format }
        flow.value = step.tool.outputs.first.map { Draft.Value(node: node, port: $0.name, type: $0.type) }
    }

    /// "into pics.zip" names the archive; "to small.webp" names the format.
    private func fillFromTarget(_ step: inout Step, _ target: String?) {
        guard let target, let suffix = FileName.suffix(of: target) else { return }
        for param in step.tool.params where step.params[param.name] == nil {
            if param.name == "name", param.kind == .text { step.params["name"] = .string(FileName.base(of: target)) }
            if param.kind == .choice, param.isRequired, param.choices.contains(FileName.format(suffix)) { step.params[param.name] = .string(FileName.format(suffix)) }
        }
    }

    private mutating func gather(_ step: Step, port: Port, _ flows: inout [Flow], fetcher: ToolManifest?) throws(Refusal) {
        guard flows.count <= Limits.variadicPorts else { throw Refusal("\(step.tool.title) takes at most \(Limits.variadicPorts) files.") }
        guard flows.count > 1 || port.type == .file else { throw Refusal("\(step.tool.title) takes two or more; I see one.") }
        var values: [Draft.Value] = []
        for index in flows.indices {
            try load(&flows[index], for: port.type, fetcher: fetcher, tool: step.tool)
            values.append(try plug(flows[index], into: port.type, of: step.tool))
        }
        let node = draft.add(step.tool, params: step.params)
        for (number, value) in values.enumerated() { draft.connect(value, to: node, port: "\(port.name).\(number + 1)", type: port.type) }
        var flow = Flow(source: flows.count == 1 ? flows[0].source : nil)
        leave(&flow, through: step, node: node)
        flows = [flow]
    }

    // MARK: Types

    private mutating func load(_ flow: inout Flow, for type: PortType?, fetcher: ToolManifest?, tool: ToolManifest? = nil) throws(Refusal) {
        guard flow.value == nil, let source = flow.source else { return }
        let type = type ?? (source.isURL ? .any : PortType(source.type))
        guard !source.isURL else {
            flow.value = try fetch(source, for: type, by: fetcher)
            return
        }
        let fits: Bool =
            switch (type.name, source.type) {
            case ("image", "image"), ("mask", "image"), ("json", "json"), ("file", _), ("any", _): true
            case ("text", let kind): kind == "text" || kind == "json" || FileName.suffix(of: source.name) == nil
            default: false
            }
        guard fits else {
            throw Refusal("\(tool?.title ?? "This") takes \(Self.inWords(type)); \(source.name) is not one.")
        }
        flow.value = draft.load(source.name, for: type)
    }

    private static func inWords(_ type: PortType) -> String {
        switch type.name {
        case "image": "a picture"
        case "text": "a text"
        case "json": "JSON"
        case "mask": "a mask"
        default: "a file"
        }
    }

    /// By the tool that the verb calls for if it gives what is needed; else by the one that does.
    private mutating func fetch(_ source: Intent.Source, for type: PortType, by fetcher: ToolManifest?) throws(Refusal) -> Draft.Value {
        let tools = draft.catalogue.sorted.filter { $0.param("url")?.isRequired == true && $0.inputs.allSatisfy(\.isOptional) }
        func output(_ tool: ToolManifest) -> Port? { tool.outputs.first { $0.type == type } ?? tool.outputs.first { type.accepts($0.type) } }
        let exact = tools.first { $0.outputs.contains { $0.type == type } }
        let first = type == .image || type == .file || type == .any ? tools.first { $0.outputs.count == 1 } : exact
        guard let tool = fetcher ?? first ?? tools.first, let port = output(tool) else { throw Refusal("No tool here loads from the web.") }
        let node = draft.add(tool, params: JSON.of(["url": .string(source.name)]).object ?? JSON.Object())
        if fetcher != nil || draft.nodes.count == 1 { verbs.append(tool.verb) }
        return Draft.Value(node: node, port: port.name, type: port.type)
    }

    /// Another output of the same tool where the first does not fit.
    private func plug(_ flow: Flow, into type: PortType, of tool: ToolManifest) throws(Refusal) -> Draft.Value {
        guard let value = flow.value else { throw Refusal("Nothing comes to \(tool.title).") }
        guard let maker = flow.maker else { return value }
        if type.accepts(value.type) { return value }
        guard let port = maker.outputs.first(where: { type.accepts($0.type) }) else {
            throw Refusal("\(tool.title) takes \(Self.inWords(type)), but \(maker.title) gives \(maker.outputs.map { Self.inWords($0.type) }.joined(separator: " and ")).")
        }
        return Draft.Value(node: value.node, port: port.name, type: port.type)
    }

    // MARK: Results

    private mutating func save(_ flows: inout [Flow], to path: String?, overwrite: Bool, group: Intent.Group) throws(Refusal) {
        if let path, !path.hasSuffix("/"), flows.count > 1 { throw Refusal("\(flows.count) results cannot all become \(path). Name a folder, with a / at its end.") }
        for index in flows.indices {
            try load(&flows[index], for: nil, fetcher: group.fetcher)
            let target = path.map { $0.hasSuffix("/") ? $0 + fileName(of: flows[index]) : $0 }
            if let target, !overwrite, listing.files.contains(where: { $0.name == target }) { throw Refusal("\(target) is there already. Say “overwrite \(target)”, or give another name.") }
            if let target { try convert(&flows[index], toFormatOf: target) }
            guard let value = flows[index].value else { continue }
            draft.save(best(value, of: flows[index], for: target), path: target, overwrite: overwrite)
            flows[index].isSaved = true
        }
    }

    private func fileName(of flow: Flow) -> String {
        let base = FileName.base(of: flow.source.map { $0.isURL ? String($0.name.prefix { $0 != "?" }) : $0.name } ?? flow.maker?.param("name")?.defaultValue?.string ?? "result")
        guard let format = flow.format, let dot = base.lastIndex(of: ".") else { return base }
        return base[..<dot] + ".\(format)"
    }

    /// A picture saved under the name of another format becomes one.
    private mutating func convert(_ flow: inout Flow, toFormatOf target: String) throws(Refusal) {
        guard let value = flow.value, let source = flow.source, source.type == "image", !source.isURL || flow.maker != nil,
            value.type == .image, let suffix = FileName.suffix(of: target)
        else { return }
        let wanted = FileName.format(suffix)
        guard wanted != flow.format ?? FileName.format(FileName.suffix(of: source.name) ?? "") else { return }
        guard let tool = draft.catalogue.sorted.first(where: { $0.inputs.map(\.type) == [.image] && $0.params.contains { $0.kind == .choice && $0.choices.contains("png") } }),
            let param = tool.params.first(where: { $0.kind == .choice })
        else { return }
        let format = try Filling.checked(.string(wanted), for: param, of: tool)
        let node = draft.add(tool, params: JSON.of([:]).object ?? JSON.Object())
        draft.setParam(param.name, format, of: node)
        verbs.append(tool.verb)
        draft.connect(value, to: node, port: tool.inputs[0].name, type: .image)
        flow.format = wanted
        flow.maker = tool
        flow.value = Draft.Value(node: node, port: tool.outputs[0].name, type: .image)
    }

    /// What a person wants in a file: the text of a result that has one, or its JSON where the name says so.
    private func best(_ value: Draft.Value, of flow: Flow, for target: String?) -> Draft.Value {
        guard let maker = flow.maker, maker.outputs.count > 1 else { return value }
        let wanted: PortType = target.map { FileName.type(of: $0) } == "json" ? .json : .text
        guard let port = maker.outputs.first(where: { $0.type == wanted }) else { return value }
        return Draft.Value(node: value.node, port: port.name, type: port.type)
    }

    private mutating func finish(_ flows: inout [Flow], _ group: Intent.Group) throws(Refusal) {
        for index in flows.indices where !flows[index].isSaved {
            if flows[index].value == nil { try load(&flows[index], for: nil, fetcher: group.fetcher) }
            guard let value = flows[index].value else { continue }
            guard let maker = flows[index].maker else {
                if group.savesWhatIsLoaded { draft.save(value, path: nil) }
                continue
            }
            guard maker.makesFiles || group.overwritesOriginals else { continue }
            guard group.overwritesOriginals else {
                draft.save(value, path: nil)
                continue
            }
            guard let source = flows[index].source, !source.isURL, maker.makesFiles else { throw Refusal("I do not know which file to overwrite.") }
            if let format = flows[index].format, format != FileName.format(FileName.suffix(of: source.name) ?? "") {
                throw Refusal("\(source.name) cannot become a \(format) in place. Give it another name.")
            }
            draft.save(value, path: source.name, overwrite: true)
        }
    }
}

import JSON
import Vocabulary

/// The part of the builder that saves results, under the names that the user gave or the next free ones.
extension PlanBuilder {
    mutating func save(
        _ flow: inout Flow, of count: Int, to path: String?, overwrite: Bool, group: Intent.Group
    ) throws(Refusal) {
        if let path, !path.hasSuffix("/"), count > 1 {
            throw Refusal("\(count) results cannot all become \(path). Name a folder, with a / at its end.")
        }
        // A copy consists of the same bytes, whatever they are.
        let isCopy = flow.value == nil && flow.source.map { !$0.isURL && $0.type != "image" } ?? false
        if flow.value == nil, let source = flow.source, source.isFolder { return try copy(source, of: &flow, to: path) }
        try load(&flow, for: isCopy ? .file : nil, fetcher: group.fetcher)
        let target = path.map { $0.hasSuffix("/") ? $0 + fileName(of: flow) : $0 }
        if let target, !overwrite, listing.files.contains(where: { $0.name == target }) {
            throw Refusal("\(target) is there already. Say “overwrite \(target)”, or give another name.")
        }
        if let target, !targets.insert(target).inserted {
            throw Refusal("Two results would become \(target). Say the two in lines of their own.")
        }
        if let target {
            try convert(&flow, toFormatOf: target)
            convert(&flow, toTypeOf: target)
        }
        guard let value = flow.value else { return }
        if flow.maker == nil, let verb = group.verb { verbs.append(verb) }
        draft.save(
            best(value, of: flow, for: target), path: savedPath(of: flow, named: target, overwrites: overwrite),
            overwrite: overwrite)
        flow.isSaved = true
    }

    /// Returns the name of a result in its folder: that of its source, with the suffix of what the last tool makes.
    private func fileName(of flow: Flow) -> String {
        let base = FileName.base(
            of: flow.source.map { $0.isURL ? String($0.name.prefix { $0 != "?" }) : $0.name } ?? flow.maker?.param(
                "name")?.defaultValue?
                .string ?? "result")
        let dot = base.lastIndex(of: ".")
        if let format = flow.format { return dot.map { base[..<$0] + ".\(format)" } ?? base }
        guard let template = flow.maker?.resultName else { return base }
        let name = template.replacing("{stem}", with: dot.map { base[..<$0] } ?? base[...])
            .replacing("{ext}", with: dot.map { base[base.index(after: $0)...] } ?? "")
        return name.contains("{") || name.hasSuffix(".") ? base : name
    }

    /// Adds a conversion if a picture is saved under the suffix of another format.
    private mutating func convert(_ flow: inout Flow, toFormatOf target: String) throws(Refusal) {
        guard let value = flow.value, let source = flow.source, source.type == "image",
            !source.isURL || flow.maker != nil,
            value.type == .image, let suffix = FileName.suffix(of: target)
        else { return }
        let wanted = FileName.format(suffix)
        guard wanted != flow.format ?? FileName.format(FileName.suffix(of: source.name) ?? "") else { return }
        guard
            let tool = draft.catalogue.sorted.first(where: {
                $0.inputs.map(\.type) == [.image] && $0.makesFormats
            }),
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

    /// Adds the tool that makes a file of the suffix, if a result of another type gets such a name and one tool does:
    /// a table that is saved as `people.json`.
    private mutating func convert(_ flow: inout Flow, toTypeOf target: String) {
        guard flow.maker != nil, let value = flow.value, let suffix = FileName.suffix(of: target),
            ![value.type.name, "text", "file", "image"].contains(FileName.type(of: target))
        else { return }
        let tools = draft.catalogue.sorted.filter { tool in
            tool.inputs.count == 1 && tool.inputs[0].type == value.type && !tool.params.contains(where: \.isRequired)
                && tool.resultName?.hasSuffix(".\(suffix)") ?? false
        }
        guard tools.count == 1, let output = tools[0].outputs.first else { return }
        let node = draft.add(tools[0])
        draft.connect(value, to: node, port: tools[0].inputs[0].name, type: value.type)
        verbs.append(tools[0].title.lowercased())
        flow.maker = tools[0]
        flow.value = Draft.Value(node: node, port: output.name, type: output.type)
    }

    /// Returns the output that a user expects in a file: the text of a result that has one, or its JSON if the name
    /// says so.
    private func best(_ value: Draft.Value, of flow: Flow, for target: String?) -> Draft.Value {
        guard let maker = flow.maker, maker.outputs.count > 1 else { return value }
        let wanted: PortType = target.map { FileName.type(of: $0) } == "json" ? .json : .text
        guard let port = maker.outputs.first(where: { $0.type == wanted }) else { return value }
        return Draft.Value(node: value.node, port: port.name, type: port.type)
    }

    /// Returns a free name beside a file of a folder. Returns nil for a file of the working folder, for which the saver
    /// finds one.
    private func besideOriginal(_ flow: Flow, isAlone: Bool) -> String? {
        // A result of several files belongs to none of their folders.
        if isAlone, let source = flow.source, let name = afterOriginal(source, flow) { return name }
        guard let source = flow.source, !source.isURL, flow.maker?.gathers != true,
            let slash = source.name.lastIndex(of: "/"), listing.files.contains(where: { $0.name == source.name })
        else {
            return nil
        }
        let path = source.name[...slash] + fileName(of: flow)
        guard listing.files.contains(where: { $0.name == path }) else { return String(path) }
        let dot = path.lastIndex(of: ".").flatMap { $0 > slash ? $0 : nil } ?? path.endIndex
        return freeName(path[..<dot], path[dot...])
    }

    /// Returns the next free name of the original, if a source is a result that was named after it: `cat-2.jpg` for a
    /// result of `cat-1.jpg`. Returns nil for other sources.
    private func afterOriginal(_ source: Intent.Source, _ flow: Flow) -> String? {
        guard let entry = listing.files.first(where: { $0.name == source.name }), entry.isResult,
            let dash = source.name.lastIndex(of: "-"), let dot = source.name.lastIndex(of: "."), dash < dot,
            source.name[source.name.index(after: dash)..<dot].allSatisfy(\.isNumber)
        else { return nil }
        let stem = source.name[..<dash]
        let made = fileName(of: flow)
        let suffix = made.lastIndex(of: ".").map { String(made[$0...]) } ?? ""
        guard listing.files.contains(where: { $0.name == "\(stem)\(source.name[dot...])" }) else { return nil }
        return freeName(stem, suffix)
    }

    /// Returns the first name with a number that no file or folder has and no other result gets, or nil if there is
    /// none: `cat-1.jpg`.
    func freeName(_ stem: some StringProtocol, _ suffix: some StringProtocol) -> String? {
        let taken = Set(listing.files.map(\.name)).union(targets)
        return (1...Limits.plannedFiles).lazy.map { "\(stem)-\($0)\(suffix)" }.first { !taken.contains($0) }
    }

    /// Returns the path of a result: that which it has already, or the name that a step gives its archive, if it is
    /// free. Returns nil for other results, for which the saver finds a name.
    private mutating func savedPath(of flow: Flow, named path: String?, overwrites: Bool = false) -> String? {
        if path != nil || overwrites { return path }
        guard let maker = flow.maker, maker.packsFolders != nil, let value = flow.value, listing.isWhole,
            let name = draft.nodes[value.node].params["name"]?.string ?? maker.param("name")?.defaultValue?.string,
            !listing.files.contains(where: { $0.name == name })
        else { return nil }
        return targets.insert(name).inserted ? name : nil
    }

    /// Returns an example of an order that fits the type of a file.
    private static func example(for source: Intent.Source) -> String {
        switch source.type {
        case "image": "make \(source.name) 800 px wide"
        case "text": "count the words in \(source.name)"
        case "json": "get the field name from \(source.name)"
        default: "zip \(source.name)"
        }
    }

    mutating func finish(_ flow: inout Flow, _ group: Intent.Group) throws(Refusal) {
        guard !flow.isSaved else { return }
        if flow.maker == nil, let source = flow.source, !source.isURL, !group.savesWhatIsLoaded {
            throw Refusal(
                "I see \(source.name), but not what to do with it. Say it with a verb, such as “\(Self.example(for: source))”; /tools lists what there is."
            )
        }
        try load(&flow, for: nil, fetcher: group.fetcher)
        guard let value = flow.value else { return }
        guard !group.isShown, flow.maker?.makesFiles ?? group.savesWhatIsLoaded || group.overwritesOriginals else {
            return
        }
        flow.isSaved = true
        // "replace a.jpg with b.jpg and make it gray": b.jpg is not to be replaced.
        let hasOverwritten = group.actions.contains { if case .save(_?, true) = $0 { true } else { false } }
        guard !hasOverwritten else {
            throw Refusal("One file is overwritten already. Say what else is to be done in a line of its own.")
        }
        guard group.overwritesOriginals else {
            return draft.save(
                value, path: savedPath(of: flow, named: besideOriginal(flow, isAlone: group.sources.count == 1)))
        }
        let isNamed = group.overwritten.isEmpty || group.overwritten.contains(flow.source?.name ?? "")
        guard let source = flow.source, !source.isURL, let maker = flow.maker, maker.makesFiles, isNamed else {
            throw Refusal("I do not know which file to overwrite.")
        }
        if let format = flow.format, format != FileName.format(FileName.suffix(of: source.name) ?? "") {
            throw Refusal("\(source.name) cannot become a \(format) in place. Give it another name.")
        }
        draft.save(value, path: source.name, overwrite: true)
    }
}

extension ToolManifest {
    /// The name that the manifest gives the first output, such as `{stem}.json`, or nil if it gives none.
    fileprivate var resultName: String? {
        guard case .program(let action) = action, let port = outputs.first else { return nil }
        return action.files[port.name]
    }
}

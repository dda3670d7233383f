import JSON
import Vocabulary

/// A builder that puts an intent together as a workflow: loaders, one chain for each file, savers. Every edge fits its
/// port types.
struct PlanBuilder {
    var draft: Draft
    let listing: Listing
    var (verbs, named): ([String], [String]) = ([], [])
    /// The limit that cuts off files, if only the first ones are processed: how many of how many files, and the tool
    /// that accepts no more.
    private var cut: (taken: Int, count: Int, tool: String)?
    /// The names under which results are saved so far.
    var targets: Set<String> = []
    /// The further sentences about files and results that the plan leaves out.
    var leavings: [PlannerText] = []

    /// Returns the words about the files that are left out, or nil if none are.
    func partial(in language: PlannerLanguage) -> String? {
        let first: PlannerText? = cut.map {
            "\($0.tool) takes at most \($0.taken) files: it gets the first \($0.taken) of \($0.count), by name."
        }
        let said = ([first].compactMap(\.self) + leavings).map { $0.text(in: language) }
        return said.isEmpty ? nil : said.joined(separator: " ")
    }

    /// A file or a result that passes through the tools.
    struct Flow {
        var source: Intent.Source?
        var value: Draft.Value?
        /// The tool that made the value, or nil for a file.
        var maker: ToolManifest?
        /// The format after the last conversion, or nil if there was none.
        var format: String?
        var isSaved = false
    }

    init(catalogue: Catalogue, listing: Listing) {
        draft = Draft(catalogue: catalogue)
        self.listing = listing
    }

    mutating func workflow(_ intent: Intent) throws(Refusal) -> JSON? {
        try checkOrder(intent)
        var results: [[Flow]] = []
        for (number, group) in intent.groups.enumerated() {
            try alone(intent, at: number)
            let isGathered = intent.groups.contains { $0.parents.contains(number) }
            results.append(try flows(of: group, earlier: results, isGathered: isGathered))
        }
        try alone(intent, at: intent.groups.count)
        guard !draft.nodes.isEmpty else { return nil }
        leavings = PlanLeavings(intent, listing).sentences
        guard draft.nodes.count <= Limits.templateNodes else { throw Refusal("That is too much for one workflow.") }
        return draft.json(name: name)
    }

    private var name: String {
        var seen: Set<String> = []
        let unique = named.filter { seen.insert($0).inserted }
        let all = unique.count > 3 ? counted(unique) : unique.joined(separator: ", ")
        let files = cut.map { "\($0.taken) of \($0.count) files" } ?? all
        var done: [String] = []
        for verb in verbs where !done.contains(verb) { done.append(verb) }
        let what =
            done.isEmpty ? (draft.nodes.contains { $0.tool.isSaver } ? "save" : "load") : done.joined(separator: ", ")
        return files.isEmpty ? what : "\(files): \(what)"
    }

    /// Returns the number of the files and folders of these names: "4 files, 1 folder".
    private func counted(_ names: [String]) -> String {
        let known = Set(listing.files.filter(\.isFolder).map(\.name)).union(
            listing.hidden.filter(\.isFolder).map(\.name))
        let folders = names.count(where: known.contains)
        let parts = [(names.count - folders, "file"), (folders, "folder")].filter { $0.0 > 0 }
        return parts.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: ", ")
    }

    /// Checks whether an order can hold. It cannot if a file would be moved or deleted before the rest of the plan uses
    /// it, or if a wait stands before a step that takes nothing from it.
    private func checkOrder(_ intent: Intent) throws(Refusal) {
        let moving = zip(intent.alone, intent.places).filter { $0.0.tool.effects.contains(.deletes) }
        guard !moving.isEmpty else { return }
        if intent.alone.contains(where: { $0.tool.hasOpenPorts }) {
            throw Refusal(
                "I cannot wait before a file is moved or deleted: say it in a line of its own, after the wait.")
        }
        for (step, place) in moving {
            let later = Set(intent.groups.dropFirst(place).flatMap { $0.sources.map(\.name) })
            guard let name = step.gone, later.contains(name) else { continue }
            throw Refusal(
                "\(name) would be missing when the rest needs it: say first what becomes of it, then “\(step.word)”.")
        }
    }

    /// Adds the steps that stand alone and that the sentence says after a number of groups.
    private mutating func alone(_ intent: Intent, at place: Int) throws(Refusal) {
        for (step, said) in zip(intent.alone, intent.places) where said == place { try alone(step) }
    }

    private mutating func alone(_ step: Step) throws(Refusal) {
        try requireAll(step)
        _ = draft.add(step.tool, params: step.params)
        verbs.append(step.title)
        for name in step.params.members.filter({ ["path", "from"].contains($0.key) }).compactMap(\.value.string)
        where name != "." {
            named.append(name)
        }
    }

    private func requireAll(_ step: Step) throws(Refusal) {
        let missing = step.tool.params.filter { $0.isRequired && step.params[$0.name] == nil }
        guard let first = missing.first else { return }
        let names = missing.map(\.name).joined(separator: " and ")
        let choices = first.choices.isEmpty ? "" : ": \(first.choices.joined(separator: ", "))"
        throw Refusal("\(step.called) needs \(names)\(choices). \(first.summary).").asking(.value)
    }

    // MARK: Chains

    private mutating func flows(of group: Intent.Group, earlier: [[Flow]], isGathered: Bool) throws(Refusal) -> [Flow] {
        let group = named(group)
        let isOnlyGathered = group.actions.first?.isGathering ?? false
        guard isOnlyGathered || group.sources.count <= Limits.plannedFiles else {
            throw Refusal(Self.tooMany(group.sources.count))
        }
        var flows = group.sources.map { Flow(source: $0) } + group.parents.flatMap { earlier[$0] }
        named += group.sources.map { $0.isURL ? String($0.name.split(separator: "/").last ?? "") : $0.name }
        if flows.isEmpty, case .step(let step, _)? = group.actions.first { flows = [try start(step)] }
        let skips = group.sources.isEmpty && group.parents.isEmpty ? 1 : 0
        var place = skips
        while place < group.actions.count {
            if case .step(let step, _) = group.actions[place], let port = step.tool.inputs.first(where: \.isVariadic) {
                try gather(filled(step, target(after: place, in: group)), port: port, &flows, fetcher: group.fetcher)
                place += 1
            } else {
                let end = group.actions[place...].firstIndex { $0.isGathering } ?? group.actions.count
                let isLast = end == group.actions.count && !isGathered
                for index in flows.indices {
                    try carry(&flows[index], through: place..<end, of: group, count: flows.count, isLast: isLast)
                }
                place = end
            }
        }
        if !isGathered { for index in flows.indices { try finish(&flows[index], group) } }
        return flows
    }

    /// Returns a group in which a name without a suffix ("save it as avatar") gets that of the result.
    private func named(_ group: Intent.Group) -> Intent.Group {
        var group = group
        for (place, action) in group.actions.enumerated() {
            // "to /tmp" may be a folder. The step that saves finds out.
            guard case .save(let path?, let overwrite) = action, !path.hasSuffix("/"), FileName.suffix(of: path) == nil,
                !OutsidePath.leadsOut(path)
            else { continue }
            var suffix = group.sources.first.flatMap { FileName.suffix(of: $0.name) }
            for case .step(let step, _) in group.actions[..<place] {
                if let name = step.tool.param("name")?.defaultValue?.string {
                    suffix = FileName.suffix(of: name) ?? suffix
                }
                if let format = step.params["format"]?.string { suffix = format }
            }
            group.actions[place] = .save(path: suffix.map { "\(path).\($0)" } ?? path, overwrite: overwrite)
        }
        return group
    }

    /// Adds the actions at `places` of a group to a chain. If `isLast`, adds its saver, too.
    private mutating func carry(
        _ flow: inout Flow, through places: Range<Int>, of group: Intent.Group, count: Int, isLast: Bool
    )
        throws(Refusal)
    {
        for place in places {
            switch group.actions[place] {
            case .step(let step, let second):
                try apply(
                    filled(step, target(after: place, in: group)), second: second, to: &flow, fetcher: group.fetcher)
            case .save(let path, let overwrite):
                try save(&flow, of: count, to: path, overwrite: overwrite, group: group)
            }
        }
        if isLast { try finish(&flow, group) }
    }

    private func target(after place: Int, in group: Intent.Group) -> String? {
        for case .save(let path?, _) in group.actions[place...] { return path }
        return nil
    }

    static func tooMany(_ count: Int) -> PlannerText {
        "These are \(count) files; at most \(Limits.plannedFiles) go through the steps of one workflow. "
            + "Say fewer at a time, such as “every jpg in photos/”."
    }

    private mutating func start(_ step: Step) throws(Refusal) -> Flow {
        try requireAll(step)
        let node = draft.add(step.tool, params: step.params)
        verbs.append(step.title)
        guard let output = step.tool.outputs.first else { return Flow() }
        return Flow(value: Draft.Value(node: node, port: output.name, type: output.type), maker: step.tool)
    }

    private mutating func apply(_ step: Step, second: Intent.Source?, to flow: inout Flow, fetcher: ToolManifest?)
        throws(Refusal)
    {
        try requireAll(step)
        guard !step.tool.hasOpenPorts else {
            try load(&flow, for: nil, fetcher: fetcher)
            guard let value = flow.value else { return }
            flow.value = draft.pass(value, through: step.tool, params: step.params)
            flow.value?.type = value.type
            return
        }
        verbs.append(step.title)
        guard let port = step.tool.inputs.first(where: { !$0.isOptional }) ?? step.tool.inputs.first else { return }
        try load(&flow, for: port.type, fetcher: fetcher, of: step)
        let value = try plug(flow, into: port.type, of: step)
        let other = step.tool.inputs.first { !$0.isOptional && $0.name != port.name }
        var beside = Flow(source: second)
        if let other {
            guard second != nil else {
                throw Refusal(
                    "\(step.called) needs a second file for its \(other.name): say “put logo.png on cat.jpg”.")
            }
            try load(&beside, for: other.type, fetcher: nil, of: step)
        }
        let node = draft.add(step.tool, params: step.params)
        draft.connect(value, to: node, port: port.name, type: port.type)
        if let other, let value = beside.value { draft.connect(value, to: node, port: other.name, type: other.type) }
        leave(&flow, through: step, node: node)
    }

    func leave(_ flow: inout Flow, through step: Step, node: Int) {
        flow.maker = step.tool
        flow.isSaved = false
        if let format = step.params["format"]?.string { flow.format = format }
        flow.value = step.tool.outputs.first.map { Draft.Value(node: node, port: $0.name, type: $0.type) }
    }

    /// Returns a step with parameters from the name of the target: "into pics.zip" names the archive, "to small.webp"
    /// the format.
    private func filled(_ step: Step, _ target: String?) -> Step {
        guard let target, let suffix = FileName.suffix(of: target) else { return step }
        var step = step
        for param in step.tool.params where step.params[param.name] == nil {
            if param.name == "name", param.kind == .text { step.params["name"] = .string(FileName.base(of: target)) }
            if param.kind == .choice, param.isRequired, param.choices.contains(FileName.format(suffix)) {
                step.params[param.name] = .string(FileName.format(suffix))
            }
        }
        return step
    }

    private mutating func gather(_ step: Step, port: Port, _ flows: inout [Flow], fetcher: ToolManifest?)
        throws(Refusal)
    {
        let count = flows.count
        if count > Limits.variadicPorts {
            flows = Array(flows.prefix(Limits.variadicPorts))
            cut = (flows.count, count, step.tool.title)
        }
        guard flows.count > 1 || port.type == .file else {
            throw Refusal("\(step.called) takes two or more; I see one.")
        }
        var values: [Draft.Value] = []
        var step = namedAlone(step, flows)
        if let param = step.tool.packsFolders {
            let folders = flows.compactMap { $0.value == nil && $0.source?.isFolder == true ? $0.source?.name : nil }
            if !folders.isEmpty { step.params[param.name] = .array(folders.map { .string($0) }) }
            flows.removeAll { $0.value == nil && $0.source?.isFolder == true }
        }
        for index in flows.indices {
            try load(&flows[index], for: port.type, fetcher: fetcher, of: step)
            values.append(try plug(flows[index], into: port.type, of: step))
        }
        try requireAll(step)
        verbs.append(step.title)
        let node = draft.add(step.tool, params: step.params)
        for (number, value) in values.enumerated() {
            draft.connect(value, to: node, port: "\(port.name).\(number + 1)", type: port.type)
        }
        var flow = Flow(source: flows.count == 1 ? flows[0].source : nil)
        leave(&flow, through: step, node: node)
        flows = [flow]
    }
}

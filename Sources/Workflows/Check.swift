import JSON
package import Vocabulary

/// Checks a template against the known tools, and reports all problems at once (`semantics.md` 20–23, 29). The time is
/// linear in nodes and edges.
///
/// - Parameters:
///   - bound: inputs that the caller will bind at start, so that they count as fed.
///   - isStored: whether the template was checked before it was stored. A rule that needs a tool is then not applied to
///     steps whose tool is missing now, so that the workflow loads and these steps wait.
/// - Returns: the graph, only if there are no problems, and the problems.
package func check(
    _ template: Template, against catalogue: Catalogue, bound: Set<Template.Endpoint> = [], isStored: Bool = false
) -> (Graph?, [Problem]) {
    var checker = Checker(template: template, catalogue: catalogue, bound: bound, isStored: isStored)
    let graph = checker.graph()
    return (checker.problems.isEmpty ? graph : nil, checker.problems)
}

/// Finds the tools that a workflow needs and that are not installed. Its steps of such a kind stay blocked until they
/// are.
///
/// - Returns: one problem for each kind, at its first step.
package func missingTools(of template: Template, in catalogue: Catalogue) -> [Problem] {
    let checker = Checker(template: template, catalogue: catalogue)
    var counts: [String: Int] = [:]
    var firsts: [(node: Template.Node, reason: Reason)] = []
    for node in template.nodes where node.kind != Revision.removedKind {
        guard counts.updateValue((counts[node.kind] ?? 0) + 1, forKey: node.kind) == nil else { continue }
        if let reason = checker.missing(node.kind, catalogue[node.kind]) { firsts.append((node, reason)) }
    }
    return firsts.map { node, reason in
        let count = counts[node.kind] ?? 1
        return Problem(reason.code, at: node.id, reason.words + (count > 1 ? " \(count) steps are of that kind." : ""))
    }
}

private struct Checker {
    let template: Template
    let catalogue: Catalogue
    let bound: Set<Template.Endpoint>
    let isStored: Bool
    var problems: [Problem] = []
    private var providers: [JobTerms] = []
    private var providerPlaces: [String: Int] = [:]

    init(template: Template, catalogue: Catalogue, bound: Set<Template.Endpoint> = [], isStored: Bool = false) {
        (self.template, self.catalogue, self.bound, self.isStored) = (template, catalogue, bound, isStored)
    }

    /// The inputs and outputs of a node, as far as they are known while edges are checked.
    private struct Ports {
        var inputs: PortTable
        var outputs: PortTable
        var variadic: Port?
        /// Whether the ports were checked with a tool that is missing now. They are not checked again without it.
        var isTrusted = false
    }

    mutating func graph() -> Graph {
        let index = nodeIndex()
        var ports = template.nodes.map { self.ports(of: $0) }
        var feeds = [[Int: Int]](repeating: [:], count: template.nodes.count)  // node → input position → edge number
        var consumers = [[Int]](repeating: [], count: template.nodes.count)
        var producers: [(node: Int, port: String)?] = []
        producers.reserveCapacity(template.edges.count)
        for (number, edge) in template.edges.enumerated() {
            producers.append(nil)
            guard let (from, to) = ends(of: edge, in: index) else { continue }
            let source = output(edge.from, of: from, ports: &ports)
            let target = input(edge.to, of: to, ports: &ports)
            guard let source, let target else { continue }
            let targetPort = ports[to].inputs.ports[target]
            if !targetPort.type.accepts(source.type), !ports[from].isTrusted, !ports[to].isTrusted {
                report(
                    .portTypeMismatch, at: "\(edge.to)",
                    "\(edge.from) gives \(source.type), but \(edge.to) takes \(targetPort.type).")
            }
            if feeds[to].updateValue(number, forKey: target) != nil { reportMultiProducer(of: targetPort, at: edge.to) }
            producers[number] = (from, edge.from.port)
            consumers[from].append(to)
        }
        let external = externallyFed(in: index, ports: &ports, feeds: feeds)
        var nodes = template.nodes.enumerated().map { number, node in
            self.node(node, ports: ports[number], feeds: feeds[number], external: external, producers: producers)
        }
        checkSkips(nodes: nodes, ports: ports)
        if !isStored { problems += BlankCheck.problems(of: template, catalogue) }
        var order = OrderCheck(template: template, catalogue: catalogue, index: index, isStored: isStored)
        order.complete(&nodes, &consumers)
        problems += order.problems
        let graph = Graph(
            name: template.name, options: template.options, nodes: nodes, consumers: consumers,
            order: Graph.Followers(nodes), rows: StepRows(template), providers: providers)
        if let cycle = shortestCycle(graph.order == nil ? consumers : nodes.indices.map(graph.successors)) {
            let path = (cycle + [cycle[0]]).map { template.nodes[$0].id }
            let shown =
                path.count > 12 ? Array(path.prefix(8)) + ["… \(path.count - 11) more …"] + path.suffix(3) : path
            report(.cycleDetected, at: path[0], "The steps go round in a circle: \(shown.joined(separator: " → ")).")
        }
        return graph
    }

    private mutating func report(_ code: Code, at place: String, _ message: String) {
        problems.append(Problem(code, at: place, message))
    }

    private mutating func nodeIndex() -> [String: Int] {
        var index: [String: Int] = [:]
        index.reserveCapacity(template.nodes.count)
        for (number, node) in template.nodes.enumerated() where index.updateValue(number, forKey: node.id) != nil {
            report(.duplicateNode, at: node.id, "Two nodes have the id \"\(node.id)\".")
        }
        return index
    }

    // MARK: Ports

    private mutating func ports(of node: Template.Node) -> Ports {
        guard let tool = catalogue[node.kind] else {
            // An unknown kind that declares no ports takes any edge. A stored node may declare only some of its ports.
            let isTrusted = isStored && node.kind != Revision.removedKind
            return Ports(
                inputs: PortTable(node.inputs ?? [], isOpen: node.inputs == nil || isTrusted),
                outputs: PortTable(node.outputs ?? [], isOpen: node.outputs == nil || isTrusted), isTrusted: isTrusted)
        }
        var ports = Ports(
            inputs: PortTable(tool.inputs.filter { !$0.isVariadic }, isOpen: tool.hasOpenPorts && node.inputs == nil),
            outputs: PortTable(tool.outputs, isOpen: tool.hasOpenPorts && node.outputs == nil),
            variadic: tool.inputs.first(where: \.isVariadic))
        for port in node.inputs ?? [] { declareInput(port, of: node, tool: tool, in: &ports) }
        for port in node.outputs ?? [] { declareOutput(port, of: node, tool: tool, in: &ports) }
        return ports
    }

    /// Adds a declared input to the ports of a node. If the tool has an input of that name, the declared type must be
    /// the same or narrower.
    private mutating func declareInput(_ port: Port, of node: Template.Node, tool: ToolManifest, in ports: inout Ports)
    {
        if let own = ports.inputs.position(of: port.name) {
            let written = ports.inputs.ports[own]
            guard written.type.accepts(port.type) else { return reportMismatch(of: port, with: written, in: node) }
            ports.inputs.replace(own, by: Port(port.name, port.type, isOptional: written.isOptional))
        } else if tool.hasOpenPorts {
            ports.inputs.append(port)
        } else if let variadic = ports.variadic, isMember(port.name, of: variadic) {
            ports.inputs.append(Port(port.name, variadic.type))
        } else {
            reportUnknownPort(Template.Endpoint(node.id, port.name), kind: tool.kind, known: tool.inputs, isInput: true)
        }
    }

    /// Adds a declared output to the ports of a node. If the tool has an output of that name, the declared type must be
    /// the same or wider.
    private mutating func declareOutput(_ port: Port, of node: Template.Node, tool: ToolManifest, in ports: inout Ports)
    {
        if let own = ports.outputs.position(of: port.name) {
            let written = ports.outputs.ports[own]
            guard port.type.accepts(written.type) else { return reportMismatch(of: port, with: written, in: node) }
            ports.outputs.replace(own, by: Port(port.name, port.type))
        } else if tool.hasOpenPorts {
            ports.outputs.append(port)
        } else {
            reportUnknownPort(
                Template.Endpoint(node.id, port.name), kind: tool.kind, known: tool.outputs, isInput: false)
        }
    }

    private mutating func reportMismatch(of port: Port, with own: Port, in node: Template.Node) {
        let place = "\(node.id).\(port.name)"
        report(
            .portTypeMismatch, at: place,
            "\(place) is declared as \(port.type), but \(node.kind) has \(own.type) there.")
    }

    /// Returns whether a port is a member of a variadic port, as `files.3` is of `files`.
    private func isMember(_ name: String, of variadic: Port) -> Bool {
        guard name.hasPrefix(variadic.name + "."), let number = Int(name.dropFirst(variadic.name.count + 1)) else {
            return false
        }
        // One name for each: `files.01` would be `files.1` twice.
        return name == "\(variadic.name).\(number)" && (1...Limits.variadicPorts).contains(number)
    }

    private mutating func ends(of edge: Template.Edge, in index: [String: Int]) -> (Int, Int)? {
        for end in [edge.from, edge.to] where index[end.node] == nil {
            report(.unknownNode, at: "\(end)", "There is no node \"\(end.node)\" (edge \(edge.from) → \(edge.to)).")
        }
        guard let from = index[edge.from.node], let to = index[edge.to.node] else { return nil }
        return (from, to)
    }

    private mutating func output(_ end: Template.Endpoint, of node: Int, ports: inout [Ports]) -> Port? {
        if let position = ports[node].outputs.position(of: end.port, appending: .any) {
            return ports[node].outputs.ports[position]
        }
        reportUnknownPort(end, kind: template.nodes[node].kind, known: ports[node].outputs.ports, isInput: false)
        return nil
    }

    /// Returns the position of an input of a node. The input is created if the tool accepts ports of any name. If the
    /// port is unknown, the problem is reported and the result is nil.
    private mutating func input(_ end: Template.Endpoint, of node: Int, ports: inout [Ports]) -> Int? {
        if let position = ports[node].inputs.position(of: end.port, appending: .any) { return position }
        if let variadic = ports[node].variadic, isMember(end.port, of: variadic) {
            return ports[node].inputs.append(Port(end.port, variadic.type))
        }
        let known = ports[node].inputs.ports + (ports[node].variadic.map { [Port("\($0.name).N", $0.type)] } ?? [])
        reportUnknownPort(end, kind: template.nodes[node].kind, known: known, isInput: true)
        return nil
    }

    private mutating func reportUnknownPort(_ end: Template.Endpoint, kind: String, known: [Port], isInput: Bool) {
        let names = known.map(\.name).joined(separator: ", ")
        report(
            .unknownPort, at: "\(end)",
            "\(kind) has no \(isInput ? "input" : "output") \"\(end.port)\"\(names.isEmpty ? "" : "; it has \(names)")."
        )
    }

    /// Returns the inputs that get a value at start, from an input of the workflow or from the caller. Each counts as
    /// fed, as an edge does.
    private mutating func externallyFed(in index: [String: Int], ports: inout [Ports], feeds: [[Int: Int]]) -> Set<
        Template.Endpoint
    > {
        var fed: Set<Template.Endpoint> = []
        for input in template.inputs {
            for end in input.to {
                guard let port = externalPort(end, at: "inputs.\(input.name)", in: index, &ports, feeds) else {
                    continue
                }
                if !port.type.accepts(input.type), !(index[end.node].map { ports[$0].isTrusted } ?? false) {
                    report(
                        .portTypeMismatch, at: "\(end)",
                        "The input \"\(input.name)\" is \(input.type), but \(end) takes \(port.type).")
                }
                if !fed.insert(end).inserted { reportMultiProducer(of: port, at: end) }
            }
        }
        // A caller may bind what a workflow input names: that is what it is for.
        for end in bound.sorted(by: { "\($0)" < "\($1)" }) where !fed.contains(end) {
            if externalPort(end, at: "\(end)", in: index, &ports, feeds) != nil { fed.insert(end) }
        }
        return fed
    }

    private mutating func externalPort(
        _ end: Template.Endpoint, at place: String, in index: [String: Int], _ ports: inout [Ports],
        _ feeds: [[Int: Int]]
    ) -> Port? {
        guard let node = index[end.node] else {
            report(.unknownNode, at: place, "There is no node \"\(end.node)\".")
            return nil
        }
        guard let position = input(end, of: node, ports: &ports) else { return nil }
        let port = ports[node].inputs.ports[position]
        if feeds[node][position] != nil { reportMultiProducer(of: port, at: end) }
        return port
    }

    private mutating func reportMultiProducer(of port: Port, at end: Template.Endpoint) {
        let code: Code = port.isOptional ? .multiProducerOnOptionalPort : .multiProducerOnRequiredPort
        report(code, at: "\(end)", "\(end) has more than one producer; an input has exactly one.")
    }

    // MARK: Nodes

    private mutating func node(
        _ node: Template.Node, ports: Ports, feeds: [Int: Int], external: Set<Template.Endpoint>,
        producers: [(node: Int, port: String)?]
    ) -> Graph.Node {
        let tool = catalogue[node.kind]
        // Only the catalogue for what the program makes itself has the tool.
        if tool == nil, node.kind == Template.undoKind {
            report(
                .reservedKind, at: node.id, "\(node.id) is of the kind \(node.kind), which only 'assent undo' makes.")
        }
        let inputs = ports.inputs.ports.enumerated().map { position, port in
            let producer = feeds[position].flatMap { producers[$0] }
            let isFed =
                producer != nil || feeds[position] != nil
                || (!external.isEmpty && external.contains(Template.Endpoint(node.id, port.name)))
            if !isFed, !port.isOptional, !ports.isTrusted {
                report(
                    .missingRequiredInput, at: "\(node.id).\(port.name)",
                    "\(node.id).\(port.name) (\(port.type)) is required and nothing feeds it.")
            }
            // What the tool can do without, the template may need: a port that it declares without `?` and feeds is
            // required.
            let isWanted = producer != nil && node.inputs?.contains { $0.name == port.name && !$0.isOptional } ?? false
            return Graph.Input(port: port.name, isOptional: port.isOptional && !isWanted, producer: producer)
        }
        if let variadic = ports.variadic, !variadic.isOptional,
            !inputs.contains(where: { isMember($0.port, of: variadic) }), tool?.readsPaths(of: node) != true
        {
            report(
                .missingRequiredInput, at: "\(node.id).\(variadic.name)",
                "\(node.id) needs at least one input \(variadic.name).1.")
        }
        var params = node.params
        if let tool {
            checkParams(of: node, tool: tool, filled: &params)
            problems += awaitProblems(of: node, tool)
        }
        let missing = missing(node.kind, tool)
        let place = if let tool { provider(of: tool) } else { Int?.none }
        return Graph.Node(
            id: node.id, kind: node.kind, params: params, inputs: inputs, outputs: ports.outputs.ports,
            queue: queue(of: node, tool), isIdempotent: tool?.isIdempotent(with: params) ?? false,
            isPure: tool?.needsNoLook ?? false,
            onlyBringsIn: tool?.effects.isSubset(of: [.reads, .sends]) ?? true,
            awaits: node.awaits ?? tool?.personsAwait ?? tool?.gate(params), missing: missing,
            delaySeconds: tool?.action == .builtin("delay") ? params["seconds"]?.number : nil, provider: place,
            isPerson: tool.map { $0.personsAwait != nil } ?? node.awaits?.type.isOnlyOfPersons ?? false)
    }

    fileprivate func missing(_ kind: String, _ tool: ToolManifest?) -> Reason? {
        if kind == Revision.removedKind { return Reason(.removed, "It is not in the graph any more.") }
        if let reason = catalogue.absence(of: kind) { return reason }
        guard case .job(let action)? = tool?.action, catalogue.providers[action.provider] == nil else { return nil }
        return Reason(
            .providerNotInstalled,
            "There is no provider \"\(action.provider)\" here: its manifest belongs in the config folder.")
    }

    /// Returns the queue that a node waits in. A step that a provider or a person does never takes a slot of this
    /// machine, whatever the template says.
    private func queue(of node: Template.Node, _ tool: ToolManifest?) -> Queue {
        switch tool?.action {
        case .job?: .remote
        case .person?: .none
        case .builtin?, .program?, nil: node.queue ?? tool?.queue ?? .local
        }
    }

    private mutating func provider(of tool: ToolManifest) -> Int? {
        guard case .job(let action) = tool.action, let terms = catalogue.providers[action.provider] else { return nil }
        if let place = providerPlaces[action.provider] { return place }
        providers.append(terms)
        providerPlaces[action.provider] = providers.count - 1
        return providers.count - 1
    }

    private mutating func checkParams(of node: Template.Node, tool: ToolManifest, filled params: inout JSON.Object) {
        for member in node.params.members where tool.param(member.key) == nil {
            let known = tool.params.map(\.name).joined(separator: ", ")
            report(
                .badParam, at: "\(node.id).\(member.key)",
                "\(tool.kind) has no parameter \"\(member.key)\"; \(known.isEmpty ? "it has none" : "it has \(known)")."
            )
        }
        for param in tool.params {
            let given = node.params[param.name]
            if let given, !given.isNull {
                if let fault = param.fault(of: given) { report(.badParam, at: "\(node.id).\(param.name)", fault) }
            } else if let value = param.defaultValue {
                params[param.name] = value
            } else if param.isRequired {
                report(.badParam, at: "\(node.id).\(param.name)", "\(param.name) is missing; \(param.allowedInWords).")
            }
        }
    }

    /// Reports required inputs that are fed by a step which may be skipped (`semantics.md` 41).
    private mutating func checkSkips(nodes: [Graph.Node], ports: [Ports]) {
        let skippable = template.nodes.map { $0.when != nil || !$0.skipsWith.isEmpty }
        guard skippable.contains(true) || nodes.contains(where: { $0.awaits?.onTimeout == .skip }) else { return }
        for (node, ports) in zip(nodes, ports) where !ports.isTrusted {
            for input in node.inputs where !input.isOptional {
                guard let producer = input.producer,
                    skippable[producer.node] || nodes[producer.node].awaits?.onTimeout == .skip
                else {
                    continue
                }
                report(
                    .skipFeedsRequiredPort, at: "\(node.id).\(input.port)",
                    "\(nodes[producer.node].id) may be skipped, but \(node.id).\(input.port) requires what it gives.")
            }
        }
    }
}

extension ToolManifest {
    /// Whether a call of the tool needs no look before it runs: the tool ships with Assent, has no effect and reads no
    /// path.
    ///
    /// A tool of another author is looked at, since without a sandbox its program gains `executes` (`consent.md`,
    /// "Sandbox").
    fileprivate var needsNoLook: Bool {
        isShipped && effects.isEmpty && touches == .nothing && !params.contains { $0.kind == .path }
    }

    /// The await of a tool that a person does, for nodes that say nothing of it.
    fileprivate var personsAwait: Template.AwaitSpec? {
        guard case .person(let type) = action else { return nil }
        return Template.AwaitSpec(type: type, title: title)
    }
}

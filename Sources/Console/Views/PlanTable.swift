import Actions
import JSON
import Progress
package import Terminal
package import Vocabulary

/// The view of a plan before it runs (`architecture.md`, "What a session looks like"): its steps with the sources of
/// their inputs, its effects, and the way to undo it.
///
/// A loader is shown as the source of an input, and a saver without a path is not shown. The rows count 1, 2, 3, as
/// every verb takes them (`semantics.md` 79 and 80).
package enum PlanTable {
    /// The rows beyond which the plan is cut in the middle.
    static let rowsLimit = 20
    /// The rows from which on steps that differ only in what they read are one row.
    static let alikeRows = 10
    /// The most producers that are named for one port.
    static let sourcesLimit = 3
    /// The column of the summary in a wider terminal.
    static let measure = 100

    /// Draws a plan.
    ///
    /// - Parameters:
    ///   - workspace: the folder to which paths below it are relative.
    ///   - call: the verb that prints a part of the rows.
    ///   - span: the numbers of the rows that are drawn, without a head, or nil for the plan.
    ///   - isStored: whether the template is that of a workflow. It keeps its numbers then, also those of before.
    ///   - isShort: whether a plain command has only its row. Its effects are known after its rehearsal, and most
    ///     commands only read.
    package static func lines(
        _ template: Template, catalogue: Catalogue, workspace: String? = nil, isStored: Bool = false,
        isShort: Bool = false, call: String = "show", span: Range<Int>? = nil, columns: Int
    ) -> [StyledText] {
        let plan = PlanRows(isStored ? template : template.numbered(in: catalogue), catalogue, workspace)
        if let span { return drawn(Array(plan.shown.entries(span)), of: plan, columns).flatMap(\.self) }
        if isShort, plan.isPlainCommand, template.name == plan.nodes[0].kind {
            return rows(plan, call, columns: columns)
        }
        let title = StyledText("plan", .dim) + "  " + StyledText("\"\(template.name)\"", .bold)
        let header = Layout.spread("  " + title, summary(plan), columns: columns, measure: measure, hanging: 4)
        return header + rows(plan, call, columns: columns)
    }

    private static func summary(_ plan: PlanRows) -> StyledText {
        Layout.dotted([
            StyledText(Amounts.count(plan.stepCount, "step")), EffectWords.summary(plan.effects, moves: plan.moves),
            EffectWords.undo(plan.undo, recorded: plan.recorded),
        ])
    }

    private static func drawn(_ indices: [Int], of plan: PlanRows, _ columns: Int) -> [[StyledText]] {
        Layout.ledger(indices.map(plan.cells), columns: columns, below: 7, gap: 3)
    }

    private static func rows(_ plan: PlanRows, _ call: String, columns: Int) -> [StyledText] {
        let shown = plan.shown
        if let row = plan.alike { return Layout.ledger([row], columns: columns, below: 7, gap: 3).flatMap(\.self) }
        guard shown.count > rowsLimit else { return drawn(shown, of: plan, columns).flatMap(\.self) }
        let (head, tail) = (rowsLimit / 2, rowsLimit / 2 - 1)
        let table = drawn(shown.prefix(head) + shown.suffix(tail), of: plan, columns)
        let rest = Remainder(head + 1..<shown.count - tail + 1, of: shown.count, "more step", call)
        return table.prefix(head).flatMap(\.self) + rest.lines(columns: columns, indent: 6)
            + table.suffix(tail).flatMap(\.self)
    }
}

/// The nodes that are rows, with the content of the rows.
private struct PlanRows {
    let nodes: [Template.Node]
    let catalogue: Catalogue
    let workspace: String?
    /// The indices of the nodes that have a row.
    let shown: [Int]
    private let indices: [String: Int]
    private let edges: [Template.Edge]
    /// The indices of the edges to each node, by its id.
    private let sources: [String: [Int]]
    private let bound: [Template.Endpoint: String]
    private let loaders: Set<Int>

    init(_ template: Template, _ catalogue: Catalogue, _ workspace: String?) {
        (nodes, edges) = (template.nodes, template.edges)
        self.catalogue = catalogue
        self.workspace = workspace
        indices = Dictionary(template.nodes.indices.map { (template.nodes[$0].id, $0) }) { first, _ in first }
        sources = Dictionary(grouping: template.edges.indices) { template.edges[$0].to.node }
        bound = Dictionary(template.inputs.flatMap { input in input.to.map { ($0, input.name) } }) { first, _ in first }
        let (folded, nodes) = (template.foldable(in: catalogue), nodes)
        loaders = folded.filter { catalogue[nodes[$0].kind]?.isLoader == true }
        shown = nodes.indices.filter { !folded.contains($0) }
    }

    /// Whether the plan is one command in the sandbox that speaks to no host and reads nothing outside the workspace.
    var isPlainCommand: Bool {
        guard nodes.count == 1, let tool = tool(0), tool.isCommand else { return false }
        let params = nodes[0].params
        let isEmpty = ["network", "reads"].allSatisfy {
            params[$0].map { $0.isNull || $0.array?.isEmpty ?? false } ?? true
        }
        return isEmpty && params["bare"].map { $0 == false || $0.isNull } ?? true
    }

    private func tool(_ index: Int) -> ToolManifest? { catalogue[nodes[index].kind] }

    private func overwrites(_ index: Int) -> Bool { nodes[index].params["overwrite"] == .bool(true) }

    /// The steps that have a row.
    var stepCount: Int { shown.count }

    /// Whether a step gives a file or a folder another name or place. It creates and deletes nothing else.
    private func isMove(_ index: Int) -> Bool { tool(index)?.movesFolders ?? false }

    /// Whether a step of the plan is a move.
    var moves: Bool { nodes.indices.contains(where: isMove) }

    /// The effects of all steps except moves. An unknown tool counts as one that executes programs.
    var effects: Set<Effect> {
        nodes.indices.reduce(into: []) { all, index in
            let effects = isMove(index) ? [] : tool(index)?.effects ?? [.executes]
            all.formUnion(overwrites(index) ? effects.subtracting([.creates]).union([.overwrites]) : effects)
        }
    }

    /// The limits of undo, one for each step whose changes are recorded, such as "none of a file above 256 MB".
    var recorded: [String] {
        nodes.indices.compactMap { index in
            guard let tool = tool(index), tool.recordsChanges, !overwrites(index), !isBare(index),
                case .yes(let how) = tool.reversibility
            else { return nil }
            return how.split(separator: "; ", maxSplits: 1).dropFirst().first.map(String.init) ?? ""
        }
    }

    private func isBare(_ index: Int) -> Bool { nodes[index].params["bare"] == true }

    /// The ways to undo the steps that record no changes.
    var undo: [Reversibility] {
        nodes.indices.compactMap { index in
            guard let tool = tool(index) else { return .no }
            if tool.recordsChanges { return isBare(index) ? .no : nil }
            guard !tool.effects.subtracting([.reads]).isEmpty, !overwrites(index) else { return nil }
            guard case .yes(let how) = tool.reversibility else { return .no }
            // The action applies to all of the steps. A remark behind a semicolon stays as it is.
            let (act, rest) = (how.prefix { $0 != ";" }, how.drop { $0 != ";" })
            return .yes(how: act.split(separator: " ").map { $0 == "it" ? "them" : $0 }.joined(separator: " ") + rest)
        }
    }

    // MARK: One row

    /// The row of a plan whose steps differ only in what they read, such as
    /// `1–60  60 × Resize  image ← a.jpg … z.jpg  width=400 px`. It is nil for steps that do more than read and make
    /// files, since each change that could hurt has a row.
    var alike: [StyledText]? {
        guard shown.count >= PlanTable.alikeRows, let first = shown.first, let last = shown.last,
            shown.allSatisfy({ (tool($0)?.effects ?? [.executes]).isSubset(of: [.reads, .creates]) && !overwrites($0) })
        else { return nil }
        let one = cells(first)
        // What they read is not compared: a plan may have hundreds of thousands of edges.
        guard shown.allSatisfy({ nodes[$0].kind == nodes[first].kind && details($0) == one[3] }) else { return nil }
        let names = cells(last)[2].plain.split(separator: "← ", maxSplits: 1).last.map(String.init) ?? ""
        return [
            StyledText(DisplayWidth.pad("\(first + 1)–\(last + 1)", to: 2, .trailing), .dim),
            StyledText("\(shown.count) × ") + one[1],
            names.isEmpty ? one[2] : one[2] + StyledText(" … ", .dim) + StyledText(names), one[3],
        ]
    }

    func cells(_ index: Int) -> [StyledText] {
        let digits = String(nodes.count).count
        let number = StyledText(DisplayWidth.pad("\(index + 1)", to: max(2, digits), .trailing), .dim)
        return [number, title(index), inputs(nodes[index]), details(index)]
    }

    /// Returns the parameters of a step, and the notes behind them.
    private func details(_ index: Int) -> StyledText {
        let (node, tool) = (nodes[index], tool(index))
        let target = tool.flatMap(\.targetParam)
        let params = Values.digest(
            Self.shown(node.params), of: tool, except: Set(["overwrite", target].compactMap(\.self)))
        return params + notes(index, target, isFirst: params.isEmpty)
    }

    /// Returns parameters in which edits are the names of their files. The question shows the edits themselves.
    private static func shown(_ params: JSON.Object) -> JSON.Object {
        guard let edits = params["edits"]?.array else { return params }
        var (shown, names) = (params, [String]())
        for path in edits.compactMap({ $0["path"]?.string }) where !names.contains(path) { names.append(path) }
        shown["edits"] = .string(names.joined(separator: ", "))
        return shown
    }

    private func title(_ index: Int) -> StyledText {
        tool(index).map { StyledText($0.title) } ?? StyledText("\(nodes[index].kind): unknown tool", .warning)
    }

    private func notes(_ index: Int, _ target: String?, isFirst: Bool) -> StyledText {
        var parts: [StyledText] = []
        if let target, let path = nodes[index].params[target] {
            parts.append(
                StyledText("→ " + VisibleText.cut(Values.path(Values.text(path), in: workspace), to: 72), .accent))
        }
        if overwrites(index) { parts.append(StyledText("overwrites", .warning)) }
        if let after = after(index) { parts.append(StyledText(after, .dim)) }
        if let reason = catalogue.unavailable[nodes[index].kind] { parts.append(StyledText(reason.words, .warning)) }
        if nodes[index].awaits != nil { parts.append(StateSign.needsYou.text) }
        guard !parts.isEmpty else { return StyledText() }
        return (isFirst ? StyledText() : "  ") + parts.dropFirst().reduce(parts[0]) { $0 + "  " + $1 }
    }

    /// Returns the rows that a step stands after by the computed order, such as `after 1, 3`, or nil if there are none.
    private func after(_ index: Int) -> String? {
        let rows = Set((nodes[index].follows + nodes[index].startsAfter).compactMap { indices[$0].map(row(of:)) })
        guard !rows.isEmpty else { return nil }
        return "after " + cut(rows.sorted().map { String($0 + 1) })
    }

    /// Returns the row that shows a step: its own, or that of a step whose result it saves.
    private func row(of index: Int) -> Int {
        guard !shown.contains(index), let edge = sources[nodes[index].id]?.first,
            let maker = indices[edges[edge].from.node]
        else { return index }
        return maker
    }

    private func inputs(_ node: Template.Node) -> StyledText {
        var (ports, names) = ([String](), [String: [String]]())
        func add(_ port: String, _ name: String) {
            // `files.1 … files.N` are shown as one port.
            let port = port.split(separator: ".").first.map(String.init) ?? port
            if names[port] == nil { ports.append(port) }
            names[port, default: []].append(name)
        }
        for edge in sources[node.id] ?? [] { add(edges[edge].to.port, source(edges[edge].from)) }
        for (endpoint, name) in bound.filter({ $0.key.node == node.id }).sorted(by: { $0.key.port < $1.key.port }) {
            add(endpoint.port, "input \(name)")
        }
        var text = StyledText()
        for port in ports {
            if !text.isEmpty { text.append(", ", .dim) }
            text.append("\(port) ← ", .dim)
            text.append(cut(names[port] ?? []))
        }
        return text
    }

    private func source(_ endpoint: Template.Endpoint) -> String {
        guard let index = indices[endpoint.node] else { return "?" }
        if loaders.contains(index), let param = tool(index)?.params.first(where: \.isRequired),
            let path = nodes[index].params[param.name]
        {
            return Values.path(Values.text(path), in: workspace)
        }
        let outputs = nodes[index].outputs?.count ?? tool(index)?.outputs.count ?? 1
        return outputs > 1 ? "\(index + 1).\(endpoint.port)" : "\(index + 1)"
    }

    private func cut(_ names: [String]) -> String {
        let limit = PlanTable.sourcesLimit
        guard names.count > limit else { return names.joined(separator: ", ") }
        return (names.prefix(limit - 1) + ["… \(names.count - limit) more …", names[names.count - 1]]).joined(
            separator: ", ")
    }
}

extension ToolManifest {
    /// The parameter that names the file of the step's result.
    fileprivate var targetParam: String? {
        guard effects.contains(.creates) else { return nil }
        return params.first { $0.kind == .path && ["path", "to"].contains($0.name) }?.name
    }
}

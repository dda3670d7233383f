import JSON
package import Terminal
package import Vocabulary

/// A step with what is known of it besides its row.
struct StepDetails {
    let record: StepRecord
    let node: Template.Node?
    let tool: ToolManifest?
    let runs: [RunRecord]
    /// Of the last run that made any.
    let outputs: [Asset]
    /// Of its inputs.
    let pins: [PinnedInput]

    /// - Parameter assets: of this step.
    init(
        _ record: StepRecord, template: Template?, tool: ToolManifest?, runs: [RunRecord] = [], assets: [Asset] = [],
        pins: [PinnedInput] = []
    ) {
        self.pins = pins
        self.record = record
        let index = record.id.index - 1
        node = template.flatMap { $0.nodes.indices.contains(index) ? $0.nodes[index] : nil }
        self.tool = tool
        self.runs = runs
        let last = assets.map(\.run.attempt).max()
        outputs = assets.filter { $0.run.attempt == last && !$0.isEmptyErrors }
    }

    var title: String { tool?.title ?? record.kind }

    /// The parameters of the last run, or those it will start with.
    var params: JSON.Object {
        // Once it has run, what it ran with; with what was changed since, for the next time.
        var params = runs.last?.params ?? node?.params ?? JSON.Object()
        for edit in record.edits?.members ?? [] { params[edit.key] = edit.value }
        return params
    }

    /// Whether a person changed it for this step.
    func isEdited(_ param: String) -> Bool { record.edits?[param] != nil }

    var seconds: Double? {
        guard let run = runs.last, let end = run.finishedAt else { return nil }
        return end.seconds(since: run.startedAt)
    }
}

/// One step: state and why, parameters, inputs, outputs, runs. `brief` is its part in the card of its workflow.
package enum StepCard {
    static let runsLimit = 8
    static let portsLimit = 12
    static let logLimit = 6

    /// - Parameters:
    ///   - assets: what came out of this step, of whichever run.
    ///   - template: for the parameters of a step that has not run.
    ///   - pins: of its inputs.
    ///   - log: the end of what its last run wrote.
    package static func lines(
        _ record: StepRecord, runs: [RunRecord], assets made: [Asset], tool: ToolManifest?, template: Template? = nil,
        pins: [PinnedInput] = [], remote: RemoteStatus? = nil, log: String? = nil, now: Moment, columns: Int
    ) -> [StyledText] {
        let step = StepDetails(record, template: template, tool: tool, runs: runs, assets: made, pins: pins)
        let name = StyledText(step.title, .bold) + StyledText("  \(record.node) · \(record.kind)", .dim)
        let hint = StyledText(Voice.call("why \(record.id.workflow) \(record.id.index)"), .dim)
        let state = sign(record) + StyledText("  \(Amounts.age(of: record.updatedAt, now: now))", .dim)
        return Layout.spread("  " + name, hint, columns: columns, measure: 100, hanging: 4)
            + Layout.wrapped(state, columns: columns, indent: 4) + because(record, now, columns)
            + (remote?.lines(of: record, now: now, columns: columns) ?? []) + params(step, columns) + pinned(step, columns)
            + assets("in", (step.runs.last?.inputs ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, columns)
            + assets(record.staleSince == nil ? "out" : "old out", step.outputs.map { ($0.port, $0) }, columns)
            + attempts(runs, of: record, now, columns) + tail(log, columns)
    }

    /// Staleness is a mark of its own beside the state (`semantics.md` 24).
    static func sign(_ record: StepRecord) -> StyledText {
        StateSign(record.state).text + (record.staleSince == nil ? StyledText() : "  " + StateSign.stale.text)
    }

    private static func pinned(_ step: StepDetails, _ columns: Int, indent: Int = 3) -> [StyledText] {
        step.pins.prefix(portsLimit).flatMap { pin in
            Layout.wrapped(
                StyledText("⊙ pinned ", .accent)
                    + StyledText("\(pin.port) ← run \(pin.asset.run.attempt) of step \(pin.asset.run.step.index)  \(pin.asset.name)")
                    + StyledText("  " + Voice.call("pin \(step.record.id.workflow) \(step.record.id.index).\(pin.port)=latest"), .dim),
                columns: columns, indent: indent, hanging: indent + 2)
        }
    }

    private static func tail(_ log: String?, _ columns: Int) -> [StyledText] {
        let lines = LogTail.lines(log ?? "")
        guard !lines.isEmpty else { return [] }
        return [StyledText("   log", .dim).truncated(to: columns)]
            + lines.suffix(logLimit).map { StyledText("   ┆ ", .dim) + StyledText(VisibleText.cut($0, to: max(8, columns - 6))) }
    }

    /// `2  ✓ done  Resize  width=800 px  0.1 s`, and below it what needs to be known.
    static func brief(_ step: StepDetails, now: Moment, columns: Int) -> [StyledText] {
        let record = step.record
        var line = StyledText(DisplayWidth.pad("\(record.id.index)", to: 2, .trailing), .dim) + "  " + sign(record)
        line += "  " + StyledText(step.title, .bold)
        let params = Values.digest(step.params, of: step.tool)
        if !params.isEmpty { line += "  " + params }
        if record.edits?.isEmpty == false { line.append("  (edited)", .dim) }
        if let seconds = step.seconds { line.append("  \(Amounts.duration(seconds))", .dim) }
        return Layout.wrapped(line, columns: columns, indent: 2, hanging: 6) + because(record, now, columns, indent: 6)
            + pinned(step, columns, indent: 6)
            + step.outputs.prefix(portsLimit).flatMap { asset("→ \($0.port)", $0, columns, indent: 6) }
    }

    private static func because(_ record: StepRecord, _ now: Moment, _ columns: Int, indent: Int = 4) -> [StyledText] {
        var lines: [StyledText] = []
        func add(_ text: StyledText) { lines += Layout.wrapped(text, columns: columns, indent: indent, hanging: indent + 2) }
        if let failure = record.failure { add(FailureLine.text(failure)) }
        if let reason = record.reason, record.state != .succeeded || reason.code == Reason.partial, reason.code != record.failure?.code {
            add(StyledText(reason.words) + StyledText(" (\(reason.code))", .dim))
        }
        if let due = record.dueAt, !record.state.isTerminal, due > now { add(StyledText("next \(Amounts.age(of: due, now: now))", .dim)) }
        return lines
    }

    private static func params(_ step: StepDetails, _ columns: Int) -> [StyledText] {
        let details = step.params.members.map { member in
            let param = step.tool?.param(member.key)
            let value = param?.isSecret == true ? "•••" : Values.text(member.value) + (param?.unit.map { " \($0)" } ?? "")
            return Detail(label: member.key, value: value + (step.isEdited(member.key) ? "  (edited)" : ""))
        }
        return Detail.lines(of: details, columns: columns, rowsLimit: 4).flatMap(\.rows)
    }

    private static func assets(_ label: String, _ ports: [(String, Asset)], _ columns: Int) -> [StyledText] {
        let shown = ports.prefix(portsLimit).flatMap { asset("\(label) \($0.0)", $0.1, columns, indent: 3) }
        guard ports.count > portsLimit else { return shown }
        return shown + [StyledText("   … \(ports.count - portsLimit) more …", .dim).truncated(to: columns)]
    }

    private static func asset(_ label: String, _ asset: Asset, _ columns: Int, indent: Int) -> [StyledText] {
        var text =
            StyledText("\(label)  ", .dim)
            + StyledText((asset.port == asset.type.name ? "" : "\(asset.type)  ") + "\(asset.name)  \(Amounts.size(asset.bytes))")
        if let dimensions = ResultLine.dimensions(asset.meta) { text.append("  \(dimensions)") }
        if let resized = ResultLine.resized(asset.meta) { text.append(" \(resized)", .warning) }
        if asset.port != "errors" { text += ResultLine.exit(asset.meta) }
        text.append("  sha256 \(Values.short(asset.hash))", .dim)
        return Layout.wrapped(text, columns: columns, indent: indent, hanging: indent + 2)
    }

    private static func attempts(_ runs: [RunRecord], of step: StepRecord, _ now: Moment, _ columns: Int) -> [StyledText] {
        guard !runs.isEmpty else { return [] }
        let left = runs.count - runsLimit
        let more = left > 0 ? [StyledText("   … \(Amounts.count(left, "earlier run")) …", .dim).truncated(to: columns)] : []
        return more + runs.suffix(runsLimit).flatMap { line($0, of: step, now, columns) }
    }

    private static func line(_ run: RunRecord, of step: StepRecord, _ now: Moment, _ columns: Int) -> [StyledText] {
        // One that is not over stands where its step does: it may wait for a person, and nothing of it runs.
        let isOpen = run.ending == nil && run.id.attempt == step.attempt && !step.state.isTerminal
        var text = StyledText("run \(run.id.attempt)  ", .dim) + (isOpen ? StateSign(step.state) : StateSign(ending: run.ending)).text
        let seconds = (run.finishedAt ?? now).seconds(since: run.startedAt)
        text.append("  \(Amounts.duration(seconds)) · \(Amounts.age(of: run.startedAt, now: now))", .dim)
        if let failure = run.failure { text += "  " + FailureLine.text(failure) }
        return Layout.wrapped(text, columns: columns, indent: 3, hanging: 5)
    }
}

import Actions
import JSON
import Progress
package import Terminal
package import Vocabulary

/// The row of a step, with its node, tool, runs, outputs and pins.
struct StepDetails {
    let record: StepRecord
    let node: Template.Node?
    let tool: ToolManifest?
    let runs: [RunRecord]
    /// The outputs of the last run that made any.
    let outputs: [Asset]
    /// The exit codes of the commands that the runs of the step ran, by attempt.
    let exits: [Int: Int]
    /// The seconds for which these commands ran, by attempt. A run itself only applies what its command did.
    private let commandSeconds: [Int: Double]
    /// The pins of the step's inputs.
    let pins: [PinnedInput]
    /// The workflow that the step undoes, such as `w1 (notes.txt: delete)`, or nil if the step is not an undo.
    let undone: String?

    /// The numbers of the steps that the step stands after by the computed order.
    let after: [Int]

    /// The numbers that users see for the steps of the workflow.
    let rows: StepRows

    /// The steps that the step waits for in words, or nil if it is not blocked.
    let waits: String?

    /// Whether the hashes of contents are shown.
    var hasHashes = false

    /// Creates the details of a step.
    ///
    /// - Parameter assets: the assets of this step, of all runs.
    init(
        _ record: StepRecord, template: Template?, rows: StepRows = StepRows(nil), after: [Int] = [],
        tool: ToolManifest?, runs: [RunRecord] = [],
        assets: [Asset] = [],
        pins: [PinnedInput] = [], undone: String? = nil, waits: String? = nil
    ) {
        self.waits = waits
        self.pins = pins
        self.undone = undone
        (self.after, self.rows) = (after, rows)
        self.record = record
        let index = record.id.index - 1
        node = template.flatMap { $0.nodes.indices.contains(index) ? $0.nodes[index] : nil }
        self.tool = tool
        self.runs = runs
        let last = assets.map(\.run.attempt).max()
        outputs = assets.filter { $0.run.attempt == last && !$0.isEmptyErrors }
        exits = Dictionary(assets.compactMap { asset in asset.exitCode.map { (asset.run.attempt, $0) } }) { first, _ in
            first
        }
        commandSeconds = Dictionary(
            assets.compactMap { asset in asset.commandSeconds.map { (asset.run.attempt, $0) } }
        ) { first, _ in first }
    }

    /// Returns the numbers of the steps that each step stands after by the computed order, by the id of the later one.
    static func after(in template: Template?) -> [String: [Int]] {
        guard let nodes = template?.nodes, nodes.contains(where: { !$0.follows.isEmpty || !$0.startsAfter.isEmpty })
        else { return [:] }
        let rows = StepRows(template)
        let numbers = Dictionary(nodes.enumerated().map { ($1.id, rows.row($0 + 1)) }) { first, _ in first }
        var after: [String: [Int]] = [:]
        for node in nodes where !node.follows.isEmpty || !node.startsAfter.isEmpty {
            after[node.id] = Set((node.follows + node.startsAfter).compactMap { numbers[$0] }).sorted()
        }
        return after
    }

    /// The steps that the step stands after in words, such as `after 1, 3`. The longest lists are cut.
    var afterInWords: String? {
        guard let last = after.last else { return nil }
        let shown =
            after.count > 3 ? ["\(after[0])", "… \(after.count - 2) more …", "\(last)"] : after.map(String.init)
        return "after " + shown.joined(separator: ", ")
    }

    var title: String { tool?.title ?? record.kind }

    /// The parameters of the last run, or those with which the step will start. For an undo, it is the workflow that is
    /// undone, since its own parameter is an internal name.
    var params: JSON.Object {
        if record.kind == Template.undoKind {
            return JSON.of(["undo of": undone.map { .string($0) }]).object ?? JSON.Object()
        }
        // The parameters of the last run, with later changes for the next run.
        var params = runs.last?.params ?? node?.params ?? JSON.Object()
        for edit in record.edits?.members ?? [] { params[edit.key] = edit.value }
        return params
    }

    /// The inputs of the last run, by port.
    var inputs: [(port: String, asset: Asset)] {
        (runs.last?.inputs ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Returns whether a person changed a parameter for this step.
    func isEdited(_ param: String) -> Bool { record.edits?[param] != nil }

    /// The seconds that the last run took.
    var seconds: Double? { runs.last.flatMap(seconds(of:)) }

    /// Returns the seconds that a run took, or for which its command ran. Returns nil if the run has not ended.
    func seconds(of run: RunRecord) -> Double? {
        commandSeconds[run.id.attempt] ?? run.finishedAt.map { $0.seconds(since: run.startedAt) }
    }
}

/// The card of one step: its state and reason, parameters, inputs, outputs and runs. `brief` draws its part of the
/// workflow's card.
package enum StepCard {
    static let runsLimit = 8
    static let portsLimit = 12
    static let logLimit = 6

    /// A list of a step that can be printed alone.
    package enum Part: String, CaseIterable, Sendable {
        case params, inputs, outputs, pins, runs
    }

    /// Draws the card of a step, or a part of one of its lists.
    ///
    /// - Parameters:
    ///   - assets: the outputs of this step, of all runs.
    ///   - template: the source of the parameters of a step that has not run.
    ///   - pins: the pins of its inputs.
    ///   - log: the end of the log of its last run.
    ///   - part: the list that is drawn alone, or nil for the card.
    ///   - span: the numbers of the entries of that list that are drawn, or nil for all.
    package static func lines(
        _ record: StepRecord, runs: [RunRecord], assets made: [Asset], tool: ToolManifest?, template: Template? = nil,
        pins: [PinnedInput] = [], remote: RemoteStatus? = nil, log: String? = nil, undone: String? = nil,
        waits: String? = nil, part: Part? = nil, hasHashes: Bool = false,
        span: Range<Int>? = nil, now: Moment, columns: Int
    ) -> [StyledText] {
        var step = StepDetails(
            record, template: template, rows: StepRows(template), tool: tool, runs: runs, assets: made, pins: pins,
            undone: undone, waits: waits)
        step.hasHashes = hasHashes
        if let part { return entries(of: part, step, now, columns).entries(span).flatMap(\.self) }
        let name = StyledText(step.title, .bold) + StyledText("  \(record.node) · \(record.kind)", .dim)
        let hint = StyledText(Voice.call("why \(record.id.workflow) \(step.rows.word(record.id.index))"), .dim)
        let state =
            sign(record) + StyledText(waits.map { ": \($0)" } ?? "")
            + StyledText("  \(Amounts.age(of: record.updatedAt, now: now))", .dim)
        return Layout.spread("  " + name, hint, columns: columns, measure: 100, hanging: 4)
            + Layout.wrapped(state, columns: columns, indent: 4) + because(record, now, columns)
            + (remote?.lines(of: record, now: now, columns: columns) ?? []) + params(step, columns)
            + [Part.pins, .inputs, .outputs].flatMap { shown($0, step, now, columns) }
            + shown(.runs, step, now, columns) + tail(log, of: step, columns)
    }

    /// Draws each entry of a list in full.
    private static func entries(of part: Part, _ step: StepDetails, _ now: Moment, _ columns: Int) -> [[StyledText]] {
        switch part {
        case .params: params(step, columns, isWhole: true)
        case .inputs: step.inputs.map { asset("in \($0.port)", $0.asset, of: step, columns, indent: 3) }
        case .outputs:
            step.outputs.map {
                asset(
                    "\(step.record.staleSince == nil ? "out" : "old out") \($0.port)", $0, of: step, columns, indent: 3)
            }
        case .pins: step.pins.map { pinned($0, of: step, columns, indent: 3) }
        case .runs: step.runs.map { line($0, of: step, now, columns) }
        }
    }

    /// Draws the first entries of a list (of runs the last ones), and the command that prints the others.
    private static func shown(_ part: Part, _ step: StepDetails, _ now: Moment, _ columns: Int) -> [StyledText] {
        let all = entries(of: part, step, now, columns)
        let verb = "show \(step.record.id.workflow) \(step.record.id.index) --part \(part.rawValue)"
        guard part == .runs else {
            let rest = Remainder(
                min(portsLimit, all.count) + 1..<all.count + 1, of: all.count, "more \(part.rawValue.dropLast())", verb)
            return all.prefix(portsLimit).flatMap(\.self) + rest.lines(columns: columns, indent: 3)
        }
        let rest = Remainder(1..<max(1, all.count - runsLimit + 1), of: all.count, "earlier run", verb)
        return rest.lines(columns: columns, indent: 3) + all.suffix(runsLimit).flatMap(\.self)
    }

    /// Returns the sign of a step's state. A stale step has a second mark beside it (`semantics.md` 24).
    static func sign(_ record: StepRecord) -> StyledText {
        StateSign(record.state, record.reason).text
            + (record.staleSince == nil ? StyledText() : "  " + StateSign.stale.text)
    }

    private static func pinned(_ pin: PinnedInput, of step: StepDetails, _ columns: Int, indent: Int) -> [StyledText] {
        Layout.wrapped(
            StyledText("⊙ pinned ", .accent)
                + StyledText(
                    "\(pin.port) ← run \(pin.asset.run.attempt) of step \(step.rows.word(pin.asset.run.step.index))  \(pin.asset.name)"
                )
                + StyledText(
                    "  " + Voice.call("pin \(step.record.id.workflow) \(step.record.id.index).\(pin.port)=latest"), .dim
                ),
            columns: columns, indent: indent, hanging: indent + 2)
    }

    private static func tail(_ log: String?, of step: StepDetails, _ columns: Int) -> [StyledText] {
        let lines = LogTail.lines(log ?? "")
        guard !lines.isEmpty else { return [] }
        let verb = "logs \(step.record.id.workflow) \(step.record.id.index) --log"
        let rest = Remainder(1..<max(1, lines.count - logLimit + 1), of: lines.count, "earlier line", verb)
        return [StyledText("   log", .dim).truncated(to: columns)] + rest.lines(columns: columns, indent: 3)
            + lines.suffix(logLimit).map {
                StyledText("   ┆ ", .dim) + StyledText(VisibleText.cut($0, to: max(8, columns - 6)))
            }
    }

    /// Returns the row of a step, such as `2  ✓ done  Resize  width=800 px  0.1 s`, and important facts below it.
    static func brief(_ step: StepDetails, now: Moment, columns: Int) -> [StyledText] {
        let record = step.record
        let number = step.rows.isFolded(record.id.index) ? "" : "\(record.id.index)"
        var line = StyledText(DisplayWidth.pad(number, to: 2, .trailing), .dim) + "  " + sign(record)
        line += "  " + StyledText(step.title, .bold)
        let params =
            step.undone.map { StyledText("undo of \(VisibleText.line($0))") }
            ?? Values.digest(step.params, of: step.tool)
        if !params.isEmpty { line += "  " + params }
        if let after = step.afterInWords { line.append("  \(after)", .dim) }
        if record.edits?.isEmpty == false { line.append("  (edited)", .dim) }
        if let seconds = step.seconds { line.append("  \(Amounts.duration(seconds))", .dim) }
        return Layout.wrapped(line, columns: columns, indent: 2, hanging: 6)
            + (step.waits.map { Layout.wrapped(StyledText($0, .dim), columns: columns, indent: 6, hanging: 8) } ?? [])
            + because(record, now, columns, indent: 6)
            + brief(.pins, step, step.pins.map { pinned($0, of: step, columns, indent: 6) }, columns)
            + brief(
                .outputs, step, step.outputs.map { asset("→ \($0.port)", $0, of: step, columns, indent: 6) }, columns)
    }

    private static func brief(_ part: Part, _ step: StepDetails, _ all: [[StyledText]], _ columns: Int) -> [StyledText]
    {
        let verb = "show \(step.record.id.workflow) \(step.record.id.index) --part \(part.rawValue)"
        let rest = Remainder(
            min(portsLimit, all.count) + 1..<all.count + 1, of: all.count, "more \(part.rawValue.dropLast())", verb)
        return all.prefix(portsLimit).flatMap(\.self) + rest.lines(columns: columns, indent: 6)
    }

    private static func because(_ record: StepRecord, _ now: Moment, _ columns: Int, indent: Int = 4) -> [StyledText] {
        var lines: [StyledText] = []
        func add(_ text: StyledText) {
            lines += Layout.wrapped(text, columns: columns, indent: indent, hanging: indent + 2)
        }
        if let failure = record.failure { add(FailureLine.text(failure)) }
        if let reason = record.reason, record.state != .succeeded || reason.isOfSuccess,
            reason.code != record.failure?.code
        {
            add(StyledText(reason.words) + StyledText(" (\(reason.code))", .dim))
        }
        if let due = record.dueAt, !record.state.isTerminal, due > now {
            add(StyledText("next \(Amounts.age(of: due, now: now))", .dim))
        }
        return lines
    }

    private static func params(_ step: StepDetails, _ columns: Int) -> [StyledText] {
        params(step, columns, isWhole: false).flatMap(\.self)
    }

    private static func params(_ step: StepDetails, _ columns: Int, isWhole: Bool) -> [[StyledText]] {
        let details = step.params.members.map { member in
            let param = step.tool?.param(member.key)
            let value =
                param?.isSecret == true ? "•••" : Values.text(member.value) + (param?.unit.map { " \($0)" } ?? "")
            return Detail(label: member.key, value: value + (step.isEdited(member.key) ? "  (edited)" : ""))
        }
        let verb = "show \(step.record.id.workflow) \(step.record.id.index) --part params"
        return Detail.lines(of: details, columns: columns, rowsLimit: isWhole ? nil : 4, whole: verb).map(\.rows)
    }

    private static func asset(
        _ label: String, _ asset: Asset, of step: StepDetails, _ columns: Int, indent: Int
    ) -> [StyledText] {
        var text =
            StyledText("\(label)  ", .dim)
            + StyledText(
                (asset.port == asset.type.name ? "" : "\(asset.type)  ") + "\(asset.name)  \(Amounts.size(asset.bytes))"
            )
        if let dimensions = ResultLine.dimensions(asset.meta) { text.append("  \(dimensions)") }
        if let resized = ResultLine.resized(asset.meta) { text.append(" \(resized)", .warning) }
        if asset.port != "errors" { text += ResultLine.exit(asset.meta) }
        if let changed = asset.changed { text.append("  \(changed.words(NameWords.shownWithin))", .bold) }
        if step.hasHashes { text.append("  sha256 \(Values.short(asset.hash))", .dim) }
        return Layout.wrapped(text, columns: columns, indent: indent, hanging: indent + 2)
    }

    private static func line(_ run: RunRecord, of details: StepDetails, _ now: Moment, _ columns: Int) -> [StyledText] {
        let step = details.record
        // A run that has not ended has the state of its step, which may wait for a person without a running program.
        let isOpen = run.ending == nil && run.id.attempt == step.attempt && !step.state.isTerminal
        var text =
            StyledText("run \(run.id.attempt)  ", .dim)
            + (isOpen
            ? StateSign(step.state, step.reason) : StateSign(ending: run.ending, exit: details.exits[run.id.attempt]))
            .text
        let seconds = details.seconds(of: run) ?? now.seconds(since: run.startedAt)
        text.append("  \(Amounts.duration(seconds)) · \(Amounts.age(of: run.startedAt, now: now))", .dim)
        if let failure = run.failure { text += "  " + FailureLine.text(failure) }
        return Layout.wrapped(text, columns: columns, indent: 3, hanging: 5)
    }
}

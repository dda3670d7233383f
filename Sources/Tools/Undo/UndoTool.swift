import Glibc
import JSON
package import Vocabulary

/// A user's request to undo. It is stored under a random name, which is the parameter of the step of the undo workflow,
/// so that a workflow from a file or a model cannot use one.
package struct UndoRequest: Hashable, Sendable {
    package var workflow: WorkflowID
    /// The step to undo, or `nil` for all steps.
    package var step: Int?
    /// Whether the other changes are undone if a file was changed since.
    package var isPartial: Bool
    /// The attempts whose changes were listed to the user, or `nil` for all. No other attempt is undone.
    package var runs: [RunID]?

    package init(workflow: WorkflowID, step: Int? = nil, isPartial: Bool = false, runs: [RunID]? = nil) {
        self.workflow = workflow
        self.step = step
        self.isPartial = isPartial
        self.runs = runs
    }
}

extension ToolManifest {
    /// The tool of undo workflows. Only the catalogue of the engine contains it, so no plan and no file can use it.
    package static let undo = ToolManifest(
        kind: Template.undoKind, title: "Undo", icon: "↶", summary: "Reverses what a workflow changed.",
        outputs: [Port("text", .text)],
        params: [Param(name: "request", kind: .text, isRequired: true)], effects: [],
        action: .builtin(Builtin.undo.rawValue))
}

/// The one step of an undo workflow.
struct UndoTool {
    private let context: Builtin.Context
    private let cancel: Cancellation
    private let records: UndoRecords

    init(_ context: Builtin.Context, cancel: Cancellation) {
        self.context = context
        self.cancel = cancel
        records = UndoRecords(context.toolbox.own)
    }

    func run() throws(Failure) -> [Asset] {
        let run = context.assignment.run
        let name = try context.assignment.requiredText("request")
        guard let request = records.request(named: name), records.claim(name, for: run.step.workflow) else {
            throw Failure(.notRequested, "Nobody asked for this undo.", remedy: "Run 'assent undo' with the workflow.")
        }
        let workspace = try context.paths().workspace
        let turn = try WorkspaceTurn.take(workspace, in: context.toolbox.own.data, cancel: cancel)
        defer { turn.end() }
        let earlier = try records.settled(before: run)
        let selected = try records.selected(request, besides: run.step.workflow)
        let plan = try records.plan(selected, workspace: workspace, by: run.step.workflow)
        if !request.isPartial { try refuse(plan, of: selected, earlier) }
        var work = UndoWork(
            run: run, workspace: workspace, undoes: request.workflow, records: records,
            runFolder: RunFolder(context.assignment.runFolder))
        work.isPartial = request.isPartial
        work.cancel = cancel
        let result: UndoWork.Result
        do throws(UndoWork.Stopped) { result = try work.carryOut(plan, at: nowNanoseconds()) } catch {
            if !error.result.done.isEmpty || earlier > 0 { try? note(plan, error.result, in: selected) }
            throw error.told(of: plan, earlier)
        }
        if result.done.isEmpty, let first = result.failed.min(by: { $0.key < $1.key }) { throw first.value }
        try note(plan, result, in: selected)
        let done = plan.work.enumerated().filter { result.done.contains($0.offset) }.map(\.element)
        let failed = plan.work.enumerated().compactMap { place, item in result.failed[place].map { (item, $0) } }
        let lines =
            (done + plan.left).map { Self.words($0, in: workspace) }
            + failed.map { "left \(Self.short($0.path, in: workspace)): \($1.message)" }
        var assets = try context.text(lines.map { "\($0)\n" }.joined(), name: "undone.txt")
        for index in assets.indices where !failed.isEmpty {
            assets[index].meta["left"] = .array(
                failed.prefix(Limits.undoNames).map { ["path": .string($0.path), "why": .string($1.message)] })
        }
        return assets
    }

    /// Refuses an undo that could reverse only a part of the changes.
    ///
    /// - Parameter earlier: the number of changes that interrupted attempts have reversed.
    /// - Throws: `changedSince` with the paths that cannot be undone.
    private func refuse(_ plan: UndoPlan, of selected: [SelectedRecord], _ earlier: Int) throws(Failure) {
        guard !plan.left.isEmpty else { return }
        var begin = "Nothing was undone"
        if earlier > 0 {
            try note(plan, UndoWork.Result(), in: selected)
            let rest = plan.work.isEmpty ? "" : ", and \(plan.work.count) more can be"
            begin = "\(earlier) change\(earlier == 1 ? " was" : "s were") undone before it was cut\(rest)"
        }
        throw Failure(
            .changedSince, "\(begin): \(Self.names(plan.left)).",
            remedy: "--partial undoes the rest and leaves \(plan.left.count == 1 ? "it" : "these").")
    }

    /// Stores in the records which of their changes are reversed now.
    private func note(_ plan: UndoPlan, _ result: UndoWork.Result, in selected: [SelectedRecord]) throws(Failure) {
        var (reversed, place) = ([RunID: Set<Int>](), 0)
        for item in plan.items where !item.action.isLeft {
            guard let origin = item.origin else { continue }
            if item.action == .nothing {
                reversed[origin.run, default: []].insert(origin.number)
            } else {
                if result.done.contains(place) { reversed[origin.run, default: []].insert(origin.number) }
                place += 1
            }
        }
        for record in selected.map(\.record) {
            try records.noteUndone(
                record.run, by: context.assignment.run.step.workflow, changes: reversed[record.run] ?? [])
        }
    }

    /// Returns the paths that are left, such as `a.txt was changed since; b.txt is gone; and 3 more`.
    static func names(_ items: [UndoPlan.Item]) -> String {
        let shown = items.prefix(Limits.undoNames).map { item in
            guard case .leave(let difference) = item.action else { return item.path }
            return "\(item.path) \(difference.rawValue)"
        }
        let more = items.count - shown.count
        return (shown + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "; ")
    }

    private static func short(_ path: String, in workspace: String) -> String {
        let path = path.path(below: workspace) ?? path
        return path.utf8.contains { $0 < 0x20 } ? JSON.string(path).text : path
    }

    private static func words(_ item: UndoPlan.Item, in workspace: String) -> String {
        func short(_ path: String) -> String { Self.short(path, in: workspace) }
        let path = short(item.path)
        return switch item.action {
        case .remove: "removed \(path)"
        case .setBack where item.change.setsTimeOnly: "set the time of \(path) back"
        case .restore, .setBack: "restored \(path)"
        case .moveBack: "moved \(path) back to \(short(item.change.source ?? ""))"
        case .leave(let difference): "left \(path): it \(difference.rawValue)"
        case .nothing: path
        }
    }
}

extension UndoWork.Stopped {
    /// Returns the failure, with the number of completed changes and the paths that remain.
    ///
    /// - Parameter earlier: the number of changes that interrupted attempts have reversed.
    fileprivate func told(of plan: UndoPlan, _ earlier: Int) -> Failure {
        let count = result.done.count + earlier
        guard count > 0, failure.code != .cancelled else { return failure }
        var told = failure
        let rest = plan.work.enumerated().filter { !result.done.contains($0.offset) }.map {
            UndoPlan.Item(change: $0.element.change, action: .nothing)
        }
        told.message +=
            " \(count) of \(plan.work.count + earlier) changes were undone before. Left: \(UndoTool.names(rest))."
        told.remedy = "The next undo goes on there."
        return told
    }
}

extension UndoRecords {
    /// Stores a request.
    ///
    /// - Returns: its name.
    func add(_ request: UndoRequest) throws(Failure) -> String {
        let name = (0..<4).map { _ in String(UInt32.random(in: 0 ... .max), radix: 36) }.joined()
        try makeFolders("\(folder)/requests")
        try write(request, named: name)
        return name
    }

    /// Stores a request in the place of the one with this name.
    func write(_ request: UndoRequest, named name: String) throws(Failure) {
        let runs = request.runs.map { runs in JSON.array(runs.map { .string("\($0.step.index)-\($0.attempt)") }) }
        let json = JSON.of([
            "workflow": .string(request.workflow.description), "step": request.step.map { .int($0) },
            "partial": .bool(request.isPartial),
            "runs": runs,
        ])
        try writeWhole(Array(json.text.utf8), to: "\(folder)/requests/\(name)")
    }

    /// Assigns a request to the first workflow that runs with it.
    ///
    /// - Returns: whether it is this workflow. It is `false` for a workflow that reuses the name of an old request.
    func claim(_ name: String, for workflow: WorkflowID) -> Bool {
        let file = "\(folder)/requests/\(name).by"
        if let claimed = readJSON(file)?["workflow"]?.string { return claimed == workflow.description }
        return (try? writeWhole(Array(JSON.of(["workflow": .string(workflow.description)]).text.utf8), to: file)) != nil
    }

    func request(named name: String) -> UndoRequest? {
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }),
            let json = readJSON("\(folder)/requests/\(name)"),
            let workflow = json["workflow"]?.string.flatMap({ WorkflowID(parsing: $0) })
        else { return nil }
        let runs = json["runs"]?.array?.compactMap { text -> RunID? in
            let numbers = (text.string ?? "").split(separator: "-").compactMap { Int($0) }
            return numbers.count == 2 ? RunID(StepID(workflow, numbers[0]), attempt: numbers[1]) : nil
        }
        return UndoRequest(
            workflow: workflow, step: json["step"]?.int, isPartial: json["partial"]?.bool ?? false, runs: runs)
    }

    /// Completes the records of the earlier attempts of an undo, which were interrupted.
    ///
    /// - Returns: the number of changes that these attempts have reversed.
    func settled(before run: RunID) throws(Failure) -> Int {
        var count = 0
        for attempt in 1..<max(1, run.attempt) {
            let earlier = RunID(run.step, attempt: attempt)
            try trim(earlier)
            count += try record(of: earlier)?.changes.count ?? 0
        }
        return count
    }

    /// Returns the records that a request reverses, the newest first, each with its changes that stand.
    ///
    /// - Parameter workflow: the running undo. Its own reversals are ignored, so that it can go on after an
    ///   interruption.
    /// - Throws: `nothingToUndo`.
    func selected(_ request: UndoRequest, besides workflow: WorkflowID? = nil) throws(Failure) -> [SelectedRecord] {
        let history = UndoHistory(self)
        let all = try records(of: request.workflow).filter { record in
            (request.step == nil || record.run.step.index == request.step) && request.runs?.contains(record.run) ?? true
        }
        let open = all.map { SelectedRecord(record: $0, open: history.open($0, besides: workflow)) }.filter {
            !$0.open.isEmpty
        }
        guard !open.isEmpty else {
            let what = (request.step.map { "step \($0) of " } ?? "") + request.workflow.description
            if let by = all.lazy.compactMap({ history.reversing($0).last }).first {
                throw undone(request.workflow, what, by, history)
            }
            throw Failure(
                .nothingToUndo, "No record of a change by \(what) is kept.",
                remedy: "See 'assent show \(request.workflow)'.")
        }
        return open
    }

    /// Returns the failure for changes that were undone or redone already.
    private func undone(_ workflow: WorkflowID, _ what: String, _ by: WorkflowID, _ history: UndoHistory) -> Failure {
        let isUndo = history.records(of: workflow).contains { $0.undoes != nil } && !history.isRedo(workflow)
        return isUndo
            ? Failure(
                .nothingToUndo, "\(what) was redone by \(by) already.", remedy: "To reverse that: 'assent undo \(by)'")
            : Failure(
                .nothingToUndo, "What \(what) changed was undone by \(by).", remedy: "To undo that: 'assent redo \(by)'"
            )
    }

    /// Plans the reversal of some records.
    ///
    /// - Parameters:
    ///   - records: the records, the newest first.
    ///   - workflow: the running undo, which may have been interrupted, or `nil` before it begins.
    func plan(_ records: [SelectedRecord], workspace: String, by workflow: WorkflowID? = nil) throws(Failure)
        -> UndoPlan
    {
        var (changes, origins) = ([FileChange](), [ChangeOrigin]())
        for selected in records {
            for number in selected.record.changes.indices.reversed() where selected.open.contains(number) {
                changes.append(selected.record.changes[number])
                origins.append(ChangeOrigin(run: selected.record.run, number: number))
            }
        }
        let files = try PersonFiles(workspace: workspace)
        let reversed: Set<ChangeOrigin> = if let workflow { try surelyReversed(by: workflow, files) } else { [] }
        let count = origins.lastIndex(where: reversed.contains).map { $0 + 1 } ?? 0
        return UndoPlan(changes, origins: origins, reversedCount: count, files: files)
    }

    /// Returns the changes that the attempts of an undo have certainly reversed. If an attempt left changes out, the
    /// result is empty.
    private func surelyReversed(by workflow: WorkflowID, _ files: borrowing PersonFiles) throws(Failure) -> Set<
        ChangeOrigin
    > {
        let (history, attempts) = (UndoHistory(self), try records(of: workflow))
        guard !attempts.contains(where: \.isPartial) else { return [] }
        var reversed: Set<ChangeOrigin> = []
        for attempt in attempts {
            // A change that was undone again stands.
            let made = UndoProgress.surelyMade(attempt.changes, files: files).intersection(history.open(attempt))
            reversed.formUnion(made.compactMap { attempt.changes[$0].reverses })
        }
        return reversed
    }
}

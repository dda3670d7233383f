import Files
import Glibc
import JSON
import Sandbox
import Undo
package import Vocabulary

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
    private var records: UndoRecords

    init(_ context: Builtin.Context, cancel: Cancellation) {
        self.context = context
        self.cancel = cancel
        records = UndoRecords(context.toolbox.own)
    }

    mutating func run() throws(Failure) -> [Asset] {
        let run = context.assignment.run
        let name = try context.assignment.requiredText("request")
        guard let request = records.request(named: name), records.claim(name, for: run.step.workflow) else {
            throw Failure(.notRequested, "Nobody asked for this undo.", remedy: "Run 'assent undo' with the workflow.")
        }
        let workspace = try context.paths().workspace
        records = records.moved(from: request.movedFrom, to: workspace)
        let turn = try WorkspaceTurn.take(workspace, in: context.toolbox.own.data, cancel: cancel)
        defer { turn.end() }
        let earlier = try records.settled(before: run)
        let selected = try records.selected(request, besides: run.step.workflow)
        let plan = try records.plan(selected, workspace: workspace, by: run.step.workflow)
        if !request.isPartial || plan.work.isEmpty && earlier == 0 { try refuse(plan, of: selected, earlier) }
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
        // What was not kept comes back by nothing.
        let isLost = plan.left.allSatisfy { item in
            if case .leave(let difference) = item.action { difference.isLoss } else { false }
        }
        let rest = "--partial undoes the rest and leaves \(plan.left.count == 1 ? "it" : "these")."
        throw Failure(
            isLost ? .undoLost : .changedSince, "\(begin): \(Self.names(plan.left)).",
            remedy: plan.work.isEmpty ? nil : rest)
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

extension ChangeRecording {
    init(_ context: Builtin.Context) throws(Failure) {
        self.init(UndoRecords(context.toolbox.own), context.assignment.run, workspace: try context.paths().workspace)
    }
}

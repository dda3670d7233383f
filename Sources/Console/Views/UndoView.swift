import Actions
import JSON
import Terminal
import Vocabulary

/// The words about undo: its plan, and the changes that can be undone or were undone.
enum UndoView {
    /// Returns a line for each path of a plan.
    ///
    /// - Parameters:
    ///   - workspace: the folder to which paths below it are relative.
    ///   - call: the verb that lists all of the plan, or nil to list all of it here.
    static func lines(_ outline: UndoOutline, workspace: String, call: String?, columns: Int) -> [StyledText] {
        let shown = outline.work.prefix(call == nil ? .max : most).map { StyledText("  " + words($0, workspace)) }
        let more = outline.work.count - shown.count
        let rest =
            more > 0 ? [StyledText("  … \(Amounts.count(more, "more change")): \(Voice.call(call ?? ""))", .dim)] : []
        return (shown + rest).flatMap { Layout.wrapped($0, columns: columns, indent: 0, hanging: 4) }
            + left(outline, workspace, isWhole: call == nil, columns: columns)
    }

    /// Returns a line for each path that is left, with its reason.
    ///
    /// - Parameter isWhole: whether all of them are listed, and not only the first ones.
    static func left(_ outline: UndoOutline, _ workspace: String, isWhole: Bool = false, columns: Int) -> [StyledText] {
        let shown = outline.left.prefix(isWhole ? .max : Limits.undoNames).map {
            StyledText("  " + words($0, workspace), .warning)
        }
        let more = outline.left.count - shown.count
        return (shown + (more > 0 ? [StyledText("  … and \(more) more", .warning)] : [])).flatMap {
            Layout.wrapped($0, columns: columns, indent: 0, hanging: 4)
        }
    }

    /// Returns the lines about an interrupted undo, before it continues.
    static func cut(_ cut: CutUndo, workspace: String, columns: Int) -> [StyledText] {
        let head = "\(cut.workflow), the undo of \(cut.undoes), was cut and goes on now."
        func listed(_ noun: String, _ lines: [UndoOutline.Line]) -> [StyledText] {
            let list =
                lines.isEmpty
                ? "nothing"
                : names(lines.map { UndoOutline.Line($0.act, $0.path, source: $0.source, why: "") }, workspace)
            return Layout.wrapped(
                StyledText("  \(noun) (\(lines.count)): \(list)", .dim), columns: columns, indent: 0, hanging: 4)
        }
        return Layout.wrapped(StyledText(head), columns: columns, indent: 0, hanging: 4) + listed("done", cut.done)
            + listed("left to do", cut.work) + left(UndoOutline(left: cut.left), workspace, columns: columns)
    }

    /// Returns the progress of an undo, such as "undoing 300 of 1,200".
    static func progress(_ done: Int, of all: Int, isRedo: Bool) -> StyledText {
        StyledText("  \(isRedo ? "redoing" : "undoing") \(Amounts.grouped(done)) of \(Amounts.grouped(all))", .dim)
    }

    private static let most = 20

    private static func words(_ line: UndoOutline.Line, _ workspace: String) -> String {
        let path = short(line.path, workspace)
        return switch line.act {
        case .remove: "remove \(path)"
        case .restore, .setBack: "restore \(path)"
        case .setTimeBack: "set the time of \(path) back"
        case .moveBack: "move \(path) back to \(short(line.source ?? "", workspace))"
        case .leave: "leave \(path): \(reason(line))"
        }
    }

    /// Returns the paths that are left, such as `a.txt was changed since; b.txt is gone; and 3 more`.
    static func names(_ left: [UndoOutline.Line], workspace: String) -> String {
        names(left, workspace)
    }

    private static func names(_ left: [UndoOutline.Line], _ workspace: String) -> String {
        let shown = left.prefix(Limits.undoNames).map { line in
            [short(line.path, workspace), line.why ?? "was changed since"].filter { !$0.isEmpty }.joined(separator: " ")
        }
        let more = left.count - shown.count
        return (shown + (more > 0 ? ["and \(more) more"] : [])).joined(separator: "; ")
    }

    /// Returns the reason why a path is left, as a sentence of its own or as the rest of a sentence about the path.
    private static func reason(_ line: UndoOutline.Line) -> String {
        let why = line.why ?? "was changed since"
        return why.hasSuffix(".") ? VisibleText.line(why) : "it \(why)"
    }

    private static func short(_ path: String, _ workspace: String) -> String {
        VisibleText.line(path.hasPrefix(workspace + "/") ? String(path.dropFirst(workspace.count + 1)) : path)
    }

    /// Returns the time until which a record is kept, such as "12 January, sooner if more than 2 GB are kept".
    static func expiry(_ until: Moment) -> String {
        "\(Amounts.day(until)), sooner if more than \(Limits.preImagesKeptBytes >> 30) GB are kept"
    }

    /// Returns the lines of `show` about undo: the changes that can still be undone, and those that were undone.
    ///
    /// - Parameters:
    ///   - rows: the numbers that users see for the steps.
    ///   - workspace: the folder of the workflow, to which paths below it are relative.
    static func standing(
        _ standings: [UndoStanding], of workflow: WorkflowID, rows: StepRows = StepRows(nil), workspace: String,
        columns: Int
    ) -> [StyledText] {
        guard !standings.isEmpty else { return [] }
        let (open, undone) = (standings.filter { $0.open > 0 }, standings.filter { !$0.undoneBy.isEmpty })
        var texts: [StyledText] = []
        if let oldest = open.map(\.until).min() {
            let steps = Set(open.map { rows.row($0.run.step.index) }).sorted()
            let ofSteps =
                undone.isEmpty
                ? "" : " of step\(steps.count == 1 ? "" : "s") \(steps.map(String.init).joined(separator: ", "))"
            let isUndo = open.contains { $0.undoes != nil && !$0.isRedo }
            let changes = Amounts.count(open.reduce(0) { $0 + $1.undoable }, "change")
            let partial = open.contains { !$0.lost.isEmpty } ? " --partial" : ""
            let call = Voice.call("\(isUndo ? "redo" : "undo") \(workflow)\(partial)")
            texts.append(
                open.contains { $0.undoable > 0 }
                    ? StyledText("\(changes)\(ofSteps) can be undone until \(expiry(oldest)): \(call)", .dim)
                    : StyledText("nothing of what it changed\(ofSteps) can be undone", .dim))
            texts += lost(open.flatMap(\.lost), workspace)
        }
        let bys = Set(undone.flatMap(\.undoneBy)).sorted()
        if open.isEmpty, let last = bys.last {
            texts.append(
                StyledText(
                    "undone by \(bys.map(\.description).joined(separator: ", ")): \(Voice.call("redo \(last)"))", .dim))
        }
        for by in open.isEmpty ? [] : bys {
            let its = undone.filter { $0.undoneBy.contains(by) }
            let numbers = Set(its.map { rows.row($0.run.step.index) }).sorted().map(String.init)
            let steps = "step \(numbers.joined(separator: ", ")) "
            let part = its.contains { $0.open > 0 || $0.undoneBy.count > 1 } ? " in part" : ""
            texts.append(StyledText("\(steps)undone\(part) by \(by): \(Voice.call("redo \(by)"))", .dim))
        }
        return texts.flatMap { Layout.wrapped($0, columns: columns, indent: 4, hanging: 6) }
    }

    /// Returns the lines about changes that can never be undone.
    private static func lost(_ lines: [UndoOutline.Line], _ workspace: String) -> [StyledText] {
        guard !lines.isEmpty else { return [] }
        return [
            StyledText("\(Amounts.count(lines.count, "change")) cannot be undone: \(names(lines, workspace))", .warning)
        ]
    }

    /// Returns the mark of an undone workflow in a list, such as "undone by w9", or nil for other workflows.
    static func mark(_ standings: [UndoStanding]) -> String? {
        let by = Set(standings.flatMap(\.undoneBy)).sorted()
        guard !by.isEmpty else { return nil }
        let isWhole = standings.allSatisfy { $0.open == 0 }
        return "undone\(isWhole ? "" : " in part") by \(by.map(\.description).joined(separator: ", "))"
    }
}

extension UndoOutline.Line {
    private var name: String {
        switch act {
        case .setBack: "restore"
        case .setTimeBack: "time"
        case .moveBack: "move"
        case .remove, .restore, .leave: act.rawValue
        }
    }

    var json: JSON {
        .of([
            "act": .string(name), "path": .string(path), "to": source.map { .string($0) },
            "why": why.map { .string($0) },
        ])
    }
}

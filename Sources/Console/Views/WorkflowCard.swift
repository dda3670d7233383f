package import Actions
import Progress
package import Terminal
package import Vocabulary

/// The card of a workflow, as `/show w3` draws it: its state, its steps, and its open questions.
package enum WorkflowCard {
    /// The steps beyond which the middle of the list is cut. Steps that failed or wait stay.
    static let stepsLimit = 40

    /// Draws the card of a workflow.
    ///
    /// - Parameters:
    ///   - jobs: the progress of the jobs that are under way at a provider, by step number.
    ///   - undo: the changes of its steps in the user's files, the newest first.
    ///   - undone: the workflow that it undoes, if it is an undo.
    ///   - isHomeless: whether its folder was renamed or removed.
    ///   - asked: the queued commands that no process has started yet.
    ///   - span: the numbers of the steps that are drawn alone, or nil for the card.
    package static func lines(
        _ summary: WorkflowSummary, steps: [StepRecord], assets: [Asset] = [], awaits: [InboxEntry] = [],
        template: Template? = nil,
        catalogue: Catalogue = Catalogue(), pins: [PinnedInput] = [], isStanding: Bool = false,
        isHomeless: Bool = false, jobs: [Int: RemoteStatus] = [:],
        asked: [Command] = [], undo: [UndoStanding] = [], undone: String? = nil, hasHashes: Bool = false,
        span: Range<Int>? = nil, now: Moment, columns: Int
    ) -> [StyledText] {
        let made = Dictionary(grouping: assets, by: \.run.step)
        let pinned = Dictionary(grouping: pins, by: \.step)
        let after = StepDetails.after(in: template)
        let rows = StepRows(template)
        let names = StepNames(template, catalogue, steps)
        let steps = steps.map {
            var step = StepDetails(
                names.worded($0), template: template, rows: rows, after: after[$0.node] ?? [], tool: catalogue[$0.kind],
                assets: made[$0.id] ?? [],
                pins: pinned[$0.id.index] ?? [],
                undone: $0.kind == Template.undoKind ? undone : nil, waits: names.waits(of: $0))
            step.hasHashes = hasHashes
            return step
        }
        if let span { return steps.entries(span).flatMap { row($0, jobs, now, columns) } }
        return header(summary, StateSign(summary, isStanding: isStanding, asked: asked), isStanding, now, columns)
            + (isHomeless ? homeless(summary.record.id, columns) : [])
            + UndoView.standing(
                undo, of: summary.record.id, rows: rows, workspace: summary.record.workspace, columns: columns)
            + waiting(asked, columns) + list(steps, of: summary.record.id, jobs, now, columns)
            + waiting(awaits.filter { $0.record.status != .done }, now, columns)
    }

    private static func homeless(_ id: WorkflowID, _ columns: Int) -> [StyledText] {
        let words =
            "Its folder is not there any more. Change to where it is now ('cd'): there "
            + "\(Voice.call("duplicate \(id)")) begins the same workflow."
        return Layout.wrapped(StyledText(words, .warning), columns: columns, indent: 4, hanging: 6)
    }

    private static func header(
        _ summary: WorkflowSummary, _ sign: StateSign, _ isStanding: Bool, _ now: Moment, _ columns: Int
    ) -> [StyledText] {
        let record = summary.record
        let left = "  " + StyledText("\(record.id)  ", .dim) + StyledText(record.title, .bold)
        var about = [
            "\(summary.doneCount) of \(Amounts.count(summary.stepCount, "step"))",
            "started \(Amounts.age(of: record.createdAt, now: now))",
            record.mode.rawValue, record.workspace,
        ]
        if record.graphRevision > 1 { about.append("graph revision \(record.graphRevision)") }
        if record.archivedAt != nil { about.append("archived") }
        // Only the status checks are paused, and never the job (`semantics.md` 113).
        let paused = record.pollingPausedAt.map {
            [
                "Status checks are paused since \(Amounts.age(of: $0, now: now)); the remote job goes on.",
                "Resume polling: \(Voice.call("poll \(record.id) on"))",
            ]
        }
        return Layout.spread(
            left, sign.text, columns: columns, measure: 100, hanging: 4)
            + Layout.wrapped(StyledText(about.joined(separator: " · "), .dim), columns: columns, indent: 4)
            + (isStanding ? StandingView.lines([record.id], columns: columns) : [])
            + (paused ?? []).flatMap {
                Layout.wrapped(StyledText($0, .warning), columns: columns, indent: 4, hanging: 6)
            }
    }

    /// Returns the rows of queued commands. They wait for the process that runs the workflow (`architecture.md`
    /// invariant 4), and are not visible elsewhere until then.
    private static func waiting(_ asked: [Command], _ columns: Int) -> [StyledText] {
        guard !asked.isEmpty else { return [] }
        let words = asked.map(\.verb.words).joined(separator: ", ")
        return Layout.wrapped(
            StyledText("asked for, and not begun yet: \(words)", .warning), columns: columns, indent: 4, hanging: 6)
    }

    private static func waiting(_ awaits: [InboxEntry], _ now: Moment, _ columns: Int) -> [StyledText] {
        guard !awaits.isEmpty else { return [] }
        return [StyledText("  inbox (\(awaits.count))", .dim).truncated(to: columns)]
            + InboxView.rows(awaits, now, columns)
    }

    private static func row(_ step: StepDetails, _ jobs: [Int: RemoteStatus], _ now: Moment, _ columns: Int)
        -> [StyledText]
    {
        StepCard.brief(step, now: now, columns: columns)
            + (jobs[step.record.id.index]?.lines(of: step.record, now: now, columns: columns, indent: 6) ?? [])
    }

    private static func list(
        _ steps: [StepDetails], of workflow: WorkflowID, _ jobs: [Int: RemoteStatus], _ now: Moment, _ columns: Int
    ) -> [StyledText] {
        var (lines, hidden) = ([StyledText](), 0)
        func flush(before index: Int) {
            let rest = Remainder(index - hidden + 1..<index + 1, of: steps.count, "more step", "show \(workflow)")
            lines += rest.lines(columns: columns, indent: 6)
            hidden = 0
        }
        let shown = visible(steps)
        for (index, step) in steps.enumerated() {
            guard shown.contains(index) else {
                hidden += 1
                continue
            }
            flush(before: index)
            lines += row(step, jobs, now, columns)
        }
        flush(before: steps.count)
        return lines
    }

    private static func visible(_ steps: [StepDetails]) -> Set<Int> {
        guard steps.count > stepsLimit else { return Set(steps.indices) }
        let pressing = steps.indices.lazy.filter { index in
            let state = steps[index].record.state
            return state == .failed || state == .awaitingUser || state.isRunning
        }
        return Set(steps.indices.prefix(stepsLimit / 4)).union(steps.indices.suffix(stepsLimit / 4)).union(
            pressing.prefix(stepsLimit / 2))
    }
}

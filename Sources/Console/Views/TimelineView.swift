import Actions
import JSON
package import Terminal
package import Vocabulary

/// The use of time in a workflow: a bar for each step, and below it the segments of the requested step.
package enum TimelineView {
    static let stepsLimit = 24
    static let rowsLimit = 60
    static let barWidth = 60

    /// Returns the rows of a timeline.
    ///
    /// - Parameters:
    ///   - lines: one, or the whole with its steps.
    ///   - call: the verb that shows them.
    ///   - bars: the numbers of the lines that are drawn as bars, and nothing else.
    ///   - segments: the numbers of the segments of the first line that are drawn, and nothing else.
    package static func lines(
        _ lines: [Timeline], steps: [StepRecord], call: String = "timeline", bars: Range<Int>? = nil,
        segments: Range<Int>? = nil,
        columns: Int
    ) -> [StyledText] {
        guard let first = lines.first, let from = first.segments.first?.from, let to = first.segments.last?.to else {
            return []
        }
        if let segments { return rows(first, segments, columns) }
        let shown = bars.map { lines.entries($0) } ?? lines.prefix(stepsLimit + 1)
        let names = shown.map { name($0, steps) }
        let margin = min((names.map(DisplayWidth.of).max() ?? 0), max(8, columns / 3))
        let width = max(8, min(barWidth, columns - margin - 5))
        var drawn = zip(shown, names).map { line, name in
            StyledText("  ") + Layout.fitted(StyledText(name, .dim), to: margin).padded(to: margin + 2)
                + bar(line, from, to, width)
        }
        if bars != nil { return drawn }
        drawn += Remainder(shown.count + 1..<lines.count + 1, of: lines.count, "more step", call).lines(
            columns: columns)
        return drawn + legend(shown, columns) + table(first, call, columns)
    }

    private static func name(_ line: Timeline, _ steps: [StepRecord]) -> String {
        guard let number = line.step else { return "whole" }
        return steps.indices.contains(number - 1) ? "\(number) \(steps[number - 1].node)" : "\(number)"
    }

    /// Returns the bar of a line. Each cell shows the activity that took most of its time.
    private static func bar(_ line: Timeline, _ from: Moment, _ to: Moment, _ width: Int) -> StyledText {
        let total = max(1, to.milliseconds - from.milliseconds)
        var text = StyledText()
        var segments = line.segments[...]
        for cell in 0..<width {
            let start = from.milliseconds + total * Int64(cell) / Int64(width)
            let end = max(start + 1, from.milliseconds + total * Int64(cell + 1) / Int64(width))
            while let first = segments.first, first.to.milliseconds <= start, segments.count > 1 {
                segments = segments.dropFirst()
            }
            let longest = segments.prefix { $0.from.milliseconds < end }.max { one, other in
                overlap(one, start, end) < overlap(other, start, end)
            }
            let kind = (longest ?? segments.first)?.kind ?? .done
            text.append(kind.mark, kind.style)
        }
        return text
    }

    private static func overlap(_ segment: Segment, _ start: Int64, _ end: Int64) -> Int64 {
        min(end, segment.to.milliseconds) - max(start, segment.from.milliseconds)
    }

    private static func legend(_ lines: ArraySlice<Timeline>, _ columns: Int) -> [StyledText] {
        let present = Set(lines.flatMap { $0.segments.map(\.kind) })
        let pieces = Segment.Kind.allCases.filter(present.contains).map {
            StyledText($0.mark, $0.style) + StyledText(" \($0.words)")
        }
        return Layout.packed(pieces, columns: columns)
    }

    private static func table(_ line: Timeline, _ call: String, _ columns: Int) -> [StyledText] {
        let count = line.segments.count
        let first = max(1, count - rowsLimit + 1)
        return Remainder(1..<first, of: count, "earlier segment", "\(call) --segments").lines(columns: columns)
            + rows(line, first..<count + 1, columns)
    }

    private static func rows(_ line: Timeline, _ numbers: Range<Int>, _ columns: Int) -> [StyledText] {
        let total = max(1, line.segments.reduce(0) { $0 + $1.milliseconds })
        let rows = line.segments.entries(numbers).map { segment in
            [
                StyledText(String(segment.from.description.dropFirst(11).prefix(8)), .dim),
                StyledText(
                    segment.milliseconds < 1000
                        ? "\(segment.milliseconds) ms" : Amounts.duration(Double(segment.milliseconds) / 1000)),
                StyledText("\(segment.milliseconds * 100 / total) %", .dim),
                StyledText(segment.kind.mark, segment.kind.style)
                    + StyledText(" \(segment.kind.words)"),
            ]
        }
        return Layout.table(rows, columns: columns)
    }
}

extension Segment.Kind {
    /// The mark of a segment in one cell, by which segments differ without colour.
    var mark: String {
        switch self {
        case .blocked: "·"
        case .waitingForSlot: "-"
        case .waitingForPerson: "?"
        case .backoff: "z"
        case .queued: "q"
        case .running: "█"
        case .downloading: "▼"
        case .reconnecting: "~"
        case .paused: "="
        case .offline: "x"
        case .stale: "s"
        case .done: "_"
        case .failed: "!"
        case .cancelled: "c"
        }
    }

    var words: String {
        switch self {
        case .blocked: "blocked"
        case .waitingForSlot: "waiting for a slot"
        case .waitingForPerson: "waiting for a person"
        case .backoff: "waiting to try again"
        case .queued: "queued at the provider"
        case .running: "running"
        case .downloading: "downloading"
        case .reconnecting: "reconnecting"
        case .paused: "status checks paused"
        case .offline: "offline"
        case .stale: "stale"
        case .done: "done"
        case .failed: "failed"
        case .cancelled: "cancelled"
        }
    }

    var style: Style {
        switch self {
        case .running, .downloading, .queued: .running
        case .waitingForPerson: .question
        case .backoff, .reconnecting, .offline, .stale, .cancelled: .warning
        case .failed: .failure
        case .done: .success
        case .blocked, .waitingForSlot, .paused: .dim
        }
    }
}

extension Segment {
    func json(of workflow: WorkflowID, step: Int?) -> JSON {
        .of([
            "workflow": .string(workflow.description), "step": step.map { .int($0) }, "kind": .string(kind.rawValue),
            "from": .string(from.description), "to": .string(to.description), "ms": .int(Int(milliseconds)),
        ])
    }
}

import Actions
import Terminal
import Vocabulary

/// The steps of one tool in a plan over many files. They are counted on one line while they run.
struct BatchLine {
    /// The steps of one tool from which on they are counted and no longer shown one by one.
    static let least = 6

    let title: String
    let total: Int
    private var done: Set<Int> = []
    private var running: Set<Int> = []
    private var startedAt: Moment?
    private var endedAt: Moment?

    init(title: String, total: Int) { (self.title, self.total) = (title, total) }

    /// Returns the batches of a plan, by the kind of their steps.
    static func all(in kinds: [String], title: (String) -> String) -> [String: BatchLine] {
        Dictionary(grouping: kinds) { $0 }.filter { $0.value.count >= least }.mapValues {
            BatchLine(title: title($0[0]), total: $0.count)
        }
    }

    /// Records the new state of one of the steps.
    mutating func take(_ number: Int, _ state: StepState, at moment: Moment) {
        if state.isRunning {
            running.insert(number)
            startedAt = startedAt ?? moment
        } else {
            running.remove(number)
            endedAt = moment
        }
        if state == .succeeded { done.insert(number) } else { done.remove(number) }
    }

    var isRunning: Bool { !running.isEmpty || startedAt != nil && done.count < total }
    var hasBegun: Bool { startedAt != nil }

    /// Returns the line while the steps run, such as `▸ w14 Resize 12 of 60 · 6 s`.
    func live(_ workflow: WorkflowID, now: Moment) -> StyledText {
        let seconds = startedAt.map { now.seconds(since: $0) } ?? 0
        return StyledText("  ▸ ", .running) + StyledText("\(workflow) \(title) \(done.count) of \(total)")
            + StyledText(" · \(Amounts.duration(seconds))", .dim)
    }

    /// The line when all has ended, such as `✓ Resize 60 · 6 s`. Without the sign if steps of it were not done.
    var finished: StyledText {
        let seconds = startedAt.flatMap { start in endedAt.map { $0.seconds(since: start) } } ?? 0
        let isWhole = done.count == total
        let head = isWhole ? StyledText("  ✓ ", .success) : StyledText("  ⚑ ", .warning)
        return head + StyledText("\(title) \(isWhole ? "" : "\(done.count) of ")\(total)")
            + StyledText(" · \(Amounts.duration(seconds))", .dim)
    }
}

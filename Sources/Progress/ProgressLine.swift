import Actions
package import Terminal
package import Vocabulary

/// The line of one step, or of all steps of a kind, while they run.
package struct ProgressLine: Hashable, Sendable {
    package let workflow: WorkflowID
    package let title: String
    /// The steps that are done, and all of them. It is nil for a step that is alone of its kind.
    let count: Count?
    let words: String?
    /// The part that is done, from 0 to 1, if it is known.
    let share: Double?
    let showsPercent: Bool
    package let seconds: Double?
    let remaining: Double?

    /// The steps of a kind that are done, and all of them.
    struct Count: Hashable, Sendable {
        let done: Int
        let total: Int
    }

    init(
        workflow: WorkflowID, title: String, count: (Int, Int)? = nil, words: String? = nil, share: Double? = nil,
        showsPercent: Bool = false, seconds: Double? = nil, remaining: Double? = nil
    ) {
        (self.workflow, self.title, self.words, self.share) = (workflow, title, words, share)
        (self.showsPercent, self.seconds, self.remaining) = (showsPercent, seconds, remaining)
        self.count = count.map { Count(done: $0.0, total: $0.1) }
    }

    /// The cells of a bar.
    private static let barCells = 10
    /// The columns from which on a bar is drawn.
    private static let barColumns = 60
    /// A rest is never written as less, since it is an estimate.
    private static let leastRemaining = 5.0

    /// Returns the line, such as `▸ w14 Resize 12 of 60 ██········ 6 s · about 25 s left`.
    ///
    /// - Parameter isPlain: whether it is read aloud or stored, so that it has no bar.
    package func text(columns: Int, isPlain: Bool = false) -> StyledText {
        var text = StyledText("  ▸ ", .running) + StyledText("\(workflow) \(title)")
        if let words { text.append(" \(words)") }
        if let count { text.append(" \(count.done) of \(count.total)") }
        if showsPercent, let share { text.append(" \(Int((share * 100).rounded(.down))) %") }
        if let share, !isPlain, columns >= Self.barColumns {
            let filled = Int((share * Double(Self.barCells)).rounded(.down))
            text.append(" " + String(repeating: "█", count: filled), .running)
            text.append(String(repeating: "·", count: Self.barCells - filled), .dim)
        }
        if let seconds { text.append(" · \(Amounts.duration(seconds))", .dim) }
        if let remaining {
            let rest = StyledText(" · about \(Self.rounded(remaining)) left", .dim)
            if text.width + rest.width <= columns { text += rest }
        }
        return text.truncated(to: columns)
    }

    /// Returns an estimate in steps that it can bear: of 5 s below a minute, of 10 s below ten, else of a minute.
    static func rounded(_ seconds: Double) -> String {
        let step = seconds < 60 ? 5.0 : seconds < 600 ? 10 : 60
        let whole = max(leastRemaining, (min(seconds, 1e9) / step).rounded() * step)
        return whole < 60 ? "\(Int(whole)) s" : Amounts.duration(whole)
    }
}

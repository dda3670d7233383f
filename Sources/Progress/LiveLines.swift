package import Terminal
package import Vocabulary

/// The lines of all workflows that run: six at the most, and then how many more there are.
package enum LiveLines {
    /// The most lines of steps.
    package static let most = 6

    /// Returns the rows for a screen of this width.
    package static func rows(of workflows: [WorkflowProgress], at now: Moment, columns: Int) -> [StyledText] {
        let lines = workflows.sorted { $0.id < $1.id }.flatMap { $0.lines(at: now) }
        let shown = lines.count > most ? lines.prefix(most) : lines[...]
        let rest = lines.count - shown.count
        return shown.map { $0.text(columns: columns) } + (rest > 0 ? [StyledText("    +\(rest) more", .dim)] : [])
    }
}

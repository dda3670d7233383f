import Actions
package import Terminal
package import Vocabulary

extension Limits {
    /// The seconds after which a notice says, once, that a command still runs and has written nothing.
    fileprivate static let longRehearsalSeconds = 60.0
}

/// The lines about long work: on a screen that draws nothing in place after 10 s and then each minute, on any screen
/// once after a minute without a written file.
package struct Announcements {
    /// The seconds after which the first line comes, and between later ones.
    static let (first, later) = (10.0, 60.0)

    /// A line that was announced, with the seconds after which it is due again.
    private struct Key: Hashable {
        let workflow: WorkflowID
        let title: String
    }
    private var due: [Key: Double] = [:]
    private var rehearsed: Set<StepID> = []

    /// Creates the value of a screen on which nothing was announced yet.
    package init() {}

    mutating func forget(_ workflow: WorkflowID) {
        due = due.filter { $0.key.workflow != workflow }
        rehearsed = rehearsed.filter { $0.workflow != workflow }
    }

    /// Returns the lines that are due.
    package mutating func due(
        _ workflows: [WorkflowProgress], at now: Moment, isDrawn: Bool, isChat: Bool
    ) -> [StyledText] {
        let sorted = workflows.sorted { $0.id < $1.id }
        let long = sorted.flatMap { longRehearsals(of: $0, at: now, isChat: isChat) }
        guard !isDrawn else { return long }
        let lines = sorted.flatMap { $0.lines(at: now) }.filter { line in
            let (key, seconds) = (Key(workflow: line.workflow, title: line.title), line.seconds ?? 0)
            guard seconds >= due[key] ?? Self.first else { return false }
            due[key] = ((seconds / Self.later).rounded(.down) + 1) * Self.later
            return true
        }
        return lines.map { $0.text(columns: TerminalLimits.fallbackColumns, isPlain: true) } + long
    }

    private mutating func longRehearsals(of workflow: WorkflowProgress, at now: Moment, isChat: Bool) -> [StyledText] {
        workflow.rehearsed.compactMap { number in
            guard let seconds = workflow.step(number)?.seconds(at: now), seconds >= Limits.longRehearsalSeconds,
                rehearsed.insert(StepID(workflow.id, number)).inserted
            else { return nil }
            let words =
                "has been running for \(Amounts.duration(seconds)). Nothing of it is written yet. "
                + "Ctrl-C\(isChat ? " twice" : "") ends it now, "
                + "and after \(Amounts.duration(Limits.commandSeconds)) it is ended anyway."
            return StyledText("\(workflow.id) \(workflow.title(of: number)) \(words)", .dim)
        }
    }
}

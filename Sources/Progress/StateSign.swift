package import Terminal
package import Vocabulary

/// A state as a sign, a word and a colour. The colour never says more than the other two (`semantics.md` 65).
package struct StateSign: Hashable, Sendable {
    package let sign: String
    package let word: String
    package let style: Style

    private init(_ sign: String, _ word: String, _ style: Style) {
        self.sign = sign
        self.word = word
        self.style = style
    }

    package static let running = StateSign("▸", "running", .running)
    package static let done = StateSign("✓", "done", .success)
    package static let failed = StateSign("✗", "failed", .failure)
    package static let cancelled = StateSign("⊘", "cancelled", .warning)
    package static let needsYou = StateSign("⚑", "needs you", .question)
    /// The chip of a step that waits for the person (`semantics.md` 115).
    package static let needsYourInput = StateSign("⚑", "needs your input", .question)
    /// The mark beside the state of a step whose outputs belong to inputs that have changed.
    package static let stale = StateSign("↻", "stale", .warning)
    package static let blocked = StateSign("◌", "blocked", .dim)
    package static let ready = StateSign("·", "ready", .dim)
    package static let queued = StateSign("◷", "queued", .running)
    package static let downloading = StateSign("↓", "downloading", .running)
    package static let snoozed = StateSign("☾", "snoozed", .dim)
    package static let claimed = StateSign("✎", "in work", .running)
    package static let closed = StateSign("✓", "closed", .dim)
    package static let lost = StateSign("?", "lost", .warning)
    package static let notInstalled = StateSign("⊖", "not installed", .warning)
    package static let unavailable = StateSign("⊖", "unavailable", .warning)
    package static let available = StateSign("·", "available", .success)
    package static let skipped = StateSign("⊘", "skipped", .dim)
    package static let notAsked = StateSign("⊘", "not asked", .dim)
    package static let cancelling = StateSign("⊘", "cancelling", .warning)

    /// The states of a workflow with a stored command that no engine has carried out.
    package static let willRunAgain = StateSign("↻", "will run again", .warning)
    package static let willGoOn = StateSign("↻", "will go on", .warning)
    package static let willChange = StateSign("↻", "will change", .warning)

    /// The state of a workflow that could move while no process runs workflows.
    package static let standing = StateSign("◌", "nobody carries it", .warning)

    /// Returns the sign of a command that ended with another exit code than 0, which never has a tick.
    ///
    /// - Parameter code: the exit code, or other words for it.
    package static func exited(_ code: String) -> StateSign { StateSign("!", "exit \(code)", .warning) }

    /// Creates the sign of a step. Every view of a step draws this one.
    ///
    /// - Parameter reason: the reason of its state, which tells a step that was skipped, and a command that ended with
    ///   another exit code than 0, from a plain success.
    package init(_ state: StepState, _ reason: Reason?) {
        if state == .succeeded, let code = reason?.exitCode {
            self = .exited("\(code)")
            return
        }
        self =
            switch state {
            case .succeeded where reason?.code == .skipped: .skipped
            case .succeeded where reason?.code == .notAsked: .notAsked
            case .blocked: .blocked
            case .ready: .ready
            case .awaitingUser: .needsYourInput
            case .runningLocal: .running
            case .queuedRemote: .queued
            case .runningRemote: StateSign("▸", "running remotely", .running)
            case .downloading: .downloading
            case .succeeded: .done
            case .failed: .failed
            case .cancelled: .cancelled
            }
    }

    /// Creates the sign of a workflow's outcome. Every view of a workflow draws this one.
    ///
    /// - Parameter exit: the exit code of a command of the workflow that ended with another one than 0, or nil.
    package init(_ outcome: Outcome, exit: Int?) {
        self =
            switch outcome {
            case .succeeded: exit.map { .exited("\($0)") } ?? .done
            case .failed: .failed
            case .cancelled: .cancelled
            case .waiting: .needsYou
            }
    }

    /// Creates the sign for the resolution of an inbox entry. A no never has a tick.
    package init(resolution: String?) {
        let word = resolution?.prefix { $0 != ":" } ?? ""
        self =
            switch word {
            case "rejected", "no": StateSign("✗", "rejected", .warning)
            case "narrowed": StateSign("↻", "asked anew for a part", .dim)
            case "skipped": .skipped
            case "cancelled", "superseded": StateSign("⊘", String(word), .dim)
            default: .closed
            }
    }

    package init(_ status: AwaitStatus) {
        self =
            switch status {
            case .pending: .needsYou
            case .claimed: .claimed
            case .snoozed: .snoozed
            case .done: .closed
            }
    }

    /// Creates the sign for the ending of a run, which is a word of `RunRecord.ending`.
    ///
    /// - Parameter exit: the exit code of the run's command, or nil for other runs.
    package init(ending: String?, exit: Int?) {
        self =
            switch ending {
            case nil: .running
            case "succeeded": exit.flatMap { $0 == 0 ? nil : .exited("\($0)") } ?? .done
            case "failed": .failed
            case "cancelled": .cancelled
            case .some: .lost
            }
    }

    /// Creates the sign of a workflow: its outcome, or the most urgent state of its steps.
    ///
    /// - Parameters:
    ///   - isStanding: whether the workflow could move and no process runs it.
    ///   - asked: the stored commands of the workflow that no engine has carried out.
    package init(_ summary: WorkflowSummary, isStanding: Bool = false, asked: [Command] = []) {
        let states = summary.states
        self =
            if !summary.record.isCancelRequested, let sign = Self.pending(asked) {
                sign
            } else if let outcome = summary.record.outcome {
                outcome == .succeeded && summary.isStale ? .stale : StateSign(outcome, exit: summary.exit)
            } else if summary.record.isCancelRequested {
                .cancelling
            } else if summary.openAwaits > 0 || states.contains(.awaitingUser) { .needsYou } else if isStanding {
                .standing
            } else if states.contains(where: \.isRunning) {
                .running
            } else if states.contains(.failed) { .failed } else if states.contains(.ready) { .ready } else { .blocked }
    }

    /// Returns the sign of a workflow with stored commands, or nil if none of them changes its state.
    private static func pending(_ asked: [Command]) -> StateSign? {
        let signs = asked.compactMap { command -> StateSign? in
            switch command.verb {
            case .retry, .rerun: .willRunAgain
            case .answer, .complete: .willGoOn
            case .pin, .revise: .willChange
            case .cancel, .poll: nil
            }
        }
        return [willRunAgain, willGoOn, willChange].first(where: signs.contains)
    }

    /// The sign with its word, such as `✓ done`.
    package var text: StyledText { StyledText("\(sign) \(word)", style) }
    package var mark: StyledText { StyledText(sign, style) }
}

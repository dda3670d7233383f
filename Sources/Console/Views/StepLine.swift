import Actions
import Progress
package import Terminal
package import Vocabulary

/// The line of a step while it runs and after its end. Finished steps are joined as chips, side by side.
package struct StepLine: Hashable, Sendable {
    package var title: String
    package var state: StepState
    /// The duration in seconds, until now if the step has not ended.
    package var seconds: Double?
    /// The present activity that the tool reports, such as `uploading`.
    package var phase: String?
    /// The progress from 0 to 1, if it is known.
    package var progress: Double?
    package var reason: Reason?
    package var failure: Failure?

    package init(
        title: String, state: StepState, seconds: Double? = nil, phase: String? = nil, progress: Double? = nil,
        reason: Reason? = nil,
        failure: Failure? = nil
    ) {
        self.title = title
        self.state = state
        self.seconds = seconds
        self.phase = phase
        self.progress = progress
        self.reason = reason
        self.failure = failure
    }

    /// The line in words, such as `✓ Resize 0.1 s`, `▸ Resize 40 % 2 m 05 s`, `! Shell exit 128 · 0.1 s` or
    /// `✗ Crop: message (code) remedy`.
    package var text: StyledText {
        let sign = StateSign(state, reason)
        var text = StyledText("\(sign.sign) ", sign.style)
        text.append(title)
        if let failure, state == .failed || (state == .cancelled && failure.code != .cancelled) {
            return text + ": " + FailureLine.text(failure)
        }
        if sign != .done, state != .runningLocal { text.append(" \(sign.word)", sign.style) }
        if let reason, reason.code == .noted { text.append(" · \(reason.words)") }
        if let phase, state.isRunning, let words = JobPhase(rawValue: phase).map({ $0.words }) ?? phase {
            text.append(" \(words)")
        }
        if let progress, progress.isFinite, state.isRunning {
            text.append(" \(Int((min(max(progress, 0), 1) * 100).rounded(.down))) %")
        }
        if let seconds, state.isTerminal || state.isRunning {
            text.append(" \(hasEndedOtherwise ? "· " : "")\(Amounts.duration(seconds))", .dim)
        }
        if state.isRunning, seconds == nil, progress == nil { text.append(" …", .dim) }
        if hasEndedOtherwise {
            if let words = reason?.wordsBesidesExit { text.append(": \(words)", .warning) }
        } else if let reason, !isChip {
            text.append(": \(reason.words) (\(reason.code))", state == .succeeded ? .warning : .dim)
        }
        return text
    }

    /// Whether the step is shown beside others. A step that left something out has a line of its own, so that it is not
    /// overlooked.
    var isChip: Bool { state == .succeeded && reason?.isOfSuccess != true }

    /// Whether the step is over, and its command ended with another exit code than 0.
    private var hasEndedOtherwise: Bool { state == .succeeded && reason?.exitCode != nil }

    package func lines(columns: Int) -> [StyledText] { Layout.wrapped(text, columns: columns, indent: 2, hanging: 4) }

    /// Returns finished steps side by side, such as `✓ Resize 0.1 s   ✓ Grayscale 0.1 s`, with as many in a line as
    /// fit. A step that failed or waits has lines of its own.
    package static func joined(_ steps: [StepLine], columns: Int) -> [StyledText] {
        var (lines, chips) = ([StyledText](), [StyledText]())
        func flush() {
            lines += Layout.packed(chips, columns: columns)
            chips = []
        }
        for step in steps {
            if step.isChip {
                chips.append(step.text)
            } else {
                flush()
                lines += step.lines(columns: columns)
            }
        }
        flush()
        return lines
    }
}

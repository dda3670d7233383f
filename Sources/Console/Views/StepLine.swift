package import Terminal
package import Vocabulary

/// One step as it runs and when it is over, and the finished ones as chips side by side.
package struct StepLine: Hashable, Sendable {
    package var title: String
    package var state: StepState
    /// From start to end, or until now.
    package var seconds: Double?
    /// What the tool says it is doing: `uploading`.
    package var phase: String?
    /// 0 to 1, where it is known.
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

    /// `✓ Resize 0.1 s`, `▸ Resize 40 % 2 m 05 s`, `✗ Crop: message (code) remedy`.
    package var text: StyledText {
        let sign = StateSign(state)
        var text = StyledText("\(sign.sign) ", sign.style)
        text.append(title)
        if let failure, state == .failed || (state == .cancelled && failure.code != .cancelled) {
            return text + ": " + FailureLine.text(failure)
        }
        if !hasPlainSign { text.append(" \(sign.word)", sign.style) }
        if let phase, state.isRunning, let words = JobPhase(rawValue: phase).map({ $0.words }) ?? phase {
            text.append(" \(words)")
        }
        if let progress, progress.isFinite, state.isRunning {
            text.append(" \(Int((min(max(progress, 0), 1) * 100).rounded(.down))) %")
        }
        if let seconds, state.isTerminal || state.isRunning { text.append(" \(Amounts.duration(seconds))", .dim) }
        if state.isRunning, seconds == nil, progress == nil { text.append(" …", .dim) }
        if let reason, !isChip {
            text.append(": \(reason.words) (\(reason.code))", state == .succeeded ? .warning : .dim)
        }
        return text
    }

    /// Whether it stands beside others. One that did not do all must not be overlooked there.
    var isChip: Bool { state == .succeeded && reason?.isOfSuccess != true }

    /// The two that every line has need no word.
    private var hasPlainSign: Bool { state == .succeeded || state == .runningLocal }

    package func lines(columns: Int) -> [StyledText] { Layout.wrapped(text, columns: columns, indent: 2, hanging: 4) }

    /// `✓ Resize 0.1 s   ✓ Grayscale 0.1 s`, as many to a line as fit; what failed or waits has lines of its own.
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

/// The ten public states of a step (`semantics.md` 1). Finer phases are on the run.
package enum StepState: String, Hashable, Sendable, CaseIterable {
    case blocked, ready, awaitingUser, runningLocal, queuedRemote, runningRemote, downloading, succeeded, failed,
        cancelled

    package var isTerminal: Bool {
        switch self {
        case .succeeded, .failed, .cancelled: true
        case .blocked, .ready, .awaitingUser, .runningLocal, .queuedRemote, .runningRemote, .downloading: false
        }
    }

    package var isRunning: Bool { chip == .running }

    /// The four states of a chip in the chat (`semantics.md` 60).
    package var chip: Chip {
        switch self {
        case .blocked, .ready, .awaitingUser: .pending
        case .runningLocal, .queuedRemote, .runningRemote, .downloading: .running
        case .succeeded: .success
        case .failed, .cancelled: .failure
        }
    }
}

package enum Chip: String, Hashable, Sendable, CaseIterable {
    case pending, running, success, failure
}

/// The outcome of a workflow, or `waiting` if only a person can let it continue (`architecture.md`, "Events").
package enum Outcome: String, Hashable, Sendable, CaseIterable {
    case succeeded, failed, cancelled, waiting
}

/// The reason for a wait, for scripts and for `why`. The code is stable, and the words are for users.
package struct Reason: Hashable, Sendable, CustomStringConvertible {
    package var code: FailureCode
    package var words: String

    /// Creates a reason with a code of ours.
    package init(_ code: Code, _ words: String) { self.init(.ours(code), words) }

    /// Creates a reason with a code that was stored, or that is that of a failure.
    package init(_ code: FailureCode, _ words: String) {
        self.code = code
        self.words = words
    }

    package var description: String { words }

    /// Whether the reason belongs to a step that has succeeded, and must still be noticed.
    package var isOfSuccess: Bool { code.isOne(of: .partial, .warned, .exited) }
}

package import Vocabulary

/// What can happen to a step.
package enum StepEvent: String, Hashable, Sendable, CaseIterable {
    /// All inputs are there.
    case unblocked
    /// A person is needed first.
    case asked
    /// The person agreed (a gate), so it may be scheduled.
    case agreed
    /// The person's answer is itself the output (a producer of masks, choices, texts).
    case produced
    /// The condition of the step does not hold, or a person skipped what takes it along.
    case passedOver
    case startedLocal, submitted, accepted, outputsReady
    case succeeded, failed, cancelled
    /// Something it depends on changed or was lost.
    case invalidated
    /// What it depends on is again as it was: its outputs are fresh after all.
    case restored
    /// Taken up again by retry or re-run, or by the engine after a cut.
    case revived
}

extension StepState {
    /// The transition table (`semantics.md` 1–4, 85–87). `nil`: this cannot happen in this state.
    package func after(_ event: StepEvent) -> StepState? {
        switch (self, event) {
        case (.blocked, .unblocked): .ready
        case (.blocked, .passedOver): .succeeded
        case (.ready, .asked), (.queuedRemote, .asked), (.runningRemote, .asked), (.downloading, .asked): .awaitingUser
        case (.awaitingUser, .agreed): .ready
        case (.awaitingUser, .produced): .succeeded
        case (.ready, .startedLocal): .runningLocal
        case (.ready, .submitted): .queuedRemote
        case (.queuedRemote, .accepted): .runningRemote
        case (.queuedRemote, .outputsReady), (.runningRemote, .outputsReady): .downloading
        case (.runningLocal, .succeeded), (.downloading, .succeeded): .succeeded
        case (.ready, .failed), (.awaitingUser, .failed): .failed
        case (.runningLocal, .failed), (.queuedRemote, .failed), (.runningRemote, .failed), (.downloading, .failed):
            .failed
        case (.blocked, .cancelled), (.ready, .cancelled), (.awaitingUser, .cancelled): .cancelled
        case (.runningLocal, .cancelled), (.queuedRemote, .cancelled), (.runningRemote, .cancelled),
            (.downloading, .cancelled):
            .cancelled
        case (.ready, .invalidated), (.awaitingUser, .invalidated), (.succeeded, .invalidated): .blocked
        case (.failed, .invalidated), (.cancelled, .invalidated): .blocked
        case (.failed, .revived), (.cancelled, .revived), (.succeeded, .revived), (.runningLocal, .revived): .ready
        case (.blocked, .restored): .succeeded
        default: nil
        }
    }
}

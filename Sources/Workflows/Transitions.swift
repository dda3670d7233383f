package import Vocabulary

/// The events that move a step from state to state.
package enum StepEvent: String, Hashable, Sendable, CaseIterable {
    /// All inputs have arrived.
    case unblocked
    /// A person must answer before the step can go on.
    case asked
    /// A person agreed at a gate, so the step may be scheduled.
    case agreed
    /// A person gave the output of the step, such as a mask, a choice or a text.
    case produced
    /// The condition of the step does not hold, or a person skipped a step that skips this one too.
    case passedOver
    case startedLocal, submitted, accepted, outputsReady
    case succeeded, failed, cancelled
    /// An input of the step has changed or was lost.
    case invalidated
    /// The inputs of a stale step are again as they were, so its outputs are valid after all.
    case restored
    /// The step starts again, by a retry, by a re-run, or by the engine after a crash.
    case revived
}

extension StepState {
    /// Returns the state that follows an event, by the transition table (`semantics.md` 1–4, 85–87). `nil` if the event
    /// cannot happen in this state.
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

package import Vocabulary

extension Turn {
    /// The effects that the session must carry out, in this order.
    package enum Effect: Hashable, Sendable {
        case ask(ChatRequest, number: Int)
        case show(Event.Kind)
        /// News that is not stored, which a screen may show while it waits.
        case hint(Hint)
        case store(ChatMessage)
        case perform(ChatCall)
        /// Asks the user whether the turn goes on after so many calls. The answer is `goOn`.
        case askToGoOn(calls: Int)
        /// The workflow of an open call is followed again. Without `asks`, its questions stay in the inbox.
        case takeUp(ChatCall, asks: Bool)
        /// The conversation is shortened for the model from now on.
        case compacted(Compaction)
        /// A server has counted the tokens of a request.
        case counted(ContextMeter)
        case ended(Ending)
    }

    package enum Hint: Hashable, Sendable {
        case callStarted(name: String)
        case notice(String)
        /// The lines that wait for the running turn have changed to these.
        case queued([String])
        /// The user has stopped the turn, and these workflows go on.
        case stopped(goingOn: [WorkflowID])
        /// A request is on its way to the model.
        case waiting
        /// A piece of the model's reasoning.
        case reasoning(String)
    }

    package enum Ending: Hashable, Sendable {
        case completed
        /// The model gave its last answer after a call was declined.
        case declined(String)
        case interrupted
        /// A call waits for a person's answer, and is open in the history. The turn can be resumed.
        case waiting
        /// The planner did not understand the line, or could not do what it asks.
        case refused
        case failed(Failure)
    }
}

package import Vocabulary

extension Turn {
    package enum Hint: Hashable, Sendable {
        case callStarted(name: String)
        case notice(String)
        /// The lines that wait for the running turn have changed to these.
        case queued([String])
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

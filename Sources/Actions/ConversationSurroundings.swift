package import Conversations
package import Vocabulary

/// The front end of a conversation: it shows the turns and the workflows of their calls, and asks the person.
package protocol ConversationSurroundings: PlannerFront {
    /// Receives news that is not an event, such as "retry 2/4 in 8 s".
    func hint(_ hint: Turn.Hint) async

    /// Receives an event before it is stored and sent to all listeners. Each token of a reply comes here first, so that
    /// it is shown without delay. The method must not block.
    func heard(_ event: Event.Kind)

    /// Asks the user whether a turn goes on in which a model has made so many calls.
    func mayGoOn(after calls: Int) async -> Bool
}

extension ConversationSurroundings {
    /// Returns false, since the user cannot be asked.
    package func mayGoOn(after calls: Int) async -> Bool { false }
}

package import Conversations
package import Vocabulary

/// The front end of a conversation: it shows the turns, performs their calls and asks the person.
package protocol ConversationSurroundings: Sendable {
    /// Receives news that is not an event, such as "retry 2/4 in 8 s".
    func hint(_ hint: Turn.Hint) async

    /// Receives the lines that wait for the running turn, after each change.
    func queued(_ lines: [String]) async

    /// Receives an event before it is stored and sent to all listeners. Each token of a reply comes here first, so that
    /// it is shown without delay. The method must not block.
    func heard(_ event: Event.Kind)

    /// Performs a call of the model.
    func perform(_ call: PlannerCall, in turn: Int) async -> CallResult

    /// Follows a workflow again that a call started and that waited for a person.
    ///
    /// - Parameter asks: whether the person is asked here about its open questions.
    func takeUp(_ id: WorkflowID, asks: Bool) async -> CallResult

    /// Asks the person about the host of a model, if the person can be asked, and stores a yes.
    func confirm(_ question: HostQuestion) async
}

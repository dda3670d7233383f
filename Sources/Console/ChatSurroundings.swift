import Actions
import Conversations
import Terminal
import Vocabulary

/// The front end of a conversation in the chat.
struct ChatSurroundings: ConversationSurroundings {
    let screen: any Screen
    /// The stream of everything that the chat waits for.
    let feed: AsyncStream<Chatting.Input>.Continuation
    /// The last words of a model or the planner.
    let said: Kept<String>
    /// The tokens of the models of the turn.
    let taken: Kept<Reply.Usage?>
    let hosts: HostAsker
    let performing: Performing

    func hint(_ hint: Turn.Hint) { feed.yield(.hint(hint)) }

    func queued(_ lines: [String]) { feed.yield(.queued(lines)) }

    func heard(_ event: Event.Kind) {
        switch event {
        case .usage(_, let usage): taken.value = taken.value.map { $0 + usage } ?? usage
        case .messageDelta(let text): screen.stream(text)
        case .messageCompleted(let message) where message.role == .assistant:
            said.value = message.text
            screen.endStream()
        default: break
        }
    }

    func perform(_ call: PlannerCall, in turn: Int) async -> CallResult { await performing.perform(call, in: turn) }

    func takeUp(_ id: WorkflowID, asks: Bool) async -> CallResult { await performing.takeUp(id, asks: asks) }

    func confirm(_ question: HostQuestion) async { await hosts.ask(question) }
}

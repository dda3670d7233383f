import Actions
import Conversations
import Terminal
import Vocabulary

/// The front end of a conversation in the chat.
struct ChatSurroundings: ConversationSurroundings {
    weak var chat: Chatting?
    let screen: any Screen
    let kept: Kept<ConfirmationMode>
    /// The stream of everything that the chat waits for.
    let feed: AsyncStream<Chatting.Input>.Continuation
    /// The last words of a model or the planner.
    let said: Kept<String>
    /// The lines of the user that are shown once their turns begin.
    let held: HeldLines
    /// The line that the planner offers in the place of the refused one, or nil.
    let way: Kept<String?>
    /// The tokens of the models of the turn.
    let taken: Kept<Reply.Usage?>
    let hosts: HostAsker
    let questioner: (any Questioner)?

    func hint(_ hint: Turn.Hint) {
        guard case .stopped(let goingOn) = hint else { return _ = feed.yield(.hint(hint)) }
        // At once, since the line of the next turn is shown at once, too. The half of an answer stands above it.
        let names = goingOn.map(\.description).joined(separator: ", ")
        let words = goingOn.isEmpty ? "" : " \(names) \(goingOn.count == 1 ? "goes" : "go") on: /list"
        screen.show(StyledText("Stopped.\(words)", .dim))
    }

    func heard(_ event: Event.Kind) {
        switch event {
        case .usage(_, let usage): taken.value = taken.value.map { $0 + usage } ?? usage
        case .messageDelta(let text): screen.stream(text)
        case .messageCompleted(let message) where message.role == .user:
            if held.take(message.text) { screen.show(ChatLine.rows(message.text)) }
        case .messageCompleted(let message) where message.role == .assistant:
            said.value = message.text
            way.value = message.way
            screen.endStream()
        default: break
        }
    }

    var mode: ConfirmationMode { kept.value }

    var onAsk: OnAsk { .inline }

    func planned(_ template: Template, as id: WorkflowID) async { await chat?.begin(id, template) }

    func follows(_ id: WorkflowID) async { await chat?.follows(id) }

    func leaves(_ id: WorkflowID) async { await chat?.leaves(id) }

    func happened(_ event: Event) async { await chat?.follow(event) }

    func rested(_ id: WorkflowID, _ followed: Followed) async { await chat?.end(id, followed) }

    func confirm(_ question: HostQuestion) async { await hosts.ask(question) }

    func confirm(_ question: ProgramQuestion) async { await hosts.programs.ask(question) }

    func mayCorrect(_ id: WorkflowID) async -> Bool { await chat?.mayCorrect(id) ?? true }

    func mayKeep(_ template: Template, as name: String) async -> Bool {
        await chat?.mayKeep(template, as: name) ?? false
    }

    func mayLook() async -> Bool? { await chat?.mayLook() ?? nil }

    func looked(_ words: String) async { screen.show(StyledText("  \(words)", .dim).truncated(to: screen.columns)) }

    func mayGoOn(after calls: Int) async -> Bool { await chat?.mayGoOn(after: calls) ?? false }

    func wording(of call: String) -> String { Voice.call(call) }
}

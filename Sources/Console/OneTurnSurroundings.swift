import Actions
import Conversations
import Terminal
import Vocabulary

/// The front end of the turn of `assent ask`. Its events are shown by `OneTurn`.
struct OneTurnSurroundings: ConversationSurroundings {
    let output: Output
    let hosts: HostAsker
    let performing: Performing

    func hint(_ hint: Turn.Hint) {
        if case .notice(let words) = hint, !output.isJSON { output.screen.show(StyledText(words, .dim)) }
    }

    /// Does nothing, since a single turn has no waiting lines.
    func queued(_ lines: [String]) {}

    /// Does nothing, since the events are shown in their order with those of the workflows.
    func heard(_ event: Event.Kind) {}

    func perform(_ call: PlannerCall, in turn: Int) async -> CallResult { await performing.perform(call, in: turn) }

    func takeUp(_ id: WorkflowID, asks: Bool) async -> CallResult { await performing.takeUp(id, asks: asks) }

    func confirm(_ question: HostQuestion) async { await hosts.ask(question) }
}

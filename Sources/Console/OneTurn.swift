import Actions
import Conversations
import Terminal
import Vocabulary

/// The turn of `assent ask`. Its exit status is the gravest of the turn and its workflows.
struct OneTurn {
    let context: CommandContext
    let output: Output
    let mode: ConfirmationMode
    let onAsk: OnAsk

    /// Runs one turn to its end and shows its result.
    ///
    /// - Parameters:
    ///   - line: the line of the user, or nil to continue the turn of `left` that waits for an answer.
    ///   - left: the conversation in which the turn runs, or nil for a new one.
    func say(_ line: String?, in left: LeftSession? = nil) async throws(Failure) -> ExitStatus {
        let events = context.events()
        var left =
            if let left { left } else { LeftSession(beginning: try context.sessions.begin(line ?? "").id) }
        // The lines that wait in the conversation are left for the next chat.
        left.lines = []
        let session = left.id
        let front = OneTurnSurroundings(context: context, output: output, mode: mode, onAsk: onAsk)
        let talk = Task { await show(events, of: session) }
        let conversation = context.sessions.converse(in: left, keepsLines: false, with: front)
        if let line { try await conversation.say(line) }
        let ending = await conversation.finished()
        if ending != .interrupted { await front.settle() }
        // Earlier events are shown before this one.
        context.act.record(Event(at: context.now(), session: session, .end(exit: 0)))
        await talk.value
        output.screen.endStream()
        if ending == .waiting, !output.isJSON {
            output.screen.show(
                StyledText("Once it is answered, the turn goes on: \(Voice.call("ask --continue"))", .dim))
        }
        return .gravest(front.statuses + [ExitStatus(of: ending)])
    }

    /// Shows every event of the session in its order. People see the events of workflows through the reports.
    private func show(_ events: AsyncStream<Event>, of session: SessionID) async {
        for await event in events where event.session == session {
            if case .end = event.kind { return }
            output.line(event, texts: context.shortTexts(of: event))
            guard !output.isJSON, event.workflow == nil else { continue }
            switch event.kind {
            case .messageDelta(let text): output.screen.stream(text)
            case .messageCompleted(let message) where message.role == .assistant: output.screen.endStream()
            case .error(let failure): output.screen.show(FailureLine.lines(failure, columns: output.columns))
            default: break
            }
        }
    }
}

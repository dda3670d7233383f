import Actions
import Conversations
import Terminal
import Vocabulary

/// The part of a chat that stops what runs: a turn, or the workflow for which a turn or a verb waits.
extension Chatting {
    /// The workflows that Ctrl-C can end, and the question about one of them.
    struct Stopping {
        /// The workflows for which calls of the turn wait.
        var followed: Set<WorkflowID> = []
        /// The number of verbs that have not ended.
        var verbs = 0
        /// The verb that only shows something until the user leaves it.
        var view: Task<Void, Never>?
        /// The workflow of the open question, and the task that asks it.
        var question: (workflow: WorkflowID, task: Task<Void, Never>)?
    }

    func follows(_ id: WorkflowID) { stopping.followed.insert(id) }

    func leaves(_ id: WorkflowID) { stopping.followed.remove(id) }

    /// Handles Ctrl-C. At a workflow that runs it asks, and at its own question it ends the workflow.
    func interrupt() async {
        guard !leaveView() else { return }
        let hasDropped = dropOrders()
        if let question = stopping.question {
            question.task.cancel()
            return cancel(question.workflow)
        }
        if let running { return ask(about: running) }
        if let session, await session.isBusy {
            stopTurn(of: session)
        } else if !hasDropped {
            screen.show(StyledText("Ctrl-D or /quit leaves.", .dim))
        }
    }

    /// Leaves the verb that only shows something, and returns whether there was one.
    func leaveView() -> Bool {
        guard let view = stopping.view else { return false }
        view.cancel()
        return true
    }

    /// Stops the turn. The workflows that it has started go on.
    private func stopTurn(of session: Session) {
        let goingOn = reports.keys.sorted().filter { isUnderWay($0) }
        Task { await session.interrupt(goingOn: goingOn) }
    }

    // MARK: The question

    /// The newest workflow for which the turn waits, or else a verb, if the user can be asked about it.
    private var running: WorkflowSummary? {
        guard screen.canAsk, !context.isOwnChild else { return nil }
        let ids = stopping.followed.isEmpty && stopping.verbs > 0 ? output.followed.all : stopping.followed
        return ids.sorted().reversed().lazy.compactMap(underWay).first
    }

    private func isUnderWay(_ id: WorkflowID) -> Bool { underWay(id) != nil }

    /// Returns a workflow that has not ended. One that cannot be read counts as ended.
    private func underWay(_ id: WorkflowID) -> WorkflowSummary? {
        do throws(Failure) {
            let summary = try context.look.summary(id)
            return summary?.record.outcome == nil ? summary : nil
        } catch {
            return nil
        }
    }

    private func ask(about workflow: WorkflowSummary) {
        let id = workflow.record.id
        let question = StopQuestion(
            workflow: id, title: workflow.record.title,
            seconds: context.now().seconds(since: workflow.record.createdAt), isOfTurn: stopping.followed.contains(id))
        let dialogue = QuestionDialogue(context: context, screen: screen)
        let columns = screen.columns
        stopping.question = (id, Task { take(await dialogue.ask(question.question(columns)), about: id) })
    }

    private func take(_ answer: KeyQuestion.Answer, about id: WorkflowID) {
        guard stopping.question?.workflow == id else { return }
        stopping.question = nil
        switch answer {
        case .key(StopQuestion.ends), .none(.interrupt):
            echo(StopQuestion.ends)
            cancel(id)
        case .key(StopQuestion.stopsTurn):
            echo(StopQuestion.stopsTurn)
            if let session { stopTurn(of: session) }
        case .key, .word, .verb, .none: break
        }
    }

    private func echo(_ letter: Character) {
        screen.show(StyledText("   › ", .dim) + StyledText(String(letter)))
    }

    private func cancel(_ id: WorkflowID) {
        stopping.question = nil
        // A workflow that has ended meanwhile needs no cancel.
        guard isUnderWay(id) else { return }
        do throws(Failure) {
            try context.again.command(id, .cancel)
        } catch {
            show(error)
        }
    }

    /// Withdraws the question about a workflow that has ended or asks something itself.
    func withdrawStopQuestion(after event: Event) {
        guard let question = stopping.question, event.workflow == question.workflow else { return }
        switch event.kind {
        case .workflowFinished, .awaitOpened:
            stopping.question = nil
            question.task.cancel()
        default: break
        }
    }
}

/// The question at Ctrl-C while a workflow runs: `c ends “pytest -q” (w5, 2 min) · t stops the turn · Esc lets it run`.
struct StopQuestion {
    static let ends: Character = "c"
    static let stopsTurn: Character = "t"

    let workflow: WorkflowID
    let title: String
    /// The seconds since the workflow began.
    let seconds: Double
    /// Whether a turn waits for the workflow, and not a verb. A turn can be stopped while the workflow goes on.
    let isOfTurn: Bool

    /// Returns the question for a screen of this width. The end of a long title is cut.
    func question(_ columns: Int) -> KeyQuestion {
        let before = " ? \(Self.ends) ends “"
        let after =
            "” (\(workflow), \(Amounts.duration(seconds)))" + (isOfTurn ? " · \(Self.stopsTurn) stops the turn" : "")
            + " · Esc lets it run"
        let room = max(12, columns - 1 - (StyledText(before) + StyledText(after)).width)
        let name = StyledText(title).truncated(to: room).styled(.question)
        let line = StyledText(before, .question) + name + StyledText(after, .question)
        let letters = isOfTurn ? [Self.ends, Self.stopsTurn] : [Self.ends]
        // The user has pressed Ctrl-C and expects the question, so it takes keys at once.
        return KeyQuestion(
            Layout.wrapped(line, columns: columns, hanging: 3), .keys(letters, atOnce: Set(letters)),
            armingMilliseconds: 0)
    }
}

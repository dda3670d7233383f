import Actions
import Terminal
import Vocabulary

/// The question whether a workflow is undone before another one that corrects it: "no, 600 px".
struct CorrectionQuestion {
    let context: CommandContext
    let output: Output

    /// Asks, and undoes the workflow after a yes. There is no question if nothing of it can be undone.
    ///
    /// - Returns: whether the new order is to be done.
    func ask(about id: WorkflowID) async -> Bool {
        do throws(Failure) {
            let call = UndoCall(workflow: id, isConfirmed: true, canAsk: true)
            let proposal = try context.undoing.proposal(of: call)
            guard proposal.outline.left.isEmpty, !proposal.outline.work.isEmpty else { return true }
            switch await answer(about: proposal) {
            case .key("y"):
                guard let undo = Root.verb(calledBy: "undo \(id) --yes") else { return false }
                return try await undo.carryOut(in: context, output) == .succeeded
            case .key("k"): return true
            default:
                output.screen.show(StyledText("Nothing was changed.", .dim))
                return false
            }
        } catch {
            // What cannot be undone stays, and the new order is not done on top of it unasked.
            guard error.code != .nothingToUndo else { return true }
            output.screen.show(FailureLine.lines(error, columns: output.columns))
            return false
        }
    }

    private func answer(about proposal: UndoProposal) async -> KeyQuestion.Answer {
        let head = "Undo \(proposal.selection.name) (\(VisibleText.line(proposal.title))) first?"
        let lines = [StyledText(" ? ", [.question, .bold]) + StyledText(head, .bold)]
        let list = UndoView.lines(
            proposal.outline, workspace: context.workspace, call: "undo \(proposal.selection.workflow) --dry-run",
            columns: output.columns)
        let choices = StyledText("   [y] undo it   [k] keep both   [n] neither ", .question)
        return await QuestionDialogue(context: context, screen: output.screen).ask(
            KeyQuestion(lines + list + [choices], .keys(["y", "k", "n"])))
    }
}

extension Chatting {
    func mayCorrect(_ id: WorkflowID) async -> Bool {
        guard screen.canAsk else { return true }
        var context = context
        context.session = sessionID
        return await CorrectionQuestion(context: context, output: output).ask(about: id)
    }

    func mayKeep(_ template: Template, as name: String) async -> Bool {
        guard !context.isOwnChild else { return false }
        return await KeepQuestion(template: template, name: name).ask(in: context, screen)
    }

    func mayLook() async -> Bool? {
        guard !context.isOwnChild else { return nil }
        return await YesNoQuestion.look.ask(in: context, screen)
    }

    func mayGoOn(after calls: Int) async -> Bool {
        guard !context.isOwnChild else { return false }
        let question = YesNoQuestion(
            head: "The model has made \(calls) calls in this turn. Go on?", yes: "go on", no: "stop here")
        return await question.ask(in: context, screen) ?? false
    }
}

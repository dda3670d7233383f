import Terminal
import Vocabulary

/// The question whether a workflow of a model is kept as a template.
struct KeepQuestion {
    let template: Template
    let name: String

    /// Asks the user. If the user cannot be asked, the workflow is not kept.
    func ask(in context: CommandContext, _ screen: any Screen) async -> Bool {
        guard screen.canAsk else { return false }
        let steps = template.nodes.count == 1 ? "1 step" : "\(template.nodes.count) steps"
        let head = "Keep this workflow (\(steps)) as the template “\(name)”?"
        let lines = Layout.wrapped(
            StyledText(" ? ", [.question, .bold]) + StyledText(head, .bold)
                + StyledText(" It can be run again by \(Voice.call("run \(name)")).", .dim), columns: screen.columns,
            hanging: 3)
        let choices = StyledText("   [y] keep it   [n] only run it now ", .question)
        let question = KeyQuestion(lines + [choices], .keys(["y", "n"]))
        return await QuestionDialogue(context: context, screen: screen).ask(question) == .key("y")
    }
}

/// The question whether a model may look at files of the folder until its turn ends. The mode always-ask asks it.
enum LookQuestion {
    /// Asks the user.
    ///
    /// - Returns: nil if the user cannot be asked, or has not answered.
    static func ask(in context: CommandContext, _ screen: any Screen) async -> Bool? {
        guard screen.canAsk else { return nil }
        let head = "May the model look at files of this folder until its turn ends?"
        let lines =
            Layout.wrapped(
                StyledText(" ? ", [.question, .bold]) + StyledText(head, .bold)
                    + StyledText(" Files that may hold keys are never shown to it.", .dim), columns: screen.columns,
                hanging: 3)
            + [StyledText("   [y] yes   [n] no ", .question)]
        switch await QuestionDialogue(context: context, screen: screen).ask(KeyQuestion(lines, .keys(["y", "n"]))) {
        case .key("y"): return true
        case .key("n"): return false
        default: return nil
        }
    }
}

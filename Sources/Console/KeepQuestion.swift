import Terminal
import Vocabulary

/// The question whether a workflow of a model is kept as a template.
struct KeepQuestion {
    let template: Template
    let name: String

    /// Asks the user. If the user cannot be asked, the workflow is not kept.
    func ask(in context: CommandContext, _ screen: any Screen) async -> Bool {
        let steps = template.nodes.count == 1 ? "1 step" : "\(template.nodes.count) steps"
        let question = YesNoQuestion(
            head: "Keep this workflow (\(steps)) as the template “\(name)”?",
            hint: " It can be run again by \(Voice.call("run \(name)")).", yes: "keep it", no: "only run it now")
        return await question.ask(in: context, screen) ?? false
    }
}

extension YesNoQuestion {
    /// The question whether a model may look at files of the folder until its turn ends. The mode always-ask asks it.
    static let look = YesNoQuestion(
        head: "May the model look at files of this folder until its turn ends?",
        hint: " Files that may hold keys are never shown to it.", yes: "yes", no: "no")
}

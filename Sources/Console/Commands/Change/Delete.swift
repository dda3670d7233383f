import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Delete: Verb {
    package static let description = CommandDescription(
        "delete", in: .change,
        summary:
            "Take a workflow that has ended away for good, with its history. Its files stay; contents go with 'cache free'.",
        examples: ["delete w3", .init("delete w3 --yes", note: "for scripts")],
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that has ended.")
    var workflow: WorkflowID?

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let workflow = try Chosen.only(workflow, "can be deleted", in: context, output) { $0.record.outcome != nil }
        let record = try Find.workflow(workflow, in: context).record
        let isAside = try context.diagnostics.quarantined().contains { $0.workflow == workflow }
        guard record.outcome != nil || isAside else {
            throw Failure(
                .workflowUnderWay, "\(workflow) is under way.", remedy: "Cancel it first: 'assent cancel \(workflow)'")
        }
        if !yes {
            guard output.canAsk else {
                throw Failure(
                    .badUsage, "This cannot be undone, and there is no terminal to ask at.", remedy: "Add --yes.")
            }
            let lines = [
                StyledText(
                    "Delete \(workflow) (\(record.title)) with all of its history? This cannot be undone.", .question)
            ]
            guard
                await QuestionDialogue(context: context, screen: output.screen).ask(
                    KeyQuestion(lines, .words([workflow.description])))
                    == .word(workflow.description)
            else {
                output.screen.show(StyledText("Nothing was deleted.", .dim))
                return .denied
            }
        }
        try context.again.delete(workflow)
        output.show(
            [StyledText("\(workflow) is deleted.")],
            json: [["workflow": .string(workflow.description), "deleted": true]])
        return .succeeded
    }
}

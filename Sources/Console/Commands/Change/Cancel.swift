import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Cancel: Verb {
    package static let description = CommandDescription(
        "cancel", in: .change,
        summary: "Cancel a workflow that is under way.",
        examples: ["cancel w3"],
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that is under way.")
    var workflow: WorkflowID?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let workflow = try Chosen.only(workflow, "can be cancelled", in: context, output) { $0.record.outcome == nil }
        let summary = try Find.workflow(workflow, in: context)
        if let outcome = summary.record.outcome {
            throw Find.isOver(workflow, outcome)
        }
        try context.again.command(workflow, .cancel)
        output.show(
            [StyledText("\(workflow) is being cancelled\(Answers.goingOn(context))")],
            json: [["workflow": .string(workflow.description), "cancelling": true]])
        return .succeeded
    }
}

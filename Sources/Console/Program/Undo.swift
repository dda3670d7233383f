package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Undo: Verb {
    package static let configuration = CommandConfiguration(
        abstract: "Take back what a command has changed, exactly as it was.",
        discussion: """
            What was there before is kept for each command that was rehearsed. If anything of it has been changed since, nothing is touched.

            Examples:

              assent undo w3
              assent undo w3 2
            """)

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "One step, by its number or node id. Needed where several have changed something.")
    var step: String?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in house: House, _ output: Output) async throws(Failure) -> ExitStatus {
        let (_, _, number) = try Find.steps(of: workflow, step, in: house)
        let undone = try house.again.undo(workflow, number, "person")
        output.show(
            [StyledText("Taken back: \(Amounts.count(undone.changes, "change")) of step \(undone.step) of \(workflow).")],
            json: [
                [
                    "workflow": .string(workflow.description), "step": .int(undone.step), "changes": .int(undone.changes), "undone": true,
                ]
            ])
        return .succeeded
    }
}

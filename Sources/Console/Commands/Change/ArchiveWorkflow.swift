import Actions
package import ArgumentParser
package import Vocabulary

package struct ArchiveWorkflow: Verb {
    package static let description = CommandDescription(
        "archive", in: .change,
        summary: "Take a workflow out of the list. Nothing of it is lost.",
        examples: ["archive w3"],
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that has ended.")
    var workflow: WorkflowID?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let workflow = try Chosen.only(workflow, "can be archived", in: context, output) {
            $0.record.outcome != nil && $0.record.archivedAt == nil
        }
        return try Shelf.put(workflow, true, in: context, output)
    }
}

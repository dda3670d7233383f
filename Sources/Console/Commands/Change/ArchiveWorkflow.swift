import Actions
package import ArgumentParser
package import Vocabulary

package struct ArchiveWorkflow: Verb {
    package static let description = CommandDescription(
        "archive", in: .change,
        summary: "Take workflows out of the list. Nothing of them is lost.",
        examples: ["archive w3", "archive w1 w2 w5-w9"],
        takes: [[.workflow]])

    @Argument(help: "The workflows, such as w3, or w5-w9 of this folder. Without one, the only one that has ended.")
    var workflows: [WorkflowSpan] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let several = SeveralRuns(context: context, output: output)
        guard workflows.isEmpty else { return try several.archive(workflows, true) }
        let workflow = try Chosen.only(nil, "can be archived", in: context, output) {
            $0.record.outcome != nil && $0.record.archivedAt == nil
        }
        try Shelf.put(try Find.workflow(workflow, in: context).record, true, in: context, output)
        return .succeeded
    }
}

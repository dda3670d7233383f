import Actions
package import ArgumentParser
package import Vocabulary

package struct Unarchive: Verb {
    package static let description = CommandDescription(
        "unarchive", in: .change,
        summary: "Bring archived workflows back into the list.",
        examples: ["unarchive w3", "unarchive w5-w9"],
        takes: [[.workflow]])

    @Argument(help: "The workflows, such as w3, or w5-w9 of this folder. Without one, the only one that is archived.")
    var workflows: [WorkflowSpan] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let several = SeveralRuns(context: context, output: output)
        guard workflows.isEmpty else { return try several.archive(workflows, false) }
        let workflow = try Chosen.only(nil, "is archived", in: context, output) { $0.record.archivedAt != nil }
        try Shelf.put(try Find.workflow(workflow, in: context).record, false, in: context, output)
        return .succeeded
    }
}

import Actions
package import ArgumentParser
package import Vocabulary

package struct Unarchive: Verb {
    package static let description = CommandDescription(
        "unarchive", in: .change,
        summary: "Bring an archived workflow back into the list.",
        examples: ["unarchive w3"],
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that is archived.")
    var workflow: WorkflowID?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let workflow = try Chosen.only(workflow, "is archived", in: context, output) { $0.record.archivedAt != nil }
        return try Shelf.put(workflow, false, in: context, output)
    }
}

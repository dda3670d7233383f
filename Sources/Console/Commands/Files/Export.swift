import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Export: Verb {
    package static let description = CommandDescription(
        "export", in: .files,
        summary: "Write a workflow with its history and its assets into one file.",
        examples: ["export w3 stylize.zip"],
        takes: [[.workflow], [.file]])

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "The file to make; it must not be there yet.")
    var file: String

    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// The role of the command. It starts work, since an existing file is refused.
    package var role: CommandRole { .starts }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        _ = try Find.workflow(workflow, in: context)
        let bundled = try await context.bundles.write(workflow, to: file)
        output.show(UsageView.lines(bundled, isExport: true, columns: output.columns), json: [bundled.json])
        return .succeeded
    }
}

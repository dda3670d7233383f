import Actions
package import ArgumentParser
package import Vocabulary

package struct Redo: Verb {
    package static let description = CommandDescription(
        "redo", in: .files,
        summary: "Undo an undo.",
        details: """
            Without a workflow it is the newest undo of this folder.
            """,
        examples: ["redo w9", "redo"],
        takes: [[.workflow]], values: ["--in": [.file]])

    @Argument(help: "The workflow of the undo, such as w9.")
    var workflow: String?

    @OptionGroup var options: UndoOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { options.dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        try await UndoRun(isRedo: true, options: options, context: context, output: output).run(workflow, nil)
    }
}

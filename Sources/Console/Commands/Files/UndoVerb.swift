import Actions
package import ArgumentParser
package import Vocabulary

/// The flags of `undo` and `redo`.
package struct UndoOptions: ParsableArguments, Sendable {
    @Flag(help: "Only say what would be done.")
    package var dryRun = false

    @Flag(help: "Undo the rest if something was changed since.")
    package var partial = false

    @Flag(help: "Do not ask.")
    package var yes = false

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Where the folder of the workflow is now, if it was renamed or moved.", valueName: "folder"))
    package var folder: String?

    package init() {}
}

package struct UndoVerb: Verb {
    package static let description = CommandDescription(
        "undo", in: .files,
        summary: "Undo what a workflow changed in your files.",
        details: """
            What a step creates, overwrites, deletes or moves is recorded for 30 days. Undo reverses it, the newest change first. If \
            a file was changed since, nothing is undone and the file is named; --partial undoes the rest. Without a workflow \
            it is the newest change of this folder.
            """,
        examples: ["undo w3", "undo", "undo w3 --dry-run", "undo w3 2 --partial"],
        takes: [[.workflow], [.step]], values: ["--in": [.file]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2.")
    var workflow: String?

    @Argument(help: "One step, by its number or node id. Without it, all steps.")
    var step: String?

    @OptionGroup var options: UndoOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { options.dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        try await UndoRun(isRedo: false, options: options, context: context, output: output).run(workflow, step)
    }
}

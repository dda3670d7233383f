import Actions
package import ArgumentParser
package import Vocabulary

/// The command `poll w3 off` under its name of version 0.1.0. The next version removes it.
package struct Pause: Verb {
    package static let description = CommandDescription(
        "pause", in: .change,
        summary: "As 'poll WORKFLOW off'.",
        examples: ["pause w3"],
        isListed: false,
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        try StatusChecks.turn(false, of: workflow, in: context, output)
    }
}

import Actions
package import ArgumentParser
package import Vocabulary

package struct Poll: Verb {
    package static let description = CommandDescription(
        "poll", in: .change,
        summary: "Stop or take up status checks only; the remote job goes on.",
        details: """
            Nothing of a job is stopped by this. Before its provider throws the result away, checks go on by themselves.
            """,
        examples: ["poll w3 off", "poll w3 on"],
        takes: [[.workflow], [.choice(of: Switch.self)]])

    package enum Switch: String, ExpressibleByArgument, CaseIterable, Sendable { case off, on }

    @Argument(help: "The workflow, such as w3.")
    var workflow: WorkflowID

    @Argument(help: "off or on.")
    var state: Switch

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        try StatusChecks.turn(state == .on, of: workflow, in: context, output)
    }
}

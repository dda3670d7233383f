import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Retry: Verb {
    package static let description = CommandDescription(
        "retry", in: .change,
        summary: "Take failed and cancelled steps up again, with the same inputs.",
        details: """
            In a shell it runs what can go on, shows it, and ends with the exit code of the workflow, as 'run' does.
            """,
        examples: ["retry w3 2", "retry w3 --dry-run", "retry w3 --without p30.jpg"],
        takes: [[.workflow], [.step]],
        values: ["--from": [.free], "--lines": [.free], "--without": [.free]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that has failed or was cancelled.")
    var workflow: WorkflowWord?

    @Argument(help: "One step, by its number or node id. Without it, all that failed.")
    var step: String?

    @Option(parsing: .singleValue, help: "A file to leave out, with all steps that are only for it. Can be repeated.")
    var without: [String] = []

    @Flag(help: "Only say which runs that would make.")
    var dryRun = false

    @OptionGroup var detached: DetachOption
    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.only(workflow, step, "can be retried", in: context, output) {
            [.failed, .cancelled].contains($0.record.outcome)
        }.parts
        let (_, steps, number) = try Find.steps(of: workflow, step, in: context)
        let candidates = steps.filter { number == nil || $0.id.index == number }
        guard candidates.contains(where: \.canBeRetried) else {
            throw Failure(
                .badUsage, "Nothing there has failed or was cancelled.", remedy: "See 'assent show \(workflow)'.")
        }
        let verb = Command.Verb.retry(step: number)
        if dryRun {
            let words = ["retry", "\(workflow)"] + [step].compactMap(\.self) + ["--dry-run"]
            return try Forecasts.show(verb, words, span, of: workflow, in: context, output)
        }
        try span.refuse("--dry-run")
        let goingOn = GoingOn(context: context, output: output, isDetached: detached.detach, asks: true)
        return try await goingOn.run(workflow) { () throws(Failure) in
            let retry: RetryOutcome
            if without.isEmpty {
                retry = try context.again.retry(of: workflow, step: number)
            } else {
                try context.again.leaveOut(without, of: workflow, by: "person")
                retry = RetryOutcome(verbs: [.retry(step: nil)])
            }
            for verb in retry.verbs { try context.again.command(workflow, verb, "person", nil) }
            let left =
                retry.unchanged.isEmpty
                ? [] : [StyledText("\(retry.unchangedInWords) as before and left as failed.", .warning)]
            output.show(
                left + [StyledText("\(workflow) is taken up again: \(Voice.call("show \(workflow)"))")],
                json: [["workflow": .string(workflow.description), "retried": true]])
            return .succeeded
        }
    }
}

import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct RunAgain: Verb {
    package static let description = CommandDescription(
        "rerun", in: .change,
        summary: "Run steps again with what their producers give now, and with other parameters.",
        details: """
            In a shell it runs what can go on, shows it, and ends with the exit code of the workflow, as 'run' does.
            """,
        examples: [
            "rerun w3 2 --below",
            .init("rerun w3", note: "everything that is stale"),
            "rerun w3 2 --set width=400 --below",
            "rerun w3 2 --dry-run",
        ],
        takes: [[.workflow], [.step]],
        values: ["--set": [.setting], "--preset": [.preset], "--from": [.free], "--lines": [.free]])

    @Argument(help: "The workflow, such as w3. Without it, the only one that is stale.")
    var workflow: WorkflowWord?

    @Argument(help: "One step, by its number or node id. Without it, everything that is stale.")
    var step: String?

    @Option(name: .customLong("set"), help: "Set a parameter of that step: NAME=VALUE. May be repeated.")
    var sets: [String] = []

    @Option(
        name: .customLong("preset"),
        help: "Set the parameters of that step from a preset. May be repeated; --set counts more.")
    var presets: [String] = []

    @Flag(help: "Also what comes after it, as far as content changes.")
    var below = false

    @Flag(help: "Only say which runs that would make.")
    var dryRun = false

    @OptionGroup var detached: DetachOption
    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.only(
            workflow, step, "can be run again, since it is stale,", in: context, output
        ) { $0.isStale }
        .parts
        let (_, steps, number) = try Find.steps(of: workflow, step, in: context)
        guard let number else {
            guard sets.isEmpty, presets.isEmpty, !below else {
                throw Failure(
                    .badUsage, "--set, --preset and --below belong to one step.",
                    remedy: "Write 'assent rerun \(workflow) STEP --set NAME=VALUE'.")
            }
            guard steps.contains(where: { $0.staleSince != nil }) else {
                if try context.again.asked(workflow).contains(where: \.verb.isRerun) {
                    throw Failure(
                        .badUsage, "A rerun of \(workflow) was asked for already and has not begun.",
                        remedy: context.look.hasEngine()
                            ? "See 'assent show \(workflow)'." : "To go on now: 'assent work --until-idle'")
                }
                throw Failure(
                    .badUsage, "Nothing of \(workflow) is stale.",
                    remedy: "Name a step: 'assent rerun \(workflow) STEP'"
                )
            }
            return try await perform(.rerun(Rerun()), of: workflow, in: context, output)
        }
        let record = steps[number - 1]
        guard !record.state.isRunning else {
            throw Failure(
                .stepRunning, "Step \(number) (\(record.node)) runs.", remedy: "Wait for it, or cancel it first.")
        }
        let job = record.state == .awaitingUser ? try context.look.runs(record.id).last { $0.ending == nil }?.job : nil
        guard job.map({ $0.phase == .submitIntent }) ?? true else {
            throw Failure(
                .stepRunning, "Step \(number) (\(record.node)) has a job, or may have one.",
                remedy: "Answer what waits in the inbox, or cancel it first.")
        }
        guard record.reason?.code != .removed else {
            throw Failure(
                .badUsage, "Step \(number) (\(record.node)) is not in the graph any more.",
                remedy: "See 'assent show \(workflow)'.")
        }
        let (edits, problems) = try Edits.read(sets, presets, of: record, in: context)
        guard problems.isEmpty else {
            Problems.refuse(problems, of: presets.isEmpty ? "--set" : "--preset", in: context, output)
            return .badUsage
        }
        return try await perform(
            .rerun(Rerun(step: number, edits: edits, isBelow: below)), of: workflow, in: context, output)
    }

    private func perform(_ verb: Command.Verb, of workflow: WorkflowID, in context: CommandContext, _ output: Output)
        async throws(Failure) -> ExitStatus
    {
        if dryRun {
            let words =
                ["rerun", "\(workflow)"] + [step].compactMap(\.self) + presets.flatMap { ["--preset", $0] }
                + sets.flatMap { ["--set", $0] }
                + (below ? ["--below"] : [])
            return try Forecasts.show(verb, words + ["--dry-run"], span, of: workflow, in: context, output)
        }
        try span.refuse("--dry-run")
        let goingOn = GoingOn(context: context, output: output, isDetached: detached.detach, asks: true)
        return try await goingOn.run(workflow) { () throws(Failure) in
            try context.again.command(workflow, verb, "person", nil)
            output.show(
                [StyledText("\(workflow) runs again: \(Voice.call("show \(workflow)"))")],
                json: [["workflow": .string(workflow.description), "rerun": true]])
            return .succeeded
        }
    }
}

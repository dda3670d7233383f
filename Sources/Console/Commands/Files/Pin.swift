import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Pin: Verb {
    package static let description = CommandDescription(
        "pin", in: .files,
        summary: "Keep an asset offline; or have an input take what an earlier run of its producer gave.",
        examples: [
            .init(
                "pin w3.2.1.image",
                note: "keep an asset: WORKFLOW.STEP.ATTEMPT.PORT, or the first digits of its SHA-256"),
            .init("pin", note: "what is kept"),
            .init("pin w3 3.image=1", note: "the input takes run 1 of its producer"),
            "pin w3 blur.image --run 1 --dry-run",
            "pin w3 blur.image --latest",
        ],
        takes: [[.result, .workflow], [.free]],
        values: ["--run": [.free], "--from": [.free], "--lines": [.free]])

    @Argument(help: "An asset; or a workflow, such as w3, before one of its inputs.")
    var subject: String?

    @Argument(help: "STEP.PORT of the input, with =RUN or =latest or without.")
    var place: String?

    @Option(name: .customLong("run"), help: "The run of its producer whose output it is to take.")
    var attempt: Int?

    @Flag(help: "Take the newest again.")
    var latest = false

    @Flag(help: "Only say which runs would be stale.")
    var dryRun = false

    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { subject == nil || place != nil && dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard let place else {
            guard attempt == nil, !latest, !dryRun else {
                throw Failure(.badUsage, "Which input is meant?", remedy: "Write 'assent pin w3 STEP.PORT=RUN'.")
            }
            guard let subject else {
                try KeptAssets.show(in: context, output)
                return .succeeded
            }
            guard let asset = AssetName(argument: subject) else {
                throw Failure(
                    .badUsage, "\"\(subject)\" is no asset.",
                    remedy: "Write WORKFLOW.STEP.ATTEMPT.PORT, or the first digits of its SHA-256.")
            }
            try KeptAssets.keep(asset, in: context, output)
            return .succeeded
        }
        guard let workflow = subject.flatMap(WorkflowID.init(parsing:)) else {
            throw Failure(
                .badUsage, "\"\(subject ?? "")\" is no workflow.", remedy: "Write 'assent pin w3 STEP.PORT=RUN'.")
        }
        let pin = try InputPin(place, attempt: attempt, latest: latest, of: workflow, in: context)
        if dryRun {
            let words =
                ["pin", "\(workflow)", place] + (attempt.map { ["--run", "\($0)"] } ?? [])
                + (latest ? ["--latest"] : [])
            return try Forecasts.show(pin.verb, words + ["--dry-run"], span, of: workflow, in: context, output)
        }
        try span.refuse("--dry-run")
        try context.again.command(workflow, pin.verb, "person", nil)
        output.show([StyledText("\(pin.words)\(Answers.goingOn(context))")], json: [pin.json(of: workflow)])
        return .succeeded
    }
}

import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct ShowTimeline: Verb {
    package static let description = CommandDescription(
        "timeline", in: .workflow,
        summary: "Show what the time of a workflow, or of a step, was spent on.",
        examples: [
            "timeline w3", "timeline w3 2 --json", "timeline w3 --from 26", "timeline w3 2 --segments --lines 40",
        ],
        takes: [[.workflow], [.step]],
        values: ["--from": [.free], "--lines": [.free]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2. Without it, the newest.")
    var workflow: WorkflowWord?

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @Flag(name: .customLong("segments"), help: "Only the segments of the whole, or of the step.")
    var onlySegments = false

    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.newest(workflow, step, in: context, output).parts
        let (_, steps, number) = try Find.steps(of: workflow, step, in: context)
        let lines = try context.again.timelines(workflow)
        let chosen = lines.filter { number == nil || $0.step == number }
        let segments = chosen.first?.segments.count ?? 0
        output.show(
            TimelineView.lines(
                chosen, steps: steps, call: "timeline \(workflow)" + (number.map { " \($0)" } ?? ""),
                bars: onlySegments ? nil : span.range(of: chosen.count),
                segments: onlySegments ? span.range(of: segments) ?? 1..<segments + 1 : nil, columns: output.columns),
            json: chosen.flatMap { line in line.segments.map { $0.json(of: workflow, step: line.step) } })
        return .succeeded
    }
}

import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Why: Verb {
    package static let description = CommandDescription(
        "why", in: .workflow,
        summary:
            "Say why a workflow or a step is as it is: from its state back to the first cause, then what happened.",
        examples: ["why w3 2", "why w3 --steps", "why w3 --from 101 --lines 50"],
        takes: [[.workflow], [.step]],
        values: ["--from": [.free], "--lines": [.free]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2. Without it, the newest.")
    var workflow: WorkflowWord?

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @Flag(name: .customLong("steps"), help: "Only the steps that are in the way.")
    var onlySteps = false

    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.newest(workflow, step, in: context, output).parts
        // The commands are read first: the rows that are read after them are at least as new.
        let asked = try context.again.asked(workflow)
        let (summary, steps, number) = try Find.steps(of: workflow, step, in: context)
        let events = try context.look.history(workflow, number)
        let causes = try context.again.causes(workflow, number)
        let rows = context.look.rows(of: workflow)
        let names = StepNames(try context.look.template(workflow), context.shownTools(), steps)
        let worded = steps.map(names.worded)
        output.show(
            onlySteps
                ? WhyView.pressing(worded, rows, span.range(of: steps.count), columns: output.columns)
                : WhyView.lines(
                    summary, steps: worded, events: events.map(names.worded), causes: causes.map(names.worded),
                    step: number,
                    asked: asked, rows: rows,
                    span: span.range(of: events.count),
                    now: context.now(), columns: output.columns),
            json: causes.map { $0.json(at: context.now()) } + events.map(\.json))
        return .succeeded
    }
}

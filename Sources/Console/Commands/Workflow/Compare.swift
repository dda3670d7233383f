import Actions
package import ArgumentParser
import JSON
package import Vocabulary

package struct Compare: Verb {
    package static let description = CommandDescription(
        "compare", in: .workflow,
        summary: "Compare two runs of a step: parameters, inputs, outputs, times, tool.",
        examples: ["compare w3 2", "compare w3 2 1 4"],
        takes: [[.workflow], [.step], [.free]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2. Without it, the newest.")
    var workflow: WorkflowWord?

    @Argument(help: "A step, by its number or node id. Without it, the only one that has several runs.")
    var step: String?

    @Argument(help: "The numbers of two runs. Without them, the last two.")
    var runs: [Int] = []

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.newest(workflow, step, in: context, output).parts
        let record =
            if let step { try Find.step(step, of: workflow, in: context) } else {
                try repeated(of: workflow, in: context)
            }
        let all = try context.look.runs(record.id)
        guard runs.isEmpty || runs.count == 2 else {
            throw Failure(
                .badUsage, "Two runs are compared, not \(runs.count).",
                remedy: "Write 'assent compare \(workflow) \(record.id.index) 1 2'.")
        }
        let wanted = runs.isEmpty ? all.suffix(2).map(\.id.attempt) : runs
        guard wanted.count == 2 else {
            throw Failure(
                .badUsage,
                "Step \(record.id.index) (\(record.node)) has \(Amounts.count(all.count, "run")): nothing to compare.")
        }
        var pair: [RunRecord] = []
        for attempt in wanted {
            guard let run = all.first(where: { $0.id.attempt == attempt }) else {
                let known = all.map { String($0.id.attempt) }.joined(separator: ", ")
                throw Failure(
                    .badUsage, "Step \(record.id.index) (\(record.node)) has no run \(attempt).",
                    remedy: "It has \(known).")
            }
            pair.append(run)
        }
        let made = try context.look.assets(record.id)
        let comparison = RunComparison(
            pair[0], pair[1], assets: made, tool: context.shownTools()[record.kind], now: context.now())
        output.show(CompareView.lines(comparison, of: record, columns: output.columns), json: [comparison.json])
        return .succeeded
    }

    /// Returns the only step that has several runs.
    private func repeated(of workflow: WorkflowID, in context: CommandContext) throws(Failure) -> StepRecord {
        _ = try Find.workflow(workflow, in: context)
        let steps = try context.look.steps(workflow).filter { $0.attempt > 1 }
        guard let step = steps.first, steps.count == 1 else {
            let words =
                steps.isEmpty
                ? "No step of \(workflow) has several runs." : "\(steps.count) steps of \(workflow) have several runs."
            throw Failure(.badUsage, words, remedy: "Name a step: 'assent compare \(workflow) STEP'")
        }
        return step
    }
}

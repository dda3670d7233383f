import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Show: Verb {
    package static let description = CommandDescription(
        "show", in: .workflow,
        summary: "Show a workflow, or one of its steps.",
        examples: ["show w3 2", "show w3 --revision 1", "show w3 --from 11 --lines 20", "show w3 2 --part runs"],
        takes: [[.workflow], [.step]],
        values: ["--revision": [.free], "--from": [.free], "--lines": [.free], "--part": [.free]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2. Without it, the newest.")
    var workflow: WorkflowWord?

    @Argument(help: "A step, by its number or node id.")
    var step: String?

    @Option(help: "Its graph as it was in this revision.")
    var revision: Int?

    @Option(help: "One list of a step: params, inputs, outputs, pins or runs.")
    var part: StepCard.Part?

    @Flag(help: "With the hashes of contents.")
    var all = false

    @OptionGroup var span: Span

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package func validate() throws {
        guard part == nil || step != nil else {
            throw ValidationError("--part belongs to a step, such as show w3 2 --part runs.")
        }
        guard part != nil || step == nil || !span.isGiven else {
            throw ValidationError("Of a step --from and --lines need --part.")
        }
    }

    package var role: CommandRole { .looks }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let (workflow, step) = try Chosen.newest(workflow, step, in: context, output).parts
        // The commands are read first: the rows that are read after them are at least as new.
        let asked = try context.again.asked(workflow)
        let summary = context.look.counted(try Find.workflow(workflow, in: context))
        if let revision { return try Revisions.show(revision, of: summary, span, in: context, output) }
        let pins = try context.again.pins(workflow)
        // A loader stands before what it feeds, as in the list of the file.
        let rows = context.look.rows(of: workflow)
        let steps = try context.look.steps(workflow).sorted { rows.place($0.id.index) < rows.place($1.id.index) }
        let assets = try context.look.assets(workflow)
        guard let step else {
            let awaits = context.people.entries(
                of: try context.look.awaits(false).filter { $0.step.workflow == workflow })
            let jobs = try RunningJobs.underWay(summary, steps, in: context)
            let isStanding = !(try context.standing([summary]).isEmpty)
            output.show(
                WorkflowCard.lines(
                    summary, steps: steps, assets: assets, awaits: awaits,
                    template: try? context.look.template(workflow),
                    catalogue: context.shownTools(), pins: pins, isStanding: isStanding,
                    isHomeless: !context.look.hasFolder(summary), jobs: jobs,
                    asked: asked, undo: context.undoing.standings(workflow), undone: context.undoing.target(workflow),
                    hasHashes: all, span: span.range(of: steps.count), now: context.now(), columns: output.columns),
                json: [
                    .of([
                        "workflow": summary.json(
                            isBlocking: awaits.contains { !$0.blocked.isEmpty }, isCarried: !isStanding, asked: asked),
                        "asked": asked.isEmpty ? nil : .array(asked.map { .string($0.verb.words) }),
                        "steps": .array(steps.map { $0.json.adding("job", jobs[$0.id.index]?.job.json) }),
                        "assets": .array(
                            assets.map {
                                $0.json.adding("thumbnail", context.keep.thumbnail($0.hash).map { .string($0) })
                            }),
                        "awaits": .array(awaits.map { $0.json(at: context.now()) }), "pins": .array(pins.map(\.json)),
                    ])
                ])
            return .succeeded
        }
        let record = try Find.step(step, in: steps, of: workflow, context)
        let runs = try context.look.runs(record.id)
        let own = assets.filter { $0.run.step == record.id }
        let ownPins = pins.filter { $0.step == record.id.index }
        let changedAt = try context.look.history(workflow, record.id.index).last?.at
        let log = runs.last.flatMap { LogTail.text(of: $0, in: context.again) }
        let remote = RemoteStatus(runs.last, changedAt: changedAt, pausedAt: summary.record.pollingPausedAt)
        let template = try? context.look.template(workflow)
        let names = StepNames(template, context.shownTools(), steps)
        output.show(
            StepCard.lines(
                names.worded(record), runs: runs, assets: own, tool: context.shownTools()[record.kind],
                template: template, pins: ownPins, remote: remote, log: log,
                undone: record.kind == Template.undoKind ? context.undoing.target(workflow) : nil,
                waits: names.waits(of: record), part: part, hasHashes: all, span: span.range(of: .max - 1),
                now: context.now(),
                columns: output.columns),
            json: [
                .of([
                    "step": record.json, "runs": .array(runs.map(\.json)), "assets": .array(own.map(\.json)),
                    "pins": .array(ownPins.map(\.json)), "changed": changedAt.map { .string($0.description) },
                    "log": log.map { .array(LogTail.lines($0).suffix(StepCard.logLimit).map { .string($0) }) },
                ])
            ])
        return .succeeded
    }
}

extension StepCard.Part: ExpressibleByArgument {}

/// The earlier graphs of a workflow.
private enum Revisions {
    static func show(
        _ number: Int, of summary: WorkflowSummary, _ span: Span, in context: CommandContext, _ output: Output
    )
        throws(Failure)
        -> ExitStatus
    {
        let all = try context.again.revisions(summary.record.id)
        guard let revision = all.first(where: { $0.number == number }) else {
            throw Failure(
                .badUsage, "\(summary.record.id) has no revision \(number).",
                remedy: "It has 1 to \(summary.record.graphRevision).")
        }
        var template = revision.template
        let catalogue = context.shownTools()
        for index in template.nodes.indices {
            template.nodes[index].params = template.nodes[index].params.withoutSecrets(
                catalogue[template.nodes[index].kind])
        }
        let until = revision.replacedAt.map { "until \(Amounts.time($0))" } ?? "the one that holds"
        let range = span.range(of: .max - 1)
        let head = range == nil ? [StyledText("  revision \(number) of \(summary.record.id), \(until)", .dim)] : []
        output.show(
            head
                + PlanTable.lines(
                    template, catalogue: catalogue, workspace: summary.record.workspace, isStored: true,
                    call: "show \(summary.record.id) --revision \(number)", span: range, columns: output.columns),
            json: [
                .of([
                    "workflow": .string(summary.record.id.description), "revision": .int(number),
                    "replaced": revision.replacedAt.map { .string($0.description) },
                    "template": context.again.written(template),
                ])
            ])
        return .succeeded
    }
}

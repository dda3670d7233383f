import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

package struct Open: Verb {
    package static let description = CommandDescription(
        "open", in: .inbox,
        summary: "Open an entry of the inbox: see it in its place and, at a terminal, do it.",
        details: """
            At a terminal the editor for it opens, and it is yours while it is open; leaving it (Esc, Ctrl-C, an empty line) puts it \
            back, with what you have made so far. A link, and an entry opened without a terminal, is only shown.
            """,
        examples: ["open 3", "open assent://workflow/w3/node/2"],
        takes: [[.entry]])

    @Argument(help: "The number in the inbox, or a link. Without it, the only entry there is.")
    var what: String?

    @OptionGroup var detached: DetachOption
    @OptionGroup package var shared: SharedOptions

    package init() {}

    /// False, since no editor opens with `--json`, so that the call only looks.
    package var endsWithEndLine: Bool { false }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let what = if let what { what } else { String(try ChosenEntry.only(nil, "can be opened", in: context, output)) }
        guard let number = Int64(what) else { return try follow(try FocusLink(parsing: what), in: context, output) }
        let record = try Find.await(number, in: context)
        let opens = record.status != .done && output.canAsk
        // The editor shows its own question.
        try show(record.step, record, hasEditor: opens, in: context, output)
        guard opens else { return .succeeded }
        let goingOn = GoingOn(context: context, output: output, isDetached: detached.detach)
        return try await goingOn.run(record.step.workflow) { () async throws(Failure) in
            guard record.isAboutCall else {
                return await OpenEditor(context: context, screen: output.screen, record: record).run()
            }
            return await Asker(context: context, screen: output.screen, saysMore: true).ask(record).status
        }
    }

    /// Shows the step of a link. Changes nothing (`semantics.md` 46).
    private func follow(_ link: FocusLink, in context: CommandContext, _ output: Output) throws(Failure) -> ExitStatus {
        _ = try Find.workflow(link.workflow, in: context)
        let step = try Find.step(link.node, in: try context.look.steps(link.workflow), of: link.workflow, context)
        var record: AwaitRecord?
        if let number = link.await {
            record = try Find.await(number, in: context)
            guard record?.step == step.id else {
                throw Failure(
                    .badLink, "\(number) of the inbox does not belong to step \(step.id.index) of \(link.workflow).",
                    remedy: "'assent link \(number)' prints its link.")
            }
        }
        try show(step.id, record, hasEditor: false, in: context, output)
        return .succeeded
    }

    private func show(
        _ id: StepID, _ record: AwaitRecord?, hasEditor: Bool, in context: CommandContext, _ output: Output
    )
        throws(Failure)
    {
        let pending = try context.again.asked(id.workflow)
        let summary = try Find.workflow(id.workflow, in: context)
        guard let step = try context.look.steps(id.workflow).first(where: { $0.id == id }) else {
            throw Failure(
                .badUsage, "\(id.workflow) has no step \(id.index).", remedy: "See 'assent show \(id.workflow)'.")
        }
        let entry = record.flatMap { context.people.entries(of: [$0]).first }
        let asked = try record.flatMap { record throws(Failure) in
            record.isAboutCall || hasEditor ? nil : try context.people.asked(record)
        }
        let (runs, assets) = (try context.look.runs(id), try context.look.assets(id))
        let card = StepCard.lines(
            step, runs: runs, assets: assets, tool: context.shownTools()[step.kind],
            template: try? context.look.template(id.workflow),
            now: context.now(), columns: output.columns)
        output.show(
            FocusView.lines(
                summary, pending: pending, card: card, entry: entry, asked: asked,
                now: context.now(), columns: output.columns),
            json: [
                entry?.json(at: context.now())
                    ?? .of(["workflow": summary.json(isBlocking: nil, asked: pending), "step": step.json])
            ])
    }
}

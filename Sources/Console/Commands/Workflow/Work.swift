import Actions
package import ArgumentParser
import JSON
import Notices
import Terminal
package import Vocabulary

package struct Work: Verb {
    package static let description = CommandDescription(
        "work", in: .workflow,
        summary: "Carry workflows out without a chat.",
        details: """
            With --until-idle the exit code is that of the gravest outcome: 1 if a workflow failed or was cancelled, 4 if a call was \
            denied or rejected, 3 if one waits for you in the inbox, also from before.
            """,
        examples: ["work --until-idle", .init("work --unit", note: "a systemd user unit that does this")],
        notInChat: "The chat carries workflows out already.")

    @Flag(help: "Leave when nothing is left that can move by itself.")
    var untilIdle = false

    @Flag(help: "Print a systemd user unit that does this, and leave.")
    var unit = false

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .starts }

    /// The unit is one text, which has no line `end`.
    package var endsWithEndLine: Bool { !unit }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        guard !unit else {
            let text = context.act.serviceUnit()
            output.show(
                text.split(separator: "\n", omittingEmptySubsequences: false).map { StyledText(String($0)) },
                json: [.string(text)])
            return .succeeded
        }
        if untilIdle { await context.act.waitForEndingEngines() }
        let events = context.events()
        let (rests, bell) = AsyncStream.makeStream(of: Failure?.self)
        try context.act.startEngine({ bell.yield(nil) }, { bell.yield($0) })
        let stop = untilIdle ? ", and so does having nothing to do" : ""
        output.show([StyledText("Carrying workflows out; Ctrl-C stops\(stop).", .dim)], json: [])
        let notifier = context.notifier(isJSON: output.isJSON)
        let ticking = Task { await notifier.run() }
        defer { ticking.cancel() }
        let printing = Task {
            var worked = WorkedWorkflows()
            for await event in events {
                notifier.hear(event)
                if case .end = event.kind, event.session == nil { break }
                show(event, in: context, output)
                worked.record(event)
                // An error of one workflow quarantines it, and the others continue.
                if case .error = event.kind, event.workflow == nil { break }
            }
            return worked
        }
        for await failure in rests {
            if let failure {
                // In JSON, the failure is a line in its order.
                _ = await printing.value
                if !output.isJSON { output.fail(failure, at: context.now()) }
                return ExitStatus(of: failure)
            }
            guard untilIdle else { continue }
            // The last round of the engine may fail, too.
            await context.act.stopEngine()
            bell.finish()
        }
        // Earlier events are shown before this one.
        context.act.record(Event(at: context.now(), .end(exit: 0)))
        let worked = await printing.value
        notifier.tick(isLast: true)
        let others = untilIdle ? try context.look.notesOnOtherHolders() : []
        for note in others { output.show(Layout.wrapped(StyledText(note, .dim), columns: output.columns), json: []) }
        return try worked.status(context.look)
    }

    /// Prints an event as JSON. For people, it shows the workflows that end, the failures, and the questions that need
    /// them.
    private func show(_ event: Event, in context: CommandContext, _ output: Output) {
        guard !output.isJSON else { return output.line(event) }
        switch event.kind {
        // The error that ends the engine is shown after its end.
        case .error(let failure): if event.workflow != nil { output.fail(failure, at: event.at) }
        case .awaitOpened(let record):
            if let entry = context.people.entries(of: [record]).first {
                output.screen.show(InboxView.news(entry, columns: output.columns))
            }
        case .workflowFinished(let outcome, _):
            guard outcome != .waiting, let id = event.workflow else { break }
            do throws(Failure) {
                output.screen.show(try EndNews(id, outcome, in: context).lines(columns: output.columns))
            } catch { output.fail(error, at: event.at) }
        default: break
        }
    }
}

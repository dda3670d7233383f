import Actions
package import ArgumentParser
import JSON
import Progress
import Terminal
package import Vocabulary

extension Limits {
    /// The time between two looks at the store while a workflow is followed.
    fileprivate static let followMilliseconds = 250
}

package struct Follow: Verb {
    package static let description = CommandDescription(
        "follow", in: .workflow,
        summary: "Show the steps and the output of a workflow until it ends or needs you.",
        details: """
            Esc or Ctrl-C leaves the view, and the workflow goes on. In a shell the exit code is that of the \
            workflow: 3 if it waits for you.
            """,
        examples: ["follow w3", .init("follow", note: "the newest")],
        takes: [[.workflow]])

    @Argument(help: "The workflow, such as w3. Without it, the newest.")
    var workflow: WorkflowWord?

    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { .looks }

    /// Whether it stays until the user leaves it, and changes nothing.
    package var isView: Bool { true }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        let running = try underWay(in: context, output)
        let id = if let running { running } else { try Chosen.newest(workflow, in: context, output).workflow }
        let summary = context.look.counted(try Find.workflow(id, in: context))
        guard let template = try context.look.template(id) else { return .succeeded }
        // Its rows and its end may be shown here already, by the command that follows it.
        let isShown = output.followed.contains(id)
        if !isShown {
            output.followed.insert(id)
            output.live.join(id)
        }
        defer {
            if !isShown { output.followed.remove(id) }
            output.live.set(.log, [])
        }
        output.show(head(summary, output), json: [])
        let report = Report(
            context: context, output: output, workflow: id, template: template, printsEvents: false,
            begun: context.look.progress(of: id))
        var (watched, isTold) = (WatchedWorkflow(id, context.look), false)
        while !Task.isCancelled, let news = try watched.news() {
            output.show([], json: news.events.map(\.json))
            if !isShown, !isTold { await show(news.changes, report, context, output) }
            if let outcome = news.asks ? .waiting : news.outcome {
                return end(try watched.end(outcome), of: id, isShown ? nil : report, context, output)
            }
            if news.isStanding != isTold {
                isTold = news.isStanding
                // Nothing runs without a process that carries it.
                if isTold { output.live.leave(id, at: context.now()) } else { output.live.join(id) }
                if isTold { output.tell(notice: Voice.worded(StandingWorkflows.words([id]))) }
                watched.forgetRunning()
                continue
            }
            try showLog(of: watched, output)
            do { try await Task.sleep(for: .milliseconds(Limits.followMilliseconds)) } catch { break }
        }
        if !isShown { output.live.leave(id, at: context.now()) }
        output.screen.show(StyledText("\(id) goes on · \(Voice.call("follow \(id)"))", .dim))
        return .succeeded
    }

    /// Returns the newest workflow of this folder that is under way, if the user named none, and shows its name.
    private func underWay(in context: CommandContext, _ output: Output) throws(Failure) -> WorkflowID? {
        guard workflow == nil else { return nil }
        let query = WorkflowQuery(filter: .active, workspace: context.workspace, limit: 1)
        guard let summary = try context.again.list(query).shown.first else { return nil }
        Chosen.say(summary, "the newest under way", output)
        return summary.record.id
    }

    private func show(
        _ changes: [Event], _ report: Report, _ context: CommandContext, _ output: Output
    ) async {
        for change in changes {
            await report.happened(change)
            output.live.take(change, of: context.look)
        }
    }

    /// Shows the end, and returns the exit code of the workflow.
    private func end(
        _ followed: Followed, of id: WorkflowID, _ report: Report?, _ context: CommandContext, _ output: Output
    ) -> ExitStatus {
        let kind = Event.Kind.workflowFinished(followed.outcome, outputs: followed.outputs)
        output.line(Event(at: context.now(), workflow: id, kind))
        report?.end(followed)
        return followed.statusWithCommands
    }

    private func head(_ summary: WorkflowSummary, _ output: Output) -> [StyledText] {
        let id = summary.record.id
        let words = "\(summary.doneCount) of \(Amounts.count(summary.stepCount, "step")) done"
        let leave = summary.record.outcome == nil ? (output.isChat ? " · Esc leaves" : " · Ctrl-C leaves") : ""
        return Layout.wrapped(
            StyledText("\(id) ", .bold) + StyledText("\"\(VisibleText.line(summary.record.title))\"")
                + StyledText(" · \(words)\(leave)", .dim), columns: output.columns, hanging: 2)
    }

    /// Shows the last lines of the step that runs. The live region shows those of a trial run by itself.
    private func showLog(of watched: WatchedWorkflow, _ output: Output) throws(Failure) {
        guard !output.isJSON, let step = output.live.current(of: watched.id), !step.isRehearsed else {
            return output.live.set(.log, [])
        }
        let lines = try watched.log(of: step.number, lines: Limits.liveOutputLines)
        output.live.set(
            .log, LiveRegion.rows(ofOutput: lines.joined(separator: "\n"), columns: output.columns))
    }
}

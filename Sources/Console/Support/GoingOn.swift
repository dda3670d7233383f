import Actions
import ArgumentParser
import JSON
import Terminal
import Vocabulary

/// The option of verbs of a shell that run what can go on before they end.
package struct DetachOption: ParsableArguments, Sendable {
    @Flag(help: "Store it, let another process carry it out, and leave.")
    var detach = false

    package init() {}
}

/// The work that a command or an answer makes possible. In a shell it is run and shown before the verb ends, as `run`
/// does. A chat has an engine, which goes on by itself.
struct GoingOn {
    let context: CommandContext
    let output: Output
    /// Whether another process does the work.
    let isDetached: Bool
    /// Whether the questions about calls that come up are asked at this terminal.
    var asks = false

    /// Stores a command or an answer for a workflow, and goes on with the workflow until it rests.
    ///
    /// - Parameter store: stores and shows it. Its status is the exit code of the verb if nothing was stored.
    /// - Returns: the gravest of the status of `store` and that of the workflow.
    func run(_ workflow: WorkflowID, storing store: () async throws(Failure) -> ExitStatus) async throws(Failure)
        -> ExitStatus
    {
        guard !output.isChat else { return try await store() }
        let events = context.events()
        let stored = try await store()
        guard stored == .succeeded || stored == .denied else { return stored }
        // No engine carries out what was stored before the workflow is released.
        if let aside = try context.diagnostics.quarantined().first(where: { $0.workflow == workflow }) {
            let remedy = aside.cause == .imported ? "release \(workflow)" : "doctor --repair"
            tell("\(workflow) is set aside: \(aside.reason) It goes on after \(Voice.call(remedy)).", .warning)
            return stored
        }
        guard !isDetached else {
            if try context.look.holder(of: workflow) == nil { try context.act.detachWorker() }
            tell("\(workflow) goes on by itself: \(Voice.call("show \(workflow)"))")
            return stored
        }
        return .gravest([stored, try await follow(workflow, events)])
    }

    private func follow(_ workflow: WorkflowID, _ events: AsyncStream<Event>) async throws(Failure) -> ExitStatus {
        guard let template = try context.look.template(workflow) else { return .succeeded }
        try context.act.startEngine()
        output.followed.insert(workflow)
        let report = Report(context: context, output: output, workflow: workflow, template: template)
        let asker = asks && output.canAsk ? Asker(context: context, screen: output.screen) : nil
        var followed = await WorkflowFollower(
            workflow: workflow, records: context.look, asker: asker, isContinued: true, listener: report
        )
        .untilItRests(events)
        // What was made from inputs that have changed meanwhile is no result of this call.
        let stale = try context.look.steps(workflow).filter { $0.staleSince != nil }.map(\.id.index)
        followed.outputs.removeAll { stale.contains($0.step) }
        report.end(followed)
        guard followed.isRemote else {
            if followed.outcome == .succeeded, !stale.isEmpty {
                tell("↻ What comes after this is stale: \(Voice.call("rerun \(workflow)"))", .warning)
            }
            return followed.status
        }
        let isOpen = try context.look.awaits(false).contains { $0.step.workflow == workflow }
        let holder = try await context.act.handOn(workflow)
        let place = holder.map { "in process \($0.process)" } ?? "by itself"
        tell("\(workflow) waits for a provider and goes on \(place): \(Voice.call("show \(workflow)"))")
        return isOpen ? .waiting : .succeeded
    }

    private func tell(_ words: String, _ style: Style = .dim) {
        output.show(Layout.wrapped(StyledText(words, style), columns: output.columns, hanging: 2), json: [])
    }
}

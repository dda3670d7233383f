package import Conversations
import JSON
import Sandbox
import Services
import Storage
import Tools
package import Vocabulary
import Workflows

/// The stored workflows, inbox entries, contents and conversations. No method changes anything.
package struct WorkflowRecords: Sendable {
    let shared: OpenWorkspace

    /// Creates a reader of what one process has open.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    // MARK: Workflows

    /// Returns whether the folder of a workflow is still there under its name.
    package func hasFolder(_ summary: WorkflowSummary) -> Bool { Folders.real(summary.record.workspace) != nil }

    /// Returns a workflow with the states of its steps, or nil if there is no such workflow.
    package func summary(_ id: WorkflowID) throws(Failure) -> WorkflowSummary? {
        try shared.archive.get().summaries(only: id).first
    }

    /// Returns how a workflow has ended, or nil while it is under way and if that cannot be read.
    package func outcome(of id: WorkflowID) -> Outcome? {
        do throws(Failure) { return try summary(id)?.record.outcome } catch { return nil }
    }

    /// Returns the steps of a workflow by number.
    package func steps(_ id: WorkflowID) throws(Failure) -> [StepRecord] { try shared.archive.get().steps(of: id) }

    /// Returns the template of a workflow, or nil if its row cannot be read.
    package func template(_ id: WorkflowID) throws(Failure) -> Template? {
        let archive = try shared.archive.get()
        guard let revision = try archive.graphRevision(of: id) else { return nil }
        if let kept = shared.templates.template(of: id, revision: revision) { return kept }
        // Another process may store a new graph at any time.
        return try archive.graph(of: id).flatMap { shared.templates.read($0.template, of: id, revision: $0.number) }
    }

    /// Returns the numbers that users see for the steps of a workflow. Without a graph that can be read, each step has
    /// its own.
    package func rows(of id: WorkflowID) -> StepRows { StepRows(try? template(id)) }

    /// Returns the runs of a step, the newest last.
    package func runs(_ step: StepID) throws(Failure) -> [RunRecord] { try shared.archive.get().runs(of: step) }

    /// Returns whether a command was stored for a workflow that no engine has carried out, but could.
    package func hasWaitingCommand(_ id: WorkflowID) -> Bool { hasCommand(id, isHeld: false) }

    /// Returns whether a no was stored for a workflow whose reason is still being typed.
    package func hasHeldCommand(_ id: WorkflowID) -> Bool { hasCommand(id, isHeld: true) }

    private func hasCommand(_ id: WorkflowID, isHeld: Bool) -> Bool {
        let now = OpenWorkspace.now()
        return ((try? shared.archive.get().waitingCommands(of: id)) ?? []).contains { $0.isHeld(at: now) == isHeld }
    }

    /// Returns the other process that lives and holds a workflow, or nil if there is none.
    package func holder(of id: WorkflowID) throws(Failure) -> WorkflowHolder? { try shared.holder(of: id) }

    /// Returns the outputs of all runs of a workflow.
    package func assets(_ id: WorkflowID) throws(Failure) -> [Asset] { try shared.archive.get().assets(of: id) }

    /// Returns the outputs of all runs of a step.
    package func assets(_ id: StepID) throws(Failure) -> [Asset] { try shared.archive.get().assets(of: id) }

    /// Returns the commands of a workflow that are over and ended with another exit code than 0, by step.
    package func commandExits(of id: WorkflowID) throws(Failure) -> [CommandExit] {
        var found: [CommandExit] = []
        for step in try steps(id) where step.state == .succeeded {
            guard let code = step.reason?.exitCode else { continue }
            let params = try runs(step.id).last?.params ?? JSON.Object()
            found.append(
                CommandExit(
                    workflow: id, step: step.id.index, code: code, isListed: ExitRule(params).letsFollow(code)))
        }
        return found
    }

    /// Returns the stored events of a workflow, or of one step.
    package func history(_ id: WorkflowID, _ step: Int? = nil) throws(Failure) -> [EventRecord] {
        try shared.archive.get().events(of: id, step: step)
    }

    /// Returns the stored events of a workflow after the one with a number, and the number of the last. Without a
    /// number it returns no events, and the number of the newest.
    package func events(of id: WorkflowID, after last: Int64?) throws(Failure) -> (events: [EventRecord], last: Int64) {
        try shared.archive.get().events(of: id, after: last)
    }

    /// Returns a number that changes when any process stores something. The call is cheap.
    package func version() throws(Failure) -> Int { try shared.archive.get().dataVersion() }

    /// Returns the last output of a step's command that this process rehearses, or nil if it rehearses none.
    package func saidSoFar(_ step: StepID) -> String? {
        (try? shared.toolbox.get())?.live.tail(of: step).map(shared.keyRing.filter.cut)
    }

    // MARK: Processes

    /// Returns every event of this process from now on, in order.
    package func events() -> AsyncStream<Event> { shared.hub.listen() }

    /// Returns whether a living process runs workflows now.
    package func hasEngine() -> Bool { EngineLock.anyEngineLives(in: shared.folders.engines) }

    /// Returns the processes of `assent work`, the oldest first.
    package func workers() throws(Failure) -> [BackgroundWorker] {
        try BackgroundWorkers.all(of: shared)
    }

    // MARK: Conversations

    /// Returns the newest conversations, ordered by their last message.
    package func sessions(_ limit: Int) throws(Failure) -> [SessionRecord] {
        try shared.archive.get().sessions(limit: limit)
    }

    /// Returns the messages of a conversation, the oldest first.
    package func messages(_ id: SessionID) throws(Failure) -> [MessageRecord] {
        try shared.archive.get().messages(of: id)
    }

    // MARK: Tools

    /// Returns the tools that plans and files may name.
    package func catalogue() -> Catalogue { shared.knownTools }

    /// Returns the tools of stored workflows: those of plans, and of steps that only Assent makes.
    package func engineCatalogue() -> Catalogue { shared.knownEngineTools }

    /// Returns example orders for the built-in planner, in the language of the settings.
    package func sayings() -> Sayings {
        let code = Languages.code(setting: shared.settings.language, environment: Folders.environment)
        return Sayings(shared.knownTools, Languages.language(code))
    }
}

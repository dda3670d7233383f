import Engine
import JSON
import Services
import Storage
import Synchronization
package import Vocabulary
import Workflows

extension Limits {
    /// How long a process waits for the end of its requests before it leaves its workflows to another one, in seconds.
    fileprivate static let handOverSeconds = 10.0

    /// The time between two looks whether these requests are over, in milliseconds.
    fileprivate static let handOverMilliseconds = 20

    /// How long a worker waits at its start for the locks of engines that have ended, in milliseconds.
    fileprivate static let endingEngineMilliseconds = 5000
}

/// The use cases that start workflows and drive them.
package struct WorkflowActions: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases over what one process has open.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    // MARK: Starting

    /// Throws `badSettings` if a file of the config folder is wrong that decides about questions, hosts or the model.
    package func requireSettings() throws(Failure) { try shared.configuration.require() }

    /// Checks a template, stores a workflow of it, and has the engine of this process run it.
    ///
    /// - Parameters:
    ///   - folder: the real path of the workflow's folder. Without it, the workflow has the folder of this process.
    ///   - tools: the tools that the template may name. Without it, those that plans and files may name.
    /// - Throws: `badTemplate` with the first problem.
    package func start(
        _ template: Template, _ start: WorkflowStart, in folder: String? = nil, with tools: Catalogue? = nil
    ) throws(Failure) -> WorkflowID {
        try requireSettings()
        let tools = if let tools { tools } else { try shared.catalogue.get() }
        let outcome = CheckOutcome(of: template, against: tools)
        guard let checked = outcome.checked else {
            throw Failure(.badTemplate, outcome.problems.first?.description ?? "The workflow has problems.")
        }
        return try store(checked, start, in: folder)
    }

    /// Stores a workflow of a checked template, and has the engine of this process run it.
    ///
    /// - Parameter folder: the real path of the workflow's folder. Without it, the workflow has the folder of this
    ///   process.
    package func start(
        _ checked: CheckedTemplate, _ start: WorkflowStart, in folder: String? = nil
    ) throws(Failure) -> WorkflowID {
        try requireSettings()
        return try store(checked, start, in: folder)
    }

    private func store(
        _ checked: CheckedTemplate, _ start: WorkflowStart, in folder: String?
    ) throws(Failure) -> WorkflowID {
        let workspace = folder ?? shared.workspace
        guard workspace != "/" else {
            throw Failure(
                .badUsage, "/ is no folder to work in.", remedy: "Change to the folder that holds your files.")
        }
        // Secrets are sealed last, since the checks above need the values themselves.
        let listed = shared.ordered(checked, in: workspace)
        let template = try shared.sealedValues.sealed(listed.numbered(in: checked.tools), checked.tools)
        let now = OpenWorkspace.now()
        let record = WorkflowRecord(
            id: WorkflowID(0), title: template.name, session: start.session, workspace: workspace, mode: start.mode,
            onAsk: start.onAsk, createdAt: now, updatedAt: now)
        let owner = try shared.carrier() ?? "nobody"
        let (made, steps) = try shared.archive.get().create(
            record, turn: start.turn, template: template.text, owner: owner
        ) {
            Flow.initialSteps(
                of: checked.graph, numbering: listed.numbering(in: checked.tools), workflow: $0, at: now)
        }
        shared.hub.post(
            Event(
                at: now, session: start.session, turn: start.turn, workflow: made.id,
                .workflowCreated(title: template.name, steps: steps.count)))
        shared.engine?.carry(made.id)
        return made.id
    }

    // MARK: The engine

    /// Starts the engine of this process, unless it works.
    ///
    /// - Parameters:
    ///   - onIdle: called whenever no workflow can move without a person.
    ///   - onFailure: called when the store has failed. The engine has ended then, and may be started again.
    package func startEngine(
        _ onIdle: @escaping @Sendable () -> Void = {}, _ onFailure: @escaping @Sendable (Failure) -> Void = { _ in }
    ) throws(Failure) {
        try shared.startEngine(onIdle, onFailure)
    }

    /// Waits until the workflows of engines that have ended can be taken over, at most
    /// `Limits.endingEngineMilliseconds`. Until then they look like workflows of others.
    package func waitForEndingEngines() async {
        let start = ContinuousClock.now
        while EngineLock.anyOutlivesItsProcess(in: shared.folders.engines),
            start.duration(to: .now) < .milliseconds(Limits.endingEngineMilliseconds)
        {
            try? await Task.sleep(for: .milliseconds(50))
        }
    }

    /// Stops the engine of this process, and waits until it has ended.
    package func stopEngine() async { await shared.stopEngine() }

    /// Starts `assent work --until-idle` in a process of its own.
    package func detachWorker() throws(Failure) { try Detached.work() }

    /// Leaves a workflow of this process to another one. The engine of this process ends, and a worker takes over.
    ///
    /// - Returns: the process that holds the workflow already, or nil if a worker was started.
    package func handOn(_ id: WorkflowID) async throws(Failure) -> WorkflowHolder? {
        if let holder = try shared.holder(of: id) { return holder }
        if let life = shared.living.withLock({ $0.life }) {
            await shared.stopEngine()
            life.end()
            // Until its last request is over, no other process may take over.
            let start = ContinuousClock.now
            while !life.isGivenUp, start.duration(to: .now) < .seconds(Limits.handOverSeconds) {
                try? await Task.sleep(for: .milliseconds(Limits.handOverMilliseconds))
            }
        }
        try detachWorker()
        return nil
    }

    /// Returns a systemd user unit that runs `assent work` of this program.
    package func serviceUnit() -> String { ServiceUnit.ofThisProgram() }

    /// Gives a workflow more slots than the others, since the user looks at it (`semantics.md` 13).
    package func focus(_ id: WorkflowID) { shared.engine?.focus(id) }

    /// Stores an event, and then posts it to all listeners of this process.
    package func record(_ event: Event) { shared.record(event) }
}

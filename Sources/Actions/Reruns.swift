import Files
import Services
import Storage
import Tools
import Undo
package import Vocabulary
import Workflows

/// The use cases on stored workflows: repeat them, look back, change their graphs, and archive them.
package struct Reruns: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases over what one process has open.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    // MARK: Lists

    /// Returns the workflows that a query wants, and the number of all that match it.
    package func list(_ query: WorkflowQuery) throws(Failure) -> (shown: [WorkflowSummary], count: Int) {
        try shared.archive.get().listed(query)
    }

    /// Archives a workflow, or returns it from the archive.
    ///
    /// - Returns: false if nothing has changed.
    package func archive(_ id: WorkflowID, _ isArchived: Bool, _ by: String) throws(Failure) -> Bool {
        try shared.archive.get().archive(id, isArchived, by: by, at: OpenWorkspace.now())
    }

    /// Deletes a workflow with all of its records.
    package func delete(_ id: WorkflowID) throws(Failure) {
        try shared.archive.get().delete(id)
        try shared.toolbox.get().undo.removeAll(of: id)
    }

    // MARK: Commands

    /// Queues a command for the process that runs a workflow. Secret parameters are sealed first.
    ///
    /// - Parameter terms: the terms of the model's session that gives the command. `nil` for a person.
    package func command(
        _ id: WorkflowID, _ verb: Command.Verb, _ by: String = "person", _ terms: AskTerms? = nil
    ) throws(Failure) {
        try shared.archive.get().put(
            try SealedParameters(shared).sealed(verb, of: id), for: id, by: by, under: terms, at: OpenWorkspace.now())
        shared.lookAgain()
    }

    /// Returns the queued commands of a workflow, the oldest first.
    package func asked(_ id: WorkflowID) throws(Failure) -> [Command] {
        try shared.archive.get().waitingCommands(of: id)
    }

    /// Returns the queued commands of all workflows, the oldest first.
    package func allAsked() throws(Failure) -> [WorkflowID: [Command]] {
        Dictionary(grouping: try shared.archive.get().waitingCommands(), by: \.workflow)
    }

    /// Returns what a command would run. It changes nothing.
    package func forecast(_ id: WorkflowID, _ verb: Command.Verb) throws(Failure) -> Forecast {
        let flow = try flow(of: id)
        guard let input = try input(of: verb, in: flow) else { return Forecast() }
        let (catalogue, store) = (try shared.engineCatalogue.get(), try shared.toolbox.get().store)
        return flow.forecast(of: input, now: OpenWorkspace.now()) { flow, index in
            flow.faultOfRepeating(
                index, with: catalogue[flow.graph.nodes[index].kind], holds: { (try? store.path(of: $0)) != nil })
        }
    }

    private func input(of verb: Command.Verb, in flow: Flow) throws(Failure) -> Flow.Input? {
        switch verb {
        case .cancel: return .cancel
        case .retry(let step): return .retry(step.map { $0 - 1 })
        case .rerun(let rerun): return .rerun(rerun)
        case .poll(let isOn): return .poll(isOn)
        case .pin(let step, let port, let attempt):
            guard let attempt else { return .pin(step - 1, port: port, nil) }
            guard flow.graph.nodes.indices.contains(step - 1),
                let producer = flow.graph.nodes[step - 1].inputs.first(where: { $0.port == port })?.producer
            else { return nil }
            let run = RunID(StepID(flow.workflow, producer.node + 1), attempt: attempt)
            let asset = try shared.archive.get().history(of: flow.workflow).assets.first {
                $0.run == run && $0.port == producer.port
            }
            return asset.map { .pin(step - 1, port: port, $0) }
        case .answer, .complete, .revise: return nil
        }
    }

    /// Returns a stored workflow as its engine would see it.
    ///
    /// - Throws: `workflowDamaged` if its rows contradict each other, and `workflowUnreadable` if it does not fit the
    ///   installed tools.
    func flow(of id: WorkflowID) throws(Failure) -> Flow {
        let archive = try shared.archive.get()
        guard let loaded = try archive.load(id) else { throw Failure(.unknownWorkflow, "There is no workflow \(id).") }
        if let fault = try archive.fault(of: id) {
            throw Failure(.workflowDamaged, fault, remedy: "Run 'assent doctor'.")
        }
        let template = TemplateReader.read(Array(loaded.template.utf8), isStored: true).0
        let graph = try template.flatMap { template throws(Failure) in
            Workflows.check(template, against: try shared.engineCatalogue.get(), isStored: true).0
        }
        guard let graph, graph.nodes.count == loaded.steps.count else {
            throw Failure(
                .workflowUnreadable, "\(id) no longer fits the tools that are installed.",
                remedy: "See 'assent tools' and 'assent doctor'.")
        }
        var flow = Flow(
            graph: graph, record: loaded.record, steps: loaded.steps, outputs: loaded.assets,
            openAwaits: loaded.openAwaits, running: loaded.running, pinned: loaded.pinned)
        flow.remember(try archive.history(of: id))
        return flow
    }
}

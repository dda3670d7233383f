import Glibc
import JSON
import Services
import Storage
import Tools
import Vocabulary
import Workflows

extension Limits {
    /// The most events of a workflow that its timeline reads.
    fileprivate static let timelineEvents = 200_000
}

/// The re-runs, revisions and archive of workflows, on the real store.
extension OpenWorkspace {
    package var again: Reruns {
        Reruns(
            list: { [archive] query throws(Failure) in try archive.get().listed(query) },
            asked: { [archive] id throws(Failure) in try archive.get().waitingCommands(of: id) },
            command: { [self] id, verb, by, terms throws(Failure) in
                try archive.get().put(try sealed(verb, of: id), for: id, by: by, under: terms, at: Self.now())
                lookAgain()
            },
            forecast: { [self] id, verb throws(Failure) in try forecast(of: verb, for: id) },
            causes: { [self] id, step throws(Failure) in Causes.chain(of: step, in: try circumstances(of: id)) },
            timelines: { [self] id throws(Failure) in try timelines(of: id) },
            pins: { [archive] id throws(Failure) in try archive.get().pins(of: id) },
            revisions: { [archive] id throws(Failure) in
                try archive.get().revisions(of: id).compactMap { revision in
                    TemplateReader.read(Array(revision.template.utf8)).0.map {
                        WorkflowRevision(
                            number: revision.number, template: $0, editable: $0.withoutRemoved,
                            replacedAt: revision.replacedAt)
                    }
                }
            },
            planned: { [archive] id throws(Failure) in
                guard let planned = try archive.get().plannedGraph(of: id) else { return nil }
                return TemplateReader.read(Array(planned.template.utf8)).0.map {
                    WorkflowRevision(number: planned.number, template: $0, editable: $0.withoutRemoved)
                }
            },
            revise: { [self] id, template, base, by, isDryRun throws(Failure) in
                try revise(id, template, from: base, by: by, isDryRun: isDryRun)
            },
            duplicate: { [self] id throws(Failure) in try duplicate(id) },
            archive: { [archive] id, isArchived, by throws(Failure) in
                try archive.get().archive(id, isArchived, by: by, at: Self.now())
            },
            delete: { [archive, toolbox] id throws(Failure) in
                try archive.get().delete(id)
                try toolbox.get().forgetChanges(of: id)
            },
            log: { [folders, keyRing] run in
                EndOfFile.text(
                    of: "\(folders.runs)/\(run.id.step.workflow)/\(run.id.step.index)-\(run.id.attempt).stderr"
                ).map {
                    keyRing.filter.cut($0).lastLines(bytes: Limits.jobLogTailBytes)
                }
            },
            written: { $0.json },
            edit: { [folders, workers] text async throws(Failure) in
                try await PersonsEditor.edit(text, in: folders.cache, on: workers)
            })
    }

    // MARK: As it would be

    private func flow(of id: WorkflowID) throws(Failure) -> (Flow, CarriedWorkflow) {
        let archive = try archive.get()
        guard let loaded = try archive.load(id) else { throw Failure(.unknownWorkflow, "There is no workflow \(id).") }
        // A flow is made of rows that agree with each other.
        if let fault = try archive.fault(of: id) {
            throw Failure(.workflowDamaged, fault, remedy: "Run 'assent doctor'.")
        }
        let template = TemplateReader.read(Array(loaded.template.utf8)).0
        let graph = try template.flatMap { template throws(Failure) in
            Workflows.check(template, against: try engineCatalogue.get()).0
        }
        guard let graph, graph.nodes.count == loaded.steps.count else {
            throw Failure(
                .workflowUnreadable, "\(id) no longer fits the tools that are installed.",
                remedy: "See 'assent tools' and 'assent doctor'.")
        }
        var flow = Flow(
            graph: graph, record: loaded.record, steps: loaded.steps, outputs: loaded.assets,
            openAwaits: loaded.openAwaits,
            running: loaded.running, pinned: loaded.pinned)
        flow.remember(try archive.history(of: id))
        return (flow, loaded)
    }

    private func forecast(of verb: Command.Verb, for id: WorkflowID) throws(Failure) -> Forecast {
        let (flow, _) = try flow(of: id)
        guard let input = try input(of: verb, in: flow) else { return Forecast() }
        let (catalogue, store) = (try engineCatalogue.get(), try toolbox.get().store)
        return flow.forecast(of: input, now: Self.now()) { flow, index in
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
            let asset = try archive.get().history(of: flow.workflow).assets.first {
                $0.run == run && $0.port == producer.port
            }
            return asset.map { .pin(step - 1, port: port, $0) }
        case .answer, .complete, .revise: return nil
        }
    }

    // MARK: As it came about

    private func circumstances(of id: WorkflowID) throws(Failure) -> Circumstances {
        let archive = try archive.get()
        guard let record = try archive.summaries(only: id).first?.record else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id).")
        }
        let steps = try archive.steps(of: id)
        var running: [RunRecord] = []
        for step in steps where step.state.isRunning || step.state == .awaitingUser {
            running += try archive.runs(of: step.id).suffix(1)
        }
        let template = try archive.template(of: id).flatMap { TemplateReader.read(Array($0.utf8)).0 }
        // An engine that is alive takes over what a dead one had.
        let hasEngine = EngineLock.anyEngineLives(in: folders.engines)
        return Circumstances(
            record: record, steps: steps, template: template, awaits: try archive.newestAwaits(of: id),
            running: running,
            busy: try archive.busySteps(), hasEngine: hasEngine, now: Self.now(), changes: try archive.changes(of: id),
            events: { step in (try? archive.events(of: id, step: step)) ?? [] })
    }

    private func timelines(of id: WorkflowID) throws(Failure) -> [Timeline] {
        let archive = try archive.get()
        guard let summary = try archive.summaries(only: id).first else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id).")
        }
        let events = try archive.events(of: id, limit: Limits.timelineEvents)
        let end =
            summary.record.outcome == nil
            ? nil : events.last { $0.type == "step.changed" || $0.type == "workflow.finished" }?.at
        return Timelines.of(events, steps: summary.stepCount, from: summary.record.createdAt, to: end ?? Self.now())
    }

    // MARK: As it shall be

    /// - Parameter base: the revision that it was made from: the one that holds, or that will once the edits that wait
    ///   are taken.
    private func revise(
        _ id: WorkflowID, _ new: Template, from base: WorkflowRevision, by: String, isDryRun: Bool
    ) throws(Failure) -> RevisionOutcome {
        let (flow, _) = try flow(of: id)
        let old = base.template
        guard let before = Workflows.check(old, against: try engineCatalogue.get()).0 else {
            throw Failure(.workflowUnreadable, "The graph of \(id) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        let names = nameProblems(in: new, besides: old.names)
        guard names.isEmpty else { return RevisionOutcome(problems: names) }
        var merged = Revision.merge(new, into: old)
        let (graph, problems) = Workflows.check(merged, against: try catalogue.get())
        guard let graph, problems.isEmpty else { return RevisionOutcome(problems: problems) }
        if let fault = flow.faultOfRevising(to: graph) { throw fault }
        // As when a workflow is made: what the template leaves open is settled now.
        for index in merged.nodes.indices { merged.nodes[index].params = graph.nodes[index].params }
        let changes = Revision.changes(from: before, to: graph)
        let removed = changes.filter { graph.nodes[$0].kind == Revision.removedKind }
        let revised = RevisionOutcome(
            changed: changes.filter { !removed.contains($0) }.map { $0 + 1 },
            added: merged.nodes.dropFirst(old.nodes.count).map(\.id),
            removed: removed.map { graph.nodes[$0].id })
        guard !changes.isEmpty || !revised.added.isEmpty || merged.options != old.options else {
            throw Failure(
                .nothingChanged, "The graph is as it was.", remedy: "See 'assent show \(id)'.")
        }
        if !isDryRun {
            merged = try sealedValues.sealed(merged, try catalogue.get())
            try archive.get().put(
                .revise(template: merged.json.text, base: base.number), for: id, by: by, at: Self.now())
            lookAgain()
        }
        return revised
    }

    private func duplicate(_ id: WorkflowID) throws(Failure) -> WorkflowID {
        let archive = try archive.get()
        guard let record = try archive.summaries(only: id).first?.record,
            var template = try archive.template(of: id).flatMap({ TemplateReader.read(Array($0.utf8)).0 })
        else {
            throw Failure(
                .unknownWorkflow, "There is no workflow \(id) that can be read.", remedy: "See 'assent list --all'.")
        }
        for step in try archive.steps(of: id) where template.nodes.indices.contains(step.id.index - 1) {
            for edit in step.edits?.members ?? [] { template.nodes[step.id.index - 1].params[edit.key] = edit.value }
        }
        // Nobody follows it here, so nobody is asked inline.
        let start = WorkflowStart(mode: record.mode, onAsk: record.onAsk == .inline ? .park : record.onAsk)
        return try begin(template.withoutRemoved, start, in: record.workspace)
    }
}

extension Template {
    /// What an edit took out stays in its place for history; nobody else needs to see it.
    fileprivate var withoutRemoved: Template {
        var template = self
        template.nodes.removeAll { $0.kind == Revision.removedKind }
        return template
    }
}

/// The last lines of a file that may be long, and as much before them as a key may take.
enum EndOfFile {
    package static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: Limits.jobLogTailBytes + Limits.keyBlockBytes)
        let from = max(0, status.st_size - off_t(bytes.count))
        let count = pread(descriptor, &bytes, bytes.count, from)
        guard count > 0 else { return nil }
        return String(decoding: from > 0 ? bytes[..<count].withoutHalfWord : bytes[..<count], as: UTF8.self)
    }
}

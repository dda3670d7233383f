package import JSON
import Services
import Storage
package import Vocabulary
import Workflows

/// The graphs of workflows, and new workflows like old ones.
extension Reruns {
    /// Returns the replaced graphs of a workflow, the newest last. A graph that cannot be read is left out.
    package func revisions(_ id: WorkflowID) throws(Failure) -> [WorkflowRevision] {
        try shared.archive.get().revisions(of: id).compactMap {
            WorkflowRevision(number: $0.number, text: $0.template, replacedAt: $0.replacedAt)
        }
    }

    /// Returns the graph of a workflow after its queued edits, or nil if the graph cannot be read.
    package func planned(_ id: WorkflowID) throws(Failure) -> WorkflowRevision? {
        try shared.archive.get().plannedGraph(of: id).flatMap {
            WorkflowRevision(number: $0.number, text: $0.template)
        }
    }

    /// Merges a new graph into the one that it was made from, checks it, and queues it for the workflow's engine.
    ///
    /// - Parameters:
    ///   - base: the graph that the new one was made from, as `planned` returned it.
    ///   - isDryRun: whether nothing is queued.
    /// - Throws: `nothingChanged`.
    package func revise(
        _ id: WorkflowID, _ new: Template, _ base: WorkflowRevision, _ by: String, _ isDryRun: Bool
    ) throws(Failure) -> RevisionOutcome {
        let flow = try flow(of: id)
        let old = base.template
        guard let before = Workflows.check(old, against: try shared.engineCatalogue.get(), isStored: true).0 else {
            throw Failure(.workflowUnreadable, "The graph of \(id) cannot be read.", remedy: "Run 'assent doctor'.")
        }
        let names = nameProblems(in: new, besides: old.names, cut: shared.keyRing.filter.cut)
        guard names.isEmpty else { return RevisionOutcome(problems: names) }
        let merged = CheckOutcome(of: Revision.merge(new, into: old), against: try shared.catalogue.get())
        guard let checked = merged.checked else {
            // A problem may show a value that the user has just set.
            return RevisionOutcome(problems: merged.problems.map(shared.keyRing.filter.cut))
        }
        if let fault = flow.faultOfRevising(to: checked.graph) { throw fault }
        let graph = checked.graph
        let workspace = try WorkflowRecords(shared).summary(id)?.record.workspace ?? shared.workspace
        var template = shared.ordered(checked, in: workspace, begun: flow.begunOrder)
        for index in template.foldable(in: checked.tools) where index >= old.nodes.count {
            template.nodes[index].folded = index + 1
        }
        let changes = Revision.changes(from: before, to: graph)
        let removed = changes.filter { graph.nodes[$0].kind == Revision.removedKind }
        let revised = RevisionOutcome(
            changed: changes.filter { !removed.contains($0) }.map { $0 + 1 },
            added: template.nodes.dropFirst(old.nodes.count).map(\.id),
            removed: removed.map { graph.nodes[$0].id })
        guard !changes.isEmpty || !revised.added.isEmpty || template.options != old.options else {
            throw Failure(.nothingChanged, "The graph is as it was.", remedy: "See 'assent show \(id)'.")
        }
        guard !isDryRun else { return revised }
        let sealed = try shared.sealedValues.sealed(template, checked.tools)
        try shared.archive.get().put(
            .revise(template: sealed.text, base: base.number), for: id, by: by, at: OpenWorkspace.now())
        shared.lookAgain()
        return revised
    }

    /// Starts a new workflow with the graph of another one and its edits.
    package func duplicate(_ id: WorkflowID) throws(Failure) -> WorkflowID {
        let (record, template) = try edited(id)
        // No screen follows the new workflow, so its questions go to the inbox.
        let start = WorkflowStart(mode: record.mode, onAsk: record.onAsk == .inline ? .park : record.onAsk)
        let workspace = Folders.real(record.workspace) == nil ? shared.workspace : record.workspace
        return try WorkflowActions(shared).start(template, start, in: workspace)
    }

    /// Returns a workflow with its graph, in which its steps have the parameters that a person changed.
    func edited(_ id: WorkflowID) throws(Failure) -> (record: WorkflowRecord, template: Template) {
        let records = WorkflowRecords(shared)
        guard let record = try records.summary(id)?.record, var template = try records.template(id) else {
            throw Failure(
                .unknownWorkflow, "There is no workflow \(id) that can be read.", remedy: "See 'assent list --all'.")
        }
        for step in try records.steps(id) where template.nodes.indices.contains(step.id.index - 1) {
            for edit in step.edits?.members ?? [] { template.nodes[step.id.index - 1].params[edit.key] = edit.value }
        }
        return (record, template.withoutRemoved)
    }

    // MARK: Text

    /// Returns a template as JSON, in the form of a file.
    package func written(_ template: Template) -> JSON { template.asWritten.json }

    /// Opens the user's editor with a text, and waits until it is closed.
    ///
    /// - Returns: the changed text. `nil` if the text is the same.
    package func edit(_ text: String) async throws(Failure) -> String? {
        try await PersonsEditor.edit(text, in: shared.folders.cache, on: shared.workers)
    }
}

extension WorkflowRevision {
    /// Reads a stored graph. The result is nil if the text is no template.
    fileprivate init?(number: Int, text: String, replacedAt: Moment? = nil) {
        guard let template = TemplateReader.read(Array(text.utf8), isStored: true).0 else { return nil }
        self.init(
            number: number, template: template, editable: template.withoutRemoved.asWritten, replacedAt: replacedAt)
    }
}

extension Template {
    /// The template without the computed order, which files do not have, and in the order of the list.
    fileprivate var asWritten: Template {
        var template = inListOrder
        for index in template.nodes.indices {
            (template.nodes[index].follows, template.nodes[index].startsAfter) = ([], [])
        }
        return template
    }

    /// The template without the nodes that an edit removed, and without their names in `after`. Their marks stay in the
    /// stored template, since the numbers of steps must not change.
    fileprivate var withoutRemoved: Template {
        var template = inListOrder
        let removed = Set(nodes.filter { $0.kind == Revision.removedKind }.map(\.id))
        guard !removed.isEmpty else { return template }
        template.nodes.removeAll { $0.kind == Revision.removedKind }
        for place in template.nodes.indices { template.nodes[place].after.removeAll(where: removed.contains) }
        return template
    }
}

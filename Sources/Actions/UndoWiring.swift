import JSON
import Services
import Storage
import Tools
package import Vocabulary
import Workflows

/// The answers to what the console asks about undo: an undo is a workflow of one step.
extension OpenWorkspace {
    package var undoing: UndoActions {
        UndoActions(
            newest: { [self] isRedo, session throws(Failure) in try newestChange(isRedo: isRedo, session) },
            outline: { [self] request throws(Failure) in
                let record = try record(of: request)
                return try toolbox.get().undoOutline(request.stored, workspace: record.workspace)
            },
            cut: { [self] request throws(Failure) in try cut(request) },
            cuts: { [self] () throws(Failure) in try cuts() },
            resume: { [self] id, isPartial throws(Failure) in try resume(id, isPartial: isPartial) },
            start: { [self] request, start throws(Failure) in try undo(request, start) },
            standings: { [toolbox] id in (try? toolbox.get())?.undoStandings(of: id) ?? [] },
            count: { [toolbox] id in (try? toolbox.get())?.undoCount(of: id) },
            target: { [self] id in target(of: id) })
    }

    /// Returns the catalogue of the engine: the tools of plans and files, and those of undo workflows and of results
    /// that are saved.
    package static func engineCatalogue(_ catalogue: Catalogue) -> Catalogue {
        Catalogue(
            catalogue.sorted + [.undo, .saveResult], unavailable: catalogue.unavailable,
            providers: Array(catalogue.providers.values))
    }

    /// Returns the record of the workflow that is to be undone.
    ///
    /// - Throws: `unknownWorkflow`; `stillRunning` if the workflow has not ended and waits for nobody: it may change
    ///   more files at any time than were listed.
    private func record(of request: UndoSelection) throws(Failure) -> WorkflowRecord {
        let archive = try archive.get()
        guard let record = try archive.summaries(only: request.workflow).first?.record else {
            throw Failure(.unknownWorkflow, "There is no workflow \(request.workflow).", remedy: "See 'assent list'.")
        }
        let isRunning = try archive.steps(of: request.workflow).contains { $0.state.isRunning }
        guard record.outcome != nil, !isRunning else {
            throw Failure(
                .stillRunning, "\(request.workflow) is still under way, so it cannot be undone yet.",
                remedy: "Wait for its end, or cancel it: assent cancel \(request.workflow)")
        }
        return record
    }

    private func undo(_ request: UndoSelection, _ start: WorkflowStart) throws(Failure) -> WorkflowID {
        let record = try record(of: request)
        let toolbox = try toolbox.get()
        let name = try toolbox.add(request.stored)
        let standing = toolbox.undoStandings(of: request.workflow).first
        let undone = standing.flatMap { $0.isRedo ? nil : $0.undoes }
        let title = undone.map { "redo \($0)" } ?? "undo \(request.workflow)" + (request.step.map { " \($0)" } ?? "")
        var params = JSON.Object()
        params["request"] = .string(name)
        let node = Template.Node(id: "undo", kind: ToolManifest.undo.kind, params: params)
        let template = Template(name: title, nodes: [node])
        return try WorkflowActions(self).start(
            template, start, in: record.workspace, with: engineCatalogue.get())
    }

    /// Finds an undo of the same workflow that has not ended, since its process was killed.
    private func cut(_ request: UndoSelection) throws(Failure) -> CutUndo? {
        let found = try unended().first { $0.request.workflow == request.workflow && $0.request.step == request.step }
        return try found.map { undo throws(Failure) in try cutUndo(undo) }
    }

    /// Returns the undos that have not ended.
    private func cuts() throws(Failure) -> [CutUndo] {
        var cuts: [CutUndo] = []
        for undo in try unended() { if let cut = try? cutUndo(undo) { cuts.append(cut) } }
        return cuts
    }

    private func resume(_ id: WorkflowID, isPartial: Bool) throws(Failure) {
        guard let name = try undoRequestName(of: id) else { return }
        try toolbox.get().setPartial(isPartial, requestNamed: name)
    }

    private struct UnendedUndo {
        var record: WorkflowRecord
        var request: UndoRequest
    }

    private func unended() throws(Failure) -> [UnendedUndo] {
        let (archive, toolbox) = (try archive.get(), try toolbox.get())
        var found: [UnendedUndo] = []
        for summary in try archive.listed(WorkflowQuery(filter: .active, limit: Limits.examinedWorkflows)).shown {
            guard let request = try undoRequestName(of: summary.record.id).flatMap(toolbox.undoRequest(named:)) else {
                continue
            }
            found.append(UnendedUndo(record: summary.record, request: request))
        }
        return found
    }

    private func cutUndo(_ undo: UnendedUndo) throws(Failure) -> CutUndo {
        try toolbox.get().cutUndo(undo.request, by: undo.record.id, workspace: undo.record.workspace)
    }

    /// Returns the name of the request that a workflow carries out; `nil` if it is no undo.
    package func undoRequestName(of id: WorkflowID) throws(Failure) -> String? {
        guard let template = try archive.get().template(of: id).flatMap({ TemplateReader.read(Array($0.utf8)).0 }),
            let node = template.nodes.first, node.kind == ToolManifest.undo.kind
        else { return nil }
        return node.params["request"]?.string
    }

    /// Returns what a workflow undoes, such as `w1 (notes.txt: delete)`; `nil` if it is no undo.
    private func target(of id: WorkflowID) -> String? {
        guard let name = (try? undoRequestName(of: id)) ?? nil,
            let request = (try? toolbox.get())?.undoRequest(named: name)
        else {
            return nil
        }
        let title = (try? archive.get().summaries(only: request.workflow).first?.record.title) ?? nil
        let step = request.step.map { " step \($0)" } ?? ""
        return "\(request.workflow)\(step)" + (title.map { " (\($0))" } ?? "")
    }

    /// Returns the newest workflow of the session, or else of the folder, whose changes stand. One that was undone in
    /// part comes after those of which nothing was undone.
    private func newestChange(isRedo: Bool, _ session: SessionID?) throws(Failure) -> WorkflowID? {
        let (archive, toolbox) = (try archive.get(), try toolbox.get())
        var found: [(rank: [Int], at: Moment, id: WorkflowID)] = []
        for id in toolbox.workflowsWithChanges.prefix(Limits.examinedWorkflows) {
            guard let record = try archive.summaries(only: id).first?.record, record.workspace.isSameName(as: workspace)
            else { continue }
            let open = toolbox.undoStandings(of: id).filter {
                $0.open > 0 && ($0.undoes != nil && !$0.isRedo) == isRedo
            }
            guard let at = open.map(\.at).max() else { continue }
            let isOfSession = session != nil && record.session == session
            found.append(([isOfSession ? 1 : 0, open.contains { $0.undoneBy.isEmpty } ? 1 : 0], at, id))
        }
        return found.max { one, other in
            one.rank == other.rank ? one.at < other.at : one.rank.lexicographicallyPrecedes(other.rank)
        }?.id
    }
}

extension UndoSelection {
    fileprivate var stored: UndoRequest {
        UndoRequest(workflow: workflow, step: step, isPartial: isPartial, runs: runs)
    }
}

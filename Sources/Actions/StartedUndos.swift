import JSON
import Services
import Storage
import Tools
import Undo
package import Vocabulary
import Workflows

/// The undos that were started, and the interrupted ones among them.
extension UndoActions {
    /// Returns the undos that have not ended, whether they were interrupted or a process is at work on them. An undo
    /// whose records cannot be read is left out, since its own workflow fails.
    package func cuts() throws(Failure) -> [CutUndo] {
        var cuts: [CutUndo] = []
        for undo in try unended() { if let cut = try? cut(undo) { cuts.append(cut) } }
        return cuts
    }

    /// Resumes an undo that was interrupted: the next engine runs it.
    ///
    /// - Parameter isPartial: whether it leaves the changes that cannot be undone.
    package func resume(_ cut: CutUndo, isPartial: Bool) throws(Failure) {
        guard let name = try requestName(of: cut.workflow) else { return }
        try shared.toolbox.get().undo.setPartial(isPartial, requestNamed: name)
    }

    /// Returns the changes that a workflow undoes, such as `w1 (notes.txt: delete)`, or `nil` if it is no undo.
    package func target(_ id: WorkflowID) -> String? {
        guard let name = (try? requestName(of: id)) ?? nil,
            let request = (try? shared.toolbox.get())?.undo.request(named: name)
        else {
            return nil
        }
        let title = (try? shared.archive.get().summaries(only: request.workflow).first?.record.title) ?? nil
        let step = request.step.map { " step \($0)" } ?? ""
        return "\(request.workflow)\(step)" + (title.map { " (\($0))" } ?? "")
    }

    /// Returns the name of the request that a workflow runs, or `nil` if it is no undo.
    package func requestName(of id: WorkflowID) throws(Failure) -> String? {
        guard let node = try WorkflowRecords(shared).template(id)?.nodes.first, node.kind == ToolManifest.undo.kind
        else { return nil }
        return node.params["request"]?.string
    }

    /// Returns an undo of the same changes that has not ended, since its process was killed or is still at work.
    func cut(_ selection: UndoSelection) throws(Failure) -> CutUndo? {
        let found = try unended().first {
            $0.request.workflow == selection.workflow && $0.request.step == selection.step
        }
        return try found.map { undo throws(Failure) in try cut(undo) }
    }

    private struct UnendedUndo {
        var record: WorkflowRecord
        var request: UndoRequest
    }

    private func unended() throws(Failure) -> [UnendedUndo] {
        let (archive, toolbox) = (try shared.archive.get(), try shared.toolbox.get())
        var found: [UnendedUndo] = []
        for summary in try archive.listed(WorkflowQuery(filter: .active, limit: Limits.examinedWorkflows)).shown {
            guard let request = try requestName(of: summary.record.id).flatMap(toolbox.undo.request(named:)) else {
                continue
            }
            found.append(UnendedUndo(record: summary.record, request: request))
        }
        return found
    }

    private func cut(_ undo: UnendedUndo) throws(Failure) -> CutUndo {
        try shared.toolbox.get().undo.cutUndo(undo.request, by: undo.record.id, workspace: undo.record.workspace)
    }
}

import Files
import JSON
import Services
import Storage
import Tools
import Undo
package import Vocabulary

/// The use cases of undo and redo. An undo is a workflow of one step, and a redo is the undo of an undo.
package struct UndoActions: Sendable {
    let shared: OpenWorkspace
    /// The session of this chat, or `nil` outside of a chat. Its newest workflow is undone first.
    let session: SessionID?

    /// Creates the use cases of what a process has open.
    package init(_ shared: OpenWorkspace, in session: SessionID? = nil) {
        (self.shared, self.session) = (shared, session)
    }

    // MARK: Deciding

    /// Decides how a call of undo or redo continues. Changes nothing.
    ///
    /// - Throws: `nothingToUndo`. `stillRunning` if the workflow has not ended. `badUsage` if the user named no
    ///   workflow and cannot be asked.
    package func decide(_ call: UndoCall) throws(Failure) -> UndoDecision {
        let selection = try selection(of: call)
        if let cut = try cut(selection) { return .resume(cut, selection) }
        var proposal = try proposal(of: selection)
        let outline = proposal.outline
        guard !outline.isEmpty else {
            throw Failure(
                .nothingToUndo, "The files are as they were before \(selection.name).",
                remedy: "See 'assent show \(selection.workflow)'.")
        }
        let isAsked = call.canAsk && !call.isConfirmed
        guard isAsked || call.isConfirmed || call.workflow != nil else {
            throw Failure(
                .badUsage, "There is no terminal to ask at.",
                remedy: "Name it: 'assent \(call.isRedo ? "redo" : "undo") \(selection.workflow)'")
        }
        let leavesSome = !outline.left.isEmpty
        // A user who is asked sees what is left. Any other user must have allowed it, and an undo of nothing is none.
        if leavesSome, !call.isPartial, !isAsked || outline.work.isEmpty { return .refuse(proposal) }
        proposal.selection.isPartial = isAsked ? leavesSome : call.isPartial
        return isAsked ? .ask(proposal) : .start(proposal)
    }

    /// Returns the plan of an undo or redo as if no earlier undo were interrupted. Changes nothing.
    ///
    /// - Throws: `nothingToUndo`, or `stillRunning` if the workflow has not ended.
    package func proposal(of call: UndoCall) throws(Failure) -> UndoProposal {
        try proposal(of: selection(of: call))
    }

    private func proposal(of selection: UndoSelection) throws(Failure) -> UndoProposal {
        try refuseRedone(selection.workflow)
        let record = try record(of: selection)
        let workspace = try folder(of: record, selection)
        let outline = try shared.toolbox.get().undo.outline(selection.stored, workspace: workspace)
        var proposal = UndoProposal(selection: selection, title: record.title, outline: outline)
        // Changes that are made from now on were not listed, so they stay.
        proposal.selection.runs = outline.runs
        return proposal
    }

    private func selection(of call: UndoCall) throws(Failure) -> UndoSelection {
        guard let workflow = call.workflow else {
            guard let newest = try newest(isRedo: call.isRedo) else {
                throw Failure(
                    .nothingToUndo,
                    "Nothing was changed in this folder that can be \(call.isRedo ? "redone" : "undone").",
                    remedy: "See 'assent list'.")
            }
            return UndoSelection(workflow: newest)
        }
        if call.isRedo { try requireUndo(workflow) }
        var selection = UndoSelection(workflow: workflow, step: call.step)
        if let folder = call.folder { selection.move = try move(of: selection, to: folder) }
        return selection
    }

    /// Returns the folder in which an undo works: that of the workflow, or the one to which that was moved.
    ///
    /// - Throws: `fileNotFound` if the folder is not there, and none is named.
    private func folder(of record: WorkflowRecord, _ selection: UndoSelection) throws(Failure) -> String {
        if let move = selection.move { return move.to }
        guard let place = Self.folder(record.workspace) else {
            throw Failure(
                .fileNotFound, "The folder of \(record.id) is not there any more: \(record.workspace).",
                remedy: "If it has another name now: 'assent undo \(record.id) --in FOLDER'")
        }
        return place
    }

    /// Returns the real path of a folder, or `nil` if there is none.
    private static func folder(_ path: String) -> String? { try? Paths(workspace: "\(path)/.").workspace }

    /// Returns the move of a workflow's folder, by the folder that the user names.
    ///
    /// - Throws: `badUsage` if the old folder is still there, and `fileNotFound` if the new one is not.
    private func move(of selection: UndoSelection, to folder: String) throws(Failure) -> (from: String, to: String) {
        let record = try record(of: selection)
        guard Self.folder(record.workspace) == nil else {
            throw Failure(
                .badUsage, "The folder of \(record.id) is still there: \(record.workspace).",
                remedy: "Leave out --in, which is for a folder that was moved.")
        }
        let written = folder.utf8.first == UInt8(ascii: "/") ? folder : shared.workspace.child(folder)
        guard let place = Self.folder(written) else {
            throw Failure(.fileNotFound, "There is no folder \(folder).", remedy: "Name the folder that it is now.")
        }
        return (record.workspace, place)
    }

    /// Throws `nothingToUndo` if a workflow is no undo that can be redone.
    private func requireUndo(_ workflow: WorkflowID) throws(Failure) {
        let standings = try shared.toolbox.get().undo.standings(of: workflow)
        guard standings.contains(where: { $0.undoes != nil }) else {
            throw Failure(
                .nothingToUndo, "\(workflow) is no undo that changed something.", remedy: "See 'assent list'.")
        }
        guard !standings.contains(where: \.isRedo) else {
            throw Failure(
                .nothingToUndo, "\(workflow) is a redo itself.", remedy: "To reverse it: 'assent undo \(workflow)'")
        }
    }

    /// Throws `nothingToUndo` if a workflow is an undo that was redone already.
    private func refuseRedone(_ workflow: WorkflowID) throws(Failure) {
        let standings = try shared.toolbox.get().undo.standings(of: workflow)
        guard standings.contains(where: { $0.undoes != nil && !$0.isRedo }), standings.allSatisfy({ $0.open == 0 }),
            let by = standings.flatMap(\.undoneBy).max()
        else { return }
        throw Failure(
            .nothingToUndo, "\(workflow) was redone by \(by) already.", remedy: "To reverse that: 'assent undo \(by)'")
    }

    /// Returns the newest workflow of the session, or else of the folder, whose changes stand. A workflow that was
    /// undone in part comes after those of which nothing was undone.
    private func newest(isRedo: Bool) throws(Failure) -> WorkflowID? {
        let (archive, toolbox) = (try shared.archive.get(), try shared.toolbox.get())
        var found: [(rank: [Int], at: Moment, id: WorkflowID)] = []
        for id in toolbox.undo.workflows.prefix(Limits.examinedWorkflows) {
            guard let record = try archive.summaries(only: id).first?.record,
                record.workspace.isSameName(as: shared.workspace)
            else { continue }
            let open = toolbox.undo.standings(of: id).filter {
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

    /// Returns the record of the workflow that is to be undone.
    ///
    /// - Throws: `unknownWorkflow`, or `stillRunning` if the workflow has not ended, since it may change more files at
    ///   any time than were listed.
    private func record(of selection: UndoSelection) throws(Failure) -> WorkflowRecord {
        let (archive, id) = (try shared.archive.get(), selection.workflow)
        guard let record = try archive.summaries(only: id).first?.record else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id).", remedy: "See 'assent list'.")
        }
        let isRunning = try archive.steps(of: id).contains { $0.state.isRunning }
        guard record.outcome != nil, !isRunning else {
            throw Failure(
                .stillRunning, "\(id) is still under way, so it cannot be undone yet.",
                remedy: "Wait for its end, or cancel it: 'assent cancel \(id)'")
        }
        return record
    }

    // MARK: Undoing

    /// Creates the workflow that undoes.
    ///
    /// - Returns: its number.
    package func start(_ proposal: UndoProposal, mode: ConfirmationMode) throws(Failure) -> WorkflowID {
        let selection = proposal.selection
        let record = try record(of: selection)
        let toolbox = try shared.toolbox.get()
        let name = try toolbox.undo.add(selection.stored)
        let standing = toolbox.undo.standings(of: selection.workflow).first
        let undone = standing.flatMap { $0.isRedo ? nil : $0.undoes }
        let title =
            undone.map { "redo \($0)" } ?? "undo \(selection.workflow)" + (selection.step.map { " \($0)" } ?? "")
        var params = JSON.Object()
        params["request"] = .string(name)
        let node = Template.Node(id: "undo", kind: ToolManifest.undo.kind, params: params)
        return try WorkflowActions(shared).start(
            Template(name: title, nodes: [node]), WorkflowStart(session: session, mode: mode, onAsk: .park),
            in: folder(of: record, selection), with: shared.engineCatalogue.get())
    }

    /// Returns the changes that an undo has made and those that it has left, after its workflow has ended.
    ///
    /// - Parameter outline: the plan of the undo.
    package func result(of id: WorkflowID, planned outline: UndoOutline) throws(Failure) -> UndoOutline {
        let failed = try shared.archive.get().assets(of: id).flatMap { $0.meta["left"]?.array ?? [] }
            .compactMap { line -> UndoOutline.Line? in
                guard let path = line["path"]?.string, let why = line["why"]?.string else { return nil }
                return UndoOutline.Line(.leave, path, why: why)
            }
        let paths = Set(failed.map(\.path))
        return UndoOutline(work: outline.work.filter { !paths.contains($0.path) }, left: outline.left + failed)
    }

    /// Returns the number of changes that a running undo has made and will make, or `nil` if it has only just begun.
    package func count(_ id: WorkflowID) -> (done: Int, of: Int)? { (try? shared.toolbox.get())?.undo.count(of: id) }

    /// Returns the changes of each attempt of a workflow, the newest first.
    package func standings(_ id: WorkflowID) -> [UndoStanding] {
        (try? shared.toolbox.get())?.undo.standings(of: id) ?? []
    }
}

extension UndoSelection {
    /// The request as the tool of undo workflows reads it.
    var stored: UndoRequest {
        UndoRequest(workflow: workflow, step: step, isPartial: isPartial, runs: runs, movedFrom: move?.from)
    }
}

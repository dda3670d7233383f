import Actions
import JSON
import Progress
import Terminal
import Vocabulary

extension Limits {
    /// How long an undo runs before the terminal shows its progress, in seconds.
    fileprivate static let undoQuietSeconds = 1.0
}

/// A run of the command `undo` or `redo`. It shows the plan, asks, and follows the workflow that does it.
struct UndoRun {
    let isRedo: Bool
    let options: UndoOptions
    let context: CommandContext
    let output: Output

    func run(_ workflow: String?, _ step: String?) async throws(Failure) -> ExitStatus {
        let call = try call(workflow, step)
        guard !options.dryRun else {
            show(try context.undoing.proposal(of: call))
            return .succeeded
        }
        switch try context.undoing.decide(call) {
        case .resume(let cut, let selection):
            try await resume(cut, selection)
            return .succeeded
        case .refuse(let proposal): throw refusal(proposal.outline)
        case .ask(let proposal):
            guard await confirms(proposal) else {
                output.screen.show(StyledText("Nothing was changed.", .dim))
                return .denied
            }
            try await start(proposal)
            return .succeeded
        case .start(let proposal):
            try await start(proposal)
            return .succeeded
        }
    }

    /// Returns the call that the words of the user make.
    private func call(_ written: String?, _ step: String?) throws(Failure) -> UndoCall {
        var call = UndoCall(
            isRedo: isRedo, isPartial: options.partial, isConfirmed: options.yes, canAsk: output.canAsk,
            folder: options.folder)
        guard let written else {
            guard options.folder == nil else {
                throw Failure(.badUsage, "--in needs a workflow, such as w3.", remedy: "See 'assent list --all'.")
            }
            return call
        }
        guard let (workflow, number) = UndoWords.parts(written) else {
            throw Failure(
                .badUsage, "\"\(VisibleText.line(written))\" is no workflow.", remedy: "Write its number, such as w3.")
        }
        call.workflow = workflow
        call.step = try Find.steps(of: workflow, step ?? number.map(String.init), in: context).number
        return call
    }

    // MARK: Asking

    private func refusal(_ outline: UndoOutline) -> Failure {
        let kept = outline.left.contains(where: \.isLost) ? nil : "What was there before is still kept."
        return Failure(
            outline.left.allSatisfy(\.isLost) ? .undoLost : .changedSince,
            "Nothing was \(isRedo ? "redone" : "undone"): \(UndoView.names(outline.left, workspace: context.workspace)).",
            remedy: outline.work.isEmpty ? kept : "--partial does the rest.")
    }

    private func confirms(_ proposal: UndoProposal) async -> Bool {
        let head = "\(isRedo ? "Redo" : "Undo") \(proposal.selection.name) (\(VisibleText.line(proposal.title)))?"
        let rest = proposal.outline.left.isEmpty ? "" : " The rest stays as it is."
        let lines = [StyledText(" ? ", [.question, .bold]) + StyledText(head + rest, .bold)]
        let list = UndoView.lines(
            proposal.outline, workspace: context.workspace, call: dryRun(proposal.selection), columns: output.columns)
        let answer = await QuestionDialogue(context: context, screen: output.screen).ask(
            KeyQuestion(lines + list + [StyledText("   [y] yes   [n] no ", .question)], .keys(["y", "n"])))
        return answer == .key("y")
    }

    /// Returns the command that lists all of the changes.
    private func dryRun(_ selection: UndoSelection) -> String {
        "\(isRedo ? "redo" : "undo") \(selection.workflow)\(selection.step.map { " \($0)" } ?? "") --dry-run"
    }

    // MARK: Undoing

    private func start(_ proposal: UndoProposal) async throws(Failure) {
        let events = context.events()
        if !output.isChat { try context.act.startEngine() }
        let id = try context.undoing.start(proposal, mode: try context.mode())
        try await follow(id, events)
        show(try context.undoing.result(of: id, planned: proposal.outline), of: proposal.selection, by: id)
    }

    /// Shows what an interrupted undo has done, resumes it, and follows it to its end.
    private func resume(_ cut: CutUndo, _ selection: UndoSelection) async throws(Failure) {
        let events = context.events()
        let texts = UndoView.cut(cut, workspace: context.workspace, columns: output.columns)
        if output.isJSON {
            output.tell(notice: texts.map(\.plain).joined(separator: "\n"))
        } else {
            output.screen.show(texts)
        }
        try context.undoing.resume(cut, isPartial: options.partial)
        if !output.isChat { try context.act.startEngine() }
        try await follow(cut.workflow, events)
        let planned = UndoOutline(work: cut.done + cut.work, left: cut.left)
        show(try context.undoing.result(of: cut.workflow, planned: planned), of: selection, by: cut.workflow)
    }

    /// Waits for the end of a workflow. The terminal shows the progress of a long one.
    ///
    /// - Throws: the failure of the workflow.
    private func follow(_ id: WorkflowID, _ events: AsyncStream<Event>) async throws(Failure) {
        output.followed.insert(id)
        let counter = Task { [context, output, isRedo] in
            try await Task.sleep(for: .seconds(Limits.undoQuietSeconds))
            while !Task.isCancelled {
                if let (done, all) = context.undoing.count(id) {
                    output.live.set(.undo, [UndoView.progress(done, of: all, isRedo: isRedo)])
                }
                try await Task.sleep(for: .milliseconds(Limits.undoCountMilliseconds))
            }
        }
        let followed = await WorkflowFollower(
            workflow: id, records: context.look, asker: nil, isTakenUp: true
        )
        .untilItRests(events)
        counter.cancel()
        _ = await counter.result
        output.live.set(.undo, [])
        guard followed.outcome != .succeeded else { return }
        throw followed.failures.first
            ?? Failure(
                .undoFailed, "\(id) has not ended well: \(followed.outcome.rawValue).",
                remedy: "See 'assent show \(id)'.")
    }

    // MARK: Showing

    /// Shows the plan of an undo that is not made.
    private func show(_ proposal: UndoProposal) {
        let (outline, selection) = (proposal.outline, proposal.selection)
        let changes = Amounts.count(outline.work.count, "change")
        let head = "\(isRedo ? "Redo" : "Undo") of \(selection.name) would make \(changes):"
        let list = UndoView.lines(outline, workspace: context.workspace, call: nil, columns: output.columns)
        output.show([StyledText(head)] + list, json: [Self.json(outline, selection, isDryRun: true)])
    }

    /// Shows the changes that an undo has made and those that it has left.
    private func show(_ outline: UndoOutline, of selection: UndoSelection, by id: WorkflowID) {
        let count = outline.left.count
        let left = count == 0 ? "" : ", \(count) left as \(count == 1 ? "it is" : "they are")"
        let changes = outline.isEmpty ? "" : "\(Amounts.count(outline.work.count, "change")) of "
        let redo = isRedo ? "" : " · \(Voice.call("redo \(id)"))"
        let head =
            StyledText("✓ ", .success)
            + StyledText("\(changes)\(selection.name) \(isRedo ? "redone" : "undone")\(left)")
            + StyledText(" · \(id)\(redo)", .dim)
        let rest = UndoView.left(outline, context.workspace, columns: output.columns)
        output.show([head] + rest, json: [Self.json(outline, selection, by: id)])
    }

    private static func json(
        _ outline: UndoOutline, _ selection: UndoSelection, by id: WorkflowID? = nil, isDryRun: Bool = false
    ) -> JSON {
        .of([
            "workflow": .string(selection.workflow.description), "step": selection.step.map { .int($0) },
            "changes": .int(outline.work.count), "by": id.map { .string($0.description) },
            "dryRun": isDryRun ? true : nil,
            "undone": .bool(!isDryRun), "work": .array(outline.work.map(\.json)),
            "left": .array(outline.left.map(\.json)),
        ])
    }
}

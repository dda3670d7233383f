import Actions
package import ArgumentParser
import JSON
import Terminal
package import Vocabulary

extension Limits {
    /// How long an undo runs before the terminal shows its progress, in seconds.
    fileprivate static let undoQuietSeconds = 1.0
}

/// The flags of `undo` and `redo`.
package struct UndoOptions: ParsableArguments, Sendable {
    @Flag(help: "Only say what would be done.")
    package var dryRun = false

    @Flag(help: "Undo the rest if something was changed since.")
    package var partial = false

    @Flag(help: "Do not ask.")
    package var yes = false

    package init() {}
}

package struct Undo: Verb {
    package static let description = CommandDescription(
        "undo", in: .files,
        summary: "Undo what a workflow changed in your files.",
        details: """
            What a step creates, overwrites, deletes or moves is recorded for 30 days. Undo reverses it, the newest change first. If \
            somebody has changed a file since, nothing is undone and the file is named; --partial undoes the rest. Without a workflow \
            it is the newest change of this folder.
            """,
        examples: ["undo w3", "undo", "undo w3 --dry-run", "undo w3 2 --partial"],
        takes: [[.workflow], [.step]])

    @Argument(help: "The workflow, such as w3, or one of its steps, such as w3.2.")
    var workflow: String?

    @Argument(help: "One step, by its number or node id. Without it, all steps.")
    var step: String?

    @OptionGroup var options: UndoOptions
    @OptionGroup package var shared: SharedOptions

    package init() {}

    package var role: CommandRole { options.dryRun ? .looks : .decides }

    package func run(in context: CommandContext, _ output: Output) async throws(Failure) -> ExitStatus {
        try await UndoRun(isRedo: false, options: options, context: context, output: output).run(workflow, step)
    }
}

/// A call of `undo` or `redo`. It shows the plan, asks, and follows the workflow that does it.
struct UndoRun {
    let isRedo: Bool
    let options: UndoOptions
    let context: CommandContext
    let output: Output

    private var verb: String { isRedo ? "redo" : "undo" }

    func run(_ workflow: String?, _ step: String?) async throws(Failure) -> ExitStatus {
        var request = try request(workflow, step)
        if !options.dryRun, let cut = try context.undoing.cut(request) { return try await goOn(cut, request) }
        try refuseRedone(request.workflow)
        let outline = try context.undoing.outline(request)
        if options.dryRun {
            show(outline, of: request, isDryRun: true)
            return .succeeded
        }
        guard !outline.work.isEmpty || !outline.left.isEmpty else {
            throw Failure(
                .nothingToUndo, "The files are as they were before \(name(request)).",
                remedy: "See 'assent show \(request.workflow)'.")
        }
        let isAsked = !options.yes && output.canAsk
        guard isAsked || workflow != nil || options.yes else {
            throw Failure(
                .badUsage, "There is no terminal to ask at.",
                remedy: "Say which workflow: assent \(verb) \(request.workflow)")
        }
        request.isPartial = options.partial
        request.runs = outline.runs
        if !outline.left.isEmpty, !options.partial {
            guard isAsked, !outline.work.isEmpty else { throw refusal(outline) }
        }
        if isAsked {
            guard await confirms(outline, request) else {
                output.screen.show(StyledText("Nothing was changed.", .dim))
                return .denied
            }
            request.isPartial = !outline.left.isEmpty
        }
        return try await carryOut(request, outline)
    }

    // MARK: Which one

    private func request(_ written: String?, _ step: String?) throws(Failure) -> UndoSelection {
        guard let written else {
            guard let newest = try context.undoing.newest(isRedo, context.undoing.session) else {
                throw Failure(
                    .nothingToUndo, "Nothing was changed in this folder that can be \(isRedo ? "redone" : "undone").",
                    remedy: "See 'assent list'.")
            }
            return UndoSelection(workflow: newest)
        }
        guard let (workflow, number) = UndoWords.parts(written) else {
            throw Failure(
                .badUsage, "\"\(VisibleText.line(written))\" is no workflow.", remedy: "Write its number, such as w3.")
        }
        let (_, _, found) = try Find.steps(of: workflow, step ?? number.map(String.init), in: context)
        if isRedo {
            let standings = context.undoing.standings(workflow)
            guard standings.contains(where: { $0.undoes != nil }) else {
                throw Failure(
                    .nothingToUndo, "\(workflow) is no undo that changed something.", remedy: "See 'assent list'.")
            }
            guard !standings.contains(where: \.isRedo) else {
                throw Failure(
                    .nothingToUndo, "\(workflow) is a redo itself.", remedy: "To reverse it: assent undo \(workflow)")
            }
        }
        return UndoSelection(workflow: workflow, step: found)
    }

    /// Throws `nothingToUndo` if the workflow is an undo that was redone already.
    private func refuseRedone(_ workflow: WorkflowID) throws(Failure) {
        let standings = context.undoing.standings(workflow)
        guard standings.contains(where: { $0.undoes != nil && !$0.isRedo }), standings.allSatisfy({ $0.open == 0 }),
            let by = standings.flatMap(\.undoneBy).max()
        else { return }
        throw Failure(
            .nothingToUndo, "\(workflow) was redone by \(by) already.", remedy: "To reverse that: assent undo \(by)")
    }

    /// Returns the verb that lists all of the changes.
    private func dryRun(_ request: UndoSelection) -> String {
        "\(isRedo ? "redo" : "undo") \(request.workflow)\(request.step.map { " \($0)" } ?? "") --dry-run"
    }

    private func name(_ request: UndoSelection) -> String {
        request.step.map { "step \($0) of \(request.workflow)" } ?? request.workflow.description
    }

    // MARK: Asking

    private func refusal(_ outline: UndoOutline) -> Failure {
        Failure(
            .changedSince,
            "Nothing was \(isRedo ? "redone" : "undone"): \(UndoView.names(outline.left, workspace: context.workspace)).",
            remedy: outline.work.isEmpty ? "What was there before is still kept." : "--partial does the rest.")
    }

    private func confirms(_ outline: UndoOutline, _ request: UndoSelection) async -> Bool {
        let title = (try? context.look.summary(request.workflow))??.record.title ?? ""
        let head = "\(isRedo ? "Redo" : "Undo") \(name(request)) (\(VisibleText.line(title)))?"
        let rest = outline.left.isEmpty ? "" : " The rest stays as it is."
        let lines = [StyledText(" ? ", [.question, .bold]) + StyledText(head + rest, .bold)]
        let list = UndoView.lines(outline, workspace: context.workspace, call: dryRun(request), columns: output.columns)
        let answer = await QuestionDialogue(context: context, screen: output.screen).ask(
            KeyQuestion(lines + list + [StyledText("   [y] yes   [n] no ", .question)], .keys(["y", "n"])))
        return answer == .key("y")
    }

    // MARK: Doing it

    /// Shows what an interrupted undo has done, resumes it, and follows it to its end.
    private func goOn(_ cut: CutUndo, _ request: UndoSelection) async throws(Failure) -> ExitStatus {
        let events = context.events()
        let id = cut.workflow
        let texts = UndoView.cut(cut, workspace: context.workspace, columns: output.columns)
        if output.isJSON {
            output.tell(notice: texts.map(\.plain).joined(separator: "\n"))
        } else {
            output.screen.show(texts)
        }
        try context.undoing.resume(id, options.partial)
        if !output.isChat { try context.act.startEngine({}, { _ in }) }
        try await follow(id, events)
        show(UndoOutline(work: cut.done + cut.work, left: cut.left + context.failedLines(of: id)), of: request, by: id)
        return .succeeded
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
                    output.screen.setStatus([UndoView.progress(done, of: all, isRedo: isRedo)])
                }
                try await Task.sleep(for: .milliseconds(Limits.undoCountMilliseconds))
            }
        }
        let followed = await WorkflowFollower(workflow: id, records: context.look, asker: nil, isTakenUp: true, onEvent: { _ in })
            .untilItRests(events)
        counter.cancel()
        _ = await counter.result
        output.screen.setStatus([])
        guard followed.outcome != .succeeded else { return }
        throw followed.failures.first
            ?? Failure(
                .undoFailed, "\(id) has not ended well: \(followed.outcome.rawValue).",
                remedy: "See 'assent show \(id)'.")
    }

    private func carryOut(_ request: UndoSelection, _ outline: UndoOutline) async throws(Failure) -> ExitStatus {
        let events = context.events()
        if !output.isChat { try context.act.startEngine({}, { _ in }) }
        let id = try context.undoing.start(
            request, WorkflowStart(session: context.undoing.session, mode: try context.settings.mode(), onAsk: .park))
        try await follow(id, events)
        let failed = context.failedLines(of: id)
        let paths = Set(failed.map(\.path))
        show(
            UndoOutline(work: outline.work.filter { !paths.contains($0.path) }, left: outline.left + failed),
            of: request, by: id)
        return .succeeded
    }

    private func show(
        _ outline: UndoOutline, of request: UndoSelection, isDryRun: Bool = false, by id: WorkflowID? = nil
    ) {
        let changes = Amounts.count(outline.work.count, "change")
        let list = UndoView.lines(
            outline, workspace: context.workspace, call: isDryRun ? nil : dryRun(request), columns: output.columns)
        var lines = list
        if isDryRun {
            lines = [StyledText("\(isRedo ? "Redo" : "Undo") of \(name(request)) would make \(changes):")] + list
        } else if let id {
            let left =
                outline.left.isEmpty
                ? "" : ", \(outline.left.count) left as \(outline.left.count == 1 ? "it is" : "they are")"
            let again = Voice.call("redo \(id)")
            let rest = UndoView.left(outline, context.workspace, columns: output.columns)
            lines =
                [
                    StyledText("✓ ", .success)
                        + StyledText(
                            "\(outline.isEmpty ? "" : "\(changes) of ")\(name(request)) \(isRedo ? "redone" : "undone")\(left)"
                        )
                        + StyledText(" · \(id)\(isRedo ? "" : " · \(again)")", .dim)
                ] + rest
        }
        output.show(
            lines,
            json: [
                .of([
                    "workflow": .string(request.workflow.description), "step": request.step.map { .int($0) },
                    "changes": .int(outline.work.count), "by": id.map { .string($0.description) },
                    "dryRun": isDryRun ? true : nil,
                    "undone": .bool(!isDryRun), "work": .array(outline.work.map(\.json)),
                    "left": .array(outline.left.map(\.json)),
                ])
            ])
    }
}

extension CommandContext {
    /// Returns the paths that a partial undo could not restore, each with its reason.
    fileprivate func failedLines(of id: WorkflowID) -> [UndoOutline.Line] {
        let assets = (try? look.assets(id)) ?? []
        return assets.flatMap { $0.meta["left"]?.array ?? [] }.compactMap { line in
            guard let path = line["path"]?.string, let why = line["why"]?.string else { return nil }
            return UndoOutline.Line(.leave, path, why: why)
        }
    }
}

import Actions
import Conversations
import JSON
import Vocabulary

/// Performs the calls of a planner. Every call is a workflow, and the engine asks for consent to each of its steps.
struct Performing: Sendable {
    let context: CommandContext
    let session: SessionID
    let onAsk: OnAsk
    let mode: @Sendable () -> ConfirmationMode
    let asker: Asker?
    /// Receives the plan before the workflow starts. `onEvent` receives its events, and `onRest` the result.
    let onPlan: @Sendable (WorkflowID, Template) async -> Void
    let onEvent: @Sendable (Event) async -> Void
    let onRest: @Sendable (WorkflowID, Followed) async -> Void

    func perform(_ call: PlannerCall, in turn: Int) async -> CallResult {
        await told { () async throws(Failure) in try await performed(call, turn) }
    }

    /// Follows a workflow again that a call started and that waited for a person.
    ///
    /// - Parameter asks: whether the person is asked here about its open questions.
    func takeUp(_ id: WorkflowID, asks: Bool) async -> CallResult {
        await told { () async throws(Failure) in
            _ = try visible(id)
            let events = context.events()
            if let template = try context.look.template(id) { await onPlan(id, template) }
            return await rest(of: id, events, asker: asks ? asker : nil, isTakenUp: true)
        }
    }

    /// Returns a result for a model, without content that may hold keys.
    private func told(_ result: () async throws(Failure) -> CallResult) async -> CallResult {
        // A size or a hash would reveal whether a guess was right.
        let contents = PrivateContents(context.look.isPrivate)
        do throws(Failure) {
            switch try await result() {
            case .succeeded(let json): return .succeeded(contents.leftOut(of: json))
            case .waiting(let json): return .waiting(contents.leftOut(of: json))
            case .ended(let failure, let json): return .ended(failure, contents.leftOut(of: json))
            case let other: return other
            }
        } catch {
            // A host that the person did not allow counts as declined.
            return ExitStatus(of: error) == .denied ? .declined(error.description) : .failed(error)
        }
    }

    private func performed(_ call: PlannerCall, _ turn: Int) async throws(Failure) -> CallResult {
        switch call {
        case .workflow(let json): return try await start(json, turn)
        case .findTools: return .failed(Failure(.unknownTool, "This is answered by the session."))
        case .listWorkflows:
            let (newest, count) = try context.again.list(
                WorkflowQuery(workspace: context.workspace, includesArchived: true))
            let rest = count - newest.count
            return .succeeded(
                .of([
                    "count": .int(count), "newest": .array(newest.map(\.json)),
                    "cut": rest > 0
                        ? .string("\(rest) older ones of \(count) are left out; show_workflow shows each by its name")
                        : nil,
                ]))
        case .showWorkflow(let id, let part):
            return .succeeded(
                try WorkflowReading(records: context.look, reruns: context.again, summary: try visible(id)).json(
                    of: part))
        case .retry(let id, let step):
            try requireOwn(id, "retry \(id)")
            let number = try step.map { name throws(Failure) in try stepNumber(name, of: id) }
            return try await follow(id) { () throws(Failure) in try command(id, .retry(step: number), in: turn) }
        case .cancel(let id):
            try requireOwn(id, "cancel \(id)")
            try command(id, .cancel)
            return .succeeded(["cancelled": .string(id.description)])
        case .readMode:
            return .succeeded(.of(["mode": .string(mode().rawValue), "words": .string(ModeView.words(mode()))]))
        case .readInbox:
            let awaits = try context.look.awaits(false).filter { (try? visible($0.step.workflow)) != nil }
            let told = context.people.entries(of: Array(awaits.prefix(Limits.stepsTold))).map {
                $0.json(at: context.now())
            }
            let rest = awaits.count - told.count
            return .succeeded(
                .array(told + (rest > 0 ? [.string("\(rest) more of \(awaits.count) entries are left out")] : [])))
        }
    }

    /// Returns a workflow that a model may know, which is one of this workspace. Another one is reported as unknown, so
    /// that the model cannot learn that it exists.
    private func visible(_ id: WorkflowID) throws(Failure) -> WorkflowSummary {
        guard let summary = try context.look.summary(id), summary.record.workspace.isSameName(as: context.workspace)
        else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id) in this workspace.")
        }
        return summary
    }

    /// Throws `otherSession` unless the session owns the workflow. A model may only change workflows of its own
    /// session.
    ///
    /// - Parameter verb: the verb with which a person can do it.
    private func requireOwn(_ id: WorkflowID, _ verb: String) throws(Failure) {
        guard try visible(id).record.session != session else { return }
        throw Failure(
            .otherSession, "\(id) was not started in this session, and a model acts only in its own.",
            remedy: "The person can do it: \(Voice.call(verb))")
    }

    private func command(_ id: WorkflowID, _ verb: Command.Verb, in turn: Int? = nil) throws(Failure) {
        try context.again.command(id, verb, "model", AskTerms(mode: mode(), onAsk: onAsk, turn: turn))
    }

    private func stepNumber(_ name: String, of id: WorkflowID) throws(Failure) -> Int {
        try WorkflowReading.step(name, in: try context.look.steps(id), of: id).id.index
    }

    private func start(_ json: JSON, _ turn: Int) async throws(Failure) -> CallResult {
        let found = context.act.check(Array(json.text.utf8))
        guard let checked = found.checked else { return .problems(found.problems) }
        let template = checked.template
        let strangers = unknownKinds(of: template)
        guard strangers.isEmpty else { return .problems(strangers) }
        try await HostAsker(context: context, screen: asker?.screen).require(for: template)
        let events = context.events()
        let id = try context.act.start(
            checked, WorkflowStart(session: session, turn: turn, mode: mode(), onAsk: onAsk))
        context.act.focus(id)
        await onPlan(id, template)
        return await rest(of: id, events, asker: asker)
    }

    /// Returns a problem for each node of an unknown kind. In a file, such a kind may be a tool that is not installed
    /// yet, and its step waits. A planner has the list of kinds, so for it the kind is an error.
    private func unknownKinds(of template: Template) -> [Problem] {
        let catalogue = context.catalogue()
        return template.nodes.filter { catalogue[$0.kind] == nil }.map { node in
            let fault = catalogue.unavailable[node.kind].map { "\($0.words) " } ?? ""
            return Problem(.unknownKind, at: node.id, "There is no kind \"\(node.kind)\". \(fault)Use find_tools.")
        }
    }

    private func follow(_ id: WorkflowID, _ begin: () throws(Failure) -> Void) async throws(Failure) -> CallResult {
        let events = context.events()
        try begin()
        return await rest(of: id, events, asker: asker)
    }

    private func rest(of id: WorkflowID, _ events: AsyncStream<Event>, asker: Asker?, isTakenUp: Bool = false) async
        -> CallResult
    {
        let following = WorkflowFollower(
            workflow: id, records: context.look, asker: asker, asksAll: true, isTakenUp: isTakenUp, onEvent: onEvent)
        let followed = await following.untilItRests(events)
        await onRest(id, followed)
        if Task.isCancelled { return .declined("The person stopped the turn; \(id) goes on.") }
        switch followed.outcome {
        case .succeeded: return .succeeded(summary(id, followed))
        // An answer of a person is the result of the call, but an approval is not.
        case .waiting: return answers.waits(id) ? .waiting(summary(id, followed)) : .succeeded(summary(id, followed))
        case .failed, .cancelled:
            if let refusal = followed.failures.first(where: { ExitStatus(of: $0) == .denied }) {
                return .declined(refusal.message)
            }
            let failure = followed.failures.first ?? Failure(.workflowFailed, "\(id) \(followed.outcome.rawValue).")
            return .ended(failure, summary(id, followed))
        }
    }

    private var answers: PersonAnswers { PersonAnswers(look: context.look) }

    /// Returns the first of some sentences about steps, and the number of the others. Returns nil if there is no
    /// sentence.
    private func sentences(_ all: [String]) -> JSON? {
        let shown = all.prefix(Limits.outputsTold).map { JSON.string($0) }
        let rest = all.count - shown.count
        return shown.isEmpty ? nil : .array(shown + (rest > 0 ? [.string("… \(rest) more of \(all.count) …")] : []))
    }

    /// Returns the parts that steps of a workflow left out, each with its step.
    private func partial(of id: WorkflowID) -> JSON? {
        var seen: Set<RunID> = []
        var all: [JSON] = []
        for asset in ((try? context.look.assets(id)) ?? []).ofLastAttempts
        where !asset.partial.isEmpty && seen.insert(asset.run).inserted {
            all += asset.partial.map { part in
                var object = part.json.object ?? JSON.Object()
                object["step"] = .int(asset.run.step.index)
                return .object(object)
            }
        }
        guard !all.isEmpty else { return nil }
        let rest = all.count - Limits.outputsTold
        return .array(all.prefix(Limits.outputsTold) + (rest > 0 ? [.string("… \(rest) more of \(all.count) …")] : []))
    }

    private func summary(_ id: WorkflowID, _ followed: Followed) -> JSON {
        let told = ToldOutputs(records: context.look, workflow: id).json(of: followed.outputs)
        return .of([
            "workflow": .string(id.description), "outcome": .string(followed.outcome.rawValue),
            "answers": answers.json(of: id),
            "partial": partial(of: id), "warnings": sentences(followed.warnings),
            "outputs": told["outputs"], "more": told["more"],
        ])
    }
}

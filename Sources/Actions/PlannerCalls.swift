import Conversations
import JSON
import Vocabulary

/// The use case of a planner's calls. Every call that acts is a workflow, and the engine asks for consent to each of its
/// steps.
struct PlannerCalls: Sendable {
    let shared: OpenWorkspace
    let session: SessionID
    let front: any PlannerFront

    /// Creates the use case for one session.
    init(_ shared: OpenWorkspace, in session: SessionID, _ front: any PlannerFront) {
        (self.shared, self.session, self.front) = (shared, session, front)
    }

    private var look: WorkflowRecords { WorkflowRecords(shared) }
    private var act: WorkflowActions { WorkflowActions(shared) }
    private var again: Reruns { Reruns(shared) }

    /// Performs a call, and returns its result for the planner.
    func perform(_ call: PlannerCall, in turn: Int) async -> CallResult {
        await told { () async throws(Failure) in try await performed(call, turn) }
    }

    /// Follows a workflow again that a call started and that waited for a person.
    ///
    /// - Parameter asks: whether the person is asked here about its open questions.
    func takeUp(_ id: WorkflowID, asks: Bool) async -> CallResult {
        await told { () async throws(Failure) in
            _ = try visible(id)
            let events = look.events()
            if let template = try look.template(id) { await front.planned(template, as: id) }
            return await rest(of: id, events, asker: asks ? front.questioner : nil, isTakenUp: true)
        }
    }

    /// Returns a result for a model, without content that may hold keys.
    private func told(_ result: () async throws(Failure) -> CallResult) async -> CallResult {
        // A size or a hash would reveal whether a guess was right.
        let contents = PrivateContents(look.isPrivate)
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
        case .workflow(let json, let corrected): return try await start(json, turn, correcting: corrected)
        case .findTools: return .failed(Failure(.unknownTool, "This is answered by the session."))
        case .listWorkflows: return .succeeded(try list())
        case .showWorkflow(let id, let part):
            return .succeeded(
                try WorkflowReading(records: look, reruns: again, summary: try visible(id)).json(of: part))
        case .retry(let id, let step):
            try requireOwn(id, "retry \(id)")
            let number = try step.map { name throws(Failure) in
                try WorkflowReading.step(name, in: try look.steps(id), of: id).id.index
            }
            guard try look.steps(id).contains(where: { (number == nil || $0.id.index == number) && $0.canBeRetried })
            else {
                throw Failure(
                    .badUsage, "Nothing in \(id) has failed or was cancelled.",
                    remedy: "See \(front.wording(of: "show \(id)")).")
            }
            let events = look.events()
            try command(id, .retry(step: number), in: turn)
            return await rest(of: id, events, asker: front.questioner)
        case .cancel(let id):
            try requireOwn(id, "cancel \(id)")
            if let outcome = try visible(id).record.outcome {
                throw Failure(
                    .badUsage, "\(id) is over already: \(outcome.rawValue). Nothing was cancelled.",
                    remedy: outcome == .succeeded ? "\(front.wording(of: "undo \(id)")) takes it back." : nil)
            }
            try command(id, .cancel)
            return .succeeded(["cancelling": .string(id.description)])
        case .readMode:
            let mode = front.mode
            return .succeeded(.of(["mode": .string(mode.rawValue), "words": .string(mode.words)]))
        case .readInbox: return .succeeded(try inbox())
        }
    }

    // MARK: Looking

    private func list() throws(Failure) -> JSON {
        let (newest, count) = try again.list(WorkflowQuery(workspace: shared.workspace, includesArchived: true))
        let rest = count - newest.count
        return .of([
            "count": .int(count), "newest": .array(newest.map(\.toldJSON)),
            "cut": rest > 0
                ? .string("\(rest) older ones of \(count) are left out; show_workflow shows each by its name") : nil,
        ])
    }

    private func inbox() throws(Failure) -> JSON {
        let awaits = try look.awaits(false).filter { (try? visible($0.step.workflow)) != nil }
        let told = InboxActions(shared).entries(of: Array(awaits.prefix(Limits.stepsTold))).map {
            $0.json(at: OpenWorkspace.now())
        }
        let rest = awaits.count - told.count
        return .array(told + (rest > 0 ? [.string("\(rest) more of \(awaits.count) entries are left out")] : []))
    }

    /// Returns a workflow that a model may know, which is one of this workspace. Another one is reported as unknown, so
    /// that the model cannot learn that it exists.
    private func visible(_ id: WorkflowID) throws(Failure) -> WorkflowSummary {
        guard let summary = try look.summary(id), summary.record.workspace.isSameName(as: shared.workspace) else {
            throw Failure(.unknownWorkflow, "There is no workflow \(id) in this workspace.")
        }
        return summary
    }

    // MARK: Changing

    /// Throws `otherSession` unless the session owns the workflow. A model may only change workflows of its own
    /// session.
    ///
    /// - Parameter verb: the verb with which a person can do it.
    private func requireOwn(_ id: WorkflowID, _ verb: String) throws(Failure) {
        guard try visible(id).record.session != session else { return }
        throw Failure(
            .otherSession, "\(id) was not started in this session, and a model acts only in its own.",
            remedy: "The person can do it: \(front.wording(of: verb))")
    }

    private func command(_ id: WorkflowID, _ verb: Command.Verb, in turn: Int? = nil) throws(Failure) {
        try again.command(id, verb, "model", AskTerms(mode: front.mode, onAsk: front.onAsk, turn: turn))
    }

    private func start(
        _ json: JSON, _ turn: Int, correcting corrected: WorkflowID?
    ) async throws(Failure) -> CallResult {
        let found = act.check(Array(json.text.utf8))
        guard let checked = found.checked else { return .problems(found.problems) }
        let template = checked.template
        let strangers = unknownKinds(of: template)
        guard strangers.isEmpty else { return .problems(strangers) }
        try await HostPermissions(shared).require(for: template, front.confirm)
        try await ProgramPermissions(shared).ask(for: template, front.confirm)
        if let corrected {
            try requireOwn(corrected, "undo \(corrected)")
            guard await front.mayCorrect(corrected) else { return .declined("The person wants neither.") }
        }
        let events = look.events()
        let id = try act.start(
            checked, WorkflowStart(session: session, turn: turn, mode: front.mode, onAsk: front.onAsk))
        act.focus(id)
        await front.planned(template, as: id)
        return await rest(of: id, events, asker: front.questioner)
    }

    /// Returns a problem for each node of an unknown kind. In a file, such a kind may be a tool that is not installed
    /// yet, and its step waits. A planner has the list of kinds, so for it the kind is an error.
    private func unknownKinds(of template: Template) -> [Problem] {
        let catalogue = look.catalogue()
        return template.nodes.filter { catalogue[$0.kind] == nil }.map { node in
            let fault = catalogue.unavailable[node.kind].map { "\($0.words) " } ?? ""
            return Problem(.unknownKind, at: node.id, "There is no kind \"\(node.kind)\". \(fault)Use find_tools.")
        }
    }

    private func rest(
        of id: WorkflowID, _ events: AsyncStream<Event>, asker: (any Questioner)?, isTakenUp: Bool = false
    ) async -> CallResult {
        let follower = WorkflowFollower(
            workflow: id, records: look, asker: asker, asksAll: true, isTakenUp: isTakenUp, listener: front)
        let followed = await follower.untilItRests(events)
        await front.rested(id, followed)
        if Task.isCancelled { return .declined("The person stopped the turn; \(id) goes on.") }
        return RestedWorkflow(records: look, id: id, followed: followed).result
    }
}

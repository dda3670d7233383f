import Conversations
import JSON
import Services
import Storage
import Tools
import Vocabulary

/// The use case of a planner's calls. Every call that acts is a workflow, and the engine asks for consent to each of its
/// steps.
struct PlannerCalls: Sendable {
    let shared: OpenWorkspace
    let session: SessionID
    let front: any PlannerFront
    private let news: ConversationNews
    let looks: LookCalls
    private let refused = RefusedCalls()

    /// Creates the use case for one session.
    ///
    /// - Parameter news: hears which workflows the results of calls describe.
    init(_ shared: OpenWorkspace, in session: SessionID, _ front: any PlannerFront, _ news: ConversationNews) {
        (self.shared, self.session, self.front, self.news) = (shared, session, front, news)
        looks = LookCalls(shared, front)
    }

    private var look: WorkflowRecords { WorkflowRecords(shared) }
    private var act: WorkflowActions { WorkflowActions(shared) }
    private var again: Reruns { Reruns(shared) }

    /// The person, who is reminded of what they have refused in this turn.
    private var questioner: (any Questioner)? {
        front.questioner.map { RemindedQuestioner(questioner: $0, refused: refused, shared: shared) }
    }

    /// Performs a call, and returns its result for the planner.
    func perform(_ call: PlannerCall, in turn: Int) async -> CallResult {
        refused.begin(turn)
        return await told { () async throws(Failure) in try await performed(call, turn) }
    }

    /// Follows a workflow again that a call started and that waited for a person.
    ///
    /// - Parameter asks: whether the person is asked here about its open questions.
    func takeUp(_ id: WorkflowID, asks: Bool) async -> CallResult {
        await told { () async throws(Failure) in
            _ = try visible(id)
            let events = look.events()
            if let template = try look.template(id) { await front.planned(template, as: id) }
            return try await rest(of: id, events, asker: asks ? questioner : nil, isTakenUp: true)
        }
    }

    /// Returns a result for a model, without content that may hold keys.
    private func told(_ result: () async throws(Failure) -> CallResult) async -> CallResult {
        // A size or a hash would reveal whether a guess was right.
        let contents = PrivateContents(look.isPrivate)
        do throws(Failure) {
            return try await result().telling(contents.leftOut)
        } catch {
            // A host that the person did not allow counts as declined.
            return ExitStatus(of: error) == .denied ? .declined(error.description) : .failed(error)
        }
    }

    private func performed(_ call: PlannerCall, _ turn: Int) async throws(Failure) -> CallResult {
        switch call {
        case .workflow(let json, let terms): return try await start(json, turn, terms)
        case .look(let kind, let params):
            switch try await looks.perform(kind, params, at: LookCalls.Place(session: session, turn: turn)) {
            case .result(let result): return result
            case .asks(let template): return try await start(template, turn, WorkflowTerms(isCommand: true))
            }
        case .readResult(let name, let range): return try await lines(of: name, range)
        case .wait(let id, let seconds): return try await wait(for: id, seconds)
        case .findTools(let words):
            let found = FoundKinds(words, in: look.catalogue())
            return .succeeded(found.json(unconnected: unconnected(found.tools)))
        case .retry(let id, let step): return try await retry(id, step, in: turn)
        case .cancel(let id): return try cancel(id)
        case .listWorkflows, .showWorkflow, .readMode, .readInbox: return .succeeded(try stored(call))
        }
    }

    /// Returns the stored state that a call asks about.
    private func stored(_ call: PlannerCall) throws(Failure) -> JSON {
        switch call {
        case .showWorkflow(let id, let part):
            return try WorkflowReading(records: look, reruns: again, summary: try visible(id)).json(of: part)
        case .readMode: return .of(["mode": .string(front.mode.rawValue), "words": .string(front.mode.words)])
        case .readInbox: return try inbox()
        default: return try list()
        }
    }

    /// Returns why some kinds cannot be used before their provider is connected, by kind.
    private func unconnected(_ tools: [ToolManifest]) -> [String: String] {
        var reasons: [String: String] = [:]
        for tool in tools {
            guard case .job(let action) = tool.action else { continue }
            reasons[tool.kind] = shared.missingKey(of: action.provider)?.message
        }
        return reasons
    }

    // MARK: Looking

    private func list() throws(Failure) -> JSON {
        let (newest, count) = try again.list(WorkflowQuery(workspace: shared.workspace, includesArchived: true))
        let rest = count - newest.count
        return .of([
            "count": .int(count), "newest": .array(newest.map(\.toldJSON)),
            "cut": rest > 0
                ? .string("\(rest) older ones of \(count) are left out; results shows each by its name") : nil,
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

    private func visible(_ id: WorkflowID) throws(Failure) -> WorkflowSummary { try look.summary(visible: id) }

    // MARK: Changing

    private func retry(_ id: WorkflowID, _ step: String?, in turn: Int) async throws(Failure) -> CallResult {
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
        return try await rest(of: id, events, asker: questioner)
    }

    private func cancel(_ id: WorkflowID) throws(Failure) -> CallResult {
        try requireOwn(id, "cancel \(id)")
        if let outcome = try visible(id).record.outcome {
            throw Failure(
                .badUsage, "\(id) is over already: \(outcome.rawValue). Nothing was cancelled.",
                remedy: outcome == .succeeded ? "\(front.wording(of: "undo \(id)")) takes it back." : nil)
        }
        try command(id, .cancel)
        return .succeeded(["cancelling": .string(id.description)])
    }

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

    private func start(_ json: JSON, _ turn: Int, _ terms: WorkflowTerms) async throws(Failure) -> CallResult {
        if terms.isCommand { try refuseWhileBusy() }
        let found = try ProposedWorkflow(json, terms, in: shared).checked()
        guard let checked = found.checked else { return .problems(found.problems) }
        let template = checked.template
        if terms.isCommand { try await looks.checkEdits(checked) }
        try await HostPermissions(shared).require(for: template, front.confirm)
        try await ProgramPermissions(shared).ask(for: template, front.confirm)
        if let corrected = terms.corrects {
            try requireOwn(corrected, "undo \(corrected)")
            guard await front.mayCorrect(corrected) else { return .declined("The person wants neither.") }
        }
        let kept = try await keep(template, terms)
        let events = look.events()
        let id = try act.start(
            checked, WorkflowStart(session: session, turn: turn, mode: front.mode, onAsk: front.onAsk))
        act.focus(id)
        news.hasBegun(id)
        await front.planned(template, as: id)
        let result = try await rest(of: id, events, asker: questioner, terms: terms)
        return kept.map { result.noting($0.words, asWished: $0.isAsWished) } ?? result
    }

    /// Keeps a workflow as a template if the call wants it and the person agrees.
    ///
    /// - Returns: what became of it, in words for the model and whether it has the wished name, or nil if the call did
    ///   not want it.
    private func keep(
        _ template: Template, _ terms: WorkflowTerms
    ) async throws(Failure) -> (words: String, isAsWished: Bool)? {
        guard let wish = terms.keepAs else { return nil }
        let wanted = try KeptTemplate(template, named: wish, in: shared)
        guard await front.mayKeep(template, as: wanted.name) else {
            return ("not kept: the person did not agree", false)
        }
        let words = "the person runs it by \(front.wording(of: "run \(wanted.name)"))"
        return ("kept as the template \(try wanted.keep()): \(words)", wanted.name == wish)
    }

    // MARK: Commands that go on

    /// Throws `workspaceBusy` while a command of this conversation goes on.
    private func refuseWhileBusy() throws(Failure) {
        for id in try commandsUnderWay() {
            throw Failure(
                .workspaceBusy, "\(id) is still running, so no other command and no edit is begun.",
                remedy: "Go on with wait {\"workflow\": \"\(id)\"}, or cancel it by workflow.")
        }
    }

    /// Returns the workflows of this conversation whose command or edit is at work, also those that an earlier process
    /// began.
    private func commandsUnderWay() throws(Failure) -> [WorkflowID] {
        let query = WorkflowQuery(filter: .active, workspace: shared.workspace, limit: Limits.examinedWorkflows)
        let active = try shared.archive.get().listed(query).shown.map(\.record).filter { $0.session == session }
        var found: [WorkflowID] = []
        for id in active.map(\.id) where try look.template(id)?.nodes.count == 1 {
            // A command that is rehearsed is ready.
            let isUnderWay = try look.steps(id).contains { step in
                ["Shell", "Edit"].contains(step.kind) && (step.state == .ready || step.state.isRunning)
            }
            if isUnderWay { found.append(id) }
        }
        return found
    }

    private func wait(for id: WorkflowID, _ seconds: Int) async throws(Failure) -> CallResult {
        _ = try visible(id)
        let isCommand = try look.template(id)?.nodes.count == 1
        return try await rest(
            of: id, look.events(), asker: questioner, isTakenUp: true,
            terms: WorkflowTerms(seconds: seconds, isCommand: isCommand))
    }

    /// Returns lines of a result, with numbers as `read` gives those of a file.
    private func lines(of name: AssetName, _ range: LineRange) async throws(Failure) -> CallResult {
        let asset = try StoredAssets(shared).one(name)
        if let looked = try await picture(asset, name, range.page) {
            await front.looked("read \(looked.words)")
            return try LookResult(looked, shared).result
        }
        guard let text = LookText(records: look).text(of: asset) else {
            throw Failure(.unknownOutput, "\(name) cannot be read: it is no text, or may hold keys.")
        }
        await front.looked("read \(name)")
        let page = LinePage(of: name.description, from: range.from, lines: range.lines, offset: range.offset)
        return .report(try page.text(of: Array(text.utf8)), failure: nil)
    }

    /// Looks at a result that may be a picture or a PDF. Returns nil for another one, and for one that is private.
    private func picture(_ asset: Asset, _ name: AssetName, _ page: Int?) async throws(Failure) -> LookedPicture? {
        guard !look.isPrivate(asset.hash) else { return nil }
        let (toolbox, isSeen) = (try shared.toolbox.get(), try shared.seesPictures)
        let errors = look.catalogue()["ReadLines"]?.errors ?? ErrorRules()
        return try await shared.blocking { () throws(Failure) in
            try toolbox.look(at: asset, named: name.description, page: page, isSeen: isSeen, errors: errors)
        }
    }

    private func rest(
        of id: WorkflowID, _ events: AsyncStream<Event>, asker: (any Questioner)?, isTakenUp: Bool = false,
        terms: WorkflowTerms = WorkflowTerms()
    ) async throws(Failure) -> CallResult {
        let follower = WorkflowFollower(
            workflow: id, records: look, asker: asker, asksAll: true, isTakenUp: isTakenUp, seconds: terms.seconds,
            listener: front)
        await front.follows(id)
        let followed = await follower.untilItRests(events)
        await front.leaves(id)
        if !Task.isCancelled { news.isReported(id) }
        if followed.isUnderWay, !Task.isCancelled {
            return CommandReport.stillRunning(id, after: terms.seconds ?? 0, look)
        }
        await front.rested(id, followed)
        if Task.isCancelled { return .declined("The person stopped the turn; \(id) goes on.") }
        if try isQuestion(id) { return RestedWorkflow(records: look, id: id, followed: followed).answer }
        if terms.isCommand { return try CommandReport(records: look, id: id, followed: followed).result() }
        return try RestedWorkflow(records: look, id: id, followed: followed).result()
    }

    private func isQuestion(_ id: WorkflowID) throws(Failure) -> Bool {
        try look.template(id)?.isQuestion ?? false
    }
}

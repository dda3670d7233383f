package import Conversations
import LanguageModels
import Services
import Storage
import Vocabulary

extension ConversationLibrary {
    /// Returns the session that runs the turns of a conversation.
    ///
    /// - Parameters:
    ///   - left: the conversation, which this process has open.
    ///   - keepsLines: whether lines that wait for a turn are stored, so that they survive a crash.
    ///   - surroundings: the front end.
    package func converse(
        in left: LeftSession, keepsLines: Bool, with surroundings: some ConversationSurroundings
    ) -> Session {
        let catalogue = shared.knownTools
        ModelActions(shared).begin(left.id)
        return Session(
            id: left.id, world: world(of: left.id, catalogue, keepsLines: keepsLines, surroundings),
            catalogue: catalogue,
            prompt: PlannerPrompt(shared.shelves.prompt(), PlannerPrompt.Facts(in: shared, began: left.began)),
            history: left.history, turns: left.turns, queue: left.lines, goesOn: left.waits,
            compaction: left.compaction)
    }

    private func world(
        of session: SessionID, _ catalogue: Catalogue, keepsLines: Bool, _ surroundings: some ConversationSurroundings
    ) -> World {
        let (shared, archive) = (shared, shared.archive)
        let news = ConversationNews(shared, in: session)
        let (cut, calls) = (CutCalls(shared, in: session), PlannerCalls(shared, in: session, surroundings, news))
        return World(
            model: ChosenModel(shared, catalogue).ask, now: { OpenWorkspace.now() },
            emit: { event in
                surroundings.heard(event.kind)
                shared.record(event)
            },
            admit: { () async throws(Failure) in
                try shared.configuration.require()
                try await ModelRequests(shared).admit(surroundings.confirm)
            },
            keys: { shared.keyRing.filter }, hint: surroundings.hint,
            store: { message, turn throws(Failure) in
                try archive.get().append(message, to: session, turn: turn, at: OpenWorkspace.now())
                if message.role == .user { news.isStored() }
            },
            keep: { line throws(Failure) in
                guard keepsLines else { return }
                try archive.get().keep(line, of: session, owner: try shared.chat.get().name)
            },
            forget: { line throws(Failure) in try archive.get().forgetLines(of: session, newest: line) },
            perform: calls.perform, mayGoOn: surroundings.mayGoOn,
            takeUp: { call, _, asks in
                do throws(Failure) {
                    guard let id = try cut.waitingWorkflow(of: call) else { return .lost }
                    return await calls.takeUp(id, asks: asks)
                } catch {
                    return .failed(error)
                }
            },
            // If the calls cannot be read now, the conversation reports them as lost.
            answered: { messages in (try? cut.answered(messages, news)) ?? messages },
            context: ConversationContext(
                shared: shared, session: session, cut: cut, calls: calls, news: news,
                surroundings: surroundings, situations: Situations(shared, surroundings)))
    }
}

/// The moment as the turns of a conversation need it.
private struct ConversationContext: TurnContext {
    let shared: OpenWorkspace
    let session: SessionID
    let cut: CutCalls
    let calls: PlannerCalls
    let news: ConversationNews
    let surroundings: any ConversationSurroundings
    let situations: Situations

    func situation() async -> Situation { await situations.now() }

    func news(besides open: [ChatCall]) async -> String? {
        news.words(besides: open, cut)
    }

    func attachments(to line: String, in turn: Int) async -> AttachedFiles {
        let attachments = await calls.attachments(to: line, in: turn)
        for refusal in attachments.refusals { await surroundings.hint(.notice(refusal)) }
        return attachments.files
    }

    func room() async -> ContextRoom? { shared.contextRoom() }

    func store(_ compaction: Compaction) async {
        do throws(Failure) { try shared.archive.get().setCompaction(compaction.json, of: session) } catch {
            // The conversation is shortened again after a restart.
        }
    }
}

extension Limits {
    /// The window of a model of which nothing is known, in tokens.
    static let assumedWindow = 32_000
}

extension OpenWorkspace {
    /// The connected model, or nil for the built-in planner and for a choice that cannot be made.
    var connectedChoice: ModelChoice? {
        do throws(Failure) { return try model.choice() } catch { return nil }
    }

    /// Returns the room of a conversation in the window of the connected model, or nil for the built-in planner.
    func contextRoom() -> ContextRoom? {
        guard let choice = connectedChoice else { return nil }
        let profile = ModelRequests(self).learned(choice.profile)
        return ContextRoom(
            window: profile.window ?? Limits.assumedWindow, answer: profile.maxTokens ?? Limits.messagesMaxTokens)
    }
}

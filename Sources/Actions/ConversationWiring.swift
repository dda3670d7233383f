package import Conversations
import Services
import Storage
import Vocabulary

/// Conversations, wired to what stores them, to the model and to the tools.
extension OpenWorkspace {
    /// What is seen is stored before, but for what is never stored: what became of a call is read from there after a
    /// crash. Where it cannot be stored it is seen all the same.
    func record(_ event: Event) {
        switch event.kind {
        case .end, .messageDelta: break
        default: try? archive.get().append(event)
        }
        hub.post(event)
    }

    package func converse(_ conversing: Conversing) -> Session {
        let catalogue = (try? catalogue.get()) ?? Catalogue()
        let workspace = workspace
        model.sessionID = conversing.session
        keepModelOfSession()
        let world = Conversations.World(
            model: chatModel(catalogue), now: { Self.now() },
            emit: { [self] event in
                conversing.heard(event.kind)
                record(event)
            },
            admit: { [self] () async throws(Failure) in
                try configuration.require()
                try await admitModel(conversing.confirmHost)
            },
            keys: { [keyRing] in keyRing.filter }, hint: conversing.hint,
            store: { [archive] message, turn throws(Failure) in
                try archive.get().append(message, to: conversing.session, turn: turn, at: Self.now())
            },
            keep: { [archive, chat] line throws(Failure) in
                guard conversing.keepsLines else { return }
                try archive.get().keep(line, of: conversing.session, owner: try chat.get().name)
            },
            forget: { [archive] () throws(Failure) in try archive.get().forgetLines(of: conversing.session) },
            queued: conversing.queued, perform: conversing.perform,
            takeUp: { [self] call, _, asks in
                do throws(Failure) {
                    guard let id = try waitingWorkflow(of: call, in: conversing.session) else { return .lost }
                    return await conversing.takeUp(id, asks)
                } catch {
                    return .failed(error)
                }
            },
            answered: { [self] messages in
                // If it cannot be read now, the conversation says that the calls are lost.
                (try? answered(messages, in: conversing.session)) ?? messages
            }, files: { Listing.ofFolder(workspace) })
        return Session(
            id: conversing.session, world: world, catalogue: catalogue, prompt: PlannerPrompt(shelves.prompt()),
            history: conversing.left?.history ?? [], turns: conversing.left?.turns ?? 0,
            queue: conversing.left?.lines ?? [],
            goesOn: conversing.left?.waits ?? false)
    }
}

import Conversations
import Services
import Synchronization
import Vocabulary
import Workflows

/// The model of a conversation. Each request goes to the model that is chosen at that moment, or to the built-in
/// planner.
final class ChosenModel: Sendable {
    private let shared: OpenWorkspace
    private let planner: Lazy<ChatModel>
    /// The model of the last request, which is used again while its profile stays the same.
    private let last = Mutex<(profile: ModelProfile, model: ChatModel)?>(nil)

    /// Creates the model of a conversation. The planner is made at its first request.
    init(_ shared: OpenWorkspace, _ catalogue: Catalogue) {
        self.shared = shared
        planner = Lazy { () throws(Failure) in Self.planner(shared, catalogue) }
    }

    private var requests: ModelRequests { ModelRequests(shared) }

    /// Asks the chosen model, and its fallback if it cannot answer.
    func ask(_ request: ChatRequest, _ tell: @escaping @Sendable (ReplyPart) -> Void) async throws {
        let last = request.messages.last { $0.role == .user }?.text ?? ""
        guard let choice = try shared.model.choice(), !TypedCommand.isMarked(last) else {
            return try await planner.get()(request, tell)
        }
        // The host may have been revoked since the conversation was admitted.
        try shared.consents.require(choice.hostQuestion)
        let first = model(of: choice)
        guard let next = choice.fallback else { return try await first(request, tell) }
        let both = FallbackModel(first: first, name: choice.words) { [self] () async throws(Failure) in
            try await fallback(next, of: choice)
        }
        try await both.ask(request, tell)
    }

    private func model(of choice: ModelChoice) -> ChatModel {
        let profile = shared.model.profile(of: choice, with: shared.model.knownKey(of: choice))
        return last.withLock { last in
            if let last, last.profile == profile { return last.model }
            let model = requests.chatModel(of: profile, at: choice.host.place)
            last = (profile, model)
            return model
        }
    }

    /// Returns the connection that the person has named as the fallback of another, with its name.
    private func fallback(_ name: String, of choice: ModelChoice) async throws(Failure) -> (ChatModel, words: String)? {
        guard let next = try shared.model.choice(named: name, "in place of \(choice.words)") else { return nil }
        try shared.consents.require(next.hostQuestion)
        let profile = shared.model.profile(of: next, with: try await requests.key(of: next))
        return (requests.chatModel(of: profile, at: next.host.place), next.words)
    }

    private static func planner(_ shared: OpenWorkspace, _ catalogue: Catalogue) -> ChatModel {
        let (workspace, own) = (shared.workspace, shared.folders.own)
        let language = Languages.language(
            Languages.code(setting: shared.settings.language, environment: Folders.environment))
        let templates = shared.shelves.templates().compactMap { TemplateReader.read($0.bytes).0 }
        // Every language is understood, whatever the machine speaks.
        let others = Lazy { () throws(Failure) in
            Languages.known.filter { $0 != language.id }.map {
                BuiltInPlanner(catalogue: catalogue, templates: templates, language: Languages.language($0))
            }
        }
        let guides: @Sendable () -> GuideIndex = {
            GuideIndex(GuideShelf(shared).list().map { ($0.name, $0.title, $0.about) })
        }
        return BuiltInPlanner(catalogue: catalogue, templates: templates, language: language, guides: guides)
            .model(or: { (try? others.get()) ?? [] }) { isDeep in Listing.ofFolder(workspace, own: own, isDeep: isDeep)
            }
    }
}

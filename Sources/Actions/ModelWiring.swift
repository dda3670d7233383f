import Conversations
import LanguageModels
import Services
import Storage
import Synchronization
import Tools
import Vocabulary
import Workflows

extension Limits {
    /// How long a picker waits for a server's list of models, in seconds.
    fileprivate static let modelListSeconds = 5.0
}

/// Models, wired to who chooses and who asks.
extension OpenWorkspace {
    package var models: ModelActions {
        ModelActions(
            list: { [self] () throws(Failure) in modelList() },
            use: { [self] word, wish throws(Failure) in
                let choice = try model.use(word, isSessions: wish == .session)
                keepModelOfSession()
                return choice.map { ModelList.Use(words: $0.words, reason: $0.reason) }
            },
            said: { [model] in model.said }, leave: { [model] in model.enter(nil, saying: nil) },
            keep: { [model, modelFiles, keyRing] name throws(Failure) in
                let known = modelFiles.connections(keyRing)
                guard name == ModelConnection.builtIn || known[name] != nil else {
                    if let problem = known.problems.first(where: { $0.manifests.isEmpty || $0.manifests.contains(name) }
                    ) {
                        throw Failure(.badSettings, problem.description, remedy: "Mend it first.")
                    }
                    throw Failure(
                        .unknownConnection, "There is no connection \"\(name.prefix(80))\".",
                        remedy: "'assent model list' names those that there are; 'assent connect' makes one.")
                }
                try modelFiles.setDefault(name, keyRing)
                model.refresh()
            },
            offered: { [self] () async throws(Failure) in
                guard let choice = try model.choice() else { return [] }
                return try await probe(of: choice, seconds: Limits.modelListSeconds).models()
            },
            test: { [self] name async throws(Failure) in
                var choice: ModelChoice?
                if let name {
                    choice = try model.choice(named: name, "for a test")
                } else {
                    choice = try model.choice()
                }
                guard let choice else {
                    throw Failure(
                        .unknownConnection, "The built-in planner is used, and needs no test.",
                        remedy: "Connect a model: assent connect")
                }
                return (choice.words, try await trial(of: choice))
            })
    }

    /// What `/model` said is the conversation's, and holds when it is resumed.
    func keepModelOfSession() {
        guard let id = model.sessionID, let said = model.said else { return }
        try? archive.get().setModel(said, ofSession: id)
    }

    /// A conversation goes on with its own model, unless the command line says another.
    func takeModel(ofSession id: SessionID) {
        guard !model.hasOption else { return }
        model.enter(id, saying: (try? archive.get().model(ofSession: id)) ?? nil)
    }

    /// As the banner and events name it; `nil` for the built-in planner.
    package var modelName: String? {
        do throws(Failure) { return try model.choice()?.words } catch {
            return "no model: what is set cannot be used (/doctor)"
        }
    }

    private func modelList() -> ModelList {
        let (connections, shelf) = (modelFiles.connections(keyRing), modelFiles.shelf())
        var list = ModelList(file: modelFiles.connectionsPath)
        var used: ModelChoice?
        do throws(Failure) { used = try model.choice() } catch { list.failure = keyRing.filter.cut(error) }
        list.use = used.map { ModelList.Use(words: $0.words, reason: $0.reason) }
        list.connections = connections.all.map { connection in
            let server = connection.profile.flatMap { shelf[$0] }
            let place = (connection.url ?? server?.url).flatMap { RemoteHost(of: $0)?.name } ?? ""
            return ModelList.Connection(
                name: connection.name, profile: connection.profile, model: connection.model, place: place,
                keyName: connection.keyName ?? server?.keyName, fallback: connection.fallback,
                isUsed: used?.connection == connection.name,
                isDefault: connections.usual == connection.name)
        }
        list.profiles = shelf.servers.map {
            ModelList.Profile(name: $0.name, title: $0.title, url: $0.url, keyName: $0.keyName)
        }
        list.problems = (connections.problems + shelf.problems).map(keyRing.filter.cut)
        return list
    }

    // MARK: Requests

    /// Asks whichever model is chosen at the moment of the request.
    func chatModel(_ catalogue: Catalogue) -> ChatModel {
        let (templates, workspace) = (shelves.templates(), workspace)
        let own = OwnFolders(config: folders.config, data: folders.data, cache: folders.cache)
        let planner = Lazy { [self, settings] () throws(Failure) in
            let language = Languages.language(
                Languages.code(setting: settings.language, environment: Folders.environment))
            let read = templates.compactMap { TemplateReader.read($0.bytes).0 }
            // English is understood everywhere, as the guides say it.
            let usual = language.id == Languages.usual ? nil : Languages.language(Languages.usual)
            let other = usual.map { BuiltInPlanner(catalogue: catalogue, templates: read, language: $0) }
            let guides: @Sendable () -> GuideIndex = {
                GuideIndex(GuideShelf(self).list().map { ($0.name, $0.title, $0.about) })
            }
            return BuiltInPlanner(catalogue: catalogue, templates: read, language: language, guides: guides).model(
                or: other
            ) {
                Listing.ofFolder(workspace, own: own)
            }
        }
        let made = Mutex<(profile: ModelProfile, model: ChatModel)?>(nil)
        return { [self] request, tell in
            guard let choice = try model.choice() else { return try await planner.get()(request, tell) }
            // Whoever asked before it: nothing goes to a host that is not allowed at this moment.
            try consents.require(Self.question(for: choice))
            let profile = model.profile(of: choice, with: model.knownKey(of: choice))
            let asked = made.withLock { made in
                if let made, made.profile == profile { return made.model }
                let model = Self.chatModel(of: profile, through: self)
                made = (profile, model)
                return model
            }
            guard let next = choice.fallback else { return try await asked(request, tell) }
            let model = FallbackModel(first: asked, name: choice.words) { [self] () async throws(Failure) in
                try await fallback(next, of: choice)
            }
            try await model.ask(request, tell)
        }
    }

    /// The connection that the person has named for when another cannot answer.
    private func fallback(_ name: String, of choice: ModelChoice) async throws(Failure) -> (ChatModel, words: String)? {
        guard let next = try model.choice(named: name, "in place of \(choice.words)") else { return nil }
        try consents.require(Self.question(for: next))
        let profile = model.profile(of: next, with: try await key(of: next))
        return (Self.chatModel(of: profile, through: self), next.words)
    }

    private static func chatModel(of profile: ModelProfile, through wiring: OpenWorkspace) -> ChatModel {
        RemoteModel.chatModel(profile: profile, client: wiring.client, lessons: wiring.lessons)
    }

    /// Before a request: the person is asked for the model's host, where they can be; then its key is looked up.
    func admitModel(_ confirm: @Sendable (HostQuestion) async -> Void) async throws(Failure) {
        guard let choice = try model.choice() else { return }
        try await admit(Self.question(for: choice), confirm)
        if try await key(of: choice) == nil, let name = choice.profile.keyName {
            if !KeyNames.mayGo(name, to: choice) {
                throw Failure(
                    .keyMissing,
                    "The key \(name) was kept for another address than \(choice.profile.url), so it is not sent there.",
                    remedy: "Connect this address with its own key: assent connect \(choice.profile.url)")
            }
            if choice.host.place == .thisMachine { return }
            throw Failure(
                .keyMissing, "\(choice.profile.title) wants a key, and \(name) is not set.",
                remedy: "Set \(name) in the environment, or put the key into the config folder, as keys/\(name).")
        }
    }

    /// The key of a model: the one that is known, or else the first that is found, which is known and cut out of texts
    /// from then on.
    func key(of choice: ModelChoice) async throws(Failure) -> APIKey? {
        if let known = model.knownKey(of: choice) { return known }
        let secrets = secrets
        guard let (name, key) = try await blocking({ () throws(Failure) in Self.key(of: choice, secrets) }) else {
            return nil
        }
        keyRing.learn(key.text, called: name)
        model.keep(key, called: name, of: choice)
        return key
    }

    /// The first that is found. Blocks while a program is asked.
    private static func key(of choice: ModelChoice, _ secrets: Secrets) -> (name: String, key: APIKey)? {
        for name in choice.keyNames where KeyNames.mayGo(name, to: choice) {
            let found = name == ModelSources.keyVariable ? Folders.environment(name) : secrets.key(name)
            if let key = found.flatMap({ APIKey($0) }) { return (name, key) }
        }
        return nil
    }

    /// Whom a chosen model is reached at.
    static func question(for choice: ModelChoice) -> HostQuestion {
        HostQuestion([choice.host], for: .model, whom: choice.profile.model)
    }
}

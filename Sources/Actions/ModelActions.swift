import LanguageModels
import Services
import Storage
package import Vocabulary

extension Limits {
    /// How long a picker waits for a server's list of models, in seconds.
    fileprivate static let modelListSeconds = 8.0
}

/// The use cases of the chosen model: which model this process uses, and which it could use. Failures are
/// `unknownConnection` and `badSettings`.
package struct ModelActions: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of the chosen model.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    private var model: ConnectedModel { shared.model }
    private var requests: ModelRequests { ModelRequests(shared) }

    // MARK: The choice

    /// The name of the model for the banner and for events, or nil for the built-in planner.
    package var name: String? {
        do throws(Failure) { return try model.choice()?.words } catch {
            return "no model: what is set cannot be used (/doctor)"
        }
    }

    /// Uses a model from the next request of this process on. A word of `/model` is stored with the conversation.
    package func use(_ word: String, _ wish: ModelWish) throws(Failure) -> ModelList.Use? {
        let choice = try model.use(word, isSessions: wish == .session)
        keepOfSession()
        return choice.map { ModelList.Use(words: $0.words, reason: $0.reason) }
    }

    /// Stores a connection as the default for later sessions, in `connections.yaml`.
    package func keep(_ name: String) throws(Failure) {
        let known = shared.modelFiles.connections(shared.keyRing)
        guard name == ModelConnection.builtIn || known[name] != nil else {
            if let problem = known.problems.first(where: { $0.manifests.isEmpty || $0.manifests.contains(name) }) {
                throw Failure(.badSettings, problem.description, remedy: "Mend it first.")
            }
            throw Failure(
                .unknownConnection, "There is no connection \"\(name.prefix(80))\".",
                remedy: "'assent model list' names those that there are; 'assent connect' makes one.")
        }
        try shared.modelFiles.setDefault(name, shared.keyRing)
        model.refresh()
    }

    // MARK: The conversation

    /// Leaves the conversation, and with it the model that was chosen there.
    package func leave() { model.enter(nil, saying: nil) }

    /// Uses the model that was chosen last in a conversation, unless the command line names one.
    func enter(_ id: SessionID) {
        guard !model.hasOption else { return }
        // If it cannot be read, the conversation goes on with the usual model.
        model.enter(id, saying: (try? shared.archive.get().model(ofSession: id)) ?? nil)
    }

    /// Makes a conversation the one in which the choice of a model is stored.
    func begin(_ id: SessionID) {
        model.sessionID = id
        keepOfSession()
    }

    /// Stores the word of the last `/model` with the conversation, for its next resumption.
    private func keepOfSession() {
        guard let id = model.sessionID, let said = model.said else { return }
        // The choice holds in this process all the same.
        try? shared.archive.get().setModel(said, ofSession: id)
    }

    // MARK: The list

    /// Returns the connections, the profiles, and the model that is used.
    package func list() throws(Failure) -> ModelList {
        let (files, filter) = (shared.modelFiles, shared.keyRing.filter)
        let (connections, shelf) = (files.connections(shared.keyRing), files.shelf())
        var list = ModelList(file: files.connectionsPath)
        var used: ModelChoice?
        do throws(Failure) { used = try model.choice() } catch { list.failure = filter.cut(error) }
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
        list.problems = (connections.problems + shelf.problems).map(filter.cut)
        return list
    }

    /// Returns the models that the server in use lists. The list is empty if the built-in planner is used.
    package func offered() async throws(Failure) -> [String] {
        guard let choice = try model.choice() else { return [] }
        return try await requests.probe(of: choice, seconds: Limits.modelListSeconds).models()
    }

    /// Tries a model with one tiny request.
    ///
    /// - Parameter name: a connection, `PROFILE/MODEL` or a model, or nil for the model that is used.
    /// - Returns: the name of the model for the person, and the result.
    package func test(_ name: String?) async throws(Failure) -> (words: String, trial: ModelTrial) {
        let choice = if let name { try model.choice(named: name, "for a test") } else { try model.choice() }
        guard let choice else {
            throw Failure(
                .unknownConnection, "The built-in planner is used, and needs no test.",
                remedy: "Connect a model: 'assent connect'")
        }
        return (choice.words, try await requests.trial(of: choice))
    }
}

import HTTP
import LanguageModels
import Services
import Storage
package import Vocabulary

/// The use cases of connecting a model: its address, its key, its trial and its entry in `connections.yaml`.
package struct ConnectionSetup: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of connecting a model.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    private var model: ConnectedModel { shared.model }
    private var requests: ModelRequests { ModelRequests(shared) }

    // MARK: The server

    /// Returns the draft of a connection for a word of the person: the name of a connection or of a profile, or an
    /// address.
    ///
    /// - Throws: `unknownConnection`, `badAddress`.
    package func draft(_ word: String) throws(Failure) -> ConnectionDraft {
        let connections = shared.modelFiles.connections(shared.keyRing)
        if let known = connections[word] {
            return ConnectionDraft(connection: known, title: known.name, needsAddress: false)
        }
        let shelf = shared.modelFiles.shelf()
        if let server = shelf[word] {
            return ConnectionDraft(
                connection: ModelConnection(name: server.name, profile: server.name, model: ""), title: server.title,
                needsAddress: server.url == nil)
        }
        if AddressFault.isMeant(word) { try Self.requireAddress(word) }
        guard word.hasPrefix("http://") || word.hasPrefix("https://"), let host = RemoteHost(of: word) else {
            throw Failure(
                .unknownConnection,
                "There is no profile and no provider of jobs \"\(word.prefix(80))\", and it is no address.",
                remedy:
                    "'assent connect' lists both at a terminal, 'assent model list' the profiles; an address begins with https:// or http://."
            )
        }
        let server = shelf.server(at: host)
        let name = Self.freeName(server?.name ?? Self.name(of: host), for: word, in: connections)
        return ConnectionDraft(
            connection: ModelConnection(name: name, profile: server?.name, url: word, model: ""),
            title: server?.title ?? host.name,
            needsAddress: false)
    }

    /// Returns a name for a server without a profile, such as `example` for `api.example.com`.
    private static func name(of host: RemoteHost) -> String {
        if host.place == .thisMachine { return "local" }
        let common: Set<Substring> = ["api", "www", "com", "ai", "org", "net"]
        return host.host.split(separator: ".").first { !common.contains($0) }.map(String.init) ?? "model"
    }

    /// Returns a name that no connection to another address has, such as `local-2`.
    private static func freeName(_ wanted: String, for address: String, in connections: ModelConnections) -> String {
        let stem = ModelConnection.isName(wanted) ? wanted : "model"
        var (name, number) = (stem, 2)
        while let taken = connections[name], taken.url != address {
            name = "\(stem)-\(number)"
            number += 1
        }
        return name
    }

    /// Checks an address.
    ///
    /// - Throws: `badAddress`. The message leaves the address out if it may contain a password.
    private static func requireAddress(_ address: String) throws(Failure) {
        guard let fault = AddressFault(of: address) else { return }
        let shown = fault == .userInfo || address.contains("@") ? "" : " \"\(address.prefix(80))\""
        throw Failure(
            .badAddress, "The address\(shown) \(fault.words)",
            remedy: fault == .userInfo
                ? "Take it out; the key is asked for, or read with --key-stdin." : "Such as https://llm.example.com/v1."
        )
    }

    /// Returns the consent question for the host of a connection.
    ///
    /// - Throws: `badAddress`.
    package func question(_ connection: ModelConnection) throws(Failure) -> HostQuestion {
        if let url = connection.url { try Self.requireAddress(url) }
        return try choice(of: connection).hostQuestion
    }

    /// Returns the choice that a connection makes. Its model may still be missing.
    private func choice(of connection: ModelConnection) throws(Failure) -> ModelChoice {
        var connection = connection
        if connection.model.isEmpty { connection.model = "default" }
        guard let choice = try model.choice(of: connection) else {
            throw Failure(.unknownConnection, "\(connection.name) is no server of models.")
        }
        return choice
    }

    // MARK: The key

    /// Returns whether the key of a connection is found, and its name.
    package func keyState(_ connection: ModelConnection) async throws(Failure) -> KeyState {
        let choice = try choice(of: connection)
        let name = keyName(of: choice)
        if try await requests.key(of: choice) != nil { return .found(name: name) }
        return choice.profile.keyName == nil && choice.host.place == .thisMachine
            ? .notWanted(name: name) : .missing(name: name)
    }

    /// Uses a key for the requests of this process. `keepKey` stores it.
    ///
    /// - Parameter written: the key. If it is empty, the key of the connection is forgotten.
    package func tryKey(_ written: String, _ connection: ModelConnection) throws(Failure) {
        guard !written.isEmpty else { return model.forgetKey(of: try choice(of: connection)) }
        guard let key = APIKey(written), written.utf8.count <= Limits.keyBytes else {
            throw Failure(.badUsage, "This is no key.", remedy: "A key is one line of text.")
        }
        let choice = try choice(of: connection)
        shared.keyRing.learn(key.text, called: keyName(of: choice))
        model.keep(key, of: choice)
    }

    /// Stores a key under a name.
    ///
    /// - Throws: `badUsage`, `keyNotKept`, `keyExists` if another key is stored under this name.
    package func keepKey(_ key: String, _ name: String, _ place: KeyStorage) async throws(Failure) {
        let store = KeyStore(secrets: shared.secrets)
        try await shared.blocking { () throws(Failure) in try store.keep(key, called: name, place) }
    }

    /// Returns the name under which a key is stored: the name that the connection says, or the name of the profile if
    /// the connection has the profile's own address. All other addresses have a name of their own.
    private func keyName(of choice: ModelChoice) -> String {
        let name = choice.keyNames.first { $0 != ModelSources.keyVariable && KeyNames.mayGo($0, to: choice) }
        let server = shared.modelFiles.shelf()[choice.profile.name]
        // A profile without an address leads to many servers, which would all share the name of its key.
        if let name, name != server?.keyName || server?.url != nil { return name }
        return KeyNames.name(for: choice)
    }

    // MARK: The trial

    /// Returns the models that the server of a connection lists. The list is empty if the server has none.
    package func models(_ connection: ModelConnection) async throws(Failure) -> [String] {
        try await requests.probe(of: try choice(of: connection)).models(throwsRefusals: true)
    }

    /// Tries a connection with one tiny request that asks for a call of a tool.
    package func trial(_ connection: ModelConnection) async throws(Failure) -> ModelTrial {
        try await requests.trial(of: try choice(of: connection))
    }

    // MARK: The entry

    /// Stores a connection as the default, and uses it in this process.
    package func put(_ connection: ModelConnection) throws(Failure) {
        try shared.modelFiles.connect(connection, shared.keyRing)
        model.refresh()
        // In other processes, a model that the environment names comes first. Here the person has just chosen.
        _ = try ModelActions(shared).use(connection.name, .session)
    }

    /// Undoes the last `put` if the file was not changed since, because the key of the connection could not be stored.
    package func takeBack() throws(Failure) {
        try shared.modelFiles.takeBack()
        model.refresh()
    }

    /// Deletes what refusals have taught about a model, or about all models.
    ///
    /// - Returns: the number of deleted lessons.
    package func forget(_ model: String?) throws(Failure) -> Int {
        try shared.archive.get().forgetLessons(ofModel: model)
    }
}

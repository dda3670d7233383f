/// The model that is used, with the reason for the choice.
package struct ModelChoice: Hashable, Sendable {
    /// The profile of the model, without its key.
    package var profile: ModelProfile
    package var host: RemoteHost
    /// The connection that named the model, if there is one.
    package var connection: String?
    /// The reason in words for the user, such as `by --model`.
    package var reason: String
    /// The names under which the key is looked up. The first one that exists is used. `ASSENT_API_KEY` is looked up in
    /// the environment only.
    package var keyNames: [String]
    /// The connection that is used if this one cannot answer.
    package var fallback: String?
}

/// The sources from which a model is chosen. The first source that names a model decides: the command line, the
/// session, the environment, the user's connections, and at last `model:` of the settings, which is older than
/// connections.
package struct ModelSources: Sendable {
    /// `model:` of `settings.yaml`.
    package struct OldModel: Hashable, Sendable {
        package var url: String
        package var model: String?
        package var keyVariable: String?

        package init(url: String, model: String? = nil, keyVariable: String? = nil) {
            self.url = url
            self.model = model
            self.keyVariable = keyVariable
        }
    }

    /// The environment variables that name a model. `ASSENT_API_KEY` is not among them, so that its value stays out of
    /// a choice.
    package static let variables = ["ASSENT_MODEL_URL", "ASSENT_MODEL", "ASSENT_MODEL_PROFILE"]
    package static let keyVariable = "ASSENT_API_KEY"

    /// `--model` of this process.
    package var option: String?
    /// The model that `/model` named in this session.
    package var session: String?
    package var environment: [String: String]
    package var connections: ModelConnections
    package var old: OldModel?
    /// The known servers. They are read only when needed, since most choices need no profile.
    private let shelf: @Sendable () -> ModelShelf
    /// Returns the host of an address, or `nil` if the address has none. The caller passes this function, since
    /// Vocabulary cannot parse addresses.
    private let host: @Sendable (String) -> RemoteHost?

    package init(
        option: String? = nil, session: String? = nil, environment: [String: String] = [:],
        connections: ModelConnections = .init(),
        old: OldModel? = nil, shelf: @escaping @Sendable () -> ModelShelf,
        host: @escaping @Sendable (String) -> RemoteHost?
    ) {
        self.option = option
        self.session = session
        self.environment = environment
        self.connections = connections
        self.shelf = shelf
        self.old = old
        self.host = host
    }

    /// Returns the model to use, or `nil` for the built-in planner.
    ///
    /// - Throws: `unknownConnection` for a word that names nothing, and `badSettings` for settings that are not valid.
    package func choice() throws(Failure) -> ModelChoice? {
        if let option { return try choice(named: option, "by --model") }
        if let session { return try choice(named: session, "by /model") }
        return try usual(model: nil)
    }

    /// Returns the model that a word names, or `nil` for the built-in planner.
    ///
    /// - Parameter word: a connection, `PROFILE/MODEL`, `CONNECTION/MODEL`, or a model of the default server.
    package func choice(named word: String, _ reason: String) throws(Failure) -> ModelChoice? {
        if word == ModelConnection.builtIn { return nil }
        guard !word.isEmpty, word.utf8.count <= Limits.modelNameBytes else { throw unknown(word) }
        if let connection = try connection(word) { return try choice(of: connection, reason) }
        if let slash = word.firstIndex(of: "/"), slash > word.startIndex {
            let (name, model) = (String(word[..<slash]), String(word[word.index(after: slash)...]))
            if !model.isEmpty, let connection = try connection(name) {
                return try choice(of: connection, model: model, reason)
            }
            if !model.isEmpty, let server = try server(name) { return try choice(of: server, model: model, reason) }
        }
        guard var choice = try usual(model: word) else { throw unknown(word) }
        choice.reason = reason
        return choice
    }

    // MARK: What holds unless something else is said

    private func usual(model: String?) throws(Failure) -> ModelChoice? {
        let named = model ?? environment["ASSENT_MODEL"]
        let profile = environment["ASSENT_MODEL_PROFILE"]
        if let url = environment["ASSENT_MODEL_URL"] {
            var server: ServerProfile?
            if let profile { server = try known(profile) }
            return try choice(
                at: url, server, model: named ?? "default", "by ASSENT_MODEL_URL", remedy: "Set ASSENT_MODEL_URL.")
        }
        if let profile {
            guard let named else {
                throw Failure(
                    .badSettings, "ASSENT_MODEL_PROFILE is set and ASSENT_MODEL is not.",
                    remedy: "Set ASSENT_MODEL, too.")
            }
            return try choice(of: try known(profile), model: named, "by ASSENT_MODEL_PROFILE")
        }
        let also = environment["ASSENT_MODEL"] == nil ? "" : ", with ASSENT_MODEL"
        // A single connection needs no default. If it cannot be read, no other model is used in its place.
        let needsAll = connections.defaultName == nil && connections.all.count <= 1
        try refuse(connections.problems.first { needsAll || $0.manifests.isEmpty })
        if let name = connections.usual {
            if name == ModelConnection.builtIn { return nil }
            guard let connection = try connection(name) else {
                throw Failure(
                    .badSettings, "The default of connections.yaml is \(name), which is none of them.",
                    remedy: Self.mend)
            }
            let reason =
                connections.defaultName == nil ? "the only one of connections.yaml" : "the default of connections.yaml"
            return try choice(of: connection, model: named, reason + also)
        }
        guard let old else { return nil }
        var choice = try choice(
            at: old.url, nil, model: named ?? old.model ?? "default", "model: of settings.yaml" + also,
            remedy: Self.mend)
        if let variable = old.keyVariable, variable != Self.keyVariable {
            choice.keyNames = [variable, Self.keyVariable]
        }
        return choice
    }

    // MARK: One server

    private func choice(of server: ServerProfile, model: String, _ reason: String) throws(Failure) -> ModelChoice {
        guard let url = server.url else {
            throw Failure(
                .badSettings, "The address of \(server.title) is your own, and the profile \(server.name) has none.",
                remedy: "Write a connection with its url into connections.yaml, or set ASSENT_MODEL_URL.")
        }
        return try choice(at: url, server, model: model, reason, remedy: Self.mend)
    }

    private func choice(of connection: ModelConnection, model: String? = nil, _ reason: String) throws(Failure)
        -> ModelChoice
    {
        var server: ServerProfile?
        if let profile = connection.profile { server = try known(profile) }
        let model = model ?? connection.model
        var choice: ModelChoice
        if let url = connection.url {
            choice = try self.choice(at: url, server, model: model, reason, remedy: Self.mend)
        } else if let server {
            choice = try self.choice(of: server, model: model, reason)
        } else {
            throw Failure(
                .badSettings, "The connection \(connection.name) has neither a profile nor a url.", remedy: Self.mend)
        }
        connection.settings.apply(to: &choice.profile)
        if let name = connection.keyName {
            choice.profile.keyName = name
            choice.keyNames = [name] + choice.keyNames.filter { $0 == Self.keyVariable }
        }
        choice.connection = connection.name
        choice.fallback = connection.fallback
        return choice
    }

    /// Returns the choice of a model at an address.
    ///
    /// - Parameter server: the server that the user named. If it is `nil`, the server is found by its host, or the
    ///   usual profile is used.
    private func choice(
        at url: String, _ server: ServerProfile?, model: String, _ reason: String, remedy: String
    ) throws(Failure) -> ModelChoice {
        let host = try checked(url, remedy: remedy)
        var server = server
        if server == nil, host.place != .thisMachine {
            // Any problem of the file might concern this host.
            try refuse(shelf().problems.first)
            server = shelf().server(at: host)
        }
        var profile = server?.profile(for: model, at: url) ?? ModelProfile(url: url, model: model)
        if profile.title.isEmpty { profile.title = host.name }
        if url != server?.url, let dialect = ModelProfile.Dialect(atEndOf: url) { profile.dialect = dialect }
        // A key belongs to the host it was given for. If the address of the server is different for each user, it
        // belongs to the address that the user names.
        if let server, server.url != nil, server.host != host { profile.keyName = nil }
        let keyVariable = host == hostOfKeyVariable ? [Self.keyVariable] : []
        return ModelChoice(
            profile: profile, host: host, reason: reason, keyNames: keyVariable + [profile.keyName].compactMap(\.self))
    }

    /// The only host that receives `ASSENT_API_KEY`: the host of the environment, or else of the default connection.
    package var hostOfKeyVariable: RemoteHost? {
        if let url = environment["ASSENT_MODEL_URL"] { return host(url) }
        if let profile = environment["ASSENT_MODEL_PROFILE"] { return shelf()[profile]?.host }
        if let name = connections.usual {
            guard let connection = connections[name] else { return nil }
            return connection.url.map { host($0) } ?? connection.profile.flatMap { shelf()[$0]?.host }
        }
        return old.flatMap { host($0.url) }
    }

    // MARK: What is refused

    private func checked(_ url: String, remedy: String) throws(Failure) -> RemoteHost {
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw Failure(.badSettings, "The model's address \"\(url)\" is no http or https address.", remedy: remedy)
        }
        // The address is shown and written into events, so that a name and a password in it would be shown, too.
        guard
            !url.split(separator: "/", omittingEmptySubsequences: false).dropFirst(2).prefix(1).contains(where: {
                $0.contains("@")
            })
        else {
            throw Failure(
                .badSettings, "The model's address has a name or a password in it.",
                remedy: "Take it out, and set ASSENT_API_KEY instead."
            )
        }
        guard let host = host(url) else {
            throw Failure(.badSettings, "The model's address has no host that can be read.", remedy: remedy)
        }
        return host
    }

    /// Returns a connection by its name, or `nil` if there is none of that name.
    private func connection(_ name: String) throws(Failure) -> ModelConnection? {
        try refuse(connections.problems.first { $0.manifests.isEmpty || $0.manifests.contains(name) })
        return connections[name]
    }

    private func server(_ name: String) throws(Failure) -> ServerProfile? {
        try refuse(shelf().problems.first { $0.manifests.isEmpty || $0.manifests.contains(name) })
        return shelf()[name]
    }

    private func known(_ name: String) throws(Failure) -> ServerProfile {
        if let server = try server(name) { return server }
        throw Failure(.badSettings, "There is no profile \"\(name)\".", remedy: "'assent model list' names them.")
    }

    private func refuse(_ problem: Problem?) throws(Failure) {
        if let problem { throw Failure(.badSettings, problem.description, remedy: Self.mend) }
    }

    private func unknown(_ word: String) -> Failure {
        Failure(
            .unknownConnection, "There is no connection and no model \"\(word.prefix(80))\".",
            remedy: "'assent model list' names the connections; a model of a profile is written PROFILE/MODEL.")
    }

    private static let mend = "Mend it; 'assent doctor' says what is wrong."
}

extension ModelProfile.Dialect {
    /// Finds the dialect of a complete address, such as `…/v1/messages`. Returns `nil` for a base address.
    package init?(atEndOf url: String) {
        var path = url.prefix { $0 != "?" && $0 != "#" }
        while path.hasSuffix("/") { path.removeLast() }
        let ends: [(String, ModelProfile.Dialect)] = [
            ("/chat/completions", .chatCompletions), ("/v1/messages", .messages), ("/v1/responses", .responses),
            ("/api/chat", .ollama),
        ]
        guard let end = ends.first(where: { path.hasSuffix($0.0) }) else { return nil }
        self = end.1
    }
}

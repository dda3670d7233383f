/// A server of models as `models.yaml` describes it. Together with the name of a model it makes a `ModelProfile`.
package struct ServerProfile: Hashable, Sendable {
    /// Settings for some models of the server.
    package struct Rule: Hashable, Sendable {
        package var names: [NamePattern]
        package var settings: ModelSettings

        package init(names: [NamePattern], settings: ModelSettings) {
            self.names = names
            self.settings = settings
        }
    }

    /// The name that users write, such as `openai`.
    package var name: String
    package var title: String
    /// The base of the server's addresses, or `nil` if each user has an address of their own.
    package var url: String?
    /// The host of `url`.
    package var host: RemoteHost?
    /// The name under which the key is looked up, or `nil` if the server needs no key.
    package var keyName: String?
    package var settings = ModelSettings()
    /// The rules in the order in which they are applied. A later rule overrides an earlier one.
    package var rules: [Rule] = []

    package init(name: String, title: String, url: String? = nil, host: RemoteHost? = nil, keyName: String? = nil) {
        self.name = name
        self.title = title
        self.url = url
        self.host = host
        self.keyName = keyName
    }

    /// Returns the profile for a model of the server.
    ///
    /// - Parameter url: the user's address, or `nil` for the server's own.
    package func profile(for model: String, at url: String? = nil) -> ModelProfile {
        var profile = ModelProfile(url: url ?? self.url ?? "", model: model)
        profile.name = name
        profile.title = title
        profile.keyName = keyName
        settings.apply(to: &profile)
        for rule in rules where rule.names.contains(where: { $0.matches(model) }) { rule.settings.apply(to: &profile) }
        return profile
    }
}

/// The known servers of models by name: those that ship, and the user's own.
package struct ModelShelf: Hashable, Sendable {
    /// The servers in the order of their files.
    package private(set) var servers: [ServerProfile] = []
    /// The problems of the user's file.
    package private(set) var problems: [Problem] = []

    package init() {}

    package subscript(name: String) -> ServerProfile? { servers.first { $0.name == name } }

    /// Returns the known server at a host, or `nil` if there is none.
    ///
    /// Servers on this machine are never recognised by their host, since a port does not tell which program listens on
    /// it. The user names the profile instead.
    package func server(at host: RemoteHost) -> ServerProfile? {
        guard host.place != .thisMachine else { return nil }
        return servers.first { $0.host == host }
    }

    /// Adds a server, or replaces the one of its name.
    package mutating func put(_ server: ServerProfile) {
        if let place = servers.firstIndex(where: { $0.name == server.name }) {
            servers[place] = server
        } else {
            servers.append(server)
        }
    }

    /// Adds problems and removes the servers that they concern, so that nothing is sent to another place than the user
    /// wrote.
    package mutating func report(_ problems: [Problem]) {
        self.problems += problems
        let names = Set(problems.flatMap(\.manifests))
        servers.removeAll { names.contains($0.name) }
    }
}

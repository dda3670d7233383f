/// A server of models as `models.yaml` describes it, without a model: `ModelProfile` is what comes of it for one.
package struct ServerProfile: Hashable, Sendable {
    /// Some of its models.
    package struct Rule: Hashable, Sendable {
        package var names: [NamePattern]
        package var settings: ModelSettings

        package init(names: [NamePattern], settings: ModelSettings) {
            self.names = names
            self.settings = settings
        }
    }

    /// As people call it, such as `openai`.
    package var name: String
    package var title: String
    /// The base of its addresses; `nil` where each person has one of their own.
    package var url: String?
    /// Where that leads.
    package var host: RemoteHost?
    /// By which name its key is looked up; `nil` if it wants none.
    package var keyName: String?
    package var settings = ModelSettings()
    /// In the order in which they are applied: the last word holds.
    package var rules: [Rule] = []

    package init(name: String, title: String, url: String? = nil, host: RemoteHost? = nil, keyName: String? = nil) {
        self.name = name
        self.title = title
        self.url = url
        self.host = host
        self.keyName = keyName
    }

    /// Returns what holds for one model of it, at its own address, or at the person's.
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

/// The servers of models that are known by name: those that ship, and the person's own.
package struct ModelShelf: Hashable, Sendable {
    /// In the order of their files.
    package private(set) var servers: [ServerProfile] = []
    /// What is wrong with the person's file.
    package private(set) var problems: [Problem] = []

    package init() {}

    package subscript(name: String) -> ServerProfile? { servers.first { $0.name == name } }

    /// Returns the server that an address is known to be.
    ///
    /// What listens on this machine is none: which program has a port today is not told by its number, so the person
    /// names the profile.
    package func server(at host: RemoteHost) -> ServerProfile? {
        guard host.place != .thisMachine else { return nil }
        return servers.first { $0.host == host }
    }

    /// Puts a server in the place of the one of its name.
    package mutating func put(_ server: ServerProfile) {
        if let place = servers.firstIndex(where: { $0.name == server.name }) {
            servers[place] = server
        } else {
            servers.append(server)
        }
    }

    /// Takes the servers away of which the person has written something that cannot be read: nothing is sent elsewhere
    /// than they wrote.
    package mutating func report(_ problems: [Problem]) {
        self.problems += problems
        let names = Set(problems.flatMap(\.manifests))
        servers.removeAll { names.contains($0.name) }
    }
}

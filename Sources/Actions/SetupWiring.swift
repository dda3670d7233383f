import HTTP
import LanguageModels
import Services
import Storage
import Vocabulary

/// Connecting a model, wired to files, keys and requests.
extension OpenWorkspace {
    package var setup: ConnectionSetup {
        ConnectionSetup(
            draft: { [self] word throws(Failure) in try draft(word) },
            question: { [self] connection throws(Failure) in
                if let url = connection.url { try Self.requireAddress(url) }
                return Self.question(for: try choice(of: connection))
            },
            keyState: { [self] connection async throws(Failure) in try await keyState(of: connection) },
            tryKey: { [self] written, connection throws(Failure) in try self.take(written, for: connection) },
            keepKey: { [self] key, name, place async throws(Failure) in
                let store = KeyStore(secrets: secrets)
                try await blocking { () throws(Failure) in try store.keep(key, called: name, place) }
            },
            models: { [self] connection async throws(Failure) in
                try await probe(of: try choice(of: connection)).models(throwsRefusals: true)
            },
            trial: { [self] connection async throws(Failure) in try await trial(of: try choice(of: connection)) },
            put: { [self] connection throws(Failure) in
                try modelFiles.connect(connection, keyRing)
                model.refresh()
                // What the environment says comes first in other processes; here the person has just chosen.
                _ = try model.use(connection.name, isSessions: true)
                keepModelOfSession()
            },
            takeBack: { [modelFiles, model] () throws(Failure) in
                try modelFiles.takeBack()
                model.refresh()
            },
            forget: { [archive] model throws(Failure) in try archive.get().forgetLessons(ofModel: model) })
    }

    private func draft(_ word: String) throws(Failure) -> ConnectionDraft {
        if let known = modelFiles.connections(keyRing)[word] {
            return ConnectionDraft(connection: known, title: known.name, needsAddress: false)
        }
        let shelf = modelFiles.shelf()
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
        let label = host.host.split(separator: ".").filter { !["api", "www", "com", "ai", "org", "net"].contains($0) }
            .first
        var name = server?.name ?? (host.place == .thisMachine ? "local" : label.map(String.init) ?? "model")
        if !ModelConnection.isName(name) { name = "model" }
        // Another server is another connection.
        let (stem, known) = (name, modelFiles.connections(keyRing))
        var number = 2
        while let taken = known[name], taken.url != word {
            name = "\(stem)-\(number)"
            number += 1
        }
        return ConnectionDraft(
            connection: ModelConnection(name: name, profile: server?.name, url: word, model: ""),
            title: server?.title ?? host.name,
            needsAddress: false)
    }

    /// - Throws: `badAddress`. It is not said back where a password may stand in it.
    private static func requireAddress(_ address: String) throws(Failure) {
        guard let fault = AddressFault(of: address) else { return }
        let shown = fault == .userInfo || address.contains("@") ? "" : " \"\(address.prefix(80))\""
        throw Failure(
            .badAddress, "The address\(shown) \(fault.words)",
            remedy: fault == .userInfo
                ? "Take it out; the key is asked for, or read with --key-stdin." : "Such as https://llm.example.com/v1."
        )
    }

    /// As it would be asked; its model may still be missing.
    private func choice(of connection: ModelConnection) throws(Failure) -> ModelChoice {
        var connection = connection
        if connection.model.isEmpty { connection.model = "default" }
        guard let choice = try model.choice(of: connection) else {
            throw Failure(.unknownConnection, "\(connection.name) is no server of models.")
        }
        return choice
    }

    /// For this process only.
    private func take(_ written: String, for connection: ModelConnection) throws(Failure) {
        guard !written.isEmpty else { return model.forgetKey(of: try choice(of: connection)) }
        guard let key = APIKey(written), written.utf8.count <= Limits.keyBytes else {
            throw Failure(.badUsage, "This is no key.", remedy: "A key is one line of text.")
        }
        let choice = try choice(of: connection)
        keyRing.learn(key.text, called: keyName(of: choice))
        model.keep(key, of: choice)
    }

    /// The name by which a key is kept: the one that the connection says, or that of a profile at the profile's own
    /// address, which each other of its keys has, too; or else one of this address alone.
    private func keyName(of choice: ModelChoice) -> String {
        let name = choice.keyNames.first { $0 != ModelSources.keyVariable && KeyNames.mayGo($0, to: choice) }
        let server = modelFiles.shelf()[choice.profile.name]
        // Where each person has an address of their own, the name of the profile's key is shared by all of them.
        if let name, name != server?.keyName || server?.url != nil { return name }
        return KeyNames.name(for: choice)
    }

    private func keyState(of connection: ModelConnection) async throws(Failure) -> KeyState {
        let choice = try choice(of: connection)
        let name = keyName(of: choice)
        if try await key(of: choice) != nil { return .found(name: name) }
        return choice.profile.keyName == nil && choice.host.place == .thisMachine
            ? .notWanted(name: name) : .missing(name: name)
    }

    /// - Parameter seconds: how long a silent server is waited for; `nil` as for every request.
    func probe(of choice: ModelChoice, seconds: Double? = nil) async throws(Failure) -> ModelProbe {
        try consents.require(Self.question(for: choice))
        var profile = model.profile(of: choice, with: try await key(of: choice))
        if let seconds {
            (profile.connectSeconds, profile.idleSeconds, profile.totalSeconds) = (seconds, seconds, seconds)
        }
        return ModelProbe(profile: profile, client: client, lessons: lessons)
    }

    func trial(of choice: ModelChoice) async throws(Failure) -> ModelTrial {
        let begun = Self.now()
        let outcome = try await probe(of: choice).test()
        return ModelTrial(
            callsTools: outcome.callsTools, notices: outcome.notices,
            milliseconds: Int(Self.now().milliseconds - begun.milliseconds))
    }

    // MARK: Lessons

    /// Two servers may stand behind one host. What is behind the `?` may be anything.
    private static func address(of profile: ModelProfile) -> String { String(profile.url.prefix { $0 != "?" }) }

    /// What refusals have taught, in the database: a store that fails teaches nothing, and nothing is lost.
    var lessons: LessonBook {
        LessonBook(
            known: { [archive] profile in
                (try? archive.get().lessons(at: Self.address(of: profile), model: profile.model)) ?? []
            },
            learn: { [archive] lesson, profile in
                try? archive.get().learn(lesson, at: Self.address(of: profile), model: profile.model, on: Self.now())
            })
    }
}

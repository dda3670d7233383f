import Synchronization
package import Vocabulary

/// The model that this process asks: chosen when it is first wanted, and again after each word about it.
package final class ConnectedModel: Sendable {
    private struct State {
        var option: String?
        var session: String?
        /// The conversation that it is said in.
        var sessionID: SessionID?
        var choice: Result<ModelChoice?, Failure>?
        /// The keys that were found, for the host and by the names of a choice.
        var keys: [KeyPlace: (name: String?, key: APIKey)] = [:]
    }

    private struct KeyPlace: Hashable {
        let host: RemoteHost
        /// Two servers may stand behind one host.
        let url: String
        let names: [String]

        init(_ choice: ModelChoice) { (host, url, names) = (choice.host, choice.profile.url, choice.keyNames) }
    }

    private let settings: Settings
    private let files: ModelFiles
    private let keyRing: KeyRing
    private let state = Mutex(State())

    /// Creates the model of a process; nothing is read before the first choice.
    package init(settings: Settings, files: ModelFiles, keyRing: KeyRing) {
        self.settings = settings
        self.files = files
        self.keyRing = keyRing
    }

    /// `nil` for the built-in planner.
    package func choice() throws(Failure) -> ModelChoice? {
        let (known, option, session) = state.withLock { ($0.choice, $0.option, $0.session) }
        if let known { return try known.get() }
        let made = choice(option, session)
        state.withLock { $0.choice = made }
        return try made.get()
    }

    /// What a connection, `PROFILE/MODEL` or a model would be, such as one to fall back on.
    package func choice(named word: String, _ reason: String) throws(Failure) -> ModelChoice? {
        try sources(nil, nil).choice(named: word, reason)
    }

    /// What a connection would be, whatever else is set.
    package func choice(of connection: ModelConnection) throws(Failure) -> ModelChoice? {
        var sources = try sources(nil, nil)
        // A key belongs to the host it was given for: connecting another does not change which that is.
        let host = sources.hostOfKeyVariable
        (sources.environment, sources.old) = ([:], nil)
        sources.connections = ModelConnections([connection], defaultName: connection.name)
        var choice = try sources.choice(named: connection.name, "assent connect")
        if choice?.host != host { choice?.keyNames.removeAll { $0 == ModelSources.keyVariable } }
        return choice
    }

    /// Takes a word of the person: nothing changes where it names nothing that can be used. A word in the session comes
    /// later than the command line, and counts.
    ///
    /// - Parameter isSessions: whether `/model` says it, and not `--model`.
    package func use(_ word: String, isSessions: Bool) throws(Failure) -> ModelChoice? {
        let made = choice(isSessions ? nil : word, isSessions ? word : nil)
        let choice = try made.get()
        state.withLock { state in
            (state.option, state.session, state.choice) = (isSessions ? nil : word, isSessions ? word : nil, made)
        }
        return choice
    }

    /// Enters a conversation, with the word that was said in it; or leaves all of them.
    package func enter(_ id: SessionID?, saying word: String?) {
        state.withLock { state in (state.sessionID, state.session, state.choice) = (id, word, nil) }
        // What it named may be gone.
        if word != nil, (try? choice()) == nil { state.withLock { ($0.session, $0.choice) = (nil, nil) } }
    }

    /// The word about the model that the session has said; `nil` if it has said none.
    package var said: String? { state.withLock { $0.session } }
    /// The conversation of this process, in which words about the model are kept.
    package var sessionID: SessionID? {
        get { state.withLock { $0.sessionID } }
        set { state.withLock { $0.sessionID = newValue } }
    }
    /// Whether the command line names the model.
    package var hasOption: Bool { state.withLock { $0.option != nil } }

    /// The files are read anew.
    package func refresh() { state.withLock { $0.choice = nil } }

    private func choice(_ option: String?, _ session: String?) -> Result<ModelChoice?, Failure> {
        do throws(Failure) { return .success(try sources(option, session).choice()) } catch { return .failure(error) }
    }

    private func sources(_ option: String?, _ session: String?) throws(Failure) -> ModelSources {
        var environment: [String: String] = [:]
        for name in ModelSources.variables { environment[name] = Folders.environment(name) }
        // What the environment names needs no settings.
        let old = environment["ASSENT_MODEL_URL"] == nil ? try settings.oldModel() : nil
        return ModelSources(
            option: option, session: session, environment: environment, connections: files.connections(keyRing),
            old: old,
            shelf: { [files] in files.shelf() }, host: { RemoteHost(of: $0) })
    }

    // MARK: Keys

    /// The key as it was found; `nil` where none has been looked up, or there is none.
    package func knownKey(of choice: ModelChoice) -> APIKey? {
        state.withLock { $0.keys[KeyPlace(choice)]?.key }
    }

    /// What is asked, with a key that was found for it, and the name by which that was found: of one that was typed
    /// there is none.
    package func profile(of choice: ModelChoice, with key: APIKey?) -> ModelProfile {
        var profile = choice.profile
        profile.apiKey = key
        if key != nil { profile.keyName = state.withLock { $0.keys[KeyPlace(choice)]?.name } }
        return profile
    }

    /// Keeps a key for the requests of this process.
    ///
    /// - Parameter name: the name by which the key was found; `nil` for a key that was typed.
    package func keep(_ key: APIKey, called name: String? = nil, of choice: ModelChoice) {
        state.withLock { $0.keys[KeyPlace(choice)] = (name, key) }
    }

    /// It was refused: the next request looks for it anew.
    package func forgetKey(of choice: ModelChoice) { state.withLock { $0.keys[KeyPlace(choice)] = nil } }
}

extension ModelChoice {
    /// As the banner and events name it, such as `gpt-5 at api.example.com`.
    package var words: String {
        let place = profile.url.split(separator: "/").dropFirst().first.map(String.init) ?? profile.url
        return "\(profile.model) at \(place)"
    }
}

import Synchronization
package import Vocabulary

/// The model that this process uses. It is chosen at its first use, and again after each change by the user.
package final class ConnectedModel: Sendable {
    private struct State {
        var option: String?
        var session: String?
        /// The conversation in which `session` was named.
        var sessionID: SessionID?
        var choice: Result<ModelChoice?, Failure>?
        /// The keys that were found, by the place of the choice, with the names under which they were found.
        var keys: [KeyPlace: (name: String?, key: APIKey)] = [:]
    }

    private struct KeyPlace: Hashable {
        let host: RemoteHost
        /// The address of the server, since two servers may share a host.
        let url: String
        let names: [String]

        init(_ choice: ModelChoice) { (host, url, names) = (choice.host, choice.profile.url, choice.keyNames) }
    }

    private let settings: Settings
    private let files: ModelFiles
    private let keyRing: KeyRing
    private let state = Mutex(State())

    /// Creates the model of a process. No file is read before the first choice.
    package init(settings: Settings, files: ModelFiles, keyRing: KeyRing) {
        self.settings = settings
        self.files = files
        self.keyRing = keyRing
    }

    /// Returns the chosen model, or nil for the built-in planner. The choice is made at the first call.
    package func choice() throws(Failure) -> ModelChoice? {
        let (known, option, session) = state.withLock { ($0.choice, $0.option, $0.session) }
        if let known { return try known.get() }
        let made = choice(option, session)
        state.withLock { $0.choice = made }
        return try made.get()
    }

    /// Returns the choice that a word would make, without changing the current one. The word is a connection,
    /// `PROFILE/MODEL` or a model.
    package func choice(named word: String, _ reason: String) throws(Failure) -> ModelChoice? {
        try sources(nil, nil).choice(named: word, reason)
    }

    /// Returns the choice that a connection would make, whatever the environment and the settings say.
    package func choice(of connection: ModelConnection) throws(Failure) -> ModelChoice? {
        var sources = try sources(nil, nil)
        // A key in the environment belongs to the host for which it was set. Another connection does not change that.
        let host = sources.hostOfKeyVariable
        (sources.environment, sources.old) = ([:], nil)
        sources.connections = ModelConnections([connection], defaultName: connection.name)
        var choice = try sources.choice(named: connection.name, "'assent connect'")
        if choice?.host != host { choice?.keyNames.removeAll { $0 == ModelSources.keyVariable } }
        return choice
    }

    /// Makes the choice that the user names. If the word names nothing usable, throws and changes nothing. A word in
    /// the session replaces the one of the command line.
    ///
    /// - Parameter isSessions: whether the word comes from `/model`, not from `--model`.
    package func use(_ word: String, isSessions: Bool) throws(Failure) -> ModelChoice? {
        let made = choice(isSessions ? nil : word, isSessions ? word : nil)
        let choice = try made.get()
        state.withLock { state in
            (state.option, state.session, state.choice) = (isSessions ? nil : word, isSessions ? word : nil, made)
        }
        return choice
    }

    /// Enters a conversation, with the word that its last `/model` named, or leaves the current one.
    package func enter(_ id: SessionID?, saying word: String?) {
        state.withLock { state in (state.sessionID, state.session, state.choice) = (id, word, nil) }
        // The connection that the word named may have been removed.
        if word != nil, (try? choice()) == nil { state.withLock { ($0.session, $0.choice) = (nil, nil) } }
    }

    /// The word that the last `/model` of the session named, or nil if there was none.
    package var said: String? { state.withLock { $0.session } }
    /// The conversation of this process, in which the user's choice of a model is stored.
    package var sessionID: SessionID? {
        get { state.withLock { $0.sessionID } }
        set { state.withLock { $0.sessionID = newValue } }
    }
    /// Whether the command line names the model.
    package var hasOption: Bool { state.withLock { $0.option != nil } }

    /// Discards the choice, so that the files are read again for the next one.
    package func refresh() { state.withLock { $0.choice = nil } }

    private func choice(_ option: String?, _ session: String?) -> Result<ModelChoice?, Failure> {
        do throws(Failure) { return .success(try sources(option, session).choice()) } catch { return .failure(error) }
    }

    private func sources(_ option: String?, _ session: String?) throws(Failure) -> ModelSources {
        var environment: [String: String] = [:]
        for name in ModelSources.variables { environment[name] = Folders.environment(name) }
        // If the environment names a model, the settings are not needed.
        let old = environment["ASSENT_MODEL_URL"] == nil ? try settings.oldModel() : nil
        return ModelSources(
            option: option, session: session, environment: environment, connections: files.connections(keyRing),
            old: old,
            shelf: { [files] in files.shelf() }, host: { RemoteHost(of: $0) })
    }

    // MARK: Keys

    /// Returns the key that was found for a choice. Returns nil if none was looked up, or if there is none.
    package func knownKey(of choice: ModelChoice) -> APIKey? {
        state.withLock { $0.keys[KeyPlace(choice)]?.key }
    }

    /// Returns the profile for a request, with a key and the name under which the key was found. A key that the user
    /// typed has no name.
    package func profile(of choice: ModelChoice, with key: APIKey?) -> ModelProfile {
        var profile = choice.profile
        profile.apiKey = key
        if key != nil { profile.keyName = state.withLock { $0.keys[KeyPlace(choice)]?.name } }
        return profile
    }

    /// Stores a key for the requests of this process.
    ///
    /// - Parameter name: the name under which the key was found, or nil for a key that was typed.
    package func keep(_ key: APIKey, called name: String? = nil, of choice: ModelChoice) {
        state.withLock { $0.keys[KeyPlace(choice)] = (name, key) }
    }

    /// Forgets a key that the server refused, so that the next request looks it up again.
    package func forgetKey(of choice: ModelChoice) { state.withLock { $0.keys[KeyPlace(choice)] = nil } }
}

extension ModelChoice {
    /// The name of the choice in the banner and in events, such as `gpt-5 at api.example.com`.
    package var words: String {
        let place = profile.url.split(separator: "/").dropFirst().first.map(String.init) ?? profile.url
        return "\(profile.model) at \(place)"
    }
}

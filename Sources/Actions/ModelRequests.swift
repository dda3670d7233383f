import LanguageModels
import Services
import Storage
import Vocabulary

extension Limits {
    /// The longest silence and the longest time of an answer of a model on this machine, in seconds.
    fileprivate static let localIdleSeconds = 1_800.0
    fileprivate static let localTotalSeconds = 7_200.0
}

/// The requests to models. Before each, the host of the model is checked and its key is looked up.
struct ModelRequests: Sendable {
    let shared: OpenWorkspace

    init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Checks whether a request may go to the chosen model now, and looks its key up.
    ///
    /// - Parameter confirm: asks the person about a host that is not allowed yet, if the person can be asked.
    /// - Throws: `hostNotAllowed`, `insecureHost`, `keyMissing`.
    func admit(_ confirm: (HostQuestion) async -> Void) async throws(Failure) {
        guard let choice = try shared.model.choice() else { return }
        try await HostPermissions(shared).admit(choice.hostQuestion, confirm)
        guard try await key(of: choice) == nil, let name = choice.profile.keyName else { return }
        guard KeyNames.mayGo(name, to: choice) else {
            throw Failure(
                .keyMissing,
                "The key \(name) was kept for another address than \(choice.profile.url), so it is not sent there.",
                remedy: "Connect this address with its own key: 'assent connect \(choice.profile.url)'")
        }
        if choice.host.place == .thisMachine { return }
        throw Failure(
            .keyMissing, "\(choice.profile.title) wants a key, and \(name) is not set.",
            remedy: "Set \(name) in the environment, or put the key into the config folder, as keys/\(name).")
    }

    /// Returns the function that asks a model. It checks nothing itself.
    ///
    /// - Parameter place: where its server runs. One on this machine may read a long request for minutes in silence.
    func chatModel(of profile: ModelProfile, at place: HostPlace) -> ChatModel {
        var profile = profile
        if place == .thisMachine {
            // What the person has set holds.
            if profile.idleSeconds == Limits.idleSeconds { profile.idleSeconds = Limits.localIdleSeconds }
            if profile.totalSeconds == Limits.totalSeconds { profile.totalSeconds = Limits.localTotalSeconds }
        }
        return RemoteModel.chatModel(profile: profile, client: shared.client, lessons: lessons)
    }

    /// Returns a probe of a model's server.
    ///
    /// - Parameter seconds: how long a silent server is waited for, or nil for the limits of every request.
    /// - Throws: `hostNotAllowed`, `insecureHost`.
    func probe(of choice: ModelChoice, seconds: Double? = nil) async throws(Failure) -> ModelProbe {
        try shared.consents.require(choice.hostQuestion)
        var profile = shared.model.profile(of: choice, with: try await key(of: choice))
        if let seconds {
            (profile.connectSeconds, profile.idleSeconds, profile.totalSeconds) = (seconds, seconds, seconds)
        }
        return ModelProbe(profile: profile, client: shared.client, lessons: lessons)
    }

    /// Tries a model with one tiny request that asks for a call of a tool.
    func trial(of choice: ModelChoice) async throws(Failure) -> ModelTrial {
        let begun = ContinuousClock.now
        let outcome = try await probe(of: choice).test()
        return ModelTrial(
            callsTools: outcome.callsTools, notices: outcome.notices,
            milliseconds: Int((ContinuousClock.now - begun) / .milliseconds(1)))
    }

    // MARK: Keys

    /// Returns the key of a model: the one of earlier requests, otherwise the first that is found. A key that is found
    /// is cut out of texts from then on.
    func key(of choice: ModelChoice) async throws(Failure) -> APIKey? {
        if let known = shared.model.knownKey(of: choice) { return known }
        let secrets = shared.secrets
        guard let (name, key) = try await shared.blocking({ () throws(Failure) in Self.key(of: choice, secrets) })
        else { return nil }
        shared.keyRing.learn(key.text, called: name)
        shared.model.keep(key, called: name, of: choice)
        return key
    }

    /// Returns the first key that is found, with its name. Blocks while a program is asked.
    private static func key(of choice: ModelChoice, _ secrets: Secrets) -> (name: String, key: APIKey)? {
        for name in choice.keyNames where KeyNames.mayGo(name, to: choice) {
            let found = name == ModelSources.keyVariable ? Folders.environment(name) : secrets.key(name)
            if let key = found.flatMap({ APIKey($0) }) { return (name, key) }
        }
        return nil
    }

    // MARK: Lessons

    /// The lessons of refusals, in the database. If the database fails, each request learns again.
    private var lessons: LessonBook {
        LessonBook(
            known: { [archive = shared.archive] profile in
                (try? archive.get().lessons(at: Self.address(of: profile), model: profile.model)) ?? []
            },
            learn: { [archive = shared.archive] lesson, profile in
                let (address, now) = (Self.address(of: profile), OpenWorkspace.now())
                try? archive.get().learn(lesson, at: address, model: profile.model, on: now)
            })
    }

    /// Returns a profile with the lessons about its model.
    func learned(_ profile: ModelProfile) -> ModelProfile {
        var learned = profile
        for lesson in lessons.known(profile) { learned.apply(lesson) }
        return learned
    }

    /// Returns the address under which lessons are stored, since two servers may share a host. The part behind `?` is
    /// left out, since it may contain anything.
    private static func address(of profile: ModelProfile) -> String { String(profile.url.prefix { $0 != "?" }) }
}

extension ModelChoice {
    /// The consent question for the host of the model.
    var hostQuestion: HostQuestion { HostQuestion([host], for: .model, whom: profile.model) }
}

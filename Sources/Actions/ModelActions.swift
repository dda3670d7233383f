package import Vocabulary

/// Which model is asked. Refusals are failures: `unknownConnection`, `badSettings`.
package struct ModelActions: Sendable {
    package var list: @Sendable () throws(Failure) -> ModelList
    /// From the next request on, in this process: as `--model` says, or `/model` in a session, which counts from
    /// then on.
    package var use: @Sendable (_ word: String, ModelWish) throws(Failure) -> ModelList.Use?
    /// What `/model` said last in this process: kept with the session by whoever keeps sessions, and said again
    /// when it is resumed.
    package var said: @Sendable () -> String?
    /// The conversation is left, and with it the word that was said in it.
    package var leave: @Sendable () -> Void
    /// For later sessions: the default of `connections.yaml`.
    package var keep: @Sendable (_ name: String) throws(Failure) -> Void
    /// Asks the server in use for its list of models. The list is empty if the built-in planner is used.
    package var offered: @Sendable () async throws(Failure) -> [String]
    /// One tiny request to what is used, or to what is named; with its name for the person.
    package var test: @Sendable (_ name: String?) async throws(Failure) -> (words: String, ModelTrial)

    package init(
        list: @escaping @Sendable () throws(Failure) -> ModelList,
        use: @escaping @Sendable (String, ModelWish) throws(Failure) -> ModelList.Use?,
        said: @escaping @Sendable () -> String?,
        leave: @escaping @Sendable () -> Void,
        keep: @escaping @Sendable (String) throws(Failure) -> Void,
        offered: @escaping @Sendable () async throws(Failure) -> [String] = { () async throws(Failure) in [] },
        test: @escaping @Sendable (String?) async throws(Failure) -> (words: String, ModelTrial)
    ) {
        self.list = list
        self.use = use
        self.said = said
        self.leave = leave
        self.keep = keep
        self.offered = offered
        self.test = test
    }
}

/// Who says which model is asked.
package enum ModelWish: Hashable, Sendable { case option, session }

/// What can be asked, and what is.
package struct ModelList: Hashable, Sendable {
    package struct Connection: Hashable, Sendable {
        package var name: String
        package var profile: String?
        package var model: String
        /// Its host, or the profile's.
        package var place: String
        package var keyName: String?
        package var fallback: String?
        package var isUsed: Bool
        package var isDefault: Bool

        package init(
            name: String, profile: String?, model: String, place: String, keyName: String? = nil,
            fallback: String? = nil,
            isUsed: Bool = false, isDefault: Bool = false
        ) {
            self.name = name
            self.profile = profile
            self.model = model
            self.place = place
            self.keyName = keyName
            self.fallback = fallback
            self.isUsed = isUsed
            self.isDefault = isDefault
        }
    }

    package struct Profile: Hashable, Sendable {
        package var name: String
        package var title: String
        /// `nil` where it is each person's own.
        package var url: String?
        package var keyName: String?

        package init(name: String, title: String, url: String?, keyName: String?) {
            self.name = name
            self.title = title
            self.url = url
            self.keyName = keyName
        }
    }

    /// The model that is asked, and why.
    package struct Use: Hashable, Sendable {
        /// Such as `gpt-5 at api.example.com`.
        package var words: String
        package var reason: String

        package init(words: String, reason: String) {
            self.words = words
            self.reason = reason
        }
    }

    package var connections: [Connection]
    package var profiles: [Profile]
    /// `nil` for the built-in planner.
    package var use: Use?
    /// Why what is set cannot be used.
    package var failure: Failure?
    /// Of `models.yaml` and `connections.yaml`.
    package var problems: [Problem]
    /// Where connections are written.
    package var file: String

    package init(
        connections: [Connection] = [], profiles: [Profile] = [], use: Use? = nil, failure: Failure? = nil,
        problems: [Problem] = [],
        file: String = ""
    ) {
        self.connections = connections
        self.profiles = profiles
        self.use = use
        self.failure = failure
        self.problems = problems
        self.file = file
    }
}

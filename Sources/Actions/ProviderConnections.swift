package import Vocabulary

/// A provider of jobs, as far as connecting it goes.
package struct JobProvider: Hashable, Sendable {
    package var id: String
    package var title: String
    /// The name under which its key is kept; `nil` where it wants none.
    package var keyName: String?

    package init(id: String, title: String, keyName: String?) {
        self.id = id
        self.title = title
        self.keyName = keyName
    }
}

/// What connecting a provider of jobs needs of the world. Refusals are failures.
package struct ProviderConnections: Sendable {
    /// All that there are, also those without a key, by their ids.
    package var list: @Sendable () throws(Failure) -> [JobProvider]
    /// Its hosts that nobody has allowed for jobs; `nil` where there are none.
    package var question: @Sendable (JobProvider) throws(Failure) -> HostQuestion?
    /// Whether a key of that name is found. Nobody is asked.
    package var hasKey: @Sendable (_ name: String) async throws(Failure) -> Bool
    /// Asks the provider with a key; with the one that is found where `key` is `nil`. Stores nothing.
    ///
    /// - Returns: false where nothing is known that could be asked without cost.
    /// - Throws: `keyRefused`, `keyMissing`, `hostNotAllowed`, and why there was no answer.
    package var trial: @Sendable (_ key: String?, JobProvider) async throws(Failure) -> Bool
    /// Keeps a key until this process ends.
    package var hold: @Sendable (_ key: String, _ name: String) -> Void

    package init(
        list: @escaping @Sendable () throws(Failure) -> [JobProvider],
        question: @escaping @Sendable (JobProvider) throws(Failure) -> HostQuestion?,
        hasKey: @escaping @Sendable (String) async throws(Failure) -> Bool,
        trial: @escaping @Sendable (String?, JobProvider) async throws(Failure) -> Bool,
        hold: @escaping @Sendable (String, String) -> Void
    ) {
        self.list = list
        self.question = question
        self.hasKey = hasKey
        self.trial = trial
        self.hold = hold
    }
}

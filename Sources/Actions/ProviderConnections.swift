import Jobs
import LanguageModels
import Services
package import Vocabulary

/// The use cases of connecting a provider of jobs.
package struct ProviderConnections: Sendable {
    let shared: OpenWorkspace

    /// Creates the use cases of providers.
    package init(_ shared: OpenWorkspace) { self.shared = shared }

    /// Returns all providers in the order of their ids. Those without a key are included.
    package func list() throws(Failure) -> [JobProvider] {
        try shared.providers.get().values.sorted { $0.id < $1.id }.map { provider in
            JobProvider(id: provider.id, title: provider.title, keyName: provider.auth?.secret)
        }
    }

    /// Returns the question about the hosts of a provider that are not allowed for jobs yet, or nil if all are.
    package func question(_ provider: JobProvider) throws(Failure) -> HostQuestion? {
        try HostPermissions(shared).question(of: try manifest(of: provider))
    }

    /// Returns whether a key of that name is found. The person is not asked.
    package func hasKey(_ name: String) async throws(Failure) -> Bool {
        try await shared.blocking { [shared] () throws(Failure) in shared.providerKey(name) != nil }
    }

    /// Tries a key with a request to the provider. Stores nothing.
    ///
    /// - Parameter written: the key, or nil for the one that is stored.
    /// - Returns: false if no request is known that tries a key without cost.
    /// - Throws: `keyRefused`, `keyMissing`, `hostNotAllowed`, or the failure of the request.
    package func trial(_ written: String?, _ provider: JobProvider) async throws(Failure) -> Bool {
        let manifest = try manifest(of: provider)
        if let failure = HostPermissions(shared).refusal(of: manifest) { throw failure }
        let name = provider.keyName ?? ""
        let found: String? =
            if let written { written } else {
                try await shared.blocking { [shared] () throws(Failure) in shared.providerKey(name) }
            }
        guard let found, let key = APIKey(found), found.utf8.count <= Limits.keyBytes else {
            throw Failure(.badUsage, "This is no key.", remedy: "A key is one line of text.")
        }
        // The key must be known before the provider's answer is shown, which may repeat it.
        shared.keyRing.learn(key.text, called: name)
        do throws(Failure) {
            return try await KeyTrial(through: shared.client).isAccepted(key.text, by: manifest)
        } catch {
            throw shared.keyRing.filter.cut(error)
        }
    }

    /// Keeps a key in memory until this process ends.
    package func hold(_ key: String, _ name: String) { shared.keyRing.hold(key, called: name) }

    private func manifest(of provider: JobProvider) throws(Failure) -> ProviderManifest {
        guard let manifest = try shared.providers.get()[provider.id] else {
            throw Failure(.providerNotInstalled, "There is no provider of jobs \"\(provider.id)\".")
        }
        return manifest
    }
}

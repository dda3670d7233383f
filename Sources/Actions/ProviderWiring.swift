import LanguageModels
import Services
import Tools
package import Vocabulary

/// Connecting providers of jobs, wired to manifests, keys and requests.
extension OpenWorkspace {
    package var providerSetup: ProviderConnections {
        ProviderConnections(
            list: { [self] () throws(Failure) in
                try providers.get().values.sorted { $0.id < $1.id }.map { provider in
                    JobProvider(id: provider.id, title: provider.title, keyName: provider.auth?.secret)
                }
            },
            question: { [self] provider throws(Failure) in
                let missing = try consents.missing(try manifest(of: provider).remoteHosts, for: .jobs)
                return missing.isEmpty ? nil : HostQuestion(missing, for: .jobs, whom: provider.title)
            },
            hasKey: { [self] name async throws(Failure) in
                try await blocking { [self] () throws(Failure) in providerKey(name) != nil }
            },
            trial: { [self] key, provider async throws(Failure) in try await trial(key, provider) },
            hold: { [keyRing] key, name in keyRing.hold(key, called: name) })
    }

    private func manifest(of provider: JobProvider) throws(Failure) -> ProviderManifest {
        guard let manifest = try providers.get()[provider.id] else {
            throw Failure(.providerNotInstalled, "There is no provider of jobs \"\(provider.id)\".")
        }
        return manifest
    }

    private func trial(_ written: String?, _ provider: JobProvider) async throws(Failure) -> Bool {
        let manifest = try manifest(of: provider)
        if let failure = refusal(of: manifest) { throw failure }
        let name = provider.keyName ?? ""
        let found = written == nil ? try await blocking { [self] () throws(Failure) in providerKey(name) } : written
        guard let found, let key = APIKey(found), found.utf8.count <= Limits.keyBytes else {
            throw Failure(.badUsage, "This is no key.", remedy: "A key is one line of text.")
        }
        // Before anybody says anything about it.
        keyRing.learn(key.text, called: name)
        do throws(Failure) {
            return try await KeyTrial(through: client).isAccepted(key.text, by: manifest)
        } catch {
            throw keyRing.filter.cut(error)
        }
    }

    // MARK: Keys

    /// The key of that name: what a person gave for this process only, then wherever keys are kept. Blocks.
    package func providerKey(_ name: String) -> String? {
        let key = keyRing.held(name) ?? secrets.key(name)
        if let key { keyRing.learn(key, called: name) }
        return key
    }

    /// Why a provider cannot be asked. One that was found once counts as there: whether it still is, is seen when it is
    /// used. Blocks.
    package func missingKey(of id: String) -> Failure? {
        guard let provider = (try? providers.get())?[id], let auth = provider.auth, !auth.isOptional,
            !keyRing.hasFound(auth.secret)
        else { return nil }
        guard providerKey(auth.secret) == nil else {
            keyRing.note(found: auth.secret)
            return nil
        }
        return .noKey(auth.secret, for: provider)
    }

    /// Whether jobs may go to a host that a call names, as the person has said; this machine counts only where they
    /// said so, too.
    package func isJobHost(_ hostAndPort: String) -> Bool {
        let schemes = HostPlace.ofTarget(hostAndPort) == .thisMachine ? ["http", "https"] : ["https"]
        let hosts = schemes.compactMap { RemoteHost(of: "\($0)://\(hostAndPort)/") }
        let allowed = ((try? consents.list()) ?? []).filter { $0.use == .jobs }
        return hosts.contains { host in allowed.contains { $0.host.covers(host) } }
    }
}

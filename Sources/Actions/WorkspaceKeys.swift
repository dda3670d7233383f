import JSON
import Jobs
import Services
package import Vocabulary

/// The keys of this process, and the values in which keys are sealed.
extension OpenWorkspace {
    /// The places where keys are looked up.
    var secrets: Secrets {
        Secrets(config: folders.config, keyCommand: settings.keyCommand) { [modelFiles, providers, shelves] in
            modelFiles.keyNames().union(shelves.providerKeyNames { (try? providers.get()) ?? [:] })
        }
    }

    /// Returns the keys of models and of providers in the environment and in files. It runs no program and asks no
    /// person. Sealed values are left out, since the author of a plan could choose what is cut out of other texts.
    static func keysAtHand(
        _ settings: Settings, _ secrets: Secrets, _ providers: Set<String>, _ models: Set<String>
    ) -> [(name: String, key: String)] {
        var keys: [(name: String, key: String)] = []
        let variable = ModelSources.keyVariable
        if let key = Folders.environment(variable) { keys.append((variable, key)) }
        let old = [(try? settings.oldModel())?.keyVariable].compactMap(\.self)
        for name in providers.union(models).union(old) where name != variable {
            if let key = secrets.keyAtHand(name) { keys.append((name, key)) }
        }
        return keys
    }

    // MARK: Providers of jobs

    /// Returns the key of a name: the one that the person gave for this process, otherwise the first of the places
    /// where keys are stored. Blocks.
    package func providerKey(_ name: String) -> String? {
        let key = keyRing.held(name) ?? secrets.key(name)
        if let key { keyRing.learn(key, called: name) }
        return key
    }

    /// Returns the failure of a provider whose key is missing, or nil if its jobs can be asked for. A key that was
    /// found once counts as present, since the next request shows whether it still is. Blocks.
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
}

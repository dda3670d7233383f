import Services
import Vocabulary

/// Keys, wired to settings, providers and models.
extension OpenWorkspace {
    /// Where keys are looked up.
    var secrets: Secrets {
        Secrets(config: folders.config, keyCommand: settings.keyCommand) { [modelFiles, providers, shelves] in
            modelFiles.keyNames().union(shelves.providerKeyNames { (try? providers.get()) ?? [:] })
        }
    }

    /// The keys of models and of providers that lie in the environment or in a file: nobody is asked, and no program is
    /// run. Not what is sealed: whoever writes a plan would choose what is cut elsewhere.
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
}

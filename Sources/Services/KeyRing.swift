import Manifests
import Synchronization
package import Vocabulary

extension Limits {
    /// The most keys of the user that one process cuts out of texts. Further keys are not learned.
    fileprivate static let knownKeys = 1_000
}

/// The keys that this process knows, so that none gets into texts that it stores, shows or sends. The ring is filled
/// when the first text is filtered, which is after the first prompt. It stays in memory only.
package final class KeyRing: Sendable {
    private struct Key: Hashable {
        var name: String
        var text: String
    }

    private struct State {
        var keys: Set<Key> = []
        var filter: KeyFilter?
        /// The keys that were given for this process only, by name.
        var held: [String: String] = [:]
        var found: Set<String> = []
    }

    private let state = Mutex(State())
    private let forms: Lazy<[KeyForm]>
    private let first: @Sendable () -> [(name: String, key: String)]

    /// Creates a ring. It calls `first` when the first text is filtered.
    ///
    /// - Parameter first: returns the keys that can be read without running a program, by name.
    package init(_ first: @escaping @Sendable () -> [(name: String, key: String)]) {
        self.first = first
        forms = Lazy { () throws(Failure) in
            readKeyForms(PlacedJSON(shipped: "Config/keys.yaml"), file: "keys.yaml").forms
        }
    }

    /// A filter that cuts out the known keys, and texts in the form of a key.
    package var filter: KeyFilter {
        if let known = state.withLock({ $0.filter }) { return known }
        let (forms, first) = ((try? forms.get()) ?? [], first())
        return state.withLock { state in
            state.keys.formUnion(first.map { Key(name: $0.name, text: $0.key) })
            let made = KeyFilter(forms: forms, values: state.keys.map { (name: $0.name, key: $0.text) })
            state.filter = made
            return made
        }
    }

    /// Holds a key that the user gave for this process only.
    package func hold(_ key: String, called name: String) {
        learn(key, called: name)
        state.withLock { $0.held[name] = key }
    }

    /// Returns the key of a name that was given for this process only, or nil if there is none.
    package func held(_ name: String) -> String? { state.withLock { $0.held[name] } }

    /// Records that a key of this name exists, so that no program is run again to find out.
    package func note(found name: String) { state.withLock { _ = $0.found.insert(name) } }
    /// Returns whether a key of that name was recorded as found.
    package func hasFound(_ name: String) -> Bool { state.withLock { $0.found.contains(name) } }

    /// Adds a key that was looked up, or a secret that was opened. From now on, it is cut out of texts.
    package func learn(_ key: String, called name: String) {
        state.withLock { state in
            guard state.keys.count < Limits.knownKeys, state.keys.insert(Key(name: name, text: key)).inserted else {
                return
            }
            state.filter = nil
        }
    }
}

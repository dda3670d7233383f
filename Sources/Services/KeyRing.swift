import Embedded
import Manifests
import Synchronization
package import Vocabulary

extension Limits {
    /// Keys of the person that one process knows.
    fileprivate static let knownKeys = 1_000
}

/// The keys that this process knows of, so that none gets into what it stores, shows or sends on. Made when the first
/// text comes by, which is after the first prompt. In memory only.
package final class KeyRing: Sendable {
    private struct Key: Hashable {
        var name: String
        var text: String
    }

    private struct State {
        var keys: Set<Key> = []
        var filter: KeyFilter?
        /// By their names: given for this process only.
        var held: [String: String] = [:]
        var found: Set<String> = []
    }

    private let state = Mutex(State())
    private let forms: Lazy<[KeyForm]>
    private let first: @Sendable () -> [(name: String, key: String)]

    /// Creates a ring; `first` is called when the first text comes by.
    ///
    /// - Parameter first: keys that can be had without asking anybody, by their names.
    package init(_ first: @escaping @Sendable () -> [(name: String, key: String)]) {
        self.first = first
        forms = Lazy { () throws(Failure) in
            readKeyForms(Embedded.text(at: "Config/keys.yaml") ?? "", file: "keys.yaml").forms
        }
    }

    /// A filter that cuts the known keys, and what has the form of a key.
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

    /// Keeps a key that a person gave for this process only.
    package func hold(_ key: String, called name: String) {
        learn(key, called: name)
        state.withLock { $0.held[name] = key }
    }

    /// Returns the key that was given for this process only; `nil` if none of that name was.
    package func held(_ name: String) -> String? { state.withLock { $0.held[name] } }

    /// Notes that a key of that name is there, so that no program is run again to find that out.
    package func note(found name: String) { state.withLock { _ = $0.found.insert(name) } }
    /// Returns whether a key of that name was noted as found.
    package func hasFound(_ name: String) -> Bool { state.withLock { $0.found.contains(name) } }

    /// A key that was looked up, or a secret that was opened: from now on it is cut, too.
    package func learn(_ key: String, called name: String) {
        state.withLock { state in
            guard state.keys.count < Limits.knownKeys, state.keys.insert(Key(name: name, text: key)).inserted else {
                return
            }
            state.filter = nil
        }
    }
}

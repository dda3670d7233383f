/// The state of the key that a connection needs, with the name of the key.
package enum KeyState: Hashable, Sendable {
    /// No key is found, and the server probably needs none, as most servers on this machine.
    case notWanted(name: String)
    /// A key is found.
    case found(name: String)
    /// No key is found, and the server needs one.
    case missing(name: String)

    /// The name under which the key is looked up and stored.
    package var name: String {
        switch self {
        case .notWanted(let name), .found(let name), .missing(let name): name
        }
    }
}

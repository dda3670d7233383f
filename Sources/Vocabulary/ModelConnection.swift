extension Limits {
    /// The most bytes of a connection's name.
    fileprivate static let connectionNameBytes = 64
}

/// A model that the user has connected, under a name of their choice (`connections.yaml`).
package struct ModelConnection: Hashable, Sendable {
    package var name: String
    /// The profile of `models.yaml`. It is `nil` if the address identifies the server, or if no profile fits.
    package var profile: String?
    /// The address, or `nil` for the one of the profile.
    package var url: String?
    package var model: String
    /// The name of the key, never the key itself, or `nil` for the one of the profile.
    package var keyName: String?
    /// The connection that is used if this one cannot answer.
    package var fallback: String?
    package var settings = ModelSettings()

    package init(
        name: String, profile: String? = nil, url: String? = nil, model: String, keyName: String? = nil,
        fallback: String? = nil
    ) {
        self.name = name
        self.profile = profile
        self.url = url
        self.model = model
        self.keyName = keyName
        self.fallback = fallback
    }

    /// The word for the built-in planner in place of a connection's name.
    package static let builtIn = "built-in"
    /// Words that cannot be names of connections, since they have a meaning of their own.
    package static let reservedNames: Set = [builtIn, "list", "test", "forget"]

    /// The rule for names, as the rest of a sentence that begins with "A connection's name".
    package static var nameRule: String {
        "has letters, digits, -, _ and ., at most \(Limits.connectionNameBytes), and is none of \(reservedNames.sorted().joined(separator: ", "))"
    }

    /// Returns whether a connection can have this name.
    package static func isName(_ name: String) -> Bool {
        let isWritten = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
        }
        return isWritten && !name.isEmpty && name.utf8.count <= Limits.connectionNameBytes
            && !reservedNames.contains(name)
    }
}

/// The content of `connections.yaml`.
package struct ModelConnections: Hashable, Sendable {
    package var all: [ModelConnection]
    /// The default connection as it is written in the file. `built-in` stands for the planner.
    package var defaultName: String?
    /// The problems of the file. A problem of a single connection names it, and that connection is left out.
    package var problems: [Problem]

    package init(_ all: [ModelConnection] = [], defaultName: String? = nil, problems: [Problem] = []) {
        self.all = all
        self.defaultName = defaultName
        self.problems = problems
    }

    package subscript(name: String) -> ModelConnection? { all.first { $0.name == name } }

    /// The connection that is used by default. A single connection needs no `default`.
    package var usual: String? { defaultName ?? (all.count == 1 && problems.isEmpty ? all[0].name : nil) }
}

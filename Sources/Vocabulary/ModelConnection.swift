extension Limits {
    fileprivate static let connectionNameBytes = 64
}

/// A model that the person has connected, by a name of theirs (`connections.yaml`).
package struct ModelConnection: Hashable, Sendable {
    package var name: String
    /// Of `models.yaml`; `nil` if the address tells it, or nothing does.
    package var profile: String?
    /// `nil` for that of the profile.
    package var url: String?
    package var model: String
    /// The name of its key, never the key itself; `nil` for that of the profile.
    package var keyName: String?
    /// Whose turn it is where this one cannot answer.
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

    /// The word that stands for the built-in planner where a connection could be named.
    package static let builtIn = "built-in"
    /// Words that have a meaning of their own where a connection is named.
    package static let reservedNames: Set = [builtIn, "list", "test", "forget"]

    /// Behind "A connection's name".
    package static var nameRule: String {
        "has letters, digits, -, _ and ., at most \(Limits.connectionNameBytes), and is none of \(reservedNames.sorted().joined(separator: ", "))"
    }

    /// Whether a connection can be called so.
    package static func isName(_ name: String) -> Bool {
        let isWritten = name.unicodeScalars.allSatisfy {
            $0.isASCII && ($0.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains($0))
        }
        return isWritten && !name.isEmpty && name.utf8.count <= Limits.connectionNameBytes
            && !reservedNames.contains(name)
    }
}

/// What `connections.yaml` says.
package struct ModelConnections: Hashable, Sendable {
    package var all: [ModelConnection]
    /// As it is written; `built-in` is the planner.
    package var defaultName: String?
    /// What is wrong with the file. Those of one connection name it; it is left out.
    package var problems: [Problem]

    package init(_ all: [ModelConnection] = [], defaultName: String? = nil, problems: [Problem] = []) {
        self.all = all
        self.defaultName = defaultName
        self.problems = problems
    }

    package subscript(name: String) -> ModelConnection? { all.first { $0.name == name } }

    /// What is used unless something else is said: a single connection needs no `default`.
    package var usual: String? { defaultName ?? (all.count == 1 && problems.isEmpty ? all[0].name : nil) }
}

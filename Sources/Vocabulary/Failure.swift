/// What went wrong, for the person: one sentence, a code that scripts can match, and what to do.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// lowerCamelCase and stable, such as `badParam`, `toolNotInstalled`, `processFailed`, `rejected`.
    package var code: String
    package var message: String
    package var remedy: String?
    /// For the log only: never shown unasked, never sent to a model.
    package var cause: String?
    /// Whether the same request may succeed later (a 503, a full slot). The engine spends its retries only on these.
    package var isTransient: Bool
    /// When a server said how long to wait (`semantics.md` 6).
    package var retryAfterSeconds: Double?
    /// The assets that the tool gave before it failed, such as the output of a command. They are stored with the run, and no text of the
    /// failure names them.
    package var left: [Asset] = []

    package init(
        _ code: String, _ message: String, remedy: String? = nil, cause: (any Error)? = nil, isTransient: Bool = false,
        retryAfterSeconds: Double? = nil
    ) {
        self.code = code
        self.message = message
        self.remedy = remedy
        self.cause = cause.map { "\($0)" }
        self.isTransient = isTransient
        self.retryAfterSeconds = retryAfterSeconds
    }

    package var description: String { "\(message) (\(code))" + (remedy.map { " \($0)" } ?? "") }

    /// The code of a program that was ended by `SIGKILL`, and not by us: by a person, by the kernel when memory was short, or with all
    /// processes of a container.
    package static let killedCode = "processKilled"
}

/// One fault of something a person or a model wrote. Readers return all of them at once (`semantics.md` 29).
package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: String
    /// `node.port`, `node.param`, `line 3, column 7`, or empty for the whole.
    package var place: String
    package var message: String
    /// The kinds or ids of the manifests that cannot be used for it.
    package var manifests: [String] = []

    package init(_ code: String, at place: String = "", _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    package var description: String { place.isEmpty ? "\(message) (\(code))" : "\(place): \(message) (\(code))" }
}

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
    /// The assets that the tool gave before it failed, such as the output of a command. They are stored with the run,
    /// and no text of the failure names them.
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

    /// The code of a program that was ended by `SIGKILL`, and not by us: by a person, by the kernel when memory was
    /// short, or with all processes of a container.
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
    /// The change of the text that would mend it; `nil` if none is known. It is shown, and never made.
    package var fix: Fix?

    /// A word that stands at a place, and the word that was meant.
    package struct Fix: Hashable, Sendable {
        /// Counts from 1, as the column does, in characters.
        package let line: Int
        package let column: Int
        package let wrong: String
        package let right: String

        /// Creates a change of a word.
        package init(line: Int, column: Int, wrong: String, right: String) {
            (self.line, self.column, self.wrong, self.right) = (line, column, wrong, right)
        }

        /// Returns the line as it is and as it would be.
        ///
        /// - Returns: `nil` if the word does not stand there in `text`.
        package func lines(of text: String) -> (old: String, new: String)? {
            let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            guard lines.indices.contains(line - 1) else { return nil }
            let old = lines[line - 1]
            let (before, rest) = (old.prefix(column - 1), old.dropFirst(column - 1))
            guard rest.hasPrefix(wrong) else { return nil }
            return (String(old), before + right + rest.dropFirst(wrong.count))
        }
    }

    package init(_ code: String, at place: String = "", _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    package var description: String { place.isEmpty ? "\(message) (\(code))" : "\(place): \(message) (\(code))" }
}

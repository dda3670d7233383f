/// An error that is reported to the user: one sentence, a code for scripts, and a remedy.
package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: FailureCode
    package var message: String
    package var remedy: String?
    /// The technical cause, for the log only. It is never shown unless the user asks for it, and is never sent to a
    /// model.
    package var cause: String?
    /// Whether the same request may succeed later (a 503, a full slot). The engine spends its retries only on these.
    package var isTransient: Bool
    /// The delay that a server demanded before the next request, in seconds (`semantics.md` 6).
    package var retryAfterSeconds: Double?
    /// The assets that the tool made before it failed, such as the output of a command. They are stored with the run,
    /// and no text of the failure names them.
    package var left: [Asset] = []

    /// Creates a failure with a code of ours. Its remedy is that of the code if none is given.
    package init(
        _ code: Code, _ message: String, remedy: String? = nil, cause: (any Error)? = nil, isTransient: Bool = false,
        retryAfterSeconds: Double? = nil
    ) {
        self.init(
            FailureCode.ours(code), message, remedy: remedy ?? code.remedy, cause: cause, isTransient: isTransient,
            retryAfterSeconds: retryAfterSeconds)
    }

    /// Creates a failure with a code that was stored, or that came from outside.
    package init(
        _ code: FailureCode, _ message: String, remedy: String? = nil, cause: (any Error)? = nil,
        isTransient: Bool = false,
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
}

/// An error in a text that a person or a model wrote. Readers report all problems of a text at once (`semantics.md`
/// 29).
package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var code: FailureCode
    /// `node.port`, `node.param`, `line 3, column 7`, or empty for the whole.
    package var place: String
    package var message: String
    /// The kinds or ids of the manifests that cannot be used because of the problem.
    package var manifests: [String] = []
    /// The change of the text that would fix the problem, or `nil` if none is known. It is shown, and never applied.
    package var fix: Fix?

    /// A wrong word at a place, with the word that was meant.
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

        /// Returns the line in its old and its new form.
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

    /// Creates a problem with a code of ours.
    package init(_ code: Code, at place: String = "", _ message: String) {
        self.init(.ours(code), at: place, message)
    }

    /// Creates a problem with the code of a failure or a reason.
    package init(_ code: FailureCode, at place: String = "", _ message: String) {
        self.code = code
        self.place = place
        self.message = message
    }

    package var description: String { place.isEmpty ? "\(message) (\(code))" : "\(place): \(message) (\(code))" }
}

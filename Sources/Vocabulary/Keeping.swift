/// An asset that is kept offline: its content and its preview are taken by nothing that frees space (`semantics.md`
/// 126).
package struct KeptAsset: Hashable, Sendable {
    package var hash: ContentHash
    package var bytes: Int
    /// The asset it was named by: workflow, step, attempt and port, which may be gone by now.
    package var run: RunID
    package var port: String
    package var name: String
    package var at: Moment

    package init(hash: ContentHash, bytes: Int, run: RunID, port: String, name: String, at: Moment) {
        self.hash = hash
        self.bytes = bytes
        self.run = run
        self.port = port
        self.name = name
        self.at = at
    }
}

/// A workflow that nobody carries out until a person lets it go on. The others go on.
package struct Quarantine: Hashable, Sendable {
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// Its rows cannot be read, or contradict each other.
        case damaged
        /// It came from a bundle and was not over.
        case imported
    }

    package var workflow: WorkflowID
    package var cause: Cause
    /// One sentence.
    package var reason: String
    package var at: Moment

    package init(workflow: WorkflowID, cause: Cause, reason: String, at: Moment) {
        self.workflow = workflow
        self.cause = cause
        self.reason = reason
        self.at = at
    }
}

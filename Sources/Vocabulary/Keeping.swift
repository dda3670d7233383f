/// An asset that is kept offline. Its content and its preview are never deleted to free space (`semantics.md` 126).
package struct KeptAsset: Hashable, Sendable {
    package var hash: ContentHash
    package var bytes: Int
    /// The name by which it was pinned: workflow, step, attempt and port, which may be deleted by now.
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

/// A workflow that no engine runs until a person releases it. Other workflows are not affected.
package struct Quarantine: Hashable, Sendable {
    package enum Cause: String, Hashable, Sendable, CaseIterable {
        /// The rows of the workflow cannot be read, or contradict each other.
        case damaged
        /// The workflow was imported from a bundle and had not ended.
        case imported
    }

    package var workflow: WorkflowID
    package var cause: Cause
    /// The reason in one sentence.
    package var reason: String
    package var at: Moment

    package init(workflow: WorkflowID, cause: Cause, reason: String, at: Moment) {
        self.workflow = workflow
        self.cause = cause
        self.reason = reason
        self.at = at
    }
}

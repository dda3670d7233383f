import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// Of an id of a node, of a kind, a port or an input that comes in.
    static let nameBytes = 128
    static let retryCapSeconds = 600.0

    /// Above this the run fails with `cooldown` (`semantics.md` 6).
    static let retryAfterSeconds = 900.0
    static let pollBackoffSeconds = [10.0, 20.0, 40.0, 60.0]

    /// Answers in a row that nothing can be done with, until the run ends.
    package static let jobStuckAnswers = 5

    /// Searches in a row for a job that may exist that come to nothing, until a person is asked.
    package static let jobSearches = 10

    /// After a crash: how long a submission that its engine had sent may take until the provider lists the job.
    package static let onItsWaySeconds = 30.0

    /// Refusals of the key with which a job was taken, without a good answer between them, until the person is asked
    /// for another. It is looked up anew after each.
    package static let keyRefusals = 2
    static let causeRoots = 8
}

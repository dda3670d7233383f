import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most bytes of an id of a node, of a kind, a port or an input.
    static let nameBytes = 128

    /// The longest pause before a retry of a step, in seconds, if no server names one.
    static let retryCapSeconds = 600.0

    /// The longest pause that a server may ask for, in seconds. If it asks for more, the run fails with `cooldown`
    /// (`semantics.md` 6).
    static let retryAfterSeconds = 900.0

    /// The pauses after the first and further failed status checks of a job, in seconds. The last one is repeated.
    static let pollBackoffSeconds = [10.0, 20.0, 40.0, 60.0]

    /// The unusable answers of a provider in a row after which the run ends.
    package static let jobStuckAnswers = 5

    /// The failed searches in a row for a job that may exist, after which a person is asked.
    package static let jobSearches = 10

    /// How long a submission that was sent before a crash may take until the provider lists the job, in seconds.
    package static let onItsWaySeconds = 30.0

    /// The refusals of a key in a row after which the user is asked for another. The job was accepted with this key. It
    /// is looked up again after each refusal.
    package static let keyRefusals = 2

    /// The most steps in other slots that `why` lists as causes.
    static let causeRoots = 8
}

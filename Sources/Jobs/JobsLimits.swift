package import Vocabulary

/// The bounds that several files of this module share. Sizes are bytes, times are seconds.
extension Limits {
    /// The most bytes of a provider's answer, unless the request has its own limit.
    static let statusBytes = 1 << 20

    /// The most bytes of a request to a provider, and of an input in it.
    static let submitBytes = 64 << 20

    /// The most bytes of an answer with the log of a job.
    static let jobLogBytes = 4 << 20

    /// How deep the JSON of a provider's answer may be nested.
    static let jobAnswerDepth = 64

    /// How long a key is kept in memory after it was looked up, in seconds. Thus a thousand polls do not query the
    /// keyring a thousand times.
    static let keySeconds = 60.0

    /// The last lines of a log, and the values of an answer, that a pattern reads at each status check.
    static let patternLines = 200

    /// The most bytes of a file that is fetched from the network.
    package static let fetchBytes = 512 << 20
}

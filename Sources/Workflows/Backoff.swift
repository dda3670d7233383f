import Vocabulary

extension Limits {
    /// How often a step whose failure is transient is tried again (`semantics.md` 5).
    package static let retries = 3

    /// The pause before the first retry of a step, in seconds.
    fileprivate static let retryBaseSeconds = 30.0

    /// How many times longer each further pause between retries is.
    fileprivate static let retryFactor = 4.0

    /// The part of a pause before a retry by which it is randomly shorter or longer.
    fileprivate static let retryJitter = 0.25
}

/// The decision whether, and when, a step with a transient failure is tried again (`semantics.md` 5 and 6).
enum Backoff {
    enum Verdict: Hashable {
        case again(afterSeconds: Double)
        case giveUp(Failure)
    }

    /// Returns whether a failed step is tried again after a pause, or ends with its failure.
    ///
    /// - Parameter tries: the attempts made so far, at least 1.
    static func verdict(on failure: Failure, tries: Int, now: Moment, random: inout some RandomNumberGenerator)
        -> Verdict
    {
        guard failure.isTransient else { return .giveUp(failure) }
        guard tries <= Limits.retries else {
            var given = failure
            given.remedy = given.remedy ?? "It was tried \(tries) times. Retry it when the cause is gone."
            return .giveUp(given)
        }
        if let asked = failure.retryAfterSeconds {
            guard asked <= Limits.retryAfterSeconds else {
                // A server may ask for any number, also for none that can be counted to.
                let time = now + (asked < Limits.longestWaitSeconds ? asked : Limits.longestWaitSeconds)
                return .giveUp(
                    Failure(
                        .cooldown, "\(failure.message) It may be tried again at \(time).", remedy: "Retry it then."))
            }
            // Upward only: sooner than the server asked would be refused again.
            return .again(afterSeconds: max(0, asked) * Double.random(in: 1...1 + Limits.retryJitter, using: &random))
        }
        var delay = Limits.retryBaseSeconds
        for _ in 1..<max(1, tries) { delay *= Limits.retryFactor }
        let jitter = Double.random(in: 1 - Limits.retryJitter...1 + Limits.retryJitter, using: &random)
        return .again(afterSeconds: min(delay, Limits.retryCapSeconds) * jitter)
    }

    /// Returns the reason that a step shows while it waits for its next attempt. It includes the remedy of the failure,
    /// so that the user can act before the last attempt.
    static func reason(_ failure: Failure, _ seconds: Double) -> Reason {
        let words = [failure.message, "Trying again in \(Int(seconds.rounded())) s.", failure.remedy]
        return Reason(.backoff, words.compactMap(\.self).joined(separator: " "))
    }
}

import HTTP
import Vocabulary

extension Limits {
    /// The longest pause before the first retry of a request to a model, in seconds. It doubles with each retry, and a
    /// random part of it is waited for.
    fileprivate static let modelRetryBaseSeconds = 0.5

    /// The longest pause before any retry of a request to a model, in seconds, if the server names none.
    fileprivate static let modelRetryCapSeconds = 8.0

    /// The longest pause that a model's server may ask for, in seconds. If it asks for more, the request fails.
    fileprivate static let modelRetryAfterSeconds = 30.0

    /// The same if the server says that there were too many requests. The person sees the time, and can stop the turn.
    fileprivate static let rateLimitSeconds = 600.0
}

/// The decision whether a model is asked again (`wire.md` LLM 4).
enum Retry: Hashable {
    /// Ask again after this delay.
    case after(seconds: Double)
    case no
    /// The server asks for a longer delay than a person would wait.
    case tooLong(seconds: Double)

    /// Decides about an answer.
    ///
    /// - Parameters:
    ///   - attempt: how many times the model was asked again already.
    ///   - random: a number in 0..<1 that spreads the delay over its whole width ("full jitter"), so that clients that
    ///     failed together do not return together.
    init(_ response: HTTPResponse, attempt: Int, random: Double) {
        let isWorthIt = [408, 409, 429].contains(response.status) || response.status >= 500
        guard isWorthIt, response.headers["x-should-retry"] != "false" else {
            self = .no
            return
        }
        let longest = response.status == 429 ? Limits.rateLimitSeconds : Limits.modelRetryAfterSeconds
        switch response.retryAfter {
        case let seconds? where seconds > longest: self = .tooLong(seconds: seconds)
        case _ where attempt >= Limits.modelRetries: self = .no
        case let seconds?: self = .after(seconds: seconds)
        case nil: self = .after(seconds: Self.delay(attempt, random))
        }
    }

    /// Decides about a failure before the first byte of the body.
    init(_ failure: HTTPFailure, attempt: Int, random: Double) {
        switch failure {
        case .refused, .connectTimeout, .resolve, .truncated:
            self = attempt < Limits.modelRetries ? .after(seconds: Self.delay(attempt, random)) : .no
        // The user has waited long enough, or the request would fail again.
        case .idleTimeout, .totalTimeout, .tls, .tooLarge, .headTooLarge, .redirectRefused, .tooManyRedirects,
            .invalidRequest, .cancelled,
            .other:
            self = .no
        }
    }

    private static func delay(_ attempt: Int, _ random: Double) -> Double {
        random * min(Limits.modelRetryCapSeconds, Limits.modelRetryBaseSeconds * Double(1 << attempt))
    }
}

import HTTP
import Vocabulary

/// Whether a model is asked again, decided without asking (`wire.md` LLM 4).
enum Retry: Hashable {
    /// Ask again after so many seconds.
    case after(seconds: Double)
    case no
    /// The server asks for a longer time than a person waits for.
    case tooLong(seconds: Double)

    /// - Parameters:
    ///   - attempt: how many times it has been asked again already.
    ///   - random: in 0..<1, for the whole width of the delay ("full jitter"): clients that failed together must not
    ///     return together.
    init(_ response: HTTPResponse, attempt: Int, random: Double) {
        let isWorthIt = [408, 409, 429].contains(response.status) || response.status >= 500
        guard isWorthIt, response.headers["x-should-retry"] != "false" else {
            self = .no
            return
        }
        switch response.retryAfter {
        case let seconds? where seconds > Limits.modelRetryAfterSeconds: self = .tooLong(seconds: seconds)
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
        // A person has waited long enough, or it would fail again.
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

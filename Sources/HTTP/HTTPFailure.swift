import CCurl

/// The reason why there is no complete answer. Its description is one sentence.
package enum HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case connectTimeout(seconds: Double)
    case idleTimeout(seconds: Double)
    case totalTimeout(seconds: Double)
    /// No program listens at the address, or the network has no route to it.
    case refused(words: String)
    /// The connection ended before the answer did.
    case truncated(words: String)
    case resolve(words: String)
    case tls(words: String)
    case tooLarge(limit: Int)
    /// The head of the answer is larger than `HTTPLimits.headBytes`.
    case headTooLarge
    case redirectRefused(to: String)
    case tooManyRedirects(limit: Int)
    /// The request itself cannot be sent: a bad address or header.
    case invalidRequest(words: String)
    case cancelled
    /// Another error of libcurl, with libcurl's code.
    case other(code: Int, words: String)

    package var description: String {
        switch self {
        case .connectTimeout(let seconds): "The server could not be reached within \(inWords(seconds))."
        case .idleTimeout(let seconds): "The server sent nothing for \(inWords(seconds))."
        case .totalTimeout(let seconds): "The answer was not complete after \(inWords(seconds))."
        case .refused(let words): "The server does not accept connections: \(words)."
        case .truncated(let words): "The connection ended in the middle of the answer: \(words)."
        case .resolve(let words): "The server's name is not known: \(words)."
        case .tls(let words): "No secure connection could be made: \(words)."
        case .tooLarge(let limit): "The answer is larger than \(limit) bytes."
        case .headTooLarge: "The header of the answer is too large."
        case .redirectRefused(let place): "The server redirects to \(place), which is not allowed."
        case .tooManyRedirects(let limit): "The server redirects more than \(limit) times."
        case .invalidRequest(let words): "The request cannot be sent: \(words)."
        case .cancelled: "The request was cancelled."
        case .other(let code, let words): "The request failed: \(words) (curl \(code))."
        }
    }

    private func inWords(_ seconds: Double) -> String {
        seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }

    /// Makes a failure from libcurl's result. libcurl itself knows only the timeout of connecting. `CurlThread`
    /// enforces the others.
    init(_ code: CURLcode, words: String, timeouts: HTTPRequest.Timeouts) {
        switch code {
        case CURLE_OPERATION_TIMEDOUT: self = .connectTimeout(seconds: timeouts.connect)
        case CURLE_COULDNT_CONNECT: self = .refused(words: words)
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: self = .resolve(words: words)
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .truncated(words: words)
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_USE_SSL_FAILED:
            self = .tls(words: words)
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: self = .invalidRequest(words: words)
        // CURLE_TOO_LARGE. Older versions have no name for it, and report a lack of memory.
        case CURLcode(rawValue: 100): self = .headTooLarge
        default: self = .other(code: Int(code.rawValue), words: words)
        }
    }
}

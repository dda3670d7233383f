import HTTP
import JSON
package import Vocabulary

/// The failures for a provider's refusals and for requests without a reply.
extension ProviderManifest {
    /// Returns the failure for a reply whose status is not among the `ok` of its request.
    func failure(_ reply: JobReply, hiding secret: String?) -> Failure {
        let own = errors.code.lazy.compactMap { reply.word($0) }.first.flatMap { Self.code($0) }
        let (code, words, remedy) = Self.meaning(of: reply.status, auth)
        let isTransient = errors.transient.contains(reply.status) && !errors.permanent.contains(reply.status)
        let hint = errors.hints[String(reply.status)] ?? own.flatMap { errors.hints[$0] }
        var failure = Failure(
            own.map(FailureCode.init) ?? .ours(code),
            "\(title) \(words) (\(reply.status))\(said(reply, hiding: secret))",
            // A failure that is retried anyway needs no such advice.
            remedy: hint ?? (isTransient ? Self.suspicion(at: reply.status, auth) : remedy), isTransient: isTransient)
        failure.retryAfterSeconds = retryAfter(reply)
        return failure
    }

    /// Returns the end of a sentence about a reply: the server's own words.
    func said(_ reply: JobReply, hiding secret: String?) -> String {
        let words = errors.message.lazy.compactMap { reply.word($0) }.first ?? reply.plainWords
        guard let words, !words.isEmpty else { return reply.body.isEmpty ? ", and says no more." : "." }
        return ": “\(serverWords(words.hiding(secret)))”."
    }

    /// Returns a remedy for a server error, or `nil`. Some servers fail like this if the key is wrong.
    private static func suspicion(at status: Int, _ auth: Auth?) -> String? {
        guard status >= 500, let auth else { return nil }
        return "If it stays so, look at the key \(auth.secret): some servers answer a wrong one like this."
    }

    /// Returns the failure if the key of an accepted job is refused, or `nil` for other replies.
    func keyRefusal(_ reply: JobReply, hiding secret: String?) -> Failure? {
        let said = said(reply, hiding: secret)
        guard reply.status == 401 || reply.status == 403, let name = auth?.secret else {
            guard reply.status == 401 else { return nil }
            return Failure(
                .keyRefused, "\(title) wants a key by now (401)\(said)",
                remedy: "Say in its manifest which: \"auth\".", isTransient: true)
        }
        let words = reply.status == 403 ? "does not allow this with the key \(name)" : "does not accept the key \(name)"
        return Failure(
            .keyRefused,
            "\(title) \(secret == nil ? "wants a key by now" : "\(words) any more") (\(reply.status))\(said)",
            remedy: errors.hints[String(reply.status)]
                ?? "Put a good one into the config folder, as keys/\(name), or where key_command finds it.",
            isTransient: true)
    }

    private static func meaning(of status: Int, _ auth: Auth?) -> (code: Code, words: String, remedy: String?) {
        let key = auth.map { "Look at the key \($0.secret)." }
        switch status {
        case ..<300:
            return (
                .unknownAnswer, "gives an answer that its manifest does not know",
                "Add its status to \"ok\" of the request."
            )
        case 300..<400:
            return (.redirected, "sends us elsewhere", "Give the final address in the provider's manifest.")
        case 401:
            return (
                .unauthorized, "does not accept the key",
                key ?? "The provider wants a key: see \"auth\" in its manifest."
            )
        case 402: return (.paymentRequired, "wants to be paid first", "Look at the account's balance.")
        case 403: return (.forbidden, "does not allow this", key)
        case 404: return (.notFoundThere, "knows no such thing", "Look at the name of the model or the route.")
        case 408, 425, 429: return (.rateLimited, "asks to slow down", "Try again in a while.")
        case 409: return (.providerBusy, "has no room for it now", "Try again in a while.")
        case 413: return (.tooLarge, "finds the request too large", "Make the inputs smaller.")
        case 400..<500: return (.badRequest, "refuses the request", "Look at the parameters.")
        default: return (.providerFailed, "has failed", "Try again in a while.")
        }
    }

    /// Returns the seconds to wait before the next attempt: from the header that the manifest names, from
    /// `Retry-After`, or from the text. Returns `nil` if none of them has a number.
    private func retryAfter(_ reply: JobReply) -> Double? {
        let named = errors.retryAfterHeader.flatMap { reply.headers[$0] }.flatMap { Double($0) }
        let seconds =
            named ?? reply.retryAfter
            ?? errors.retryAfterPattern.flatMap { JobPattern($0)?.firstGroup(in: reply.text, .ofAnswer) }.flatMap {
                Double($0)
            }
        return seconds.flatMap { $0.isFinite && $0 >= 0 ? min($0, Limits.longestWaitSeconds) : nil }
    }

    /// Returns a provider's own error code, or `nil` if it is not a single word, or is a code with a meaning in Assent.
    static func code(_ word: String) -> String? {
        let isReserved = FailureCode(word).isOne(
            of: .offline, .rejected, .cancelled, .cooldown, .submitUnknown, .jobLost, .foreignHost, .hostNotAllowed,
            .insecureHost, .hostsBroken, .keyMissing, .keyRefused)
        let isWord =
            !word.isEmpty && word.utf8.count <= 64
            && word.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789_.-".unicodeScalars.contains($0))
            }
        return isWord && !isReserved ? word : nil
    }
}

extension Failure {
    /// Whether another attempt fails in the same way, since our rules or the manifest forbid the request.
    var isLasting: Bool {
        code.isOne(
            of: .foreignHost, .hostNotAllowed, .insecureHost, .hostsBroken, .badURL, .answerTooLarge, .wrongType,
            .badManifest, .missingValue, .badParam, .badPath, .secretFile, .notAFile, .fileNotFound, .redirected)
    }
}

extension String {
    /// Returns the text without the key, since some servers repeat it in their errors.
    func hiding(_ secret: String?) -> String {
        without(key: secret)
    }

    /// Returns a text of a reply in a form that may be stored. In an address, a placeholder replaces the key, and the
    /// key is filled in again for hosts that may get it.
    func storable(hiding secret: String?) -> String {
        guard let secret, secret.utf8.count >= 4 else { return self }
        return replacing(secret, with: String.keyPlace).replacing(JobBlanks.escaped(secret), with: String.keyPlace)
    }

    /// The placeholder of the key in a stored address.
    static let keyPlace = "(the-key)"
}

/// An error that says why a request has no reply.
struct JobSilence: Error {
    var failure: Failure
    /// Whether the request may have reached the provider.
    var mayHaveArrived: Bool

    /// The code of libcurl for a body that could not be written.
    static let notWritten = 23

    /// Creates the error for a request that was not sent.
    init(_ failure: Failure) {
        self.failure = failure
        mayHaveArrived = false
    }

    /// - Parameter isOffline: whether the machine has no network. It is not called for loopback addresses.
    init(_ failure: HTTPFailure, from title: String, isOffline: () -> Bool) {
        func silence(_ code: Code, _ remedy: String?, transient: Bool, _ mayHaveArrived: Bool) {
            self.failure = Failure(code, "\(title): \(failure.description)", remedy: remedy, isTransient: transient)
            self.mayHaveArrived = mayHaveArrived
        }
        self.init(Failure(.networkFailed, failure.description))
        switch failure {
        case .refused, .resolve, .connectTimeout:
            if isOffline() {
                self.failure = Failure(
                    .offline, "This machine has no network.",
                    isTransient: true)
            } else {
                silence(.networkFailed, "Look whether the provider is up.", transient: true, false)
            }
        case .tls:
            silence(.networkFailed, "Look at the certificate, the clock and the proxy.", transient: false, false)
        case .invalidRequest: silence(.badURL, nil, transient: false, false)
        case .idleTimeout, .totalTimeout: silence(.timedOut, nil, transient: true, true)
        case .other(Self.notWritten, let words):
            self.failure = Failure(.storageFailed, words, isTransient: true)
            mayHaveArrived = true
        case .truncated, .other: silence(.networkFailed, nil, transient: true, true)
        case .tooLarge(Limits.statusBytes):
            silence(
                .answerTooLarge, "In the provider's manifest \"keep: true\" lets an answer be larger.",
                transient: false, true)
        case .tooLarge, .headTooLarge: silence(.answerTooLarge, nil, transient: false, true)
        case .redirectRefused, .tooManyRedirects: silence(.redirected, nil, transient: false, true)
        case .cancelled: silence(.cancelled, nil, transient: true, true)
        }
    }
}

extension Failure {
    package static func noProvider(_ id: String) -> Failure {
        Failure(
            .providerNotInstalled, "There is no provider of jobs \"\(id)\".",
            remedy: "Put its manifest into the config folder, under providers/.")
    }
}

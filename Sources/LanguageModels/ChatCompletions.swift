package import HTTP
package import Vocabulary

/// A model behind an OpenAI-compatible Chat Completions API.
///
/// Its stream throws `Failure` where there was no answer (`modelUnreachable`, `modelRefusedKey`, `modelRateLimited`, `modelUnknown`,
/// `modelOverloaded`, `modelContextOverflow`, `modelBadRequest`, …) and `CancellationError` where it was cancelled. Once an answer has
/// begun, it ends with `finished`, whatever the verdict.
package enum ChatCompletions {
    /// - Parameter pause: waits so many seconds before another try; tests wait for nothing.
    package static func chatModel(
        profile: ModelProfile, client: HTTPClient,
        pause: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) -> ChatModel {
        { request in
            AsyncThrowingStream { parts in
                let task = Task {
                    let exchange = Exchange(profile: profile, client: client, pause: pause) { parts.yield($0) }
                    do {
                        try await exchange.run(ChatCompletionsRequest.http(request, profile))
                        parts.finish()
                    } catch {
                        parts.finish(throwing: error)
                    }
                }
                parts.onTermination = { _ in task.cancel() }
            }
        }
    }
}

/// One reply: asked for, asked for again while nothing has come, read.
private struct Exchange {
    let profile: ModelProfile
    let client: HTTPClient
    let pause: @Sendable (Double) async throws -> Void
    let tell: @Sendable (ReplyPart) -> Void

    private enum Outcome {
        case over
        case again(Retry, why: String, Failure)
    }

    func run(_ request: HTTPRequest) async throws {
        var attempt = 0
        while case .again(let retry, let why, let failure) = try await attemptOnce(request, attempt) {
            switch retry {
            case .no: throw failure
            case .tooLong(let seconds): throw failure.naming(wait: seconds)
            case .after(let seconds):
                attempt += 1
                tell(.notice("retry \(attempt)/\(Limits.modelRetries) in \(inSeconds(seconds)) (\(why))"))
                try await pause(seconds)
            }
        }
    }

    private func attemptOnce(_ request: HTTPRequest, _ attempt: Int) async throws -> Outcome {
        var reader = ReplyReader(profile)
        do throws(HTTPFailure) {
            let (response, body) = try await client.send(request)
            guard response.isSuccess else { return try await refusal(response, body, attempt) }
            var pieces = body.makeAsyncIterator()
            while !reader.isDone, let piece = try await pieces.next(isolation: nil) {
                for part in reader.feed(piece) { tell(part) }
            }
            finish(&reader, .clean)
            return .over
        } catch .cancelled {
            throw CancellationError()
        } catch {
            guard reader.hasReceivedBytes else {
                let retry = Retry(error, attempt: attempt, random: .random(in: 0..<1))
                return .again(retry, why: error.inShort, unreachable(error))
            }
            finish(&reader, .broken(words: "\(error)"))
            return .over
        }
    }

    private func finish(_ reader: inout ReplyReader, _ ending: ReplyAssembler.Ending) {
        let (parts, reply) = reader.end(ending)
        for part in parts { tell(part) }
        tell(.finished(reply))
    }

    private func refusal(_ response: HTTPResponse, _ body: HTTPBody, _ attempt: Int) async throws(HTTPFailure) -> Outcome {
        // Words that are too long, or cut, are still some words.
        var words: [UInt8] = []
        var pieces = body.makeAsyncIterator()
        do throws(HTTPFailure) {
            while words.count < Limits.errorBodyBytes, let piece = try await pieces.next(isolation: nil) { words += piece }
        } catch .cancelled {
            throw .cancelled
        } catch {}
        let failure = ServerError(body: words).failure(profile, status: response.status)
        guard failure.isTransient else { return .again(.no, why: "", failure) }
        let retry = Retry(response, attempt: attempt, random: .random(in: 0..<1))
        return .again(retry, why: "\(response.status)", failure)
    }

    private func unreachable(_ failure: HTTPFailure) -> Failure {
        let (remedy, isTransient) =
            switch failure {
            case .tls: ("Check the address, and the certificates of this machine (SSL_CERT_FILE).", false)
            case .invalidRequest: ("Check the model's address in ASSENT_MODEL_URL, or in settings.yaml.", false)
            default: ("Check that it runs and that its address is right (ASSENT_MODEL_URL).", true)
            }
        return Failure(
            "modelUnreachable", "The model at \(profile.place) cannot be reached. \(failure)", remedy: remedy, cause: failure,
            isTransient: isTransient)
    }
}

extension Failure {
    fileprivate func naming(wait seconds: Double) -> Failure {
        var failure = self
        failure.remedy = "It asks to wait \(inSeconds(seconds)); try again then."
        return failure
    }
}

extension HTTPFailure {
    /// A word or two, for a notice.
    fileprivate var inShort: String {
        switch self {
        case .refused: "connection refused"
        case .connectTimeout: "no connection"
        case .resolve: "name not found"
        default: "connection lost"
        }
    }
}

/// "2 s", "0.4 s", "5 min"
private func inSeconds(_ seconds: Double) -> String {
    switch seconds {
    case ..<10: "\((seconds * 10).rounded(.up) / 10) s".replacing(".0 s", with: " s")
    case ..<120: "\(Int(seconds.rounded(.up))) s"
    default: "\(Int((min(seconds, 1e9) / 60).rounded(.up))) min"
    }
}

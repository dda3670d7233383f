package import HTTP
package import Vocabulary

extension Limits {
    /// The most lessons that one request learns from a server's refusals. Then a refusal is final.
    package static let modelLessons = 4
}

/// The lessons of refusals about models, and how they are stored.
package struct LessonBook: Sendable {
    package var known: @Sendable (ModelProfile) -> [ModelLesson]
    package var learn: @Sendable (ModelLesson, ModelProfile) -> Void

    package init(
        known: @escaping @Sendable (ModelProfile) -> [ModelLesson],
        learn: @escaping @Sendable (ModelLesson, ModelProfile) -> Void
    ) {
        self.known = known
        self.learn = learn
    }

    /// A book that stores nothing, so that each request learns again.
    package static let none = LessonBook(known: { _ in [] }, learn: { _, _ in })
}

/// A model behind an API over HTTP.
///
/// It throws a `Failure` if there was no answer (`modelUnreachable`, `modelRefusedKey`, `modelRateLimited`,
/// `modelUnknown`, `modelOverloaded`, `modelContextOverflow`, `modelBadRequest`, …), and `CancellationError` if it was
/// cancelled. Once an answer has begun, it ends with `finished`, whatever the verdict.
package enum RemoteModel {
    /// Returns a function that sends a request to a model and reports its reply.
    ///
    /// - Parameter pause: waits for that many seconds before another try. Tests do not wait.
    package static func chatModel(
        profile: ModelProfile, client: HTTPClient, lessons: LessonBook = .none,
        pause: @escaping @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .seconds($0)) }
    ) -> ChatModel {
        { request, tell in
            let heard = request.withoutWeakKeys()
            if let line = request.messages.last, line.role == .user, heard.messages.last?.text != line.text {
                tell(.notice("A part of the line may be a key or a password, so the model does not hear it."))
            }
            var exchange = ModelExchange(profile: profile, client: client, lessons: lessons, pause: pause, tell: tell)
            try await exchange.run(heard)
        }
    }
}

/// The exchange for one reply: the request, its retries before anything has arrived, its changes after a refusal, and
/// the reading of the reply.
private struct ModelExchange {
    /// The profile of the next request, with the lessons applied.
    private(set) var profile: ModelProfile
    /// The profile before any lesson was applied, under which lessons are stored.
    private let given: ModelProfile
    let client: HTTPClient
    let lessons: LessonBook
    let pause: @Sendable (Double) async throws -> Void
    let tell: @Sendable (ReplyPart) -> Void
    /// The lessons of this exchange. They are stored once a request succeeds, since otherwise the refusal had another
    /// reason.
    private var learned: [ModelLesson] = []

    private enum Outcome {
        case over
        /// The answer was empty. The request is sent once more.
        case empty
        case again(Retry, why: String, Failure)
        /// The server refused the request and named the reason. The request is sent again, changed.
        case learned(ModelLesson, from: Failure)
        /// The answer is not that of a model, or in another dialect.
        case stranger(Failure)
    }

    init(
        profile: ModelProfile, client: HTTPClient, lessons: LessonBook,
        pause: @escaping @Sendable (Double) async throws -> Void,
        tell: @escaping @Sendable (ReplyPart) -> Void
    ) {
        given = profile
        var profile = profile
        for lesson in lessons.known(profile) { profile.apply(lesson) }
        self.profile = profile
        self.client = client
        self.lessons = lessons
        self.pause = pause
        self.tell = tell
    }

    mutating func run(_ request: ChatRequest) async throws {
        // Ollama silently cuts a request to its default window if it is not told another one.
        if profile.dialect == .ollama, profile.window == nil {
            for lesson in await ModelProbe(profile: profile, client: client).abilities() {
                lessons.learn(lesson, given)
                profile.apply(lesson)
            }
        }
        var attempt = 0
        var refusals: [Failure] = []
        var wasEmpty = false
        while true {
            switch try await attemptOnce(
                request, attempt, mayLearn: learned.count < Limits.modelLessons, isLast: wasEmpty)
            {
            case .over: return
            case .empty: wasEmpty = true
            case .learned(let lesson, let failure):
                learned.append(lesson)
                refusals.append(failure)
                tell(.notice("\(profile.place) refused a part of the request; asked again \(lesson.words)"))
                profile.apply(lesson)
            // The change did not help, so the failure of the original request is reported, which says more.
            case .stranger(let failure): throw refusals.first ?? failure
            case .again(.no, _, let failure): throw failure
            case .again(.tooLong(let seconds), _, let failure): throw failure.naming(wait: seconds)
            case .again(.after(let seconds), let why, _):
                attempt += 1
                let reason = why == "429" ? "429: too many requests; Ctrl-C stops waiting" : why
                tell(.notice("retry \(attempt)/\(Limits.modelRetries) in \(inSeconds(seconds)) (\(reason))"))
                try await pause(seconds)
            }
        }
    }

    private func attemptOnce(_ request: ChatRequest, _ attempt: Int, mayLearn: Bool, isLast: Bool) async throws
        -> Outcome
    {
        let fitted = ContextWindow.fitted(request, profile)
        if fitted.leftOut != .nothing { tell(.leftOut(fitted.leftOut)) }
        var reader = ReplyReader(profile, isLong: ContextWindow.isLong(request), tools: request.tools)
        // Whether the person has seen anything of the reply. What was not seen can be asked for once more.
        var isSeen = false
        do throws(HTTPFailure) {
            let (response, body) = try await client.send(ModelRequest.http(fitted, profile))
            guard response.isSuccess else {
                return try await refusal(response, body, attempt, of: request, mayLearn: mayLearn)
            }
            var pieces = body.makeAsyncIterator()
            while !reader.isDone, let piece = try await pieces.next(isolation: nil) {
                for part in reader.feed(piece) {
                    isSeen = true
                    tell(part)
                }
            }
            return finish(&reader, .clean, isLast: isLast)
        } catch .cancelled {
            throw CancellationError()
        } catch {
            let retry = Retry(error, attempt: attempt, random: .random(in: 0..<1))
            guard reader.hasReceivedBytes, isSeen || retry == .no else {
                return .again(retry, why: error.inShort, .unreachable(profile, error))
            }
            return finish(&reader, .broken(words: "\(error)"), isLast: isLast)
        }
    }

    private func finish(_ reader: inout ReplyReader, _ ending: ReplyAssembler.Ending, isLast: Bool) -> Outcome {
        let (parts, reply) = reader.end(ending)
        if !isLast, case .failed(let failure) = reply.verdict, failure.code == .modelEmpty, reply.reasoning.isEmpty {
            return .empty
        }
        // Once the model has said something, its words are shown, too.
        if profile != given, case .failed(let failure) = reply.verdict, failure.code == .modelWrongDialect,
            reply.text.isEmpty
        {
            return .stranger(failure)
        }
        for part in parts { tell(part) }
        // Stored before the end is reported, since the next request of the turn may follow at once and needs the
        // lessons.
        if reply.verdict == .complete { for lesson in learned where !lesson.isPassing { lessons.learn(lesson, given) } }
        tell(.finished(reply))
        return .over
    }

    private func refusal(
        _ response: HTTPResponse, _ body: HTTPBody, _ attempt: Int, of request: ChatRequest, mayLearn: Bool
    ) async throws(HTTPFailure) -> Outcome {
        // If the words are too long or incomplete, the part that has arrived is used.
        var words: [UInt8] = []
        var pieces = body.makeAsyncIterator()
        do throws(HTTPFailure) {
            while words.count < Limits.errorBodyBytes, let piece = try await pieces.next(isolation: nil) {
                words += piece
            }
        } catch .cancelled {
            throw .cancelled
        } catch {}
        let error = ServerError(response, body: words)
        let failure = error.failure(profile, status: response.status, of: request)
        if mayLearn, let lesson = LessonReader(error, status: response.status, profile).lesson(from: request) {
            return .learned(lesson, from: failure)
        }
        if failure.code == .modelAddress { return .stranger(failure) }
        guard failure.isTransient || response.headers["x-should-retry"] == "true" else {
            return .again(.no, why: "", failure)
        }
        let retry = Retry(response, attempt: attempt, random: .random(in: 0..<1))
        return .again(retry, why: "\(response.status)", failure)
    }
}

extension Failure {
    /// Returns the failure of a model that cannot be reached, with its remedy.
    static func unreachable(_ profile: ModelProfile, _ failure: HTTPFailure) -> Failure {
        if failure == .headTooLarge { return profile.unreadable(failure) }
        let (remedy, isTransient) =
            switch failure {
            case .tls: ("Check the address, and the certificates of this machine (SSL_CERT_FILE).", false)
            case .invalidRequest: ("Check the model's address.", false)
            default: ("Check that it runs and that its address is right.", true)
            }
        return Failure(
            .modelUnreachable, "The model at \(profile.place) cannot be reached. \(failure)", remedy: remedy,
            cause: failure,
            isTransient: isTransient)
    }

    fileprivate func naming(wait seconds: Double) -> Failure {
        var failure = self
        failure.remedy = "It asks to wait \(inSeconds(seconds)); try again then."
        return failure
    }
}

extension HTTPFailure {
    /// The failure in a word or two, for a notice.
    fileprivate var inShort: String {
        switch self {
        case .refused: "connection refused"
        case .connectTimeout: "no connection"
        case .resolve: "name not found"
        default: "connection lost"
        }
    }
}

/// Returns a duration in words, such as "2 s", "0.4 s" or "5 min".
private func inSeconds(_ seconds: Double) -> String {
    switch seconds {
    case ..<10: "\((seconds * 10).rounded(.up) / 10) s".replacing(".0 s", with: " s")
    case ..<120: "\(Int(seconds.rounded(.up))) s"
    default: "\(Int((min(seconds, 1e9) / 60).rounded(.up))) min"
    }
}

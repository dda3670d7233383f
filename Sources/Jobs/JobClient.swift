package import Files
import Glibc
package import HTTP
import JSON
package import Vocabulary

/// A client for the providers of jobs. It turns each request of the engine (`JobRequest`) into HTTP by the provider's
/// manifest, and the reply into an answer (`JobAnswer`).
///
/// All jobs run on the client's one thread, so a waiting job costs no thread.
package struct JobClient: Sendable {
    /// The functions and values that the client needs from outside, apart from the network.
    package struct Surroundings: Sendable {
        package var provider: @Sendable (String) -> ProviderManifest?
        package var store: AssetStore
        package var own: OwnFolders
        /// Returns the key of that name. It may block, so a worker calls it, and the key is cached for
        /// `Limits.keySeconds`.
        package var secret: @Sendable (String) -> String?
        /// Runs work that blocks, such as reading inputs or writing outputs, on another thread.
        package var onWorker: @Sendable (@escaping @Sendable () -> Void) -> Void
        package var isOffline: @Sendable () -> Bool
        /// Returns whether another run, with a job key other than `key`, owns the provider's job of that ID. It may
        /// block.
        package var isHeld: @Sendable (_ provider: String, _ id: String, _ key: String) -> Bool
        /// Returns the reason why no job may be submitted to a provider, or `nil`. For example, the user has not
        /// allowed its hosts. It is called before each submission.
        package var refusal: @Sendable (ProviderManifest) -> Failure?

        package init(
            provider: @escaping @Sendable (String) -> ProviderManifest?, store: AssetStore, own: OwnFolders,
            secret: @escaping @Sendable (String) -> String?,
            onWorker: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
            isOffline: @escaping @Sendable () -> Bool = Offline.isNow,
            isHeld: @escaping @Sendable (_ provider: String, _ id: String, _ key: String) -> Bool = { _, _, _ in false
            },
            refusal: @escaping @Sendable (ProviderManifest) -> Failure? = { _ in nil }
        ) {
            self.provider = provider
            self.store = store
            self.own = own
            self.secret = secret
            self.onWorker = onWorker
            self.isOffline = isOffline
            self.isHeld = isHeld
            self.refusal = refusal
        }
    }

    let surroundings: Surroundings
    let wire: JobWire
    let keys = JobKeys()

    package init(_ surroundings: Surroundings, through client: HTTPClient) {
        self.surroundings = surroundings
        wire = JobWire(client: client, pacing: JobPacing(), isOffline: surroundings.isOffline)
    }

    package func answer(_ request: JobRequest) async -> JobAnswer {
        do throws(JobSilence) {
            let talk = try await JobTalk.begin(request, self)
            switch request.verb {
            case .submit: return try await talk.submit()
            case .find: return try await talk.find()
            case .status: return try await talk.status()
            case .collect: return try await talk.collect()
            case .cancel: return try await talk.cancel()
            }
        } catch {
            return Self.answer(to: request.verb, error)
        }
    }

    /// Returns the answer for a request without a reply.
    ///
    /// A submission that may have arrived is unclear, and another one was not taken. For the other verbs, a lasting
    /// failure is kept apart from one that may not happen at the next attempt.
    static func answer(to verb: JobRequest.Verb, _ silence: JobSilence) -> JobAnswer {
        switch verb {
        case .submit: silence.mayHaveArrived ? .unclear(silence.failure) : .notTaken(silence.failure)
        case .find, .status, .cancel:
            silence.failure.isLasting ? .stuck(silence.failure) : .unreachable(silence.failure)
        case .collect: silence.failure.isLasting ? .spoiled(silence.failure) : .unreachable(silence.failure)
        }
    }

    /// Runs work that blocks on a worker, and waits for its result.
    func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws(Failure) -> Value) async throws(JobSilence)
        -> Value
    {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            surroundings.onWorker {
                do throws(Failure) { continuation.resume(returning: .success(try work())) } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        do throws(Failure) { return try result.get() } catch { throw JobSilence(error) }
    }
}

/// Returns the function by which the engine sends requests. It returns at once, and calls the reply exactly once, on
/// any thread.
package func jobs(
    through client: HTTPClient, _ surroundings: JobClient.Surroundings
) -> @Sendable (JobRequest, @escaping @Sendable (JobAnswer) -> Void) -> Void {
    let jobs = JobClient(surroundings, through: client)
    return { request, reply in
        if !jobs.asksQuickly(request, reply) { Task { reply(await jobs.answer(request)) } }
    }
}

import Glibc
package import HTTP
import JSON
package import Vocabulary

/// Providers of jobs for an engine: what is asked of one (`JobRequest`) becomes HTTP by its manifest, and what it says
/// an answer (`JobAnswer`). All jobs are on the client's one thread; a job that waits costs no thread.
package struct JobClient: Sendable {
    /// What it needs from outside, besides the net.
    package struct Surroundings: Sendable {
        package var provider: @Sendable (String) -> ProviderManifest?
        package var store: AssetStore
        package var own: OwnFolders
        /// The person's key of that name. May block: it is asked on a worker, and what it says is believed for
        /// `Limits.keySeconds`.
        package var secret: @Sendable (String) -> String?
        /// Runs what blocks (reading inputs, writing outputs) where it holds nobody up.
        package var onWorker: @Sendable (@escaping @Sendable () -> Void) -> Void
        package var isOffline: @Sendable () -> Bool
        /// Whether a run with another name for its job than `key` has the provider's job of that id. May block.
        package var isHeld: @Sendable (_ provider: String, _ id: String, _ key: String) -> Bool
        /// Why no job may be submitted there, such as that the person has not allowed its hosts. Asked before each
        /// submission.
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

    /// No answer: a submission that may have arrived is unclear, one that did not is not taken; the rest says nothing
    /// about the job, and either may be different the next time or will not.
    static func answer(to verb: JobRequest.Verb, _ silence: JobSilence) -> JobAnswer {
        switch verb {
        case .submit: silence.mayHaveArrived ? .unclear(silence.failure) : .notTaken(silence.failure)
        case .find, .status, .cancel:
            silence.failure.isLasting ? .stuck(silence.failure) : .unreachable(silence.failure)
        case .collect: silence.failure.isLasting ? .spoiled(silence.failure) : .unreachable(silence.failure)
        }
    }

    /// For work that blocks.
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

/// What the engine calls: returns at once, and replies exactly once, on any thread.
package func jobs(
    through client: HTTPClient, _ surroundings: JobClient.Surroundings
) -> @Sendable (JobRequest, @escaping @Sendable (JobAnswer) -> Void) -> Void {
    let jobs = JobClient(surroundings, through: client)
    return { request, reply in
        if !jobs.asksQuickly(request, reply) { Task { reply(await jobs.answer(request)) } }
    }
}

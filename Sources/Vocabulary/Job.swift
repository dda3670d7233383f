package import JSON

/// What must be known of a provider to carry a job there durably (`semantics.md` 5–10, 15, 16). How it is spoken to is
/// its manifest's and Tools' business (`jobs.http/v1`, `wire.md` Jobs 2). Times are seconds.
package struct JobTerms: Hashable, Sendable {
    /// How a submission that may have been received is not bought twice.
    package enum Idempotency: String, Hashable, Sendable, CaseIterable {
        /// Our own id is part of the address: the same PUT again is the same job.
        case put
        /// Our own id is in the body: the provider refuses or recognises the second.
        case clientId
        /// Our own id goes along as a key that the provider deduplicates by: in a header field, or elsewhere in the
        /// request.
        case header
        /// The provider's list of jobs is looked through for ours.
        case reconcile
        case none
    }

    /// What becomes of a submission of which nobody knows whether it was received.
    package enum Ambiguity: String, Hashable, Sendable, CaseIterable {
        case retry, ask, fail
    }

    /// When a job that is to be cancelled counts as cancelled.
    package enum Cancelling: String, Hashable, Sendable, CaseIterable {
        /// When the provider says so in its status.
        case poll
        /// As soon as the request was taken.
        case immediate
        /// The provider has no such request.
        case unsupported
    }

    /// The provider's id, as its manifest says it.
    package var provider: String
    package var title: String
    package var idempotency: Idempotency
    package var ambiguity: Ambiguity
    package var cancelling: Cancelling
    package var pollSeconds: Double
    /// Most jobs at once; the engine's caps hold besides.
    package var concurrent: Int
    /// How long a job may wait at the provider, and run there.
    package var queuedSeconds: Double
    package var runningSeconds: Double
    /// How long the provider keeps a result; `nil` if it does not say.
    package var retentionSeconds: Double?
    /// On this machine: there without a network too.
    package var isLocal: Bool
    /// Whether it can be asked for a job whose submission is in doubt.
    package var canLook: Bool
    /// Whether a job's id is all that is needed to go on with it.
    package var canAdopt: Bool
    /// Whether a job can be cancelled by our own name for it, before its submission is answered.
    package var cancelsUnnamed: Bool

    package init(
        provider: String, title: String? = nil, idempotency: Idempotency = .none, ambiguity: Ambiguity = .ask,
        cancelling: Cancelling = .poll,
        pollSeconds: Double = Limits.pollSeconds, concurrent: Int = 8, queuedSeconds: Double = 1800,
        runningSeconds: Double = 7200,
        retentionSeconds: Double? = nil, isLocal: Bool = false, canLook: Bool = true, canAdopt: Bool = true,
        cancelsUnnamed: Bool = false
    ) {
        self.provider = provider
        self.title = title ?? provider
        self.idempotency = idempotency
        self.ambiguity = ambiguity
        self.cancelling = cancelling
        self.pollSeconds = pollSeconds
        self.concurrent = concurrent
        self.queuedSeconds = queuedSeconds
        self.runningSeconds = runningSeconds
        self.retentionSeconds = retentionSeconds
        self.isLocal = isLocal
        self.canLook = canLook
        self.canAdopt = canAdopt
        self.cancelsUnnamed = cancelsUnnamed
    }
}

extension JobTerms {
    /// True where a job that may exist is looked for before it is submitted again. A provider that cannot be asked, but
    /// knows the second submission as the first, gets it again. Without idempotency only a person says "submit again",
    /// or the manifest for them.
    package var looksFirst: Bool {
        switch idempotency {
        case .put, .header: false
        case .clientId: canLook
        case .reconcile: true
        case .none: ambiguity != .retry
        }
    }
}

/// Where a remote run stands, finer than its step's state (`semantics.md` 1).
package enum JobPhase: String, Hashable, Sendable, CaseIterable {
    /// Committed before the request leaves: from here on the job may exist.
    case submitIntent
    /// The provider has it, and we have its id.
    case submitted
    /// It may exist; nobody knows. A person says what is to be done.
    case submitUnknown
    /// A cancel was asked for; the provider has not confirmed it.
    case cancelRequested
    /// It is done; its outputs are being fetched.
    case collecting
}

/// The ledger's line of one job: what must survive so that it is neither lost nor bought twice. Stored with the run.
package struct JobRecord: Hashable, Sendable {
    package var provider: String
    package var phase: JobPhase
    /// Our own name for the job, the same for every request of this run: `assent-1f3a…-w3-2-1`.
    package var key: String
    /// What the manifest captures from the provider's answers: `jobId`, `statusUrl`, ….
    package var captured: JSON.Object
    /// When the intent was committed.
    package var intendedAt: Moment
    package var acceptedAt: Moment?
    package var runningAt: Moment?
    package var progress: Double?
    package var queuePosition: Int?
    package var logTail: String
    /// How often in a row the provider did not know the job, or said something that its manifest does not know.
    package var strikes: Int
    package var cancelRequestedAt: Moment?

    package init(
        provider: String, phase: JobPhase = .submitIntent, key: String, captured: JSON.Object = JSON.Object(),
        intendedAt: Moment
    ) {
        self.provider = provider
        self.phase = phase
        self.key = key
        self.captured = captured
        self.intendedAt = intendedAt
        logTail = ""
        strikes = 0
    }
}

/// One thing asked of a provider. Each is answered by exactly one `JobAnswer`.
package struct JobRequest: Sendable {
    package enum Verb: String, Hashable, Sendable, CaseIterable {
        case submit
        /// Looks for a job of ours that may have been taken: by our own id, or in the provider's list.
        case find
        case status
        /// Fetches what came out, into the asset store.
        case collect
        case cancel
    }

    package var verb: Verb
    package var assignment: Assignment
    package var job: JobRecord

    package init(_ verb: Verb, _ assignment: Assignment, _ job: JobRecord) {
        self.verb = verb
        self.assignment = assignment
        self.job = job
    }
}

/// What came of asking. Nothing in it is believed beyond what its case says: a word that the manifest does not know is
/// never an end.
package enum JobAnswer: Hashable, Sendable {
    /// To `submit` and `find`: the provider has the job. Its first status, where the answer held one.
    case accepted(captured: JSON.Object, JobStatus?)
    /// To `submit`: it was certainly not taken. `isTransient` says whether asking again may help; `offline` is a code
    /// that spends nothing.
    case notTaken(Failure)
    /// To `submit`: it may have been taken, and the answer was lost (a timeout, a reset, a 502, a 504).
    case unclear(Failure)
    /// To `find`: no job of ours is there; or more than one may be it.
    case notFound
    case several(Int)
    case status(JobStatus)
    /// To `status`, `find`, `cancel`, `collect`: the provider could not be reached or was busy. Says nothing about the
    /// job.
    case unreachable(Failure)
    /// To `status`, `find` and `cancel`: what was to be asked or was answered cannot be used, and waiting alone mends
    /// nothing: an address that is not allowed, an answer over its bound, a refusal for good. Says nothing about the
    /// job.
    case stuck(Failure)
    /// To `status` and `collect`: the provider does not know the job (404), or said a word that its manifest does not
    /// know.
    /// - limit: strikes in a row that make the job lost.
    case strike(Failure, limit: Int)
    /// To `collect`.
    case collected([Asset])
    /// To `collect`: what came out cannot be used, for good. To `submit` and `find`: the job is there, and cannot be
    /// watched.
    case spoiled(Failure)
    /// To `cancel`.
    case cancelTaken
    /// To `cancel`: the provider cannot cancel, or says it is too late.
    case cancelRefused(Failure)
}

/// What a provider says of a job.
package struct JobStatus: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case queued, running, succeeded, cancelled
        case failed(Failure)
    }

    package var state: State
    /// From 0 to 1; `nil` if it does not say.
    package var progress: Double?
    package var queuePosition: Int?
    /// The last lines of its log, with control characters still in it.
    package var logTail: String?
    /// Captured anew, such as the address of a result.
    package var captured: JSON.Object

    package init(
        _ state: State, progress: Double? = nil, queuePosition: Int? = nil, logTail: String? = nil,
        captured: JSON.Object = JSON.Object()
    ) {
        self.state = state
        self.progress = progress
        self.queuePosition = queuePosition
        self.logTail = logTail
        self.captured = captured
    }
}

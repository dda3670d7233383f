package import JSON

/// The terms of a provider that the engine needs to run a job there durably (`semantics.md` 5–10, 15, 16). Times are in
/// seconds. The requests themselves are described in the provider's manifest and made by Tools (`jobs.http/v1`,
/// `wire.md` Jobs 2).
package struct JobTerms: Hashable, Sendable {
    /// The way in which a repeated submission is kept from creating, and billing, a second job.
    package enum Idempotency: String, Hashable, Sendable, CaseIterable {
        /// The address contains an id of ours, so the same PUT again is the same job.
        case put
        /// The body contains an id of ours, so the provider refuses or recognises the second submission.
        case clientId
        /// The request contains a key of ours by which the provider removes duplicates, in a header field or elsewhere.
        case header
        /// The provider's list of jobs is looked through for ours.
        case reconcile
        case none
    }

    /// The treatment of a submission if it is not known whether the provider received it.
    package enum Ambiguity: String, Hashable, Sendable, CaseIterable {
        case retry, ask, fail
    }

    /// The moment when a job that is to be cancelled counts as cancelled.
    package enum Cancelling: String, Hashable, Sendable, CaseIterable {
        /// The job counts as cancelled when its status at the provider says so.
        case poll
        /// The job counts as cancelled as soon as the provider accepts the request.
        case immediate
        /// The provider has no such request.
        case unsupported
    }

    /// The provider's id in its manifest.
    package var provider: String
    package var title: String
    package var idempotency: Idempotency
    package var ambiguity: Ambiguity
    package var cancelling: Cancelling
    package var pollSeconds: Double
    /// The highest number of jobs at once. The limits of the engine apply too.
    package var concurrent: Int
    /// How long a job may wait at the provider, and run there.
    package var queuedSeconds: Double
    package var runningSeconds: Double
    /// The time for which the provider keeps a result, or `nil` if it does not say.
    package var retentionSeconds: Double?
    /// Whether the provider runs on this machine, so that it works without a network.
    package var isLocal: Bool
    /// Whether the provider can be asked for a job whose submission is in doubt.
    package var canLook: Bool
    /// Whether a job can be continued if only its id is known.
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
    /// Whether a job that may exist is looked for before it is submitted again. A provider that cannot be asked, but
    /// recognises a repeated submission, receives it again. Without idempotency only a person, or the manifest for
    /// them, decides to submit again.
    package var looksFirst: Bool {
        switch idempotency {
        case .put, .header: false
        case .clientId: canLook
        case .reconcile: true
        case .none: ambiguity != .retry
        }
    }
}

/// The phase of a remote run, in more detail than the state of its step (`semantics.md` 1).
package enum JobPhase: String, Hashable, Sendable, CaseIterable {
    /// Committed before the request leaves: from here on the job may exist.
    case submitIntent
    /// The provider has accepted the job, and its id is stored.
    case submitted
    /// The job may exist, but this is not known. A person decides what to do.
    case submitUnknown
    /// The provider has received a request to cancel the job and has not confirmed it yet.
    case cancelRequested
    /// The job is done and its outputs are being fetched.
    case collecting
}

/// The ledger's entry for one job, stored with the run. It survives a restart, so that the job is neither lost nor
/// submitted twice.
package struct JobRecord: Hashable, Sendable {
    package var provider: String
    package var phase: JobPhase
    /// The job's name on our side, the same for every request of this run, such as `assent-1f3a…-w3-2-1`.
    package var key: String
    /// The values that the manifest captures from the provider's answers, such as `jobId` and `statusUrl`.
    package var captured: JSON.Object
    /// The date by the wall clock when the intent to submit was committed. Providers' lists are compared with it.
    package var intendedAt: Moment
    package var acceptedAt: Moment?
    package var runningAt: Moment?
    package var progress: Double?
    package var queuePosition: Int?
    package var logTail: String
    /// The number of answers in a row in which the provider did not know the job, or sent a status that its manifest
    /// does not know.
    package var strikes: Int
    package var cancelRequestedAt: Moment?
    /// The origin of the clock that `acceptedAt`, `runningAt` and `cancelRequestedAt` are of. `nil` in a flow.
    package var clock: ClockOrigin?

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

    /// Moves the moments against which limits count by some milliseconds, to those of another clock.
    package mutating func move(by milliseconds: Int64) {
        func moved(_ moment: Moment) -> Moment { Moment(milliseconds: moment.milliseconds + milliseconds) }
        acceptedAt = acceptedAt.map(moved)
        runningAt = runningAt.map(moved)
        cancelRequestedAt = cancelRequestedAt.map(moved)
    }

    /// Replaces moments that have not come yet, which a clock that was ahead has left, by now.
    package mutating func dropFuture(after now: Moment) {
        acceptedAt = acceptedAt.map { min($0, now) }
        runningAt = runningAt.map { min($0, now) }
        cancelRequestedAt = cancelRequestedAt.map { min($0, now) }
    }
}

/// A request to a provider. Each is answered by exactly one `JobAnswer`.
package struct JobRequest: Sendable {
    package enum Verb: String, Hashable, Sendable, CaseIterable {
        case submit
        /// Looks for a job of ours that may have been accepted, by our own id or in the provider's list.
        case find
        case status
        /// Fetches the results into the asset store.
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

/// The outcome of a `JobRequest`. No conclusion goes beyond its case. For example, a status word that the manifest does
/// not know never ends a job.
package enum JobAnswer: Hashable, Sendable {
    /// The provider has the job (for `submit` and `find`). The status is set if the answer contained one.
    case accepted(captured: JSON.Object, JobStatus?)
    /// The provider did certainly not accept the job (for `submit`). `isTransient` says whether asking again may help.
    /// The code `offline` uses up no retry.
    case notTaken(Failure)
    /// The provider may have accepted the job, but its answer was lost by a timeout, a reset, a 502 or a 504 (for
    /// `submit`).
    case unclear(Failure)
    /// The provider has no job of ours (for `find`). `several` is the number of jobs that may be ours if there is more
    /// than one.
    case notFound
    case several(Int)
    case status(JobStatus)
    /// The provider could not be reached or was busy (for `status`, `find`, `cancel` and `collect`). The state of the
    /// job is not known.
    case unreachable(Failure)
    /// The request or its answer cannot be used, and waiting alone does not help (for `status`, `find` and `cancel`).
    /// Examples are an address that is not allowed, an answer over its limit, and a permanent refusal. The state of the
    /// job is not known.
    case stuck(Failure)
    /// A doubtful answer (for `status` and `collect`): the provider does not know the job, sent a status that its
    /// manifest does not know, or reported a failure that must be repeated to count.
    ///
    /// - limit: the number of strikes in a row after which the job counts as lost or failed.
    case strike(Failure, limit: Int)
    /// The results are in the asset store (for `collect`).
    case collected([Asset])
    /// The results can never be used (for `collect`), or the job exists but cannot be watched (for `submit` and
    /// `find`).
    case spoiled(Failure)
    /// The provider accepted the request to cancel (for `cancel`).
    case cancelTaken
    /// The provider cannot cancel the job, or says that it is too late (for `cancel`).
    case cancelRefused(Failure)
}

/// The status of a job, as its provider reports it.
package struct JobStatus: Hashable, Sendable {
    package enum State: Hashable, Sendable {
        case queued, running, succeeded, cancelled
        case failed(Failure)
    }

    package var state: State
    /// The progress from 0 to 1, or `nil` if the provider does not report it.
    package var progress: Double?
    package var queuePosition: Int?
    /// The last lines of the job's log, including control characters.
    package var logTail: String?
    /// The values that this answer captured, such as the address of a result.
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

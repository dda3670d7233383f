import JSON
package import Vocabulary

extension Limits {
    /// The seconds until the first status check of a job. Each further pause is twice as long, up to its provider's
    /// period.
    package static let firstPollSeconds = 0.25
}

/// The run of a step that a provider of jobs does, from the intent to its end.
package struct JobRun: Hashable, Sendable {
    /// The line of the ledger. Its phase follows from `state`.
    package internal(set) var record: JobRecord
    package internal(set) var state: State { didSet { record.phase = state.phase } }
    /// The requests that are under way, each with its number. An answer to another number is late.
    ///
    /// They stand beside the state: a cancel can be under way with a submission, and an answer can come in a later
    /// state than the one that asked for it.
    package internal(set) var requests: [JobRequest.Verb: Int] = [:]
    /// Failures in a row since the provider last answered well.
    ///
    /// They stand beside the state: a provider can become unreachable in each of them, and between two answers that
    /// nothing could be done with.
    var failures = Failures()

    /// The stage of a job, with the facts that are known only in this stage.
    package enum State: Hashable, Sendable {
        /// The submission is to be sent, or is under way. `waitsForSlot`: whether it is sent when there is a slot.
        case intended(waitsForSlot: Bool)
        /// The provider may have the job. `waitsForSlot`: whether it is looked for, or sent, when there is a slot.
        case unknown(waitsForSlot: Bool)
        /// The provider has the job. `earlyChecks`: the number of status checks so far, while they still come sooner
        /// than the provider's period. `nil` from then on.
        case submitted(earlyChecks: Int?)
        /// The provider has the job, and is asked to cancel it. `earlyChecks`: as for a job that was submitted.
        case cancelling(earlyChecks: Int?)
        /// The job is done. `waitsForSlot`: whether its results are fetched when there is a slot.
        case collecting(waitsForSlot: Bool)

        var phase: JobPhase {
            switch self {
            case .intended: .submitIntent
            case .unknown: .submitUnknown
            case .submitted: .submitted
            case .cancelling: .cancelRequested
            case .collecting: .collecting
            }
        }

        /// Whether the provider is known to have the job.
        var isTaken: Bool {
            switch self {
            case .intended, .unknown: false
            case .submitted, .cancelling, .collecting: true
            }
        }

        /// Whether the status of the job is of interest.
        var isWatched: Bool {
            switch self {
            case .submitted, .cancelling: true
            case .intended, .unknown, .collecting: false
            }
        }

        /// The number of status checks so far, while they come early.
        fileprivate var earlyChecks: Int? {
            switch self {
            case .submitted(let count), .cancelling(let count): count
            case .intended, .unknown, .collecting: nil
            }
        }
    }

    /// The numbers of failures in a row, by their kind.
    struct Failures: Hashable {
        /// The number of requests that could not reach the provider.
        var unreached = 0
        /// The number of requests for which the provider refused the key.
        var keyRefusals = 0
        /// The number of answers that nothing could be done with.
        var stuckAnswers = 0
    }

    /// Makes the run of a job as its ledger line describes it.
    init(_ record: JobRecord) {
        self.record = record
        state =
            switch record.phase {
            case .submitIntent: .intended(waitsForSlot: false)
            case .submitUnknown: .unknown(waitsForSlot: false)
            case .submitted: .submitted(earlyChecks: nil)
            case .cancelRequested: .cancelling(earlyChecks: nil)
            case .collecting: .collecting(waitsForSlot: false)
            }
    }

    /// Whether the job is to be cancelled.
    var isUnwanted: Bool { record.cancelRequestedAt != nil }

    /// Whether a submission, or a look for one, is under way.
    var isSubmitting: Bool { requests[.submit] != nil || requests[.find] != nil }

    /// Whether something is being sent or fetched that takes a slot for transfers.
    var isTransferring: Bool { isSubmitting || requests[.collect] != nil }

    /// Whether the run goes on as soon as there is a slot.
    var waitsForSlot: Bool {
        switch state {
        case .intended(let waits), .unknown(let waits), .collecting(let waits): waits
        case .submitted, .cancelling: false
        }
    }

    /// Notes whether the run goes on as soon as there is a slot. A job that the provider works on needs no slot.
    mutating func waitForSlot(_ waits: Bool) {
        switch state {
        case .intended: state = .intended(waitsForSlot: waits)
        case .unknown: state = .unknown(waitsForSlot: waits)
        case .collecting: state = .collecting(waitsForSlot: waits)
        case .submitted, .cancelling: break
        }
    }

    /// Notes what the provider said when it accepted the job.
    mutating func accept(_ captured: JSON.Object, at now: Moment) {
        capture(captured)
        record.acceptedAt = now
    }

    /// Records that the provider is to be asked to cancel a job that it has.
    mutating func cancel() { state = .cancelling(earlyChecks: state.earlyChecks) }

    /// Notes what a status says besides how far the job is.
    mutating func note(_ status: JobStatus) {
        capture(status.captured)
        if let progress = status.progress { record.progress = min(1, max(0, progress)) }
        record.queuePosition = status.queuePosition
        if let tail = status.logTail { record.logTail = tail }
    }

    private mutating func capture(_ captured: JSON.Object) {
        for member in captured.members { record.captured[member.key] = member.value }
    }

    /// Returns the seconds until the next status check of a job of which nothing is wrong.
    ///
    /// The first check comes soon after the job was accepted. The others come less and less often until the period that
    /// its provider asks for, so that a short job is not waited for longer than it takes.
    mutating func secondsToNextCheck(period: Double) -> Double {
        guard let count = state.earlyChecks else { return period }
        let early = Limits.firstPollSeconds * Double(1 << min(count, 16))
        let checks = early < period ? count + 1 : nil
        switch state {
        case .submitted: state = .submitted(earlyChecks: checks)
        case .cancelling: state = .cancelling(earlyChecks: checks)
        case .intended, .unknown, .collecting: break
        }
        return min(early, period)
    }
}

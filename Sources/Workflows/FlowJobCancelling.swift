import JSON
import Vocabulary

extension Limits {
    /// How long a provider may take to confirm a cancel, in seconds.
    fileprivate static let cancelSettleSeconds = 600.0

    /// The most seconds between two status checks of a job that is being cancelled.
    fileprivate static let cancelPollSeconds = 2.0
}

/// The part of a flow that cancels jobs, because a person asked for it or because their time is over. A job counts as
/// cancelled only when its provider says so.
extension Flow {
    /// Cancels the job of a step. The run ends when the provider confirms the cancel, or at once if no request can
    /// help.
    mutating func cancelJob(_ index: Int, in transition: inout Transition) {
        guard let terms = terms(of: index), let job = jobs[index], !job.isUnwanted else { return }
        switch job.state {
        case .intended where !job.isSubmitting: giveUpCancelled(index, Self.wasCancelled, in: &transition)
        case .unknown where !job.isSubmitting: giveUpCancelled(index, Self.mayExist, in: &transition)
        case .intended, .unknown:
            askToCancel(index, in: &transition)
            // A submission may be answered only when the job is done. The answer still tells what became of it.
            if terms.cancelsUnnamed { request(.cancel, index, in: &transition) }
        case .submitted where terms.cancelling == .unsupported:
            giveUpCancelled(index, Self.cannotCancel(terms), in: &transition)
        case .submitted:
            jobs[index]?.cancel()
            askToCancel(index, in: &transition)
            request(.cancel, index, in: &transition)
        case .cancelling: break
        case .collecting:
            let words = "The job was done already; its results were not fetched."
            giveUpCancelled(index, Failure(.cancelled, words), in: &transition)
        }
    }

    /// Whether the job of a step is to be cancelled.
    func isUnwanted(_ index: Int) -> Bool { jobs[index]?.isUnwanted ?? false }

    private mutating func askToCancel(_ index: Int, in transition: inout Transition) {
        jobs[index]?.record.cancelRequestedAt = transition.now
        keepJob(index, in: &transition)
        setReason(cancelReason(index), of: index, in: &transition)
    }

    static func cannotCancel(_ terms: JobTerms) -> Failure {
        Failure(.cancelUnsupported, "\(terms.title) cannot cancel: the job goes on there, and may be billed.")
    }

    func cancelReason(_ index: Int) -> Reason? {
        guard isUnwanted(index) else { return nil }
        let words = "A cancel was asked for; the provider has not confirmed it."
        return Reason(.cancelRequested, overdue(index).map { "\($0.message) \(words)" } ?? words)
    }

    func isCancelOverdue(_ index: Int, _ now: Moment) -> Bool {
        jobs[index]?.record.cancelRequestedAt.map { now.seconds(since: $0) > Limits.cancelSettleSeconds } ?? false
    }

    /// Ends the run of a job that was to be cancelled. If the job was over its time, the timeout is the failure, and
    /// `failure` only adds to its words.
    mutating func giveUpCancelled(_ index: Int, _ failure: Failure, in transition: inout Transition) {
        guard var late = overdue(index) else {
            return give(up: index, failure, isCancelled: true, in: &transition)
        }
        late.message += failure.code == Self.wasCancelled.code ? " It was cancelled there." : " \(failure.message)"
        give(up: index, late, isCancelled: false, in: &transition)
    }

    /// Cancels a job that is over its time at its provider, since otherwise it may run on and be billed.
    mutating func cancelOverdue(_ index: Int, _ terms: JobTerms, in transition: inout Transition) {
        if terms.cancelling != .unsupported { jobs[index]?.cancel() }
        askToCancel(index, in: &transition)
        if terms.cancelling == .unsupported {
            return giveUpCancelled(index, Self.cannotCancel(terms), in: &transition)
        }
        request(.cancel, index, in: &transition)
    }

    /// Returns the timeout for which a job is being cancelled. `nil` if a person asked for the cancel.
    private func overdue(_ index: Int) -> Failure? {
        guard !isCancelRequested, let terms = terms(of: index), let at = jobs[index]?.record.cancelRequestedAt else {
            return nil
        }
        return deadlineFailure(index, terms, at)
    }

    mutating func cancelTaken(_ index: Int, _ terms: JobTerms, in transition: inout Transition) {
        reached(index, in: &transition)
        guard jobs[index]?.record.phase == .cancelRequested else {
            return cancelledUnnamed(
                index, isTaken: terms.cancelling == .immediate, in: &transition)
        }
        if terms.cancelling == .immediate { return giveUpCancelled(index, Self.wasCancelled, in: &transition) }
        pollLater(index, after: min(terms.pollSeconds, Limits.cancelPollSeconds), in: &transition)
    }

    mutating func cancelRefused(_ index: Int, _ failure: Failure, _ terms: JobTerms, in transition: inout Transition) {
        reached(index, in: &transition)
        guard jobs[index]?.record.phase == .cancelRequested else {
            return cancelledUnnamed(index, isTaken: false, in: &transition)
        }
        if failure.code == .cancelUnsupported { return giveUpCancelled(index, failure, in: &transition) }
        // Too late, it says: what has become of the job is what its status says.
        setReason(Reason(.cancelRefused, failure.message), of: index, in: &transition)
        pollLater(index, after: min(terms.pollSeconds, Limits.cancelPollSeconds), in: &transition)
    }

    /// Handles the answer to a cancel under our own name that came before the answer to the submission.
    ///
    /// The answer to the submission decides, for as long as a cancel may take. If no submission is under way, the
    /// answer to the cancel ends the run.
    private mutating func cancelledUnnamed(_ index: Int, isTaken: Bool, in transition: inout Transition) {
        guard let job = jobs[index], !job.state.isTaken else { return }
        guard job.isSubmitting else {
            return giveUpCancelled(index, isTaken ? Self.wasCancelled : Self.mayExist, in: &transition)
        }
        pollLater(index, after: Limits.cancelSettleSeconds + 1, in: &transition)
    }

    /// Cancels a job under our own name if its provider may not have it. A cancel that takes too long ends the run.
    mutating func cancelUnnamed(_ index: Int, in transition: inout Transition) {
        if isCancelOverdue(index, transition.now) { return giveUpCancelled(index, Self.unconfirmed, in: &transition) }
        request(.cancel, index, in: &transition)
    }

    /// Returns whether the job of a step is cancelled under our own name, before the provider's id of it is known.
    func isCancelledUnnamed(_ index: Int) -> Bool {
        isUnwanted(index) && (terms(of: index)?.cancelsUnnamed ?? false)
    }
}

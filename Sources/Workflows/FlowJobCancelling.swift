import JSON
import Vocabulary

extension Limits {
    /// How long a provider may take to confirm a cancel, in seconds.
    fileprivate static let cancelSettleSeconds = 600.0

    /// The most seconds between two status checks of a job that is being cancelled.
    fileprivate static let cancelPollSeconds = 2.0
}

/// A remote run that is not wanted any more: by a person, or because its time is over. Only the provider can say that
/// it is cancelled.
extension Flow {
    /// Only the provider can say that a job is cancelled; until then it is not.
    mutating func cancelJob(_ index: Int, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard let terms = terms(of: index), jobs[index]!.cancelRequestedAt == nil else { return }
        let isUnanswered = isSubmitting(index)
        switch jobs[index]!.phase {
        case .submitIntent where !isUnanswered, .submitUnknown where !isUnanswered:
            giveUpCancelled(
                index, jobs[index]!.phase == .submitIntent ? Self.wasCancelled : Self.mayExist, now: now, into: &batch)
        case .submitIntent, .submitUnknown:
            askToCancel(index, now: now, into: &batch)
            // A submission may be answered only when the job is done. The answer still tells what became of it.
            if terms.cancelsUnnamed { request(.cancel, index, &intents) }
        case .submitted where terms.cancelling == .unsupported:
            giveUpCancelled(index, Self.cannotCancel(terms), now: now, into: &batch)
        case .submitted:
            jobs[index]!.phase = .cancelRequested
            askToCancel(index, now: now, into: &batch)
            request(.cancel, index, &intents)
        case .cancelRequested: break
        case .collecting:
            let words = "The job was done already; its results were not fetched."
            giveUpCancelled(index, Failure(.cancelled, words), now: now, into: &batch)
        }
    }

    /// Whether a submission, or a look for one, is under way.
    private func isSubmitting(_ index: Int) -> Bool { asked[index]?[.submit] != nil || asked[index]?[.find] != nil }

    private mutating func askToCancel(_ index: Int, now: Moment, into batch: inout Batch) {
        jobs[index]!.cancelRequestedAt = now
        keepJob(index, into: &batch)
        setReason(cancelReason(index), of: index, now: now, into: &batch)
    }

    static func cannotCancel(_ terms: JobTerms) -> Failure {
        Failure(.cancelUnsupported, "\(terms.title) cannot cancel: the job goes on there, and may be billed.")
    }

    func cancelReason(_ index: Int) -> Reason? {
        guard jobs[index]?.cancelRequestedAt != nil else { return nil }
        let words = "A cancel was asked for; the provider has not confirmed it."
        return Reason(.cancelRequested, overdue(index).map { "\($0.message) \(words)" } ?? words)
    }

    func isCancelOverdue(_ index: Int, _ now: Moment) -> Bool {
        jobs[index]?.cancelRequestedAt.map { now.seconds(since: $0) > Limits.cancelSettleSeconds } ?? false
    }

    /// The end of a job that was to be cancelled. Of one that was over its time, that is the failure, and what is said
    /// here only the rest.
    mutating func giveUpCancelled(_ index: Int, _ failure: Failure, now: Moment, into batch: inout Batch) {
        guard var late = overdue(index) else {
            return give(up: index, failure, isCancelled: true, now: now, into: &batch)
        }
        late.message += failure.code == Self.wasCancelled.code ? " It was cancelled there." : " \(failure.message)"
        give(up: index, late, isCancelled: false, now: now, into: &batch)
    }

    /// Over its time: it is cancelled there, as if a person had asked for it, since until then it may run on and be
    /// billed.
    mutating func cancelOverdue(
        _ index: Int, _ terms: JobTerms, now: Moment, into batch: inout Batch, _ intents: inout [Intent]
    ) {
        if terms.cancelling != .unsupported { jobs[index]!.phase = .cancelRequested }
        askToCancel(index, now: now, into: &batch)
        if terms.cancelling == .unsupported {
            return giveUpCancelled(index, Self.cannotCancel(terms), now: now, into: &batch)
        }
        request(.cancel, index, &intents)
    }

    /// Why a job is being cancelled that no person wanted cancelled: by then its time was over.
    private func overdue(_ index: Int) -> Failure? {
        guard !isCancelRequested, let terms = terms(of: index), let at = jobs[index]?.cancelRequestedAt else {
            return nil
        }
        return deadlineFailure(index, terms, at)
    }

    mutating func cancelTaken(
        _ index: Int, _ terms: JobTerms, now: Moment, random: inout some RandomNumberGenerator, into batch: inout Batch,
        _ intents: inout [Intent]
    ) {
        reached(index, now: now, into: &batch)
        guard jobs[index]!.phase == .cancelRequested else {
            return cancelledUnnamed(
                index, isTaken: terms.cancelling == .immediate, now: now, random: &random, into: &batch, &intents)
        }
        if terms.cancelling == .immediate { return giveUpCancelled(index, Self.wasCancelled, now: now, into: &batch) }
        pollLater(index, after: min(terms.pollSeconds, Limits.cancelPollSeconds), now: now, random: &random, &intents)
    }

    mutating func cancelRefused(
        _ index: Int, _ failure: Failure, _ terms: JobTerms, now: Moment, random: inout some RandomNumberGenerator,
        into batch: inout Batch, _ intents: inout [Intent]
    ) {
        reached(index, now: now, into: &batch)
        guard jobs[index]!.phase == .cancelRequested else {
            return cancelledUnnamed(index, isTaken: false, now: now, random: &random, into: &batch, &intents)
        }
        if failure.code == .cancelUnsupported { return giveUpCancelled(index, failure, now: now, into: &batch) }
        // Too late, it says: what has become of the job is what its status says.
        setReason(Reason(.cancelRefused, failure.message), of: index, now: now, into: &batch)
        pollLater(index, after: min(terms.pollSeconds, Limits.cancelPollSeconds), now: now, random: &random, &intents)
    }

    /// A cancel under our own name was answered before the submission was: the job's own answer goes first, for as long
    /// as a cancel may take. Where nobody waits for that answer any more, this is all that there is to know.
    private mutating func cancelledUnnamed(
        _ index: Int, isTaken: Bool, now: Moment, random: inout some RandomNumberGenerator, into batch: inout Batch,
        _ intents: inout [Intent]
    ) {
        guard jobs[index]!.phase == .submitIntent || jobs[index]!.phase == .submitUnknown else { return }
        guard isSubmitting(index) else {
            return giveUpCancelled(index, isTaken ? Self.wasCancelled : Self.mayExist, now: now, into: &batch)
        }
        pollLater(index, after: Limits.cancelSettleSeconds + 1, now: now, random: &random, &intents)
    }

    /// A job that is not wanted and was perhaps never taken, as an engine finds it or comes back to it.
    mutating func cancelUnnamed(_ index: Int, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        if isCancelOverdue(index, now) { return giveUpCancelled(index, Self.unconfirmed, now: now, into: &batch) }
        request(.cancel, index, &intents)
    }

    /// Whether it is cancelled under our own name.
    func isCancelledUnnamed(_ index: Int) -> Bool {
        jobs[index]?.cancelRequestedAt != nil && (terms(of: index)?.cancelsUnnamed ?? false)
    }
}

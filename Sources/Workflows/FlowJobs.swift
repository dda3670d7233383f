import JSON
import Vocabulary

extension Limits {
    /// The part of a pause between status checks by which it is randomly shorter or longer.
    fileprivate static let pollJitter = 0.05

    /// The coarsest grid, in seconds, on which status checks of many jobs coincide.
    package static let pollGridSeconds = 0.25

    /// The part of a provider's retention after which paused status checks continue (`semantics.md` 10).
    fileprivate static let pausedRetentionPart = 0.8
}

/// The part of a flow that runs jobs from the intent to the end, if all goes well. `FlowJobFaults` handles problems.
///
/// The record of the job (`JobRecord`) is committed before each request that could buy or abandon something. After a
/// crash, the next engine therefore knows what may exist (`semantics.md` 7–10, 15, 16).
extension Flow {
    func terms(of index: Int) -> JobTerms? { graph.nodes[index].provider.map { graph.providers[$0] } }

    func run(of index: Int) -> RunID { RunID(steps[index].id, attempt: steps[index].attempt) }

    /// Adds the newest form of a job's record to the commit.
    mutating func keepJob(_ index: Int, isPrecious: Bool = true, in transition: inout Transition) {
        transition.batch.jobs[run(of: index)] = jobs[index]?.record
        if isPrecious { transition.batch.isPrecious = true }
    }

    /// Creates the record of a job, and requests its submission. Once this is committed, the job may exist.
    ///
    /// - Parameter unclear: the job of the attempt that is repeated, if that job may exist. It keeps its name, so that
    ///   it is not bought twice.
    mutating func beginJob(
        _ index: Int, _ terms: JobTerms, repeating unclear: JobRecord?, in transition: inout Transition
    ) -> JobRecord {
        var job = JobRecord(
            provider: terms.provider, key: "\(jobPrefix)-\(run(of: index))", intendedAt: transition.wall)
        if let unclear { (job.key, job.phase) = (unclear.key, .submitUnknown) }
        jobs[index] = JobRun(job)
        transition.batch.isPrecious = true
        move(index, .submitted, phase: job.phase.rawValue, in: &transition)
        let looksFirst = unclear != nil && terms.idempotency != .none && terms.looksFirst
        request(looksFirst ? .find : .submit, index, in: &transition)
        return job
    }

    mutating func request(_ verb: JobRequest.Verb, _ index: Int, in transition: inout Transition) {
        guard let job = jobs[index], job.requests[verb] == nil else { return }
        let number = nextRequest()
        jobs[index]?.requests[verb] = number
        transition.intents.append(.job(index, attempt: steps[index].attempt, verb, request: number, job.record))
    }

    /// Sets the time of the next status check of a job without problems.
    mutating func checkLater(_ index: Int, _ terms: JobTerms, in transition: inout Transition) {
        let seconds = jobs[index]?.secondsToNextCheck(period: terms.pollSeconds) ?? terms.pollSeconds
        pollLater(index, after: seconds, in: &transition)
    }

    /// Sets the time of the next status check after some seconds, unless checks are paused. A job that is to be
    /// cancelled is checked all the same.
    mutating func pollLater(_ index: Int, after seconds: Double, in transition: inout Transition) {
        // On a grid, so that checks of many jobs go out together: a wake-up costs as much as a check.
        let grid = min(Limits.pollGridSeconds, seconds * Limits.pollJitter)
        let jitter = Double.random(
            in: 1 - Limits.pollJitter...1 + Limits.pollJitter - grid / seconds, using: &transition.random)
        var at = (transition.now + seconds * jitter).roundedUp(toMilliseconds: Int64(grid * 1000))
        if let wake = pauseEnd(of: index) { at = max(at, wake) }
        transition.intents.append(.wake(index, at: at))
    }

    /// Returns when paused checks of a job must continue, before the provider deletes its result (`semantics.md` 10).
    /// `nil` if checks are not paused.
    func pauseEnd(of index: Int) -> Moment? {
        guard let pausedAt = pollingPausedAt, jobs[index]?.record.phase == .submitted else { return nil }
        return pausedAt
            + (terms(of: index)?.retentionSeconds.map { $0 * Limits.pausedRetentionPart } ?? Limits.longestWaitSeconds)
    }

    mutating func setPolling(_ isOn: Bool, in transition: inout Transition) {
        guard outcome == nil, isOn == (pollingPausedAt != nil) else { return }
        pollingPausedAt = isOn ? nil : transition.now
        transition.batch.pollingPausedAt = .some(pollingPausedAt)
        let reason =
            isOn
            ? Reason(.resumed, "Jobs are asked for their status again.")
            : Reason(.paused, "Jobs are not asked for their status; they run on all the same.")
        transition.batch.events.append(Event(at: transition.now, workflow: workflow, .workflowChanged(reason)))
        for index in jobs.keys.sorted() where jobs[index]?.record.phase == .submitted && steps[index].state.isRunning {
            if isOn {
                request(.status, index, in: &transition)
            } else if let wake = pauseEnd(of: index) {
                transition.intents.append(.wake(index, at: wake))
            }
        }
    }

    // MARK: Time

    mutating func jobDue(_ index: Int, in transition: inout Transition) {
        if let due = steps[index].dueAt {
            guard due <= transition.now else { return transition.intents.append(.wake(index, at: due)) }
            return waitToTransfer(index, in: &transition)
        }
        guard let job = jobs[index] else { return }
        switch job.state {
        case .intended, .unknown:
            if isCancelledUnnamed(index) { cancelUnnamed(index, in: &transition) }
        case .submitted:
            if let wake = pauseEnd(of: index) {
                guard wake <= transition.now else { return transition.intents.append(.wake(index, at: wake)) }
                return resumeInTime(in: &transition)
            }
            request(.status, index, in: &transition)
        case .cancelling:
            if isCancelOverdue(index, transition.now) {
                return giveUpCancelled(index, Self.unconfirmed, in: &transition)
            }
            request(.status, index, in: &transition)
            if job.failures.unreached > 0 { request(.cancel, index, in: &transition) }
        case .collecting: waitToTransfer(index, in: &transition)
        }
    }

    // MARK: Slots

    /// Returns the slots that the job of a step needs now.
    ///
    /// A job needs a slot for transfers while something is sent or fetched, and a slot of its provider from submission
    /// to end. A job that waits for its next attempt needs none.
    package func slotsNeeded(by index: Int) -> (transfer: Bool, job: Bool) {
        guard let job = jobs[index], steps[index].state.isRunning else { return (false, false) }
        let isBackingOff = steps[index].dueAt != nil && !job.state.isTaken
        return (job.isTransferring, job.isTransferring || !isBackingOff)
    }

    /// Whether the provider is known to have the job of a step.
    package func hasTakenJob(_ index: Int) -> Bool { jobs[index]?.state.isTaken ?? false }

    /// Whether a running job has something to send or to fetch as soon as there is a slot.
    package func waitsToTransfer(_ index: Int) -> Bool { jobs[index]?.waitsForSlot ?? false }

    /// Lets a job wait for a slot for its next transfer. The committed state stays as it was, so a crash during the
    /// wait leaves nothing in doubt.
    mutating func waitToTransfer(_ index: Int, in transition: inout Transition) {
        jobs[index]?.waitForSlot(true)
        transition.intents.append(.consider(index))
    }

    /// Sends or fetches data of a job, now that it has a slot.
    mutating func transfer(_ index: Int, in transition: inout Transition) {
        guard let job = jobs[index], steps[index].state.isRunning else { return }
        switch job.state {
        case .intended, .unknown: sendAgain(index, in: &transition)
        case .collecting:
            if steps[index].reason?.code == .waitingForSlot {
                setReason(cancelReason(index), of: index, in: &transition)
            }
            request(.collect, index, in: &transition)
        case .submitted, .cancelling: break
        }
    }

    private mutating func resumeInTime(in transition: inout Transition) {
        setPolling(true, in: &transition)
        let words = "Status checks go on by themselves: the provider would soon throw results away."
        transition.batch.events.append(
            Event(at: transition.now, workflow: workflow, .workflowChanged(Reason(.resumedInTime, words))))
    }

    // MARK: Answers

    mutating func hear(
        _ answer: JobAnswer, to verb: JobRequest.Verb, _ request: Int, of index: Int, _ attempt: Int,
        in transition: inout Transition
    ) {
        // What comes twice is late the second time: the job is further by then, or is being submitted again under
        // another number.
        guard isUnderWay(index, attempt), let job = jobs[index], job.requests[verb] == request,
            let terms = terms(of: index)
        else {
            keepLate(answer, of: index, attempt, in: &transition)
            return noteLate(index, attempt, answer.inWords, in: &transition)
        }
        jobs[index]?.requests[verb] = nil
        switch answer {
        case .accepted(let captured, let status):
            accept(index, captured, status, in: &transition)
        case .status(let status):
            guard job.state.isWatched else { return }
            reached(index, in: &transition)
            jobs[index]?.record.strikes = 0
            take(status, of: index, terms, in: &transition)
        case .collected(let assets):
            closeRun(index, .succeeded(assets), in: &transition)
            succeed(index, assets, in: &transition)
        case .cancelTaken: cancelTaken(index, terms, in: &transition)
        case .cancelRefused(let failure):
            cancelRefused(index, failure, terms, in: &transition)
        case .notTaken(let failure): notTaken(index, failure, in: &transition)
        case .unclear(let failure): unclear(index, failure, terms, in: &transition)
        case .notFound: notFound(index, terms, in: &transition)
        case .several(let count):
            let words = "\(terms.title) has \(count) jobs that may be this one."
            askAboutSubmission(index, words, in: &transition)
        case .unreachable(let failure):
            unreachable(index, failure, verb, in: &transition)
        case .strike(let failure, let limit):
            strike(index, failure, limit, verb, in: &transition)
        case .stuck(let failure): isStuck(index, failure, verb, in: &transition)
        case .spoiled(let failure) where verb == .collect:
            give(up: index, failure, isCancelled: false, in: &transition)
        case .spoiled(let failure): giveUpUnwatched(index, failure, in: &transition)
        }
    }

    /// Records that the provider has accepted a job, if the answer came while a person was asked or the job had no
    /// slot. The job is then not submitted again.
    private mutating func keepLate(_ answer: JobAnswer, of index: Int, _ attempt: Int, in transition: inout Transition)
    {
        guard case .accepted(let captured, _) = answer, steps.indices.contains(index), steps[index].attempt == attempt,
            !steps[index].state.isRunning, let job = jobs[index], !job.state.isTaken
        else { return }
        jobs[index]?.accept(captured, at: transition.now)
        jobs[index]?.state = .submitted(earlyChecks: nil)
        keepJob(index, in: &transition)
    }

    private mutating func accept(
        _ index: Int, _ captured: JSON.Object, _ status: JobStatus?, in transition: inout Transition
    ) {
        guard let terms = terms(of: index), let isUnwanted = jobs[index]?.isUnwanted else { return }
        reached(index, in: &transition)
        jobs[index]?.accept(captured, at: transition.now)
        jobs[index]?.state = isUnwanted ? .cancelling(earlyChecks: nil) : .submitted(earlyChecks: 0)
        jobs[index]?.record.strikes = 0
        keepJob(index, in: &transition)
        note(index, in: &transition)
        // What has ended says more than any cancel could.
        if isUnwanted, let status, status.state.isEnd {
            return take(status, of: index, terms, in: &transition)
        }
        if isUnwanted, terms.cancelling == .unsupported {
            return giveUpCancelled(index, Self.cannotCancel(terms), in: &transition)
        }
        if isUnwanted { return request(.cancel, index, in: &transition) }
        guard let status else { return checkLater(index, terms, in: &transition) }
        take(status, of: index, terms, in: &transition)
    }

    private mutating func take(_ status: JobStatus, of index: Int, _ terms: JobTerms, in transition: inout Transition) {
        guard let before = jobs[index]?.record else { return }
        let stateBefore = steps[index].state
        jobs[index]?.note(status)
        switch status.state {
        case .queued: break
        case .running:
            jobs[index]?.record.runningAt = before.runningAt ?? transition.now
            if steps[index].state == .queuedRemote {
                move(
                    index, .accepted, reason: cancelReason(index), phase: before.phase.rawValue, in: &transition)
            }
        case .succeeded:
            jobs[index]?.state = .collecting(waitsForSlot: false)
            keepJob(index, in: &transition)
            let tooLate = Reason(.cancelRefused, "It was done before it could be cancelled.")
            move(
                index, .outputsReady, reason: before.cancelRequestedAt == nil ? nil : tooLate,
                phase: JobPhase.collecting.rawValue,
                in: &transition)
            return waitToTransfer(index, in: &transition)
        case .failed(var failure):
            // What the provider reports is not tried again by itself (`semantics.md` 7).
            failure.isTransient = false
            return give(up: index, failure, isCancelled: false, in: &transition)
        case .cancelled:
            let failure =
                before.cancelRequestedAt == nil
                ? Failure(
                    .cancelledByProvider, "\(terms.title) cancelled the job.",
                    remedy: "Retry step \(graph.word(of: index)).")
                : Self.wasCancelled
            return giveUpCancelled(index, failure, in: &transition)
        }
        // Only of a job that was heard of: what nobody could ask meanwhile may be done long since.
        if before.cancelRequestedAt == nil, deadlineFailure(index, terms, transition.now) != nil {
            return cancelOverdue(index, terms, in: &transition)
        }
        if let job = jobs[index]?.record, job != before {
            keepJob(index, isPrecious: false, in: &transition)
            // A move has told of it already.
            if steps[index].state == stateBefore || job.progress != nil { note(index, in: &transition) }
        }
        checkLater(index, terms, in: &transition)
    }

    /// Returns the timeout of a job that had not ended at a moment, or `nil` if it was within its time.
    func deadlineFailure(_ index: Int, _ terms: JobTerms, _ moment: Moment) -> Failure? {
        guard let job = jobs[index]?.record, let acceptedAt = job.acceptedAt else { return nil }
        if let runningAt = job.runningAt, runningAt <= moment {
            guard moment.seconds(since: runningAt) > terms.runningSeconds else { return nil }
            return Failure(
                .runTimeout, "The job ran for more than \(Int(terms.runningSeconds)) s at \(terms.title).",
                remedy: "Its manifest says how long it may run; retry step \(graph.word(of: index)).")
        }
        guard moment.seconds(since: acceptedAt) > terms.queuedSeconds else { return nil }
        return Failure(
            .queueTimeout, "The job waited for more than \(Int(terms.queuedSeconds)) s at \(terms.title).",
            remedy: "Retry step \(graph.word(of: index)) when the provider is less busy.")
    }

    /// Adds an event for a new phase, progress or reason of a job whose step keeps its state.
    mutating func note(_ index: Int, in transition: inout Transition) {
        let (step, job) = (steps[index], jobs[index]?.record)
        guard step.state.isRunning else { return }
        transition.batch.events.append(
            event(
                index,
                .stepChanged(
                    step.state, phase: job?.phase.rawValue, reason: step.reason, progress: job?.progress, failure: nil),
                run: run(of: index), now: transition.now))
    }
}

extension JobAnswer {
    /// The words for the event that records an answer which came too late.
    var inWords: String {
        switch self {
        case .accepted: "The provider took the job after it had been given up."
        case .notTaken: "The provider did not take the job."
        case .unclear: "Whether the provider took the job is not known."
        case .notFound: "The provider has no such job."
        case .several(let count): "The provider has \(count) such jobs."
        case .status(let status): "The provider said: \(status.state.inWords)."
        case .unreachable: "The provider could not be reached."
        case .stuck(let failure): "Nothing could be done with what the provider said: \(failure.message)"
        case .strike: "The provider does not know the job."
        case .collected: "Results came after the run had been given up; they were not used."
        case .spoiled: "Results came that cannot be used."
        case .cancelTaken: "The provider took the request to cancel."
        case .cancelRefused(let failure): "The provider did not cancel: \(failure.message)"
        }
    }
}

extension JobStatus.State {
    fileprivate var isEnd: Bool {
        switch self {
        case .queued, .running: false
        case .succeeded, .cancelled, .failed: true
        }
    }

    var inWords: String {
        switch self {
        case .queued: "queued"
        case .running: "running"
        case .succeeded: "succeeded"
        case .cancelled: "cancelled"
        case .failed(let failure): "failed, \(failure.message)"
        }
    }
}

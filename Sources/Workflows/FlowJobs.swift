import JSON
import Vocabulary

extension Limits {
    /// The seconds until the first status check of a job. Each further pause is twice as long, up to its provider's
    /// period.
    fileprivate static let firstPollSeconds = 0.25

    /// The part of a pause between status checks by which it is randomly shorter or longer.
    fileprivate static let pollJitter = 0.05

    /// The coarsest grid, in seconds, on which status checks of many jobs coincide.
    package static let pollGridSeconds = 0.25

    /// The part of a provider's retention after which paused status checks continue (`semantics.md` 10).
    fileprivate static let pausedRetentionPart = 0.8
}

/// A remote run from the intent to its end, where nothing goes wrong; what may go wrong is in `FlowJobFaults`.
///
/// The ledger line (`JobRecord`) is committed before each request that could buy something or give something up, so
/// that whatever dies, the next engine knows what may exist (`semantics.md` 7–10, 15, 16).
extension Flow {
    func terms(of index: Int) -> JobTerms? { graph.nodes[index].provider.map { graph.providers[$0] } }

    func run(of index: Int) -> RunID { RunID(steps[index].id, attempt: steps[index].attempt) }

    /// Puts the newest form of a ledger line into the commit.
    mutating func keepJob(_ index: Int, isPrecious: Bool = true, into batch: inout Batch) {
        batch.jobs[run(of: index)] = jobs[index]
        if isPrecious { batch.isPrecious = true }
    }

    /// The durable intent: from here on the job may exist.
    ///
    /// - Parameter unclear: the job of the attempt that is repeated, if it may exist: it keeps its name, so that it is
    ///   not bought twice.
    mutating func beginJob(
        _ index: Int, _ terms: JobTerms, repeating unclear: JobRecord?, now: Moment, into batch: inout Batch,
        _ intents: inout [Intent]
    ) -> JobRecord {
        var job = JobRecord(provider: terms.provider, key: "\(jobPrefix)-\(run(of: index))", intendedAt: now)
        if let unclear { (job.key, job.phase) = (unclear.key, .submitUnknown) }
        jobs[index] = job
        batch.isPrecious = true
        move(index, .submitted, phase: job.phase.rawValue, now: now, into: &batch)
        let looksFirst = unclear != nil && terms.idempotency != .none && terms.looksFirst
        request(looksFirst ? .find : .submit, index, &intents)
        return job
    }

    mutating func request(_ verb: JobRequest.Verb, _ index: Int, _ intents: inout [Intent]) {
        guard let job = jobs[index], asked[index]?[verb] == nil else { return }
        let number = nextRequest()
        asked[index, default: [:]][verb] = number
        intents.append(.job(index, attempt: steps[index].attempt, verb, request: number, job))
    }

    /// The next status check of a job of which nothing is wrong: the first soon after it was taken, then less and less
    /// often until the period that its provider asks for, so that a short job is not waited for longer than it takes.
    mutating func checkLater(
        _ index: Int, _ terms: JobTerms, now: Moment, random: inout some RandomNumberGenerator,
        _ intents: inout [Intent]
    ) {
        var seconds = terms.pollSeconds
        if let count = earlyChecks[index] {
            let early = Limits.firstPollSeconds * Double(1 << min(count, 16))
            earlyChecks[index] = early < seconds ? count + 1 : nil
            seconds = min(early, seconds)
        }
        pollLater(index, after: seconds, now: now, random: &random, &intents)
    }

    /// The next status check, unless checks are paused. A job that is to be cancelled is watched all the same.
    mutating func pollLater(
        _ index: Int, after seconds: Double, now: Moment, random: inout some RandomNumberGenerator,
        _ intents: inout [Intent]
    ) {
        // On a grid, so that checks of many jobs go out together: a wake-up costs as much as a check.
        let grid = min(Limits.pollGridSeconds, seconds * Limits.pollJitter)
        let jitter = Double.random(in: 1 - Limits.pollJitter...1 + Limits.pollJitter - grid / seconds, using: &random)
        var at = (now + seconds * jitter).roundedUp(toMilliseconds: Int64(grid * 1000))
        if let wake = pauseEnd(of: index) { at = max(at, wake) }
        intents.append(.wake(index, at: at))
    }

    /// When checks that are paused must go on: before the provider throws the result away (`semantics.md` 10).
    func pauseEnd(of index: Int) -> Moment? {
        guard let pausedAt = pollingPausedAt, jobs[index]?.phase == .submitted else { return nil }
        return pausedAt
            + (terms(of: index)?.retentionSeconds.map { $0 * Limits.pausedRetentionPart } ?? Limits.longestWaitSeconds)
    }

    mutating func setPolling(_ isOn: Bool, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard outcome == nil, isOn == (pollingPausedAt != nil) else { return }
        pollingPausedAt = isOn ? nil : now
        batch.pollingPausedAt = .some(pollingPausedAt)
        let reason =
            isOn
            ? Reason(.resumed, "Jobs are asked for their status again.")
            : Reason(.paused, "Jobs are not asked for their status; they run on all the same.")
        batch.events.append(Event(at: now, workflow: workflow, .workflowChanged(reason)))
        for index in jobs.keys.sorted() where jobs[index]?.phase == .submitted && steps[index].state.isRunning {
            if isOn {
                request(.status, index, &intents)
            } else if let wake = pauseEnd(of: index) {
                intents.append(.wake(index, at: wake))
            }
        }
    }

    // MARK: Time

    mutating func jobDue(
        _ index: Int, now: Moment, random: inout some RandomNumberGenerator, into batch: inout Batch,
        _ intents: inout [Intent]
    ) {
        if let due = steps[index].dueAt {
            guard due <= now else { return intents.append(.wake(index, at: due)) }
            return waitToTransfer(index, &intents)
        }
        switch jobs[index]!.phase {
        case .submitIntent, .submitUnknown:
            if isCancelledUnnamed(index) { cancelUnnamed(index, now: now, into: &batch, &intents) }
        case .submitted:
            if let wake = pauseEnd(of: index) {
                guard wake <= now else { return intents.append(.wake(index, at: wake)) }
                return resumeInTime(now: now, into: &batch, &intents)
            }
            request(.status, index, &intents)
        case .cancelRequested:
            if isCancelOverdue(index, now) { return giveUpCancelled(index, Self.unconfirmed, now: now, into: &batch) }
            request(.status, index, &intents)
            if unreached[index] != nil { request(.cancel, index, &intents) }
        case .collecting: waitToTransfer(index, &intents)
        }
    }

    // MARK: Slots

    /// The slots that the job of a step needs now: one for a transfer while something is sent or fetched, and its
    /// provider's from the submission to the end. One that waits to be tried again needs none.
    package func slotsNeeded(by index: Int) -> (transfer: Bool, job: Bool) {
        guard let job = jobs[index], steps[index].state.isRunning else { return (false, false) }
        let isTransfer = asked[index]?.keys.contains { $0 == .submit || $0 == .find || $0 == .collect } ?? false
        let isBackingOff = steps[index].dueAt != nil && (job.phase == .submitIntent || job.phase == .submitUnknown)
        return (isTransfer, isTransfer || !isBackingOff)
    }

    /// Whether the provider is known to have the job of a step.
    package func hasTakenJob(_ index: Int) -> Bool {
        switch jobs[index]?.phase {
        case .submitted, .cancelRequested, .collecting: true
        case .submitIntent, .submitUnknown, nil: false
        }
    }

    /// Whether a running job has something to send or to fetch as soon as there is a slot.
    package func waitsToTransfer(_ index: Int) -> Bool { waitingToTransfer.contains(index) }

    /// It goes on when there is a slot. What is committed is where it was: nothing more is sent meanwhile that a crash
    /// could leave in doubt.
    mutating func waitToTransfer(_ index: Int, _ intents: inout [Intent]) {
        waitingToTransfer.insert(index)
        intents.append(.consider(index))
    }

    /// There is a slot.
    mutating func transfer(_ index: Int, now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        guard let job = jobs[index], steps[index].state.isRunning else { return }
        switch job.phase {
        case .submitIntent, .submitUnknown: sendAgain(index, now: now, into: &batch, &intents)
        case .collecting:
            if steps[index].reason?.code == .waitingForSlot {
                setReason(cancelReason(index), of: index, now: now, into: &batch)
            }
            request(.collect, index, &intents)
        case .submitted, .cancelRequested: break
        }
    }

    private mutating func resumeInTime(now: Moment, into batch: inout Batch, _ intents: inout [Intent]) {
        setPolling(true, now: now, into: &batch, &intents)
        let words = "Status checks go on by themselves: the provider would soon throw results away."
        batch.events.append(Event(at: now, workflow: workflow, .workflowChanged(Reason(.resumedInTime, words))))
    }

    // MARK: Answers

    mutating func hear(
        _ answer: JobAnswer, to verb: JobRequest.Verb, _ request: Int, of index: Int, _ attempt: Int, now: Moment,
        random: inout some RandomNumberGenerator, into batch: inout Batch, _ intents: inout [Intent]
    ) {
        // What comes twice is late the second time: the job is further by then, or is being submitted again under
        // another number.
        guard isUnderWay(index, attempt), jobs[index] != nil, asked[index]?[verb] == request,
            let terms = terms(of: index)
        else {
            keepLate(answer, of: index, attempt, now: now, into: &batch)
            return noteLate(index, attempt, answer.inWords, now: now, into: &batch)
        }
        asked[index]![verb] = nil
        switch answer {
        case .accepted(let captured, let status):
            accept(index, captured, status, now: now, random: &random, into: &batch, &intents)
        case .status(let status):
            guard jobs[index]!.phase == .submitted || jobs[index]!.phase == .cancelRequested else { return }
            reached(index, now: now, into: &batch)
            jobs[index]!.strikes = 0
            take(status, of: index, terms, now: now, random: &random, into: &batch, &intents)
        case .collected(let assets):
            closeRun(index, .succeeded(assets), now: now, into: &batch)
            succeed(index, assets, now: now, into: &batch, &intents)
        case .cancelTaken: cancelTaken(index, terms, now: now, random: &random, into: &batch, &intents)
        case .cancelRefused(let failure):
            cancelRefused(index, failure, terms, now: now, random: &random, into: &batch, &intents)
        case .notTaken(let failure): notTaken(index, failure, now: now, random: &random, into: &batch, &intents)
        case .unclear(let failure): unclear(index, failure, terms, now: now, random: &random, into: &batch, &intents)
        case .notFound: notFound(index, terms, now: now, random: &random, into: &batch, &intents)
        case .several(let count):
            let words = "\(terms.title) has \(count) jobs that may be this one."
            askAboutSubmission(index, words, now: now, into: &batch)
        case .unreachable(let failure):
            unreachable(index, failure, verb, now: now, random: &random, into: &batch, &intents)
        case .strike(let failure, let limit):
            strike(index, failure, limit, verb, now: now, random: &random, into: &batch, &intents)
        case .stuck(let failure): isStuck(index, failure, verb, now: now, random: &random, into: &batch, &intents)
        case .spoiled(let failure) where verb == .collect:
            give(up: index, failure, isCancelled: false, now: now, into: &batch)
        case .spoiled(let failure): giveUpUnwatched(index, failure, now: now, into: &batch)
        }
    }

    /// An acceptance that comes while a person is asked, or before the job has a slot again: the job exists, so it is
    /// not submitted anew.
    private mutating func keepLate(
        _ answer: JobAnswer, of index: Int, _ attempt: Int, now: Moment, into batch: inout Batch
    ) {
        guard case .accepted(let captured, _) = answer, steps.indices.contains(index), steps[index].attempt == attempt,
            !steps[index].state.isRunning, var job = jobs[index],
            job.phase == .submitIntent || job.phase == .submitUnknown
        else { return }
        for member in captured.members { job.captured[member.key] = member.value }
        (job.phase, job.acceptedAt) = (.submitted, now)
        jobs[index] = job
        keepJob(index, into: &batch)
    }

    private mutating func accept(
        _ index: Int, _ captured: JSON.Object, _ status: JobStatus?, now: Moment,
        random: inout some RandomNumberGenerator,
        into batch: inout Batch, _ intents: inout [Intent]
    ) {
        guard let terms = terms(of: index) else { return }
        for member in captured.members { jobs[index]!.captured[member.key] = member.value }
        reached(index, now: now, into: &batch)
        jobs[index]!.acceptedAt = now
        jobs[index]!.strikes = 0
        let isUnwanted = jobs[index]!.cancelRequestedAt != nil
        jobs[index]!.phase = isUnwanted ? .cancelRequested : .submitted
        keepJob(index, into: &batch)
        note(index, now: now, into: &batch)
        // What has ended says more than any cancel could.
        if isUnwanted, let status, status.state.isEnd {
            return take(status, of: index, terms, now: now, random: &random, into: &batch, &intents)
        }
        if isUnwanted, terms.cancelling == .unsupported {
            return giveUpCancelled(index, Self.cannotCancel(terms), now: now, into: &batch)
        }
        if isUnwanted { return request(.cancel, index, &intents) }
        earlyChecks[index] = 0
        guard let status else { return checkLater(index, terms, now: now, random: &random, &intents) }
        take(status, of: index, terms, now: now, random: &random, into: &batch, &intents)
    }

    private mutating func take(
        _ status: JobStatus, of index: Int, _ terms: JobTerms, now: Moment, random: inout some RandomNumberGenerator,
        into batch: inout Batch, _ intents: inout [Intent]
    ) {
        let (before, stateBefore) = (jobs[index]!, steps[index].state)
        for member in status.captured.members { jobs[index]!.captured[member.key] = member.value }
        if let progress = status.progress { jobs[index]!.progress = min(1, max(0, progress)) }
        jobs[index]!.queuePosition = status.queuePosition
        if let tail = status.logTail { jobs[index]!.logTail = tail }
        switch status.state {
        case .queued: break
        case .running:
            jobs[index]!.runningAt = before.runningAt ?? now
            if steps[index].state == .queuedRemote {
                move(
                    index, .accepted, reason: cancelReason(index), phase: jobs[index]!.phase.rawValue, now: now,
                    into: &batch)
            }
        case .succeeded:
            jobs[index]!.phase = .collecting
            keepJob(index, into: &batch)
            let tooLate = Reason(.cancelRefused, "It was done before it could be cancelled.")
            move(
                index, .outputsReady, reason: before.cancelRequestedAt == nil ? nil : tooLate,
                phase: JobPhase.collecting.rawValue,
                now: now,
                into: &batch)
            return waitToTransfer(index, &intents)
        case .failed(var failure):
            // What the provider reports is not tried again by itself (`semantics.md` 7).
            failure.isTransient = false
            return give(up: index, failure, isCancelled: false, now: now, into: &batch)
        case .cancelled:
            let failure =
                before.cancelRequestedAt == nil
                ? Failure(
                    .cancelledByProvider, "\(terms.title) cancelled the job.", remedy: "Retry step \(index + 1).")
                : Self.wasCancelled
            return giveUpCancelled(index, failure, now: now, into: &batch)
        }
        // Only of a job that was heard of: what nobody could ask meanwhile may be done long since.
        if before.cancelRequestedAt == nil, deadlineFailure(index, terms, now) != nil {
            return cancelOverdue(index, terms, now: now, into: &batch, &intents)
        }
        if jobs[index]! != before {
            keepJob(index, isPrecious: false, into: &batch)
            // A move has told of it already.
            if steps[index].state == stateBefore || jobs[index]!.progress != nil { note(index, now: now, into: &batch) }
        }
        checkLater(index, terms, now: now, random: &random, &intents)
    }

    /// What is wrong with a job that has not ended at a moment, if it is over its time by then.
    func deadlineFailure(_ index: Int, _ terms: JobTerms, _ moment: Moment) -> Failure? {
        guard let job = jobs[index], let acceptedAt = job.acceptedAt else { return nil }
        if let runningAt = job.runningAt, runningAt <= moment {
            guard moment.seconds(since: runningAt) > terms.runningSeconds else { return nil }
            return Failure(
                .runTimeout, "The job ran for more than \(Int(terms.runningSeconds)) s at \(terms.title).",
                remedy: "Its manifest says how long it may run; retry step \(index + 1).")
        }
        guard moment.seconds(since: acceptedAt) > terms.queuedSeconds else { return nil }
        return Failure(
            .queueTimeout, "The job waited for more than \(Int(terms.queuedSeconds)) s at \(terms.title).",
            remedy: "Retry step \(index + 1) when the provider is less busy.")
    }

    /// The step is where it was; its phase, progress or reason is not.
    mutating func note(_ index: Int, now: Moment, into batch: inout Batch) {
        let (step, job) = (steps[index], jobs[index])
        guard step.state.isRunning else { return }
        batch.events.append(
            event(
                index,
                .stepChanged(
                    step.state, phase: job?.phase.rawValue, reason: step.reason, progress: job?.progress, failure: nil),
                run: run(of: index), now: now))
    }
}

extension JobAnswer {
    /// For the event that notes an answer which came too late.
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

import JSON
package import Vocabulary

/// The part of a flow for problems of jobs: lost answers, crashes, and providers that cannot be reached, forget a job
/// or do not cancel it.
extension Flow {
    static var mayExist: Failure {
        Failure(
            .submitUnknown, "The job may exist at the provider; nobody knows.")
    }
    static var unconfirmed: Failure {
        Failure(
            .cancelUnconfirmed,
            "The provider was asked to cancel and never said that it did; the job may still run and be billed.")
    }

    // MARK: After a crash

    /// Continues a job after a crash, as the provider's manifest says about idempotency (`semantics.md` 16).
    mutating func takeUpJob(_ index: Int, in transition: inout Transition) {
        guard let terms = terms(of: index) else {
            // Its provider's manifest is gone: the job is not forgotten for that.
            return setReason(graph.nodes[index].missing, of: index, in: &transition)
        }
        // It was gone before, and is back.
        if steps[index].reason?.isAbsence == true { setReason(cancelReason(index), of: index, in: &transition) }
        if let due = steps[index].dueAt { return transition.intents.append(.wake(index, at: due)) }
        guard let job = jobs[index] else { return }
        switch job.state {
        // To submit it again may make what is not wanted.
        case .intended where isCancelledUnnamed(index), .unknown where isCancelledUnnamed(index):
            cancelUnnamed(index, in: &transition)
        case .intended, .unknown:
            if terms.idempotency == .none {
                unclear(
                    index, terms, "Whether the job was submitted before the crash is not known.", in: &transition)
            } else {
                request(terms.looksFirst ? .find : .submit, index, in: &transition)
            }
        case .submitted, .cancelling: watch(index, in: &transition)
        case .collecting: waitToTransfer(index, in: &transition)
        }
    }

    /// Continues to watch a job that the provider has: with its cancel, if one was requested, and with its status,
    /// unless checks are paused.
    private mutating func watch(_ index: Int, in transition: inout Transition) {
        if let wake = pauseEnd(of: index) {
            return transition.intents.append(.wake(index, at: max(wake, transition.now)))
        }
        if jobs[index]?.record.phase == .cancelRequested { request(.cancel, index, in: &transition) }
        request(.status, index, in: &transition)
    }

    /// Continues a job after a person answered whether it was submitted, and a slot is free again.
    mutating func resumeJob(_ index: Int, in transition: inout Transition) {
        guard let phase = jobs[index]?.record.phase else { return }
        move(index, .submitted, phase: phase.rawValue, in: &transition)
        // Its provider's manifest is gone; it goes on once that is back.
        guard let terms = terms(of: index) else {
            return setReason(graph.nodes[index].missing, of: index, in: &transition)
        }
        switch phase {
        case .submitIntent: request(.submit, index, in: &transition)
        case .submitUnknown: request(terms.looksFirst ? .find : .submit, index, in: &transition)
        case .submitted, .cancelRequested: watch(index, in: &transition)
        case .collecting:
            move(index, .outputsReady, phase: phase.rawValue, in: &transition)
            request(.collect, index, in: &transition)
        }
    }

    // MARK: Submitting

    mutating func notTaken(_ index: Int, _ failure: Failure, in transition: inout Transition) {
        if isUnwanted(index) {
            return giveUpCancelled(index, Self.wasCancelled, in: &transition)
        }
        if failure.code == .offline {
            // Nothing was spent, and nothing is (`semantics.md` 66).
            return waitToSend(
                index, Reason(.offline, failure.message), Limits.pollSeconds, in: &transition)
        }
        if failure.code == .keyMissing { return askToConnect(index, failure, in: &transition) }
        switch Backoff.verdict(on: failure, tries: steps[index].tries, now: transition.now, random: &transition.random)
        {
        case .again(let seconds):
            waitToSend(index, Backoff.reason(failure, seconds), seconds, in: &transition)
        case .giveUp(let failure): give(up: index, failure, isCancelled: false, in: &transition)
        }
    }

    mutating func unclear(_ index: Int, _ failure: Failure, _ terms: JobTerms, in transition: inout Transition) {
        if isUnwanted(index) {
            return giveUpCancelled(index, Self.mayExist, in: &transition)
        }
        guard terms.idempotency != .none || terms.ambiguity == .retry else {
            return unclear(index, terms, failure.message, in: &transition)
        }
        jobs[index]?.state = .unknown(waitsForSlot: false)
        keepJob(index, in: &transition)
        var transient = failure
        transient.isTransient = true
        switch Backoff.verdict(
            on: transient, tries: steps[index].tries, now: transition.now, random: &transition.random)
        {
        case .again(let seconds):
            waitToSend(index, Backoff.reason(failure, seconds), seconds, in: &transition)
        case .giveUp(var given):
            if given.code != .cooldown {
                let time = transition.now + Limits.retryCapSeconds
                let remedy = "Retry it then: it is submitted under the same name, so it is not bought twice."
                given = Failure(
                    .cooldown,
                    "\(failure.message) It was tried \(steps[index].tries) times; it may be tried again at \(time).",
                    remedy: [failure.remedy, remedy].compactMap(\.self).joined(separator: " "))
            }
            give(up: index, given, isCancelled: false, in: &transition)
        }
    }

    private mutating func unclear(_ index: Int, _ terms: JobTerms, _ words: String, in transition: inout Transition) {
        switch terms.ambiguity {
        case .ask: askAboutSubmission(index, words, in: &transition)
        case .fail: give(up: index, Self.mayExist, isCancelled: false, in: &transition)
        case .retry:
            // On record before it may be bought twice.
            jobs[index]?.state = .unknown(waitsForSlot: false)
            keepJob(index, in: &transition)
            request(.submit, index, in: &transition)
        }
    }

    private mutating func waitToSend(_ index: Int, _ reason: Reason, _ seconds: Double, in transition: inout Transition)
    {
        setReason(reason, of: index, in: &transition)
        steps[index].dueAt = transition.now + seconds
        touch(index)
        transition.intents.append(.wake(index, at: transition.now + seconds))
    }

    /// Sends the submission again, or looks for the job, after a wait. The attempt is committed before the request is
    /// sent.
    mutating func sendAgain(_ index: Int, in transition: inout Transition) {
        let wasOffline = steps[index].reason?.code == .offline
        steps[index].dueAt = nil
        touch(index)
        if !wasOffline { steps[index].tries += 1 }
        let looksFirst = jobs[index]?.record.phase == .submitUnknown && (terms(of: index)?.looksFirst ?? true)
        if !looksFirst { jobs[index]?.state = .intended(waitsForSlot: false) }
        keepJob(index, in: &transition)
        setReason(nil, of: index, in: &transition)
        request(looksFirst ? .find : .submit, index, in: &transition)
    }

    /// Handles the answer that the provider does not have the job: it is submitted, or looked for again if the first
    /// request may still arrive.
    mutating func notFound(_ index: Int, _ terms: JobTerms, in transition: inout Transition) {
        reached(index, in: &transition)
        if isUnwanted(index) {
            return giveUpCancelled(index, Self.wasCancelled, in: &transition)
        }
        guard terms.idempotency != .none else {
            return askAboutSubmission(index, "\(terms.title) has no such job in its list.", in: &transition)
        }
        if mayBeOnItsWay(index, terms) {
            jobs[index]?.state = .unknown(waitsForSlot: false)
            keepJob(index, in: &transition)
            steps[index].tries -= 1
            let words =
                "\(terms.title) does not have the job; what was sent before the crash may be on its way. It is looked for again."
            return waitToSend(index, Reason(.backoff, words), Limits.onItsWaySeconds, in: &transition)
        }
        jobs[index]?.state = .intended(waitsForSlot: false)
        keepJob(index, in: &transition)
        request(.submit, index, in: &transition)
    }

    /// Returns whether a submission of a dead engine may still reach the provider after a look at its list
    /// (`semantics.md` 16). Other providers recognise a second submission as the first.
    private func mayBeOnItsWay(_ index: Int, _ terms: JobTerms) -> Bool {
        terms.idempotency == .reconcile && jobs[index]?.record.phase == .submitIntent
    }

    /// Asks a person whether to look at the provider again, to submit again, or to fail, when a submission is in doubt
    /// (`semantics.md` 8).
    mutating func askAboutSubmission(_ index: Int, _ words: String, in transition: inout Transition) {
        guard let terms = terms(of: index), let job = jobs[index]?.record else { return }
        jobs[index]?.state = .unknown(waitsForSlot: false)
        keepJob(index, in: &transition)
        let record = AwaitRecord(
            step: steps[index].id, type: .submitUnknown, title: "Was the job submitted?",
            reason: "\(words) \(terms.title) may have the job \(job.key), or may not.", urgency: .high,
            createdAt: transition.wall,
            question: [
                "provider": .string(terms.provider), "key": .string(job.key),
                "since": .string(job.intendedAt.description),
                // Only what can be done: who cannot be asked is not looked at, and a job goes on by its id where that
                // is enough.
                "choices": .array(
                    (["again"] + (terms.canLook ? ["look"] : []) + (terms.canAdopt ? ["found"] : []) + ["fail"]).map(
                        JSON.string)),
            ])
        move(
            index, .asked, reason: Reason(.needsYou, record.reason), phase: JobPhase.submitUnknown.rawValue,
            in: &transition)
        transition.batch.awaitsOpened.append(record)
    }

    /// Asks for a key that is missing, or that the provider refuses. The run continues when the person says that the
    /// key is good.
    private mutating func askToConnect(_ index: Int, _ failure: Failure, in transition: inout Transition) {
        guard let terms = terms(of: index) else { return }
        let record = AwaitRecord.toConnect(terms, for: steps[index].id, failure, at: transition.now)
        // What is still asked of the job is late by then.
        jobs[index]?.requests = [:]
        jobs[index]?.waitForSlot(false)
        keepJob(index, in: &transition)
        move(
            index, .asked, reason: Reason(.needsYou, record.reason), phase: jobs[index]?.record.phase.rawValue,
            in: &transition)
        transition.batch.awaitsOpened.append(record)
    }

    // MARK: Watching

    /// Records that the provider answers again, and clears the reason that said otherwise.
    mutating func reached(_ index: Int, in transition: inout Transition) {
        jobs[index]?.failures = JobRun.Failures()
        guard let reason = steps[index].reason,
            reason.code == .reconnecting || reason.code == .stuck || Self.isAboutStorage(reason.code)
        else { return }
        setReason(cancelReason(index), of: index, in: &transition)
    }

    mutating func unreachable(
        _ index: Int, _ failure: Failure, _ verb: JobRequest.Verb, in transition: inout Transition
    ) {
        guard let terms = terms(of: index), let job = jobs[index] else { return }
        let isUnwanted = job.isUnwanted
        var failures = job.failures
        failures.unreached += 1
        // One refusal may be a hiccup, and the key is looked up anew after it.
        if failure.code == .keyRefused { failures.keyRefusals += 1 }
        jobs[index]?.failures = failures
        let isRefused = failure.code == .keyRefused && failures.keyRefusals >= Limits.keyRefusals
        if failure.code == .keyMissing || isRefused, !isUnwanted {
            // It was not looked for, so it may exist as before.
            if verb == .find { jobs[index]?.state = .unknown(waitsForSlot: false) }
            return askToConnect(index, failure, in: &transition)
        }
        // Of results that cannot be stored, too, nothing is given up: they were paid for.
        let reason =
            Self.isAboutStorage(failure.code)
            ? Reason(failure.code, "\(failure.message) It is tried again.")
            : Reason(.reconnecting, "Reconnecting… \(failure.message)")
        setReason(reason, of: index, in: &transition)
        if verb == .find, !isUnwanted, failure.code != .offline, failures.unreached >= Limits.jobSearches {
            jobs[index]?.failures.unreached = 0
            return askAboutSubmission(index, failure.message, in: &transition)
        }
        if isUnwanted, isCancelOverdue(index, transition.now) {
            return giveUpCancelled(index, Self.unconfirmed, in: &transition)
        }
        let steps = Limits.pollBackoffSeconds
        var delay = max(
            steps[min(failures.unreached - 1, steps.count - 1)],
            min(failure.retryAfterSeconds ?? 0, Limits.retryAfterSeconds))
        if verb == .find {
            if mayBeOnItsWay(index, terms) { delay = max(delay, Limits.onItsWaySeconds) }
            // The job is not known yet, so there is no status to ask for: it is looked for again.
            jobs[index]?.state = .unknown(waitsForSlot: false)
            self.steps[index].dueAt = transition.now + delay
            self.steps[index].tries -= 1
            keepJob(index, in: &transition)
            touch(index)
            return transition.intents.append(.wake(index, at: transition.now + delay))
        }
        // With the key looked up anew.
        if failure.code == .keyRefused, !isUnwanted { delay = terms.pollSeconds }
        pollLater(index, after: delay, in: &transition)
    }

    /// Returns whether a failure comes from storing results on this machine.
    private static func isAboutStorage(_ code: FailureCode) -> Bool {
        code.exit == .storage || code.isOne(of: .storageFailed, .fileFailed, .permissionDenied)
    }

    /// Handles an answer that the program cannot use. Waiting alone does not help, but a few checks more are made,
    /// since the server may recover.
    mutating func isStuck(_ index: Int, _ failure: Failure, _ verb: JobRequest.Verb, in transition: inout Transition) {
        guard let terms = terms(of: index), let job = jobs[index] else { return }
        switch verb {
        case .find where job.isUnwanted:
            giveUpCancelled(index, Self.mayExist, in: &transition)
        case .find: askAboutSubmission(index, failure.message, in: &transition)
        case .cancel:
            let words =
                "The cancel cannot be sent: \(failure.message) The job goes on at \(terms.title), and may be billed."
            let unsent = Failure(.cancelUnsupported, words, remedy: failure.remedy)
            cancelRefused(index, unsent, terms, in: &transition)
        case .submit, .status, .collect:
            let count = job.failures.stuckAnswers + 1
            jobs[index]?.failures.stuckAnswers = count
            guard count < Limits.jobStuckAnswers else { return giveUpUnwatched(index, failure, in: &transition) }
            setReason(Reason(.stuck, failure.message), of: index, in: &transition)
            let delays = Limits.pollBackoffSeconds
            pollLater(index, after: delays[min(count, delays.count) - 1], in: &transition)
        }
    }

    /// Ends the run of a job that exists and cannot be watched from here.
    mutating func giveUpUnwatched(_ index: Int, _ failure: Failure, in transition: inout Transition) {
        guard let terms = terms(of: index) else { return }
        var failure = failure
        failure.message += " The job goes on at \(terms.title), and may be billed."
        failure.isTransient = false
        give(up: index, failure, isCancelled: false, in: &transition)
    }

    /// Returns the failure for a run whose job is not watched to its end, or `nil` if there is none. `isUnknown` says
    /// whether a person could still find out the state of the job.
    func unwatched(_ index: Int) -> (failure: Failure, isUnknown: Bool)? {
        guard let job = jobs[index], let terms = terms(of: index) else { return nil }
        switch job.state {
        case .intended: return nil
        case .unknown: return (Self.mayExist, true)
        case .submitted, .cancelling:
            let words = "The job was not cancelled: it goes on at \(terms.title), and may be billed."
            return (Failure(.cancelUnconfirmed, words), false)
        case .collecting:
            return (Failure(.cancelled, "The job was done already; its results were not fetched."), false)
        }
    }

    /// Counts an answer that says the job or its state is unknown. Only several such answers in a row end the run
    /// (`semantics.md` 15).
    mutating func strike(
        _ index: Int, _ failure: Failure, _ limit: Int, _ verb: JobRequest.Verb, in transition: inout Transition
    ) {
        guard let terms = terms(of: index), let job = jobs[index] else { return }
        let strikes = job.record.strikes + 1
        reached(index, in: &transition)
        jobs[index]?.record.strikes = strikes
        keepJob(index, in: &transition)
        guard strikes >= max(limit, 1) else {
            if verb == .collect {
                setReason(
                    Reason(failure.code, "\(failure.message) It is asked for again."), of: index, in: &transition
                )
            }
            return pollLater(index, after: terms.pollSeconds, in: &transition)
        }
        if isUnwanted(index) {
            return giveUpCancelled(index, Self.unconfirmed, in: &transition)
        }
        let words =
            switch failure.code.ours {
            // Whoever says words that nobody knows has the job all the same.
            case .unknownStatus:
                "\(failure.message) It was asked \(limit) times; the job may still run there and be billed."
            // These say it themselves.
            case .jobLost, .resultExpired: failure.message
            default: "\(terms.title) does not have the job any more: \(failure.message)"
            }
        let lost = Failure(
            verb == .collect ? .resultExpired : .jobLost, words,
            remedy: failure.remedy ?? "Retry step \(graph.word(of: index)) to run it anew.")
        give(up: index, lost, isCancelled: false, in: &transition)
    }
}

extension AwaitRecord {
    /// Returns the await that asks for a key of a provider which has none, or which refuses the stored one.
    package static func toConnect(_ terms: JobTerms, for step: StepID, _ failure: Failure, at now: Moment)
        -> AwaitRecord
    {
        AwaitRecord(
            step: step, type: .connect, title: "Connect \(terms.title)", reason: failure.message, urgency: .high,
            createdAt: now,
            question: .of(["provider": .string(terms.provider), "remedy": failure.remedy.map { .string($0) }]))
    }
}

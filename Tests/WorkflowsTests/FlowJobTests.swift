import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Remote runs as the flow decides them: `semantics.md` 5–10, 15, 16, 66.
@Suite struct FlowJobTests {
    func rig(_ terms: JobTerms = JobTerms(provider: "p")) -> FlowRig {
        var rig = FlowRig(nodes: [FlowRig.job("a"), FlowRig.node("b")], edges: [(0, 1)], providers: [terms])
        _ = rig.takeIntents()
        rig.admit(0)
        return rig
    }

    func accepted(_ terms: JobTerms = JobTerms(provider: "p")) -> FlowRig {
        var rig = rig(terms)
        _ = rig.takeIntents()
        rig.hear(0, .submit, .accepted(captured: JSON.Object(members: [.init(key: "jobId", value: "j-1")]), nil))
        return rig
    }

    static let busy = Failure("busy", "503", isTransient: true)

    /// `semantics.md` 137: a ready node becomes `queuedRemote`, and the intent is durable before the request leaves
    /// (row 16).
    @Test func theIntentIsCommittedBeforeTheRequest() {
        var rig = rig()
        #expect(rig.states[0] == .queuedRemote)
        let run = rig.runRecords.values.first
        #expect(run?.job?.phase == .submitIntent && run?.job?.key == "assent-w1.1.1")
        #expect(rig.takeRequests() == [.submit])
    }

    @Test func aJobGoesItsWay() {
        var rig = accepted()
        #expect(rig.states[0] == .queuedRemote && rig.flow.jobs[0]?.record.captured["jobId"] == "j-1")
        let first = rig.takeAlarm(0)!
        #expect((0.23...0.27).contains(first), "soon after it was taken")
        rig.pass(seconds: first, due: 0)
        #expect(rig.takeRequests() == [.status])
        rig.hear(0, .status, .status(JobStatus(.queued, queuePosition: 3)))
        #expect(rig.states[0] == .queuedRemote && rig.flow.jobs[0]?.record.queuePosition == 3)
        rig.hear(0, .status, .status(JobStatus(.running, progress: 0.4)))
        #expect(rig.states[0] == .runningRemote && rig.flow.jobs[0]?.record.progress == 0.4)
        _ = rig.takeIntents()
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        #expect(rig.states[0] == .downloading && rig.flow.jobs[0]?.record.phase == .collecting)
        #expect(rig.takeRequests() == [.collect])
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states == [.succeeded, .ready] && rig.flow.jobs.isEmpty)
    }

    /// `semantics.md` 144: 503 → 503 → 200 waits about 30 s, then about 2 min, then goes on. It is one run.
    @Test func refusedSubmissionsAreTriedAgain() {
        var rig = rig()
        for expected in [30.0, 120.0] {
            _ = rig.takeIntents()
            rig.hear(0, .submit, .notTaken(Self.busy))
            #expect(rig.states[0] == .queuedRemote && rig.flow.steps[0].reason?.code == "backoff")
            let delay = rig.takeAlarm(0)!
            #expect((expected * 0.75...expected * 1.25).contains(delay))
            rig.pass(seconds: delay, due: 0)
            #expect(rig.takeRequests() == [.submit])
        }
        rig.hear(0, .submit, .accepted(captured: JSON.Object(), nil))
        #expect(rig.runs.count == 1 && rig.flow.jobs[0]?.record.phase == .submitted)
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states == [.succeeded, .ready] && rig.runs.count == 1)
    }

    /// `semantics.md` 145: first what the server says, then what is usual at that try.
    @Test func afterAWaitThatWasAskedForTheUsualOnesGoOn() {
        var rig = rig()
        rig.hear(0, .submit, .notTaken(Failure("busy", "429", isTransient: true, retryAfterSeconds: 45)))
        #expect((45.0...56.25).contains(rig.takeAlarm(0)!), "instead of 30 s; jitter only upward")
        for expected in [120.0, 480] {
            rig.pass(seconds: 600, due: 0)
            _ = rig.takeIntents()
            rig.hear(0, .submit, .notTaken(Self.busy))
            #expect((expected * 0.75...expected * 1.25).contains(rig.takeAlarm(0)!))
        }
        rig.pass(seconds: 600, due: 0)
        rig.hear(0, .submit, .notTaken(Self.busy))
        #expect(rig.states[0] == .failed, "the wait counted as one of three")
    }

    /// Row 6.
    @Test func aServerThatSaysHowLongIsHeard() {
        var rig = rig()
        rig.hear(0, .submit, .notTaken(Failure("busy", "429", isTransient: true, retryAfterSeconds: 1000)))
        #expect(rig.flow.steps[0].failure?.code == "cooldown")
    }

    /// `semantics.md` 146: four 504s, with a provider that knows our own id: 3 retries, then the cooldown. The retry
    /// keeps the name.
    @Test(arguments: [JobTerms.Idempotency.put, .header, .clientId, .reconcile])
    func fourTimeoutsAreACooldown(idempotency: JobTerms.Idempotency) {
        var rig = rig(JobTerms(provider: "p", idempotency: idempotency))
        let looksFirst = idempotency == .clientId || idempotency == .reconcile
        var submits = rig.takeRequests().count
        for _ in 0..<4 {
            rig.hear(0, .submit, .unclear(Failure("timedOut", "504")))
            guard let delay = rig.takeAlarm(0) else { break }
            rig.pass(seconds: delay, due: 0)
            if looksFirst {
                #expect(rig.takeRequests() == [.find])
                rig.hear(0, .find, .notFound)
            }
            submits += rig.takeRequests().count { $0 == .submit }
        }
        #expect(submits == 4 && rig.flow.steps[0].failure?.code == "cooldown" && rig.states[0] == .failed)
        #expect(rig.flow.steps[0].failure?.message.contains("may be tried again at") == true)
        let key = rig.runRecords.values.first?.job?.key
        rig.flow.remember(rig.history)
        rig.feed(.retry(0))
        _ = rig.takeIntents()
        rig.admit(0)
        #expect(rig.flow.jobs[0]?.record.key == key && rig.runs.count == 2)
        #expect(rig.takeRequests() == [looksFirst ? .find : .submit])
    }

    /// Row 8: where nothing tells a second submission from the first, a person says what is to be done.
    @Test func aLostAnswerIsAskedAbout() {
        var rig = rig()
        _ = rig.takeIntents()
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        #expect(rig.states[0] == .awaitingUser && rig.openAwaits.map(\.type) == [.submitUnknown])
        #expect(rig.takeRequests().isEmpty && rig.flow.jobs[0]?.record.phase == .submitUnknown)
        #expect(rig.runs.values.contains("running"), "the run is not over: the job may exist")
    }

    @Test(arguments: [
        (Completion.submitAgain, [JobRequest.Verb.submit], JobPhase.submitIntent),
        (.submittedAs(id: "j-7"), [.status], .submitted), (.lookAgain, [.find], .submitUnknown),
    ])
    func whatThePersonSaysIsDoneInTheSameRun(completion: Completion, requests: [JobRequest.Verb], phase: JobPhase) {
        var rig = rig()
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        _ = rig.takeIntents()
        rig.feed(.completed(0, completion, agreed: nil, by: "me"))
        #expect(rig.states[0] == .ready && rig.takeIntents() == [.consider(0)])
        rig.admit(0)
        #expect(rig.states[0] == .queuedRemote && rig.runs.count == 1 && rig.flow.jobs[0]?.record.phase == phase)
        #expect(rig.takeRequests() == requests)
    }

    @Test func noMeansFailedBecauseNobodyKnows() {
        var rig = rig()
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        rig.feed(.completed(0, .rejected(reason: ""), agreed: nil, by: "me"))
        #expect(
            rig.states[0] == .failed && rig.flow.steps[0].failure?.code == "submitUnknown" && rig.openAwaits.isEmpty)
    }

    /// Row 16: what a new engine does with each phase.
    @Test(arguments: [
        (JobTerms.Idempotency.put, [JobRequest.Verb.submit]), (.header, [.submit]), (.clientId, [.find]),
        (.reconcile, [.find]),
        (.none, []),
    ])
    func aCrashAfterTheIntent(idempotency: JobTerms.Idempotency, requests: [JobRequest.Verb]) {
        var rig = rig(JobTerms(provider: "p", idempotency: idempotency))
        rig.restart()
        #expect(rig.takeRequests() == requests)
        #expect(rig.states[0] == (idempotency == .none ? .awaitingUser : .queuedRemote))
    }

    @Test func aCrashLaterGoesOnWhereItWas() {
        var rig = accepted()
        rig.restart()
        #expect(rig.takeRequests() == [.status])
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.restart()
        #expect(rig.states[0] == .downloading && rig.takeRequests() == [.collect])
    }

    /// A wait before another try survives a crash, and is no reason to ask anybody.
    @Test func aCrashInTheWaitIsNoCrashInTheSubmission() {
        var rig = rig()
        rig.hear(0, .submit, .notTaken(Self.busy))
        rig.restart()
        #expect(rig.states[0] == .queuedRemote)
        let delay = rig.takeAlarm(0)!
        rig.pass(seconds: delay, due: 0)
        #expect(rig.takeRequests() == [.submit])
    }

    /// Row 7: 10 → 20 → 40 → 60 s, without end; a success resets it.
    @Test func pollsBackOffAndReconnect() {
        var rig = accepted()
        for expected in [10.0, 20, 40, 60, 60, 60] {
            _ = rig.takeIntents()
            rig.hear(0, .status, .unreachable(Failure("networkFailed", "No route.")))
            #expect(rig.flow.steps[0].reason?.code == "reconnecting")
            #expect((expected * 0.95...expected * 1.05).contains(rig.takeAlarm(0)!))
        }
        rig.hear(0, .status, .status(JobStatus(.running)))
        #expect(rig.flow.steps[0].reason == nil)
        _ = rig.takeIntents()
        rig.hear(0, .status, .unreachable(Failure("busy", "429", retryAfterSeconds: 33)))
        #expect((31.0...35.0).contains(rig.takeAlarm(0)!), "row 9: Retry-After of a poll is heard")
    }

    /// Row 15: two strikes.
    @Test func aProviderThatForgetsIsNoSuccess() {
        var rig = accepted()
        rig.hear(0, .status, .strike(Failure("http404", "Not found."), limit: 2))
        #expect(rig.states[0] == .queuedRemote)
        rig.hear(0, .status, .status(JobStatus(.running)))
        rig.hear(0, .status, .strike(Failure("http404", "Not found."), limit: 2))
        #expect(rig.states[0] == .runningRemote, "a good answer between them clears the first")
        rig.restart()
        rig.hear(0, .status, .strike(Failure("http404", "Not found."), limit: 2))
        #expect(rig.states[0] == .failed && rig.flow.steps[0].failure?.code == "jobLost")
    }

    /// A provider that says strange words has the job, and answers.
    @Test func wordsThatNobodyKnowsAreNotCalledForgotten() {
        var rig = accepted()
        rig.hear(0, .status, .unreachable(Failure("networkFailed", "No route.")))
        let odd = Failure("unknownStatus", "P says something that is not known here.", remedy: "Add it.")
        rig.hear(0, .status, .strike(odd, limit: 2))
        #expect(rig.flow.steps[0].reason == nil, "it answered")
        rig.hear(0, .status, .strike(odd, limit: 2))
        let failure = rig.flow.steps[0].failure
        #expect(failure?.code == "jobLost" && failure?.message.contains("does not have the job") == false)
        #expect(failure?.message.contains("may still run") == true && failure?.remedy == "Add it.")
    }

    /// Row 7: what the provider reports is not tried again by itself.
    @Test func aReportedFailureIsAnEnd() {
        var rig = accepted()
        rig.hear(0, .status, .status(JobStatus(.failed(Failure("oom", "Out of memory.", isTransient: true)))))
        #expect(rig.states[0] == .failed && rig.flow.steps[0].failure?.code == "oom")
    }

    // MARK: Pausing, offline

    /// Row 10.
    @Test func pausedJobsAreNotAskedForTheirStatusUntilTheResultIsInDanger() {
        var rig = accepted(JobTerms(provider: "p", retentionSeconds: 3600))
        rig.feed(.poll(false))
        #expect(rig.record.pollingPausedAt == rig.now)
        _ = rig.takeIntents()
        rig.pass(seconds: 10, due: 0)
        #expect(rig.takeRequests().isEmpty)
        rig.restart()
        let wait = rig.takeAlarm(0)!
        #expect((2869.0...2871.0).contains(wait), "80 % of an hour, from when it was paused")
        rig.pass(seconds: wait, due: 0)
        #expect(rig.takeRequests() == [.status] && rig.record.pollingPausedAt == nil)
        #expect(
            rig.events.contains {
                if case .workflowChanged(let reason, _) = $0.kind { reason.code == "resumedInTime" } else { false }
            })
    }

    @Test func aPauseNeverHoldsACancelUp() {
        var rig = accepted()
        rig.feed(.poll(false))
        _ = rig.takeIntents()
        rig.feed(.cancel)
        #expect(rig.takeRequests() == [.cancel])
        rig.hear(0, .cancel, .cancelTaken)
        rig.pass(seconds: 3, due: 0)
        #expect(rig.takeRequests() == [.status])
    }

    /// Row 66: nothing is spent.
    @Test func withoutANetworkNothingIsSpent() {
        var rig = rig()
        for _ in 0..<20 {
            _ = rig.takeIntents()
            rig.hear(0, .submit, .notTaken(Failure("offline", "There is no network.", isTransient: true)))
            #expect(rig.flow.steps[0].reason?.code == "offline" && rig.flow.steps[0].tries == 1)
            rig.pass(seconds: 10, due: 0)
            #expect(rig.takeRequests() == [.submit])
        }
        rig.hear(0, .submit, .accepted(captured: JSON.Object(), nil))
        #expect(rig.flow.jobs[0]?.record.phase == .submitted)
    }

    /// The run waits for the person, and goes on under the same consent.
    @Test func aMissingKeyIsAskedFor() {
        var rig = rig()
        _ = rig.takeIntents()
        rig.hear(0, .submit, .notTaken(Failure("keyMissing", "P wants a key.", remedy: "Set P_KEY.")))
        #expect(rig.states[0] == .awaitingUser && rig.openAwaits.map(\.type) == [.connect])
        rig.restart()
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        rig.admit(0)
        #expect(rig.takeRequests() == [.submit] && rig.runs.count == 1)
        var other = self.rig()
        other.hear(0, .submit, .notTaken(Failure("keyMissing", "P wants a key.")))
        other.feed(.completed(0, .rejected(reason: ""), agreed: nil, by: "me"))
        #expect(other.states[0] == .cancelled && other.flow.steps[0].failure?.code == "rejected")
    }

    /// A job that may exist is submitted again under its own name after a pause; if the key has gone meanwhile,
    /// connecting goes on with it.
    @Test func aMissingKeyIsAskedForWhileAJobMayExist() {
        var rig = rig(JobTerms(provider: "p", idempotency: .put))
        _ = rig.takeIntents()
        for _ in 0..<20 where rig.states[0] == .queuedRemote {
            rig.hear(0, .submit, .unclear(Self.busy))
            if let due = rig.takeAlarm(0) { rig.pass(seconds: due, due: 0) }
        }
        #expect(rig.flow.steps[0].failure?.code == "cooldown")
        rig.now = rig.now + 3600
        rig.again(.retry(nil))
        rig.admit(0)
        _ = rig.takeIntents()
        #expect(rig.flow.jobs[0]?.record.phase == .submitUnknown, "\(rig.flow.steps[0])")
        rig.hear(0, .submit, .notTaken(Failure("keyMissing", "P wants a key.")))
        #expect(rig.openAwaits.map(\.type) == [.connect])
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        rig.admit(0)
        #expect(rig.states[0] == .queuedRemote && rig.takeRequests() == [.submit], "\(rig.flow.steps[0])")
    }

    /// The worker that goes on with a job may not have the key that the console had.
    @Test(arguments: [JobRequest.Verb.status, .collect, .find])
    func aKeyThatIsMissingLaterIsAskedForToo(verb: JobRequest.Verb) {
        var rig = rig(JobTerms(provider: "p", idempotency: .clientId))
        if verb == .find {
            rig.restart()
        } else {
            rig.hear(
                0, .submit,
                .accepted(captured: JSON.Object(members: [.init(key: "jobId", value: "j-1")]), JobStatus(.running)))
        }
        if verb == .collect { rig.hear(0, .status, .status(JobStatus(.succeeded))) }
        let missing = JobAnswer.unreachable(Failure("keyMissing", "P wants a key.", remedy: "Set P_KEY."))
        rig.hear(0, verb, missing)
        #expect(rig.states[0] == .awaitingUser && rig.openAwaits.map(\.type) == [.connect])
        rig.restart()
        _ = rig.takeIntents()
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        rig.admit(0)
        #expect(rig.runs.count == 1 && rig.takeRequests() == [verb], "what was not looked for may exist as before")
        if verb == .find { return }
        var other = rig
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states[0] == .succeeded)
        // Whoever says no is told that the job is not stopped by that.
        other.hear(0, verb, missing)
        other.feed(.completed(0, .rejected(reason: ""), agreed: nil, by: "me"))
        #expect(other.states[0] == .cancelled && other.flow.steps[0].failure?.code != "rejected")
    }

    /// Whatever comes of a run after its end is noted, and nothing else.
    @Test func lateAnswersChangeNothing() {
        var rig = accepted()
        rig.hear(0, .status, .status(JobStatus(.failed(Failure("oom", "Out of memory.")))))
        let steps = rig.steps
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.steps == steps && rig.endings.count == 1)
        #expect(rig.events.count { if case .lateResult = $0.kind { true } else { false } } == 2)
    }

    /// A job that may exist is not dropped because another step failed.
    @Test func failFastWaitsForWordOfAJobThatMayExist() {
        var rig = FlowRig(nodes: [FlowRig.job("a"), FlowRig.node("b")], providers: [JobTerms(provider: "p")])
        rig.admit(0)
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        rig.fail(1)
        #expect(rig.outcomes.isEmpty && rig.openAwaits.count == 1)
        rig.feed(.completed(0, .submittedAs(id: "j-1"), agreed: nil, by: "me"))
        rig.admit(0)
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .collected([]))
        #expect(rig.states == [.succeeded, .failed] && rig.outcomes == [.failed])
    }
}

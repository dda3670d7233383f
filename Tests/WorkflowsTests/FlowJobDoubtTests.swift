import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Submissions in doubt at a provider that cannot be asked for them, keys that expire, and words about results that
/// are gone.
@Suite struct FlowJobDoubtTests {
    private func rig(_ terms: JobTerms) -> FlowRig {
        var rig = FlowRig(nodes: [FlowRig.job("a")], providers: [terms])
        _ = rig.takeIntents()
        rig.admit(0)
        return rig
    }

    private func accepted(_ terms: JobTerms = JobTerms(provider: "p")) -> FlowRig {
        var rig = rig(terms)
        _ = rig.takeIntents()
        rig.hear(
            0, .submit,
            .accepted(captured: JSON.Object(members: [.init(key: "jobId", value: "j-1")]), JobStatus(.running)))
        _ = rig.takeIntents()
        return rig
    }

    private static let lost = Failure("reset", "The connection was reset.")
    /// It de-duplicates, and has no way to be asked.
    private static let unaskable = JobTerms(provider: "p", idempotency: .clientId, ambiguity: .retry, canLook: false)

    // MARK: Nobody to ask

    @Test("finding 4: after a crash the submission is made again")
    func afterACrashItIsSubmittedAgain() {
        var rig = rig(Self.unaskable)
        let key = rig.flow.jobs[0]?.record.key
        rig.restart()
        #expect(rig.takeRequests() == [.submit] && rig.flow.jobs[0]?.record.key == key)
        rig.hear(0, .submit, .accepted(captured: JSON.Object(), nil))
        #expect(rig.flow.jobs[0]?.record.phase == .submitted && rig.awaits.isEmpty && rig.runs.count == 1)
    }

    @Test("finding 4: after a lost answer, too, and after a crash then")
    func afterALostAnswerItIsSubmittedAgain() throws {
        var rig = rig(Self.unaskable)
        _ = rig.takeIntents()
        rig.hear(0, .submit, .unclear(Self.lost))
        #expect(rig.states[0] == .queuedRemote && rig.awaits.isEmpty)
        rig.restart()
        let alarm = rig.takeAlarm(0)
        rig.pass(seconds: try #require(alarm), due: 0)
        #expect(rig.takeRequests() == [.submit])
        rig.restart()
        #expect(rig.takeRequests() == [.submit] && rig.awaits.isEmpty)
    }

    @Test("finding 4: a retry and a key that was missing go on with a submission, too")
    func aRetryIsSubmittedAgain() {
        var rig = rig(Self.unaskable)
        for _ in 0..<20 where rig.states[0] == .queuedRemote {
            rig.hear(0, .submit, .unclear(Self.lost))
            if let due = rig.takeAlarm(0) { rig.pass(seconds: due, due: 0) }
        }
        #expect(rig.flow.steps[0].failure?.code == "cooldown" && rig.awaits.isEmpty)
        rig.again(.retry(0))
        rig.admit(0)
        #expect(rig.takeRequests().last == .submit)
        rig.hear(0, .submit, .notTaken(Failure("keyMissing", "P wants a key.")))
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        _ = rig.takeIntents()
        rig.admit(0)
        #expect(rig.takeRequests() == [.submit] && rig.openAwaits.isEmpty)
    }

    /// Who can be asked is still asked first.
    @Test func whoCanBeAskedIsAskedFirst() {
        var rig = rig(JobTerms(provider: "p", idempotency: .clientId))
        rig.restart()
        #expect(rig.takeRequests() == [.find])
    }

    // MARK: Keys

    private static let refused = JobAnswer.unreachable(
        Failure("keyRefused", "P does not accept the key P_KEY any more (401).", remedy: "Renew it.", isTransient: true)
    )

    @Test(
        "finding 6d: a key that is refused is asked for, and the job goes on",
        arguments: [JobRequest.Verb.status, .collect])
    func aKeyThatIsRefusedIsAskedFor(verb: JobRequest.Verb) throws {
        var rig = accepted()
        if verb == .collect { rig.hear(0, .status, .status(JobStatus(.succeeded))) }
        rig.hear(0, verb, Self.refused)
        #expect(
            rig.awaits.isEmpty && rig.flow.steps[0].reason?.words.contains("P_KEY") == true, "once is no reason yet")
        let alarm = rig.takeAlarm(0)
        #expect((9.5...10.5).contains(try #require(alarm)), "asked soon: the key is looked up anew")
        rig.hear(0, verb, Self.refused)
        let asked = try #require(rig.openAwaits.first)
        #expect(
            rig.states[0] == .awaitingUser && asked.type == .connect && asked.reason.contains("P_KEY any more (401)"))
        #expect(asked.question?["remedy"] == "Renew it.")
        rig.restart()
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        _ = rig.takeIntents()
        rig.admit(0)
        #expect(rig.takeRequests() == [verb] && rig.runs.count == 1)
    }

    @Test("finding 6d: a refusal between good answers asks nobody")
    func aRefusalBetweenGoodAnswers() {
        var rig = accepted()
        for _ in 0..<5 {
            rig.hear(0, .status, Self.refused)
            rig.hear(0, .status, .status(JobStatus(.running)))
        }
        #expect(rig.awaits.isEmpty && rig.flow.steps[0].reason == nil)
    }

    /// There is nothing to connect for a job that nobody wants.
    @Test func aJobThatIsCancelledAsksForNoKey() {
        var rig = accepted()
        rig.feed(.cancel)
        for _ in 0..<4 { rig.hear(0, .status, Self.refused) }
        #expect(rig.awaits.isEmpty)
    }

    // MARK: Words

    @Test("finding 6c: the wait before another try says what to look at")
    func theWaitSaysWhatToLookAt() {
        var rig = rig(JobTerms(provider: "p", idempotency: .put))
        rig.hear(
            0, .submit, .unclear(Failure("providerFailed", "P has failed (500).", remedy: "Look at the key P_KEY.")))
        let words = rig.flow.steps[0].reason?.words ?? ""
        #expect(
            words.hasPrefix("P has failed (500). Trying again in ") && words.hasSuffix(" s. Look at the key P_KEY."),
            "\(words)")
        for _ in 0..<20 where rig.states[0] == .queuedRemote {
            if let due = rig.takeAlarm(0) { rig.pass(seconds: due, due: 0) }
            rig.hear(
                0, .submit, .unclear(Failure("providerFailed", "P has failed (500).", remedy: "Look at the key P_KEY."))
            )
        }
        #expect(rig.flow.steps[0].failure?.remedy?.hasPrefix("Look at the key P_KEY. Retry it then") == true)
    }

    @Test("finding 6e: what is gone is said once")
    func whatIsGoneIsSaidOnce() {
        var rig = accepted()
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        for _ in 0..<2 {
            rig.hear(0, .collect, .strike(Failure("resultExpired", "The file for image is gone at P (410)."), limit: 2))
        }
        #expect(rig.flow.steps[0].failure?.code == "resultExpired")
        #expect(rig.flow.steps[0].failure?.message == "The file for image is gone at P (410).")
        var other = accepted()
        for _ in 0..<2 {
            other.hear(0, .status, .strike(Failure("jobLost", "P does not know the job any more."), limit: 2))
        }
        #expect(other.flow.steps[0].failure?.message == "P does not know the job any more.")
    }

    @Test("finding 3: a log that has not come is waited for, with a reason")
    func aLateLogHasAReason() {
        var rig = accepted()
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .strike(Failure("logMissing", "P has no log of the job yet."), limit: 4))
        #expect(rig.states[0] == .downloading && rig.flow.steps[0].reason?.code == "logMissing")
        #expect(rig.flow.jobs[0]?.record.strikes == 1)
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states[0] == .succeeded && rig.flow.steps[0].reason == nil)
    }
}

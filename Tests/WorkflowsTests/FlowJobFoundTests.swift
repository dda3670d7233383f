import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// What the simulator found of remote runs, once its checks were strict.
@Suite struct FlowJobFoundTests {
    private func rig(_ terms: JobTerms) -> FlowRig {
        var rig = FlowRig(nodes: [FlowRig.job("a")], providers: [terms])
        _ = rig.takeIntents()
        rig.admit(0)
        return rig
    }

    /// Row 16 (seed 1542): what the engine that died had sent may reach the provider after its list was looked through.
    /// Only a second look, half a minute later, says that it did not.
    @Test func whatMayBeOnItsWayIsLookedForTwice() {
        var rig = rig(JobTerms(provider: "p", idempotency: .reconcile))
        rig.restart()
        #expect(rig.takeRequests() == [.find])
        rig.hear(0, .find, .notFound)
        #expect(rig.flow.jobs[0]?.record.phase == .submitUnknown && rig.takeAlarm(0) == Limits.onItsWaySeconds)
        rig.pass(seconds: Limits.onItsWaySeconds, due: 0)
        #expect(rig.takeRequests() == [.find] && rig.flow.steps[0].tries == 1, "it spends no try")
        rig.hear(0, .find, .notFound)
        #expect(rig.takeRequests() == [.submit])
    }

    /// Also where the first look does not reach the provider.
    @Test func anUnreachableListIsNoLook() {
        var rig = rig(JobTerms(provider: "p", idempotency: .reconcile))
        rig.restart()
        _ = rig.takeIntents()
        rig.hear(0, .find, .unreachable(Failure("networkFailed", "No route.")))
        #expect(rig.takeAlarm(0) == Limits.onItsWaySeconds)
    }

    /// Row 10 (seed 2919): a job that a person found is not asked for its status either while checks are paused.
    @Test func aJobThatWasFoundIsNotWatchedWhileChecksArePaused() {
        var rig = rig(JobTerms(provider: "p"))
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        rig.feed(.poll(false))
        rig.feed(.completed(0, .submittedAs(id: "j-1"), agreed: nil, by: "me"))
        _ = rig.takeIntents()
        rig.admit(0)
        #expect(rig.flow.jobs[0]?.record.phase == .submitted && rig.takeRequests().isEmpty)
        rig.feed(.poll(true))
        #expect(rig.takeRequests() == [.status])
    }

    /// Seed 3776: a job that only waits for a slot to go on is under way; what is set for it now would be lost in its
    /// result.
    @Test func aJobThatGoesOnIsNotRunAgain() {
        var rig = rig(JobTerms(provider: "p"))
        rig.hear(0, .submit, .notTaken(Failure("keyMissing", "p needs a key.")))
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        #expect(rig.states[0] == .ready && rig.flow.jobs[0] != nil)
        var edits = JSON.Object()
        edits["v"] = .int(4)
        rig.again(.rerun(Rerun(step: 1, edits: edits)))
        #expect(rig.flow.steps[0].edits == nil && rig.states[0] == .ready)
    }

    /// Seed 2015: a key is given while a job may exist. That is an answer to what was asked, and the submission goes on
    /// as its mode says.
    @Test(arguments: [
        (JobTerms.Idempotency.put, JobRequest.Verb.submit), (.header, .submit), (.none, .submit),
    ])
    func aKeyIsNoAnswerAboutTheSubmission(idempotency: JobTerms.Idempotency, next: JobRequest.Verb) {
        var rig = rig(JobTerms(provider: "p", idempotency: idempotency, ambiguity: .retry))
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        rig.restart()
        if let delay = rig.takeAlarm(0) { rig.pass(seconds: delay, due: 0) }
        rig.restart()
        _ = rig.takeIntents()
        rig.flow.remember(rig.history)
        rig.hear(0, .submit, .notTaken(Failure("keyMissing", "p needs a key.")))
        #expect(rig.states[0] == .awaitingUser)
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        #expect(rig.states[0] == .ready)
        _ = rig.takeIntents()
        rig.admit(0)
        #expect(rig.takeRequests() == [next])
    }
}

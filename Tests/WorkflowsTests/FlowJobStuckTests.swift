import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// What waiting alone does not mend: `semantics.md` 7, 8.
extension FlowJobTests {
    /// A few in a row, then the run ends with what is wrong, and says that the job may exist.
    @Test func anAnswerThatIsOfNoUseEndsTheRunAfterAWhile() {
        var rig = accepted()
        let huge = JobAnswer.stuck(Failure("answerTooLarge", "The answer is too large.", remedy: "Keep it."))
        for _ in 1..<Limits.jobStuckAnswers { rig.hear(0, .status, huge) }
        #expect(rig.states[0] == .queuedRemote && rig.flow.steps[0].reason?.words == "The answer is too large.")
        rig.hear(0, .status, .status(JobStatus(.running)))
        #expect(rig.flow.steps[0].reason == nil)
        for _ in 1...Limits.jobStuckAnswers { rig.hear(0, .status, huge) }
        #expect(rig.states[0] == .failed && rig.flow.steps[0].failure?.code == "answerTooLarge")
        #expect(rig.flow.steps[0].failure?.message.contains("may be billed") == true)
    }

    @Test func aJobThatCannotBeWatchedEndsAtOnce() {
        var rig = rig()
        rig.hear(0, .submit, .spoiled(Failure("hostNotAllowed", "P names a foreign address.", remedy: "Add it.")))
        #expect(rig.states[0] == .failed && rig.flow.steps[0].failure?.code == "hostNotAllowed")
        #expect(rig.flow.steps[0].failure?.message.contains("The job goes on at p, and may be billed.") == true)
    }

    @Test func aCancelThatCannotBeSentIsSaidAtOnce() {
        var rig = accepted()
        rig.feed(.cancel)
        rig.hear(0, .cancel, .stuck(Failure("hostNotAllowed", "P names a foreign address.")))
        #expect(rig.states[0] == .cancelled && rig.flow.steps[0].failure?.code == "cancelUnsupported")
        #expect(rig.flow.steps[0].failure?.message.contains("may be billed") == true)
    }

    /// Row 8: a search that comes to nothing asks; without a network it waits (row 66).
    @Test(arguments: [JobTerms.Idempotency.clientId, .reconcile])
    func aSearchThatNeverSucceedsAsks(idempotency: JobTerms.Idempotency) {
        func searching() -> FlowRig {
            var rig = rig(JobTerms(provider: "p", idempotency: idempotency))
            rig.restart()
            return rig
        }
        func fail(_ rig: inout FlowRig, _ code: String, times: Int) {
            for _ in 0..<times {
                _ = rig.takeIntents()
                rig.hear(0, .find, .unreachable(Failure(code, "No.", isTransient: true)))
                if let delay = rig.takeAlarm(0) { rig.pass(seconds: delay, due: 0) }
            }
        }
        var refused = searching()
        refused.hear(0, .find, .stuck(Failure("forbidden", "P does not allow this (403).")))
        #expect(refused.openAwaits.map(\.type) == [.submitUnknown] && refused.openAwaits[0].reason.contains("403"))
        var busy = searching()
        fail(&busy, "providerFailed", times: Limits.jobSearches - 1)
        #expect(busy.openAwaits.isEmpty)
        fail(&busy, "providerFailed", times: 1)
        #expect(busy.openAwaits.map(\.type) == [.submitUnknown])
        var offline = searching()
        fail(&offline, "offline", times: 3 * Limits.jobSearches)
        #expect(offline.openAwaits.isEmpty && offline.states[0] == .queuedRemote)
    }

    /// Nobody says that something was looked up which nobody can look up.
    @Test func aProviderThatCannotBeAskedIsNotLookedAt() {
        var rig = rig(JobTerms(provider: "p", canLook: false, canAdopt: false))
        rig.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        #expect(rig.openAwaits[0].question?["choices"] == ["again", "fail"])
        // An answer from before this was known.
        rig.feed(.completed(0, .lookAgain, agreed: nil, by: "me"))
        rig.admit(0)
        _ = rig.takeIntents()
        rig.hear(0, .find, .stuck(Failure("cannotLook", "P cannot be asked for its jobs.")))
        #expect(rig.states[0] == .awaitingUser && rig.openAwaits.last?.reason.contains("P cannot be asked") == true)
        var other = self.rig()
        other.hear(0, .submit, .unclear(Failure("reset", "The connection was reset.")))
        #expect(other.openAwaits[0].question?["choices"] == ["again", "look", "found", "fail"])
    }

    /// Paid results wait for room here, and are not called a bad connection.
    @Test func resultsThatCannotBeStoredAreTriedAgain() {
        var rig = accepted()
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        rig.hear(0, .collect, .unreachable(Failure("storageFull", "No space left to write a.")))
        let reason = rig.flow.steps[0].reason
        #expect(
            rig.states[0] == .downloading && reason?.code == "storageFull"
                && reason?.words.contains("Reconnecting") == false)
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(rig.states[0] == .succeeded)
    }
}

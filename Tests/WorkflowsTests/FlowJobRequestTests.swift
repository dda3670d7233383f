import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Each answer belongs to one request: what comes late, or twice, changes nothing but what is known.
@Suite struct FlowJobRequestTests {
    private func rig(_ terms: JobTerms = JobTerms(provider: "p", idempotency: .reconcile, ambiguity: .retry)) -> FlowRig
    {
        var rig = FlowRig(nodes: [FlowRig.job("a")], providers: [terms])
        rig.admit(0)
        return rig
    }

    private static let keyMissing = JobAnswer.notTaken(Failure("keyMissing", "p needs a key."))

    private static func accepted(_ id: String) -> JobAnswer { .accepted(captured: FlowRig.named(id), nil) }

    /// Gives the key that was asked for; the submission goes out again.
    private func connect(_ rig: inout FlowRig) {
        rig.feed(.completed(0, .agreed(edits: nil), agreed: nil, by: "me"))
        rig.admit(0)
    }

    /// Seed 910642: the answer to the first submission came a second time, was taken for that to the second, and the
    /// job was bought twice.
    @Test func anAnswerToAnEarlierRequestIsLate() {
        var rig = rig()
        rig.hear(0, .submit, Self.keyMissing)
        connect(&rig)
        #expect(rig.takeRequests() == [.submit, .submit])
        rig.feed(.job(0, attempt: 1, .submit, request: 1, Self.keyMissing))
        #expect(rig.states == [.queuedRemote] && rig.openAwaits.isEmpty)
        rig.hear(0, .submit, Self.accepted("j-1"))
        #expect(rig.flow.jobs[0]?.record.phase == .submitted && rig.takeRequests() == [])
    }

    @Test(arguments: [JobRequest.Verb.submit, .find]) func aJobThatWasTakenMeanwhileIsNotSubmittedAnew(
        verb: JobRequest.Verb
    ) {
        var rig = rig()
        rig.hear(0, .submit, Self.keyMissing)
        _ = rig.takeIntents()
        rig.feed(.job(0, attempt: 1, verb, request: 99, Self.accepted("j-1")))
        #expect(
            rig.states == [.awaitingUser] && rig.runRecords.values.first?.job?.phase == .submitted, "it is on record")
        connect(&rig)
        #expect(rig.takeRequests() == [.status] && rig.flow.jobs[0]?.record.captured["jobId"] == "j-1")
    }

    @Test func submittingAgainBuysNothingThatWasTakenMeanwhile() {
        var rig = rig(JobTerms(provider: "p", idempotency: .none, ambiguity: .ask))
        rig.hear(0, .submit, .unclear(Failure("reset", "The answer was lost.")))
        #expect(rig.openAwaits.map(\.type) == [.submitUnknown])
        rig.feed(.job(0, attempt: 1, .submit, request: 99, Self.accepted("j-1")))
        _ = rig.takeIntents()
        rig.feed(.completed(0, .submitAgain, agreed: nil, by: "me"))
        rig.admit(0)
        #expect(rig.takeRequests() == [.status])
    }

    /// A 404 that came twice counted as two strikes.
    @Test func aStrikeThatComesTwiceIsOne() throws {
        var rig = rig()
        rig.hear(0, .submit, Self.accepted("j-1"))
        rig.pass(seconds: 1, due: 0)
        let request = try #require(rig.flow.jobs[0]?.requests[.status])
        for _ in 1...2 {
            rig.feed(.job(0, attempt: 1, .status, request: request, .strike(Failure("notFound", "404"), limit: 2)))
        }
        #expect(rig.states == [.queuedRemote] && rig.flow.jobs[0]?.record.strikes == 1)
    }

    /// Seed 1011106: a person named the job of an earlier attempt, and its result was taken for that of this one.
    @Test func aJobOfAnotherRunIsNotAdopted() {
        var rig = rig(JobTerms(provider: "p", idempotency: .none, ambiguity: .ask))
        rig.hear(0, .submit, .unclear(Failure("reset", "The answer was lost.")))
        rig.feed(.misnamed(0, "Job \"j-1\" is that of another run.", by: "me"))
        #expect(rig.states == [.awaitingUser] && rig.openAwaits.map(\.type) == [.submitUnknown])
        #expect(rig.openAwaits[0].reason.contains("is that of another run"))
        #expect(rig.awaits[0].status == .done && rig.flow.jobs[0]?.record.captured["jobId"] == nil)
        rig.feed(.completed(0, .submittedAs(id: "j-2"), agreed: nil, by: "me"))
        rig.admit(0)
        #expect(rig.takeRequests().last == .status)
    }
}

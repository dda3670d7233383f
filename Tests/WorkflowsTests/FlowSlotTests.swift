import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// The slots that a job needs, and when: finding 1 of the review of the engine.
@Suite struct FlowSlotTests {
    private static let busy = JobAnswer.notTaken(Failure("busy", "503", isTransient: true))

    private func rig(_ terms: JobTerms = JobTerms(provider: "p", idempotency: .put)) -> FlowRig {
        var rig = FlowRig(nodes: [FlowRig.job("a"), FlowRig.node("b")], edges: [(0, 1)], providers: [terms])
        rig.hasSlots = false
        rig.admit(0)
        return rig
    }

    private func needs(_ rig: FlowRig) -> [Bool] {
        let needed = rig.flow.slotsNeeded(by: 0)
        return [needed.transfer, needed.job]
    }

    @Test("finding 1: a job that runs elsewhere needs no slot for transfers") func aRunningJobTransfersNothing() {
        var rig = rig()
        #expect(needs(rig) == [true, true], "it is submitted")
        rig.hear(0, .submit, .accepted(captured: FlowRig.named("j"), nil))
        #expect(needs(rig) == [false, true])
        rig.hear(0, .status, .status(JobStatus(.running)))
        #expect(needs(rig) == [false, true])
        rig.hear(0, .status, .status(JobStatus(.succeeded)))
        #expect(needs(rig) == [false, true] && rig.flow.waitsToTransfer(0), "its result waits for a slot")
        rig.admit(0)
        #expect(needs(rig) == [true, true] && rig.takeRequests().last == .collect)
        rig.hear(0, .collect, .collected([rig.asset(of: 0)]))
        #expect(needs(rig) == [false, false] && rig.states == [.succeeded, .ready])
    }

    @Test("finding 1: a job that waits to be tried again needs no slot at all") func aJobInBackoffNeedsNoSlot() {
        var rig = rig()
        rig.hear(0, .submit, Self.busy)
        #expect(needs(rig) == [false, false] && rig.flow.steps[0].reason?.code == "backoff")
        rig.pass(seconds: rig.takeAlarm(0)!, due: 0)
        #expect(rig.takeRequests() == [] && needs(rig) == [false, false], "it waits for one")
        rig.feed(.waits(0))
        #expect(rig.flow.steps[0].reason?.code == "waitingForSlot")
        rig.admit(0)
        #expect(rig.takeRequests() == [.submit] && needs(rig) == [true, true])
        #expect(rig.flow.steps[0].reason == nil && rig.flow.steps[0].tries == 2)
    }

    /// Nothing was sent, so nothing is in doubt: no person is asked, and no try is spent.
    @Test(arguments: JobTerms.Idempotency.allCases) func aCrashWhileItWaitsForASlotLeavesNothingInDoubt(
        mode: JobTerms.Idempotency
    ) {
        var rig = rig(JobTerms(provider: "p", idempotency: mode, ambiguity: .ask))
        rig.hear(0, .submit, Self.busy)
        rig.pass(seconds: rig.takeAlarm(0)!, due: 0)
        rig.feed(.waits(0))
        rig.restart()
        #expect(rig.states[0] == .queuedRemote && rig.openAwaits.isEmpty && rig.takeRequests() == [])
        rig.pass(seconds: 0, due: 0)
        rig.admit(0)
        #expect(rig.takeRequests() == [.submit] && rig.flow.steps[0].tries == 2)
    }

    @Test func aResultThatWaitsForASlotIsFetchedAfterACrash() {
        var rig = rig()
        rig.hear(0, .submit, .accepted(captured: FlowRig.named("j"), JobStatus(.succeeded)))
        rig.restart()
        #expect(rig.takeRequests() == [] && rig.flow.waitsToTransfer(0))
        rig.admit(0)
        #expect(rig.takeRequests() == [.collect])
    }

    @Test func whatIsCancelledWaitsForNoSlot() {
        var rig = rig()
        rig.hear(0, .submit, Self.busy)
        rig.pass(seconds: rig.takeAlarm(0)!, due: 0)
        rig.feed(.cancel)
        #expect(rig.states == [.cancelled, .cancelled] && !rig.flow.waitsToTransfer(0))
        rig.admit(0)
        #expect(rig.takeRequests() == [])
    }

    /// Without a network no try is spent, also where a slot is waited for afterwards.
    @Test func waitingForASlotSpendsNoTry() {
        var rig = rig()
        rig.hear(0, .submit, .notTaken(Failure("offline", "No network.", isTransient: true)))
        rig.pass(seconds: rig.takeAlarm(0)!, due: 0)
        rig.feed(.waits(0))
        rig.admit(0)
        #expect(rig.takeRequests() == [.submit] && rig.flow.steps[0].tries == 1)
    }

    /// 0.25 s after it was taken, then after twice the time each, to the period that the manifest asks for.
    @Test(
        arguments: [(10.0, [0.25, 0.5, 1, 2, 4, 8, 10, 10]), (0.1, [0.1, 0.1]), (3, [0.25, 0.5, 1, 2, 3, 3])]
            as [(Double, [Double])])
    func statusChecksComeLessAndLessOften(period: Double, delays: [Double]) {
        var rig = rig(JobTerms(provider: "p", idempotency: .put, pollSeconds: period))
        rig.hear(0, .submit, .accepted(captured: FlowRig.named("j"), nil))
        for delay in delays {
            let next = rig.takeAlarm(0)!
            #expect((delay * 0.94...delay * 1.06).contains(next), "\(next) rather than \(delay)")
            rig.pass(seconds: next, due: 0)
            rig.hear(0, .status, .status(JobStatus(.queued)))
        }
    }

    @Test func aJobThatWasTakenOverIsCheckedAtItsProvidersPeriod() {
        var rig = rig()
        rig.hear(0, .submit, .accepted(captured: FlowRig.named("j"), nil))
        rig.restart()
        rig.hear(0, .status, .status(JobStatus(.queued)))
        #expect((9.4...10.6).contains(rig.takeAlarm(0)!))
    }

    @Test func aJobWhoseToolIsBackSaysSoNoMore() {
        var rig = rig()
        rig.hear(0, .submit, .accepted(captured: FlowRig.named("j"), nil))
        let whole = rig.graph
        rig.graph.nodes[0].missing = Reason("toolNotInstalled", "Tool not installed.")
        rig.graph.nodes[0].provider = nil
        rig.restart()
        #expect(
            rig.flow.steps[0].reason?.code == "toolNotInstalled" && rig.takeRequests() == [] && needs(rig)[0] == false)
        rig.graph = whole
        rig.restart()
        #expect(rig.flow.steps[0].reason == nil && rig.takeRequests() == [.status])
    }

    /// It would be bought twice: the one that is there would run on, and nobody would look at it.
    @Test func aJobThatMayExistIsNotGivenUpForARerun() {
        let refused = Failure("keyRefused", "401", isTransient: true)
        var rig = rig()
        rig.hear(0, .submit, .accepted(captured: FlowRig.named("j"), nil))
        for _ in 0..<Limits.keyRefusals {
            rig.pass(seconds: rig.takeAlarm(0)!, due: 0)
            rig.hear(0, .status, .unreachable(refused))
        }
        #expect(rig.states[0] == .awaitingUser && rig.flow.hasTakenJob(0))
        rig.feed(.rerun(Rerun(step: 1)))
        #expect(rig.states[0] == .awaitingUser && rig.flow.hasTakenJob(0) && rig.openAwaits.count == 1)
        // Of one that was never submitted there is nothing to give up.
        var unsent = self.rig()
        unsent.hear(0, .submit, .notTaken(Failure("keyMissing", "It needs a key.")))
        #expect(unsent.states[0] == .awaitingUser)
        unsent.feed(.rerun(Rerun(step: 1)))
        #expect(unsent.states[0] == .ready && unsent.flow.jobs[0] == nil)
    }
}

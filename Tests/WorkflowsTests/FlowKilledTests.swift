import CaseNames
import Testing
import Vocabulary

@testable import Workflows

/// Programs that somebody else kills: finding 9 of the review of the engine.
@Suite struct FlowKilledTests {
    private static let killed = Failure(.processKilled, "sh was ended by signal 9.")

    @Test("finding 9: what somebody else killed runs again at once, and once") func aKilledProgramRunsAgain() {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b")], edges: [(0, 1)])
        rig.fail(0, Self.killed)
        #expect(rig.states == [.ready, .blocked] && rig.flow.steps[0].reason?.code == .processKilled)
        #expect(rig.takeIntents().last == .consider(0) && rig.flow.steps[0].dueAt == nil)
        var other = rig
        other.run(0)
        #expect(other.states == [.succeeded, .ready])
        rig.fail(0, Self.killed)
        #expect(rig.states == [.failed, .blocked] && rig.flow.steps[0].failure == Self.killed)
    }

    @Test func whatWasKilledAndMayNotBeRepeatedIsLookedAtFirst() {
        var rig = FlowRig(nodes: [FlowRig.node("send", isIdempotent: false, isPure: false)])
        rig.fail(0, Self.killed)
        #expect(rig.states == [.failed])
        #expect(rig.flow.steps[0].failure?.remedy?.contains("happened already") == true)
    }
}

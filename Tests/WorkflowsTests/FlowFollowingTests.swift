import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Steps that follow others by the files that they touch (`semantics.md` 215–217).
@Suite struct FlowFollowingTests {
    /// Steps without edges, each of which follows the one before it.
    private func chain(_ count: Int = 3, policy: Template.ErrorPolicy = .isolateNode) -> FlowRig {
        let nodes = (0..<count).map { FlowRig.node("n\($0)") }
        let order = (1..<count).map { ($0, StepOrder(follows: [$0 - 1])) }
        return FlowRig(nodes: nodes, order: Dictionary(uniqueKeysWithValues: order), policy: policy)
    }

    private static func command(_ id: String, exits: String) -> Graph.Node {
        var node = FlowRig.node(id, isIdempotent: false)
        node.params[ExitRule.parameter] = .array([.string(exits)])
        return node
    }

    private func end(_ index: Int, exit: Int, in rig: inout FlowRig) {
        rig.admit(index)
        var made = rig.asset(of: index)
        made.meta["exit"] = .int(exit)
        rig.end(index, .succeeded([made]))
    }

    private func codes(_ rig: FlowRig) -> [String] {
        rig.flow.steps.map { $0.reason?.code.text ?? $0.state.rawValue }
    }

    @Test func theyRunOneAfterTheOther() {
        var rig = chain()
        #expect(rig.states == [.ready, .blocked, .blocked])
        rig.run(0)
        #expect(rig.states == [.succeeded, .ready, .blocked])
        rig.restart()
        #expect(rig.states == [.succeeded, .ready, .blocked])
        rig.run(1)
        rig.run(2)
        #expect(rig.record.outcome == .succeeded)
    }

    @Test func aStepThatWaitsForAUserHoldsUpWhatStandsAfterIt() {
        var rig = chain()
        rig.ask(0)
        #expect(rig.states == [.awaitingUser, .blocked, .blocked])
        #expect(rig.graph.heldUp(by: 0) == [1, 2])
        rig.feed(.answered(0, .yes, by: "me"))
        rig.run(0)
        #expect(rig.states == [.succeeded, .ready, .blocked])
    }

    @Test func afterAFailedStepNothingRunsAndEachSaysSo() {
        var rig = chain()
        rig.fail(0)
        #expect(rig.states == [.failed, .blocked, .blocked] && rig.record.outcome == .failed)
        let words = "It stands after step 1 (n0), which failed."
        #expect(rig.flow.steps[1].reason == Reason("standsAfter", words))
        #expect(rig.flow.steps[2].reason == Reason("standsAfter", words))
        rig.again(.retry(nil))
        #expect(codes(rig) == ["waitingForSlot", "blocked", "blocked"])
        rig.run(0)
        rig.run(1)
        rig.run(2)
        #expect(rig.record.outcome == .succeeded)
    }

    @Test func afterADeclinedStepNothingRuns() {
        var rig = chain()
        rig.ask(0)
        rig.feed(.answered(0, .no(reason: ""), by: "me"))
        #expect(rig.states == [.cancelled, .blocked, .blocked])
        #expect(rig.flow.steps[2].reason?.words == "It stands after step 1 (n0), which was declined.")
    }

    @Test func aSkippedStepLetsThemGoOn() {
        var (asked, user) = (FlowRig.person("asked", .text), FlowRig.node("user"))
        asked.awaits?.accept = Acceptance(.text)
        asked.awaits?.accept?.skip = "no"
        user.inputs = []
        var rig = FlowRig(
            nodes: [asked, user, FlowRig.node("last")], edges: [(0, 1)], order: [2: StepOrder(follows: [1])])
        rig.ask(0, type: .text)
        rig.feed(.completed(0, .skipped(words: ""), agreed: nil, by: "me"))
        rig.restart()
        #expect(rig.flow.steps[1].reason?.code == "upstreamSkipped" || rig.states[0] == .cancelled)
        #expect(rig.states[2] == (rig.states[0] == .cancelled ? .blocked : .ready))
    }

    /// As `&&` of a shell: what takes the text that the command printed runs, what stands after it does not.
    @Test(arguments: [("told", 1, false), ("told", 0, true), ("any", 1, true)])
    func onlyACommandThatSucceededLetsThemGoOn(exits: String, code: Int, goesOn: Bool) {
        var rig = FlowRig(
            nodes: [Self.command("c", exits: exits), FlowRig.node("takes"), FlowRig.node("after")], edges: [(0, 1)],
            order: [2: StepOrder(follows: [0])], policy: .isolateNode)
        end(0, exit: code, in: &rig)
        #expect(rig.states == [.succeeded, .ready, goesOn ? .ready : .blocked])
        rig.run(1)
        if goesOn {
            rig.run(2)
        } else {
            #expect(rig.flow.steps[2].reason?.words == "It stands after step 1 (c), which ended with exit code 1.")
        }
        #expect(rig.record.outcome == (goesOn ? .succeeded : .failed))
        guard !goesOn else { return }
        rig.restart()
        #expect(rig.states[2] == .blocked)
        rig.again(.retry(nil))
        #expect(rig.states == [.ready, .succeeded, .blocked] && codes(rig)[2] == "blocked")
        end(0, exit: 0, in: &rig)
        #expect(rig.states[2] == .ready)
    }

    /// The code is stored as the reason of the step, with what else must be noticed.
    @Test(
        arguments: [
            (0, nil, nil), (0, "odd tag", "warned: odd tag"), (128, nil, "exited: exit 128"),
            (1, "odd tag", "exited: exit 1; odd tag"),
        ] as [(Int, String?, String?)])
    func anotherCodeIsTheReasonOfTheStep(code: Int, warning: String?, reason: String?) {
        var rig = FlowRig(nodes: [Self.command("c", exits: "told")], edges: [])
        rig.admit(0)
        var made = rig.asset(of: 0)
        made.meta["exit"] = .int(code)
        made.warning = warning
        rig.end(0, .succeeded([made]))
        let stored = rig.flow.steps[0].reason
        #expect(rig.states == [.succeeded] && stored.map { "\($0.code): \($0.words)" } == reason)
        #expect(stored?.exitCode == (code == 0 ? nil : code) && stored?.wordsBesidesExit == warning)
    }

    // MARK: Free names

    @Test func aStepThatOnlyWaitsForANameRunsAfterAFailureToo() {
        var rig = FlowRig(
            nodes: (0..<3).map { FlowRig.node("n\($0)") },
            order: [1: StepOrder(startsAfter: [0]), 2: StepOrder(startsAfter: [1])], policy: .isolateNode)
        #expect(rig.states == [.ready, .blocked, .blocked])
        rig.fail(0)
        #expect(rig.states == [.failed, .ready, .blocked])
        rig.run(1)
        rig.run(2)
        #expect(rig.record.outcome == .failed)
        rig.again(.retry(nil))
        rig.run(0)
        #expect(rig.states == [.succeeded, .succeeded, .succeeded], "such an order makes nothing stale")
    }

    /// A step in the middle of a chain of names is over before the first one is.
    @Test func aNameIsWaitedForThroughStepsThatAreOver() {
        var rig = FlowRig(
            nodes: (0..<4).map { FlowRig.node("n\($0)") }, edges: [(3, 1)],
            order: [1: StepOrder(startsAfter: [0]), 2: StepOrder(startsAfter: [1])], policy: .isolateNode)
        rig.fail(3)
        #expect(codes(rig) == ["waitingForSlot", "upstreamFailed", "blocked", "failed"])
        rig.restart()
        #expect(rig.states[2] == .blocked)
        rig.run(0)
        #expect(rig.states[2] == .ready)
    }

    /// A step below a missing tool will not run, so a step that only waits for a name does not wait for it.
    @Test func aNameIsNotWaitedForBelowAMissingTool() {
        let missing = Reason(.toolNotInstalled, "Not here.")
        var rig = FlowRig(
            nodes: [FlowRig.node("m", missing: missing)] + (1..<5).map { FlowRig.node("n\($0)") }, edges: [(0, 1)],
            order: [
                2: StepOrder(follows: [1]), 3: StepOrder(startsAfter: [2]), 4: StepOrder(startsAfter: [3]),
            ], policy: .isolateNode)
        #expect(rig.states == [.blocked, .blocked, .blocked, .ready, .blocked])
        rig.restart()
        rig.run(3)
        rig.run(4)
        #expect(rig.record.outcome == .failed)
    }

    /// Once the tool is back, the name is waited for again.
    @Test func aNameIsWaitedForIfTheToolIsBack() {
        let missing = Reason(.toolNotInstalled, "Not here.")
        let nodes = [FlowRig.node("m", missing: missing)] + (1..<4).map { FlowRig.node("n\($0)") }
        var rig = FlowRig(
            nodes: nodes, edges: [(0, 1)], order: [2: StepOrder(startsAfter: [1]), 3: StepOrder(follows: [2])],
            policy: .isolateNode)
        #expect(rig.states == [.blocked, .blocked, .ready, .blocked])
        rig.graph.nodes[0].missing = nil
        rig.steps[0].reason = nil
        rig.restart()
        #expect(rig.states == [.ready, .blocked, .blocked, .blocked])
        for index in 0..<4 { rig.run(index) }
        #expect(rig.record.outcome == .succeeded)
    }

    // MARK: Retries

    /// A retry repeats the old inputs, but the files may not be as they were.
    @Test(arguments: [false, true]) func aRetryWaitsForItsTurn(restarts: Bool) {
        var rig = FlowRig(
            nodes: (0..<3).map { FlowRig.node("n\($0)") }, edges: [(2, 1)], order: [1: StepOrder(follows: [0])],
            policy: .isolateNode)
        rig.run(0)
        rig.run(2)
        rig.fail(1)
        rig.again(.rerun(Rerun(step: 1)))
        rig.again(.retry(1))
        #expect(rig.states == [.ready, .blocked, .succeeded])
        // What the retried step was made of is not there just now: it does not need it.
        rig.again(.rerun(Rerun(step: 3)))
        if restarts { rig.restart() }
        rig.run(0)
        #expect(rig.states == [.succeeded, .ready, .ready])
        rig.run(1)
        rig.run(2)
        #expect(rig.record.outcome == .succeeded)
    }

    @Test func aRetryAfterAFailedStepSaysWhyItWaits() {
        var rig = chain(2)
        rig.run(0)
        rig.fail(1)
        rig.again(.rerun(Rerun(step: 1)))
        rig.fail(0)
        rig.again(.retry(1))
        #expect(rig.states == [.failed, .blocked] && rig.record.outcome == .failed)
        #expect(rig.flow.steps[1].reason?.words == "It stands after step 1 (n0), which failed.")
        rig.again(.retry(0))
        rig.run(0)
        #expect(rig.states == [.succeeded, .ready])
    }

    // MARK: Staleness

    /// The earlier step becomes stale while the later one runs, and turns out to be as it was, or stays stale.
    @Test(arguments: [("1", [StepState.succeeded, .succeeded, .succeeded]), ("3", [.succeeded, .blocked, .blocked])])
    func aStepThatEndsAfterAStaleStepIsStale(content: String, then: [StepState]) {
        var rig = FlowRig(
            nodes: (0..<3).map { FlowRig.node("n\($0)") }, edges: [(0, 1)], order: [2: StepOrder(follows: [1])])
        rig.make(0, "1")
        rig.make(1, "1")
        rig.admit(2)
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        #expect(rig.states == [.succeeded, .blocked, .runningLocal])
        rig.finish(2, "1")
        #expect(rig.states == [.succeeded, .blocked, .blocked] && codes(rig)[2] == "standsAfter")
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, content)
        #expect(rig.states == then)
    }

    @Test func ifAStepRunsAgainWhatStandsAfterItIsStale() {
        var rig = chain()
        for index in 0..<3 { rig.make(index, "1") }
        rig.again(.rerun(Rerun(step: 1)))
        #expect(rig.states == [.ready, .blocked, .blocked])
        #expect(codes(rig).suffix(2) == ["standsAfter", "standsAfter"])
        rig.make(0, "1")
        #expect(rig.states == [.succeeded, .blocked, .blocked], "also if its output is the same")
        #expect(rig.flow.steps[1].reason?.words == "It stands after step 1 (n0), which is stale or ran again.")
        #expect(rig.record.outcome == .succeeded, "what is only stale has succeeded")
        rig.restart()
        #expect(rig.states == [.succeeded, .blocked, .blocked])
        rig.again(.rerun(Rerun()))
        #expect(rig.states == [.succeeded, .ready, .blocked])
        rig.make(1, "1")
        rig.make(2, "1")
        #expect(rig.states.allSatisfy { $0 == .succeeded } && rig.flow.steps.allSatisfy { $0.staleSince == nil })
    }

    /// The first step makes the second stale, which turns out to be as it was. The third had only waited for it.
    @Test func aStepThatDidNotRunAgainMakesNothingStale() {
        var rig = FlowRig(
            nodes: (0..<3).map { FlowRig.node("n\($0)") }, edges: [(0, 1)], order: [2: StepOrder(follows: [1])])
        for index in 0..<3 { rig.make(index, "1") }
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        #expect(rig.states == [.succeeded, .blocked, .blocked])
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "1")
        #expect(rig.states == [.succeeded, .succeeded, .succeeded])
    }

    /// The earlier step is started again while the later one runs: what it makes is stale as soon as it is made.
    @Test func aStepThatIsOvertakenIsStaleWhenItEnds() {
        var rig = chain(2)
        rig.make(0, "1")
        rig.admit(1)
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "1")
        #expect(rig.states == [.succeeded, .runningLocal])
        rig.restart()
        rig.finish(1, "1")
        #expect(rig.states == [.succeeded, .blocked] && codes(rig)[1] == "standsAfter")
    }

    @Test func aReadyStepIsTakenBackIfWhatItFollowsRunsAgain() {
        var rig = chain(2)
        rig.make(0, "1")
        rig.ask(1)
        rig.again(.rerun(Rerun(step: 1)))
        #expect(rig.states == [.ready, .blocked] && rig.openAwaits.isEmpty)
        rig.make(0, "1")
        #expect(rig.states == [.succeeded, .ready])
    }

    /// While the workflow runs, and after its end.
    @Test(arguments: [2, 3]) func aNewDefinitionMakesWhatStandsAfterTheStepStale(made: Int) {
        var rig = chain()
        for index in 0..<made { rig.make(index, "1") }
        var new = rig.graph
        new.nodes[0].params["v"] = 2
        rig.revise(to: new)
        #expect(codes(rig).prefix(2) == ["definitionChanged", "standsAfter"])
        rig.restart()
        rig.again(.rerun(Rerun()))
        for index in 0..<3 { rig.make(index, "1") }
        #expect(rig.states == [.succeeded, .succeeded, .succeeded] && rig.flow.steps[1].attempt == 2)
    }

    /// A step that is as it was says what it said.
    @Test func aRestoredCommandKeepsItsExitCode() {
        var rig = FlowRig(
            nodes: [FlowRig.node("n0"), Self.command("c", exits: "told"), FlowRig.node("after")], edges: [(0, 1)],
            order: [2: StepOrder(follows: [1])], policy: .isolateNode)
        rig.make(0, "1")
        end(1, exit: 2, in: &rig)
        #expect(codes(rig) == ["succeeded", "exited", "standsAfter"])
        for content in ["2", "1"] {
            rig.again(.rerun(Rerun(step: 1)))
            rig.make(0, content)
        }
        #expect(codes(rig) == ["succeeded", "exited", "standsAfter"])
    }

    @Test func aNewGraphBringsItsOwnOrder() {
        var rig = chain(2)
        var new = rig.graph
        new.setOrder([])
        rig.revise(to: new)
        #expect(rig.states == [.ready, .ready])
        new.setOrder([StepOrder(follows: [1]), StepOrder()])
        rig.revise(to: new)
        #expect(rig.states == [.blocked, .ready])
    }

    @Test func whereOthersFoundSomethingNothingFoundIsNoFailureOfAll() {
        let nodes = ["a", "saveA", "b", "saveB"].map { FlowRig.node($0) }
        func rig() -> FlowRig { FlowRig(nodes: nodes, edges: [(0, 1), (2, 3)], policy: .isolateNode) }
        let nothing = Failure(.nothingFound, "“Foo” is nowhere in a.txt.")
        var some = rig()
        some.fail(0, nothing)
        some.run(2)
        some.run(3)
        #expect(some.states == [.failed, .blocked, .succeeded, .succeeded] && some.record.outcome == .succeeded)
        var none = rig()
        none.fail(0, nothing)
        none.fail(2, nothing)
        #expect(none.record.outcome == .failed)
        var broken = rig()
        broken.fail(0, nothing)
        broken.fail(2)
        #expect(broken.record.outcome == .failed)
    }
}

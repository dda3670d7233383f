import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// Retry, re-run and the wave of staleness: `semantics.md` 20, 24–26, 141–143.
@Suite struct FlowAgainTests {
    /// a → b → c → d, all done.
    private func chain(_ count: Int = 4, policy: Template.ErrorPolicy = .failFast) -> FlowRig {
        var rig = FlowRig(
            nodes: (0..<count).map { FlowRig.node("n\($0)") }, edges: (1..<count).map { ($0 - 1, $0) }, policy: policy)
        for index in 0..<count { rig.make(index, "1") }
        return rig
    }

    @Test func aChangedOutputMakesWhatConsumedItStale() {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 1)))
        #expect(rig.states == [.ready, .succeeded, .succeeded, .succeeded] && rig.record.outcome == nil)
        rig.make(0, "2")
        #expect(rig.states == [.succeeded, .blocked, .blocked, .blocked])
        #expect(rig.flow.steps[1].reason == Reason("inputChanged", "Input from 'n0' has changed."))
        #expect(rig.flow.steps[2].reason == Reason("upstreamStale", "Upstream is stale."))
        #expect(rig.flow.steps[1].staleSince == RunID(rig.flow.steps[0].id, attempt: 2))
        #expect(rig.flow.outputs[3]["out"]?.hash == ContentHash(hex: "1"), "it keeps its outputs")
        #expect(rig.record.outcome == .succeeded, "what is only stale has succeeded")
    }

    @Test func equalContentStopsTheWave() {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "1")
        #expect(rig.states.allSatisfy { $0 == .succeeded } && rig.flow.steps.allSatisfy { $0.staleSince == nil })
    }

    /// One step at a time: what comes after it learns from its output whether it is fresh after all.
    @Test(arguments: [
        ("1", [StepState.succeeded, .succeeded, .succeeded, .succeeded]),
        ("9", [.succeeded, .succeeded, .blocked, .blocked]),
    ])
    func reRunningAStaleStepSettlesWhatFollows(output: String, states: [StepState]) {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        rig.again(.rerun(Rerun(step: 2)))
        #expect(rig.states[1] == .ready)
        rig.make(1, output)
        #expect(rig.states == states)
        if output == "9" { #expect(rig.flow.steps[2].reason?.words == "Input from 'n1' has changed.") }
    }

    @Test func allThatIsStaleRunsInOrderAndStopsWhereContentIsEqual() {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        rig.again(.rerun(Rerun()))
        #expect(rig.states == [.succeeded, .ready, .blocked, .blocked])
        #expect(rig.flow.steps[2].reason?.code == "rerunQueued")
        rig.make(1, "2")
        #expect(rig.states[2] == .ready)
        rig.make(2, "1")
        #expect(rig.states.allSatisfy { $0 == .succeeded } && rig.flow.steps.map(\.attempt) == [2, 2, 2, 1])
        #expect(rig.record.outcome == .succeeded)
    }

    @Test func belowMeansWhatFollowsFollows() {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 2, isBelow: true)))
        #expect(rig.states == [.succeeded, .ready, .blocked, .blocked])
        rig.make(1, "5")
        rig.make(2, "5")
        rig.make(3, "5")
        #expect(rig.flow.steps.map(\.attempt) == [1, 2, 2, 2] && rig.record.outcome == .succeeded)
    }

    @Test func belowWithEqualContentRunsNothingElse() {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 2, isBelow: true)))
        rig.make(1, "1")
        #expect(rig.flow.steps.map(\.attempt) == [1, 2, 1, 1] && rig.states.allSatisfy { $0 == .succeeded })
    }

    /// The ancestors first.
    @Test func aStaleAncestorRunsBeforeTheStepThatWasMeant() {
        var rig = chain()
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        rig.again(.rerun(Rerun(step: 3)))
        #expect(rig.states == [.succeeded, .ready, .blocked, .blocked])
        rig.make(1, "2")
        #expect(rig.states[2] == .ready)
        rig.make(2, "2")
        #expect(rig.states[3] == .blocked && rig.flow.steps[3].staleSince != nil)
    }

    /// Row 24: a running one finishes on its frozen inputs, then shows stale.
    @Test(arguments: [false, true]) func aRunningStepFinishesOnWhatItWasGiven(crashes: Bool) {
        var rig = chain(3)
        rig.again(.rerun(Rerun(step: 2)))
        rig.admit(1)
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        #expect(rig.states[1] == .runningLocal)
        if crashes { rig.restart() }
        #expect(rig.flow.material(of: 1).inputs["in0"]?.hash == ContentHash(hex: "1"))
        rig.finish(1, "3")
        #expect(rig.states == [.succeeded, .blocked, .blocked])
        #expect(
            rig.flow.steps[1].reason?.words == "Input from 'n0' has changed."
                && rig.flow.outputs[1]["out"]?.hash.hex == "3")
    }

    /// Row 25: the exact snapshot, whatever its producer gives by now.
    @Test(arguments: [false, true]) func aRetryRepeatsTheSnapshot(crashes: Bool) {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b")], edges: [(0, 1)], policy: .isolateNode)
        rig.make(0, "1")
        rig.fail(1)
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        rig.again(.retry(1))
        if crashes { rig.restart() }
        #expect(rig.flow.material(of: 1).inputs["in0"]?.hash.hex == "1")
        rig.make(1, "x")
        #expect(rig.runRecords[RunID(rig.flow.steps[1].id, attempt: 2)]?.inputs["in0"]?.hash.hex == "1")
        #expect(rig.flow.steps[1].staleSince != nil, "it is of old inputs, and says so")
        rig.again(.rerun(Rerun(step: 2)))
        rig.make(1, "y")
        #expect(rig.runRecords[RunID(rig.flow.steps[1].id, attempt: 3)]?.inputs["in0"]?.hash.hex == "2")
        #expect(rig.states == [.succeeded, .succeeded])
    }

    @Test func editsHoldForTheStepAndSurvive() {
        var rig = chain(2)
        rig.again(.rerun(Rerun(step: 1, edits: JSON.Object(members: [.init(key: "steps", value: 40)]))))
        rig.restart()
        rig.make(0, "2")
        #expect(rig.runRecords[RunID(rig.flow.steps[0].id, attempt: 2)]?.params["steps"] == 40)
    }

    /// Row 20: an explicit, recorded, reversible pin.
    @Test func aPinTakesAnOldRunAndCanBeTakenBack() {
        var rig = chain(3)
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        let old = rig.assets.first { $0.run == RunID(rig.flow.steps[0].id, attempt: 1) }
        rig.again(.pin(1, port: "in0", old))
        #expect(rig.states.allSatisfy { $0 == .succeeded }, "what it is pinned to is what it consumed")
        rig.again(.pin(1, port: "in0", nil))
        #expect(rig.states == [.succeeded, .blocked, .blocked])
    }

    /// Found by the simulator (seed 15156): what had ended stood there with a step that was ready.
    @Test func aPinThatLetsSomethingStartTakesTheWorkflowUpAgain() {
        var rig = FlowRig(nodes: (0..<3).map { FlowRig.node("n\($0)") }, edges: [(0, 1), (1, 2)])
        rig.make(0, "1")
        rig.make(1, "1")
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        #expect(rig.states == [.succeeded, .blocked, .blocked] && rig.record.outcome == .failed)
        rig.again(.pin(1, port: "in0", rig.assets.first { $0.hash.hex == "1" && $0.run.step.index == 1 }))
        #expect(rig.states == [.succeeded, .succeeded, .ready] && rig.record.outcome == nil)
        rig.make(2, "1")
        #expect(rig.record.outcome == .succeeded)
    }

    @Test func aDiamondIsStaleOnceAndFreshOnce() {
        var rig = FlowRig(nodes: (0..<4).map { FlowRig.node("n\($0)") }, edges: [(0, 1), (0, 2), (1, 3), (2, 3)])
        for index in 0..<4 { rig.make(index, "1") }
        rig.again(.rerun(Rerun(step: 1, isBelow: true)))
        rig.make(0, "2")
        #expect(rig.states == [.succeeded, .ready, .ready, .blocked])
        rig.make(1, "1")
        #expect(rig.states[3] == .blocked)
        rig.make(2, "1")
        #expect(rig.states.allSatisfy { $0 == .succeeded } && rig.flow.steps.map(\.attempt) == [2, 2, 2, 1])
    }

    @Test func aFailedReRunLeavesTheOldOutputs() {
        var rig = chain(2)
        rig.again(.rerun(Rerun(step: 1)))
        rig.fail(0)
        #expect(rig.states == [.failed, .succeeded] && rig.record.outcome == .failed)
        #expect(rig.flow.outputs[0]["out"]?.hash.hex == "1")
        rig.again(.retry(0))
        rig.make(0, "1")
        #expect(rig.states == [.succeeded, .succeeded] && rig.record.outcome == .succeeded)
    }

    /// Found by the simulator: the snapshot of an earlier attempt came back instead.
    @Test func aReRunThatNeverStartedIsTakenUpAsItWasToBe() {
        var rig = chain(1)
        var edits = JSON.Object()
        edits["v"] = 7
        rig.again(.rerun(Rerun(step: 1, edits: edits)))
        rig.feed(.cancel)
        #expect(rig.states == [.cancelled] && rig.record.outcome == .cancelled)
        rig.again(.retry(nil))
        #expect(rig.states == [.ready] && rig.flow.steps[0].replays == nil)
        rig.admit(0)
        #expect(rig.runRecords[RunID(rig.flow.steps[0].id, attempt: 2)]?.params["v"] == 7)
    }

    /// Found by the simulator: in the store it was no longer cancelled, and after a crash its step ran again.
    @Test(arguments: [false, true]) func aCancelAfterAReRunHoldsInOneCommitAsInTwo(isOneCommit: Bool) {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b")])
        rig.admit(1)
        rig.fail(0)
        rig.feed(.cancel)
        rig.record.isCancelRequested = true
        rig.flow.remember(rig.history)
        let wishes: [Flow.Input] = [.rerun(Rerun(step: 1)), .cancel]
        if isOneCommit { rig.feed(wishes) } else { for wish in wishes { rig.feed(wish) } }
        #expect(rig.record.isCancelRequested)
        rig.restart()
        rig.end(1, .lost)
        #expect(rig.states == [.cancelled, .cancelled] && rig.record.outcome == .cancelled)
    }

    // MARK: Revisions

    /// Found by the simulator: it counted as a failure for ever, and a retry took it up without a tool.
    @Test func aFailedNodeThatIsRemovedIsNoFailureAnyMore() {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b")], edges: [(0, 1)])
        rig.make(0, "1")
        rig.fail(1)
        var graph = rig.graph
        graph.nodes[1] = FlowRig.node("b", missing: Reason("removed", "gone"))
        graph.nodes[1].kind = Revision.removedKind
        graph.consumers[0] = []
        rig.revise(to: graph)
        #expect(rig.flow.steps[1].reason?.code == "removed")
        rig.again(.retry(nil))
        #expect(rig.states == [.succeeded, .cancelled])
        rig.again(.rerun(Rerun(step: 1)))
        rig.make(0, "2")
        #expect(rig.record.outcome == .succeeded)
    }

    /// Row 14.
    @Test func aNewGraphKeepsNumbersAndMarksWhatChanged() {
        var rig = chain(3)
        var graph = rig.graph
        graph.nodes[1].params["width"] = 5
        graph.nodes[1].kind = "U"
        graph.nodes.append(FlowRig.node("extra"))
        graph.nodes[3].inputs = [Graph.Input(port: "in0", isOptional: false, producer: (0, "out"))]
        graph.consumers[0].append(3)
        graph.consumers.append([])
        rig.revise(to: graph)
        #expect(rig.states == [.succeeded, .blocked, .blocked, .ready] && rig.record.outcome == nil)
        #expect(rig.flow.steps[1].reason?.code == "definitionChanged" && rig.steps[1].kind == "U")
        rig.make(3, "e")
        rig.again(.rerun(Rerun()))
        rig.make(1, "7")
        rig.make(2, "7")
        #expect(rig.states.allSatisfy { $0 == .succeeded } && rig.record.outcome == .succeeded)
    }

    @Test func whatRunsMayNotChange() {
        var rig = FlowRig(nodes: [FlowRig.node("a")])
        rig.admit(0)
        var graph = rig.graph
        graph.nodes[0].params["width"] = 5
        #expect(rig.flow.faultOfRevising(to: graph)?.code == "stepRunning")
        #expect(rig.flow.faultOfRevising(to: rig.graph) == nil)
    }

    @Test func aRemovedNodeLeavesItsMark() {
        var rig = chain(3)
        var graph = rig.graph
        graph.nodes[2] = FlowRig.node("n2", missing: Reason("removed", "gone"))
        graph.nodes[2].kind = Revision.removedKind
        graph.consumers[1] = []
        rig.revise(to: graph)
        #expect(rig.states == [.succeeded, .succeeded, .cancelled] && rig.flow.steps[2].reason?.code == "removed")
        rig.again(.rerun(Rerun(step: 2)))
        rig.make(1, "2")
        #expect(rig.record.outcome == .succeeded)
        rig.again(.retry(nil))
        #expect(rig.states[2] == .cancelled)
    }

    @Test func mergingKeepsTheOrderAndTheGaps() {
        func template(_ ids: String...) -> Template {
            Template(name: "t", nodes: ids.map { Template.Node(id: $0, kind: "T") })
        }
        let merged = Revision.merge(template("c", "new", "a"), into: template("a", "b", "c"))
        #expect(
            merged.nodes.map(\.id) == ["a", "b", "c", "new"] && merged.nodes.map(\.kind) == ["T", "Removed", "T", "T"])
    }
}

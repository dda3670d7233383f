import JSON
import Testing
import Vocabulary

@testable import Workflows

@Suite struct RevisionTests {
    /// `edit w3 --set a.width=7` after `rerun w3 a --set width=5` must not go unheard.
    @Test func aNewDefinitionBeatsWhatWasSetForTheStepBefore() {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b")])
        rig.run(0)
        rig.run(1)
        rig.flow.remember(WorkflowHistory(runs: rig.runRecords.values.map { $0 }, assets: rig.assets))
        for index in [1, 2] {
            var edits = JSON.Object()
            (edits["width"], edits["height"]) = (5, 6)
            rig.feed(.rerun(Rerun(step: index, edits: edits)))
            rig.run(index - 1)
        }
        var graph = rig.graph
        graph.nodes[0].params["width"] = 7
        graph.nodes[1].kind = "Other"
        _ = rig.change { flow, transition in flow.revise(to: graph, template: "{}", in: &transition) }
        #expect(rig.flow.params(of: 0)["width"] == 7 && rig.flow.params(of: 0)["height"] == 6)
        #expect(rig.flow.steps[1].edits == nil, "another tool has other parameters")
    }
}

@Suite struct RerunTests {
    /// Under fail-fast a failure elsewhere held a re-run back for good, and what had succeeded was blocked by it.
    @Test(arguments: Template.ErrorPolicy.allCases) func aReRunGoesOnPastAFailureThatIsLeftAlone(
        policy: Template.ErrorPolicy
    ) {
        var rig = FlowRig(nodes: (0..<3).map { FlowRig.node("n\($0)") }, edges: [(0, 1)], policy: policy)
        rig.run(0)
        rig.run(2)
        rig.fail(1)
        #expect(rig.outcomes == [.failed])
        rig.flow.remember(WorkflowHistory(runs: rig.runRecords.values.map { $0 }, assets: rig.assets))
        rig.feed(.rerun(Rerun(step: 1)))
        #expect(rig.states == [.ready, .failed, .succeeded] && !rig.flow.isHalted)
        rig.run(0)
        #expect(rig.outcomes == [.failed, .failed], "the failure is still there")
        rig.feed(.retry(1))
        rig.run(1)
        #expect(rig.outcomes.last == .succeeded)
    }
}

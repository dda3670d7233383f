import Testing
import Vocabulary

@testable import Actions

/// What has become of the files that a workflow gathers.
@Suite struct BatchSummaryTests {
    private static let template = Template(
        name: "pack", nodes: ["a", "b", "zip"].map { Template.Node(id: $0, kind: $0 == "zip" ? "Zip" : "FileLoader") },
        edges: ["a", "b"].map { Template.Edge(from: .init($0, "file"), to: .init("zip", "files.\($0)")) })

    /// Step 2 has failed, and what step 1 was doing then is chance.
    @Test(arguments: [
        (StepState.succeeded, Code?.none, true), (.blocked, .halted, true), (.blocked, nil, true),
        (.failed, nil, false), (.cancelled, nil, false), (.blocked, .upstreamFailed, false),
        (.blocked, .removed, false),
    ])
    func theGatheringIsHeldUpIfTheOthersCanGoOn(state: StepState, reason: Code?, isHeldUp: Bool) {
        let states: [(StepState, Code?)] = [(state, reason), (.failed, nil), (.blocked, .upstreamFailed)]
        let steps = states.indices.map { index in
            StepRecord(
                id: StepID(WorkflowID(1), index + 1), node: Self.template.nodes[index].id,
                kind: Self.template.nodes[index].kind, state: states[index].0,
                reason: states[index].1.map { Reason($0, "") }, updatedAt: Moment(milliseconds: 0))
        }
        #expect(BatchSummary(Self.template, steps, Catalogue([])).isGatheringHeldUp == isHeldUp)
    }
}

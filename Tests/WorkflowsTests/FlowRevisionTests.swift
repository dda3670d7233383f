import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// A new graph while something waits, or is stale.
@Suite struct FlowRevisionTests {
    /// Seeds 922482 and 1007183: what had failed was taken out of the graph, and what it had held back stood still for
    /// ever.
    @Test func aGraphWithoutWhatFailedLetsTheOthersGo() {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b"), FlowRig.node("c")])
        rig.admit(2)
        rig.fail(0)
        #expect(rig.states == [.failed, .ready, .runningLocal] && rig.flow.isHalted)
        _ = rig.takeIntents()
        var without = rig.graph
        without.nodes[0].kind = Revision.removedKind
        rig.revise(to: without)
        #expect(!rig.flow.isHalted && rig.takeIntents().contains(.consider(1)))
    }

    /// Seed 811999882: a step that was stale for what stands above it had its definition changed, and counted as fresh
    /// when that gave the same as before.
    @Test func aStepWhoseDefinitionChangedWhileItWasStaleStaysChanged() {
        var rig = FlowRig(nodes: [FlowRig.node("a"), FlowRig.node("b")], edges: [(0, 1)])
        rig.make(0, "aa")
        rig.make(1, "bb")
        rig.again(.rerun(Rerun(step: 1, isBelow: true)))
        #expect(rig.states == [.ready, .blocked])
        var changed = rig.graph
        changed.nodes[1].params["v"] = 2
        rig.revise(to: changed)
        rig.make(0, "aa")
        #expect(rig.states == [.succeeded, .blocked] && rig.flow.steps[1].staleSince != nil)
        #expect(rig.flow.steps[1].reason?.code == "definitionChanged")
        rig.again(.rerun(Rerun()))
        #expect(rig.states == [.succeeded, .ready], "it runs again")
    }

    /// Nothing is said to wait for a step that the new graph does not have.
    @Test func aReasonNamesNoStepThatWasRemoved() {
        var rig = FlowRig(
            nodes: [FlowRig.node("a"), FlowRig.node("b"), FlowRig.node("c"), FlowRig.node("d")],
            edges: [(0, 2), (1, 2), (2, 3)], policy: .isolateNode)
        rig.admit(1)
        rig.fail(0)
        #expect(rig.flow.steps[2...].map { $0.reason?.code.text } == ["upstreamFailed", "upstreamFailed"])
        var without = rig.graph
        without.nodes[0].kind = Revision.removedKind
        without.nodes[2].inputs.removeFirst()
        without.consumers[0] = []
        rig.revise(to: without)
        #expect(rig.states == [.cancelled, .runningLocal, .blocked, .blocked])
        #expect(rig.flow.steps[2...].map { $0.reason?.words } == [nil, nil])
        rig.end(1, .failed(Failure("broken", "It broke.")))
        #expect(rig.flow.steps[2...].map { $0.reason?.words } == ["Step 2 (b) failed.", "Step 2 (b) failed."])
    }

    /// Seed 774373763: a step that had to be over first was removed, and the step after it waited for ever.
    @Test(arguments: [true, false]) func aRemovedStepIsNotWaitedFor(hasEnded: Bool) throws {
        func template(_ second: String) throws -> Template {
            let nodes = [#"{"id":"a","kind":"Work"}"#, second, #"{"id":"c","kind":"Work","after":["a","b"]}"#]
            let text = #"{"schema":"app.workflow/v2","name":"w","nodes":[\#(nodes.joined(separator: ","))]}"#
            return try #require(TemplateReader.read(Array(text.utf8), isStored: true).0)
        }
        let catalogue = Catalogue([ToolManifest(kind: "Work", title: "Work", action: .builtin("x"))])
        var rig = FlowRig(graph: try #require(check(template(#"{"id":"b","kind":"Work"}"#), against: catalogue).0))
        rig.run(0)
        if hasEnded { rig.fail(1) }
        let without = try template(#"{"id":"b","kind":"Removed","inputs":{},"outputs":{}}"#)
        #expect(
            check(without, against: catalogue).1.map(\.description) == [
                "c.after: b was removed from the graph. (unknownNode)"
            ])
        rig.revise(to: try #require(check(without, against: catalogue, isStored: true).0))
        if hasEnded { rig.again(.retry(nil)) }
        #expect(rig.states == [.succeeded, .cancelled, .ready])
        rig.run(2)
        #expect(rig.outcomes.last == .succeeded)
    }
}

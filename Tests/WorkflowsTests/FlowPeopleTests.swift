import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

/// What persons do: `semantics.md` 2, 40, 41, 48.
@Suite struct FlowPeopleTests {
    /// A step that a person does, and one that consumes it.
    private func rig(
        _ type: AwaitType = .drawMask, onTimeout: OnTimeout = .cancel, isOptional: Bool = false, expires: Double? = nil
    ) -> FlowRig {
        var rig = FlowRig(
            nodes: [
                FlowRig.node("load"), FlowRig.person("mask", type, onTimeout: onTimeout, expires: expires),
                FlowRig.node("use"),
            ],
            edges: [(0, 1), (1, 2)])
        if isOptional {
            var graph = rig.graph
            graph.nodes[2].inputs[0].isOptional = true
            rig.revise(to: graph)
        }
        rig.make(0, "1")
        var question = rig.question(1, type)
        question.expiresAt = expires.map { rig.now + $0 }
        rig.feed(.asked(1, question))
        return rig
    }

    private func drawn(_ rig: FlowRig) -> Asset {
        Asset(
            run: RunID(StepID(WorkflowID(0), 0), attempt: 0), port: "out", type: .mask, hash: ContentHash(hex: "m"),
            bytes: 1, name: "m.png"
        )
    }

    /// Row 2, *produces*: completion writes the outputs; the run is the person's, with its provenance.
    @Test func whatAPersonGivesIsTheOutput() {
        var rig = rig()
        #expect(rig.states == [.succeeded, .awaitingUser, .blocked] && rig.openAwaits.map(\.type) == [.drawMask])
        #expect(rig.openAwaits.map(\.status) == [.pending], "nobody has claimed it")
        rig.feed(.completed(1, .outputs([drawn(rig)]), agreed: nil, by: "me"))
        #expect(rig.states == [.succeeded, .succeeded, .ready] && rig.openAwaits.isEmpty)
        let run = rig.runRecords[RunID(StepID(WorkflowID(1), 2), attempt: 1)]
        #expect(run?.kind == .person && run?.inputs["in0"]?.hash.hex == "1")
        #expect(rig.flow.outputs[1]["out"]?.run == run?.id && rig.flow.outputs[1]["out"]?.hash.hex == "m")
    }

    /// Row 2, *gates*: ready again, and it is known what was agreed to; with other parameters, if there are some.
    @Test func aGateIsPassedForOneThing() {
        var node = FlowRig.node("confirm")
        node.awaits = Template.AwaitSpec(type: .confirmParams)
        var rig = FlowRig(nodes: [node])
        rig.ask(0, type: .confirmParams)
        let edits = JSON.Object(members: [.init(key: "steps", value: 9)])
        rig.feed(.completed(0, .agreed(edits: edits), agreed: ContentHash(hex: "f"), by: "me"))
        #expect(rig.states == [.ready] && rig.flow.steps[0].agreed?.hex == "f" && rig.flow.params(of: 0)["steps"] == 9)
        rig.restart()
        #expect(rig.flow.steps[0].agreed?.hex == "f" && rig.flow.params(of: 0)["steps"] == 9)
    }

    /// Row 40: reject → cancelled.
    @Test func aRejectedStepIsCancelled() {
        var rig = rig()
        rig.feed(.completed(1, .rejected(reason: "ugly"), agreed: nil, by: "me"))
        #expect(rig.states[1] == .cancelled && rig.flow.steps[1].failure?.code == "rejected")
        #expect(rig.flow.steps[1].failure?.message.contains("ugly") == true)
    }

    /// Row 41.
    @Test func aSkippedStepGivesNothingAndIsDone() {
        var rig = rig(onTimeout: .skip, isOptional: true)
        #expect(rig.flow.canBeSkipped(1))
        rig.feed(.completed(1, .skipped(), agreed: nil, by: "me"))
        #expect(rig.states == [.succeeded, .succeeded, .ready] && rig.flow.steps[1].reason?.code == "skipped")
        #expect(rig.flow.material(of: 2).inputs.isEmpty)
    }

    /// Found by the simulator: who came to require it later began without it.
    @Test func aSkippedStepThatWasStaleForNothingIsSkippedStill() {
        var rig = rig(onTimeout: .skip, isOptional: true)
        rig.feed(.completed(1, .skipped(), agreed: nil, by: "me"))
        rig.make(2, "3")
        rig.again(.rerun(Rerun(step: 1, isBelow: true)))
        #expect(rig.states == [.ready, .blocked, .blocked])
        rig.make(0, "1")
        #expect(rig.states == [.succeeded, .succeeded, .succeeded] && rig.flow.steps[1].reason?.code == "skipped")
    }

    @Test func whatSomebodyRequiresCannotBeSkipped() {
        var rig = rig()
        #expect(!rig.flow.canBeSkipped(1))
        rig.feed(.completed(1, .skipped(), agreed: nil, by: "me"))
        #expect(rig.states[1] == .cancelled && rig.outcomes == [.cancelled])
    }

    @Test(
        arguments: [
            (OnTimeout.cancel, false, StepState.failed, "awaitExpired"), (.skip, true, .succeeded, nil),
            (.autoDefault, false, .succeeded, nil),
        ] as [(OnTimeout, Bool, StepState, String?)])
    func expiryFollowsItsPolicy(onTimeout: OnTimeout, isOptional: Bool, state: StepState, code: String?) {
        // The one candidate is what is plugged in.
        var rig = rig(.selectAsset, onTimeout: onTimeout, isOptional: isOptional, expires: 60)
        #expect(rig.takeAlarm(1) == 60)
        rig.pass(seconds: 60, due: 1)
        #expect(rig.takeIntents() == [.expire(1)], "whether somebody holds a claim is not the flow's to know")
        rig.feed(.expired(1))
        #expect(rig.states[1] == state && rig.flow.steps[1].failure?.code == code && rig.openAwaits.isEmpty)
        if onTimeout == .autoDefault { #expect(rig.flow.outputs[1]["out"]?.hash.hex == "1") }
    }

    @Test func anExpiryYieldsToAnAnswer() {
        var rig = rig(.selectAsset, expires: 60)
        rig.now = rig.now + 60
        let batch = rig.change { flow, transition in flow.step(.expired(1), in: &transition) }
        #expect(batch.awaitsClosed.map(\.yields) == [true])
    }

    /// A default of several candidates would be a guess.
    @Test func autoDefaultWithoutOneCandidateIsACancel() {
        var rig = FlowRig(nodes: [FlowRig.person("pick", .selectAsset, onTimeout: .autoDefault, expires: 1)])
        var question = rig.question(0, .selectAsset)
        question.expiresAt = rig.now + 1
        rig.feed(.asked(0, question))
        rig.feed(.expired(0))
        #expect(rig.flow.steps[0].failure?.code == "awaitExpired")
    }

    /// Row 41: approvals never expire into a yes.
    @Test func aQuestionAboutACallDoesNotExpire() {
        var node = FlowRig.node("a")
        node.awaits = Template.AwaitSpec(type: .confirmParams, expiresInSeconds: 1, onTimeout: .autoDefault)
        var rig = FlowRig(nodes: [node])
        rig.ask(0, type: .confirmCall)
        rig.feed(.expired(0))
        #expect(rig.states == [.awaitingUser] && rig.openAwaits.count == 1)
    }

    /// What does not fit ends the step rather than leaving it to wait for ever for an await that is done.
    @Test(arguments: [Completion.agreed(edits: nil), .submitAgain, .submittedAs(id: "x"), .lookAgain])
    func anAnswerThatDoesNotFitIsNoAnswer(completion: Completion) {
        var rig = rig()
        rig.feed(.completed(1, completion, agreed: nil, by: "me"))
        #expect(rig.states[1] == .failed && rig.flow.steps[1].failure?.code == "badAnswer" && rig.openAwaits.isEmpty)
    }

    /// Row 48, and the alarm is set again.
    @Test func aRestartAsksNobodyASecondTime() {
        var rig = rig(expires: 60)
        rig.restart()
        #expect(rig.awaits.count == 1 && rig.takeAlarm(1) == 60)
        rig.feed(.completed(1, .outputs([drawn(rig)]), agreed: nil, by: "me"))
        #expect(rig.states[2] == .ready)
    }

    /// What was asked about old material is asked anew about the new.
    @Test func aReRunAboveTakesTheQuestionBack() {
        var rig = rig()
        rig.again(.rerun(Rerun(step: 1)))
        #expect(rig.states == [.ready, .blocked, .blocked] && rig.awaits.map(\.resolution) == ["superseded"])
        rig.make(0, "2")
        #expect(rig.states[1] == .ready)
    }
}

@Suite struct TurnsTests {
    /// Who gets each of `count` slots, where every workflow always has something to do.
    private func slots(_ count: Int, _ workflows: [Int64], focus: Int64? = nil, mustWait: Set<Int64> = []) -> [Int64] {
        var turns = Turns(focus: focus.map { WorkflowID($0) })
        for workflow in workflows { turns.join(WorkflowID(workflow)) }
        return (0..<count).compactMap { _ in turns.next { mustWait.contains($0.number) ? .mustWait : .canGo }?.number }
    }

    @Test func everybodyGetsOneSlotACycle() {
        #expect(slots(6, [1, 2, 3]) == [1, 2, 3, 1, 2, 3])
    }

    /// Row 13: weight 4 for the focused one, and still one for each other.
    @Test func theFocusedOneGetsFour() {
        #expect(slots(12, [1, 2, 3], focus: 2) == [1, 2, 2, 2, 2, 3, 1, 2, 2, 2, 2, 3])
    }

    @Test func whoCannotUseItsTurnLosesIt() {
        #expect(slots(4, [1, 2, 3], mustWait: [1]) == [2, 3, 2, 3])
        #expect(slots(4, [1], mustWait: [1]).isEmpty)
    }

    @Test func whoHasNothingLeavesAndMayComeBack() {
        var turns = Turns()
        for workflow in 1...3 { turns.join(WorkflowID(Int64(workflow))) }
        #expect(turns.next { $0.number == 1 ? .hasNothing : .canGo }?.number == 2)
        turns.join(WorkflowID(1))
        #expect((0..<4).compactMap { _ in turns.next { _ in .canGo }?.number } == [3, 1, 2, 3])
        for workflow in 1...3 { turns.leave(WorkflowID(Int64(workflow))) }
        #expect(turns.isEmpty && turns.next { _ in .canGo } == nil)
    }
}

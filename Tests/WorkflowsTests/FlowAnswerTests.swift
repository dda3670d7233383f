import CaseNames
import Testing
import Vocabulary

@testable import Workflows

extension FlowTests {
    @Test func aYesLetsAStepBeConsideredAgain() {
        var rig = Rig(nodes: nodes(1))
        rig.ask(0)
        #expect(rig.flow.isWaitingForPerson && rig.flow.steps[0].reason?.code == "needsYou")
        _ = rig.takeIntents()
        rig.feed(.answered(0, .yes, by: "me"))
        #expect(rig.takeIntents() == [.consider(0)] && rig.states == [.ready] && rig.openAwaits.isEmpty)
    }

    @Test func aNoCancelsTheStepWithTheWordsOfThePerson() {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.ask(0)
        rig.feed(.answered(0, .no(reason: "not now"), by: "me"))
        #expect(rig.states == [.cancelled, .blocked] && rig.outcomes == [.cancelled])
        #expect(
            rig.flow.steps[0].failure?.code == "rejected"
                && rig.flow.steps[0].failure?.message.contains("not now") == true)
        #expect(rig.awaits[0].resolution == "rejected")
    }

    @Test(arguments: [AwaitType.drawMask, .confirmCall]) func anAwaitIsClosedAsWhatItWasOpened(type: AwaitType) {
        var rig = Rig(nodes: nodes(1))
        rig.ask(0, type: type)
        rig.restart()
        rig.feed(.cancel)
        #expect(
            rig.events.contains { $0.kind == .awaitClosed(await: 1, type: type, resolution: "cancelled", by: "cancel") }
        )
    }

    /// Asked and taken back before anything was stored: the inbox must not keep it.
    @Test func anAwaitThatIsClosedBeforeItIsStoredIsNeverOpened() {
        var rig = Rig(nodes: nodes(2))
        rig.feed([.asked(0, rig.question(0)), .cancel])
        #expect(rig.awaits.isEmpty && rig.outcomes == [.cancelled])
        rig.feed(.retry(nil))
        rig.ask(0)
        #expect(rig.openAwaits.count == 1)
    }

    @Test func aFailureTakesOpenQuestionsBack() {
        var rig = Rig(nodes: nodes(2))
        rig.admit(1)
        rig.feed([.asked(0, rig.question(0)), .ended(1, attempt: 1, .failed(Failure("broken", "It broke.")))])
        #expect(rig.outcomes == [.failed] && rig.openAwaits.isEmpty)
        #expect(rig.states == [.blocked, .failed])
    }

    @Test func anAnswerToAStepThatDoesNotWaitIsNothing() {
        var rig = Rig(nodes: nodes(1))
        rig.feed(.answered(0, .yes, by: "me"))
        rig.feed(.answered(7, .yes, by: "me"))
        #expect(rig.states == [.ready])
    }

    // MARK: Crashes

    /// Row 17.
    @Test func aLostIdempotentStepRunsAgainAndSpendsNoRetry() {
        var rig = Rig(nodes: nodes(1))
        for _ in 0..<6 {
            rig.admit(0)
            rig.restart()
            #expect(rig.takeIntents() == [.recover(0, attempt: rig.flow.steps[0].attempt)])
            rig.end(0, .lost)
            #expect(rig.takeIntents() == [.consider(0)])
        }
        rig.fail(0, busy)
        #expect(rig.states == [.ready])
    }

    @Test func aLostStepThatIsNotIdempotentFails() {
        var rig = Rig(nodes: [Rig.node("send", isIdempotent: false, isPure: false)])
        rig.admit(0)
        rig.restart()
        rig.end(0, .lost)
        #expect(rig.states == [.failed] && rig.flow.steps[0].failure?.code == "processLost")
    }

    @Test func aDelayWaitsOnceHoweverOftenItIsCut() {
        var rig = Rig(nodes: [Rig.node("d", queue: .none, delay: 60)])
        rig.admit(0)
        let end = rig.now + 60
        #expect(rig.takeIntents() == [.consider(0), .wake(0, at: end)])
        rig.restart()
        #expect(rig.takeIntents() == [.wake(0, at: end)])
        rig.now = end
        rig.feed(.due(0))
        rig.restart()
        #expect(rig.takeIntents() == [.run(0, attempt: 1)])
        rig.succeed(0)
        #expect(rig.outcomes == [.succeeded])
    }

    @Test func aDelayIsCancelledAtOnce() {
        var rig = Rig(nodes: [Rig.node("d", queue: .none, delay: 60)])
        rig.admit(0)
        rig.feed(.cancel)
        #expect(rig.outcomes == [.cancelled])
    }

    /// Row 27 and `architecture.md` invariant 3.
    @Test func endingsWithOutsideEffectsArePrecious() {
        for isPure in [true, false] {
            var rig = Rig(nodes: [Rig.node("a", isPure: isPure), Rig.node("b")])
            rig.admit(0)
            let batch = rig.change { flow, transition in
                flow.step(.ended(0, attempt: 1, .succeeded([])), in: &transition)
            }
            #expect(batch.isPrecious == !isPure)
        }
    }

    /// Row 27 (simulator, seed 12): what overwrites a file brings nothing in, also where nothing is plugged into it.
    @Test func onlyWhatBringsSomethingInIsAnImport() {
        for (onlyBringsIn, kind) in [(true, RunRecord.Kind.import), (false, .tool)] {
            var node = Rig.node("a", isPure: false)
            node.onlyBringsIn = onlyBringsIn
            var rig = Rig(nodes: [node])
            rig.admit(0)
            #expect(rig.runRecords.values.first?.kind == kind)
        }
    }
}

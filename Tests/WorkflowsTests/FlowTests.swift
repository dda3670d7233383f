import CaseNames
import Testing
import Vocabulary

@testable import Workflows

/// Small graphs, played by hand.
@Suite struct FlowTests {
    typealias Rig = FlowRig

    func nodes(_ count: Int) -> [Graph.Node] { (0..<count).map { Rig.node("n\($0)") } }

    let busy = Failure("busy", "Busy.", isTransient: true)

    // MARK: Going on

    @Test func aChainGoesStepByStep() {
        var rig = Rig(nodes: nodes(3), edges: [(0, 1), (1, 2)])
        #expect(rig.takeIntents() == [.consider(0)])
        rig.admit(0)
        #expect(rig.takeIntents() == [.run(0, attempt: 1)])
        #expect(rig.states == [.runningLocal, .blocked, .blocked])
        rig.succeed(0)
        #expect(rig.takeIntents() == [.consider(1)])
        #expect(rig.flow.inputs(of: 1).keys.sorted() == ["in0"])
        rig.run(1)
        rig.run(2)
        #expect(rig.outcomes == [.succeeded] && rig.intents.last == .finished(.succeeded))
        #expect(rig.flow.finalOutputs.map(\.step) == [3])
    }

    @Test func aJoinWaitsForAllOfItsProducers() {
        var rig = Rig(nodes: nodes(3), edges: [(0, 2), (1, 2), (0, 2)])
        rig.run(0)
        #expect(rig.states[2] == .blocked)
        rig.run(1)
        #expect(rig.states[2] == .ready)
    }

    /// Row 4.
    @Test func aReadyStepSaysThatItWaitsForASlot() {
        let rig = Rig(nodes: [Rig.node("a"), Rig.node("b", queue: .none)])
        #expect(rig.flow.steps.map(\.reason?.code) == ["waitingForSlot", nil])
    }

    @Test func aLateEndingChangesNothing() {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.admit(0)
        rig.end(0, .lost)
        rig.admit(0)
        let before = rig.steps
        rig.feed(.ended(0, attempt: 1, .succeeded([])))
        #expect(rig.steps == before && rig.flow.steps[0].attempt == 2)
        rig.succeed(0)
        rig.feed(.ended(0, attempt: 2, .failed(busy)))
        #expect(rig.states == [.succeeded, .ready])
    }

    // MARK: Failing

    @Test func failFastStartsNothingNewAndLetsRunningStepsFinish() {
        var rig = Rig(nodes: nodes(4), edges: [(0, 3), (1, 3)])
        rig.admit(1)
        rig.fail(0)
        #expect(rig.outcomes.isEmpty)
        rig.admit(2)
        #expect(rig.states == [.failed, .runningLocal, .ready, .blocked])
        rig.succeed(1)
        #expect(rig.outcomes == [.failed])
        #expect(rig.states == [.failed, .succeeded, .blocked, .blocked])
        #expect(rig.flow.steps.map(\.reason?.code) == [nil, nil, "halted", "upstreamFailed"])
    }

    @Test func isolateNodeBlocksOnlyDescendants() {
        var rig = Rig(nodes: nodes(5), edges: [(0, 1), (1, 2), (3, 4)], policy: .isolateNode)
        rig.fail(0)
        #expect(rig.outcomes.isEmpty)
        #expect(rig.flow.steps[2].reason == Reason("upstreamFailed", "Step 1 (n0) failed."))
        rig.run(3)
        rig.run(4)
        #expect(rig.outcomes == [.failed])
        #expect(rig.states == [.failed, .blocked, .blocked, .succeeded, .succeeded])
    }

    /// `semantics.md` 187: what was denied is cancelled, the rest follows the error policy.
    @Test(arguments: [(Template.ErrorPolicy.failFast, StepState.blocked), (.isolateNode, .ready)])
    func aRefusalFollowsTheErrorPolicy(policy: Template.ErrorPolicy, other: StepState) {
        var rig = Rig(nodes: nodes(3), edges: [(0, 1)], policy: policy)
        rig.feed(.refused(0, Failure("denied", "Denied."), isCancelled: true))
        #expect(rig.states == [.cancelled, .blocked, other])
        #expect(rig.outcomes == (policy == .failFast ? [.cancelled] : []))
    }

    @Test func transientFailuresAreTriedFourTimes() {
        var rig = Rig(nodes: nodes(1))
        for attempt in 1...3 {
            rig.fail(0, busy)
            #expect(rig.states == [.ready] && rig.flow.steps[0].reason?.code == "backoff")
            guard case .wake(0, let moment)? = rig.takeIntents().last else {
                Issue.record("no alarm was set")
                return
            }
            rig.feed(.due(0))
            #expect(rig.takeIntents() == [.wake(0, at: moment)], "too early")
            rig.now = moment
            rig.feed(.due(0))
            #expect(rig.takeIntents() == [.consider(0)])
            #expect(rig.flow.steps[0].attempt == attempt)
        }
        rig.fail(0, busy)
        #expect(rig.states == [.failed] && rig.outcomes == [.failed])
    }

    /// Row 8: it may have happened.
    @Test func aStepThatIsNotIdempotentIsNotTriedAgainByItself() {
        var rig = Rig(nodes: [Rig.node("send", isIdempotent: false, isPure: false)])
        rig.fail(0, busy)
        #expect(rig.states == [.failed])
        #expect(rig.flow.steps[0].failure?.remedy?.contains("happened already") == true)
    }

    @Test func aBackoffOutlivesACrash() {
        var rig = Rig(nodes: nodes(1))
        rig.fail(0, busy)
        let alarm = rig.intents.last
        rig.restart()
        #expect(rig.takeIntents() == [alarm])
    }

    // MARK: Retry

    @Test func retryTakesUpWhatFailedAndUnblocksTheRest() {
        var rig = Rig(nodes: nodes(3), edges: [(0, 1)])
        rig.fail(0)
        #expect(rig.outcomes == [.failed])
        rig.restart()
        #expect(rig.intents.isEmpty)
        rig.feed(.retry(nil))
        #expect(rig.takeIntents() == [.consider(0), .consider(2)])
        #expect(
            rig.record.outcome == nil && rig.states == [.ready, .blocked, .ready] && rig.flow.steps[1].reason == nil)
        rig.run(0)
        rig.run(1)
        rig.run(2)
        #expect(rig.outcomes == [.failed, .succeeded] && rig.flow.steps[0].attempt == 2)
    }

    /// Row 12: retry lifts fail-fast, also when it leaves another failure alone, and also after a crash.
    @Test(arguments: [false, true]) func oneOfTwoFailuresCanBeRetried(isRestarted: Bool) {
        var rig = Rig(nodes: nodes(4), edges: [(0, 2), (1, 3)])
        rig.admit(0)
        rig.fail(1)
        rig.end(0, .failed(Failure("broken", "It broke.")))
        #expect(rig.outcomes == [.failed])
        rig.feed(.retry(0))
        #expect(rig.record.outcome == nil && rig.flow.steps[1].reason?.code == "setAside")
        if isRestarted { rig.restart() }
        rig.run(0)
        rig.run(2)
        #expect(rig.outcomes == [.failed, .failed])
        #expect(rig.states == [.succeeded, .failed, .succeeded, .blocked])
        #expect(rig.flow.steps[3].reason?.code == "upstreamFailed")
    }

    @Test func aNewFailureAfterARetryHaltsAgain() {
        var rig = Rig(nodes: nodes(3), edges: [(0, 2)])
        rig.admit(0)
        rig.fail(1)
        rig.end(0, .failed(Failure("broken", "It broke.")))
        rig.feed(.retry(0))
        rig.fail(0)
        #expect(rig.outcomes == [.failed, .failed])
        rig.feed(.retry(1))
        #expect(rig.states == [.failed, .ready, .blocked])
    }

    @Test(arguments: [nil, 0, 5, -1] as [Int?]) func retryOfNothingThatFailedIsNothing(step: Int?) {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.run(0)
        rig.run(1)
        let (events, steps) = (rig.events, rig.steps)
        rig.feed(.retry(step))
        #expect(rig.events == events && rig.steps == steps && rig.outcomes == [.succeeded])
    }

    @Test func aRetriedStepGetsItsFullBudget() {
        var rig = Rig(nodes: nodes(1))
        for _ in 0..<4 { rig.fail(0, busy) }
        rig.feed(.retry(0))
        #expect(rig.flow.steps[0].tries == 0)
        rig.fail(0, busy)
        #expect(rig.states == [.ready])
    }

    /// Row 11.
    @Test func aWorkflowThatLackedAToolGoesOnWhenItIsThere() {
        let missing = Reason("toolNotInstalled", "Tool not installed.")
        var rig = Rig(nodes: [Rig.node("a"), Rig.node("b", missing: missing)], edges: [(0, 1)])
        #expect(rig.flow.steps[1].reason == missing)
        rig.run(0)
        #expect(
            rig.outcomes == [.failed] && rig.states == [.succeeded, .blocked] && rig.flow.steps[1].reason == missing)
        rig.feed(.retry(nil))
        #expect(rig.outcomes == [.failed])
        // Another start, with the tool.
        var installed = Rig(nodes: nodes(2), edges: [(0, 1)])
        (installed.steps, installed.assets, installed.record) = (rig.steps, rig.assets, rig.record)
        installed.restart()
        #expect(installed.states == [.succeeded, .blocked], "what has ended stays as it is until somebody retries it")
        installed.feed(.retry(nil))
        installed.run(1)
        #expect(installed.record.outcome == .succeeded)
    }

    @Test func aFailureDoesNotHideThatAToolIsMissing() {
        let missing = Reason("toolNotInstalled", "Tool not installed.")
        var rig = Rig(nodes: [Rig.node("a"), Rig.node("b", missing: missing)], edges: [(0, 1)])
        rig.fail(0)
        rig.feed(.retry(0))
        #expect(rig.flow.steps[1].reason == missing)
    }

    // MARK: Cancelling

    @Test func cancelEndsWhatWaitsAndKillsWhatRuns() {
        var rig = Rig(nodes: nodes(4), edges: [(0, 3)])
        rig.admit(0)
        rig.ask(1)
        _ = rig.takeIntents()
        rig.feed(.cancel)
        #expect(rig.takeIntents() == [.kill(0, attempt: 1)])
        #expect(rig.states == [.runningLocal, .cancelled, .cancelled, .cancelled])
        #expect(rig.openAwaits.isEmpty && rig.outcomes.isEmpty)
        rig.end(0, .cancelled)
        #expect(rig.outcomes == [.cancelled])
    }

    @Test func whatSucceedsWhileItIsCancelledHasSucceeded() {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.admit(0)
        rig.feed(.cancel)
        rig.succeed(0)
        #expect(rig.states == [.succeeded, .cancelled] && rig.outcomes == [.cancelled])
    }

    @Test func cancelIsFinishedAfterACrash() {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.admit(0)
        rig.record.isCancelRequested = true
        rig.restart()
        // In this order: what is not looked for yet cannot be killed.
        #expect(rig.takeIntents() == [.recover(0, attempt: 1), .kill(0, attempt: 1)])
        rig.end(0, .lost)
        #expect(rig.states == [.cancelled, .cancelled] && rig.outcomes == [.cancelled])
    }

    @Test func cancelOfWhatHasEndedIsNothing() {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.fail(0)
        let steps = rig.steps
        rig.feed(.cancel)
        #expect(rig.steps == steps && rig.outcomes == [.failed])
    }

    @Test func aCancelledWorkflowCanBeRetried() {
        var rig = Rig(nodes: nodes(2), edges: [(0, 1)])
        rig.feed(.cancel)
        rig.restart()
        rig.feed(.retry(nil))
        #expect(rig.states == [.ready, .blocked])
        // A cancelled step that must wait for another never says ready.
        #expect(
            !rig.events.contains {
                $0.step == 2 && $0.kind == .stepChanged(.ready, phase: nil, reason: nil, progress: nil, failure: nil)
            })
        rig.run(0)
        rig.run(1)
        #expect(rig.outcomes == [.cancelled, .succeeded])
    }

    // MARK: People
}

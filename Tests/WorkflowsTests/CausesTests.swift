import CaseNames
import JSON
import Testing
import Vocabulary

@testable import Workflows

@Suite struct CausesTests {
    static let w1 = WorkflowID(1)

    static func at(_ seconds: Int) -> Moment { Moment(milliseconds: Int64(seconds) * 1000) }

    static func step(
        _ number: Int, _ state: StepState, _ reason: String? = nil, _ words: String = "Words.", failure: Failure? = nil,
        stale: RunID? = nil,
        attempt: Int = 1, tries: Int = 1, due: Int? = nil
    ) -> StepRecord {
        StepRecord(
            id: StepID(w1, number), node: "n\(number)", kind: "T", state: state,
            reason: reason.map { Reason($0, words) }, attempt: attempt,
            tries: tries, failure: failure, dueAt: due.map(at), staleSince: stale, updatedAt: at(0))
    }

    static func event(
        _ seconds: Int, _ step: Int?, attempt: Int? = nil, _ state: StepState, _ reason: String? = nil,
        _ words: String = "Words."
    )
        -> EventRecord
    {
        EventRecord(
            at: at(seconds), step: step, attempt: attempt, type: "step.changed",
            body: .of([
                "state": .string(state.rawValue), "reason": reason.map { .string($0) },
                "words": reason == nil ? nil : .string(words),
            ]))
    }

    static func asked(_ seconds: Int, _ code: String, by: String, step: Int? = nil) -> EventRecord {
        EventRecord(
            at: at(seconds), step: step, attempt: nil, type: "workflow.changed",
            body: ["reason": .string(code), "words": "It was asked for.", "by": .string(by)])
    }

    /// n1 → n2 → n3.
    static func chain(
        _ steps: [StepRecord], events: [EventRecord] = [], changes: [EventRecord] = [], awaits: [AwaitRecord] = [],
        running: [RunRecord] = [],
        busy: [StepRecord] = [], hasEngine: Bool = true, record change: (inout WorkflowRecord) -> Void = { _ in },
        of number: Int?
    ) -> [String] {
        var record = WorkflowRecord(id: w1, title: "w", workspace: "/w", createdAt: at(0), updatedAt: at(0))
        change(&record)
        let nodes = steps.map { Template.Node(id: $0.node, kind: "T") }
        let edges = zip(nodes, nodes.dropFirst()).map {
            Template.Edge(from: Template.Endpoint($0.id, "out"), to: Template.Endpoint($1.id, "in"))
        }
        let known = Circumstances(
            record: record, steps: steps, template: Template(name: "w", nodes: nodes, edges: edges), awaits: awaits,
            running: running,
            busy: busy, hasEngine: hasEngine, now: at(1000), changes: changes,
            events: { number in events.filter { $0.step == number } })
        return Causes.chain(of: number, in: known).map { cause in
            "\(cause.depth) \(cause.at.map { "\($0.milliseconds / 1000)" } ?? "-") \(cause.code): \(cause.words)"
        }
    }

    @Test func blockedBehindAFailureLeadsToItsCodeAndRemedy() {
        let steps = [
            Self.step(1, .failed, failure: Failure("busy", "Busy.", remedy: "Retry it later."), tries: 3),
            Self.step(2, .blocked, "upstreamFailed"),
            Self.step(3, .blocked, "upstreamFailed", "Step 1 (n1) failed."),
        ]
        let lines = Self.chain(
            steps,
            events: [
                Self.event(1, 1, .runningLocal), Self.event(2, 1, .ready, "backoff", "Busy. Trying again in 30 s."),
                Self.event(32, 1, .runningLocal),
                Self.event(33, 1, .ready, "backoff", "Busy. Trying again in 120 s."), Self.event(155, 1, .failed),
                Self.event(155, 3, .blocked, "upstreamFailed"),
            ],
            changes: [
                Self.asked(0, "rerunAsked", by: "ana", step: 1), Self.asked(200, "retryAsked", by: "bob", step: 2),
            ], of: 3)
        #expect(
            lines == [
                "0 155 upstreamFailed: Step 3 (n3) is blocked: Step 1 (n1) failed.",
                "1 155 busy: Step 1 (n1) failed: Busy. Retry it later.", "2 2 backoff: Busy. Trying again in 30 s.",
                "2 33 backoff: Busy. Trying again in 120 s.", "2 0 rerunAsked: It was asked for. By ana.",
            ])
    }

    @Test func staleLeadsToTheRunThatChangedAndWhoReRanIt() {
        let cause = RunID(StepID(Self.w1, 1), attempt: 2)
        let steps = [
            Self.step(1, .succeeded, attempt: 2),
            Self.step(2, .blocked, "inputChanged", "Input from 'n1' has changed.", stale: cause),
            Self.step(3, .blocked, "upstreamStale", "Upstream is stale.", stale: cause),
        ]
        let lines = Self.chain(
            steps,
            events: [
                Self.event(50, 1, attempt: 2, .succeeded), Self.event(50, 2, .blocked, "inputChanged"),
                Self.event(50, 3, .blocked, "upstreamStale"),
            ],
            changes: [
                Self.asked(10, "rerunAsked", by: "old", step: 1), Self.asked(40, "rerunAsked", by: "ana", step: 1),
            ], of: 3)
        #expect(
            lines == [
                "0 50 upstreamStale: Step 3 (n3) is blocked: Upstream is stale.",
                "1 50 inputChanged: Step 2 (n2) is blocked: Input from 'n1' has changed.",
                "2 50 changed: Step 1 (n1) gave something new with run 2.",
                "3 40 rerunAsked: It was asked for. By ana.",
            ])
    }

    @Test func waitingForAPersonSaysForWhatSinceWhenUntilWhenAndWhatEndsIt() {
        var record = AwaitRecord(
            number: 7, step: StepID(Self.w1, 1), type: .drawMask, status: .claimed, title: "Draw a mask",
            reason: "Mask the subject.",
            createdAt: Self.at(5), expiresAt: Self.at(9000))
        (record.claimedBy, record.until) = ("ana", Self.at(1200))
        let lines = Self.chain(
            [Self.step(1, .awaitingUser, "needsYou"), Self.step(2, .blocked)], awaits: [record], of: 2)
        #expect(
            lines
                == [
                    "0 0 blocked: Step 2 (n2) is blocked: it waits for Step 1 (n1).",
                    "1 5 drawMask: Step 1 (n1) needs your input: Draw a mask (Mask the subject.)",
                    "2 - claimed: ana is at it until 1970-01-01T00:20:00.000Z.",
                    "2 9000 expires: If nobody answers by then, its time is over.",
                    "2 - endsWith: What ends it: 'assent open 7'",
                ].map { $0.replacing("0 0 blocked", with: "0 - blocked") })
    }

    @Test func readySaysWhoHoldsTheSlots() {
        let other = StepRecord(
            id: StepID(WorkflowID(4), 2), node: "big", kind: "T", state: .runningLocal, updatedAt: Self.at(3))
        let lines = Self.chain(
            [Self.step(1, .ready, "waitingForSlot", "It waits for a free slot.", attempt: 0)],
            events: [Self.event(2, 1, .ready, "waitingForSlot")],
            busy: [other], hasEngine: false, of: 1)
        #expect(
            lines == [
                "0 2 waitingForSlot: Step 1 (n1) is ready: It waits for a free slot.",
                "1 3 slotTaken: A slot is taken by w4, step 2 (big).",
                "0 - noEngine: Nobody carries w1 out now. Start a chat, or 'assent work'.",
            ])
    }

    @Test(arguments: [
        (
            StepState.queuedRemote, "backoff", "Busy. Trying again in 30 s.",
            "queued at its provider, as run 1 at fal, 40 %, place 3 in its queue."
        ),
        (.runningRemote, "reconnecting", "Reconnecting… No route.", "running remotely, as run 1 at fal, 40 %."),
        (
            .queuedRemote, "offline", "This machine has no network.",
            "queued at its provider, as run 1 at fal, 40 %, place 3 in its queue."
        ),
    ])
    func aRemoteRunSaysWhatHoldsIt(state: StepState, code: String, words: String, told: String) {
        var job = JobRecord(provider: "fal", phase: .submitted, key: "k", intendedAt: Self.at(1))
        (job.progress, job.queuePosition) = (0.4, 3)
        let run = RunRecord(id: RunID(StepID(Self.w1, 1), attempt: 1), startedAt: Self.at(1), job: job)
        let lines = Self.chain(
            [Self.step(1, state, code, words)], events: [Self.event(2, 1, state), Self.event(9, 1, state, code)],
            changes: [Self.asked(7, "pauseAsked", by: "ana")], running: [run],
            record: { $0.pollingPausedAt = Self.at(8) }, of: 1)
        #expect(
            lines == [
                "0 2 \(state.rawValue): Step 1 (n1) is \(told)", "1 9 \(code): \(words)",
                "1 8 paused: Status checks are paused; the remote job goes on.",
                "2 7 pauseAsked: It was asked for. By ana.",
            ])
    }

    @Test func aCancelledWorkflowSaysWhoCancelledIt() {
        let lines = Self.chain(
            [Self.step(1, .cancelled, failure: Failure("cancelled", "It was cancelled."))],
            events: [Self.event(5, 1, .cancelled)],
            changes: [Self.asked(4, "cancelAsked", by: "ana")], record: { $0.outcome = .cancelled }, of: nil)
        #expect(
            lines == [
                "0 - cancelled: w1 is over: cancelled.", "0 5 cancelled: Step 1 (n1) was cancelled: It was cancelled.",
                "1 4 cancelAsked: It was asked for. By ana.",
            ])
    }

    /// Bounded, whatever the graph.
    @Test func aLongChainIsCutAtItsDepth() {
        let steps = (1...200).map { Self.step($0, $0 == 1 ? .runningLocal : .blocked, attempt: $0 == 1 ? 1 : 0) }
        let lines = Self.chain(steps, of: 200)
        #expect(lines.count == Limits.causeDepth)
        #expect(Self.chain((1...200).map { Self.step($0, .failed) }, of: nil).count <= Limits.causeLines)
    }
}

import Actions
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

// What a try as a new person found: each of these was said wrongly, or not at all.

private let w3 = WorkflowID(3)

private func summary(
    _ number: Int64 = 3, states: Set<StepState> = [.runningLocal], outcome: Outcome? = nil, cancels: Bool = false,
    awaits: Int = 0
)
    -> WorkflowSummary
{
    var record = WorkflowRecord(
        id: WorkflowID(number), title: "Cat", workspace: "/", createdAt: now, updatedAt: now + -10, outcome: outcome)
    record.isCancelRequested = cancels
    return WorkflowSummary(record: record, stepCount: 2, doneCount: 0, openAwaits: awaits, states: states)
}

@Test(
    arguments: [
        ([35], "Nobody carries w35: 'assent work' goes on with it, 'assent cancel w35' ends it."),
        ([35, 36], "Nobody carries w35 and w36: 'assent work' goes on with them, 'assent cancel w35' ends one."),
        (
            [1, 2, 3, 4, 5, 6, 7],
            "Nobody carries w1, w2, w3, w4, w5 and 2 more: 'assent work' goes on with them, 'assent cancel w1' ends one."
        ),
    ] as [([Int64], String)])
func whatStandsStillIsSaidWithWhatMovesIt(numbers: [Int64], words: String) {
    #expect(StandingWorkflows.words(numbers.map { WorkflowID($0) }) == words)
}

@Test func aListSaysWhatNobodyCarries() {
    let text = WorkflowList.lines([summary()], standing: [w3], now: now, columns: 100).plain
    #expect(text.contains("w3  ◌ nobody carries it") && text.contains("Nobody carries w3:"), "\(text)")
    let carried = WorkflowList.lines([summary()], notes: [w3: "42 %"], now: now, columns: 100).plain
    #expect(carried.contains("▸ running") && carried.contains("Cat  42 %") && !carried.contains("Nobody"), "\(carried)")
}

@Test(arguments: [
    (summary(), true), (summary(states: [.ready]), true),
    (summary(states: [.awaitingUser, .blocked], awaits: 1), false),
    (summary(states: [.succeeded], outcome: .succeeded), false),
    (summary(states: [.awaitingUser], cancels: true), true),
    (summary(states: [.awaitingUser, .runningRemote], awaits: 1), true),
])
func whatWaitsOnlyForAPersonWantsNoEngine(summary: WorkflowSummary, wants: Bool) {
    #expect(summary.wantsEngine == wants)
}

@Test(arguments: [
    ("127.0.0.1:9555", "on this machine"), ("localhost:80", "on this machine"), ("[::1]:8080", "on this machine"),
    ("example.org:443", "on another machine"), ("127.0.0.1.example.org:80", "on another machine"),
])
func aServerOfThisMachineIsNotElsewhere(host: String, words: String) {
    let call = Call(
        tool: "RayJob", toolVersion: hash, targets: [Call.Target(.sends, .host(host), reach: .remote)],
        effects: [.sends],
        reversibility: .no)
    var question = Question(title: "t", subject: "s", call: call, digest: hash, because: [])
    question.wordToType = String(host[..<host.lastIndex(of: ":")!])
    let text = QuestionView(question, columns: 120).lines.plain
    #expect(text.contains("\(host) · \(words)"), "\(text)")
    #expect(question.wordsThatAreYes == [question.wordToType!, host])
    question.wordToType = "run"
    #expect(question.wordsThatAreYes == ["run"])
}

@Test(arguments: [
    (StepState.awaitingUser, "run 1  ⚑ needs your input"), (.runningLocal, "run 1  ▸ running"),
    (.queuedRemote, "run 1  ◷ queued"),
])
func aRunThatIsNotOverStandsWhereItsStepDoes(state: StepState, words: String) {
    let step = StepRecord(id: StepID(w3, 1), node: "a", kind: "Resize", state: state, attempt: 1, updatedAt: now)
    let run = RunRecord(id: RunID(step.id, attempt: 1), startedAt: now + -34)
    let text = StepCard.lines(step, runs: [run], assets: [], tool: nil, now: now, columns: 100).plain
    #expect(text.contains(words), "\(text)")
}

@Test func whyDoesNotRepeatItself() {
    func polled(_ seconds: Double, _ words: String) -> EventRecord {
        EventRecord(
            at: now + seconds, step: 1, attempt: 1, type: "step.changed",
            body: ["state": "queuedRemote", "phase": "submitted", "words": .string(words)])
    }
    let events =
        (0..<12).map { polled(Double($0) * 10, "Place 3.") } + [polled(120, "Place 2."), polled(130, "Place 3.")]
    let text = WhyView.lines(summary(), steps: [], events: events, now: now, columns: 140).plain
    #expect(text.split(separator: "\n").count { $0.contains("Place 3.") } == 2, "\(text)")
    #expect(text.contains("×12, the last ") && text.contains("Place 2."), "\(text)")
}

@Test(arguments: [
    ("rejected: no", "✗ rejected"), ("rejected", "✗ rejected"), ("approved", "✓ closed"), ("completed", "✓ closed"),
    ("skipped", "⊘ skipped"),
    ("superseded", "⊘ superseded"),
])
func aClosedEntrySaysHow(resolution: String, words: String) {
    var record = AwaitRecord(
        number: 7, step: StepID(w3, 2), type: .drawMask, status: .done, title: "Draw", reason: "Draw", urgency: .high,
        createdAt: now)
    record.resolution = resolution
    let text = InboxView.lines([InboxEntry(record)], showsDone: true, now: now, columns: 100).plain
    #expect(text.contains("   7  \(words)"), "\(text)")
}

@Test func marksOfAnEntryStandApart() {
    let record = AwaitRecord(
        number: 7, step: StepID(w3, 2), type: .drawMask, title: "Draw", reason: "Draw", urgency: .high, createdAt: now)
    let entry = InboxEntry(record, blocked: [BlockedStep(step: 3, node: "n", title: "Cut")])
    #expect(
        InboxView.lines([entry], now: now, columns: 100).plain.contains("⚑ needs you · urgent · blocking  \"Draw\""))
}

@Test(
    arguments: [
        (1799.6, "in 30 m"), (90.0, "in 1 m 30 s"), (5400.0, "in 1 h 30 m"), (7300.0, "in 2 h"), (59.2, "in 1 m"),
        (86_400 * 1.5, "in 1 d 12 h"),
        (3.0, "just now"), (125.0, "in 2 m"),
    ] as [(Double, String)])
func whatLiesAheadIsNotCutShort(seconds: Double, words: String) {
    #expect(Amounts.age(of: now + seconds, now: now) == words)
}

@Test func aTimeIsNamedWithoutMilliseconds() {
    #expect(Amounts.time(now).wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/) != nil)
}

@Test func twoRunsShowTheirContentsWhole() {
    let step = StepRecord(id: StepID(w3, 1), node: "a", kind: "Resize", state: .succeeded, attempt: 2, updatedAt: now)
    func run(_ attempt: Int) -> RunRecord { RunRecord(id: RunID(step.id, attempt: attempt), startedAt: now + -34) }
    let assets = [1, 2].map { attempt in
        Asset(
            run: RunID(step.id, attempt: attempt), port: "image", type: .image,
            hash: ContentHash(hex: String(repeating: "\(attempt)f", count: 32)),
            bytes: 58_123, name: "cat.png")
    }
    let comparison = RunComparison(run(1), run(2), assets: assets, tool: nil, now: now)
    let text = CompareView.lines(comparison, of: step, columns: 80).plain
    for part in ["cat.png 58 KB", "sha256 1f1f1f1f1f1f", "sha256 2f2f2f2f2f2f", "≠ differs"] {
        #expect(text.contains(part), "\(text)")
    }
    #expect(!text.contains("…"), "\(text)")
}

@Test func whatWasAskedForIsShownUntilItBegins() {
    let command = Command(id: 1, workflow: w3, verb: .rerun(Rerun(step: 2)), by: "person")
    let text = WorkflowCard.lines(summary(), steps: [], asked: [command], now: now, columns: 100).plain
    #expect(text.contains("asked for, and not begun yet: rerun of step 2"), "\(text)")
}

import Actions
import CaseNames
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

private let w3 = WorkflowID(3)

private func record(
    _ number: Int64, _ type: AwaitType = .drawMask, _ status: AwaitStatus = .pending, until: Moment? = nil,
    urgency: Urgency = .normal,
    request: AwaitRequest? = AwaitRequest(outputs: [Port("mask", .mask)], isPerson: true)
) -> AwaitRecord {
    var record = AwaitRecord(
        number: number, step: StepID(w3, 2), type: type, status: status, title: "Draw a mask",
        reason: "Mask the subject.",
        urgency: urgency,
        createdAt: now + -300, expiresAt: now + 3700, question: request?.json)
    record.until = until
    return record
}

private let stylize = [
    BlockedStep(step: 3, node: "stylize", title: "Stylize"), BlockedStep(step: 4, node: "small", title: "Compress"),
]

/// `semantics.md` 148: two awaits are pending, one is snoozed, none is done.
@Test func theInboxHasThreeSectionsWithTheirCounts() {
    let entries = [
        InboxEntry(record(1, urgency: .high), title: "Cat", node: "mask", blocked: stylize), InboxEntry(record(2)),
        InboxEntry(record(3, .drawMask, .snoozed, until: now + 3600)),
    ]
    #expect(
        InboxView.lines(entries, now: now, columns: 90).plain == """
              Pending (2)
               1  ⚑ needs you · urgent · blocking  "Draw a mask"                               /open 1
                   w3 "Cat" · step 2 (mask) · draw a mask · added 5 m ago · expires in 1 h · blocks
                   Stylize and 1 more
                   ┆ Mask the subject.
               2  ⚑ needs you  "Draw a mask"                                                   /open 2
                   w3 · step 2 · draw a mask · added 5 m ago · expires in 1 h
                   ┆ Mask the subject.
              Snoozed (1)
               3  ☾ snoozed  "Draw a mask"                                                     /open 3
                   w3 · step 2 · draw a mask · added 5 m ago · expires in 1 h · back in 1 h
                   ┆ Mask the subject.
              Done (0)
            """)
    // What was put off comes back by itself, and so does what somebody left lying.
    let later = InboxView.lines(entries, now: now + 3600, columns: 90).plain
    #expect(later.contains("Pending (3)") && later.contains("Snoozed (0)"))
}

@Test func whatIsDoneIsCountedAndShownOnlyIfItIsWanted() {
    var done = record(4, .choose, .done)
    (done.resolution, done.answeredBy) = ("completed", "person on /dev/pts/3")
    let brief = InboxView.lines([InboxEntry(done)], now: now, columns: 90).plain
    #expect(
        brief.contains("Nothing waits for you.") && brief.contains("Done (1) · /inbox --all shows them")
            && !brief.contains("pts/3"))
    let all = InboxView.lines([InboxEntry(done)], showsDone: true, now: now, columns: 90).plain
    #expect(all.contains("completed by person on /dev/pts/3") && !all.contains("/open 4"))
}

@Test func aClaimSaysWhoseItIs() {
    var claimed = record(5, .text, .claimed, until: now + 200)
    (claimed.claimedBy, claimed.draft) = ("person on /dev/pts/7", ["text": "half"])
    let text = InboxView.lines([InboxEntry(claimed)], now: now, columns: 120).plain
    #expect(
        text.contains("Pending (1)") && text.contains("✎ in work")
            && text.contains("claimed by person on /dev/pts/7 · has a draft"))
    let over = InboxView.lines([InboxEntry(claimed)], now: now + 201, columns: 120).plain
    #expect(over.contains("⚑ needs you") && !over.contains("pts/7"))
}

@Test(arguments: [([], ""), (Array(stylize.prefix(1)), " · blocks Stylize"), (stylize, " · blocks Stylize and 1 more")])
func theNewsSayWhatIsHeldUp(blocked: [BlockedStep], words: String) {
    let line = InboxView.news(InboxEntry(record(1), blocked: blocked), columns: 120).plain
    #expect(line == "⚑ \"Draw a mask\" needs you (w3, step 2)\(words) · /open 1")
}

@Test func theJSONOfAnEntryIsComplete() {
    var claimed = record(5, .drawMask, .claimed, until: now + 200)
    (claimed.claim, claimed.claimedBy, claimed.draft, claimed.snoozes) = (3, "me", ["x": 1], 2)
    let json = InboxEntry(claimed, title: "Cat", node: "mask", blocked: stylize).json(at: now)
    #expect(
        json["number"] == 5 && json["kind"] == "drawMask" && json["status"] == "claimed" && json["claim"] == 3
            && json["snoozes"] == 2)
    #expect(
        json["link"] == "assent://workflow/w3/node/2?await=5" && json["claimedBy"] == "me" && json["hasDraft"] == true)
    #expect(json["expires"]?.string == (now + 3700).description && json["until"]?.string == (now + 200).description)
    #expect(json["blocking"] == true && json["blocks"]?[0]?["step"] == 3 && json["blocks"]?[1]?["node"] == "small")
    #expect(json["request"]?["outputs"]?[0]?["port"] == "mask" && json["draft"] == nil)
    let over = InboxEntry(claimed).json(at: now + 200)
    #expect(
        over["status"] == "pending" && over["until"] == nil && over["claimedBy"] == nil && over["blocking"] == false)
}

@Test func aListMarksWhatHoldsStepsUp() {
    let summary = WorkflowSummary(
        record: WorkflowRecord(id: w3, title: "Cat", workspace: "/", createdAt: now, updatedAt: now), stepCount: 2,
        doneCount: 1,
        openAwaits: 2, states: [.awaitingUser])
    #expect(
        WorkflowList.lines([summary], blocking: [w3], now: now, columns: 90).plain.hasSuffix(
            "Cat (2 questions, blocking: /inbox)"))
    #expect(WorkflowList.lines([summary], now: now, columns: 90).plain.hasSuffix("Cat (2 questions: /inbox)"))
}

// MARK: Links

@Test(arguments: [
    ("assent://workflow/w3/node/2?await=7", "3 2 7"), ("app://workflow/3/node/mask?await=7", "3 mask 7"),
    ("assent://workflow/w3/node/2", "3 2 -"), ("ASSENT://workflow/w12/node/my%20mask?await=1", "12 my mask 1"),
    ("app://workflow/w3/node/%C3%A9t%C3%A9", "3 été -"),
])
func aLinkNamesAStep(text: String, parts: String) throws {
    let link = try FocusLink(parsing: text)
    #expect("\(link.workflow.number) \(link.node) \(link.await.map { "\($0)" } ?? "-")" == parts)
}

@Test(arguments: [
    "", "assent://", "assent://workflow/w3", "assent://workflow/w3/node/", "assent://workflow/x/node/2",
    "http://workflow/w3/node/2",
    "assent://workflow/w3/node/2?await=", "assent://workflow/w3/node/2?await=x",
    "assent://workflow/w3/node/2?await=1&await=2",
    "assent://workflow/w3/node/2?do=approve", "assent://workflow/w3/node/2/3", "assent://workflow/w-3/node/2",
    "assent://workflow/w3/node/%",
    "assent://workflow/w3/node/%ZZ", "assent://workflow/w3/node/%FF", "assent://workflow/w3/node/2?await=-1",
    "app://node/2/workflow/w3",
    // Too long.
    "assent://workflow/w3/node/…",
])
func aBadLinkIsOneClearMessage(text: String) {
    let text = text.replacing("…", with: String(repeating: "x", count: 5000))
    let failure = #expect(throws: Failure.self) { try FocusLink(parsing: text) }
    #expect(failure?.code == "badLink" && failure?.remedy?.contains("assent://workflow/w3/node/2?await=7") == true)
    #expect(failure.map { ExitStatus(of: $0) } == .badUsage)
}

@Test(arguments: [
    ("90s", 90.0), ("30m", 1800), ("2h", 7200), ("1d", 86_400), ("1h30m", 5400), ("0.5h", 1800), ("2H", 7200),
    ("", nil), ("2", nil),
    ("h", nil), ("-1h", nil), ("0h", nil), ("2 hours", nil), ("9999999d", nil), ("1e9s", nil), ("٣h", nil),
])
func aTimeAsItIsWritten(text: String, seconds: Double?) { #expect(WrittenDuration.seconds(text) == seconds) }

/// Without a terminal, these words are all that a person sees of the choices.
@Test func theChoicesForASubmissionInDoubtAreShown() {
    let unknown = AwaitRecord(
        number: 3, step: StepID(w3, 2), type: .submitUnknown, title: "t", reason: "r", createdAt: now,
        question: ["provider": "p", "choices": ["again", "look", "found", "fail"]])
    #expect(
        FocusView.request(Asked(unknown, tool: nil), 80).map(\.plain).contains {
            $0.contains("choices  again, look, found=ID or fail")
        })
}

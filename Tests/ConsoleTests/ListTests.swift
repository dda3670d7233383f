import Actions
import CaseNames
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

private let w3 = WorkflowID(3)

private func summary(
    _ title: String = "cat.jpg: resize", outcome: Outcome? = .succeeded, awaits: Int = 0, states: Set<StepState> = [],
    isStale: Bool = false
) -> WorkflowSummary {
    WorkflowSummary(
        record: WorkflowRecord(
            id: w3, title: title, workspace: "/home/ana", createdAt: now + -300, updatedAt: now + -125, outcome: outcome
        ),
        stepCount: 5, doneCount: 4, openAwaits: awaits, states: states, isStale: isStale)
}

private func step(_ index: Int, _ kind: String, _ state: StepState, reason: Reason? = nil, failure: Failure? = nil)
    -> StepRecord
{
    StepRecord(
        id: StepID(w3, index), node: "n\(index)", kind: kind, state: state, reason: reason, failure: failure,
        updatedAt: now + -60)
}

private func asset(_ index: Int, name: String = "cat.jpg", attempt: Int = 1) -> Asset {
    Asset(
        run: RunID(StepID(w3, index), attempt: attempt), port: "image", type: .image, hash: hash, bytes: 58_123,
        name: name,
        meta: JSON.Object(members: [.init(key: "width", value: 800), .init(key: "height", value: 533)]))
}

private func record(
    _ type: AwaitType = .confirmCall, title: String = "overwrite a file", reason: String = "overwrites",
    number: Int64 = 3
)
    -> AwaitRecord
{
    AwaitRecord(
        number: number, step: StepID(w3, 2), type: type, title: title, reason: reason, urgency: .high,
        createdAt: now + -125,
        expiresAt: now + 7300)
}

private func event(_ type: String, _ body: JSON, step: Int? = nil) -> EventRecord {
    EventRecord(at: now, step: step, attempt: step.map { _ in 1 }, type: type, body: body)
}

@Test(
    arguments: [
        (.succeeded, 0, [], "✓ done"), (.failed, 0, [], "✗ failed"), (.cancelled, 0, [], "⊘ cancelled"),
        (nil, 1, [.blocked], "⚑ needs you"),
        (nil, 0, [.runningLocal, .failed], "▸ running"), (nil, 0, [.ready], "· ready"),
        (nil, 0, [.blocked], "◌ blocked"),
    ] as [(Outcome?, Int, Set<StepState>, String)])
func aWorkflowInAList(outcome: Outcome?, awaits: Int, states: Set<StepState>, sign: String) {
    let line = WorkflowList.lines([summary(outcome: outcome, awaits: awaits, states: states)], now: now, columns: 100)
        .plain
    #expect(line.hasPrefix("  w3  \(sign)  4/5  2 m ago  cat.jpg: resize"))
    #expect(line.contains("(1 question: /inbox)") == (awaits == 1))
}

/// It was "done 0/3" after an edit.
@Test(arguments: [(.succeeded, "↻ stale"), (.failed, "✗ failed"), (nil, "· ready")] as [(Outcome?, String)])
func aWorkflowOfWhichSomethingIsStale(outcome: Outcome?, sign: String) {
    let line = WorkflowList.lines(
        [summary(outcome: outcome, states: [.ready, .blocked], isStale: true)], now: now, columns: 100
    ).plain
    #expect(line.hasPrefix("  w3  \(sign)  4/5  "))
}

@Test func aWorkflowWithItsSteps() {
    let steps = [
        step(1, "Resize", .succeeded),
        step(2, "Login", .failed, failure: Failure("offline", "No network.", remedy: "Try again.")),
        step(3, "Grayscale", .blocked, reason: Reason("upstreamFailed", "Log in failed")),
    ]
    let template = Template(
        name: "t",
        nodes: [.init(id: "n1", kind: "Resize", params: JSON.Object(members: [.init(key: "width", value: 800)]))])
    let lines = WorkflowCard.lines(
        summary(outcome: .failed), steps: steps, assets: [asset(1)], awaits: [InboxEntry(record())], template: template,
        catalogue: catalogue, now: now,
        columns: 80)
    #expect(
        lines.plain == """
              w3  cat.jpg: resize                                                   ✗ failed
                4 of 5 steps · started 5 m ago · adaptive · /home/ana
               1  ✓ done  Resize  width=800 px
                  → image  cat.jpg  58 KB  800×533
               2  ✗ failed  Log in
                  No network. (offline) Try again.
               3  ◌ blocked  Grayscale
                  Log in failed (upstreamFailed)
              inbox (1)
               3  ⚑ needs you · urgent  overwrite a file                          /approve 3
                   w3 · step 2 · approve · added 2 m ago · expires in 2 h
                   overwrites
            """)
}

@Test func aLargeWorkflowShowsWhatFailed() {
    let steps = (1...3000).map { step($0, "Grayscale", $0 == 1500 ? .failed : .succeeded) }
    let lines = WorkflowCard.lines(summary(), steps: steps, catalogue: catalogue, now: now, columns: 80)
    #expect(lines.count < 60)
    #expect(lines.plain.contains("1500  ✗ failed  Grayscale"))
    #expect(lines.plain.contains("… 1489 more steps: /show w3 --from 11 --lines 1489"))
    #expect(lines.last?.plain.contains("3000  ✓ done") == true)
}

@Test func aStepWithItsRuns() {
    var params = JSON.Object()
    params["key"] = "hunter2"
    let id = StepID(w3, 2)
    let runs = [
        RunRecord(
            id: RunID(id, attempt: 1), startedAt: now + -200, finishedAt: now + -190, ending: "failed",
            failure: Failure("busy", "Busy."),
            inputs: ["image": asset(1)], params: params),
        RunRecord(id: RunID(id, attempt: 2), startedAt: now + -100, inputs: ["image": asset(1)], params: params),
    ]
    let lines = StepCard.lines(
        step(2, "Login", .runningRemote), runs: runs, assets: [asset(2, name: "old.jpg"), asset(2, attempt: 2)],
        tool: catalogue["Login"],
        now: now, columns: 80
    ).plain
    #expect(lines.contains("▸ running remotely  1 m ago"))
    #expect(lines.contains("in image  cat.jpg  58 KB  800×533"))
    #expect(lines.contains("out image  cat.jpg") && !lines.contains("old.jpg"))
    #expect(lines.contains("run 1  ✗ failed  10 s · 3 m ago  Busy. (busy)"))
    #expect(lines.contains("run 2  ▸ running  1 m 40 s · 1 m ago"))
    #expect(lines.contains("•••") && !lines.contains("hunter2"))
}

@Test func whyTellsTheChain() {
    let events = [
        event("workflow.created", ["title": "cat", "steps": 5]),
        event("step.changed", ["state": "runningLocal"], step: 2),
        event("step.changed", ["state": "failed", "failure": ["code": "badParam", "message": "Too small."]], step: 2),
        event("step.changed", ["state": "blocked", "reason": "upstreamFailed", "words": "Resize failed"], step: 3),
        event(
            "await.closed",
            ["await": 3, "kind": "confirmCall", "resolution": "approved", "by": "person on /dev/pts/3"], step: 3),
        event("workflow.finished", ["outcome": "failed", "outputs": []]), event("from.the.future", ["x": 1]),
    ]
    let failed = step(2, "Resize", .failed, failure: Failure("badParam", "Too small."))
    let lines = WhyView.lines(
        summary(outcome: .failed), steps: [failed], events: events, step: 2, now: now, columns: 100)
    #expect(
        lines.plain == """
              w3, step 2 (n2): ✗ failed. Too small. (badParam)
              2026-11-18 UTC
              11:06:40  created, 5 steps: cat (workflow.created)
              11:06:40  step 2  ▸ running (runningLocal)
              11:06:40  step 2  ✗ failed (failed)  Too small. (badParam)
              11:06:40  step 3  ◌ blocked  Resize failed (upstreamFailed)
              11:06:40  step 3  answered "approved" by person on /dev/pts/3 (confirmCall)
              11:06:40  ✗ failed  finished, 0 outputs (workflow.finished)
              11:06:40  from.the.future {"x":1}
            """)
    let all = WhyView.lines(summary(outcome: .failed), steps: [failed], events: events, now: now, columns: 100)
    #expect(all[0].plain == "  w3  cat.jpg: resize: ✗ failed  2 m ago")
    #expect(all[1].plain.contains("step 2"))
}

@Test(arguments: AwaitType.allCases)
func theInboxSaysWhatToDo(type: AwaitType) {
    let verb = type == .confirmCall ? "/approve 3" : "/open 3"
    #expect(InboxView.lines([InboxEntry(record(type))], now: now, columns: 80)[1].plain.hasSuffix(verb))
    let entry = InboxEntry(record(type, title: "Draw a mask"))
    #expect(InboxView.news(entry, columns: 80).plain == "⚑ \"Draw a mask\" needs you (w3, step 2) · \(verb)")
}

@Test func aClosedEntrySaysWhoAnswered() {
    var closed = record()
    (closed.status, closed.resolution, closed.answeredBy) = (.done, "approved", "person on /dev/pts/3")
    let text = InboxView.lines([InboxEntry(closed)], showsDone: true, now: now, columns: 100).plain
    #expect(text.contains("✓ closed"))
    #expect(text.contains("approved by person on /dev/pts/3"))
    #expect(!text.contains("/approve"))
}

@Test func conversationsAreListedWithTheirFolder() {
    let session = SessionRecord(
        id: SessionID(2), title: "Cats", workspace: "/home/ana", startedAt: now, updatedAt: now + -125, messageCount: 5)
    #expect(HistoryList.lines([session], now: now, columns: 80).plain == "  s2  2 m ago  5 messages  Cats  /home/ana")
}

/// The number, the state and the beginning of the title stay on a narrow screen, whatever else there is.
@Test func noTitleVanishesOnANarrowScreen() {
    let title = "Make every picture of the last holiday smaller"
    let session = SessionRecord(
        id: SessionID(2), title: title, workspace: "/home/ana", startedAt: now, updatedAt: now, messageCount: 5)
    let entry = TemplateEntry(name: "stylize-and-compress-mask", path: "embedded:a", title: title)
    let lists: [(lines: [StyledText], begins: [String])] = [
        (
            WorkflowList.lines([summary(title, outcome: .cancelled)], undone: [w3: "undone"], now: now, columns: 40),
            ["  w3  ⊘ cancelled  Make every picture o…"]
        ),
        (
            WorkflowList.lines([summary(title, outcome: nil, awaits: 2)], blocking: [w3], now: now, columns: 40),
            ["  w3  ⚑ needs you  Make every picture o…"]
        ),
        (HistoryList.lines([session], now: now, columns: 40), ["  s2  Make every picture of the last ho…"]),
        (
            TemplateList.lines([(entry: entry, inputs: [.init(name: "photo", type: .image, to: [])])], columns: 40),
            ["  stylize-and-compress-mask", "      shipped · photo: image · Make"]
        ),
        (ToolList.lines(catalogue, columns: 40), ["  ·  CompressLocal  Does"]),
    ]
    for (index, (lines, begins)) in lists.enumerated() {
        #expect(lines.widest() <= 40, "list \(index)")
        for begin in begins { #expect(lines.contains { $0.plain.hasPrefix(begin) }, "\(lines.plain)") }
        #expect(!lines.plain.contains("…("), "nothing is cut in its middle: \(lines.plain)")
    }
}

@Test func titlesAreWholeWhereAllAreOfOneFolder() {
    let title = "Make every picture of the last holiday smaller and put them into an album of its own"
    let session = SessionRecord(
        id: SessionID(2), title: title, workspace: "/home/ana", startedAt: now, updatedAt: now, messageCount: 5)
    let lines = HistoryList.lines([session], now: now, columns: 80, areOfOneFolder: true)
    #expect(lines.map(\.plain).joined(separator: " ").split(separator: " ").joined(separator: " ").hasSuffix(title))
    #expect(lines.allSatisfy { $0.width <= 80 })
}

@Test func toolsSayWhatIsMissing() {
    let list = ToolList.lines(catalogue, columns: 100).plain
    #expect(list.contains("  ⊖  Login          ⊖ not installed: login-tools Does log in."))
    let card = ToolCard.lines(catalogue["Login"]!, unavailable: catalogue.unavailable["Login"], columns: 100).plain
    #expect(card.contains("login is not installed: apt-get install login-tools (toolNotInstalled)"))
    #expect(card.contains("key=text, secret"))
    #expect(card.contains("undo: cannot be undone"))
    #expect(card.contains("needs: login (login-tools)"))
    var resize = catalogue["Resize"]!
    #expect(ToolCard.lines(resize, columns: 100).plain.contains("width=integer, px, 1 to 65535"))
    #expect(!ToolCard.lines(resize, columns: 100).plain.contains("drops:"))
    resize.drops = ["animation: the first frame stays", "comments"]
    #expect(ToolCard.lines(resize, columns: 100).plain.contains("drops: animation: the first frame stays; comments"))
}

@Test func theModeIsMarkedByMoreThanColour() {
    for mode in ConfirmationMode.allCases {
        let lines = ModeView.lines(mode, columns: 400)
        let (marked, others) = (lines.filter { $0.plain.contains("▸") }, lines.filter { !$0.plain.contains("▸") })
        #expect(marked.map { $0.plain.hasPrefix("  ▸ \(mode.rawValue) (now): ") } == [true], "\(lines.plain)")
        let words = ConfirmationMode.allCases.filter { $0 != mode }.map(\.rawValue)
        #expect(
            zip(others, words).allSatisfy { $0.plain.hasPrefix("    \($1): ") && !$0.plain.contains("(now)") }
                && others.count == words.count)
    }
}

@Test(arguments: [
    WorkflowList.lines([], now: now, columns: 40), InboxView.lines([], now: now, columns: 40),
    HistoryList.lines([], now: now, columns: 40),
    ToolList.lines(Catalogue(), columns: 40), TemplateList.lines([], columns: 40),
])
func nothingIsSaidInWords(lines: [StyledText]) { #expect(lines.plain.contains("o")) }

@Test(arguments: widths)
func everythingFits(columns: Int) {
    let failure = Failure(hostile, hostile, remedy: hostile)
    let steps = StepState.allCases.enumerated().map {
        step(
            $0.offset + 1, hostile, $0.element, reason: Reason(hostile, hostile),
            failure: $0.element == .failed ? failure : nil)
    }
    let runs = [
        RunRecord(
            id: RunID(StepID(w3, 1), attempt: 1), startedAt: now, ending: hostile, failure: failure,
            inputs: [hostile: asset(1, name: hostile)])
    ]
    let session = SessionRecord(id: SessionID(2), title: hostile, workspace: hostile, startedAt: now, updatedAt: now)
    let blocked = [BlockedStep(step: 3, node: hostile, title: hostile)]
    let awaits = AwaitType.allCases.map {
        InboxEntry(
            record($0, title: hostile, reason: hostile, number: 123_456), title: hostile, node: hostile,
            blocked: blocked)
    }
    let events = [
        "workflow.created", "step.changed", "await.opened", "await.closed", "question.asked", "error", hostile,
    ].map {
        event(
            $0,
            [
                "title": .string(hostile), "state": "failed", "words": .string(hostile), "failure": failure.json,
                "by": .string(hostile),
            ],
            step: 1)
    }
    var tool = ToolManifest(
        kind: hostile, title: hostile, icon: hostile, summary: hostile, inputs: [Port(hostile, PortType(hostile))],
        params: [
            .init(
                name: hostile, kind: .choice, defaultValue: .string(hostile), choices: [hostile], unit: hostile,
                summary: hostile)
        ],
        action: .builtin(hostile), needs: [.init(program: hostile, debianPackage: hostile)])
    tool.drops = [hostile, hostile]
    let missing = Reason("toolNotInstalled", hostile)
    let views: [[StyledText]] = [
        WorkflowList.lines([summary(hostile, outcome: nil, awaits: 1)], now: now, columns: columns),
        WorkflowCard.lines(
            summary(hostile), steps: steps, assets: [asset(1, name: hostile)], awaits: awaits, now: now,
            columns: columns),
        StepCard.lines(steps[0], runs: runs, assets: [asset(1, name: hostile)], tool: tool, now: now, columns: columns),
        WhyView.lines(summary(hostile), steps: steps, events: events, now: now, columns: columns),
        WhyView.lines(summary(hostile), steps: steps, events: events, step: 1, now: now, columns: columns),
        InboxView.lines(awaits, now: now, columns: columns), awaits.flatMap { InboxView.news($0, columns: columns) },
        HistoryList.lines([session], now: now, columns: columns),
        ToolList.lines(Catalogue([tool], unavailable: [hostile: missing]), columns: columns),
        ToolCard.lines(tool, unavailable: missing, columns: columns),
        TemplateList.lines(
            [
                (
                    entry: TemplateEntry(name: hostile, path: hostile, title: hostile),
                    inputs: [Template.WorkflowInput(name: hostile, type: PortType(hostile), to: [])]
                )
            ],
            columns: columns),
        ModeView.lines(.adaptive, columns: columns), HelpView.lines(columns: columns),
    ]
    for (index, lines) in views.enumerated() {
        #expect(lines.widest() <= columns, "view \(index)")
        #expect(lines.isHarmless, "view \(index)")
    }
}

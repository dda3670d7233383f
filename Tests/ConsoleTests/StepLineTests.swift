import Actions
import CaseNames
import Console
import JSON
import Progress
import Terminal
import Testing
import Vocabulary

@Test(arguments: [
    (StepLine(title: "Resize", state: .succeeded, seconds: 0.1), "✓ Resize 0.1 s"),
    (StepLine(title: "Resize", state: .runningLocal), "▸ Resize …"),
    (StepLine(title: "Resize", state: .runningLocal, seconds: 125, progress: 0.4), "▸ Resize 40 % 2 m 05 s"),
    (StepLine(title: "Upscale", state: .downloading, seconds: 12), "↓ Upscale downloading 12 s"),
    (
        StepLine(
            title: "Crop", state: .failed,
            failure: Failure("badParam", "The picture is smaller.", remedy: "Choose less.")),
        "✗ Crop: The picture is smaller. (badParam) Choose less."
    ),
    (
        StepLine(title: "Crop", state: .cancelled, reason: Reason("rejected", "not now")),
        "⊘ Crop cancelled: not now (rejected)"
    ),
    (
        StepLine(title: "Crop", state: .blocked, reason: Reason("upstreamFailed", "Load failed")),
        "◌ Crop blocked: Load failed (upstreamFailed)"
    ),
    (StepLine(title: "Draw", state: .awaitingUser), "⚑ Draw needs your input"),
    (
        StepLine(title: "Shell", state: .succeeded, seconds: 9, reason: Reason(exit: 128, besides: nil)),
        "! Shell exit 128 · 9.0 s"
    ),
    (
        StepLine(title: "Shell", state: .succeeded, seconds: 0.1, reason: Reason(exit: 1, besides: "odd; very")),
        "! Shell exit 1 · 0.1 s: odd; very"
    ),
])
func aStepInOneLine(step: StepLine, text: String) {
    #expect(step.text.plain == text)
}

@Test func finishedStepsStandSideBySide() {
    let steps = [("Resize", 0.1), ("Grayscale", 0.1), ("Compress", 0.2)].map {
        StepLine(title: $0.0, state: .succeeded, seconds: $0.1)
    }
    #expect(StepLine.joined(steps, columns: 80).plain == "  ✓ Resize 0.1 s   ✓ Grayscale 0.1 s   ✓ Compress 0.2 s")
    #expect(StepLine.joined(steps, columns: 40).plain == "  ✓ Resize 0.1 s   ✓ Grayscale 0.1 s\n  ✓ Compress 0.2 s")
    #expect(
        StepLine.joined([steps[0], StepLine(title: "Crop", state: .runningLocal), steps[2]], columns: 80).plain
            == "  ✓ Resize 0.1 s\n  ▸ Crop …\n  ✓ Compress 0.2 s")
}

@Test("finding 11: a step that did only the first part is not overlooked among others") func aPartialStepStandsAlone() {
    let partial = StepLine(
        title: "List", state: .succeeded, seconds: 0.1, reason: Reason(.partial, "The first 2 of 3."))
    let whole = StepLine(
        title: "Zip", state: .succeeded, seconds: 0.1, reason: Reason("inputChanged", "Its input has changed."))
    #expect(
        StepLine.joined([whole, partial, whole], columns: 80).plain
            == "  ✓ Zip 0.1 s\n  ✓ List 0.1 s: The first 2 of 3. (partial)\n  ✓ Zip 0.1 s")
}

@Test func aStepWithAWarningStandsAloneToo() {
    let warned = StepLine(
        title: "Resize", state: .succeeded, seconds: 0.1, reason: Reason(.warned, "vips warned: odd tag"))
    #expect(StepLine.joined([warned], columns: 80).plain == "  ✓ Resize 0.1 s: vips warned: odd tag (warned)")
}

@Test(arguments: widths)
func stepsFit(columns: Int) {
    let steps = StepState.allCases.flatMap { state in
        [hostile, "Resize", String(repeating: "界", count: 40)].map {
            StepLine(
                title: $0, state: state, seconds: 1, phase: $0, reason: Reason($0, $0),
                failure: Failure($0, $0, remedy: $0))
        }
    }
    let lines = StepLine.joined(steps, columns: columns) + steps.flatMap { $0.lines(columns: columns) }
    #expect(lines.widest() <= columns)
    #expect(lines.isHarmless)
}

/// No view has a sign of its own for a command that ended with another code than 0: step, workflow and run.
@Test func aCommandWithAnotherCodeNeverHasATick() {
    let reason = Reason(exit: 128, besides: "more")
    let at = Moment(milliseconds: 0)
    let record = WorkflowRecord(
        id: WorkflowID(1), title: "git", workspace: "/", createdAt: at, updatedAt: at, outcome: .succeeded)
    let summary = WorkflowSummary(
        record: record, stepCount: 1, doneCount: 1, openAwaits: 0, states: [.succeeded], exit: 128)
    let signs = [
        StateSign(.succeeded, reason), StateSign(.succeeded, exit: 128), StateSign(ending: "succeeded", exit: 128),
        StateSign(summary),
    ]
    #expect(signs.allSatisfy { $0.text.plain == "! exit 128" }, "\(signs.map(\.text.plain))")
    // Whatever else became of it is drawn as before.
    #expect(
        StateSign(.runningLocal, reason).text.plain == "▸ running"
            && StateSign(.failed, exit: 1).text.plain == "✗ failed")
    #expect(StateSign(ending: "succeeded", exit: 0).text.plain == "✓ done")
    #expect(StateSign(.succeeded, Reason(.skipped, "")).text.plain == "⊘ skipped")
}

@Test func everyStateHasASignAndAWordOfItsOwn() {
    let signs = StepState.allCases.map { StateSign($0, nil) }
    // One column each, and no letter: a letter would be read as a word.
    #expect(signs.allSatisfy { $0.sign.count == 1 && !$0.sign.contains(where: { $0.isLetter || $0.isWhitespace }) })
    #expect(
        signs.allSatisfy { $0.word.contains(where: \.isLetter) }
            && Set(signs.map(\.word)).count == StepState.allCases.count)
    // Where a step runs is in the word; that it runs is in the sign. No two other states share one.
    #expect(StateSign(.runningLocal, nil).sign == StateSign(.runningRemote, nil).sign)
    #expect(Set(signs.map(\.sign)).count == StepState.allCases.count - 1, "\(signs.map(\.sign))")
    // Without colour nothing of it is lost.
    #expect(signs.allSatisfy { $0.text.rendered(hasColour: false) == "\($0.sign) \($0.word)" })
    #expect(StateSign(.succeeded, nil).text.rendered(hasColour: true) == "\u{1B}[32m✓ done\u{1B}[0m")
}

@Test(
    arguments: [
        (0, "0.1 s"), (0.14, "0.1 s"), (9.94, "9.9 s"), (9.96, "10 s"), (12, "12 s"), (59.6, "1 m 00 s"),
        (125, "2 m 05 s"),
        (11520, "3 h 12 m"),
        (90_000, "1 d 01 h"), (-3, "0.1 s"), (.nan, "0.1 s"),
    ] as [(Double, String)])
func durations(seconds: Double, text: String) { #expect(Amounts.duration(seconds) == text) }

@Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1 KB"), (1234, "1.2 KB"), (58_123, "58 KB"),
    (999_960, "1 MB"),
    (2_500_000, "2.5 MB"), (12_000_000_000, "12 GB"),
])
func sizes(bytes: Int, text: String) { #expect(Amounts.size(bytes) == text) }

@Test(
    arguments: [
        (1, "just now"), (30, "30 s ago"), (125, "2 m ago"), (7300, "2 h ago"), (400_000, "4 d ago"), (-125, "in 2 m"),
        (1e8, "2023-09-18"),
    ] as [(Double, String)])
func ages(seconds: Double, text: String) { #expect(Amounts.age(of: now + -seconds, now: now) == text) }

private func output(_ type: PortType, path: String?, meta: JSON = [:]) -> Event.Output {
    Event.Output(
        step: 5, port: "file", type: type, path: path, hash: hash, bytes: 58_123, meta: meta.object ?? JSON.Object())
}

@Test func aResultSaysWhatAndWhere() {
    let lines = ResultLine.lines(
        output(.image, path: "/home/ana/cat-1.jpg", meta: ["width": 800, "height": 533]), workflow: WorkflowID(3),
        workspace: "/home/ana",
        name: "cat.jpg", columns: 100)
    #expect(lines.plain == "  ▣ image  cat.jpg  58 KB  800×533   → ./cat-1.jpg                     w3 · /show w3")
    let elsewhere = ResultLine.lines(
        output(.file, path: "/home/anabel/x"), workflow: WorkflowID(3), workspace: "/home/ana", columns: 100)
    #expect(elsewhere.plain.contains("→ /home/anabel/x"))
}

@Test func aPictureThatWasScaledToFitALimitSaysSo() {
    let meta: JSON = ["width": 672, "height": 448, "resized": "672×448"]
    let lines = ResultLine.lines(
        output(.image, path: "/home/ana/cat-1.jpg", meta: meta), workflow: WorkflowID(3), columns: 120)
    #expect(lines.plain.contains("672×448 scaled to fit the limit"))
}

@Test func aTextIsPreviewed() {
    let text = (1...40).map { "line \($0)" }.joined(separator: "\n")
    let lines = ResultLine.lines(output(.text, path: nil), workflow: WorkflowID(3), preview: text, columns: 80)
    #expect(lines.count == 14)
    #expect(lines[1].plain == "    ┆ line 1")
    #expect(lines.last?.plain == "    … 28 more lines, \(text.utf8.count) bytes in all: /view w3.5 --from 13")
}

@Test func aStepThatTellsItInWordsShowsNoJSON() {
    func output(_ step: Int, _ type: PortType, path: String? = nil) -> Event.Output {
        Event.Output(step: step, port: type.name, type: type, path: path, hash: hash, bytes: 9)
    }
    let outputs = [
        output(1, .json), output(1, .text), output(2, .json), output(3, .json, path: "/home/ana/a.json"),
        output(3, .text),
    ]
    #expect(
        ResultLine.withWordsForData(outputs).map { "\($0.step) \($0.port)" } == [
            "1 text", "2 json", "3 json", "3 text",
        ])
}

@Test(arguments: widths)
func resultsFit(columns: Int) {
    let lines = ResultLine.lines(
        output(.image, path: hostile, meta: ["width": 800, "height": 533]), workflow: WorkflowID(3), name: hostile,
        preview: hostile + "\n" + hostile, columns: columns)
    #expect(lines.widest() <= columns)
    #expect(lines.isHarmless)
}

@Test(arguments: widths)
func failuresFit(columns: Int) {
    let lines =
        FailureLine.lines(Failure(hostile, hostile, remedy: hostile), columns: columns)
        + FailureLine.lines([Problem("unknownKey", at: hostile, hostile)], columns: columns)
    #expect(lines.widest() <= columns)
    #expect(lines.isHarmless)
}

@Test func aFailureIsASentenceACodeAndWhatToDo() {
    let failure = Failure("storageFull", "The disk is full.", remedy: "Free some space.")
    #expect(FailureLine.lines(failure, columns: 80).plain == "✗ The disk is full. (storageFull) Free some space.")
    #expect(
        FailureLine.lines([Problem("cycle", at: "a.image", "Goes in a circle.")], columns: 80).plain
            == "✗ a.image: Goes in a circle. (cycle)")
}

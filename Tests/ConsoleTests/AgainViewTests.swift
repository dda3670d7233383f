import CaseNames
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

private let w3 = WorkflowID(3)

private func object(_ json: JSON) -> JSON.Object { json.object! }

private func step(
    _ number: Int, _ kind: String, _ state: StepState, _ reason: Reason? = nil, failure: Failure? = nil,
    stale: Bool = false,
    edits: JSON? = nil
) -> StepRecord {
    StepRecord(
        id: StepID(w3, number), node: "node\(number)", kind: kind, state: state, reason: reason, attempt: 1,
        failure: failure,
        staleSince: stale ? RunID(StepID(w3, 1), attempt: 2) : nil, edits: edits?.object, updatedAt: now + -120)
}

private func asset(
    _ number: Int, attempt: Int = 1, port: String = "image", name: String = "cat.jpg", hash: ContentHash = hash
) -> Asset {
    Asset(
        run: RunID(StepID(w3, number), attempt: attempt), port: port, type: .image, hash: hash, bytes: 58_000,
        name: name)
}

private func job(_ change: (inout JobRecord) -> Void = { _ in }) -> JobRecord {
    var job = JobRecord(provider: "fal", phase: .submitted, key: "k", intendedAt: now + -100)
    change(&job)
    return job
}

private func card(
    _ step: StepRecord, _ run: RunRecord?, pausedAt: Moment? = nil, changedAt: Moment? = now + -12, log: String? = nil
)
    -> String
{
    StepCard.lines(
        step, runs: run.map { [$0] } ?? [], assets: [], tool: catalogue[step.kind],
        remote: RemoteStatus(run, changedAt: changedAt, pausedAt: pausedAt), log: log, now: now, columns: 100
    ).plain
}

private func run(_ job: JobRecord? = nil, attempt: Int = 1, params: JSON = [:]) -> RunRecord {
    RunRecord(id: RunID(StepID(w3, 2), attempt: attempt), startedAt: now + -100, params: params.object!, job: job)
}

// MARK: A word and a sign besides the colour (`semantics.md` 115, 155)

@Test(arguments: [
    (
        step(1, "Resize", .awaitingUser, Reason("needsYou", "Draw a mask.")), "⚑ needs your input", Style.question,
        "Draw a mask. (needsYou)"
    ),
    (step(1, "Resize", .runningLocal), "▸ running", .running, ""),
    (step(1, "Resize", .runningRemote), "▸ running remotely", .running, ""),
    (step(1, "Resize", .queuedRemote), "◷ queued", .running, ""),
    (step(1, "Resize", .downloading), "↓ downloading", .running, ""),
    (step(1, "Resize", .succeeded), "✓ done", .success, ""),
    (
        step(1, "Resize", .failed, failure: Failure("badParam", "Too small.", remedy: "Choose more.")), "✗ failed",
        .failure,
        "Too small. (badParam) Choose more."
    ),
    (
        step(1, "Resize", .blocked, Reason("upstreamFailed", "Step 1 (a) failed.")), "◌ blocked", .dim,
        "Step 1 (a) failed. (upstreamFailed)"
    ),
    (
        step(1, "Resize", .blocked, Reason("inputChanged", "Input from 'a' has changed."), stale: true),
        "◌ blocked  ↻ stale", .dim,
        "Input from 'a' has changed. (inputChanged)"
    ),
])
func aCardSaysItsState(step: StepRecord, chip: String, style: Style, because: String) {
    let text = card(step, nil)
    #expect(text.contains("    \(chip)  2 m ago"), "\(text)")
    #expect(because.isEmpty || text.contains("    \(because)"), "\(text)")
    #expect(StepCard.sign(step).spans.first?.style == style)
}

// MARK: Remote runs

@Test func aRemoteRunShowsPercentAndItsAge() {
    let text = card(
        step(2, "Resize", .runningRemote), run(job { $0.progress = 0.421 }),
        log: "loading\r10 %\r42 %\nstep 4\u{1B}[2J\n")
    #expect(text.contains("fal · 42 % · updated 12 s ago"), "\(text)")
    #expect(text.contains("   ┆ 42 %\n   ┆ step 4") && !text.contains("10 %") && !text.contains("\u{1B}"), "\(text)")
}

@Test func withoutAPercentageItOnlyRuns() {
    #expect(card(step(2, "Resize", .runningRemote), run(job())).contains("fal · running … · updated 12 s ago"))
}

@Test func aQueuedRunShowsItsPlace() {
    #expect(
        card(step(2, "Resize", .queuedRemote), run(job { $0.queuePosition = 3 })).contains(
            "fal · place 3 in its queue · updated"))
    #expect(card(step(2, "Resize", .queuedRemote), run(job { $0.phase = .submitIntent })).contains("fal · submitting"))
}

@Test func aFlapIsSaidAndWhatWasKnownStays() {
    let text = card(
        step(2, "Resize", .runningRemote, Reason("reconnecting", "Reconnecting… No route.")),
        run(job { $0.progress = 0.4 }), pausedAt: now)
    #expect(text.contains("Reconnecting… No route. (reconnecting)") && text.contains("40 %"))
    #expect(text.contains("Status checks are paused; the remote job goes on. /poll w3 on"))
}

/// `semantics.md` 146: four 504s stop with the time of the cooldown; before that each wait says how long.
@Test func waitsAndCooldownsSayUntilWhen() {
    let waiting = step(2, "Resize", .queuedRemote, Reason("backoff", "Busy. Trying again in 30 s."))
    #expect(card(waiting, run(job())).contains("Busy. Trying again in 30 s. (backoff)"))
    let cooled = step(
        2, "Resize", .failed,
        failure: Failure(
            "cooldown", "Busy. It was tried 4 times; it may be tried again at 10:00.", remedy: "Retry it then."))
    #expect(card(cooled, run(job())).contains("it may be tried again at 10:00. (cooldown) Retry it then."))
}

@Test(arguments: [
    (
        StepLine(title: "Stylize", state: .runningRemote, seconds: nil, phase: "submitted", progress: 0.4),
        "▸ Stylize running remotely 40 %"
    ),
    (StepLine(title: "Stylize", state: .runningRemote, phase: "submitted"), "▸ Stylize running remotely …"),
    (StepLine(title: "Stylize", state: .queuedRemote, phase: "submitIntent"), "◷ Stylize queued submitting …"),
    (
        StepLine(
            title: "Stylize", state: .runningRemote, phase: "submitted", progress: 0.4,
            reason: Reason("reconnecting", "Reconnecting… No route.")),
        "▸ Stylize running remotely 40 %: Reconnecting… No route. (reconnecting)"
    ),
])
func theLiveLineOfARemoteStep(line: StepLine, text: String) {
    #expect(line.text.plain == text)
}

@Test func editsAndPinsAreMarked() {
    let record = step(2, "Resize", .succeeded, edits: ["width": 400])
    let lines = StepCard.lines(
        record, runs: [run(params: ["width": 800])], assets: [], tool: catalogue["Resize"],
        pins: [PinnedInput(step: 2, port: "image", asset: asset(1, attempt: 3))], now: now, columns: 100
    ).plain
    #expect(lines.contains("width       400 px  (edited)"), "\(lines)")
    #expect(lines.contains("⊙ pinned image ← run 3 of step 1  cat.jpg  /pin w3 2.image=latest"), "\(lines)")
}

@Test func aListSaysWhatIsArchivedAndThatItIsNarrowed() {
    let record = WorkflowRecord(id: w3, title: "cat", workspace: "/w", createdAt: now, updatedAt: now, archivedAt: now)
    let summary = WorkflowSummary(record: record, stepCount: 1, doneCount: 1, openAwaits: 0, states: [.succeeded])
    #expect(WorkflowList.lines([summary], now: now, columns: 80).plain.contains("cat (archived)"))
    #expect(WorkflowList.lines([], isNarrowed: true, now: now, columns: 80).plain.contains("/list --all"))
}

// MARK: Compare

@Test func comparingShowsWhatDiffersAndHidesSecrets() {
    let other = ContentHash(hex: String(repeating: "f", count: 64))
    var (one, two) = (
        run(attempt: 1, params: ["key": "a", "width": 1, "same": true]),
        run(attempt: 2, params: ["key": "b", "same": true])
    )
    (one.finishedAt, one.ending, two.finishedAt, two.ending) = (now + -90, "succeeded", now + -99, "failed")
    (one.inputs, two.inputs) = (
        ["image": asset(1), "mask": asset(1)], ["image": asset(1, attempt: 2), "mask": asset(1, hash: other)]
    )
    two.failure = Failure("busy", "Busy.")
    two.toolVersion = other
    let comparison = RunComparison(
        one, two, assets: [asset(2, attempt: 1), asset(2, attempt: 2, name: "dog.jpg")], tool: catalogue["Login"],
        now: now)
    #expect(
        comparison.params.map(\.name) == ["key", "same", "width"]
            && comparison.params.map(\.isSame) == [true, true, false])
    #expect(
        comparison.inputs.map(\.isSame) == [true, false], "another run with the same bytes and name is no difference")
    #expect(comparison.outputs.map(\.isSame) == [false] && !comparison.hasSameTool && comparison.seconds == [10, 1])
    let text = CompareView.lines(comparison, of: step(2, "Login", .failed), columns: 110).plain
    #expect(
        text.contains("param width  1") && text.contains("—") && text.contains("≠ differs")
            && text.contains("Busy. (busy)"), "\(text)")
    #expect(!comparison.json.text.contains("\"a\"") && text.contains("•••"))
}

// MARK: Forecast

@Test func aDryRunNamesRunsInputsAndWhatIsUncertain() {
    let first = RunID(StepID(w3, 1), attempt: 2)
    let forecast = Forecast(
        runs: [
            Forecast.Run(
                run: RunID(StepID(w3, 2), attempt: 3), node: "small", kind: "Resize",
                inputs: [.init("image", .asset(asset(1)))],
                params: object(["width": 9]), repeats: 2, fault: Failure("pinnedInputMissing", "It is gone.")),
            Forecast.Run(
                run: RunID(StepID(w3, 3), attempt: 1), node: "login", kind: "Login",
                inputs: [.init("image", .coming(first, port: "image"))],
                params: object(["key": "hunter2"]), isCertain: false, needsPerson: true),
        ], stale: [4, 5])
    let lines = ForecastView.lines(forecast, of: w3, catalogue: catalogue, columns: 100)
    #expect(
        lines.plain == """
              dry run  w3 would make 2 runs
               2  Resize  small · run 3  image ← cat.jpg of run 1.1  width=9 px
                  repeats run 2 as it was
                  ✗ It is gone. (pinnedInputMissing)
               3  Log in  login · run 1  image ← what run 1.2 will give  key=•••
                  only if what it consumes changes
                  ⚑ needs your input
              ↻ If content changes, stale afterwards: steps 4, 5. --below runs them, too.
              Nothing was changed.
            """, "\(lines.plain)")
    let json = forecast.lines(of: w3, catalogue: catalogue)
    #expect(
        json.count == 3 && !json.map(\.text).joined().contains("hunter2") && json[1]["inputs"]?[0]?["coming"] == true)
    #expect(
        ForecastView.lines(Forecast(), of: w3, catalogue: catalogue, columns: 80).plain.contains("Nothing would run."))
}

// MARK: Timeline

@Test func aTimelineIsABarWithATable() {
    func segment(_ kind: Segment.Kind, _ from: Double, _ to: Double) -> Segment {
        Segment(kind, from: now + from, to: now + to)
    }
    let line = Timeline(
        step: 2, segments: [segment(.waitingForSlot, 0, 20), segment(.backoff, 20, 50), segment(.running, 50, 100)])
    let text = TimelineView.lines(
        [line], steps: [step(1, "Resize", .succeeded), step(2, "Resize", .succeeded)], columns: 80
    ).plain
    #expect(
        text.hasPrefix(
            "  2 node2  " + String(repeating: "-", count: 12) + String(repeating: "z", count: 18)
                + String(repeating: "█", count: 30) + "\n"
        ),
        "\(text)")
    #expect(text.contains("- waiting for a slot") && text.contains("30 s  30 %  z waiting to try again"), "\(text)")
    #expect(Set(Segment.Kind.allCases.map(\.mark)).count == Segment.Kind.allCases.count, "told apart without colour")
}

@Test(arguments: widths) func allOfItFitsAndIsHarmless(columns: Int) {
    let hostileStep = StepRecord(
        id: StepID(w3, 2), node: hostile, kind: hostile, state: .runningRemote, reason: Reason("r", hostile),
        attempt: 1, updatedAt: now)
    let one = RunRecord(
        id: RunID(StepID(w3, 2), attempt: 1), startedAt: now, failure: Failure(hostile, hostile),
        inputs: [hostile: asset(1, name: hostile)],
        params: JSON.Object(members: [.init(key: hostile, value: .string(hostile))]), job: job { $0.provider = hostile }
    )
    let pin = PinnedInput(step: 2, port: hostile, asset: asset(1, name: hostile))
    let forecast = Forecast(
        runs: [
            Forecast.Run(
                run: one.id, node: hostile, kind: hostile, inputs: [.init(hostile, .asset(pin.asset))],
                params: one.params)
        ],
        stale: [1])
    let cause = Cause(at: now, step: 2, depth: 9, code: hostile, words: hostile)
    let summary = WorkflowSummary(
        record: WorkflowRecord(
            id: w3, title: hostile, workspace: hostile, createdAt: now, updatedAt: now, pollingPausedAt: now),
        stepCount: 1,
        doneCount: 0, openAwaits: 0, states: [.runningRemote])
    for lines in [
        StepCard.lines(
            hostileStep, runs: [one], assets: [], tool: nil, pins: [pin],
            remote: RemoteStatus(one, changedAt: now, pausedAt: now),
            log: hostile,
            now: now, columns: columns),
        CompareView.lines(RunComparison(one, one, assets: [], tool: nil, now: now), of: hostileStep, columns: columns),
        ForecastView.lines(forecast, of: w3, catalogue: catalogue, columns: columns),
        TimelineView.lines(
            [Timeline(step: 2, segments: [Segment(.running, from: now, to: now + 9)])],
            steps: [hostileStep, hostileStep], columns: columns),
        WhyView.lines(summary, steps: [hostileStep], events: [], causes: [cause], now: now, columns: columns),
        WorkflowCard.lines(summary, steps: [hostileStep], pins: [pin], now: now, columns: columns),
    ] {
        #expect(lines.isHarmless && lines.widest() <= columns, "\(columns): \(lines.widest())\n\(lines.plain)")
    }
}

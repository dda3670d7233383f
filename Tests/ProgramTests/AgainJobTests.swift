import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What a person sees of jobs at a provider: `semantics.md` 144–147, 156, 157.
@Suite(.process) struct AgainJobTests {
    /// A job that runs until it is ended, and the program that carries it.
    private func running(_ job: JSON, until words: String = #""state":"runningRemote""#) async throws -> (
        JobLab, ProgramProcess
    ) {
        let jobs = try JobLab(["provider": ["again": "conflict"], "jobs": [job]])
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { process.wait(forOutput: words) }, "\(process.output)")
        return (jobs, process)
    }

    /// A job that is never paused, in a house of its own: its polls say how often another could have been polled.
    private func startBeat() async throws -> (JobLab, ProgramProcess) { try await running(["life": ["end": "never"]]) }

    /// Waits until the job was asked after so many times more.
    private func polls(_ jobs: JobLab, more count: Int) async throws -> Bool {
        let before = try await polls(jobs)
        return try await eventually { try await polls(jobs) >= before + count }
    }

    private func finish(_ jobs: JobLab, _ process: ProgramProcess) async throws {
        _ = try await jobs.lab.run("cancel", "w1")
        #expect(try await onOwnThread { process.wait() }.exit == 1)
    }

    private func polls(_ jobs: JobLab) async throws -> Int {
        try await jobs.harness.books().jobs.first?["polls"]?.int ?? 0
    }

    /// What `show` says of the step, once it says it.
    private func card(_ jobs: JobLab, says words: String) async throws -> String {
        var text = ""
        let isSaid = try await eventually {
            text = try await jobs.lab.run("show", "w1", "1").output
            return text.contains(words)
        }
        #expect(isSaid, "\(text)")
        return text
    }

    /// E 7. G: Running. W: Tap Pause polling. T: Polling stops; label toggles to Resume polling; job continues
    /// remotely.
    @Test func pausingStopsStatusChecksOnly() async throws {
        let (jobs, process) = try await running([
            "life": ["end": "never", "progress": [40], "logs": ["loading", "step 4"]]
        ])
        let (beat, beating) = try await startBeat()
        defer { beating.end(with: SIGKILL) }
        let before = try await card(jobs, says: "┆ step 4")
        #expect(before.contains("clientid · 40 %") && before.contains("updated "), "\(before)")
        #expect(try await jobs.lab.run("logs", "w1", "j").output.contains("loading\nstep 4"))
        let pausing = try await jobs.lab.run("pause", "w1")
        #expect(pausing.output.contains("Pauses status checks only; the remote job goes on."), "\(pausing.output)")
        _ = try await card(jobs, says: "Status checks are paused; the remote job goes on. assent poll w1 on")
        let paused = try await polls(jobs)
        #expect(try await polls(beat, more: 8))
        #expect(try await polls(jobs) <= paused + 1, "at most the one that was under way")
        #expect(try await jobs.harness.books().jobs.first?["state"] == "running", "the job goes on")
        #expect(try await jobs.lab.run("show", "w1").output.contains("Resume polling: assent poll w1 on"))
        let why = try await jobs.lab.run("why", "w1", "1").output
        #expect(
            why.contains("Status checks are paused; the remote job goes on. (paused)")
                && why.contains(/By\s+person\.\s+\(pauseAsked\)/),
            "\(why)")
        try await jobs.lab.succeeds("resume", "w1")
        #expect(try await polls(jobs, more: 3))
        let kinds = Set(try await jobs.lab.json("timeline", "w1", "1").compactMap { $0["kind"]?.string })
        #expect(kinds.isSuperset(of: ["running", "paused"]), "\(kinds)")
        try await finish(jobs, process)
    }

    /// E 3: "polling resumes if enabled". Who was killed while checks were paused is not asked again by whoever comes
    /// next, until somebody says so; also where that was said while nobody was there.
    @Test func pausedChecksStayPausedAfterAKill() async throws {
        let (jobs, killed) = try await running(["life": ["end": "never"]])
        let (beat, beating) = try await startBeat()
        defer { beating.end(with: SIGKILL) }
        try await jobs.lab.succeeds("pause", "w1")
        _ = try await card(jobs, says: "Status checks are paused")
        killed.end(with: SIGKILL)
        let paused = try await polls(jobs)
        let next = try jobs.lab.start(["work", "--json"])
        #expect(try await polls(beat, more: 8))
        #expect(try await polls(jobs) == paused && !next.hasEnded)
        #expect(try await jobs.step()["state"] == "runningRemote")
        next.end(with: SIGKILL)
        // The last word counts, though nobody has heard the one before it.
        for word in ["resume", "pause"] { try await jobs.lab.succeeds(word, "w1") }
        let last = try jobs.lab.start(["work", "--json"])
        #expect(try await onOwnThread { last.wait(forOutput: "pauseAsked") })
        #expect(try await polls(beat, more: 8))
        #expect(try await polls(jobs) <= paused + 1, "at most the one that left between the two")
        try await jobs.lab.succeeds("resume", "w1")
        #expect(try await polls(jobs, more: 4))
        _ = try await jobs.lab.run("cancel", "w1")
        #expect(try await onOwnThread { last.wait(forOutput: "workflow.finished") })
        last.end(with: SIGTERM)
    }

    @Test func aFlapIsReconnectingAndWhatWasKnownStays() async throws {
        let (jobs, process) = try await running([
            "life": ["end": "never", "progress": [40]], "status": ["ok", "ok", ["do": "reset", "times": "always"]],
        ])
        let card = try await card(jobs, says: "Reconnecting…")
        #expect(
            card.contains("▸ running remotely") && card.contains("(reconnecting)") && card.contains("40 %"), "\(card)")
        let why = try await jobs.lab.run("why", "w1").output
        #expect(
            why.contains("is running remotely, as run 1 at clientid, 40 %.") && why.contains("← Reconnecting…"),
            "\(why)")
        process.end(with: SIGKILL)
    }

    @Test func theLiveRegionShowsPercent() async throws {
        let jobs = try JobLab([
            "provider": ["again": "conflict"], "jobs": [["life": ["end": "never", "progress": [7, 40]]]],
        ])
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let pty = try jobs.lab.terminal(["run", "plan.json", "--mode", "auto"])
        #expect(await pty.see("▸ w1 clientId job running at clientid 40 %"), "\(pty.screen.text)")
        _ = try await jobs.lab.run("cancel", "w1")
        #expect(await pty.exitStatus() == 1)
    }

    /// E 5. G: Four 504s. W: Submit. T: Stops after 3 auto-retries; shows cooldown reason. (The server says how long to
    /// wait, so that a test need not wait for minutes; the delays themselves are in `FlowJobTests`.)
    @Test func fourRefusalsEndInACooldownThatIsExplained() async throws {
        let jobs = try JobLab(["jobs": [["submit": [["http": 504, "take": false, "retryAfter": 1, "times": 9]]]]])
        let ending = try await jobs.run("clientId")
        #expect(ending.exit == 1, "\(ending.output)")
        let step = try await jobs.step()
        #expect(step["failure"]?["code"] == "cooldown", "\(step.text)")
        let card = try await jobs.lab.run("show", "w1", "1").output
        #expect(card.contains("(cooldown)") && card.contains("may be tried again at"), "\(card)")
        let causes = try await jobs.lab.json("why", "w1", "1").filter { $0["type"] == "cause" }
        #expect(causes.first?["body"]?["code"] == "cooldown")
        #expect(causes.count { $0["body"]?["code"] == "backoff" } == 3, "\(causes.map(\.text))")
        #expect(
            causes.allSatisfy {
                $0["body"]?["code"] != "backoff" || $0["body"]?["words"]?.string?.contains("Trying again in") == true
            })
        let waited = try await jobs.lab.json("timeline", "w1", "1").filter { $0["kind"] == "backoff" }
        #expect(waited.compactMap { $0["ms"]?.int }.reduce(0, +) >= 3000, "\(waited.map(\.text))")
        // A retry of it would be under the same name, and says so before it is made.
        let dry = try await jobs.lab.run("retry", "w1", "--dry-run", "--json").lines
        #expect(dry.first?["run"] == "w1.1.2" && dry.first?["repeats"] == 1, "\(dry)")
        #expect(try await jobs.harness.books().bought == 0)
    }
}

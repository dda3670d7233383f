import CaseNames
import Glibc
import Harness
import JSON
import Testing

extension AgainTests {
    @Test func listsAreFilteredAndWhatIsArchivedOrDeletedIsOut() async throws {
        let lab = try await lab()
        try lab.write(workflow("broken", [node("x", "ReadFile", ["path": "none.txt"])]), to: "broken.json")
        expectEvents(try await lab.run("run", "broken.json", "--json"), exit: 1)
        func listed(_ arguments: [String] = []) async throws -> [String] {
            try await lab.run(["list"] + arguments + ["--json"]).lines.map { $0["workflow"]?.string ?? "?" }
        }
        #expect(try await listed() == ["w2", "w1"])
        for (arguments, ids) in [
            (["--failed"], ["w2"]), (["--done"], ["w1"]), (["--active"], []), (["CHAIN"], ["w1"]),
            (["--sort", "name"], ["w2", "w1"]),
        ] { #expect(try await listed(arguments) == ids, "\(arguments)") }
        #expect(try await done(lab, "archive", "w1")["changed"] == true)
        #expect(try await done(lab, "archive", "w1")["changed"] == false)
        #expect(try await listed() == ["w2"])
        #expect(try await listed(["--all"]) == ["w2", "w1"])
        _ = try await done(lab, "unarchive", "w1")
        #expect(try await listed() == ["w2", "w1"])
        // Without a terminal it must be said that it is meant.
        let unasked = try await lab.run("delete", "w2", "--json")
        #expect(unasked.exit == 2 && unasked.lines(of: "error").first?["remedy"]?.string?.contains("--yes") == true)
        #expect(try await done(lab, "delete", "w2", "--yes")["deleted"] == true)
        #expect(try await listed(["--all"]) == ["w1"])
        let doctor = try await lab.json("doctor").first { $0["name"] == "database" }
        #expect(doctor?["ok"] == true, "\(doctor?.text ?? "")")
        #expect(try await lab.run("show", "w2").exit == 2)
    }

    @Test func deletingAtATerminalAsksForTheName() async throws {
        let lab = try await lab()
        for (typed, isGone) in [("yes", false), ("w1", true)] {
            let pty = try lab.terminal(["delete", "w1"])
            #expect(await pty.seeQuestion("cannot be undone"), "\(pty.screen.text)")
            pty.send(typed + "\r")
            if !isGone {
                #expect(await pty.see("is none of them"))
                pty.send("\u{1B}")
            }
            #expect(await pty.see(isGone ? "w1 is deleted" : "Nothing was deleted"), "\(pty.screen.text)")
            #expect(await pty.exitStatus() == (isGone ? 0 : 4))
            #expect(try await lab.json("list").isEmpty == isGone)
        }
    }

    /// The end of what was told once is told again when a person has had it taken up again.
    @Test func theChatTellsTheEndOfAReRun() async throws {
        let lab = try ProgramLab()
        try lab.write("one two", to: "note.txt")
        let pty = try lab.terminal()
        pty.send("count words of note.txt\r")
        #expect(await pty.see("/show w1"), "\(pty.screen.text)")
        pty.send("/rerun w1 2\r")
        #expect(await pty.see("✓ w1 \""), "\(pty.screen.text)")
        pty.send("/why w1\r")
        #expect(await pty.see("By person."), "\(pty.screen.text)")
        pty.send("/edit w1\r")
        #expect(await pty.see("The chat holds the terminal. (badUsage)"), "\(pty.screen.text)")
        pty.send("/delete w1\r")
        #expect(await pty.seeQuestion("type w1 or /… and Enter"), "\(pty.screen.text)")
        pty.send("w1\r")
        #expect(await pty.see("w1 is deleted."), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func theTimelineTilesTheTimeOfARealRun() async throws {
        let lab = try await lab()
        let lines = try await lab.json("timeline", "w1")
        let steps = Dictionary(grouping: lines) { $0["step"]?.int ?? 0 }
        #expect(Set(steps.keys) == [0, 1, 2, 3])
        for segments in steps.values {
            for (one, next) in zip(segments, segments.dropFirst()) { #expect(one["to"] == next["from"]) }
            #expect(
                segments.first?["from"] == lines.first?["from"]
                    && segments.last?["to"] == lines.filter { $0["step"] == nil }.last?["to"])
        }
        let drawn = try await lab.run("timeline", "w1").output
        #expect(drawn.contains("whole") && drawn.contains("running") && drawn.contains(/\d+ %/), "\(drawn)")
    }

    @Test func pausingSaysWhatItDoesNot() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("slow", [node("wait", "Delay", ["seconds": 600])]), to: "slow.json")
        let running = try lab.start(["work"])
        defer { running.end(with: SIGKILL) }
        _ = try await lab.run("run", "slow.json", "--detach")
        #expect(try await lab.reaches(["runningLocal"]))
        #expect(try await lab.run("pause", "w1").output.contains("Pauses status checks only; the remote job goes on."))
        try await until(lab) { $0["pollingPaused"] != nil }
        let card = try await lab.run("show", "w1").output
        #expect(
            card.contains("Status checks are paused") && card.contains("Resume polling: assent poll w1 on"), "\(card)")
        #expect(try await done(lab, "resume", "w1")["paused"] == false)
        try await until(lab) { $0["pollingPaused"] == nil }
        #expect(try await lab.shown()["workflow"]?["pollingPaused"] == nil)
        _ = try await lab.run("cancel", "w1")
    }
}

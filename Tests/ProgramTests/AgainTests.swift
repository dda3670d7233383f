import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Staleness and history as scripts see them: `semantics.md` 141–143, and what surrounds it.
@Suite(.process) struct AgainTests {
    /// ReadFile → TextCase … → WriteFile-free: everything stays in the asset store.
    static let chain = workflow(
        "chain",
        [node("a", "ReadFile", ["path": "note.txt"]), node("b", "CountWords"), node("c", "Text", ["text": "apart"])],
        [edge("a.text", "b.text")])

    func lab(_ text: String = "one two") async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(text, to: "note.txt")
        try lab.write(Self.chain, to: "chain.json")
        expectEvents(try await lab.run("run", "chain.json", "--json"), exit: 0)
        return lab
    }

    func work(_ lab: ProgramLab, exit: Int32 = 0) async throws {
        let ending = try await lab.run("work", "--until-idle")
        #expect(ending.exit == exit, "\(ending.output)\(ending.errors)")
    }

    func step(_ lab: ProgramLab, _ name: String, _ workflow: String = "w1") async throws -> JSON {
        try #require(try await lab.json("show", workflow, name).first)
    }

    func done(_ lab: ProgramLab, _ arguments: String...) async throws -> JSON {
        let ending = try await lab.run(arguments + ["--json"])
        #expect(ending.exit == 0, "\(arguments): \(ending.output)\(ending.errors)")
        return ending.results.last ?? .null
    }

    /// Calls a verb that ends with the failure of its workflow.
    private func fails(_ lab: ProgramLab, _ arguments: String...) async throws {
        let ending = try await lab.run(arguments)
        #expect(ending.exit == 1, "\(arguments): \(ending.output)\(ending.errors)")
    }

    func until(_ lab: ProgramLab, _ holds: (JSON) -> Bool) async throws {
        let isSo = try await eventually { try await lab.shown()["workflow"].map(holds) == true }
        #expect(isSo, "It never came.")
    }

    // MARK: Staleness (`semantics.md` 141–143)

    /// G: Downstream C consumes A's output. W: Re-run A, produce new asset. T: C becomes `blocked: Input from 'A' has
    /// changed.` G: Blocked C. W: Tap Re-run with latest. T: C schedules with latest asset id.
    @Test func aNewOutputMakesItsConsumersStaleAndAReRunTakesTheLatest() async throws {
        let lab = try await lab()
        try lab.write("one two three", to: "note.txt")
        // The dry run changes nothing.
        let dry = try await lab.run("rerun", "w1", "a", "--dry-run", "--json")
        #expect(dry.lines.map { $0["type"]?.string } == ["forecast.run", "forecast.end"], "\(dry.output)")
        let before = try await step(lab, "b")
        #expect(
            dry.lines[0]["run"]?.string == "w1.3.2" && dry.lines[0]["certain"] == true && dry.lines[1]["stale"] == [1])
        #expect(try await step(lab, "a")["runs"]?.array?.count == 1)

        _ = try await done(lab, "rerun", "w1", "a")
        try await work(lab)
        let stale = try await step(lab, "b")
        #expect(
            stale["step"]?["state"] == "blocked" && stale["step"]?["reason"] == "inputChanged"
                && stale["step"]?["stale"] == "w1.3.2")
        #expect(stale["step"]?["words"] == "Input from 'a' has changed.")
        #expect(
            stale["assets"] == before["assets"] && before["assets"]?.array?.isEmpty == false, "it keeps its outputs")
        let card = try await lab.run("show", "w1", "b").output
        #expect(
            card.contains("◌ blocked  ↻ stale") && card.contains("Input from note.txt has changed. (inputChanged)"),
            "\(card)")
        let why = try await lab.run("why", "w1", "b").output
        #expect(
            why.contains(
                /Step 1 \(b\) is blocked: Input from note\.txt has changed\.[^←]+← Step a gave something new with run 2\.[^←]+← A re-run was asked/
            ),
            "\(why)")
        #expect(why.contains("By person."))

        let named = try await lab.run("rerun", "w1", "--dry-run", "--json").lines
        _ = try await done(lab, "rerun", "w1")
        try await work(lab)
        let fresh = try await step(lab, "b")
        #expect(fresh["step"]?["state"] == "succeeded" && fresh["step"]?["stale"] == nil)
        let run = try #require(fresh["runs"]?.array?.last)
        #expect(run["inputRuns"]?["text"] == "w1.3.2")
        #expect(named.first?["run"] == run["run"] && named.first?["inputs"]?[0]?["run"] == "w1.3.2")
    }

    /// Row 24: equal content stops the wave.
    @Test func theSameContentMakesNothingStale() async throws {
        let lab = try await lab()
        _ = try await done(lab, "rerun", "w1", "a", "--below")
        try await work(lab)
        #expect(try await step(lab, "a")["runs"]?.array?.count == 2)
        let below = try await step(lab, "b")
        #expect(below["step"]?["state"] == "succeeded" && below["runs"]?.array?.count == 1)
    }

    /// G: Queued retry for B pinned to old assets. W: Old asset deleted. T: Retry aborted pre-start.
    @Test func aRetryWhoseInputIsGoneEndsBeforeItStarts() async throws {
        let lab = try ProgramLab()
        try lab.write("one two", to: "note.txt")
        let failing = workflow(
            "failing",
            [node("a", "ReadFile", ["path": "note.txt"]), node("b", "WriteFile", ["path": "note.txt/x.txt"])],
            [edge("a.text", "b.text")])
        try lab.write(failing, to: "failing.json")
        expectEvents(try await lab.run("run", "failing.json", "--mode", "auto", "--json"), exit: 1)
        let before = try await step(lab, "b")
        #expect(before["step"]?["state"] == "failed", "\(before.text)")
        let asset = try #require(try await step(lab, "a")["assets"]?[0]?["sha256"]?.string)
        for file in ScratchFolder.files(under: lab.home + "/data/assets") where file.contains(asset.dropFirst(2)) {
            chmod(file, 0o600)
            unlink(file)
        }
        let dry = try await lab.run("retry", "w1", "--dry-run", "--json").lines
        #expect(dry.first?["failure"]?["code"] == "pinnedInputMissing", "\(dry)")
        try await fails(lab, "retry", "w1", "1")
        let after = try await step(lab, "b")
        #expect(after["step"]?["failure"]?["code"] == "pinnedInputMissing", "\(after.text)")
        #expect(after["runs"]?.array?.count == before["runs"]?.array?.count, "nothing was started")
        let card = try await lab.run("show", "w1", "1").output
        #expect(card.contains("Re-run step 1 with the latest."), "\(card)")
        // Single-step recovery works.
        try await fails(lab, "rerun", "w1", "a")
        #expect(try await step(lab, "a")["runs"]?.array?.count == 2, "the failure of another step is not in the way")
        try await fails(lab, "rerun", "w1", "b")
        let again = try await step(lab, "b")
        #expect(again["runs"]?.array?.last?["inputRuns"]?["text"] == "w1.2.2", "\(again.text)")
        #expect(again["step"]?["failure"]?["code"] != "pinnedInputMissing")
    }

    // MARK: Edits, pins, runs side by side

    @Test func runsWithEditsAreCheckedMarkedAndCompared() async throws {
        let lab = try await lab()
        let bad = try await lab.run("rerun", "w1", "c", "--set", "colour=red", "--json")
        #expect(
            bad.exit == 2 && bad.lines(of: "error").contains { $0["message"]?.string?.hasPrefix("c.colour") == true },
            "\(bad.output)")
        #expect(try await lab.run("rerun", "w1", "--set", "text=x").exit == 2)
        _ = try await done(lab, "rerun", "w1", "c", "--set", "text=changed")
        try await work(lab)
        #expect(try await step(lab, "c")["step"]?["edits"] == ["text"])
        #expect(try await lab.run("show", "w1", "2").output.contains("changed  (edited)"))
        let compared = try await done(lab, "compare", "w1", "c")
        #expect(
            compared["params"]?[0]?["same"] == false && compared["params"]?[0]?["values"] == ["apart", "changed"],
            "\(compared.text)")
        #expect(compared["outputs"]?[0]?["same"] == false && compared["sameTool"] == true)
        #expect(try await lab.run("compare", "w1", "c").output.contains("≠ differs"))
        #expect(try await lab.run("compare", "w1", "b").exit == 2, "one run cannot be compared")
    }

    @Test func anInputIsPinnedToAnEarlierRunAndLetGoAgain() async throws {
        let lab = try await lab()
        try lab.write("one two three", to: "note.txt")
        _ = try await done(lab, "rerun", "w1", "a", "--below")
        try await work(lab)
        #expect(try await lab.run("pin", "w1", "b.text=7").exit == 2)
        #expect(try await lab.run("pin", "w1", "b.colour=1").exit == 2)
        #expect(try await lab.run("pin", "w1", "b.text").exit == 2)
        let dry = try await lab.run("pin", "w1", "b.text=1", "--dry-run", "--json").lines
        #expect(dry.last?["stale"] == [1], "\(dry)")
        _ = try await done(lab, "pin", "w1", "1.text=1")
        try await work(lab)
        let pinned = try await step(lab, "b")
        #expect(pinned["pins"]?[0]?["attempt"] == 1 && pinned["step"]?["reason"] == "inputChanged", "\(pinned.text)")
        #expect(try await lab.run("show", "w1", "1").output.contains("⊙ pinned text ← run 1 of step a"))
        _ = try await done(lab, "pin", "w1", "b.text", "--latest")
        try await work(lab)
        let free = try await step(lab, "b")
        #expect(free["pins"]?.array?.isEmpty == true && free["step"]?["state"] == "succeeded", "\(free.text)")
        let why = try await lab.json("why", "w1")
        #expect(why.contains { $0["body"]?["reason"] == "pinAsked" && $0["body"]?["by"] == "person" })
    }

    // MARK: Revisions

    /// Each is made from what the one before will have made, with an engine that hears it or without one.
    @Test(arguments: [false, true]) func twoEditsInARowBothHold(isCarried: Bool) async throws {
        let lab = try ProgramLab()
        let texts = ["a", "b", "c"].map { node($0, "Text", ["text": "old"]) }
        try lab.write(workflow("texts", texts), to: "texts.json")
        try await lab.succeeds("run", "texts.json", "--mode", "auto")
        let running = isCarried ? try lab.start(["work"]) : nil
        defer { running?.end(with: SIGKILL) }
        if let running { #expect(try await lab.hasEngine(running.pid)) }
        let first = try await done(lab, "edit", "w1", "--set", "a.text=one")
        let second = try await done(lab, "edit", "w1", "--set", "b.text=two")
        #expect(first["revision"] == 2 && second["revision"] == 3)
        #expect(first["made"] == .bool(isCarried) && second["made"] == .bool(isCarried))
        if isCarried { #expect(try await lab.run("list").output.contains("↻ stale  1/3")) }
        #expect(try await done(lab, "duplicate", "w1", "3")["node"] == "c-2")
        let said = try await lab.run("edit", "w1", "--set", "c.text=three").output
        #expect(said.contains("Revision 5 of w1 \(isCarried ? "is" : "will be") made"), "\(said)")
        if !isCarried { try await work(lab) }
        let template = try await done(lab, "show", "w1", "--revision", "5")["template"]
        let values = template?["nodes"]?.array?.map { $0["params"]?["text"]?.string }
        #expect(values == ["one", "two", "three", "old"])
        // Each has its place in history.
        let third = try await done(lab, "show", "w1", "--revision", "3")["template"]?["nodes"]?.array?.map {
            $0["params"]?["text"]?.string
        }
        #expect(third == ["one", "two", "old"])
        let refused = try await lab.json("why", "w1").filter { $0["body"]?["reason"] == "revisionRefused" }
        #expect(refused.isEmpty)
    }

    /// The last word counts, also where nobody is there to take the first.
    @Test func pauseAndResumeInARowBothHold() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("slow", [node("wait", "Delay", ["seconds": 600])]), to: "slow.json")
        let running = try lab.start(["run", "slow.json", "--json"])
        #expect(try await onOwnThread { running.wait(forOutput: "runningLocal") })
        running.end(with: SIGKILL)
        // By their old names, which hold for one version, and by the new one.
        for verb in ["pause", "resume"] { try await lab.succeeds(verb, "w1") }
        for word in ["on", "off", "on"] { try await lab.succeeds("poll", "w1", word) }
        let worker = try lab.start(["work"])
        defer { worker.end(with: SIGKILL) }
        let database = "\(lab.home)/data/assent.db"
        let taken = try await eventually {
            try await lab.tool("sqlite3", database, "SELECT count(*) FROM commands WHERE taken_at IS NOT NULL").output
                == "5\n"
        }
        #expect(taken, "each is heard, in this order")
        #expect(try await lab.shown()["workflow"]?["pollingPaused"] == nil)
        _ = try await lab.run("cancel", "w1")
    }

    @Test func aWorkflowThatRunsIsEditedAndTheOldGraphIsKept() async throws {
        let lab = try ProgramLab()
        let slow = workflow("slow", [node("wait", "Delay", ["seconds": 600]), node("t", "Text", ["text": "old"])])
        try lab.write(slow, to: "slow.json")
        let running = try lab.start(["work"])
        defer { running.end(with: SIGKILL) }
        _ = try await lab.run("run", "slow.json", "--detach")
        #expect(try await lab.reaches(["runningLocal", "succeeded"]))
        // What runs may not change.
        let refused = try await lab.run("edit", "w1", "--set", "wait.seconds=1", "--json")
        #expect(refused.exit == 1 && refused.lines(of: "error").first?["code"] == "stepRunning", "\(refused.output)")
        // Problems all at once, and nothing is stored.
        try lab.write(
            workflow("bad", [node("wait", "Delay", ["seconds": -1]), node("t", "Text", ["text": 5])]), to: "bad.json")
        let bad = try await lab.run("edit", "w1", "bad.json", "--json")
        #expect(bad.exit == 2 && bad.lines(of: "error").count == 2, "\(bad.output)")
        let same = try await lab.run("edit", "w1", "--set", "t.text=old", "--json")
        #expect(same.lines(of: "error").first?["code"] == "nothingChanged", "\(same.output)")
        #expect(try await done(lab, "edit", "w1", "--set", "2.text=new", "--dry-run")["changed"] == [2])
        #expect(try await done(lab, "edit", "w1", "--set", "2.text=new")["revision"] == 2)
        try await until(lab) { $0["revision"] == 2 }
        #expect(try await step(lab, "2")["step"]?["reason"] == "definitionChanged")
        let old = try await done(lab, "show", "w1", "--revision", "1")
        #expect(old["template"]?["nodes"]?[1]?["params"]?["text"] == "old" && old["replaced"] != nil)
        #expect(
            try await done(lab, "show", "w1", "--revision", "2")["template"]?["nodes"]?[1]?["params"]?["text"] == "new")
        #expect(try await lab.run("show", "w1", "--revision", "3").exit == 2)
        let why = try await lab.run("why", "w1", "2").output
        #expect(
            why.contains("Its definition has changed.")
                && why.contains("An edit of the graph was asked for. By person."), "\(why)")
        // While it runs it can be paused in word, and is not deleted.
        #expect(
            try await lab.run("delete", "w1", "--yes", "--json").lines(of: "error").first?["code"] == "workflowUnderWay"
        )
        _ = try await done(lab, "cancel", "w1")
    }

    @Test func thePersonsOwnEditorIsUsed() async throws {
        let lab = try await lab()
        try lab.write("#!/bin/sh\nsed -i s/apart/together/ \"$2\"\n", to: "editor.sh")
        chmod(lab.path("editor.sh"), 0o700)
        let edited = try await lab.run(
            "edit", "w1", "--json", environment: ["EDITOR": "\(lab.path("editor.sh")) --word"])
        #expect(edited.exit == 0 && edited.results.last?["changed"] == [2], "\(edited.output)\(edited.errors)")
        let left = try await lab.run("edit", "w1", "--json", environment: ["EDITOR": "true"])
        #expect(left.lines(of: "error").first?["code"] == "nothingChanged", "\(left.output)")
        let broken = try await lab.run("edit", "w1", "--json", environment: ["VISUAL": "/no/such/editor"])
        #expect(broken.lines(of: "error").first?["code"] == "editorFailed", "\(broken.output)")
        try await work(lab)
        #expect(try await done(lab, "show", "w1", "--revision", "2")["template"]?.text.contains("together") == true)
    }

    @Test func aWorkflowAndAStepAreDuplicated() async throws {
        let lab = try await lab()
        _ = try await done(lab, "rerun", "w1", "c", "--set", "text=mine")
        try await work(lab)
        #expect(try await done(lab, "duplicate", "w1")["workflow"] == "w2")
        try await work(lab)
        #expect(try await lab.states("w2") == ["succeeded", "succeeded", "succeeded"])
        #expect(try await step(lab, "c", "w2")["runs"]?[0]?["params"]?["text"] == "mine", "with its edits")
        #expect(try await done(lab, "duplicate", "w1", "b")["node"] == "b-2")
        try await work(lab)
        let copy = try await step(lab, "4")
        #expect(
            copy["step"]?["state"] == "succeeded" && copy["runs"]?[0]?["inputRuns"]?["text"] == "w1.3.1", "\(copy.text)"
        )
        #expect(try await lab.states() == ["succeeded", "succeeded", "succeeded", "succeeded"])
    }

    // MARK: The shelf
}

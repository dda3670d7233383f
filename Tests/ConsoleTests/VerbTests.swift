import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

/// The verbs as scripts see them: exit codes and `--json`, in this process.
@Suite struct VerbTests {
    static let note = workflow(
        "a note", [node("text", "Text", ["text": "hello"]), node("write", "WriteFile", ["path": "note.txt"])],
        [edge("text.text", "write.text")])

    /// A lab for calls that change nothing.
    private static let shared = Result { try VerbLab() }
    private static func empty() throws -> VerbLab { try shared.get() }

    private func labWithNote() async throws -> VerbLab {
        let lab = try VerbLab()
        try lab.write(Self.note, to: ".note.json")
        expectEvents(try await lab.run("run", lab.path(".note.json"), "--json"), exit: 0)
        return lab
    }

    @Test(arguments: [
        ["--frobnicate"], ["ask"], ["ask", "x", "--mode", "bold"], ["ask", "x", "--on-ask", "never"],
        ["run"], ["check"],
        ["compare", "x1"], ["logs", "x1"], ["list", "--sort", "colour"], ["delete", "all"], ["cancel", "w3.2"],
        ["history", "fork", "s1"], ["history", "frobnicate", "s1"], ["history", "export", "s1", "pdf"], ["poll", "w1"],
        ["resume", "x1"],
        ["usage", "--by", "moon"], ["show", "seven"], ["show", "w0x"], ["approve", "x"], ["list", "--limit", "many"],
        ["mode", "yolo"],
        ["reject", "no"], ["work", "--until", "idle"],
    ])
    func badUsageExits2AndSaysWhatToDo(arguments: [String]) async throws {
        let ending = try await Self.empty().run(arguments)
        #expect(ending.exit == 2, "\(arguments): \(ending.exit)")
        #expect(
            ending.output.isEmpty && ending.errors.contains("Error:") && ending.errors.contains("--help"),
            "\(ending.errors)")
    }

    @Test(arguments: [
        (["show", "w7"], "unknownWorkflow"), (["why", "w7"], "unknownWorkflow"), (["retry", "w7"], "unknownWorkflow"),
        (["cancel", "w7"], "unknownWorkflow"), (["rerun", "w7"], "unknownWorkflow"),
        (["pin", "w7", "a.b=1"], "unknownWorkflow"),
        (["timeline", "w7"], "unknownWorkflow"), (["logs", "w7", "1"], "unknownWorkflow"),
        (["compare", "w7", "1"], "unknownWorkflow"),
        (["edit", "w7", "--set", "a.b=1"], "unknownWorkflow"), (["duplicate", "w7"], "unknownWorkflow"),
        (["poll", "w7", "off"], "unknownWorkflow"), (["history", "delete", "s7", "--yes"], "unknownSession"),
        (["archive", "w7"], "unknownWorkflow"), (["delete", "w7", "--yes"], "unknownWorkflow"),
        (["list", "--done", "--failed"], "badUsage"), (["approve", "7"], "unknownAwait"),
        (["reject", "7"], "unknownAwait"),
        (["open", "7"], "unknownAwait"),
        (["history", "s7"], "unknownSession"), (["tools", "Frobnicate"], "unknownTool"),
        (["run", "nothing.json"], "unknownFile"),
        (["show", "w1", "7"], "unknownWorkflow"), (["ask", "  "], "badUsage"), (["compare", "w7"], "unknownWorkflow"),
        (["logs", "w7"], "unknownWorkflow"), (["show"], "badUsage"), (["rerun"], "badUsage"), (["retry"], "badUsage"),
        (["cancel"], "badUsage"), (["delete", "--yes"], "badUsage"), (["edit"], "badUsage"),
        (["duplicate"], "badUsage"),
        (["archive"], "badUsage"), (["unarchive"], "badUsage"), (["release"], "badUsage"), (["approve"], "badUsage"),
        (["reject"], "badUsage"), (["skip"], "badUsage"), (["snooze"], "badUsage"), (["complete"], "badUsage"),
        (["open"], "badUsage"),
        (["link"], "badUsage"),
    ])
    func whatIsNotThereIsSaidInOneSentenceWithItsCode(arguments: [String], code: String) async throws {
        let lab = try Self.empty()
        let json = try await lab.run(arguments + ["--json"])
        #expect(json.exit == 2, "\(arguments): \(json.exit) \(json.output)")
        let error = try #require(json.lines(of: "error").first, "\(json.output)")
        #expect(error["code"]?.string == code && error["remedy"]?.string?.isEmpty == false, "\(error.text)")
        let plain = try await lab.run(arguments)
        #expect(
            plain.exit == 2 && plain.output.isEmpty && plain.errors.contains("(\(code))"),
            "\(plain.output)\(plain.errors)")
    }

    @Test(arguments: [
        (["list"], ["workflow", "title", "state", "steps", "done", "created"]),
        (["list", "NOTE", "--done"], ["workflow"]),
        (["timeline", "w1"], ["workflow", "kind", "from", "to", "ms"]),
        (["timeline", "w1", "2"], ["step", "kind", "ms"]),
        (["logs", "w1", "2"], ["run", "lines"]), (["rerun", "w1", "text", "--dry-run"], ["type"]),
        (["show", "w1", "--revision", "1"], ["revision", "template"]),
        (["show", "w1"], ["workflow", "steps", "assets", "awaits"]),
        (["show", "w1", "2"], ["step", "runs", "assets"]), (["show", "w1", "write"], ["step", "runs", "assets"]),
        (["why", "w1"], ["at", "type", "body"]),
        (["why", "w1", "2"], ["at", "type", "body"]),
        (["tools"], ["kind", "title", "summary", "inputs", "outputs", "params", "effects"]),
        (["tools", "Resize"], ["kind", "params"]), (["mode"], ["mode"]), (["doctor"], ["ok", "name", "words"]),
    ])
    func everyVerbPrintsObjectsOnLines(arguments: [String], keys: [String]) async throws {
        let lab = try await labWithNote()
        let ending = try await lab.run(arguments + ["--json"])
        #expect(ending.exit == 0 || arguments == ["doctor"], "\(ending.output)")
        #expect(!ending.lines.isEmpty && ending.complaints.isEmpty)
        for line in ending.results {
            for key in keys { #expect(line[key] != nil, "\(key) in \(line.text)") }
        }
        let plain = try await lab.run(arguments)
        #expect(!plain.output.isEmpty && !plain.output.contains("\u{1B}") && plain.exit == ending.exit)
    }

    @Test func anEmptyHouseHasEmptyLists() async throws {
        let lab = try VerbLab()
        for verb in ["list", "inbox", "history"] {
            let json = try await lab.run(verb, "--json")
            #expect(json.exit == 0 && json.output.isEmpty, "\(verb): \(json.output)")
            #expect(try await !lab.run(verb).output.isEmpty, "\(verb) says that there is nothing")
        }
        try await lab.succeeds("work", "--until-idle")
    }

    /// The remedy is what can be typed next.
    @Test(arguments: [
        (["list", "--limit", "0"], "from 1 on"), (["list", "--limit", "-1"], "from 1 on"),
        (["history", "--limit", "-1"], "from 1 on"),
        (["run", "thumbnail", "--set", "x"], "NODE.PARAM=VALUE"),
        (["run", "thumbnail", "--input", "x"], "NODE.PORT=FILE"),
    ])
    func aRemedyIsWhatCanBeTyped(arguments: [String], words: String) async throws {
        let ending = try await Self.empty().run(arguments)
        #expect(ending.exit == 2 && ending.errors.contains(words), "\(ending.errors)")
    }

    @Test func whatIsOverSaysWhatCanBeDoneWithIt() async throws {
        let lab = try VerbLab()
        try lab.write(workflow("nap", [node("nap", "Delay", ["seconds": 0])]), to: ".nap.json")
        try await lab.succeeds("run", lab.path(".nap.json"))
        for verb in ["pause", "resume", "cancel"] {
            let ending = try await lab.run(verb, "w1")
            #expect(ending.exit == 2 && ending.errors.contains("assent rerun w1 STEP"), "\(ending.errors)")
        }
        let rerun = try await lab.run("rerun", "w1", "1", "--set", "seconds")
        #expect(rerun.exit == 2 && rerun.errors.contains("Write --set NAME=VALUE."), "\(rerun.errors)")
        let nowhere = try await lab.run("export", "w1", "nowhere/w1.zip")
        #expect(nowhere.exit == 2 && nowhere.errors.contains("There is no folder nowhere."), "\(nowhere.errors)")
        try lab.store(.rerun(Rerun(step: 1)))
        #expect(try await lab.shown()["asked"] == ["rerun of step 1"])
        #expect(try await lab.run("show", "w1").output.contains("asked for, and not begun yet: rerun of step 1"))
        let again = try await lab.run("rerun", "w1")
        #expect(again.exit == 2 && again.errors.contains("was asked for already"), "\(again.errors)")
        let work = try await lab.run("work", "--until-idle").output
        #expect(work.contains("✓ w1 "), "\(work)")
        #expect(try await lab.shown()["asked"] == nil)
    }

    @Test func whatIsArchivedWhileItRunsIsSaid() async throws {
        let lab = try VerbLab()
        try lab.write(workflow("ask", [node("a", "AskText", ["question": "What?"])]), to: ".ask.json")
        #expect(try await lab.run("run", lab.path(".ask.json"), "--on-ask", "park").exit == 3)
        let archived = try await lab.run("archive", "w1")
        #expect(archived.exit == 0 && archived.output.contains("It is not over"), "\(archived.output)")
        let long = try await lab.run("snooze", "1", "--for", "400d")
        #expect(long.exit == 2 && long.errors.contains("At most 30d"), "\(long.errors)")
        let negative = try await lab.run("snooze", "1", "--for", "-5m")
        #expect(negative.exit == 2 && negative.errors.contains("Write it like 30m"), "\(negative.errors)")
        let params = try await lab.run("complete", "1", "--params", "steps")
        #expect(params.exit == 2, "\(params.errors)")
        let cancelled = try await lab.run("cancel", "w1", "--json")
        #expect(cancelled.lines.first?["cancelling"] == true && cancelled.lines.first?["cancelled"] == nil)
    }

    @Test func anEditSaysWhatItTakesOut() async throws {
        let lab = try VerbLab()
        try lab.write(
            workflow("nap", [node("nap", "Delay", ["seconds": 0]), node("b", "Delay", ["seconds": 0])]), to: ".nap.json"
        )
        try lab.write(
            workflow("nap", [node("nap", "Delay", ["seconds": 0]), node("c", "Delay", ["seconds": 0])]), to: ".new.json"
        )
        try await lab.succeeds("run", lab.path(".nap.json"))
        let told = try await lab.run("edit", "w1", lab.path(".new.json"), "--dry-run")
        #expect(told.output.contains("would be made, adds c, removes b"), "\(told.output)\(told.errors)")
    }

    @Test func aTemplateIsCheckedByItsName() async throws {
        let lab = try VerbLab()
        let fine = try await lab.run("check", "thumbnail", "nope")
        #expect(
            fine.output.contains("✓ thumbnail is fine") && fine.output.contains("✗ nope has 1 problem"),
            "\(fine.output)")
        let none = try await lab.run("run", "nope")
        #expect(none.exit == 2 && none.errors.contains("thumbnail"), "\(none.errors)")
        let input = try await lab.run("run", "text-to-image", "--input", "photo=nofile")
        #expect(input.exit == 2 && input.errors.contains("NODE.PORT=FILE"), "\(input.errors)")
    }

    @Test func checkFindsAllProblemsAtOnceAndChangesNothing() async throws {
        let lab = try VerbLab()
        try lab.write(Self.note, to: "good.json")
        let bad = workflow(
            "bad",
            [
                node("a", "Resize", ["width": -5]), node("b", "Grayscale"), node("b", "Blur"),
                node("c", "Text", ["text": "x", "colour": "red"]),
                node("d", "Resize", ["width": 10]),
            ], [edge("c.text", "d.image"), edge("nobody.x", "d.image"), edge("c.words", "a.image")])
        try lab.write(bad, to: "bad.json")
        try lab.write("{\n  \"schema\": \"app.workflow/v2\",\n  \"nodes\": [,]\n}", to: "broken.json")
        let files = ["good.json", "bad.json", "broken.json", "missing.json"].map(lab.path)
        let ending = try await lab.run(["check"] + files + ["--json"])
        #expect(ending.exit == 2)
        #expect(ending.lines.map { $0["ok"]?.bool } == [true, false, false, false])
        #expect(ending.lines.map { $0["file"]?.string } == files)
        let problems = ending.lines[1]["problems"]?.array ?? []
        let codes = Set(problems.compactMap { $0["code"]?.string })
        #expect(
            codes.isSuperset(of: ["badParam", "duplicateNode", "portTypeMismatch", "unknownNode", "unknownPort"]),
            "\(ending.lines[1].text)"
        )
        #expect(problems.allSatisfy { $0["message"]?.string?.isEmpty == false && $0["place"]?.string != nil })
        #expect(
            problems.contains { $0["code"]?.string == "badParam" && $0["place"]?.string == "a.width" },
            "\(ending.lines[1].text)")
        let broken = try #require(ending.lines[2]["problems"]?[0])
        #expect(broken["code"]?.string == "badJSON" && broken.text.contains("line 3"), "\(broken.text)")
        #expect(lab.names() == ["bad.json", "broken.json", "good.json"])
        #expect(try await lab.json("list").isEmpty)
        expectEvents(try await lab.run("run", lab.path("bad.json"), "--json"), exit: 2)
        #expect(try await lab.json("list").isEmpty)
    }

    /// `semantics.md` 130, 131, 133: exact, and nothing is stored.
    @Test(arguments: [("image", "multiProducerOnRequiredPort"), ("mask", "multiProducerOnOptionalPort")])
    func aPortWithTwoProducersIsRefusedAndNothingIsStored(port: String, code: String) async throws {
        let lab = try VerbLab()
        let paint: JSON = [
            "id": "paint", "kind": "Paint", "inputs": ["image": "image", "mask?": "mask"],
            "outputs": ["image": "image"],
        ]
        func source(_ id: String, _ type: JSON) -> JSON {
            ["id": .string(id), "kind": "Source", "outputs": ["x": type]]
        }
        let edges = [
            edge("a.x", "paint.image"), edge(port == "image" ? "b.x" : "m.x", "paint.\(port)"),
            edge("n.x", "paint.mask"),
        ]
        try lab.write(
            workflow(
                "two", [source("a", "image"), source("b", "image"), source("m", "mask"), source("n", "mask"), paint],
                edges), to: "two.json"
        )
        let ending = try await lab.run("run", lab.path("two.json"), "--json")
        expectEvents(ending, exit: 2)
        #expect(ending.lines(of: "error").map { $0["code"]?.string } == [code], "\(ending.output)")
        #expect(try await lab.json("list").isEmpty)
    }
}

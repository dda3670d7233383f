import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// How the program ends when it is told to, and what it says then.
@Suite(.process) struct EndingTests {
    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(workflow("nap", [node("nap", "Delay", ["seconds": 600])]), to: ".nap.json")
        try lab.write("one two\n", to: "notes.txt")
        return lab
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aSignalEndsItWithItsCodeAndItsLastLine(signal: Int32) async throws
    {
        let lab = try lab()
        for words in [["run", ".nap.json"], ["ask", "wait 600 seconds and then count the words in notes.txt"]] {
            let running = try lab.start(words + ["--mode", "auto", "--json"])
            let began = try await onOwnThread { running.wait(forOutput: "runningLocal") }
            #expect(began, "\(running.output)")
            running.signal(signal)
            let ending = try await onOwnThread { running.wait() }
            #expect(!ending.wasKilled, "it ended itself")
            expectEvents(ending, exit: 128 + signal)
        }
        let working = try lab.start(["work"])
        #expect(try await lab.hasEngine(working.pid))
        working.signal(signal)
        let ending = try await onOwnThread { working.wait() }
        #expect(!ending.wasKilled && ending.exit == 128 + signal)
    }

    @Test(arguments: [
        ["run", ".nap.json"], ["ask", "wait 600 seconds and then count the words in notes.txt"], ["work"],
    ])
    func ctrlCOnATerminalEndsEveryCommand(words: [String]) async throws {
        let lab = try lab()
        let pty = try lab.terminal(words)
        if words != ["work"] {
            #expect(await pty.see("600"), "\(pty.screen.text)")
            #expect(try await eventually { try await lab.states().contains("runningLocal") })
        }
        #expect(try await lab.hasEngine(try #require(pty.process)))
        pty.send("\u{3}")
        #expect(await pty.exitStatus() == 130, "\(pty.screen.text)")
        guard words != ["work"] else {
            #expect(await pty.see("Stopped."), "\(pty.screen.text)")
            return
        }
        // Nothing was cancelled, and nobody goes on with it.
        #expect(
            await pty.see("Stopped. Nobody carries w1: 'assent work' goes on with it, 'assent cancel w1' ends it."),
            "\(pty.screen.text)")
        #expect(try await lab.states().contains("runningLocal"))
        let listed = try await lab.run("list").output
        #expect(listed.contains("◌ nobody carries it") && listed.contains("'assent work' goes on with it"), "\(listed)")
        #expect(try await lab.json("list").first?["carried"]?.bool == false)
        let shown = try await lab.run("show", "w1").output
        #expect(shown.contains("◌ nobody carries it") && shown.contains("assent cancel w1"), "\(shown)")
    }

    @Test func whoIsInterruptedWithoutATerminalIsToldWhoGoesOn() async throws {
        let lab = try lab()
        let alone = try lab.start(["run", ".nap.json"])
        #expect(try await lab.reaches(["runningLocal"]))
        let ending = try await onOwnThread { alone.end(with: SIGINT) }
        #expect(ending.exit == 130 && ending.errors.contains("Stopped. Nobody carries w1"), "\(ending.errors)")
        let working = try lab.start(["work"])
        #expect(try await lab.hasEngine(working.pid))
        let second = try lab.start(["run", ".nap.json"])
        #expect(try await lab.reaches(["runningLocal"], "w2"))
        let accompanied = try await onOwnThread { second.end(with: SIGINT) }
        #expect(
            accompanied.errors.contains("Stopped. What was started goes on: 'assent list'"), "\(accompanied.errors)")
        #expect(try await lab.json("list").allSatisfy { $0["carried"]?.bool == true })
        _ = try await onOwnThread { working.end(with: SIGTERM) }
    }

    @Test func aChatThatWasStoppedDoesNotSayThatSomethingWaits() async throws {
        let lab = try lab()
        // A plan that a model makes, of a step that goes on when the test says so.
        let gate = ScriptGate()
        let page = try ScriptedServer { _ in .text("one").behind(gate) }
        let plan = workflow("a page", [node("fetch", "HTTPFetch", ["url": .string(page.url)])])
        let model = try ScriptedServer([.stream(SSE.call("propose_workflow", plan))])
        let pty = try lab.terminal(["--mode", "auto"], environment: ModelTests.environment(model))
        #expect(await pty.see("assent 0.1.0"))
        pty.send("get the page\r")
        #expect(await pty.see { _ in page.requests.count == 1 }, "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.see("press c t /"), "\(pty.screen.text)")
        pty.send("t")
        #expect(await pty.see("Stopped. w1 goes on: /list"), "\(pty.screen.text)")
        gate.open()
        #expect(await pty.see("✓ w1 \""), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("waits for you"), "\(pty.screen.text)")
        pty.send("/nope\r")
        #expect(await pty.see("There is no command \"nope\"."), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test(arguments: [["frobnicate"], ["run"], ["ask", "x", "--mode", "bold"], ["list", "--limt", "3"]])
    func whatCannotBeUnderstoodIsSaidInTheFormThatWasAskedFor(words: [String]) async throws {
        let lab = try lab()
        let plain = try await lab.run(words)
        #expect(plain.exit == 2 && plain.output.isEmpty && plain.errors.hasPrefix("Error: "), "\(plain.errors)")
        let ending = try await lab.run(words + ["--json"])
        #expect(ending.exit == 2 && ending.complaints.isEmpty, "\(ending.errors)")
        #expect(ending.lines(of: "error").first?["code"]?.string == "badUsage", "\(ending.output)")
        if ["run", "ask"].contains(words[0]) { expectEvents(ending, exit: 2) }
    }

    @Test(
        arguments: [
            ("count the words in notes.txt", 0), ("/show w9", 2), ("/nope", 2), ("/run .missing.json", 2),
            ("make junk.jpg 40 px wide", 1),
        ] as [(String, Int32)])
    func aPipedChatEndsWithTheGravestOfWhatCameOfItsLines(line: String, exit: Int32) async throws {
        let lab = try lab()
        try lab.write("no picture", to: "junk.jpg")
        let ending = try await lab.run([], input: "count the words in notes.txt\n\(line)\n/list\n")
        #expect(ending.exit == exit, "\(ending.output)")
        #expect(ending.output.contains("w1  ✓ done"))
    }

    /// `consent.md`, "Approvals": drawn on the terminal and read there, wherever the output goes.
    @Test func approvalIsAskedForAtTheTerminalThoughTheOutputIsAPipe() async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        #expect(try await lab.run("ask", "delete notes.txt", "--on-ask", "park").exit == 3)
        let pty = try Pty.spawn(
            "/bin/sh", ["-c", "'\(ProgramLab.program)' approve 1 | cat"],
            environment: lab.environment.merging(["TERM": "xterm"]) { $1 },
            folder: lab.folder, columns: 100, rows: 30)
        #expect(await pty.seeQuestion("type notes.txt to go on"), "\(pty.screen.text)")
        pty.send("notes.txt\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        try await lab.succeeds("work", "--until-idle")
        #expect(!lab.exists("notes.txt"))
    }
}

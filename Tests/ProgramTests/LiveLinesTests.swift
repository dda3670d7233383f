import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What runs is seen, what is typed meanwhile is neither lost nor misplaced, and a workflow can be watched.
@Suite(.process) struct LiveLinesTests {
    private static let delay = node("d", "Delay", ["seconds": 3600])

    private func chat(_ lab: ProgramLab, _ words: [String] = []) async throws -> Pty {
        let pty = try lab.terminal(words, columns: 80)
        #expect(await pty.see("›"))
        return pty
    }

    private func leave(_ pty: Pty) async {
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    // MARK: Lines that wait

    @Test func aQueuedLineStandsWhereItsTurnBegins() async throws {
        let gate = ScriptGate()
        let server = try ScriptedServer([
            .stream(SSE.text("First ", "answer."), gates: [gate]), .stream(SSE.text("Second answer.")),
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try await chat(lab)
        pty.send("one\r")
        #expect(await pty.see("┆ First"), "\(pty.screen.text)")
        pty.send("two\r")
        #expect(await pty.see("1 line waits: two · ↑ takes it back"), "\(pty.screen.text)")
        gate.open()
        #expect(await pty.see("Second answer."), "\(pty.screen.text)")
        let rows = pty.screen.text.split(separator: "\n").map(String.init)
        let places = ["› one", "┆ First answer.", "› two", "┆ Second answer."].map { rows.firstIndex(of: $0) }
        #expect(!places.contains(nil) && places.compactMap(\.self).sorted() == places.compactMap(\.self), "\(rows)")
        #expect(rows.count { $0 == "› two" } == 1, "\(rows)")
        await leave(pty)
    }

    @Test func upTakesAWaitingLineBack() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("pause", [Self.delay], []), to: "pause.json")
        let pty = try await chat(lab)
        pty.send("run sleep 3600\r")
        #expect(await pty.see("▸ w1 Shell rehearsing"), "\(pty.screen.text)")
        pty.send("write \"x\" to x.txt\r")
        #expect(await pty.see("1 line waits: write \"x\" to x.txt · ↑ takes it back"), "\(pty.screen.text)")
        pty.send("write \"y\" to y.txt\r")
        #expect(await pty.see("2 lines wait, the newest: write \"y\""), "\(pty.screen.text)")
        pty.send("\u{1B}[A")
        #expect(await pty.see("› write \"y\" to y.txt"), "\(pty.screen.text)")
        #expect(await pty.see("1 line waits: write \"x\""), "\(pty.screen.text)")
        pty.send("\u{15}")
        pty.send("\u{3}\u{3}")
        #expect(await pty.see("› write \"x\" to x.txt"), "\(pty.screen.text)")
        #expect(await pty.see("→ ./x.txt"), "\(pty.screen.text)")
        #expect(lab.exists("x.txt") && !lab.exists("y.txt"))
        await leave(pty)
    }

    /// The words stay on the screen and in the history, marked.
    @Test func whatAModelHasSaidStaysAtLeaving() async throws {
        let server = try ScriptedServer([
            .stream(Array(SSE.text("The words so far").prefix(1))).ending(with: .hang)
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try await chat(lab)
        pty.send("tell me\r")
        #expect(await pty.see("The words so far"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
        let left = pty.screen.text
        #expect(left.contains("┆ The words so far") && left.contains("… cut off, since you left"), "\(left)")
        let next = try await chat(lab, ["-c"])
        #expect(await next.see("The words so far"), "\(next.screen.text)")
        #expect(next.screen.text.contains("cut off"), "\(next.screen.text)")
        await leave(next)
    }

    // MARK: A workflow that is watched

    @Test(arguments: [
        ("WriteFile", 0), ("ReadFile", 1), ("AskText", 3),
    ]) func followEndsWithTheExitCodeOfTheWorkflow(kind: String, exit: Int32) async throws {
        let lab = try ProgramLab()
        let params: JSON =
            switch kind {
            case "WriteFile": ["path": "a.txt", "text": "new\n"]
            case "ReadFile": ["path": "nothing"]
            default: ["question": "What?"]
            }
        try lab.write(workflow("one", [node("n", kind, params)], []), to: "one.json")
        _ = try await lab.run("run", "one.json", "--on-ask", "park")
        let plain = try await lab.run("follow", "w1")
        #expect(plain.exit == exit && plain.output.contains("w1 \"one\""), "\(plain)")
        let json = try await lab.run("follow", "w1", "--json")
        #expect(json.exit == exit && json.lines.last?["type"] == "workflow.finished", "\(json.output)")
    }

    /// Another process runs the workflow. The view is left by Esc or Ctrl-C, and the workflow goes on.
    @Test(arguments: ["\u{1B}", "\u{3}"]) func aViewIsLeftAndTheWorkflowGoesOn(key: String) async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("pause", [Self.delay], []), to: "pause.json")
        let other = try await chat(lab)
        other.send("/run pause.json\r")
        #expect(await other.see("▸ w1 Delay"), "\(other.screen.text)")
        let pty = try await chat(lab)
        pty.send("/follow w1\r")
        #expect(await pty.see("▸ w1 Delay"), "\(pty.screen.text)")
        pty.send(key)
        #expect(await pty.see("w1 goes on · /follow w1"), "\(pty.screen.text)")
        #expect(await pty.see { !$0.text.contains("▸ w1 Delay") }, "\(pty.screen.text)")
        #expect(try await lab.json("show", "w1").first?["outcome"]?.string == nil)
        pty.send("/follow w1\r")
        #expect(await pty.see("▸ w1 Delay"), "\(pty.screen.text)")
        try await lab.succeeds("cancel", "w1")
        #expect(await pty.see("⊘ w1 "), "\(pty.screen.text)")
        await leave(pty)
        await leave(other)
    }
}

/// A text that was begun when its question went away stands in the input line.
@Suite(.process) struct WithdrawnQuestionTests {
    @Test func aTextIsGivenBack() async throws {
        let question: JSON = ["question": "Why?", "text": true]
        let server = try ScriptedServer([.stream(SSE.call("ask_person", question)), .stream(SSE.text("Done."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try lab.terminal(columns: 80)
        #expect(await pty.see("›"))
        pty.send("ask me\r")
        #expect(await pty.seeQuestion("Why?"), "\(pty.screen.text)")
        pty.send("because of")
        #expect(await pty.see("because of"), "\(pty.screen.text)")
        try await lab.succeeds("cancel", "w1")
        #expect(await pty.see("Done."), "\(pty.screen.text)")
        #expect(await pty.see { $0.text.hasSuffix("› because of") }, "\(pty.screen.text)")
        pty.send("\u{15}/quit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }
}

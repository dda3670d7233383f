import CaseNames
import Harness
import JSON
import Testing

/// Calls that a model makes wrongly, with the program: the model hears of them, and the turn goes on.
@Suite(.process) struct FaultyCallProgramTests {
    /// A reply with several calls, whose arguments are texts.
    private static func reply(_ calls: [(name: String, arguments: String)]) -> ScriptAnswer {
        let deltas = calls.enumerated().flatMap { place, call in
            SSE.callDeltas(
                call.name, rawArguments: call.arguments, id: "call_\(place + 1)", index: place, pieceLength: 1_000)
        }
        return .stream(deltas + [SSE.delta([:], finish: "tool_calls"), SSE.done])
    }

    @Test func aCallThatCannotBeReadIsAnsweredAndTheNextOneRuns() async throws {
        let note = ModelTests.note.text
        let server = try ScriptedServer([
            Self.reply([
                ("read_mode", "{}"), ("propose_workflow", String(note.dropLast())), ("propose_workflow", note),
            ]),
            .stream(SSE.call("propose_workflow", ModelTests.note, id: "call_4")), .stream(SSE.text("Done.")),
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "write a note", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello" && !lab.exists("note-1.txt"))
        let messages = server.requests[1].json?["messages"]?.array ?? []
        #expect(
            messages.compactMap { $0["role"]?.string } == ["system", "user", "assistant", "tool", "tool", "tool"])
        let answers = messages.suffix(3).compactMap { $0["content"]?.string }
        #expect(answers[0].contains("auto"), "\(answers)")
        #expect(answers[1].contains("The arguments are no JSON: ") && answers[1].contains("line 1"), "\(answers)")
        #expect(answers[2].contains("Not run, since call 2 of this reply was faulty."), "\(answers)")
        // What goes back to the server as the arguments of the call is an object.
        let sent = messages[2]["tool_calls"]?.array?.compactMap { $0["function"]?["arguments"]?.string }
        #expect(sent?[1] == "{}")
    }

    @Test func onlyFaultyCallsEndTheTurn() async throws {
        let server = try ScriptedServer { _ in Self.reply([("edit_all", "{"), ("list_workflows", "[]")]) }
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "write a note", "--json")
        expectEvents(ending, exit: 1)
        #expect(server.requests.count == 3)
        #expect(ending.lines(of: "error").first?["code"] == "badPlan")
    }

    // MARK: Many calls

    /// A model that looks at the mode 201 times at once.
    private static func manyCalls() throws -> ScriptedServer {
        try ScriptedServer([
            reply((0...200).map { ("read_mode", "{\"n\":\($0)}") }), .stream(SSE.text("I have looked.")),
        ])
    }

    @Test func withoutAnAnswerATurnEndsAfterManyCalls() async throws {
        let server = try Self.manyCalls()
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "look", "--json")
        expectEvents(ending, exit: 1)
        #expect(ending.lines(of: "error").first?["code"] == "tooManyCalls" && server.requests.count == 1)
    }

    @Test(arguments: [
        ("y\r", "I have looked.", 2), ("n", "more than 200 calls", 1), ("\u{1B}", "more than 200 calls", 1),
    ])
    func theChatAsksWhetherATurnGoesOn(key: String, words: String, requests: Int) async throws {
        let server = try Self.manyCalls()
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try lab.terminal([])
        #expect(await pty.see("›"))
        pty.send("look\r")
        #expect(await pty.seeQuestion("The model has made 200 calls in this turn. Go on?"), "\(pty.screen.text)")
        pty.send(key)
        #expect(
            await pty.see { $0.text.contains(words) && $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        #expect(server.requests.count == requests)
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func ctrlCStopsATurnThatAsksWhetherItGoesOn() async throws {
        let server = try Self.manyCalls()
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try lab.terminal([])
        #expect(await pty.see("›"))
        pty.send("look\r")
        #expect(await pty.seeQuestion("Go on?"), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        #expect(server.requests.count == 1)
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }
}

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What a person answers to a step of a model's plan is the result of the call that the model made.
@Suite(.process) struct HeardAnswerTests {
    static let choose = workflow(
        "a colour", [asking("ask", "Choose", nil, ["question": "Which colour?", "choices": ["red", "blue"]])])

    /// The answer feeds a file, so it is no result of the workflow by itself.
    static let write = workflow(
        "a note",
        [
            asking("ask", "AskText", nil, ["question": "What to write?"]),
            node("write", "WriteFile", ["path": "note.txt"]),
        ],
        [edge("ask.text", "write.text")])

    private static func last(_ server: ScriptedServer) -> JSON? { server.requests.last?.json?["messages"]?.array?.last }

    private static func roles(_ server: ScriptedServer) -> [String] {
        (server.requests.last?.json?["messages"]?.array ?? []).compactMap { $0["role"]?.string }
    }

    private static func result(_ message: JSON?) -> JSON? {
        (message?["content"]?.string).flatMap { try? JSONReader.read($0) }?["result"]
    }

    private func lab(_ server: ScriptedServer) throws -> ProgramLab {
        try ProgramLab(environment: ModelTests.environment(server))
    }

    /// Opens a chat in which a question for a colour stands.
    private func chatThatAsks(_ lab: ProgramLab) async throws -> Pty {
        let pty = try lab.terminal(columns: 110, rows: 40)
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send("ask me for a colour\r")
        #expect(await pty.seeQuestion("number or name"), "\(pty.screen.text)")
        return pty
    }

    // MARK: At a terminal

    @Test func inAChatTheCallWaitsAndHoldsTheChoice() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("Blue it is.")),
        ])
        let lab = try lab(server)
        let pty = try await chatThatAsks(lab)
        #expect(server.requests.count == 1, "the call waits")
        pty.send("2\r")
        #expect(await pty.see("Blue it is."), "\(pty.screen.text)")
        let answer = try #require(Self.result(Self.last(server))?["answers"]?.array?.first)
        #expect(answer["asked"]?.string == "Which colour?" && answer["answer"]?.string == "blue", "\(answer.text)")
        #expect(Self.result(Self.last(server))?["outcome"]?.string == "succeeded")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func inAskTheQuestionIsPutToo() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("Red it is.")),
        ])
        let lab = try lab(server)
        let pty = try lab.terminal(["ask", "ask me for a colour"], columns: 110)
        #expect(await pty.seeQuestion("number or name"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("needs you"), "\(pty.screen.text)")
        pty.send("red\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(Self.last(server)?["content"]?.string?.contains(#""answer":"red""#) == true)
    }

    /// Who leaves the question has not answered it: the turn goes on once it is answered from the inbox.
    @Test func aQuestionThatIsLeftIsAnsweredLaterAndTheTurnGoesOn() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("Blue it is.")),
        ])
        let lab = try lab(server)
        let pty = try await chatThatAsks(lab)
        pty.send("\u{1B}")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "[1⚑] ›" }, "\(pty.screen.text)")
        #expect(server.requests.count == 1, "nothing is said until it is answered")
        pty.send("/open 1\r")
        #expect(await pty.seeQuestion { $0.text.ranges(of: "number or name").count == 2 }, "\(pty.screen.text)")
        pty.send("blue\r")
        #expect(
            await pty.see { $0.text.contains("Blue it is.") && $0.lines.last { !$0.isEmpty } == "›" },
            "\(pty.screen.text)")
        #expect(Self.last(server)?["content"]?.string?.contains(#""answer":"blue""#) == true)
        #expect(Self.roles(server) == ["system", "user", "assistant", "tool"])
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func noIsTheResultToo() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("As you like.")),
        ])
        let lab = try lab(server)
        let waits = try await lab.run("ask", "ask me for a colour", "--json")
        #expect(waits.exit == 3)
        try await lab.succeeds("reject", "1", "no colour at all")
        let ending = try await lab.run("ask", "--continue", "--json")
        #expect(ending.exit == 4, "\(ending.output)\(ending.errors)")
        #expect(
            Self.last(server)?["content"]?.string?.contains("no colour at all") == true,
            "\(Self.last(server)?.text ?? "")")
    }

    // MARK: Headless

    /// Exit 3; the answer is stored by `complete`; the turn goes on at `ask --continue`, and no other process asks a
    /// model.
    @Test(arguments: [false, true]) func headlessTheTurnGoesOnAtContinue(isWorked: Bool) async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.write)), .stream(SSE.text("Written.")),
        ])
        let lab = try lab(server)
        let waits = try await lab.run("ask", "write what I say", "--mode", "auto", "--json")
        expectEvents(waits, exit: 3)
        #expect(waits.lines(of: "call.waiting").count == 1 && server.requests.count == 1)
        // Nothing has been answered: it waits on.
        let still = try await lab.run("ask", "--continue", "--mode", "auto", "--json")
        expectEvents(still, exit: 3)
        #expect(server.requests.count == 1)
        try await lab.succeeds("complete", "1", "--text", "A red kite")
        if isWorked { try await lab.succeeds("work", "--until-idle") }
        #expect(server.requests.count == 1, "no tokens are spent by others")
        let ending = try await lab.run("ask", "--continue", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "A red kite")
        #expect(Self.roles(server) == ["system", "user", "assistant", "tool"])
        let result = Self.result(Self.last(server))
        #expect(result?["answers"]?.array?.first?["answer"]?.string == "A red kite", "\(result?.text ?? "")")
        #expect(
            result?["outputs"]?.array?.first?["path"]?.string?.hasSuffix("note.txt") == true, "\(result?.text ?? "")")
        #expect(ending.lines(of: "message.delta").compactMap { $0["text"]?.string }.joined() == "Written.")
        // Over is over.
        #expect(try await lab.run("ask", "--continue", "--json").exit == 2)
    }

    /// A line that is said instead: before the answer the model hears that the call waits. Later the answer is news, and
    /// the result of the call stays as it was.
    @Test func aLineThatIsSaidBeforeTheAnswerMakesTheAnswerNews() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("I wait.")),
            .stream(SSE.text("Blue.")),
        ])
        let lab = try lab(server)
        #expect(try await lab.run("ask", "ask me for a colour", "--json").exit == 3)
        #expect(try await lab.run("ask", "--continue", "and?", "--json").exit == 3)
        #expect(Self.roles(server) == ["system", "user", "assistant", "tool", "assistant", "user"])
        let told = server.requests.last?.json?["messages"]?.array?[3]
        #expect(Self.result(told)?["outcome"]?.string == "waiting", "\(told?.text ?? "")")
        try await lab.succeeds("complete", "1", "--choice", "blue")
        try await lab.succeeds("work", "--until-idle")
        #expect(try await lab.run("ask", "--continue", "which one?", "--json").exit == 0)
        #expect(
            Self.roles(server) == ["system", "user", "assistant", "tool", "assistant", "user", "assistant", "user"])
        #expect(server.requests.last?.json?["messages"]?.array?[3] == told)
        let news = Self.last(server)?["content"]?.string ?? ""
        #expect(news.contains("the person answered “Which colour?”: \"blue\""), "\(news)")
    }

    /// In a chat that goes on, the question is put again, and the turn ends there.
    @Test func aChatThatGoesOnPutsTheQuestion() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("Red it is.")),
        ])
        let lab = try lab(server)
        #expect(try await lab.run("ask", "ask me for a colour", "--json").exit == 3)
        let pty = try lab.terminal(["-c"], columns: 110, rows: 40)
        #expect(await pty.seeQuestion("number or name"), "\(pty.screen.text)")
        pty.send("1\r")
        #expect(
            await pty.see { $0.text.contains("Red it is.") && $0.lines.last { !$0.isEmpty } == "›" },
            "\(pty.screen.text)")
        #expect(Self.last(server)?["content"]?.string?.contains(#""answer":"red""#) == true)
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }

    // MARK: A crash

    /// kill -9 while the question stands: the call has no answer in the history, and is answered by what became of it.
    @Test func aCrashWhileTheQuestionStandsLosesNoAnswer() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("propose_workflow", Self.choose)), .stream(SSE.text("Blue.")),
        ])
        let lab = try lab(server)
        let pty = try await chatThatAsks(lab)
        pty.signal(SIGKILL)
        _ = await pty.exitStatus()
        try await lab.succeeds("complete", "1", "--choice", "blue")
        try await lab.succeeds("work", "--until-idle")
        let ending = try await lab.run("ask", "--continue", "which one?", "--json")
        expectEvents(ending, exit: 0)
        #expect(Self.roles(server) == ["system", "user", "assistant", "tool", "assistant", "user"])
        let told = server.requests.last?.json?["messages"]?.array?[3]
        #expect(Self.result(told)?["answers"]?.array?.first?["answer"]?.string == "blue", "\(told?.text ?? "")")
    }
}

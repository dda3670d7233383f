import CaseNames
import Harness
import JSON
import Testing

/// Calls that a model writes as text, with the program: they take the way of every call.
@Suite(.process) struct WrittenCallTests {
    private static func object(_ workflow: JSON) -> String {
        JSON.of(["name": "propose_workflow", "arguments": workflow]).text
    }

    private static let delete = workflow("delete", [node("delete", "DeleteFile", ["path": "notes.txt"])])

    @Test(arguments: [
        Named("tools", "<tools>\n\(object(ModelTests.note))\n</tools>"),
        Named("a fenced plan", "```json\n\(ModelTests.note.text)\n```"),
        Named("bare", object(ModelTests.note)),
    ])
    func aWrittenCallIsRun(text: Named<String>) async throws {
        let server = try ScriptedServer([.stream(SSE.text(text.value)), .stream(SSE.text("Done."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "write a note", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello")
        #expect(ending.lines(of: "message.delta").compactMap { $0["text"]?.string }.joined() == "Done.")
        let messages = server.requests.last?.json?["messages"]?.array ?? []
        #expect(messages.compactMap { $0["role"]?.string } == ["system", "user", "assistant", "tool"])
        #expect(
            messages[2]["tool_calls"]?.array?.count == 1 && messages[2]["content"]?.string?.contains("nodes") != true)
    }

    /// It is no way around the gate: what any call is asked for is asked here.
    @Test func aWrittenCallIsAskedAboutAsAnyOther() async throws {
        let server = try ScriptedServer([
            .stream(SSE.text("<tools>\(Self.object(Self.delete))</tools>")), .stream(SSE.text("It waits.")),
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        try lab.write("mine", to: "notes.txt")
        let ending = try await lab.run("ask", "delete it", "--on-ask", "park", "--json")
        expectEvents(ending, exit: 3)
        #expect(lab.exists("notes.txt") && ending.lines(of: "await.opened").count == 1)
    }

    /// The model hears of it once, and may then call as it should. Tags, a bare object behind words, in a list, or
    /// behind a sign that nobody sees.
    @Test(arguments: [
        "I do it now.\n<tools>\n%s\n</tools>", "I do it now.\n%s", "Calling %s", "- one\n- %s\n- two", "\u{200B}%s",
        "\u{FEFF}%s",
    ])
    func theModelHearsOfACallAmongWordsOnce(form: String) async throws {
        let written = form.replacing("%s", with: Self.object(ModelTests.note))
        let server = try ScriptedServer([
            .stream(SSE.text(written)), .stream(SSE.call("propose_workflow", ModelTests.note)),
            .stream(SSE.text("Done.")),
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "write a note", "--mode", "auto", "--json")
        expectEvents(ending, exit: 0)
        #expect(lab.text("note.txt") == "hello" && server.requests.count == 3)
        let messages = server.requests[1].json?["messages"]?.array ?? []
        #expect(messages.compactMap { $0["role"]?.string } == ["system", "user", "assistant", "user"])
        #expect(
            messages.last?["content"]?.string?.hasPrefix("[Not the person's words. Your reply holds a call") == true)
    }

    @Test func aCallAmongWordsIsNeverRun() async throws {
        let text = "I do it now.\n" + Self.object(ModelTests.note)
        let server = try ScriptedServer([.stream(SSE.text(text)), .stream(SSE.text(text))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "write a note", "--mode", "auto")
        #expect(ending.exit == 0 && !lab.exists("note.txt") && server.requests.count == 2)
        #expect(ending.output.contains("wrote a call as text, so it was not run"), "\(ending.output)")
    }

    /// A name that was not offered is answered as in any other call.
    @Test func aNameThatIsNoToolIsAnswered() async throws {
        let written = #"{"type":"function","function":{"name":"resize","arguments":{"width":3}}}"#
        let server = try ScriptedServer([.stream(SSE.text(written)), .stream(SSE.text("I see."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let ending = try await lab.run("ask", "make it small", "--json")
        expectEvents(ending, exit: 0)
        let result = server.requests.last?.json?["messages"]?.array?.last?["content"]?.string ?? ""
        #expect(result.contains("unknownTool") && result.contains("workflow"), "\(result)")
    }
}

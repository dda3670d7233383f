import CaseNames
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// What may be a key by what stands around it is heard by no model, whichever way it comes (`consent.md` guarantee 14).
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct HeardKeysTests {
    private static let value = "zqxjkvbwpmfhgyd7731"
    private static let forms = [
        "API_KEY=\(value)", "https://ana:\(value)@example.org/x", "{\"password\": \"\(value)\"}", "h/?token=\(value)",
    ]

    private static func lab(_ server: ScriptedServer) throws -> ProgramLab {
        try ProgramLab(environment: ModelTests.environment(server), isInMemory: Rehearsals.isInMemory)
    }

    private static func shell(_ command: String) -> [[UInt8]] {
        SSE.call("call_tool", ["kind": "Shell", "params": ["command": .string(command)]])
    }

    private static func page(_ workflow: String, _ output: String, _ offset: Int) -> [[UInt8]] {
        SSE.call(
            "show_workflow",
            ["workflow": .string(workflow), "step": "1", "output": .string(output), "offset": .int(offset)])
    }

    private static func expectNotHeard(
        _ server: ScriptedServer, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(!server.requests.isEmpty, "\(words)", sourceLocation: sourceLocation)
        for request in server.requests {
            #expect(!request.text.contains(value.dropFirst(3)), "\(words)", sourceLocation: sourceLocation)
        }
    }

    /// Pages that begin behind the name that tells, of both streams and of the log, and behind the head of a long
    /// output.
    @Test func noPageOfAnOutputShowsAValue() async throws {
        var calls: [[[UInt8]]] = []
        for (number, form) in Self.forms.enumerated() {
            calls.append(Self.shell("cat n\(number); cat n\(number) >&2"))
            let offset = form.utf8.count - Self.value.utf8.count - 8
            for output in ["text", "errors", "log"] {
                calls.append(Self.page("w\(number + 1)", output, max(1, offset)))
            }
        }
        calls += [Self.shell("cat long"), Self.page("w\(Self.forms.count + 1)", "text", 12_288)]
        let server = try ScriptedServer(calls.map { .stream($0) } + [.stream(SSE.text("Done."))])
        let lab = try Self.lab(server)
        for (number, form) in Self.forms.enumerated() { try lab.write(form + "\n", to: "n\(number)") }
        let rest = String(repeating: "b", count: 60_000)
        try lab.write(String(repeating: "a", count: 12_279) + "\nAPI_KEY=\(Self.value)\n" + rest, to: "long")
        let ending = try await lab.run("ask", "go on", "--on-ask", "deny")
        #expect(ending.exit == 0 && server.requests.count == calls.count + 1, "\(ending.output)\(ending.errors)")
        Self.expectNotHeard(server, "a page")
        #expect(server.requests.last?.text.contains("⟨cut: the value of a key, 19 characters⟩") == true)
    }

    /// The line is sent with the value cut, the person is told, and what is stored is what was typed.
    @Test func aTypedLineIsSentWithoutTheValue() async throws {
        for form in Self.forms {
            let server = try ScriptedServer([.stream(SSE.text("Done."))])
            let lab = try Self.lab(server)
            let ending = try await lab.run("ask", "use \(form) now", "--on-ask", "deny")
            #expect(ending.exit == 0 && server.requests.count == 1, "\(form): \(ending.output)\(ending.errors)")
            #expect(
                (ending.output + ending.errors).contains("the model does not hear it"),
                "\(form): \(ending.output)\(ending.errors)")
            Self.expectNotHeard(server, form)
            let sent = server.requests.first?.json?["messages"]?.array?.last?["content"]?.string ?? ""
            #expect(
                sent.hasPrefix("use ") && sent.contains("⟨cut: ") && sent.contains(" now"),
                "\(form): \(sent.prefix(300))")
        }
    }

    @Test func namesOfFilesAreHeardWithoutTheValue() async throws {
        let server = try ScriptedServer([.stream(SSE.text("Done."))])
        let lab = try Self.lab(server)
        try lab.write("a", to: "PASSWORD=\(Self.value).txt")
        let ending = try await lab.run("ask", "look", "--on-ask", "deny")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        Self.expectNotHeard(server, "a name")
        #expect(server.requests.first?.text.contains("PASSWORD=") == true)
    }

    @Test func theAnswerOfAPersonIsHeardWithoutTheValue() async throws {
        let plan = workflow("a note", [asking("ask", "AskText", nil, ["question": "What to write?"])])
        let server = try ScriptedServer([.stream(SSE.call("propose_workflow", plan)), .stream(SSE.text("Noted."))])
        let lab = try Self.lab(server)
        #expect(try await lab.run("ask", "ask me", "--mode", "auto").exit == 3)
        try await lab.succeeds("complete", "1", "--text", "https://ana:\(Self.value)@example.org")
        let ending = try await lab.run("ask", "--continue", "--mode", "auto")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(
            server.requests.last?.text.contains("a password in an address") == true,
            "\(server.requests.last?.text.suffix(600) ?? "")")
        Self.expectNotHeard(server, "an answer")
    }
}

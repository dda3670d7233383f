import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A model is connected, tried, taught by refusals, and stood in for.
@Suite(.process) struct ConnectTests {
    private static let key = "sk-" + "typed-0123456789abcdef"

    /// A server with three models that wants the key.
    private static func server(
        key: String = key, _ answer: @escaping @Sendable (ScriptRequest) -> ScriptAnswer = { talk($0) }
    ) throws
        -> ScriptedServer
    {
        try ScriptedServer { request in
            guard request.headers["authorization"] == "Bearer \(key)" else {
                return .json(["error": ["message": "Incorrect API key provided"]], status: 401)
            }
            guard request.path.hasPrefix("/v1/") else { return .text("404 page not found", status: 404) }
            guard request.path.hasSuffix("/models") else { return answer(request) }
            return .json(["data": [["id": "m-large"], ["id": "m-small"], ["id": "m-tiny"]]])
        }
    }

    /// Calls the tool of a test, and talks otherwise.
    private static func talk(_ request: ScriptRequest) -> ScriptAnswer {
        let names = request.json?["tools"]?.array?.compactMap { $0["function"]?["name"]?.string } ?? []
        return .stream(names == ["report"] ? SSE.call("report", ["ok": true]) : SSE.text("Hello."))
    }

    private func config(_ lab: ProgramLab, _ text: String, as name: String = "connections.yaml") throws {
        if !ScratchFolder.exists("\(lab.home)/config") { #expect(makeFolder("\(lab.home)/config")) }
        try ScratchFolder.write(text, to: "\(lab.home)/config/\(name)")
        chmod("\(lab.home)/config/\(name)", 0o600)
    }

    @Test func aScriptConnectsWithAKeyFromItsInput() async throws {
        let server = try Self.server()
        let lab = try ProgramLab()
        let ending = try await lab.run(
            "connect", server.url, "--name", "mine", "--model", "m-small", "--key-stdin", "--json",
            input: Self.key + "\n")
        #expect(ending.exit == 0 && ending.lines.first?["tools"]?.bool == true, "\(ending.output)\(ending.errors)")
        // The address lacked its /v1.
        #expect(ending.lines.first?["notices"]?.array?.count == 1)
        expectEvents(try await lab.run("ask", "hello", "--json"), exit: 0)
        #expect(
            server.requests.last?.path == "/v1/chat/completions" && server.requests.last?.json?["model"] == "m-small")
        let connections = ScratchFolder.text("\(lab.home)/config/connections.yaml") ?? ""
        #expect(connections.contains("mine") && !connections.contains(Self.key))
        var status = stat()
        let kept = ScratchFolder.names(in: "\(lab.home)/config/keys")
        #expect(kept.count == 1 && kept[0].hasPrefix("127_0_0_1_\(server.port)_KEY_"))
        #expect(stat("\(lab.home)/config/keys/\(kept.first ?? "")", &status) == 0 && status.st_mode & 0o777 == 0o600)
        let doctor = try await lab.run("doctor", "--json").lines.first { $0["name"] == "model" }
        #expect(doctor?["words"]?.string?.hasSuffix("it answers") == true, "\(String(describing: doctor))")
        #expect(try await lab.run("model", "test").exit == 0)
    }

    @Test func aPersonTypesTheKeyHiddenAndChoosesTheModel() async throws {
        let server = try Self.server()
        let lab = try ProgramLab()
        let pty = try lab.terminal()
        #expect(await pty.see("›"))
        pty.send("/connect \(server.url)/v1\r")
        #expect(await pty.see("wants a key"), "\(pty.screen.text)")
        #expect(await pty.see("^T shows it"))
        pty.send("wrong-key-0123456789")
        #expect(await pty.see("••••"))
        pty.send("\r")
        #expect(await pty.see { $0.text.components(of: "refuses the key") == 1 })
        #expect(await pty.see("^T shows it"))
        pty.send("\u{1B}[200~\(Self.key)\u{1B}[201~")
        #expect(await pty.see("••••"))
        #expect(!pty.screen.text.contains(Self.key))
        pty.send("\u{14}")
        #expect(await pty.see(Self.key))
        pty.send("\u{14}")
        #expect(await pty.see { !$0.text.contains(Self.key) })
        pty.send("\r")
        #expect(await pty.see("which model"), "\(pty.screen.text)")
        #expect(await pty.see("m-tiny"))
        #expect(await pty.see("number or name"))
        pty.send("2\r")
        #expect(await pty.see("where is the key kept"), "\(pty.screen.text)")
        #expect(await pty.see("press n"))
        pty.send("f\r")
        #expect(await pty.see("it calls tools"), "\(pty.screen.text)")
        pty.send("hello\r")
        #expect(await pty.see("Hello."))
        #expect(server.requests.last?.json?["model"] == "m-small")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        let kept = ScratchFolder.names(in: "\(lab.home)/config/keys")
        #expect(kept.map { ScratchFolder.text("\(lab.home)/config/keys/\($0)") } == [Self.key + "\n"])
        #expect(try await lab.run("doctor").output.contains(Self.key) == false)
    }

    @Test func whatCannotBeConnectedIsSaidInOneSentenceAndNothingIsKept() async throws {
        let refusing = try ScriptedRefusingPort()
        let page = try ScriptedServer { _ in .text("<html>hello</html>") }
        let silent = try Self.server()
        let cases: [([String], Int32, String)] = [
            (["nothing-like-it"], 2, "unknownConnection"),
            (["http://127.0.0.1:\(refusing.port)/v1", "--model", "m"], 5, "modelUnreachable"),
            ([page.url + "/v1", "--model", "m"], 1, "modelWrongDialect"),
            ([silent.url + "/v1", "--model", "m"], 1, "modelRefusedKey"),
            (["https://models.example.com/v1", "--model", "m"], 4, "hostNotAllowed"),
            (["azure", "--model", "m"], 2, "badUsage"),
            ([], 2, "badUsage"),
        ]
        for (arguments, exit, code) in cases {
            let lab = try ProgramLab()
            let ending = try await lab.run(["connect"] + arguments + ["--json"])
            #expect(
                ending.exit == exit && ending.lines.first { $0["type"] == "error" }?["code"]?.string == code,
                "\(arguments): \(ending.exit) \(ending.output)\(ending.errors)")
            #expect(!ScratchFolder.exists("\(lab.home)/config/connections.yaml"))
        }
    }

    @Test func whatARefusalTaughtIsKnownToTheNextProcessUntilItIsForgotten() async throws {
        let server = try ScriptedServer { request in
            request.json?["stream_options"] == nil
                ? Self.talk(request)
                : .json(["error": ["message": "Unrecognized request argument supplied: stream_options"]], status: 400)
        }
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let first = try await lab.run("ask", "hello")
        #expect(
            first.exit == 0 && (first.output + first.errors).contains("without stream_options"),
            "\(first.output)\(first.errors)")
        #expect(server.requests.count == 2)
        try await lab.succeeds("ask", "hello")
        #expect(server.requests.count == 3)
        #expect(try await lab.json("model", "forget").first?["forgotten"] == 1)
        try await lab.succeeds("ask", "hello")
        #expect(server.requests.count == 5)
    }

    @Test func anotherStandsInForAModelThatCannotAnswer() async throws {
        let busy = try ScriptedServer { _ in .text("busy", status: 429, headers: ["retry-after": "3600"]) }
        let other = try ScriptedServer { _ in .stream(SSE.text("From the other.")) }
        let lab = try ProgramLab()
        try config(
            lab,
            """
            default: first
            connections:
              first: {url: "\(busy.url)/v1", model: a, fallback: second}
              second: {url: "\(other.url)/v1", model: b}
            """)
        let ending = try await lab.run("ask", "hello")
        #expect(ending.exit == 0 && ending.output.contains("From the other."), "\(ending.output)\(ending.errors)")
        #expect((ending.output + ending.errors).contains("is asked in its place"))
        // Without one, a script learns that it may try later.
        try config(lab, "connections: {first: {url: \"\(busy.url)/v1\", model: a}}")
        #expect(try await lab.run("ask", "hello").exit == 5)
    }

    @Test func whatATurnTookIsShownAndSummed() async throws {
        let server = try ScriptedServer { _ in
            .stream([
                SSE.delta(["content": "Hello."]), SSE.delta([:], finish: "stop"),
                SSE.usage(prompt: 1_200, completion: 180), SSE.done,
            ])
        }
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try lab.terminal()
        #expect(await pty.see("›"))
        pty.send("hello\r")
        #expect(await pty.see("1.2k in · 180 out"), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        let events = try await lab.run("ask", "hello", "--json").lines(of: "usage")
        #expect(events.count == 1 && events[0]["prompt_tokens"] == 1_200 && events[0]["model"] == "scripted-1")
        let sums = try await lab.json("usage", "--by", "model")
        #expect(sums.count == 1 && sums[0].text.contains("2400"), "\(sums)")
    }

    @Test func aShortResultStandsInItsLineOfJSON() async throws {
        let lab = try ProgramLab()
        try lab.write("one two three\n", to: "notes.txt")
        try lab.write("API_TOKEN=hunter2\n", to: ".env")
        let outputs = try await lab.run("ask", "count the words in notes.txt", "--json").lines(of: "workflow.finished")
            .first?["outputs"]
        #expect(outputs?[0]?["text"]?.string?.contains("3") == true, "\(String(describing: outputs))")
        let hidden = try await lab.run("ask", "read .env", "--json")
        #expect(!hidden.output.contains("hunter2"), "\(hidden.output)")
    }

    @Test func theModelOfAConversationIsItsOwn() async throws {
        let (work, home) = (
            try ScriptedServer { _ in .stream(SSE.text("Work.")) },
            try ScriptedServer { _ in .stream(SSE.text("Home.")) }
        )
        let lab = try ProgramLab()
        try config(
            lab,
            """
            default: work
            connections:
              work: {url: "\(work.url)/v1", model: w}
              home: {url: "\(home.url)/v1", model: h}
            """)
        let pty = try lab.terminal()
        #expect(await pty.see("›"))
        pty.send("hello\r")
        #expect(await pty.see("Work."))
        pty.send("/model home\r")
        #expect(await pty.see("From the next request on"))
        pty.send("again\r")
        #expect(await pty.see("Home."))
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        #expect(try await lab.run("ask", "-c", "and now").output.contains("Home."))
        #expect(try await lab.run("ask", "anew").output.contains("Work."))
        #expect(try await lab.run("ask", "-c", "--model", "work", "once").output.contains("Work."))
    }

    @Test func twoScriptsInOneConversationAreNoChat() async throws {
        let server = try ScriptedServer { request in
            let isSlow = request.json?["messages"]?.array?.last?["content"]?.string?.contains("slow") == true
            return isSlow ? .hanging : .stream(SSE.text("Hello."))
        }
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        try await lab.succeeds("ask", "hello")
        let slow = try lab.start(["ask", "-c", "slow"])
        #expect(try await eventually { server.requests.count == 2 })
        let second = try await lab.run("ask", "-c", "quick", "--json")
        #expect(
            second.exit == 5 && second.lines(of: "error").first?["code"] == "sessionBusy",
            "\(second.output)\(second.errors)")
        _ = slow.end(with: SIGTERM)
    }

    /// Each dialect through ten rounds of calls, as the program makes them.
    @Test(arguments: StrictModel.Kind.allCases) func aTaskOfTenRoundsIsCarriedThrough(kind: StrictModel.Kind)
        async throws
    {
        let server = try ScriptedServer { StrictModel(kind).answer($0) }
        let lab = try ProgramLab(environment: ["STRICT_KEY": "key"])
        try config(
            lab,
            """
            models: assent.models/v1
            profiles:
              strict-messages: {title: Strict, url: "\(server.url)/v1", key: STRICT_KEY, key_header: x-api-key, dialect: messages}
              strict: {title: Strict, url: "\(server.url)/v1", key: STRICT_KEY}
            """, as: "models.yaml")
        let profile = kind == .anthropic ? "strict-messages" : "strict"
        let environment = ["ASSENT_MODEL_PROFILE": profile, "ASSENT_MODEL": kind.rawValue]
        let ending = try await lab.run(["ask", "look", "--json"], environment: environment)
        expectEvents(ending, exit: 0)
        let last = ending.lines(of: "message.completed").last?["text"]?.string
        #expect(last == "Done after 10 rounds.", "\(ending.lines(of: "error"))")
        #expect(ending.lines(of: "call.succeeded").count == 15)
        // The next turn has all of it before it.
        let next = try await lab.run(["ask", "-c", "again", "--json"], environment: environment)
        #expect(
            next.lines(of: "message.completed").last?["text"]?.string == "Done after 10 rounds.",
            "\(next.lines(of: "error"))")
    }
}

extension String {
    fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}

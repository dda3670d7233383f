import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Each server of `Config/models.yaml`, connected on a terminal and asked, with a scripted one at its address.
@Suite(.process) struct ProfileConnectTests {
    struct Profile: Sendable, CustomTestStringConvertible {
        let name: String
        let path: String
        /// Header, what stands before the key in it, and the name that the key is kept under.
        let key: (header: String, lead: String, name: String)?
        let kind: StrictModel.Kind?
        var testDescription: String { name }

        init(
            _ name: String, _ path: String, _ kind: StrictModel.Kind? = .mistral, key: String? = nil,
            header: String = "authorization"
        ) {
            (self.name, self.path, self.kind) = (name, path, kind)
            self.key = key.map { (header, header == "authorization" ? "Bearer " : "", $0) }
        }

        /// A person's own file, in which the address is another; the rest stays as it is shipped.
        func write(_ url: String, to lab: ProgramLab) throws {
            if !ScratchFolder.exists("\(lab.home)/config") { #expect(makeFolder("\(lab.home)/config")) }
            try ScratchFolder.write(
                "models: assent.models/v1\nprofiles:\n  \(name): {url: \"\(url)\(path)\"}\n",
                to: "\(lab.home)/config/models.yaml")
        }
    }

    static let profiles: [Profile] = [
        Profile("openai", "/v1", .openAI, key: "OPENAI_API_KEY"),
        Profile("anthropic", "/v1", .anthropic, key: "ANTHROPIC_API_KEY", header: "x-api-key"),
        Profile("gemini", "/v1beta/openai", .gemini, key: "GEMINI_API_KEY"),
        Profile("openrouter", "/api/v1", .openRouter, key: "OPENROUTER_API_KEY"),
        Profile("groq", "/openai/v1", key: "GROQ_API_KEY"),
        Profile("mistral", "/v1", key: "MISTRAL_API_KEY"), Profile("deepseek", "", .deepSeek, key: "DEEPSEEK_API_KEY"),
        Profile("xai", "/v1", key: "XAI_API_KEY"), Profile("ollama", "", nil), Profile("llama.cpp", "/v1"),
        Profile("vllm", "/v1"),
        Profile("lm-studio", "/v1"), Profile("litellm", "/v1"),
        Profile("azure", "/openai/v1", key: "AZURE_OPENAI_API_KEY", header: "api-key"),
    ]
    /// One of each dialect.
    static let dialects = profiles.filter { ["openai", "anthropic", "groq", "ollama"].contains($0.name) }
    static let typed = "key"

    private static func server(_ profile: Profile) throws -> ScriptedServer {
        try ScriptedServer { request in
            if let key = profile.key, request.headers[key.header] != key.lead + typed {
                return .json(
                    ["error": ["message": "Incorrect API key provided", "type": "authentication_error"]], status: 401)
            }
            guard request.path.hasPrefix(profile.path + "/") else { return .text("404 page not found", status: 404) }
            guard let kind = profile.kind else { return ollama(request) }
            return StrictModel(kind, rounds: 1).answer(request)
        }
    }

    private static func ollama(_ request: ScriptRequest) -> ScriptAnswer {
        func line(_ json: JSON) -> [UInt8] { Array((json.text + "\n").utf8) }
        switch request.path {
        case "/api/tags": return .json(["models": [["name": "m-large"], ["name": "m-small"]]])
        case "/api/chat":
            let names = request.json?["tools"]?.array?.compactMap { $0["function"]?["name"]?.string } ?? []
            let isAnswered = request.json?["messages"]?.array?.last?["role"]?.string == "tool"
            let call: JSON =
                names == ["report"]
                ? ["name": "report", "arguments": ["ok": true]] : ["name": "list_workflows", "arguments": [:]]
            let message: JSON =
                isAnswered
                ? ["role": "assistant", "content": "Done after 1 rounds."]
                : ["role": "assistant", "content": "", "tool_calls": [["function": call]]]
            return .stream(
                [
                    line(["message": message, "done": false]),
                    line([
                        "message": ["role": "assistant", "content": ""], "done": true, "done_reason": "stop",
                        "prompt_eval_count": 10,
                        "eval_count": 5,
                    ]),
                ], type: "application/x-ndjson")
        default: return .text("404 page not found", status: 404)
        }
    }

    /// The table has every one of them.
    @Test func allShippedProfilesAreConnected() async throws {
        let shipped = try await ProgramLab().json("model", "list").compactMap { $0["profile"]?.string }
        #expect(Set(shipped) == Set(Self.profiles.map(\.name)))
    }

    @Test(arguments: profiles) func fromConnectToTheFirstAnswer(_ profile: Profile) async throws {
        let server = try Self.server(profile)
        let lab = try ProgramLab()
        try profile.write(server.url, to: lab)
        let pty = try lab.terminal(columns: 80, rows: 24)
        #expect(await pty.see("›"))
        pty.send("/connect \(profile.name)\r")
        if profile.key != nil {
            #expect(await pty.see("^T shows it"), "\(pty.screen.text)")
            pty.send(Self.typed)
            #expect(await pty.see("•••"), "\(pty.screen.text)")
            pty.send("\r")
        }
        // The question for the key has a hint of its own.
        #expect(await pty.see("number or name"), "\(pty.screen.text)")
        pty.send("2\r")
        if profile.key != nil {
            #expect(await pty.see("press n"), "\(pty.screen.text)")
            pty.send("f\r")
        }
        #expect(await pty.see("it calls tools"), "\(pty.screen.text)")
        // Keys that come before the prompt is back belong to the dialogue, and there is no prompt until then.
        #expect(
            await pty.see { screen in
                screen.text.contains("from the next request on") && screen.lines.last { !$0.isEmpty }?.first == "›"
            }, "\(pty.screen.text)")
        pty.send("look\r")
        #expect(await pty.see("Done after 1 rounds."), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        #expect(server.requests.last?.json?["model"] == "m-small")
        // A key for an address of one's own has the name of that address.
        let kept = ScratchFolder.names(in: "\(lab.home)/config/keys")
        #expect(
            kept.map { ScratchFolder.text("\(lab.home)/config/keys/\($0)") }
                == (profile.key == nil ? [] : [Self.typed + "\n"]))
    }

    enum Fault: String, CaseIterable, Sendable { case wrongKey, nobodyListens, noName, oldServer }

    /// One sentence, what to do, and nothing half-done.
    @Test(arguments: dialects, Fault.allCases) func whatGoesWrongIsSaid(_ profile: Profile, _ fault: Fault) async throws
    {
        let server = try Self.server(profile)
        let refusing = try ScriptedRefusingPort()
        let old = try ScriptedServer { _ in .text("404 page not found", status: 404) }
        // One without a key cannot be refused it, and is on this machine.
        guard profile.key != nil || (fault != .wrongKey && fault != .noName) else { return }
        let lab = try ProgramLab()
        // A name that is too long for a name: it is resolved nowhere, and nothing is sent to find that out.
        let place: (url: String, exit: Int32, codes: Set<String>) =
            switch fault {
            case .wrongKey: (server.url, 1, ["modelRefusedKey"])
            case .nobodyListens: ("http://127.0.0.1:\(refusing.port)", 5, ["modelUnreachable"])
            case .noName: ("https://" + String(repeating: "n", count: 64) + ".example", 5, ["modelUnreachable"])
            case .oldServer: (old.url, 1, ["modelAddress"])
            }
        try profile.write(place.url, to: lab)
        if fault == .noName { try await lab.succeeds("hosts", "allow", String(place.url.dropFirst(8))) }
        let arguments =
            ["connect", profile.name, "--model", "m-small", "--json"] + (profile.key == nil ? [] : ["--key-stdin"])
        let ending = try await lab.run(arguments, input: "wrong-key-0123456789\n")
        let error = ending.lines.first { $0["type"] == "error" }
        #expect(
            ending.exit == place.exit && place.codes.contains(error?["code"]?.string ?? ""),
            "\(ending.exit) \(ending.output)\(ending.errors)")
        #expect(
            error?["message"]?.string?.isEmpty == false && error?["remedy"]?.string?.isEmpty == false,
            "\(ending.output)")
        #expect(
            !ScratchFolder.exists("\(lab.home)/config/connections.yaml")
                && ScratchFolder.names(in: "\(lab.home)/config/keys").isEmpty)
    }
}

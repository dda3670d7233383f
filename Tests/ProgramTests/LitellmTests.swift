import CaseNames
import Glibc
import Harness
import JSON
import Synchronization
import Testing

/// litellm's real proxy, as Chat Completions, as Messages and as Responses, before a scripted server.
@Suite(.process, .serialized, .timeLimit(.minutes(30))) struct LitellmTests {
    /// Thinks, makes two calls at once, one, two, and says so then; counts what it took.
    private static func upstream(_ request: ScriptRequest) -> ScriptAnswer {
        guard request.headers["authorization"] == "Bearer upstream-key" else {
            return .json(["error": ["message": "wrong key"]], status: 401)
        }
        let body = request.json
        let messages = body?["messages"]?.array ?? []
        let round = messages.reversed().prefix { $0["role"]?.string != "user" }.count {
            $0["role"]?.string == "assistant"
        }
        let tools = body?["tools"]?.array?.compactMap { $0["function"]?["name"]?.string } ?? []
        let name = tools == ["report"] ? "report" : "list_workflows"
        let usage = SSE.event([
            "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "scripted-1", "choices": [],
            "usage": [
                "prompt_tokens": 1_000, "completion_tokens": 20, "total_tokens": 1_020,
                "prompt_tokens_details": ["cached_tokens": 600],
            ],
        ])
        let isOver = round >= (name == "report" ? 1 : 3)
        var pieces = [
            SSE.delta(["role": "assistant", "reasoning_content": "Let me "]),
            SSE.delta(["reasoning_content": "think."]),
        ]
        if isOver {
            pieces += [SSE.delta(["content": "Done after "]), SSE.delta(["content": .string("\(round) rounds.")])]
        } else {
            for number in 0...(round % 2 == 0 && name != "report" ? 1 : 0) {
                pieces += SSE.callDeltas(
                    name, name == "report" ? ["ok": true] : [:], id: "call_\(messages.count)_\(number)", index: number,
                    pieceLength: 1)
            }
        }
        return .stream(pieces + [SSE.delta([:], finish: isOver ? "stop" : "tool_calls"), usage, SSE.done])
    }

    @Test func aTaskGoesThroughEachDialect() async throws {
        let server = try ScriptedServer { Self.upstream($0) }
        let proxy = try await LitellmProxy.start(upstream: server.url + "/v1")
        let dialects = [
            ("chat-completions", LitellmProxy.model, 1_000, 600, 20), ("messages", LitellmProxy.model, 1_000, 600, 20),
            ("responses", LitellmProxy.bridgedModel, 1_000, 600, 20),
        ]
        for (dialect, model, prompt, cached, completion) in dialects {
            let lab = try ProgramLab(environment: ["PROXY_KEY": LitellmProxy.key])
            #expect(makeFolder("\(lab.home)/config"))
            try ScratchFolder.write(
                "models: assent.models/v1\nprofiles:\n  litellm: {url: \"\(proxy.url)/v1\", key: PROXY_KEY, dialect: \(dialect)}\n",
                to: "\(lab.home)/config/models.yaml")
            let connected = try await lab.run("connect", "litellm", "--model", model, "--json")
            #expect(
                connected.exit == 0 && connected.lines.first?["tools"]?.bool == true,
                "\(dialect): \(connected.output)\(connected.errors)")
            let before = server.requests.count
            let ending = try await lab.run("ask", "look", "--json")
            #expect(ending.exit == 0, "\(dialect): \(ending.output)\(ending.errors)")
            #expect(
                ending.lines(of: "message.completed").last?["text"]?.string == "Done after 3 rounds.",
                "\(dialect): \(ending.output)")
            #expect(ending.lines(of: "call.succeeded").count == 5, "\(dialect)")
            #expect(server.requests.count - before == 4, "\(dialect)")
            let usage = ending.lines(of: "usage").last
            #expect(
                usage?["prompt_tokens"]?.int == prompt && usage?["completion_tokens"]?.int == completion,
                "\(dialect): \(usage?.text ?? "none")")
            #expect(usage?["cached_tokens"]?.int == cached, "\(dialect): \(usage?.text ?? "none")")
            let refused = try await lab.run(
                ["ask", "look", "--json"], environment: ["PROXY_KEY": "sk-wrong-0123456789abcdef"])
            #expect(refused.exit == 1, "\(dialect): \(refused.output)")
            #expect(refused.lines(of: "error").first?["code"] == "modelRefusedKey", "\(dialect): \(refused.output)")
        }
        proxy.end()
    }
}

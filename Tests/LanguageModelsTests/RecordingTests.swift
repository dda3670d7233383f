import Harness
import Testing
import Vocabulary

/// Answers of real servers, each as a person would expect it.
@Suite(.timeLimit(.minutes(10))) struct RecordingTests {
    static let greeting = "Grüße 世界 👩‍👩‍👧 — done. echo: hi"

    @Test(
        arguments: [
            ("litellm-chat-badjson", "", [], "threw modelBadRequest"),
            ("litellm-chat-badkey", "", [], "threw modelRefusedKey"),
            ("litellm-chat-mock-500", "", [], "threw modelOverloaded"),
            ("litellm-chat-mock-context", "", [], "threw modelContextOverflow"),
            ("litellm-chat-mock-filter", "", [], "threw modelFiltered"),
            ("litellm-chat-mock-ratelimit", "", [], "threw modelRateLimited"),
            ("litellm-chat-mock-streamerr", "", [], "threw modelOverloaded"),
            ("litellm-chat-mock-text-stream", "Hello from mock_response.", [], "complete"),
            (
                "litellm-chat-mock-tools-nostream", "This is a mock request", [#"get_weather{"city":"Oslo"}"#],
                "complete"
            ),
            ("litellm-chat-mock-tools-stream", "This is a mock request", [], "complete"),
            ("litellm-chat-nomessages", "", [], "threw modelBadRequest"),
            ("litellm-chat-nostream", greeting, [], "complete"),
            ("litellm-chat-stream-brokenjson", "", ["f!"], "complete"),
            ("litellm-chat-stream-escape", "\u{1B}]0;pwn\u{7}\u{1B}[2J\u{202E}\u{9B}31mok\n", [], "complete"),
            ("litellm-chat-stream-length", "cut o", [], "truncated"),
            ("litellm-chat-stream-miderror", "one two ", [], "failed modelOverloaded"),
            ("litellm-chat-stream-parallel", "", [#"get_weather{"n":0}"#, #"run_shell{"n":1}"#], "complete"),
            ("litellm-chat-stream-tool-result", "Grüße 世界 👩‍👩‍👧 — done. echo: out", [], "complete"),
            ("litellm-chat-stream-tool", "", [#"get_weather{"city":"hello 世界 🚀 \"q\"\n","days":1}"#], "complete"),
            ("litellm-chat-stream-usage", greeting, [], "complete"),
            ("litellm-chat-stream", greeting, [], "complete"),
            ("litellm-chat-unknown-model", "", [], "threw modelUnknown"),
            ("llamacpp-chat-badjson", "", [], "threw modelOverloaded"),
            ("llamacpp-chat-contextoverflow", "", [], "failed modelEmpty"),
            ("llamacpp-chat-image", "", [], "threw modelOverloaded"),
            (
                "llamacpp-chat-jsonobject",
                #"{ "MODUT5TKJheWuSsDtBmq}EgZDFhokokXq]]VO}]KDkpa}k":"y" ,"yWhmsPOBanwxer]hhe": ",AT}Gheu}onPinIpUhe"}"#,
                [], "complete"
            ),
            ("llamacpp-chat-jsonschema-openai", "", [], "threw modelOverloaded"),
            ("llamacpp-chat-jsonschema-stream", #"{ "a" :3019095947031, "b" : ["y"]}"#, [], "complete"),
            ("llamacpp-chat-length", "xre", [], "truncated"),
            ("llamacpp-chat-nostream", "xreGh}Ap", [], "complete"),
            (
                "llamacpp-chat-stream-toolforced", "",
                [#"get_weather{"city":"gKaTq rVlKWwKXBpk","days":4,"unit":"F"}"#], "complete"
            ),
            ("llamacpp-chat-stream-usage", "xreGh}Ap", [], "complete"),
            ("llamacpp-chat-stream", "xreGh}Ap", [], "complete"),
            ("llamacpp-chat-toolauto", "xreGh}Ap", [], "complete"),
            ("llamacpp-chat-toolforced", "", [#"run_shell{"argv":["a}G]}"],"command":"gBxR#okvz]PUpGE"}"#], "complete"),
        ] as [(String, String, [String], String)])
    func aChatIsHeardAsItWasMeant(name: String, text: String, calls: [String], outcome: String) async throws {
        let recording = try fixture(name)
        let server = try ScriptedServer { _ in recording.answer() }
        let heard = await hear(model(at: server))
        #expect(heard.text == text)
        #expect(heard.reply?.text ?? "" == text)
        #expect(heard.calls == calls)
        #expect(heard.outcome == outcome)
    }

    @Test(arguments: [
        "litellm-anthropic-mock-stream", "litellm-anthropic-nostream", "litellm-anthropic-stream-miderror",
        "litellm-anthropic-stream-tool",
        "litellm-anthropic-stream", "litellm-responses-nostream", "litellm-responses-stream-miderror",
        "litellm-responses-stream-tool",
        "litellm-responses-stream", "litellm-models", "llamacpp-models",
    ])
    func anotherDialectIsSaidToBeOneAndRunsNothing(name: String) async throws {
        let recording = try fixture(name)
        let server = try ScriptedServer { _ in recording.answer() }
        let heard = await hear(model(at: server))
        #expect(heard.outcome == "failed modelWrongDialect")
        #expect(heard.calls.isEmpty && heard.started.isEmpty)
    }

    @Test func usageIsHeardWhereItIsSent() async throws {
        for (name, prompt, completion) in [
            ("litellm-chat-stream-usage", 17, 9), ("litellm-chat-stream-tool", 17, 9),
            ("llamacpp-chat-nostream", 19, 7),
        ] {
            let recording = try fixture(name)
            let server = try ScriptedServer { _ in recording.answer() }
            #expect(
                await hear(model(at: server)).reply?.usage == .init(promptTokens: prompt, completionTokens: completion))
        }
    }
}

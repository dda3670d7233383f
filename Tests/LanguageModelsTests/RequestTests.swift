import CaseNames
import Harness
import JSON
@testable import LanguageModels
import Testing
import Vocabulary

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    static let call = ChatCall(id: "c1", name: "f", arguments: ["a": 1], opaque: object(["extra_content": ["s": "x"]]))
    static let other = ChatCall(id: "c2", name: "g", arguments: [:])

    static func object(_ json: JSON) -> JSON.Object { json.object ?? JSON.Object() }

    func body(_ messages: [ChatMessage], tools: [ChatTool] = [], change: (inout ModelProfile) -> Void = { _ in })
        -> JSON
    {
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        change(&profile)
        return ChatCompletionsRequest.body(ChatRequest(messages: messages, tools: tools), profile)
    }

    /// `role`, or `tool(id)`, of each message.
    func order(_ body: JSON) -> [String] {
        body["messages"]?.array?.map { $0["tool_call_id"]?.string.map { "tool(\($0))" } ?? $0["role"]?.string ?? "?" }
            ?? []
    }

    @Test func saysWhatChatCompletionsExpect() {
        let tool = ChatTool(name: "f", summary: "does", schema: ["type": "object"])
        let body = body([ChatMessage(.system, "be"), ChatMessage(.user, "hi")], tools: [tool])
        let expected: JSON = [
            "model": "m", "messages": [["role": "system", "content": "be"], ["role": "user", "content": "hi"]],
            "stream": true,
            "stream_options": ["include_usage": true],
            "tools": [
                [
                    "type": "function",
                    "function": ["name": "f", "description": "does", "parameters": ["type": "object"]],
                ]
            ],
        ]
        #expect(body == expected)
    }

    @Test func anAnswerWithoutCallsHasNoListOfThem() {
        #expect(body([ChatMessage(.assistant, "hello")])["messages"] == [["role": "assistant", "content": "hello"]])
    }

    @Test func callsComeBackWithTheirAnswersAndTheirSignatures() {
        let body = body([
            ChatMessage(.user, "hi"), ChatMessage(.assistant, "", calls: [Self.call]),
            ChatMessage(.tool, "done", callID: "c1"),
        ])
        let expected: JSON = [
            ["role": "user", "content": "hi"],
            [
                "role": "assistant", "content": .null,
                "tool_calls": [
                    [
                        "extra_content": ["s": "x"], "id": "c1", "type": "function",
                        "function": ["name": "f", "arguments": #"{"a":1}"#],
                    ]
                ],
            ],
            ["role": "tool", "tool_call_id": "c1", "content": "done"],
        ]
        #expect(body["messages"] == expected)
    }

    @Test(
        arguments: [
            (
                Named("no answers", [ChatMessage(.assistant, "", calls: [call, other])]),
                ["assistant", "tool(c1)", "tool(c2)"]
            ),
            (
                Named(
                    "one, late",
                    [
                        ChatMessage(.assistant, "", calls: [call, other]), ChatMessage(.user, "stop"),
                        ChatMessage(.tool, "b", callID: "c2"),
                    ]),
                ["assistant", "tool(c1)", "tool(c2)", "user"]
            ),
            (
                Named(
                    "two",
                    [
                        ChatMessage(.assistant, "", calls: [call]), ChatMessage(.tool, "a", callID: "c1"),
                        ChatMessage(.tool, "again", callID: "c1"),
                    ]),
                ["assistant", "tool(c1)"]
            ),
            (
                Named("one to no call", [ChatMessage(.user, "hi"), ChatMessage(.tool, "whose?", callID: "c9")]),
                ["user"]
            ),
            (Named("nothing said", [ChatMessage(.assistant, ""), ChatMessage(.user, "hi")]), ["user"]),
            (
                Named(
                    "the same call twice",
                    [
                        ChatMessage(.assistant, "", calls: [call]), ChatMessage(.assistant, "", calls: [call]),
                        ChatMessage(.tool, "a", callID: "c1"),
                    ]), ["assistant", "tool(c1)", "assistant", "tool(c1)"]
            ),
        ] as [(Named<[ChatMessage]>, [String])])
    func everyCallIsAnsweredOnceAndInItsPlace(messages: Named<[ChatMessage]>, expected: [String]) {
        #expect(order(body(messages.value)) == expected)
    }

    @Test func theProfileDecidesWhatServersDifferIn() {
        let tool = ChatTool(name: "f", summary: "", schema: [:])
        let body = body([ChatMessage(.system, "be")], tools: [tool]) {
            $0.usageInStream = false
            $0.maxTokens = 5
            $0.maxTokensField = .maxCompletionTokens
            $0.systemRole = .developer
            $0.parallelCalls = false
        }
        #expect(body["stream_options"] == nil)
        #expect(body["max_completion_tokens"] == 5 && body["max_tokens"] == nil)
        #expect(body["messages"]?[0]?["role"] == "developer")
        #expect(body["parallel_tool_calls"] == false)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080/v1", "http://127.0.0.1:8080/v1/chat/completions"),
        ("http://127.0.0.1:8080/v1/", "http://127.0.0.1:8080/v1/chat/completions"),
        ("https://x.test/v1/chat/completions", "https://x.test/v1/chat/completions"),
        ("https://x.test/d/m?api-version=1", "https://x.test/d/m/chat/completions?api-version=1"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/chat/completions"),
    ])
    func theAddressIsABaseOrWhole(url: String, endpoint: String) {
        #expect(ModelProfile(url: url, model: "m").endpoint == endpoint)
    }

    @Test func theKeyGoesIntoOneHeaderAndPrintsNowhere() async throws {
        let server = try ScriptedServer { _ in .stream(SSE.text("ok")) }
        let profile = ModelProfile(url: server.url, model: "m", apiKey: APIKey(" sk-secret\n"))
        #expect(await hear(model(at: server) { $0 = profile }).text == "ok")
        let request = try #require(server.requests.first)
        #expect(request.headers["authorization"] == "Bearer sk-secret")
        #expect(!request.text.contains("secret") && !request.path.contains("secret"))
        var dumped = ""
        dump(profile, to: &dumped)
        #expect(
            !"\(profile)".contains("secret") && !dumped.contains("secret")
                && !String(reflecting: profile).contains("secret"))
        #expect(APIKey(" \n") == nil)
    }
}

import CaseNames
import HTTP
import Harness
import JSON
@testable import LanguageModels
import Testing
import Vocabulary

/// What each dialect is asked, and what is heard of its streams.
struct DialectTests {
    static let tool = ChatTool(name: "f", summary: "Does.", schema: ["type": "object"])
    static let talk = [
        ChatMessage(.system, "Be brief."), ChatMessage(.user, "Do it."),
        ChatMessage(
            .assistant, "I look.",
            calls: [
                ChatCall(id: "call:1", name: "f", arguments: ["a": 1]), ChatCall(id: "c2", name: "g", arguments: [:]),
            ]),
        ChatMessage(.tool, "one", callID: "call:1"), ChatMessage(.user, "And?"),
    ]

    func body(
        _ dialect: ModelProfile.Dialect, _ messages: [ChatMessage] = talk,
        change: (inout ModelProfile) -> Void = { _ in }
    ) -> JSON {
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.dialect = dialect
        change(&profile)
        return ModelRequest.body(ChatRequest(messages: messages, tools: [Self.tool]), profile)
    }

    @Test func messagesAreAskedWithMarksForTheCache() {
        let id = ModelProfile.CallIDForm.word.fitted("call:1")
        let expected: JSON = [
            "model": "m", "max_tokens": .int(Limits.messagesMaxTokens),
            "tools": [
                [
                    "name": "f", "description": "Does.", "input_schema": ["type": "object"],
                    "cache_control": ["type": "ephemeral"],
                ]
            ],
            "system": [["type": "text", "text": "Be brief.", "cache_control": ["type": "ephemeral"]]],
            "messages": [
                ["role": "user", "content": [["type": "text", "text": "Do it."]]],
                [
                    "role": "assistant",
                    "content": [
                        ["type": "text", "text": "I look."],
                        ["type": "tool_use", "id": .string(id), "name": "f", "input": ["a": 1]],
                        ["type": "tool_use", "id": "c2", "name": "g", "input": [:]],
                    ],
                ],
                [
                    "role": "user",
                    "content": [
                        ["type": "tool_result", "tool_use_id": .string(id), "content": "one"],
                        [
                            "type": "tool_result", "tool_use_id": "c2",
                            "content": "There is no result: the call was not run.",
                        ],
                        ["type": "text", "text": "And?", "cache_control": ["type": "ephemeral"]],
                    ],
                ],
            ],
            "stream": true,
        ]
        #expect(body(.messages).canonical == expected.canonical)
        #expect(body(.messages) { $0.effort = "low" }["thinking"] == ["type": "adaptive"])
        #expect(body(.messages) { $0.effort = "none" }["thinking"] == ["type": "disabled"])
    }

    @Test func responsesAreAskedWithoutAStateOnTheServer() {
        let id = ModelProfile.CallIDForm.word.fitted("call:1")
        let expected: JSON = [
            "model": "m", "instructions": "Be brief.",
            "tools": [
                [
                    "type": "function", "name": "f", "description": "Does.", "parameters": ["type": "object"],
                    "strict": false,
                ]
            ],
            "input": [
                ["type": "message", "role": "user", "content": [["type": "input_text", "text": "Do it."]]],
                ["type": "message", "role": "assistant", "content": [["type": "output_text", "text": "I look."]]],
                ["type": "function_call", "call_id": .string(id), "name": "f", "arguments": #"{"a":1}"#],
                ["type": "function_call", "call_id": "c2", "name": "g", "arguments": "{}"],
                ["type": "function_call_output", "call_id": .string(id), "output": "one"],
                [
                    "type": "function_call_output", "call_id": "c2",
                    "output": "There is no result: the call was not run.",
                ],
                ["type": "message", "role": "user", "content": [["type": "input_text", "text": "And?"]]],
            ],
            "store": false, "include": ["reasoning.encrypted_content"], "stream": true,
        ]
        #expect(body(.responses).canonical == expected.canonical)
        #expect(body(.responses) { $0.effort = "high" }["reasoning"] == ["effort": "high", "summary": "auto"])
    }

    @Test func ollamaIsAskedForItsWindow() {
        let expected: JSON = [
            "model": "m",
            "messages": [
                ["role": "system", "content": "Be brief."], ["role": "user", "content": "Do it."],
                [
                    "role": "assistant", "content": "I look.",
                    "tool_calls": [
                        ["function": ["name": "f", "arguments": ["a": 1]]],
                        ["function": ["name": "g", "arguments": [:]]],
                    ],
                ],
                ["role": "tool", "tool_name": "f", "content": "one"],
                ["role": "tool", "tool_name": "g", "content": "There is no result: the call was not run."],
                ["role": "user", "content": "And?"],
            ],
            "tools": [
                [
                    "type": "function",
                    "function": ["name": "f", "description": "Does.", "parameters": ["type": "object"]],
                ]
            ],
            "options": ["num_ctx": 16384], "stream": true,
        ]
        #expect(body(.ollama) { $0.window = 16_384 }.canonical == expected.canonical)
        #expect(body(.ollama) { $0.effort = "none" }["think"] == false)
        #expect(body(.ollama) { $0.effort = "on" }["think"] == true)
    }

    @Test(arguments: ModelProfile.Dialect.allCases) func aModelWithoutToolsIsAskedWithoutThem(
        dialect: ModelProfile.Dialect
    ) {
        #expect(body(dialect) { $0.hasTools = false }["tools"] == nil)
    }

    /// Servers refuse to be held to another schema.
    @Test(arguments: [ModelProfile.Dialect.chatCompletions, .responses]) func onlyAStrictSchemaIsAskedForStrictly(
        dialect: ModelProfile.Dialect
    ) {
        let open: JSON = ["type": "object", "properties": ["a": ["type": "string"]], "required": []]
        let closed: JSON = [
            "type": "object", "properties": ["a": ["type": "array", "items": ["type": "string"]]], "required": ["a"],
            "additionalProperties": false,
        ]
        for (schema, isStrict) in [(open, false), (closed, true), (["type": "object"], false)] {
            var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
            profile.dialect = dialect
            profile.hasStrictSchemas = true
            let tool = ChatTool(name: "f", summary: "Does.", schema: schema)
            let sent = ModelRequest.body(ChatRequest(messages: [], tools: [tool]), profile)["tools"]?[0]
            #expect((sent?["function"]?["strict"] ?? sent?["strict"])?.bool ?? false == isStrict)
        }
    }

    @Test(arguments: ModelProfile.Dialect.allCases) func itsOwnAddressIsFoundBehindAnyBase(
        dialect: ModelProfile.Dialect
    ) {
        for base in [
            "http://h/v1", "http://h/v1/", "http://h/v1/chat/completions", "http://h/v1/messages",
            "http://h/v1" + dialect.path,
        ] {
            var profile = ModelProfile(url: base, model: "m")
            profile.dialect = dialect
            #expect(profile.endpoint == "http://h/v1" + dialect.path)
        }
    }

    // MARK: Opaque parts

    @Test(arguments: ModelProfile.Dialect.allCases) func whatIsOpaqueGoesBackToItsOriginAlone(
        dialect: ModelProfile.Dialect
    ) {
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.dialect = dialect
        let blocks = PlacedBlocks(blocks: [
            (0, ["type": "thinking", "mark": "first"]), (1, ["type": "thinking", "mark": "second"]),
        ])
        var parts = blocks.parts
        parts["reasoning_content"] = "the mark of a thought"
        for (origin, isBack) in [(profile.origin, dialect != .ollama), ("other", false)] {
            var talk = Self.talk
            talk[2].opaque = OpaqueParts(origin: origin, parts: parts)
            let text = ModelRequest.body(ChatRequest(messages: talk, tools: []), profile).text
            #expect(text.contains("mark") == isBack)
        }
    }

    @Test func thoughtsStandAtTheirPlacesAmongTheCalls() {
        var talk = Self.talk
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.dialect = .messages
        let blocks = PlacedBlocks(blocks: [(0, ["type": "thinking", "n": 1]), (1, ["type": "thinking", "n": 2])])
        talk[2].opaque = OpaqueParts(origin: profile.origin, parts: blocks.parts)
        let content =
            ModelRequest.body(ChatRequest(messages: talk, tools: []), profile)["messages"]?[1]?["content"]?.array ?? []
        #expect(content.map { $0["type"]?.string } == ["thinking", "text", "tool_use", "thinking", "tool_use"])
    }

    @Test func aSignatureThatIsNotThereIsNotMadeUp() throws {
        var reader = ReplyReader(anthropic)
        _ = reader.feed(try fixture("litellm-anthropic-thinking-paralleltools").body)
        let reply = reader.end(.clean).reply
        #expect(reply.calls.count == 2 && reply.opaque == nil && reply.reasoning.hasPrefix("The user wants"))
    }

    private var anthropic: ModelProfile {
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.dialect = .messages
        return profile
    }

    // MARK: Ollama's lines

    @Test func ollamasLinesAreHeardHoweverTheyAreSplit() {
        let lines =
            #"{"message":{"role":"assistant","thinking":"hm"},"done":false}"# + "\n"
            + #"{"message":{"content":"Yes 世界"},"done":false}"#
            + "\n"
            + #"{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"x":1}}},{"function":{"name":"f","arguments":{"x":2}}}]},"done":false}"#
            + "\n"
            + #"{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3}"#
        var profile = ModelProfile(url: "http://127.0.0.1:1", model: "m")
        profile.dialect = .ollama
        let bytes = Array(lines.utf8)
        for cut in 0...bytes.count {
            var reader = ReplyReader(profile)
            _ = reader.feed(Array(bytes[..<cut]))
            if cut < bytes.count {
                var copy = reader
                #expect(copy.end(.clean).reply.calls.isEmpty, "cut at \(cut)")
            }
            _ = reader.feed(Array(bytes[cut...]))
            let reply = reader.end(.clean).reply
            #expect(reply.verdict == .complete && reply.text == "Yes 世界" && reply.reasoning == "hm")
            #expect(reply.calls.map(\.arguments) == [["x": 1], ["x": 2]] && Set(reply.calls.map(\.id)).count == 2)
            #expect(reply.usage == .init(promptTokens: 7, completionTokens: 3))
        }
    }

    @Test(arguments: [
        (#"{"error":"model \"m\" not found, try pulling it first"}"#, 404, "threw modelUnknown"),
        (#"{"message":{"content":"a"},"done":false}"# + "\n" + #"{"error":"it broke"}"#, 200, "failed modelOverloaded"),
        (#"{"message":{"content":"a"},"done":false}"#, 200, "truncated"),
        (#"{"message":{"content":"a"},"done":true,"done_reason":"length"}"#, 200, "truncated"),
        (#"{"choices":[{"delta":{"content":"a"}}]}"#, 200, "failed modelWrongDialect"),
    ])
    func ollamasFaultsAreWhatTheyAre(body: String, status: Int, outcome: String) async throws {
        let server = try ScriptedServer { _ in .text(body, status: status) }
        let model = model(at: server) {
            $0.url = server.url
            $0.dialect = .ollama
        }
        #expect(await hear(model).outcome == outcome)
    }

    // MARK: The window

    @Test func whatDoesNotFitIntoTheWindowIsLeftOutFromItsOldEnd() {
        var messages = [ChatMessage(.system, "Be.")]
        for turn in 1...100 {
            messages += [
                ChatMessage(.user, "line \(turn) " + String(repeating: "x", count: 300)),
                ChatMessage(.assistant, "answer \(turn)"),
            ]
        }
        messages += [ChatMessage(.user, "the last")]
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        for window in [1_024, 2_048, 8_192, 1_000_000] {
            profile.window = window
            let fitted = ContextWindow.fitted(ChatRequest(messages: messages, tools: [Self.tool]), profile).messages
            #expect(fitted.first?.role == .system && fitted.last?.text == "the last" && fitted[1].role == .user)
            #expect(fitted.reduce(0) { $0 + $1.text.utf8.count } <= window * 3)
            #expect((fitted.count == messages.count) == (window == 1_000_000))
            // Exchanges are whole.
            #expect(fitted.count(where: { $0.role == .user }) == fitted.count(where: { $0.role == .assistant }) + 1)
        }
    }

    /// The turn before the running one does not fit whole into what instructions and tools leave of a small window: its
    /// beginning is sent all the same, and what is left out is counted.
    @Test func ofATurnThatDoesNotFitItsBeginningIsSent() {
        let long = String(repeating: "wörd ", count: 2_000)
        let messages =
            [ChatMessage(.system, String(repeating: "s", count: 6_000))]
            + (1...4).flatMap {
                [ChatMessage(.user, "line \($0) " + long), ChatMessage(.assistant, "answer \($0) " + long)]
            }
            + [ChatMessage(.user, "what was said first?")]
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.window = 6_000
        let fitted = ContextWindow.fitted(ChatRequest(messages: messages, tools: []), profile)
        #expect(fitted.messages.map(\.role) == [.system, .user, .assistant, .user])
        #expect(fitted.messages[1].text.hasPrefix("line 4 ") && fitted.messages[2].text.hasPrefix("answer 4 "))
        #expect(
            fitted.messages[1...2].allSatisfy { $0.text.hasSuffix("[the rest does not fit into the model's window]") })
        #expect(fitted.leftOut == ChatRequest.LeftOut(turns: 3, messages: 6))
        #expect(fitted.messages.reduce(0) { $0 + $1.bytes } <= 4_500 * 3)
        // Where there is no room to speak of, nothing is sent of it.
        profile.window = 3_000
        let small = ContextWindow.fitted(ChatRequest(messages: messages, tools: []), profile)
        #expect(
            small.messages.map(\.role) == [.system, .user]
                && small.leftOut == ChatRequest.LeftOut(turns: 4, messages: 8))
        profile.window = 1_000_000
        #expect(ContextWindow.fitted(ChatRequest(messages: messages, tools: []), profile).leftOut == .nothing)
    }

    /// The list of the folder is told once and then only its changes; where the list falls out of the window, the first
    /// that is left has all of it.
    @Test(arguments: [false, true]) func anAsideIsWholeWhereTheOnesBeforeItAreLeftOut(isLastChanged: Bool) {
        let long = String(repeating: "x", count: 9_000)
        let messages = [
            ChatMessage(.system, "s"), ChatMessage(.user, long, aside: .init(words: "[whole 1]", whole: "[whole 1]")),
            ChatMessage(.assistant, long), ChatMessage(.user, long), ChatMessage(.assistant, long),
            ChatMessage(.user, "now", aside: isLastChanged ? .init(words: "[change 2]", whole: "[whole 2]") : nil),
        ]
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        func sent() -> String? {
            ModelRequest.body(ChatRequest(messages: messages, tools: []), profile)["messages"]?.array?.last?["content"]?
                .string
        }
        #expect(sent() == (isLastChanged ? "now\n\n[change 2]" : "now"))
        profile.window = 1_024
        #expect(sent() == (isLastChanged ? "now\n\n[whole 2]" : "now\n\n[whole 1]"))
    }

    @Test func resultsThatAreTooLongForTheWindowAreCutAndSaySo() {
        let calls = (1...4).map { ChatCall(id: "c\($0)", name: "f", arguments: [:]) }
        let results = (1...4).map { ChatMessage(.tool, String(repeating: "x", count: 64_000), callID: "c\($0)") }
        let messages =
            [ChatMessage(.system, "Be."), ChatMessage(.user, "Go."), ChatMessage(.assistant, "", calls: calls)]
            + results
        var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
        profile.window = 8_192
        let fitted = ContextWindow.fitted(ChatRequest(messages: messages, tools: []), profile).messages
        #expect(fitted.count == messages.count && fitted.reduce(0) { $0 + $1.text.utf8.count } <= 8_192 * 3)
        #expect(
            fitted.filter { $0.role == .tool }.allSatisfy {
                $0.text.hasSuffix("[the rest does not fit into the model's window]")
            })
    }
}

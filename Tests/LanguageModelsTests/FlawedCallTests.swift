import CaseNames
import JSON
import LanguageModels
import Testing
import Vocabulary

/// Arguments that are no JSON object, in each dialect (`wire.md` LLM 5).
@Suite struct FlawedCallTests {
    /// The arguments, and what the model is told of them.
    private static let flaws: [(arguments: String, words: String)] = [
        (#"{"a":"#, "The arguments are no JSON: The text ends"),
        (#"{"a": 1"#, "The arguments are no JSON: "), (#"{'a': 1}"#, "(line 1, column 2)"),
        ("{\n\"a\": tru\n}", "(line 2, column "), ("[1]", "The arguments are a list, not an object."),
        ("7", "The arguments are a whole number, not an object."),
        (#""text""#, "The arguments are text, not an object."),
        (#"{"a": 1} {"b": 2}"#, "The arguments are no JSON: "),
        (#"{"a": 1, "a": 2}"#, "The arguments cannot be read: "),
    ]

    private static let example = #" Send one object, such as {"path": "main.py"}."#

    /// The events of a reply with two calls, of which the second has these arguments, and the reason to stop.
    private static func events(_ dialect: ModelProfile.Dialect, _ arguments: String, isCut: Bool) -> [JSON] {
        let text = JSON.string(arguments)
        switch dialect {
        case .chatCompletions:
            return [
                ["choices": [["delta": ["tool_calls": [call(0, "f", "{\"x\":1}")]]]]],
                ["choices": [["delta": ["tool_calls": [call(1, "g", arguments)]]]]],
                ["choices": [["delta": [:], "finish_reason": isCut ? "length" : "tool_calls"]]],
            ]
        case .messages:
            return [
                ["type": "message_start", "message": [:]],
                [
                    "type": "content_block_start", "index": 0,
                    "content_block": ["type": "tool_use", "id": "a", "name": "f", "input": ["x": 1]],
                ],
                [
                    "type": "content_block_start", "index": 1,
                    "content_block": ["type": "tool_use", "id": "b", "name": "g", "input": [:]],
                ],
                [
                    "type": "content_block_delta", "index": 1,
                    "delta": ["type": "input_json_delta", "partial_json": text],
                ],
                ["type": "message_delta", "delta": ["stop_reason": isCut ? "max_tokens" : "tool_use"]],
                ["type": "message_stop"],
            ]
        case .responses:
            func item(_ name: String, _ arguments: JSON) -> JSON {
                ["type": "function_call", "call_id": .string(name), "name": .string(name), "arguments": arguments]
            }
            return [
                ["type": "response.output_item.done", "output_index": 0, "item": item("f", "{\"x\":1}")],
                ["type": "response.output_item.done", "output_index": 1, "item": item("g", text)],
                ["type": "response.completed", "response": ["status": isCut ? "incomplete" : "completed"]],
            ]
        case .ollama:
            return [
                [
                    "message": [
                        "tool_calls": [
                            ["function": ["name": "f", "arguments": ["x": 1]]],
                            ["function": ["name": "g", "arguments": text]],
                        ]
                    ], "done": false,
                ],
                ["message": ["content": ""], "done": true, "done_reason": isCut ? "length" : "stop"],
            ]
        }
    }

    private static func call(_ index: Int, _ name: String, _ arguments: String) -> JSON {
        [
            "index": .int(index), "id": .string(name),
            "function": ["name": .string(name), "arguments": .string(arguments)],
        ]
    }

    private static let dialects: [ModelProfile.Dialect] = [.chatCompletions, .messages, .responses, .ollama]

    @Test(arguments: dialects) func theCallStaysInTheListWithItsFlaw(dialect: ModelProfile.Dialect) {
        for (arguments, words) in Self.flaws {
            let events = Self.events(dialect, arguments, isCut: false)
            let heard = assemble(events.map(\.text)) { $0.dialect = dialect }
            #expect(heard.outcome == "complete" && heard.calls == [#"f{"x":1}"#, "g!"], "\(arguments): \(heard)")
            let call = heard.reply?.calls.last
            #expect(call?.arguments == [:])
            #expect(call?.flaw?.contains(words) == true, "\(arguments): \(call?.flaw ?? "")")
            #expect(call?.flaw?.hasSuffix(Self.example) == true)
        }
    }

    @Test(arguments: dialects) func aReplyThatWasCutRunsNothing(dialect: ModelProfile.Dialect) {
        for arguments in Self.flaws.map(\.arguments) + [#"{"a": 1}"#] {
            let events = Self.events(dialect, arguments, isCut: true).map(\.text)
            let cut = assemble(events) { $0.dialect = dialect }
            #expect(cut.outcome == "truncated" && cut.calls.isEmpty, "\(arguments): \(cut)")
            let whole = Self.events(dialect, arguments, isCut: false).map(\.text)
            let broken = assemble(whole, .broken(words: "Reset.")) { $0.dialect = dialect }
            #expect(broken.outcome == "truncated" && broken.calls.isEmpty)
            let endless = assemble(Array(whole.dropLast(dialect == .messages ? 2 : 1))) { $0.dialect = dialect }
            #expect(endless.outcome == "truncated" && endless.calls.isEmpty)
        }
    }

    @Test(arguments: ["tool_calls", "stop", "length"]) func theReasonToStopDecides(reason: String) {
        let alone = assemble([EndOfStreamTests.cut, EndOfStreamTests.finish(reason), "[DONE]"])
        #expect(alone.outcome == (reason == "length" ? "truncated" : "complete"))
        #expect(alone.calls == (reason == "length" ? [] : ["f!"]))
    }

    /// A list in place of an object, not as a text.
    @Test func argumentsOfAnotherKindAreAFlaw() {
        let chunk =
            #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"f","arguments":%s}}]}}]}"#
        for (arguments, call) in [
            ("[1]", "f!"), ("7", "f!"), ("true", "f!"), ("null", "f{}"), (#"{"a":1}"#, #"f{"a":1}"#),
        ] {
            let heard = assemble([
                chunk.replacing("%s", with: arguments), EndOfStreamTests.finish("tool_calls"), "[DONE]",
            ])
            #expect(heard.calls == [call], "\(arguments)")
        }
    }
}

import CaseNames
import LanguageModels
import Testing
import Vocabulary

/// The table of `wire.md` LLM 5, row by row.
struct EndOfStreamTests {
    static let text = #"{"choices":[{"index":0,"delta":{"content":"Hello."}}]}"#
    static let whole =
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}]}}]}"#
    static let cut =
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":"}}]}}]}"#
    static let scalar =
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"f","arguments":"[1]"}}]}}]}"#
    static let nameless =
        #"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"arguments":"{}"}}]}}]}"#
    static let usage = #"{"choices":[],"usage":{"prompt_tokens":1,"completion_tokens":2}}"#
    static let error = #"{"error":{"message":"it broke","code":502}}"#
    static let done = "[DONE]"

    static func finish(_ reason: String) -> String {
        #"{"choices":[{"index":0,"delta":{},"finish_reason":"\#(reason)"}]}"#
    }

    @Test(
        arguments: [
            ([text, finish("stop"), done], 0, "complete"),
            ([whole, finish("tool_calls"), done], 1, "complete"),
            ([whole, finish("tool_calls"), usage, done], 1, "complete"),
            ([text, finish("stop")], 0, "complete"),
            ([whole, finish("tool_calls")], 1, "complete"),
            ([text, done], 0, "complete"),
            ([whole, done], 1, "complete"),
            ([cut, done], 0, "truncated"),
            ([text], 0, "truncated"),
            ([whole], 0, "truncated"),
            ([], 0, "truncated"),
            ([done], 0, "truncated"),
            ([usage], 0, "truncated"),
            ([whole, finish("length"), done], 0, "truncated"),
            ([whole, finish("max_tokens"), done], 0, "truncated"),
            ([whole, finish("MAX_TOKENS"), done], 0, "truncated"),
            ([cut, finish("tool_calls"), done], 1, "complete"),
            ([cut, finish("stop"), done], 1, "complete"),
            ([cut, finish("length"), done], 0, "truncated"),
            ([cut, finish("tool_calls")], 1, "complete"),
            ([scalar, finish("tool_calls"), done], 1, "complete"),
            ([scalar, done], 0, "truncated"),
            ([nameless, finish("tool_calls"), done], 0, "truncated"),
            ([finish("tool_calls"), done], 0, "truncated"),
            ([whole, finish("stop"), done], 1, "complete"),
            ([whole, finish(""), done], 1, "complete"),
            ([whole, finish("")], 0, "truncated"),
            ([finish("tool_calls"), whole], 0, "truncated"),
            ([text, error], 0, "failed modelOverloaded"),
            ([whole, error, finish("tool_calls"), done], 0, "failed modelOverloaded"),
            ([whole, finish("tool_calls"), error, done], 0, "failed modelOverloaded"),
            ([whole, finish("content_filter"), done], 0, "failed modelFiltered"),
            ([whole, finish("error"), done], 0, "failed modelOverloaded"),
            ([whole, finish("length"), finish("tool_calls"), done], 0, "truncated"),
            ([finish("length"), whole, finish("tool_calls"), done], 0, "truncated"),
            ([whole, finish("content_filter"), finish("stop"), done], 0, "failed modelFiltered"),
            ([whole, finish("abort"), finish("stop"), done], 0, "truncated"),
            ([whole, "{broken", finish("tool_calls"), done], 0, "failed modelBadReply"),
        ] as [([String], Int, String)])
    func theVerdictFollowsFromHowTheStreamEnded(chunks: [String], calls: Int, verdict: String) {
        let heard = assemble(chunks)
        #expect(heard.calls.count == calls)
        #expect(heard.outcome == verdict)
    }

    /// A call, a reason that cuts, and then one that does not.
    private static let cutReplies: [ModelProfile.Dialect: [String]] = [
        .messages: [
            #"{"type":"message_start","message":{}}"#,
            #"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"f","input":{"a":1}}}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#,
            #"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#, #"{"type":"message_stop"}"#,
        ],
        .ollama: [
            #"{"message":{"tool_calls":[{"function":{"name":"f","arguments":{}}}]},"done":false,"done_reason":"length"}"#,
            #"{"message":{"content":""},"done":true,"done_reason":"stop"}"#,
        ],
    ]

    @Test(arguments: [ModelProfile.Dialect.messages, .ollama])
    func aReasonThatCutsStaysInOtherDialectsToo(dialect: ModelProfile.Dialect) throws {
        let heard = assemble(try #require(Self.cutReplies[dialect])) { $0.dialect = dialect }
        #expect(heard.outcome == "truncated" && heard.calls.isEmpty)
    }

    @Test(arguments: [
        [text, finish("stop"), done], [whole, finish("tool_calls"), done], [whole, finish("tool_calls")], [text], [],
    ])
    func aBrokenConnectionIsTruncationAlways(chunks: [String]) {
        let heard = assemble(chunks, .broken(words: "Reset."))
        #expect(heard.outcome == "truncated")
        #expect(heard.calls.isEmpty)
    }

    @Test func aCutIsSaidInWholeSentences() {
        let heard = assemble([Self.whole], .broken(words: "The connection was reset."))
        let words = "The connection was reset. None of its calls was run."
        #expect(heard.reply?.verdict == .truncated(Reason("modelTruncated", words)))
    }

    /// Only a reason to stop shows that the model had finished. Without it, a call that is not whole was cut.
    @Test func oneCallThatCannotBeReadStandsBesideTheOthers() {
        let second =
            #"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"c2","function":{"name":"g","arguments":"{\"b\""}}]}}]}"#
        #expect(assemble([Self.whole, second, Self.finish("tool_calls"), Self.done]).calls == [#"f{"a":1}"#, "g!"])
        #expect(assemble([Self.whole, second, Self.done]).calls.isEmpty)
        let nameless = second.replacing(#""name":"g","#, with: "")
        #expect(assemble([Self.whole, nameless, Self.finish("tool_calls"), Self.done]).calls.isEmpty)
    }

    @Test func textBeforeAnErrorIsKept() {
        #expect(assemble([Self.text, Self.error]).reply?.text == "Hello.")
    }

    @Test func moreCallsThanAnyoneMakesAreRefused() {
        let calls = (0..<300).map {
            #"{"choices":[{"delta":{"tool_calls":[{"index":\#($0),"id":"c\#($0)","function":{"name":"f"}}]}}]}"#
        }
        #expect(assemble(calls + [Self.finish("tool_calls"), Self.done]).outcome == "failed modelBadReply")
    }
}

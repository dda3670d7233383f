import CaseNames
import JSON
import LanguageModels
import Testing
import Vocabulary

/// One case for each quirk of `wire.md` LLM 6, 8. A case is the deltas of a reply and the calls that are meant.
struct QuirkTests {
    struct Quirk: Sendable, CustomTestStringConvertible {
        let name: String
        let deltas: [String]
        let calls: [String]

        init(_ name: String, _ deltas: String..., gives calls: [String]) {
            self.name = name
            self.deltas = deltas
            self.calls = calls
        }

        var testDescription: String { name }
    }

    @Test(arguments: [
        Quirk(
            "Ollama: no index, arguments as an object",
            #"[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]"#,
            #"[{"id":"b","function":{"name":"f","arguments":{"x":2}}}]"#,
            gives: [#"f{"x":1}"#, #"f{"x":2}"#]),
        Quirk(
            "Ollama: all calls have index 0",
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]"#,
            #"[{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}]"#,
            gives: ["f{}", "f{}"]),
        Quirk(
            "llama.cpp: id and name in each delta",
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]"#,
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"}"}}]"#,
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]"#,
            gives: ["f{}"]),
        Quirk(
            "llama.cpp: name in each delta, no id",
            #"[{"index":0,"function":{"name":"f","arguments":"{\"x\":"}}]"#,
            #"[{"index":0,"function":{"name":"f","arguments":"1}"}}]"#,
            gives: [#"f{"x":1}"#]),
        Quirk(
            "llama.cpp: the id inside the function",
            #"[{"index":0,"function":{"id":"a","name":"f","arguments":"{}"}}]"#,
            #"[{"index":0,"function":{"id":"b","name":"f","arguments":"{}"}}]"#,
            gives: ["f{}", "f{}"]),
        Quirk(
            "vLLM: a null name later",
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]"#,
            #"[{"index":0,"id":null,"function":{"name":null,"arguments":"{}"}}]"#,
            gives: ["f{}"]),
        Quirk(
            "vLLM: the last chunk says it all again",
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]"#,
            #"[{"index":0,"function":{"arguments":"1}"}}]"#,
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]"#,
            gives: [#"f{"x":1}"#]),
        Quirk(
            "Gemini: parallel calls at index 0 without ids",
            #"[{"index":0,"id":"","function":{"name":"f","arguments":"{\"x\":1}"}}]"#,
            #"[{"index":0,"id":"","function":{"name":"f","arguments":"{\"x\":2}"}}]"#,
            #"[{"index":0,"id":"","function":{"name":"g","arguments":"{}"}}]"#,
            gives: [#"f{"x":1}"#, #"f{"x":2}"#, "g{}"]),
        Quirk(
            "Gemini: no index, several in one delta",
            #"[{"function":{"name":"f","arguments":"{\"x\":1}"}},{"function":{"name":"f","arguments":"{\"x\":2}"}}]"#,
            gives: [#"f{"x":1}"#, #"f{"x":2}"#]),
        Quirk(
            "Gemini: an empty name first",
            #"[{"index":0,"id":"a","function":{"name":"","arguments":""}}]"#,
            #"[{"index":0,"function":{"name":"f","arguments":"{}"}}]"#,
            gives: ["f{}"]),
        Quirk(
            "no index: what has no name goes on with the last call",
            #"[{"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]"#, #"[{"function":{"arguments":"1}"}}]"#,
            gives: [#"f{"x":1}"#]),
        Quirk(
            "fragments of two calls mixed",
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]"#,
            #"[{"index":1,"id":"b","function":{"name":"g","arguments":"{\"y\":"}}]"#,
            #"[{"index":0,"function":{"arguments":"1}"}}]"#, #"[{"index":1,"function":{"arguments":"2}"}}]"#,
            gives: [#"f{"x":1}"#, #"g{"y":2}"#]),
        Quirk(
            "an index that counts the deltas",
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":"}}]"#,
            #"[{"index":1,"id":"a","function":{"arguments":"1}"}}]"#,
            gives: [#"f{"x":1}"#]),
        Quirk(
            "two calls with one id", #"[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]"#,
            #"[{"index":1,"id":"a","function":{"name":"f","arguments":"{\"x\":2}"}}]"#,
            gives: [#"f{"x":1}"#, #"f{"x":2}"#]),
        Quirk(
            "two calls with one id, in pieces", #"[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]"#,
            #"[{"index":1,"id":"a","function":{"name":"g","arguments":""}}]"#,
            #"[{"index":0,"id":"a","function":{"arguments":"{\"x\":1}"}}]"#,
            #"[{"index":1,"function":{"arguments":"{\"y\":2}"}}]"#, gives: [#"f{"x":1}"#, #"g{"y":2}"#]),
        Quirk(
            "two calls with one id and no index",
            #"[{"id":"a","function":{"name":"f","arguments":{"x":1}}},{"id":"a","function":{"name":"f","arguments":{"x":2}}}]"#,
            gives: [#"f{"x":1}"#, #"f{"x":2}"#]),
        Quirk("empty arguments", #"[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]"#, gives: ["f{}"]),
        Quirk("null arguments", #"[{"index":0,"id":"a","function":{"name":"f","arguments":null}}]"#, gives: ["f{}"]),
        Quirk(
            "arguments that say null", #"[{"index":0,"id":"a","function":{"name":"f","arguments":"null"}}]"#,
            gives: ["f{}"]),
        Quirk("no arguments", #"[{"index":0,"id":"a","function":{"name":"f"}}]"#, gives: ["f{}"]),
        Quirk(
            "an object twice", #"[{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}]"#,
            #"[{"index":0,"id":"a","function":{"name":"f","arguments":{"x":1}}}]"#, gives: [#"f{"x":1}"#]),
    ])
    func callsAreWhatTheServerMeant(quirk: Quirk) {
        let chunks = quirk.deltas.map { #"{"choices":[{"index":0,"delta":{"content":"","tool_calls":\#($0)}}]}"# }
        let heard = assemble(chunks + [EndOfStreamTests.finish("tool_calls"), "[DONE]"])
        #expect(heard.calls == quirk.calls)
        #expect(heard.started.count == quirk.calls.count)
        #expect(heard.outcome == "complete")
        let ids = heard.reply?.calls.map(\.id) ?? []
        #expect(Set(ids).count == ids.count && !ids.contains(""))
    }

    @Test func signaturesAreKeptAndNothingElse() {
        let call =
            #"{"id":"a","function":{"name":"f"},"extra_content":{"google":{"thought_signature":"s"}},"obfuscation":"zz"}"#
        let heard = assemble([#"{"choices":[{"delta":{"tool_calls":[\#(call)]},"finish_reason":"stop"}]}"#])
        #expect(heard.reply?.calls.first?.opaque.keys == ["extra_content"])
    }

    @Test(
        arguments: [
            (["He", "llo", "llo"], false, "Hellollo"),
            (["He", "Hello", "Hello you", "Hello you"], true, "Hello you"),
            (["ha", "ha", "haha"], false, "hahahaha"),
            (["Grü", "Grüß", "Grüße"], true, "Grüße"),
            (["He", "Hello", " again"], true, "Hello again"),
        ] as [([String], Bool, String)])
    func repeatedContentIsTakenOffOnlyWhereTheProfileSaysSo(pieces: [String], isCumulative: Bool, text: String) {
        let chunks = pieces.map { JSON.of(["choices": [["delta": ["content": .string($0)]]]]).text }
        let heard = assemble(chunks + [EndOfStreamTests.finish("stop")]) { $0.cumulativeContent = isCumulative }
        #expect(heard.text == text)
        #expect(heard.reply?.text == text)
    }

    @Test(arguments: [
        #"{"choices":null,"usage":{"prompt_tokens":3,"completion_tokens":4}}"#,
        #"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}"#,
        #"{"choices":[{"index":0,"delta":{}}],"usage":{"prompt_tokens":3,"completion_tokens":4}}"#,
    ])
    func usageComesInManyShapes(chunk: String) {
        let heard = assemble([EndOfStreamTests.text, EndOfStreamTests.finish("stop"), chunk, "[DONE]"])
        #expect(heard.reply?.usage == .init(promptTokens: 3, completionTokens: 4))
        #expect(heard.outcome == "complete")
    }

    @Test(arguments: [
        (#"{"error":{"message":"busy","code":429}}"#, "modelRateLimited"),
        (#"{"error":{"message":"busy","code":"503"}}"#, "modelOverloaded"),
        (#"{"error":{"message":"busy","type":"overloaded_error"}}"#, "modelOverloaded"),
        (#"{"error":"busy"}"#, "modelOverloaded"),
        (#"{"object":"error","message":"busy","code":400}"#, "modelBadRequest"),
        (#"{"error":{"message":"maximum context length is 8","code":400}}"#, "modelContextOverflow"),
        (
            #"{"error":{"message":"busy"},"choices":[{"delta":{"content":"x"},"finish_reason":"error"}]}"#,
            "modelOverloaded"
        ),
    ])
    func errorsInTheMiddleComeInManyShapes(chunk: String, code: String) {
        let heard = assemble([EndOfStreamTests.text, chunk])
        #expect(heard.outcome == "failed \(code)")
        #expect(heard.text == "Hello.")
        guard case .failed(let failure)? = heard.reply?.verdict else { return }
        #expect(failure.message.contains("busy") || code == "modelContextOverflow")
    }

    @Test(arguments: [
        "", " ", #"{"type":"ping"}"#, "{}", #"{"choices":[]}"#,
        #"{"choices":[{"index":1,"delta":{"content":"other"}}]}"#,
    ])
    func whatSaysNothingIsPassedOver(chunk: String) {
        let heard = assemble([chunk, EndOfStreamTests.text, chunk, EndOfStreamTests.finish("stop"), chunk, "[DONE]"])
        #expect(heard.outcome == "complete")
        #expect(heard.text == "Hello.")
    }

    @Test func contentBesideTheFinishReasonIsHeard() {
        #expect(
            assemble([#"{"choices":[{"index":0,"delta":{"content":"last"},"finish_reason":"stop"}]}"#]).reply?.text
                == "last")
    }

    @Test func contentInPartsIsHeard() {
        #expect(
            assemble([
                #"{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"thinking"}]},"finish_reason":"stop"}]}"#
            ]).text
                == "a")
    }
}

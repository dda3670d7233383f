import HTTP
import Harness
import JSON
@testable import LanguageModels
import Testing
import Vocabulary

/// What must hold wherever a stream is cut, and however it is split.
struct CutTests {
    static let withCalls = [
        "litellm-chat-stream-tool", "litellm-chat-stream-parallel", "llamacpp-chat-stream-toolforced",
        "litellm-chat-stream-brokenjson",
    ]
    static let streams =
        withCalls + [
            "litellm-chat-stream-usage", "litellm-chat-stream-miderror", "litellm-chat-stream-length",
            "litellm-chat-mock-tools-nostream",
        ]
    let profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")

    func reply(_ pieces: [ArraySlice<UInt8>], _ ending: ReplyAssembler.Ending = .clean) -> Reply {
        var reader = ReplyReader(profile)
        for piece in pieces { _ = reader.feed(Array(piece)) }
        return reader.end(ending).reply
    }

    @Test(arguments: withCalls) func nothingRunsBeforeTheEventWithTheFinishReasonIsWhole(name: String) throws {
        let body = try fixture(name).body
        let text = String(decoding: body, as: UTF8.self)
        let reason = try #require(
            text.firstRange(of: #""finish_reason":"tool_calls""#)
                ?? text.firstRange(of: #""finish_reason": "tool_calls""#))
        let end = text.utf8.distance(from: text.startIndex, to: reason.upperBound)
        var reader = ReplyReader(profile)
        for cut in 0..<end {
            // The reader is a value: ending a copy leaves it reading.
            var cutReader = reader
            let reply = cutReader.end(.clean).reply
            #expect(reply.calls.isEmpty && reply.verdict != .complete, "cut at \(cut)")
            _ = reader.feed([body[cut]])
        }
        #expect(reply([body[...]], .broken(words: "reset")).calls.isEmpty)
    }

    @Test(arguments: ["litellm-chat-mock-tools-nostream", "llamacpp-chat-toolforced"])
    func aWholeAnswerRunsNothingUntilItsLastByte(name: String) throws {
        let body = try fixture(name).body
        let end = try #require(body.lastIndex(of: UInt8(ascii: "}")))
        for cut in 0...end { #expect(reply([body[..<cut]]).calls.isEmpty, "cut at \(cut)") }
        #expect(reply([body[...]]).calls.count == 1)
    }

    @Test(arguments: streams) func theReplyIsTheSameHoweverTheStreamIsSplit(name: String) throws {
        let body = try fixture(name).body
        let expected = reply([body[...]])
        #expect(reply(body.indices.map { body[$0...$0] }) == expected)
        for cut in stride(from: 0, to: body.count, by: body.count > 8_000 ? 97 : body.count > 1_500 ? 3 : 1) {
            #expect(reply([body[..<cut], body[cut...]]) == expected, "split at \(cut)")
        }
    }

    @Test(arguments: 0..<200) func callsComeOnlyWithACompleteReplyWhateverTheBytesAre(seed: Int) throws {
        var body = try fixture(Self.withCalls[seed % 2]).body
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<3 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            body[Int(state >> 33) % body.count] = UInt8(truncatingIfNeeded: state >> 24)
        }
        let reply = reply([body[...]])
        #expect(reply.calls.isEmpty || reply.verdict == .complete)
        #expect(reply.calls.allSatisfy { $0.arguments.object != nil && !$0.name.isEmpty && !$0.id.isEmpty })
    }

    /// Over real HTTP: every prefix of a recorded stream, as a body that ends and as a connection that breaks.
    @Test(arguments: ["litellm-chat-stream-tool", "litellm-chat-stream-parallel"])
    func noPrefixOfARecordedStreamRunsAnythingOverHTTP(name: String) async throws {
        let body = try fixture(name).body
        let text = String(decoding: body, as: UTF8.self)
        let reason = try #require(
            text.firstRange(of: #""finish_reason":"tool_calls""#)
                ?? text.firstRange(of: #""finish_reason": "tool_calls""#))
        let end = text.utf8.distance(from: text.startIndex, to: reason.upperBound)
        let server = try ScriptedServer { request in
            let number = Int(request.path.split(separator: "/").first ?? "") ?? 0
            let answer = ScriptAnswer.stream([Array(body[..<(number / 2)])].filter { !$0.isEmpty })
            return number % 2 == 0 ? answer : answer.ending(with: .cut)
        }
        // Each request waits for its connection: eight of them at once wait together.
        let (lanes, client) = (8, HTTPClient(NetworkSettings()))
        await withTaskGroup(of: Void.self) { group in
            for lane in 0..<lanes {
                group.addTask {
                    for number in stride(from: lane, to: end * 2, by: lanes) {
                        let model = model(at: server, by: client) { $0.url = server.url + "/\(number)/v1" }
                        let heard = await hear(model)
                        #expect(heard.reply?.calls.isEmpty ?? true, "cut at \(number / 2)")
                        #expect(heard.outcome != "complete", "cut at \(number / 2)")
                    }
                }
            }
        }
    }

    @Test func textsThatComeTogetherAreOnePartInTheirPlace() {
        let call = SSE.callDeltas("list_workflows", [:])
        let events =
            ["a", "b"].map { SSE.delta(["content": .string($0)]) } + call
            + ["c", "d"].map { SSE.delta(["content": .string($0)]) }
        var reader = ReplyReader(profile)
        #expect(
            reader.feed(Array(events.joined())) == [.text("ab"), .callStarted(name: "list_workflows"), .text("cd")])
        #expect(reader.feed(SSE.delta(["content": "e"])) == [.text("e")])
        #expect(reader.end(.clean).reply.text == "abcde")
    }

    @Test func lineEndsDoNotMatter() throws {
        let text = String(decoding: try fixture("litellm-chat-stream-parallel").body, as: UTF8.self)
        let expected = reply([Array(text.utf8)[...]])
        #expect(expected.calls.count == 2)
        for end in ["\r\n", "\r"] { #expect(reply([Array(text.replacing("\n", with: end).utf8)[...]]) == expected) }
    }
}

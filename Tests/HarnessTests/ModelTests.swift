import CaseNames
import Harness
import JSON
import Synchronization
import Testing

/// The scripted model (`wire.md` LLM 1, 2, 3, 4, 5, 6).
@Suite(.process, .timeLimit(.minutes(10)))
struct ModelTests {
    @Test func repliesComeInTheirOrderStreamedAndWhole() async throws {
        let replies: JSON = [
            ["pieces": ["Hel", "lo"], "usage": ["prompt": 3, "completion": 2]],
            ["text": "Plan:", "calls": [["name": "propose", "arguments": ["a": 1]], ["name": "list", "id": "c2"]]],
            ["text": "cut short", "finish": "length"],
            ["calls": [["name": "broken", "arguments": "{\"a\":"]], "finish": .null, "done": false],
        ]
        try await withHarness(["model": ["replies": replies]]) { harness in
            let text = harness.chat()
            #expect(text.streamedText == "Hello")
            #expect(text.headers["content-type"] == "text/event-stream")
            #expect(text.events.last == "[DONE]")
            #expect(text.events.contains { $0.contains("\"completion_tokens\":2") })
            let calls = harness.chat(stream: false).json?["choices"]?[0]
            #expect(calls?["finish_reason"]?.string == "tool_calls")
            #expect(calls?["message"]?["content"]?.string == "Plan:")
            let made = calls?["message"]?["tool_calls"]?.array ?? []
            #expect(made.map { $0["function"]?["arguments"]?.string } == ["{\"a\":1}", "{}"])
            #expect(made[1]["id"]?.string == "c2")
            #expect(harness.chat().events.contains { $0.contains("\"finish_reason\":\"length\"") })
            let open = harness.chat()
            #expect(
                !open.events.contains("[DONE]") && !open.text.contains("\"tool_calls\",")
                    && open.text.contains("broken"))
            #expect(!open.events.contains { $0.contains("\"finish_reason\":\"") })
            #expect(harness.chat().streamedText == "The script says nothing more.")
        }
    }

    @Test func theWireBreaksWhereTheScriptSays() async throws {
        let replies: JSON = [
            ["text": "a long answer", "cutBytes": 60], ["text": "a long answer", "resetBytes": 60],
            [
                "pieces": ["one", "two", "three"],
                "errorAfter": ["events": 2, "error": ["message": "overloaded", "code": 502]],
            ],
            ["do": "close"], ["do": "reset"], ["http": 401], ["http": 429, "retryAfter": 4], ["http": 503, "times": 2],
            ["http": 200, "type": "application/json", "body": ["error": ["message": "no"]]],
        ]
        try await withHarness(["model": ["replies": replies]]) { harness in
            let cut = harness.chat()
            #expect(cut.ending == .cut && cut.body.count == 60)
            #expect(harness.chat().ending == .reset)
            let broken = harness.chat()
            #expect(broken.streamedText == "onetwo" && broken.ending == .complete)
            #expect(broken.events.last == #"{"error":{"message":"overloaded","code":502}}"#)
            #expect(harness.chat().ending == .cut)
            #expect(harness.chat().ending == .reset)
            #expect(harness.chat().status == 401)
            let busy = harness.chat()
            #expect(busy.status == 429 && busy.headers["retry-after"] == "4")
            #expect([harness.chat().status, harness.chat().status] == [503, 503])
            #expect(harness.chat().json?["error"]?["message"]?.string == "no")
            try #expect(harness.ledgerNow(verb: "chat").count == 10)
        }
    }

    @Test func tokensCanBeSlowAndAnswersChosenByWhatIsAsked() async throws {
        let replies: JSON = [
            ["when": ["contains": "weather"], "text": "Rain.", "times": "always"],
            ["pieces": ["a", "b", "c"], "pieceMs": 60],
        ]
        try await withHarness(["clock": "held", "model": ["replies": replies, "otherwise": ["text": "Else."]]]) {
            harness in
            let answer = Mutex<RawAnswer?>(nil)
            inBackground {
                let given = harness.chat()
                answer.withLock { $0 = given }
            }
            try #require(try waits { try harness.ledgerNow(verb: "chat").count == 1 })
            try harness.advanceNow(byMilliseconds: 59)
            #expect(answer.withLock { $0 } == nil)
            try #require(
                try waits {
                    try harness.advanceNow(byMilliseconds: 1)
                    return answer.withLock { $0 } != nil
                })
            #expect(answer.withLock { $0?.streamedText } == "abc")
            #expect(harness.chat(text: "the weather?").streamedText == "Rain.")
            #expect(harness.chat(text: "the weather!").streamedText == "Rain.")
            #expect(harness.chat().streamedText == "Else.")
        }
    }

    @Test func modelsAreListedAndAKeyIsAskedFor() async throws {
        let model: JSON = ["names": ["small", "large"], "authorization": "Bearer right", "models": [["http": 503]]]
        try await withHarness(["model": model]) { harness in
            let right = ["Authorization": "Bearer right"]
            #expect(harness.chat().status == 401)
            #expect(harness.chat(headers: right).status == 200)
            #expect(RawConnection.ask("GET", harness.modelURL + "/models", headers: right).status == 503)
            let models = RawConnection.ask("GET", harness.modelURL + "/models", headers: right).json?["data"]?.array
            #expect(models?.map { $0["id"]?.string } == ["small", "large"])
        }
    }
}

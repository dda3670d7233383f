import CaseNames
import HTTP
import Harness
import JSON
@testable import LanguageModels
import Synchronization
import Testing
import Vocabulary

@Suite(.timeLimit(.minutes(10))) struct ModelFailureTests {
    @Test(arguments: [
        (400, #"{"error":{"message":"no","code":"context_length_exceeded"}}"#, "modelContextOverflow"),
        (
            400,
            #"{"error":{"type":"exceed_context_size_error","message":"the request exceeds the available context size"}}"#,
            "modelContextOverflow"
        ),
        (400, #"{"error":{"message":"no"}}"#, "modelBadRequest"), (401, "", "modelRefusedKey"),
        (403, "<html>", "modelRefusedKey"),
        (402, "{}", "modelNoCredit"), (404, #"{"detail":"Not Found"}"#, "modelAddress"),
        (404, #"{"error":{"message":"no model m"}}"#, "modelUnknown"),
        (403, #"{"error":{"message":"Country not supported"}}"#, "modelForbidden"), (413, "", "modelContextOverflow"),
        (422, #"{"detail":[{"loc":["body"]}]}"#, "modelBadRequest"), (302, "", "modelMoved"), (301, "", "modelMoved"),
        (429, #"{"error":{"message":"pay","code":"insufficient_quota"}}"#, "modelNoCredit"),
        (429, "", "modelRateLimited"),
        (500, "", "modelOverloaded"), (529, "", "modelOverloaded"), (503, "busy", "modelOverloaded"),
    ])
    func aStatusIsSaidInWordsWithARemedy(status: Int, body: String, code: String) async throws {
        let server = try ScriptedServer { _ in .text(body, status: status, headers: ["location": "http://127.0.0.1:1/"])
        }
        let failure = try #require(await hear(model(at: server)).thrown)
        #expect(failure.code == code)
        #expect(failure.remedy?.isEmpty == false)
        #expect(failure.message.hasSuffix("."))
    }

    @Test(
        arguments: [
            (401, nil, "M_KEY", "wants a key", "Give it one: 'assent connect'."),
            (403, nil, nil, "wants a key", "Give it one: 'assent connect'."),
            (401, "k", nil, "refuses the key", "Check the key, or give another: 'assent connect'."),
            (403, "k", "M_KEY", "refuses the key", "Check the key M_KEY, or give another: 'assent connect'."),
        ] as [(Int, String?, String?, String, String)])
    func onlyTheKeyThatWasSentIsBlamed(status: Int, key: String?, name: String?, words: String, remedy: String)
        async throws
    {
        let server = try ScriptedServer { _ in .json(["error": ["message": "Invalid API key"]], status: status) }
        let heard = await hear(
            model(at: server) {
                $0.apiKey = key.flatMap { APIKey($0) }
                $0.keyName = name
            })
        #expect(
            heard.thrown?.message.contains(words) == true && heard.thrown?.remedy == remedy,
            "\(String(describing: heard.thrown))")
    }

    @Test func theServersWordsAreBoundedOnOneLineAndWithoutTheKey() async throws {
        let words = "Incorrect key sk-secret\n\u{1B}[31m" + String(repeating: "x", count: 100_000)
        let server = try ScriptedServer { _ in .json(["error": ["message": .string(words)]], status: 401) }
        let failure = try #require(await hear(model(at: server) { $0.apiKey = APIKey("sk-secret") }).thrown)
        #expect(failure.message.contains("Incorrect key (the key)"))
        #expect(failure.message.count < 500)
        #expect(!"\(failure)".contains("secret"))
        #expect(failure.message.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }

    @Test func noRedirectIsFollowedWithTheKey() async throws {
        let other = try ScriptedServer { _ in .stream(SSE.text("stolen")) }
        let server = try ScriptedServer { _ in .redirect(to: other.url, status: 307) }
        #expect(await hear(model(at: server) { $0.apiKey = APIKey("k") }).outcome == "threw modelMoved")
        let heard = await hear(model(at: server))
        #expect(heard.thrown?.message.contains(other.url) == true, "\(String(describing: heard.thrown))")
        #expect(other.requests.isEmpty)
    }

    @Test func whatCannotBeReachedIsUnreachable() async throws {
        let refusing = try ScriptedRefusingPort()
        let server = try ScriptedServer { _ in .hanging }
        let refused = await hear(model(at: server) { $0.url = "http://127.0.0.1:\(refusing.port)/v1" })
        #expect(refused.outcome == "threw modelUnreachable")
        #expect(refused.notices.count == 3)
        #expect(
            refused.notices.first?.hasPrefix("retry 1/3 in ") == true
                && refused.notices.first?.hasSuffix("(connection refused)") == true)
        let silent = await hear(model(at: server) { $0.idleSeconds = 0.2 })
        #expect(silent.outcome == "threw modelUnreachable")
        #expect(silent.notices.isEmpty)
        #expect(await hear(model(at: server) { $0.url = "ftp://x" }).outcome == "threw modelUnreachable")
    }

    @Test func aHeaderThatIsTooLargeWasReached() async throws {
        let text = "HTTP/1.1 200 OK\r\nx-y: " + String(repeating: "z", count: 1_000_000) + "\r\n\r\n"
        let server = try ScriptedServer([ScriptAnswer(framing: .raw, steps: [.send(Array(text.utf8)), .hang])])
        let failure = try #require(await hear(model(at: server)).thrown)
        #expect(failure.code == "modelBadReply" && failure.message.contains("was reached"), "\(failure)")
    }

    // MARK: Trying again

    @Test(arguments: [408, 409, 429, 500, 502, 503, 529])
    func whatMayPassIsTriedAgain(status: Int) async throws {
        let server = try ScriptedServer([
            .text("", status: status, headers: ["retry-after-ms": "1500"]), .text("", status: status),
            .stream(SSE.text("at last")),
        ])
        let heard = await hear(model(at: server))
        #expect(heard.text == "at last")
        let why = status == 429 ? "429: too many requests; Ctrl-C stops waiting" : "\(status)"
        #expect(heard.notices.first == "retry 1/3 in 1.5 s (\(why))")
        #expect(server.requests.count == 3)
        #expect(Set(server.requests.map(\.body)).count == 1)
    }

    @Test func afterThreeMoreTriesItGivesUp() async throws {
        let server = try ScriptedServer { _ in .text("", status: 503) }
        #expect(await hear(model(at: server)).outcome == "threw modelOverloaded")
        #expect(server.requests.count == 4)
    }

    @Test(arguments: [400, 401, 402, 403, 404, 422])
    func whatWillNotPassIsNotTriedAgain(status: Int) async throws {
        let server = try ScriptedServer { _ in .text("", status: status, headers: ["retry-after": "1"]) }
        _ = await hear(model(at: server))
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [(429, "601", "modelRateLimited", "11 min"), (503, "31", "modelOverloaded", "31 s")])
    func aServerThatAsksForLongIsNotWaitedFor(status: Int, after: String, code: String, wait: String) async throws {
        let server = try ScriptedServer { _ in .text("", status: status, headers: ["retry-after": after]) }
        let heard = await hear(model(at: server))
        #expect(heard.outcome == "threw \(code)")
        #expect(heard.thrown?.remedy == "It asks to wait \(wait); try again then.")
        #expect(server.requests.count == 1)
    }

    @Test(arguments: [
        ScriptAnswer(framing: .raw, steps: [.cut]),
        ScriptAnswer(headers: ["content-type": "text/event-stream"], framing: .chunked, steps: [.cut]),
    ])
    func aConnectionThatEndsBeforeTheFirstByteIsTriedAgain(answer: ScriptAnswer) async throws {
        let server = try ScriptedServer([answer, .stream(SSE.text("now"))])
        #expect(await hear(model(at: server)).text == "now")
    }

    @Test func aRateLimitOfMinutesIsWaitedFor() {
        let response = HTTPResponse(status: 429, headers: ["retry-after": "300"], url: "")
        #expect(Retry(response, attempt: 0, random: 0.5) == .after(seconds: 300))
    }

    /// Bytes that show nothing, such as those before the first word, are no answer yet.
    @Test func aStreamThatIsLostBeforeItShowsAnythingIsAskedForAgain() async throws {
        for begun in [Array(": still here\n\n".utf8), SSE.delta(["role": "assistant"])] {
            let server = try ScriptedServer([
                ScriptAnswer.stream([begun]).ending(with: .cut), .stream(SSE.text("now")),
            ])
            let heard = await hear(model(at: server))
            #expect(heard.text == "now" && server.requests.count == 2, "\(heard)")
        }
    }

    @Test(arguments: [ScriptAnswer.Step.cut, .hang])
    func anAnswerThatHasBegunIsNeverAskedForAgain(end: ScriptAnswer.Step) async throws {
        let pieces = Array(SSE.call("f", ["a": 1], saying: "One").dropLast())
        let answer = ScriptAnswer.stream(pieces).ending(with: end)
        let server = try ScriptedServer { $0.method == "POST" ? answer : .text("") }
        let clock = HeldClock()
        let client = HTTPClient(NetworkSettings(), now: clock.now)
        // Silent for longer than it may be, once the call has begun.
        let hasBegun = ScriptGate()
        let time = Task {
            while !Task.isCancelled {
                if hasBegun.isOpen { clock.advance(seconds: 3) }
                _ = try? await client.collect(HTTPRequest(server.url))
            }
        }
        defer { time.cancel() }
        let heard = await hear(model(at: server, by: client) { $0.idleSeconds = 3 }) { part in
            if case .callStarted = part { hasBegun.open() }
        }
        #expect(heard.outcome == "truncated")
        #expect(heard.text == "One" && heard.started == ["f"] && heard.calls.isEmpty)
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test func delaysAreJitteredAndBounded() {
        let response = HTTPResponse(status: 503, headers: [:], url: "")
        #expect(Retry(response, attempt: 0, random: 0.5) == .after(seconds: 0.25))
        #expect(Retry(response, attempt: 2, random: 0.5) == .after(seconds: 1))
        #expect(Retry(response, attempt: 3, random: 0.5) == .no)
        #expect(
            Retry(HTTPResponse(status: 503, headers: ["x-should-retry": "false"], url: ""), attempt: 0, random: 0.5)
                == .no)
    }

    // MARK: Life

    @Test func piecesAreHeardWhileTheModelStillSpeaks() async throws {
        let server = try ScriptedServer([ScriptAnswer.stream([SSE.delta(["content": "One"])]).ending(with: .hang)])
        var heard = ""
        for try await part in parts(of: model(at: server), ChatRequest(messages: [], tools: [])) {
            if case .text(let text) = part { heard += text }
            if heard == "One" { break }
        }
        #expect(try await eventually { server.openConnections == 0 })
    }

    /// That they are no silence is the client's (`aTrickleIsNotIdleButEndsInATotalTimeout`).
    @Test func commentsSayNothing() async throws {
        let pieces = [[UInt8]](repeating: SSE.comment("OPENROUTER PROCESSING"), count: 20) + SSE.text("ok")
        let server = try ScriptedServer([.stream(pieces)])
        let heard = await hear(model(at: server))
        #expect(heard.text == "ok" && heard.outcome == "complete")
    }

    @Test func nothingIsReadBehindDone() async throws {
        let server = try ScriptedServer([ScriptAnswer.stream(SSE.text("ok")).ending(with: .hang)])
        #expect(await hear(model(at: server)).outcome == "complete")
    }

    @Test func anErrorBehindA200IsAFailure() async throws {
        let server = try ScriptedServer { _ in .json(["error": ["message": "no such user", "code": 401]]) }
        #expect(await hear(model(at: server)).outcome == "failed modelRefusedKey")
    }

    @Test(arguments: [
        ("<!doctype html><html>", "failed modelWrongDialect"), ("It works!", "failed modelWrongDialect"),
        ("42", "failed modelWrongDialect"), ("", "failed modelEmpty"), (" \n\n", "failed modelEmpty"),
        (": waiting\n\n", "truncated"),
        ("data: ", "truncated"), ("dat", "truncated"),
    ])
    func whatIsNoAnswerIsNotBlamedOnTheConversation(body: String, outcome: String) async throws {
        let server = try ScriptedServer { _ in .text(body) }
        let heard = await hear(model(at: server))
        #expect(heard.outcome == outcome)
        let told = String(describing: heard.reply?.verdict)
        #expect(!told.contains("too long"), "\(told)")
    }

    @Test(arguments: ["", ": waiting\n\n"]) func aLongConversationMayBeTooLong(body: String) async throws {
        let server = try ScriptedServer { _ in .text(body) }
        let heard = await hear(model(at: server), LessonTests.request)
        let told = String(describing: heard.reply?.verdict)
        #expect(told.contains("may be too long"), "\(told)")
    }

    @Test func aProposalArrivesWhole() async throws {
        let workflow: JSON = ["schema": "app.workflow/v2", "nodes": [["id": "1", "kind": "Resize"]]]
        let server = try ScriptedServer([.stream(SSE.proposal(workflow))])
        let heard = await hear(model(at: server))
        #expect(heard.reply?.calls.first?.name == "propose_workflow")
        #expect(heard.reply?.calls.first?.arguments["workflow"] == workflow)
    }
}

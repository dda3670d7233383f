import CaseNames
import HTTP
import Harness
import JSON
@testable import LanguageModels
import Synchronization
import Testing
import Vocabulary

/// What a refusal teaches, and what it does not.
@Suite(.timeLimit(.minutes(10))) struct LessonTests {
    static func refusal(_ words: String) -> JSON { ["error": ["message": .string(words)]] }

    @Test(
        arguments: [
            ("Unrecognized request argument supplied: stream_options", .noStreamOptions),
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                .maxCompletionTokens
            ),
            ("max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens", .maxTokens(8192)),
            ("Unsupported value: 'reasoning_effort' is not supported with this model", .noEffort),
            ("registry.ollama.ai/library/gemma:2b does not support tools", .noTools),
            ("\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set", .noTools),
            ("No endpoints found that support tool use. Try disabling \"list_workflows\".", .noTools),
            ("Unsupported parameter: 'parallel_tool_calls'", .noParallelCalls),
            ("System role not supported", .systemRole(.user)),
            ("Conversation roles must alternate user/assistant/user/assistant/...", .alternatingRoles),
            ("Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.", .callIDs(.nine)),
            (
                "The `reasoning_content` in the thinking mode must be passed back to the API.",
                .requiredField("reasoning_content")
            ),
            ("Invalid/Corrupted thought signature.", .noOpaqueParts),
            ("This model's maximum context length is 4096 tokens. However, you requested 9000 tokens", .window(4096)),
            (
                "Function tools with reasoning_effort are not supported in /v1/chat/completions. Please use /v1/responses",
                .dialect(.responses)
            ),
        ] as [(String, ModelLesson)])
    func aRefusalThatNamesAParameterIsAskedAgainWithoutIt(words: String, lesson: ModelLesson) async throws {
        let learned = Mutex<[ModelLesson]>([])
        let asked = Mutex(0)
        // The first answer refuses, and the next ones do not.
        let both = try ScriptedServer { request in
            if request.path == "/v1/responses" {
                return .stream([SSE.typed(["type": "response.output_text.delta", "delta": "fine"]), Self.responseEnd])
            }
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            return number == 1 ? .json(Self.refusal(words), status: 400) : .stream(SSE.text("fine"))
        }
        let own = Self.profile(both.url)
        let book = LessonBook(known: { _ in [] }, learn: { lesson, _ in learned.withLock { $0.append(lesson) } })
        // A passing lesson is not kept, so the server would refuse again.
        guard !lesson.isPassing else {
            let error = ServerError(Self.refusal(words))
            #expect(error.flatMap { LessonReader($0, status: 400, own).lesson(from: Self.request) } == lesson)
            return
        }
        let heard = await hear(
            RemoteModel.chatModel(profile: own, client: HTTPClient(), lessons: book) { _ in }, Self.request)
        #expect(heard.text == "fine")
        #expect(learned.withLock { $0 } == [lesson])
        #expect(heard.notices.count == 1 && heard.notices[0].contains(lesson.words))
        #expect(
            both.requests.count == 2 && both.requests[0].body != both.requests[1].body || lesson == .dialect(.responses)
        )
        #expect(ModelLesson(text: lesson.text) == lesson)
    }

    static let responseEnd = SSE.typed([
        "type": "response.completed", "response": ["status": "completed", "output": []],
    ])

    static let request = ChatRequest(
        messages: [
            ChatMessage(.system, "Be."), ChatMessage(.user, String(repeating: "a", count: 40_000)),
            ChatMessage(.user, "b"),
            ChatMessage(.assistant, "", calls: [ChatCall(id: "call_1", name: "f", arguments: [:])]),
            ChatMessage(.tool, "x", callID: "call_1"), ChatMessage(.user, String(repeating: "c", count: 30)),
        ],
        tools: [ChatTool(name: "f", summary: "Does.", schema: ["type": "object"])])

    static func profile(_ url: String) -> ModelProfile {
        var profile = ModelProfile(url: url + "/v1", model: "m")
        profile.maxTokens = 64_000
        profile.effort = "high"
        profile.parallelCalls = true
        profile.window = 200_000
        return profile
    }

    @Test(arguments: [
        (400, "Something else is wrong."), (401, "Use max_completion_tokens, not max_tokens"), (429, "stream_options"),
        (500, "stream_options"),
    ])
    func whatNamesNothingOrIsNoRefusalOfTheFormTeachesNothing(status: Int, words: String) throws {
        let error = try #require(ServerError(Self.refusal(words)))
        #expect(
            LessonReader(error, status: status, Self.profile("http://127.0.0.1:1")).lesson(from: Self.request) == nil)
    }

    @Test(arguments: [
        ScriptAnswer.text("<html>", status: 404), .text("<html>"), .text("It works!"),
        .json(["choices": [["message": ["content": "x"]]]]),
    ])
    func aLessonThatLedToNoModelIsForgottenForTheServersOwnWords(answer: ScriptAnswer) async throws {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/responses")
                ? answer : .json(Self.refusal("Model m is gone; see the docs of the Responses API"), status: 400)
        }
        let learned = Mutex(0)
        let book = LessonBook(known: { _ in [] }, learn: { _, _ in learned.withLock { $0 += 1 } })
        let heard = await hear(
            RemoteModel.chatModel(
                profile: ModelProfile(url: server.url + "/v1", model: "m"), client: HTTPClient(), lessons: book
            ) { _ in })
        #expect(heard.outcome == "threw modelBadRequest", "\(heard)")
        #expect(heard.thrown?.message.contains("Model m is gone") == true)
        #expect(learned.withLock { $0 } == 0)
    }

    @Test(arguments: [("/v1", ModelProfile.Dialect.chatCompletions), ("/api/v3/", .responses), ("/v1", .messages)])
    func whatIsSetIsNotAdvised(path: String, dialect: ModelProfile.Dialect) async throws {
        for answer in [
            ScriptAnswer.text("nothing here", status: 404), .text("<html>"), .text(""), .json(["type": "message"]),
        ] {
            let server = try ScriptedServer { _ in answer }
            var profile = ModelProfile(url: server.url + path, model: "m")
            profile.dialect = dialect
            let heard = await hear(RemoteModel.chatModel(profile: profile, client: HTTPClient()) { _ in })
            let told = "\(String(describing: heard.thrown))\(String(describing: heard.reply?.verdict))"
            #expect(!told.contains("ends in /v1") && !told.contains("dialect: \(dialect.rawValue)"), "\(told)")
        }
    }

    /// The next round of a turn follows at once: by then the lesson is known, and so it is told once.
    @Test func aLessonIsKnownBeforeTheEndOfTheAnswerIsTold() async throws {
        let server = try ScriptedServer { request in
            let asks = request.json?["stream_options"] != nil
            return asks ? .json(Self.refusal("Unknown field stream_options"), status: 400) : .stream(SSE.text("fine"))
        }
        let learned = Mutex<[ModelLesson]>([])
        let book = LessonBook(
            known: { _ in learned.withLock { $0 } }, learn: { lesson, _ in learned.withLock { $0.append(lesson) } })
        let profile = ModelProfile(url: server.url + "/v1", model: "m")
        let model = RemoteModel.chatModel(profile: profile, client: HTTPClient(), lessons: book) { _ in }
        let knownAtTheEnd = Mutex<[Int]>([])
        for _ in 1...2 {
            try await model(Self.request) { part in
                if case .finished = part { knownAtTheEnd.withLock { $0.append(learned.withLock { $0.count }) } }
            }
        }
        #expect(knownAtTheEnd.withLock { $0 } == [1, 1] && server.requests.count == 3)
    }

    @Test func aWindowThatNoModelHasIsNotMendedByANewSession() async throws {
        let words = "This model's maximum context length is 8 tokens. However, you requested 9000 tokens"
        let server = try ScriptedServer { _ in .json(Self.refusal(words), status: 400) }
        let first = try #require(await hear(model(at: server)).thrown)
        #expect(first.code == "modelContextOverflow" && first.message.contains("at most 8 tokens"), "\(first)")
        #expect(first.remedy == "Choose another model: 'assent model list'.")
        let later = try #require(await hear(model(at: server), Self.request).thrown)
        #expect(later.remedy == "Begin a new session.", "\(later)")
    }

    @Test func aServerThatRefusesWhateverIsDoneIsAskedAFewTimesOnly() async throws {
        let words =
            "stream_options, parallel_tool_calls, reasoning_effort, roles must alternate, max_tokens: 64000 > 8192, System role not supported"
        let server = try ScriptedServer { _ in .json(Self.refusal(words), status: 400) }
        var profile = Self.profile(server.url)
        profile.url = server.url + "/v1"
        let heard = await hear(RemoteModel.chatModel(profile: profile, client: HTTPClient()) { _ in }, Self.request)
        #expect(heard.outcome == "threw modelBadRequest")
        #expect(server.requests.count == Limits.modelLessons + 1)
    }

    @Test(arguments: ["", "/", "/api"]) func aMissingVersionInTheAddressIsTried(path: String) async throws {
        let learned = Mutex<[ModelLesson]>([])
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/v1/chat/completions")
                ? .stream(SSE.text("fine")) : .text("<html>404</html>", status: 404)
        }
        let book = LessonBook(known: { _ in [] }, learn: { lesson, _ in learned.withLock { $0.append(lesson) } })
        let profile = ModelProfile(url: server.url + path, model: "m")
        let heard = await hear(RemoteModel.chatModel(profile: profile, client: HTTPClient(), lessons: book) { _ in })
        #expect(heard.text == "fine")
        #expect(learned.withLock { $0 } == [.versionInAddress])
    }

    @Test func aModelThatIsNotThereIsNoWrongAddress() async throws {
        let server = try ScriptedServer { _ in .json(Self.refusal("The model `m` does not exist"), status: 404) }
        let heard = await hear(
            RemoteModel.chatModel(profile: ModelProfile(url: server.url, model: "m"), client: HTTPClient()) { _ in })
        #expect(heard.outcome == "threw modelUnknown")
        #expect(server.requests.count == 1)
    }

    @Test func anAnswerOfNothingIsAskedOnceMoreSilently() async throws {
        let empty = ScriptAnswer.stream([SSE.delta([:], finish: "stop"), SSE.done])
        let once = try ScriptedServer([empty, .stream(SSE.text("now"))])
        let heard = await hear(model(at: once))
        #expect(heard.text == "now" && heard.notices.isEmpty)
        let always = try ScriptedServer { _ in empty }
        #expect(await hear(model(at: always)).outcome == "failed modelEmpty")
        #expect(always.requests.count == 2)
    }

    @Test(arguments: [
        (Named("only thought", [#"{"reasoning_content":"hm"}"#]), "failed modelEmpty", "", "hm"),
        (
            Named("think in the text", [#"{"content":"<thi"}"#, #"{"content":"nk>hm</think>\n\nYes."}"#]), "complete",
            "Yes.", "hm"
        ),
        (Named("its end alone", [#"{"content":"hm</think>\nYes."}"#]), "complete", "Yes.", "hm"),
        (Named("only think", [#"{"content":"<think>hm</think>"}"#]), "failed modelEmpty", "", "hm"),
        (Named("a mark in the middle", [#"{"content":"Write <think> so."}"#]), "complete", "Write <think> so.", ""),
        (Named("an old call", [#"{"function_call":{"name":"f","arguments":"{}"}}"#]), "complete", "", ""),
        (
            Named("a call as text", [#"{"content":"<tool_call>{\"name\":\"f\"}</tool_call>"}"#]),
            "complete",
            "<tool_call>{\"name\":\"f\"}</tool_call>", ""
        ),
        (Named("white space", [#"{"content":" \n"}"#]), "failed modelEmpty", " \n", ""),
    ])
    func whatIsNoAnswerIsCalledWhatItIs(deltas: Named<[String]>, outcome: String, text: String, reasoning: String) {
        let chunks = deltas.value.map { #"{"choices":[{"index":0,"delta":\#($0)}]}"# }
        let heard = assemble(chunks + [EndOfStreamTests.finish("stop"), "[DONE]"])
        #expect(heard.outcome == outcome)
        #expect(heard.reply?.text == text)
        #expect(heard.reply?.reasoning == reasoning)
        #expect(heard.calls == (deltas.name == "an old call" ? ["f{}"] : []))
    }

    @Test func thoughtsArePartedHoweverTheStreamIsSplit() {
        let whole = " <think>one < two </thin> three</think>\n Answer </think>."
        for cut in 0...whole.count {
            var splitter = ThoughtSplitter()
            let parts =
                splitter.feed(String(whole.prefix(cut))) + splitter.feed(String(whole.dropFirst(cut))) + splitter.end()
            let text = parts.map { if case .text(let text) = $0 { text } else { "" } }.joined()
            let thought = parts.map { if case .reasoning(let text) = $0 { text } else { "" } }.joined()
            #expect(text == "Answer </think>." && thought == "one < two </thin> three", "cut at \(cut)")
        }
    }
}

import CaseNames
import HTTP
import Harness
import JSON
@testable import LanguageModels
import Synchronization
import Testing
import Vocabulary

extension StrictModel.Kind: CustomTestStringConvertible {
    public var testDescription: String { rawValue }

    /// As a person without a profile would reach it, but for what no server can teach.
    func profile(at url: String) -> ModelProfile {
        var profile = ModelProfile(url: url + "/v1", model: rawValue, apiKey: APIKey("key"))
        switch self {
        case .anthropic:
            profile.dialect = .messages
            profile.keyHeader = "x-api-key"
        case .gemini:
            profile.url = url + "/v1beta/openai"
            let skipped: JSON = ["google": ["thought_signature": "skip_thought_signature_validator"]]
            profile.foreignCallFields = JSON.Object(members: [.init(key: "extra_content", value: skipped)])
        case .deepSeek, .openRouter, .openAI, .mistral: break
        }
        return profile
    }
}

/// Conversations with servers that refuse what the real ones refuse.
@Suite(.timeLimit(.minutes(10))) struct StrictServerTests {
    static let tools = [
        ChatTool(name: "list_workflows", summary: "Lists.", schema: ["type": "object", "properties": [:]])
    ]

    /// What was learned in one conversation.
    final class Lessons: Sendable {
        let learned = Mutex<[(String, ModelLesson)]>([])

        var book: LessonBook {
            LessonBook(
                known: { profile in self.learned.withLock { $0 }.filter { $0.0 == profile.model }.map(\.1) },
                learn: { lesson, profile in self.learned.withLock { $0.append((profile.model, lesson)) } })
        }
    }

    /// Goes on until the model answers in words.
    /// - Returns: how many rounds of calls there were, and what came in the end.
    func finish(
        _ messages: inout [ChatMessage], with models: [ChatModel], switchingAfter rounds: Int = .max
    ) async -> (rounds: Int, heard: Heard) {
        var round = 0
        while true {
            let heard = await hear(
                models[min(round / rounds, models.count - 1)], ChatRequest(messages: messages, tools: Self.tools))
            guard let reply = heard.reply, reply.verdict == .complete, !reply.calls.isEmpty, round < 50 else {
                return (round, heard)
            }
            messages.append(ChatMessage(.assistant, reply.text, calls: reply.calls, opaque: reply.opaque))
            for call in reply.calls { messages.append(ChatMessage(.tool, #"{"result":[]}"#, callID: call.id)) }
            round += 1
        }
    }

    @Test(arguments: StrictModel.Kind.allCases)
    func aTaskOfTenRoundsIsCarriedThrough(kind: StrictModel.Kind) async throws {
        let server = try ScriptedServer { StrictModel(kind).answer($0) }
        let lessons = Lessons()
        let model = RemoteModel.chatModel(
            profile: kind.profile(at: server.url), client: HTTPClient(), lessons: lessons.book
        ) { _ in }
        var messages = [ChatMessage(.system, "Be brief."), ChatMessage(.user, "Look.")]
        for turn in 1...2 {
            let (rounds, heard) = await finish(&messages, with: [model])
            #expect(rounds == 10 && heard.text == "Done after 10 rounds.", "turn \(turn): \(heard)")
            messages += [ChatMessage(.assistant, heard.text), ChatMessage(.user, "Once more.")]
        }
        // What was refused once is not asked again.
        #expect(server.requests.count <= 22 + 3)
        #expect(Set(lessons.learned.withLock { $0.map(\.1) }).count == lessons.learned.withLock { $0.count })
    }

    @Test(arguments: StrictModel.Kind.allCases, StrictModel.Kind.allCases)
    func anotherModelGoesOnInTheMiddle(first: StrictModel.Kind, second: StrictModel.Kind) async throws {
        guard first != second else { return }
        let servers = try [first, second].map { kind in try ScriptedServer { StrictModel(kind, rounds: 6).answer($0) } }
        let lessons = Lessons()
        let models = zip([first, second], servers).map { kind, server in
            RemoteModel.chatModel(profile: kind.profile(at: server.url), client: HTTPClient(), lessons: lessons.book) {
                _ in
            }
        }
        // A line that nobody answered stands before it.
        var messages = [
            ChatMessage(.system, "Be brief."), ChatMessage(.user, "Look."), ChatMessage(.user, "Look again."),
        ]
        var (rounds, heard) = await finish(&messages, with: models, switchingAfter: 3)
        #expect(rounds == 6 && heard.text == "Done after 6 rounds.", "\(heard)")
        messages += [ChatMessage(.assistant, heard.text), ChatMessage(.user, "And back.")]
        (rounds, heard) = await finish(&messages, with: models.reversed(), switchingAfter: 2)
        #expect(rounds == 6 && heard.text == "Done after 6 rounds.", "\(heard)")
    }

    @Test func whatIsCutAnywhereRunsNothing() async throws {
        for kind in StrictModel.Kind.allCases {
            var profile = kind.profile(at: "http://127.0.0.1:1")
            if kind == .openAI { profile.dialect = .responses }
            let server = try ScriptedServer { StrictModel(kind).answer($0) }
            profile.url = profile.url.replacing("http://127.0.0.1:1", with: server.url)
            let request = ChatRequest(messages: [ChatMessage(.user, "Look.")], tools: Self.tools)
            let (response, pieces) = try await HTTPClient().send(ModelRequest.http(request, profile))
            var body: [UInt8] = []
            for try await piece in pieces { body += piece }
            #expect(response.status == 200 && !body.isEmpty)
            var reader = ReplyReader(profile)
            var lastWhole = 0
            for place in body.indices {
                var copy = reader
                let reply = copy.end(.clean).reply
                #expect(reply.calls.isEmpty || reply.verdict == .complete, "\(kind) cut at \(place)")
                var broken = reader
                #expect(broken.end(.broken(words: "Cut.")).reply.calls.isEmpty, "\(kind) broken at \(place)")
                if reply.calls.isEmpty { lastWhole = place }
                _ = reader.feed([body[place]])
            }
            #expect(reader.end(.clean).reply.calls.count == 2)
            // Calls are whole only once their end has come.
            #expect(lastWhole > body.count / 2, "\(kind)")
        }
    }
}

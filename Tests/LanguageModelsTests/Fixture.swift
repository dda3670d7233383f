import CaseNames
import Foundation
import HTTP
import Harness
import JSON
import LanguageModels
import Vocabulary

/// A recorded exchange with a real server, by the name of its file in `Fixtures`.
func fixture(_ name: String) throws -> HTTPRecording {
    let folder = #filePath.split(separator: "/").dropLast().joined(separator: "/")
    return try HTTPRecording(file: "/\(folder)/Fixtures/\(name).txt")
}

/// The names of all recordings.
func fixtureNames() throws -> [String] {
    let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures"
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.map {
        String($0.dropLast(4))
    }
}

/// All that a model said, and how it ended.
struct Heard: Equatable {
    var text = ""
    var reasoning = ""
    var started: [String] = []
    var notices: [String] = []
    var reply: Reply?
    var thrown: Failure?

    /// `complete`, `truncated`, `failed CODE` or `threw CODE`.
    var outcome: String {
        if let thrown { return "threw \(thrown.code)" }
        return reply.map { "\($0.verdictInShort)" } ?? "nothing"
    }

    var calls: [String] { reply?.calls.map(\.inShort) ?? [] }
}

extension ChatCall {
    /// `name{arguments}`, or `name!` if the arguments cannot be read.
    var inShort: String { name + (flaw == nil ? arguments.canonical : "!") }
}

extension Reply {
    var verdictInShort: String {
        switch verdict {
        case .complete: "complete"
        case .truncated: "truncated"
        case .failed(let failure): "failed \(failure.code)"
        }
    }
}

/// What a model tells, one after the other. Whoever stops listening cancels it.
func parts(of model: @escaping ChatModel, _ request: ChatRequest) -> AsyncThrowingStream<ReplyPart, any Error> {
    AsyncThrowingStream { parts in
        let task = Task {
            do {
                try await model(request) { parts.yield($0) }
                parts.finish()
            } catch {
                parts.finish(throwing: error)
            }
        }
        parts.onTermination = { _ in task.cancel() }
    }
}

func hear(
    _ model: @escaping ChatModel, _ request: ChatRequest = ChatRequest(messages: [ChatMessage(.user, "hi")], tools: []),
    onPart: (ReplyPart) -> Void = { _ in }
) async -> Heard {
    var heard = Heard()
    do {
        for try await part in parts(of: model, request) {
            switch part {
            case .text(let text): heard.text += text
            case .reasoning(let text): heard.reasoning += text
            case .callStarted(let name): heard.started.append(name)
            case .notice(let words): heard.notices.append(words)
            case .leftOut: break
            case .finished(let reply): heard.reply = reply
            }
            onPart(part)
        }
    } catch let failure as Failure {
        heard.thrown = failure
    } catch {
        heard.thrown = Failure("\(type(of: error))", "\(error)")
    }
    return heard
}

/// A model behind a scripted server, that waits for nothing between its tries.
func model(
    at server: ScriptedServer, by client: HTTPClient = HTTPClient(NetworkSettings()),
    change: (inout ModelProfile) -> Void = { _ in }
) -> ChatModel {
    var profile = ModelProfile(url: server.url + "/v1", model: "m")
    change(&profile)
    return RemoteModel.chatModel(profile: profile, client: client) { _ in }
}

/// What an assembler makes of these chunks, each the JSON of one event (or `[DONE]`).
func assemble(
    _ chunks: [String], _ ending: ReplyAssembler.Ending = .clean, change: (inout ModelProfile) -> Void = { _ in }
) -> Heard {
    var profile = ModelProfile(url: "http://127.0.0.1:1/v1", model: "m")
    change(&profile)
    var assembler = ReplyAssembler(profile)
    var heard = Heard()
    for chunk in chunks {
        for part in assembler.feed(EventStreamParser.Event(data: Array(chunk.utf8))) {
            if case .text(let text) = part { heard.text += text }
            if case .reasoning(let text) = part { heard.reasoning += text }
            if case .callStarted(let name) = part { heard.started.append(name) }
        }
    }
    heard.reply = assembler.end(ending)
    return heard
}

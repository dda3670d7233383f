package import HTTP
import JSON
import Synchronization
package import Vocabulary

extension Limits {
    /// The most bytes of a server's list of models. A larger list is refused.
    fileprivate static let modelListBytes = 4 << 20

    /// The largest context window that is requested of Ollama if the user has set none, in tokens. Ollama holds it in
    /// memory.
    fileprivate static let ollamaWindow = 32_768
}

/// A check of a server before its model is used: which models it has, and whether a model answers and calls tools.
package struct ModelProbe: Sendable {
    private let profile: ModelProfile
    private let client: HTTPClient
    private let lessons: LessonBook

    package init(profile: ModelProfile, client: HTTPClient, lessons: LessonBook = .none) {
        self.profile = profile
        self.client = client
        self.lessons = lessons
    }

    /// The outcome of one tiny request.
    package struct Outcome: Hashable, Sendable {
        /// Whether the model called the tool that it was asked to call.
        package var callsTools: Bool
        /// Notices for the user about the lessons of the request.
        package var notices: [String]
        package var usage: Reply.Usage?
    }

    /// Returns the names of the server's models, sorted. The list is empty if the server has none. If there are more
    /// than `Limits.listedModels`, it has one name more than that.
    ///
    /// - Parameter throwsRefusals: whether a refusal that may be due to a missing key is thrown, too.
    /// - Throws: `modelRefusedKey`, `modelUnreachable`, `modelWrongDialect` or `modelEmpty` if no server of models
    ///   answers, and the other failures of a request. A server without a list of models does not throw.
    package func models(throwsRefusals: Bool = false) async throws(Failure) -> [String] {
        let json: JSON
        do throws(Failure) {
            json = try await get(profile.dialect == .ollama ? "/api/tags" : "/models")
        } catch  where error.code.isOne(of: .modelAddress, .modelUnknown) {
            return []
        } catch
            where error.code.isOne(of: .modelForbidden, .modelBadRequest)
            && !(throwsRefusals && profile.apiKey == nil)
        {
            return []
        }
        let entries = json["data"]?.array ?? json["models"]?.array ?? json.array ?? []
        let names = entries.prefix(Limits.listedModels + 1).compactMap { $0["id"]?.string ?? $0["name"]?.string }
        // Gemini's names begin with "models/".
        return Set(names.map { $0.hasPrefix("models/") ? String($0.dropFirst(7)) : $0 }).filter {
            $0.utf8.count <= Limits.modelNameBytes
        }
        .sorted()
    }

    /// Asks for one call of a tool that does nothing.
    ///
    /// - Throws: the failure of the request, or of the answer.
    package func test() async throws(Failure) -> Outcome {
        let tool = ChatTool(
            name: "report", summary: "Reports that all is well.",
            schema: [
                "type": "object", "properties": ["ok": ["type": "boolean"]], "required": ["ok"],
                "additionalProperties": false,
            ])
        let request = ChatRequest(
            messages: [
                ChatMessage(.system, "This is a test of a connection."),
                ChatMessage(.user, "Call the tool report once, with ok = true."),
            ], tools: [tool])
        let heard = Mutex<(notices: [String], last: Reply?)>(([], nil))
        do {
            try await RemoteModel.chatModel(profile: profile, client: client, lessons: lessons)(request) { part in
                switch part {
                case .notice(let words): heard.withLock { $0.notices.append(words) }
                case .finished(let reply): heard.withLock { $0.last = reply }
                case .text, .reasoning, .callStarted, .leftOut: break
                }
            }
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(.modelFailed, "The model did not answer.", cause: error)
        }
        guard let last = heard.withLock({ $0.last }) else {
            throw Failure(.truncated, "The reply ended before it was complete.", isTransient: true)
        }
        switch last.verdict {
        case .complete: break
        case .truncated(let reason): throw Failure(reason.code, reason.words)
        case .failed(let failure): throw failure
        }
        var outcome = Outcome(
            callsTools: last.calls.contains { $0.name == tool.name }, notices: heard.withLock { $0.notices })
        outcome.usage = last.usage
        return outcome
    }

    /// Returns what Ollama reports about the model: how many tokens it can read, and whether it can call tools. The
    /// list is empty for other servers.
    func abilities() async -> [ModelLesson] {
        guard profile.dialect == .ollama,
            let json = try? await send(
                ModelRequest.post(["model": .string(profile.model)], to: profile.address("/api/show"), profile))
        else { return [] }
        var lessons: [ModelLesson] = []
        let lengths = (json["model_info"]?.object?.members ?? []).filter { $0.key.hasSuffix(".context_length") }
            .compactMap { $0.value.int }
        if let length = lengths.max(), length >= Limits.smallestWindow {
            lessons.append(.window(min(length, Limits.ollamaWindow)))
        }
        if let abilities = json["capabilities"]?.array, !abilities.isEmpty, !abilities.contains("tools") {
            lessons.append(.noTools)
        }
        return lessons
    }

    // MARK: Requests

    private func get(_ path: String) async throws(Failure) -> JSON {
        var known = profile
        for lesson in lessons.known(profile) { known.apply(lesson) }
        do throws(Failure) {
            return try await send(ModelRequest.get(known.address(path), known))
        } catch  where error.isFromNowhere && profile.dialect != .ollama && !known.hasVersion {
            var versioned = known
            versioned.apply(.versionInAddress)
            let first = error
            do throws(Failure) {
                return try await send(ModelRequest.get(versioned.address(path), versioned))
            } catch {
                // The answer of the address itself says more than that of a path that does not exist.
                throw first.code != .modelAddress && error.isFromNowhere ? first : error
            }
        }
    }

    private func send(_ request: HTTPRequest) async throws(Failure) -> JSON {
        let (response, bytes) = try await answer(request)
        guard response.isSuccess else {
            throw ServerError(response, body: bytes).failure(profile, status: response.status)
        }
        guard bytes.count < Limits.modelListBytes else {
            throw Failure(
                .modelBadReply,
                "The list of models of \(profile.place) is larger than \(Limits.modelListBytes >> 20) MB.",
                remedy: "Name the model: 'assent connect … --model NAME'")
        }
        guard let json = try? JSONReader.read(bytes) else { throw profile.noAnswer(bytes) }
        return json
    }

    private func answer(_ request: HTTPRequest) async throws(Failure) -> (HTTPResponse, body: [UInt8]) {
        do throws(HTTPFailure) {
            let (response, body) = try await client.send(request)
            var bytes: [UInt8] = []
            var pieces = body.makeAsyncIterator()
            while bytes.count < Limits.modelListBytes, let piece = try await pieces.next(isolation: nil) {
                bytes += piece
            }
            return (response, bytes)
        } catch {
            throw .unreachable(profile, error)
        }
    }
}

extension Failure {
    /// Whether no model was found at the address.
    fileprivate var isFromNowhere: Bool { code.isOne(of: .modelAddress, .modelWrongDialect, .modelEmpty) }
}

import HTTP
import JSON
import Vocabulary

/// A request to a model, in the dialect of its profile.
enum ModelRequest {
    /// Makes the request for a conversation that fits into the model's window (`ContextWindow.fitted`).
    static func http(_ fitted: ChatRequest, _ profile: ModelProfile) -> HTTPRequest {
        post(body(ofFitted: fitted, profile), to: profile.endpoint, profile)
    }

    /// Returns a POST request with a JSON body and the profile's headers.
    ///
    /// - Parameter url: an address of the profile's own server, since the headers hold its key.
    static func post(_ body: JSON, to url: String, _ profile: ModelProfile) -> HTTPRequest {
        var headers = self.headers(profile)
        headers["content-type"] = "application/json"
        headers["accept"] = profile.dialect == .ollama ? "application/x-ndjson" : "text/event-stream"
        return HTTPRequest(
            url, method: "POST", headers: headers, body: Array(body.text.utf8), timeouts: timeouts(profile),
            // A key belongs to the host for which it was given.
            redirects: .none)
    }

    static func get(_ url: String, _ profile: ModelProfile) -> HTTPRequest {
        HTTPRequest(url, headers: headers(profile), timeouts: timeouts(profile), redirects: .none)
    }

    static func body(_ whole: ChatRequest, _ profile: ModelProfile) -> JSON {
        body(ofFitted: ContextWindow.fitted(whole, profile), profile)
    }

    private static func body(ofFitted request: ChatRequest, _ profile: ModelProfile) -> JSON {
        switch profile.dialect {
        case .chatCompletions: ChatCompletionsRequest.body(request, profile)
        case .messages: MessagesRequest.body(request, profile)
        case .responses: ResponsesRequest.body(request, profile)
        case .ollama: OllamaRequest.body(request, profile)
        }
    }

    private static func headers(_ profile: ModelProfile) -> HTTPHeaders {
        var headers: HTTPHeaders = [:]
        if profile.dialect == .messages { headers["anthropic-version"] = "2023-06-01" }
        guard let key = profile.apiKey else { return headers }
        if let name = profile.keyHeader {
            headers[name] = key.text
        } else {
            headers["authorization"] = "Bearer \(key.text)"
        }
        return headers
    }

    private static func timeouts(_ profile: ModelProfile) -> HTTPRequest.Timeouts {
        .init(connect: profile.connectSeconds, idle: profile.idleSeconds, total: profile.totalSeconds)
    }
}

/// A conversation in the form that all servers accept. The system's words come first. Each call is answered once,
/// directly after the message that made it. Opaque parts are included only for the model that made them.
struct WireTranscript {
    enum Entry {
        case system(String)
        case user(String)
        case assistant(ChatMessage)
        /// The answers to the calls of the message before, in their order.
        case answers([Answer])
        /// Pictures with the words above them: of a line of the user, or of the answers before, for dialects whose
        /// answers hold text alone.
        case pictures([ChatPicture], String)
    }

    /// The answer to a call.
    struct Answer {
        var call: ChatCall
        var text: String
        /// The pictures beside the text. A model that cannot see has words about them in the text.
        var pictures: [ChatPicture] = []
    }

    private(set) var entries: [Entry] = []

    /// - Parameter movesPictures: whether the pictures of answers follow them in an entry of their own.
    init(_ messages: [ChatMessage], _ profile: ModelProfile, movesPictures: Bool = false) {
        for (place, message) in messages.enumerated() {
            switch message.role {
            case .system: entries.append(.system(message.text))
            case .user where message.pictures.isEmpty: entries.append(.user(message.sentText))
            case .user:
                entries.append(
                    profile.hasVision
                        ? .pictures(message.pictures, message.sentText) : .user(message.sentText + Self.unseen))
            case .assistant:
                guard !message.text.isEmpty || !message.calls.isEmpty else { continue }
                let own = Self.own(message, profile)
                entries.append(.assistant(own))
                if !own.calls.isEmpty {
                    add(
                        Self.answers(to: message.calls, own.calls, in: messages[(place + 1)...], profile),
                        movesPictures: movesPictures)
                }
                if let remark = message.remark { entries.append(.user(remark)) }
            case .tool: continue
            }
        }
    }

    private mutating func add(_ answers: [Answer], movesPictures: Bool) {
        let pictures = answers.flatMap(\.pictures)
        guard movesPictures, !pictures.isEmpty else { return entries.append(.answers(answers)) }
        entries.append(.answers(answers.map { Answer(call: $0.call, text: $0.text) }))
        entries.append(.pictures(pictures, Self.movedPictures))
    }

    /// The words above pictures that follow the answers, since the user has not sent them.
    private static let movedPictures = "[Not the person's words. The pictures of the results above, in their order:]"

    /// The words in place of pictures for a model that cannot see them.
    private static let unseen = "\n[This model cannot see the picture.]"

    /// Returns a message without opaque parts of another model, and with ids that this server accepts.
    private static func own(_ message: ChatMessage, _ profile: ModelProfile) -> ChatMessage {
        var message = message
        // Opaque parts without an origin were stored by an early version.
        if let opaque = message.opaque, opaque.origin != profile.origin || profile.dropsOpaque {
            message.opaque = nil
            for index in message.calls.indices { message.calls[index].opaque = JSON.Object() }
        }
        for index in message.calls.indices {
            message.calls[index].id = profile.takenIDs.fitted(message.calls[index].id)
            // A model may make up a name that no tool has. Servers refuse names that no tool could have.
            message.calls[index].name = ModelProfile.CallIDForm.word.fitted(message.calls[index].name)
        }
        return message
    }

    /// Returns one answer for each call. A missing answer is replaced by a made-up one, and an answer to no call is
    /// dropped. Otherwise the server would refuse every later request.
    private static func answers(
        to calls: [ChatCall], _ own: [ChatCall], in later: ArraySlice<ChatMessage>, _ profile: ModelProfile
    ) -> [Answer] {
        let answers = later.prefix { $0.role != .assistant }.filter { $0.role == .tool }
        return zip(calls, own).map { call, own in
            guard let answer = answers.first(where: { $0.callID == call.id }) else {
                return Answer(call: own, text: "There is no result: the call was not run.")
            }
            guard profile.hasVision || answer.pictures.isEmpty else {
                return Answer(call: own, text: answer.text + unseen)
            }
            return Answer(call: own, text: answer.text, pictures: answer.pictures)
        }
    }

    /// The entries with neighbours of the same role joined. For example, an aborted turn leaves two lines of the user
    /// next to each other.
    var alternating: [Entry] {
        entries.reduce(into: []) { joined, entry in
            switch (joined.last, entry) {
            case (.user(let before)?, .user(let more)): joined[joined.count - 1] = .user(before + "\n\n" + more)
            case (.pictures(let pictures, let before)?, .user(let more)):
                joined[joined.count - 1] = .pictures(pictures, before + "\n\n" + more)
            case (.user(let before)?, .pictures(let pictures, let more)):
                joined[joined.count - 1] = .pictures(pictures, before + "\n\n" + more)
            case (.pictures(let first, let before)?, .pictures(let pictures, let more)):
                joined[joined.count - 1] = .pictures(first + pictures, before + "\n\n" + more)
            case (.assistant(var before)?, .assistant(let more)) where before.calls.isEmpty:
                before.text += before.text.isEmpty || more.text.isEmpty ? more.text : "\n\n" + more.text
                before.calls = more.calls
                before.opaque = more.opaque
                joined[joined.count - 1] = .assistant(before)
            default: joined.append(entry)
            }
        }
    }

    /// The system's words, for dialects that have a field for them.
    var system: String {
        entries.compactMap { entry in
            if case .system(let text) = entry { text } else { nil }
        }.joined(separator: "\n\n")
    }
}

extension ModelProfile {
    /// The form of ids that the dialect accepts. Messages and Responses refuse the ids of some Chat Completions
    /// servers.
    fileprivate var takenIDs: CallIDForm {
        callIDForm == .any && [.messages, .responses].contains(dialect) ? .word : callIDForm
    }
}

extension ModelProfile.CallIDForm {
    /// Returns an id in the form that the server accepts. Equal ids stay equal, and different ones stay different.
    func fitted(_ id: String) -> String {
        let isWord: (UInt8) -> Bool = {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
        }
        switch self {
        case .any: return id
        case .word:
            let fits =
                !id.isEmpty && id.utf8.count <= 64
                && id.utf8.allSatisfy { isWord($0) || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: "-") }
            return fits ? id : "call_" + Self.hash(id, digits: 13)
        case .nine: return id.utf8.count == 9 && id.utf8.allSatisfy(isWord) ? id : Self.hash(id, digits: 9)
        }
    }

    /// Returns the FNV-1a hash of an id in letters and digits.
    private static func hash(_ id: String, digits: Int) -> String {
        let hash = id.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let text = String(hash, radix: 36)
        return String((String(repeating: "0", count: 13) + text).suffix(digits))
    }
}

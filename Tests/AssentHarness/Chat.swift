import Harness
import JSON

/// What the model says, one entry after the other.
struct ChatScript: Sendable {
    /// `Authorization` must be exactly this; else 401.
    var authorization: String?
    var names = ["scripted"]
    var replies: [ChatReply] = []
    /// Once the list is over.
    var otherwise = ChatReply()
    /// For `GET /v1/models`.
    var models: [Reply] = []
}

/// One answer of the model: what it says, and what is wrong with it.
struct ChatReply: Sendable {
    struct Call: Sendable {
        var id: String
        var name: String
        /// As it stands: it may be no JSON.
        var arguments: String
    }

    /// A piece of the request's body that must be there.
    var contains: String?
    var reply = Reply()
    var pieces = ["The script says nothing more."]
    var calls: [Call] = []
    /// `nil`: none is sent.
    var finish: String? = "stop"
    var usage: (prompt: Int, completion: Int)?
    var pieceMs = 0
    /// After so many events of a stream this error comes, and nothing after it.
    var errorAfter: (events: Int, error: JSON)?
    /// Whether `[DONE]` ends the stream.
    var isDone = true
}

extension ChatScript {
    init(_ fields: inout Fields, hasSeed: Bool) throws {
        authorization = try fields.string("authorization")
        names = try fields.strings("names") ?? names
        replies = try fields.list("replies") { try ChatReply($0, at: $1, hasSeed: hasSeed) } ?? []
        let place = fields.place(of: "otherwise")
        otherwise = try fields.take("otherwise").map { try ChatReply($0, at: place, hasSeed: hasSeed) } ?? otherwise
        models = try fields.list("models") { try Reply($0, at: $1, hasSeed: hasSeed) } ?? []
    }
}

extension ChatReply {
    init(_ json: JSON, at place: String, hasSeed: Bool) throws {
        var fields = try Fields(json, at: place)
        contains = try fields.object("when") { try $0.string("contains") } ?? nil
        if let text = try fields.string("text") { pieces = [text] }
        if let list = try fields.strings("pieces") { pieces = list }
        calls = try fields.list("calls", Call.init) ?? []
        if !calls.isEmpty, json["text"] == nil, json["pieces"] == nil { pieces = [] }
        finish = calls.isEmpty ? "stop" : "tool_calls"
        switch fields.take("finish") {
        case nil: break
        case .null?: finish = nil
        case let word?: finish = word.string
        }
        usage = try fields.object("usage") { (try $0.int("prompt") ?? 0, try $0.int("completion") ?? 0) }
        pieceMs = try fields.int("pieceMs") ?? 0
        errorAfter = try fields.object("errorAfter") {
            (try $0.int("events") ?? 0, $0.take("error") ?? ["message": "The model broke."])
        }
        isDone = try fields.flag("done") ?? true
        reply = try Reply(&fields, hasSeed: hasSeed)
        try fields.end()
        reply.source = json.text
    }

    // MARK: As it goes out

    func answer(streamed: Bool) -> TrueAnswer {
        streamed ? TrueAnswer(content: .stream(events, gapMs: pieceMs)) : .json(whole)
    }

    private var events: [[UInt8]] {
        var events = pieces.map { SSE.delta(["content": .string($0)]) }
        for (index, call) in calls.enumerated() {
            events += SSE.callDeltas(call.name, rawArguments: call.arguments, id: call.id, index: index)
        }
        if let finish { events.append(SSE.delta([:], finish: finish)) }
        if let usage { events.append(SSE.usage(prompt: usage.prompt, completion: usage.completion)) }
        if let errorAfter { events = events.prefix(errorAfter.events) + [SSE.event(["error": errorAfter.error])] }
        return isDone && errorAfter == nil ? events + [SSE.done] : events
    }

    private var whole: JSON {
        let calls = calls.map { call -> JSON in
            [
                "id": .string(call.id), "type": "function",
                "function": ["name": .string(call.name), "arguments": .string(call.arguments)],
            ]
        }
        let message = JSON.of([
            "role": "assistant", "content": pieces.isEmpty ? .null : .string(pieces.joined()),
            "tool_calls": calls.isEmpty ? nil : .array(calls),
        ])
        return .of([
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
            "choices": [["index": 0, "message": message, "finish_reason": finish.map { .string($0) } ?? .null]],
            "usage": usage.map { usage in
                [
                    "prompt_tokens": .int(usage.prompt), "completion_tokens": .int(usage.completion),
                    "total_tokens": .int(usage.prompt + usage.completion),
                ]
            },
        ])
    }
}

extension ChatReply.Call {
    init(_ json: JSON, at place: String) throws {
        var fields = try Fields(json, at: place)
        guard let name = try fields.string("name") else { throw ScriptFault(place + ".name", "text is expected") }
        let arguments = fields.take("arguments") ?? [:]
        self.init(
            id: try fields.string("id") ?? "call_\(name)", name: name, arguments: arguments.string ?? arguments.text)
        try fields.end()
    }
}

/// The model: where its script stands.
struct Chat {
    private(set) var script: ChatScript
    private var uses: [Int: Int] = [:]
    private var lists = 0
    private let seed: UInt64?
    private var count = 0

    init(_ script: ChatScript, seed: UInt64?) { (self.script, self.seed) = (script, seed) }

    mutating func decide(_ asked: Asked) -> (Reply, TrueAnswer) {
        if let needed = script.authorization, asked.request.headers["authorization"] != needed {
            return (.truth, .error(401, "invalid_api_key", "Incorrect API key provided."))
        }
        if case .models = asked.what {
            defer { lists += 1 }
            let models = script.names.map { name -> JSON in
                ["id": .string(name), "object": "model", "created": 1, "owned_by": "harness"]
            }
            return (script.models.at(lists) ?? .truth, .json(["object": "list", "data": .array(models)]))
        }
        guard let body = asked.request.json, body["messages"]?.array != nil else {
            return (.truth, .error(400, "invalid_request_error", "The body has no messages."))
        }
        let chosen = next(asked.request)
        count += 1
        var random = Seeded((seed ?? 0) &+ UInt64(count))
        let reply = chosen.reply.drawn(Double(random.next() >> 11) / Double(1 << 53))
        return (reply, chosen.answer(streamed: body["stream"]?.bool ?? false))
    }

    private mutating func next(_ request: ScriptRequest) -> ChatReply {
        let text = script.replies.contains { $0.contains != nil } ? request.text : ""
        for (number, reply) in script.replies.enumerated() where reply.contains.map({ text.contains($0) }) ?? true {
            guard reply.reply.times == 0 || uses[number, default: 0] < reply.reply.times else { continue }
            uses[number, default: 0] += 1
            return reply
        }
        return script.otherwise
    }
}

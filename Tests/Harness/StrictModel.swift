package import JSON
import Synchronization

/// A server of models that refuses the same requests as a real provider, in its words. It plays a task of a given
/// number of rounds of calls before it answers. It keeps no state: the round follows from the transcript in each
/// request.
///
/// The words are those of the providers' own documentation and of reports of 2026 (`wire.md` LLM 3, 6, 9, 10).
package struct StrictModel: Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case deepSeek, openRouter, openAI, gemini, anthropic, mistral

        /// The letters with which the ids of the provider's calls begin.
        var mark: String {
            switch self {
            case .deepSeek: "dsk"
            case .openRouter: "opr"
            case .openAI: "oai"
            case .gemini: "gem"
            case .anthropic: "ant"
            case .mistral: "mis"
            }
        }
    }

    package let kind: Kind
    package let rounds: Int
    /// The tool that a call uses, and its arguments, by the call's id.
    let call: @Sendable (String) -> (name: String, arguments: JSON)

    package init(
        _ kind: Kind, rounds: Int = 10,
        call: @escaping @Sendable (String) -> (name: String, arguments: JSON) = { id in
            ("find_tools", ["words": .string(id)])
        }
    ) {
        (self.kind, self.rounds, self.call) = (kind, rounds, call)
    }

    /// Returns the arguments of a call in two pieces.
    func pieces(_ id: String) -> [JSON] {
        let text = call(id).arguments.text
        let middle = text.index(text.startIndex, offsetBy: text.count / 2)
        return [.string(String(text[..<middle])), .string(String(text[middle...]))]
    }

    package func answer(_ request: ScriptRequest) -> ScriptAnswer {
        if request.method == "GET", request.path.hasSuffix("/models") {
            return .json(["data": [["id": "m-large"], ["id": "m-small"]]])
        }
        guard let body = request.json else { return Self.refused("The request is not JSON.") }
        let tools = body["tools"]?.array?.compactMap { ($0["function"] ?? $0)["name"]?.string } ?? []
        // The trial of a connection has one tool of its own.
        if tools == ["report"] {
            return StrictModel(kind, rounds: 1) { _ in ("report", ["ok": true]) }.dialect(body, request)
        }
        return dialect(body, request)
    }

    private func dialect(_ body: JSON, _ request: ScriptRequest) -> ScriptAnswer {
        switch (kind, request.path.split(separator: "?").first ?? "") {
        case (.anthropic, let path) where path.hasSuffix("/v1/messages"): return messages(body, request.headers)
        case (.openAI, let path) where path.hasSuffix("/v1/responses"): return responses(body)
        case (.openAI, let path) where path.hasSuffix("/v1/chat/completions"):
            return Self.refused(
                "Function tools with reasoning_effort are not supported for gpt-5.4 in /v1/chat/completions. Please use /v1/responses instead.",
                parameter: "reasoning_effort")
        case (.deepSeek, let path), (.openRouter, let path), (.gemini, let path), (.mistral, let path):
            guard path.hasSuffix("/chat/completions") else { break }
            return chat(body)
        default: break
        }
        return .json(["detail": "Not Found"], status: 404)
    }

    // MARK: Words of no

    static func refused(_ words: String, parameter: String? = nil) -> ScriptAnswer {
        .json(
            [
                "error": .of([
                    "message": .string(words), "type": "invalid_request_error", "param": parameter.map { .string($0) },
                ])
            ],
            status: 400)
    }

    func isOwn(_ id: String) -> Bool { id.hasPrefix(kind.mark) }

    /// Returns an id of nine letters and digits, such as `dsk010200`: turn, round and number.
    func id(_ turn: Int, _ round: Int, _ number: Int) -> String {
        let digits = String(turn * 10_000 + round * 100 + number)
        return kind.mark + String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// Returns the ids of the calls of a round. Every second round makes two calls at once.
    func calls(_ turn: Int, _ round: Int) -> [String] { (0..<(round % 2 == 0 ? 2 : 1)).map { id(turn, round, $0) } }

    // MARK: Chat Completions

    private func chat(_ body: JSON) -> ScriptAnswer {
        let messages = body["messages"]?.array ?? []
        if let refusal = pairing(messages) ?? opaque(messages) ?? (kind == .mistral ? alternation(messages) : nil) {
            return refusal
        }
        let round = messages.reversed().prefix { $0["role"]?.string != "user" }.count {
            $0["role"]?.string == "assistant"
        }
        guard round < rounds else { return .stream(SSE.text("Done after \(round) rounds.")) }
        let turn = messages.count { $0["role"]?.string == "user" }
        var pieces = thought(turn, round)
        for (index, id) in calls(turn, round).enumerated() {
            let arguments = self.pieces(id)
            let start = JSON.of([
                "index": .int(index), "id": .string(id), "type": "function",
                "function": ["name": .string(call(id).name), "arguments": arguments[0]],
                "extra_content": kind == .gemini ? ["google": ["thought_signature": .string("sig-\(id)")]] : nil,
            ])
            pieces += [
                SSE.delta(["tool_calls": [start]]),
                SSE.delta(["tool_calls": [["index": .int(index), "function": ["arguments": arguments[1]]]]]),
            ]
        }
        return .stream(
            pieces + [SSE.delta([:], finish: "tool_calls"), SSE.usage(prompt: 100, completion: 10), SSE.done])
    }

    private func thought(_ turn: Int, _ round: Int) -> [[UInt8]] {
        let id = id(turn, round, 0)
        switch kind {
        case .deepSeek: return ["thought ", "of ", id].map { SSE.delta(["reasoning_content": .string($0)]) }
        case .openRouter:
            return [
                SSE.delta([
                    "reasoning_details": [
                        ["type": "reasoning.text", "text": "hm ", "index": 0, "format": "google-gemini-v1"]
                    ]
                ]),
                SSE.delta([
                    "reasoning_details": [
                        ["type": "reasoning.text", "text": "well", "index": 0, "format": "google-gemini-v1"]
                    ]
                ]),
                SSE.delta([
                    "reasoning_details": [["type": "reasoning.encrypted", "data": .string("enc-\(id)"), "index": 1]]
                ]),
            ]
        default: return []
        }
    }

    /// Returns the refusal of a conversation in which calls and their results do not alternate. `nil` if each call is
    /// answered right after its message, and no other message is an answer.
    private func pairing(_ messages: [JSON]) -> ScriptAnswer? {
        var open: [String] = []
        for message in messages {
            if message["role"]?.string == "tool" {
                guard let id = message["tool_call_id"]?.string, let place = open.firstIndex(of: id) else {
                    return Self.refused(
                        "Messages with role 'tool' must be a response to a preceding message with 'tool_calls'")
                }
                open.remove(at: place)
                continue
            }
            guard open.isEmpty else {
                return Self.refused("tool_call_ids did not have response messages: \(open.joined(separator: ", "))")
            }
            open = (message["tool_calls"]?.array ?? []).compactMap { $0["id"]?.string }
        }
        return open.isEmpty
            ? nil : Self.refused("tool_call_ids did not have response messages: \(open.joined(separator: ", "))")
    }

    private func opaque(_ messages: [JSON]) -> ScriptAnswer? {
        for message in messages {
            let calls = message["tool_calls"]?.array ?? []
            guard let first = calls.first?["id"]?.string else { continue }
            switch kind {
            case .deepSeek:
                guard let thought = message["reasoning_content"]?.string,
                    !isOwn(first) || thought == "thought of \(first)"
                else {
                    return Self.refused("The `reasoning_content` in the thinking mode must be passed back to the API.")
                }
            case .openRouter where isOwn(first):
                let expected: JSON = [
                    ["type": "reasoning.text", "text": "hm well", "index": 0, "format": "google-gemini-v1"],
                    ["type": "reasoning.encrypted", "data": .string("enc-\(first)"), "index": 1],
                ]
                guard message["reasoning_details"] == expected else {
                    return .json(
                        [
                            "error": [
                                "message": "Provider returned error", "code": 400,
                                "metadata": [
                                    "raw":
                                        "Gemini models require OpenRouter reasoning details to be preserved in each request."
                                ],
                            ]
                        ], status: 400)
                }
            case .gemini:
                for call in calls {
                    guard let signature = call["extra_content"]?["google"]?["thought_signature"]?.string else {
                        return Self.asList("Function call is missing a thought_signature in functionCall parts.")
                    }
                    let id = call["id"]?.string ?? ""
                    guard signature == (isOwn(id) ? "sig-\(id)" : "skip_thought_signature_validator") else {
                        return Self.asList("Corrupted thought signature.")
                    }
                }
            default: break
            }
        }
        return nil
    }

    private static func asList(_ words: String) -> ScriptAnswer {
        .json([["error": ["code": 400, "message": .string(words), "status": "INVALID_ARGUMENT"]]], status: 400)
    }

    /// Returns the refusal of roles that do not alternate, as the templates of Mistral on vLLM do. `nil` if they
    /// alternate.
    private func alternation(_ messages: [JSON]) -> ScriptAnswer? {
        var last = "assistant"
        for message in messages where message["role"]?.string != "system" {
            let role = message["role"]?.string ?? ""
            if role == "tool" { continue }
            guard role != last else {
                return .json(
                    [
                        "object": "error", "type": "BadRequestError", "code": 400,
                        "message":
                            "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...",
                    ], status: 400)
            }
            for id in (message["tool_calls"]?.array ?? []).compactMap({ $0["id"]?.string }) {
                guard id.utf8.count == 9, id.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) }) else {
                    return Self.refused("Tool call id was \(id) but must be a-z, A-Z, 0-9, with a length of 9.")
                }
            }
            // A message with calls is followed by more of the model's own.
            last = role == "assistant" && message["tool_calls"]?.array?.isEmpty == false ? "user" : role
        }
        return nil
    }

    // MARK: Messages

    private func messages(_ body: JSON, _ headers: [String: String]) -> ScriptAnswer {
        guard headers["anthropic-version"] != nil, body["max_tokens"]?.int != nil else {
            return Self.anthropic("max_tokens: Field required")
        }
        guard headers["x-api-key"] == "key" else {
            return Self.anthropic("invalid x-api-key", "authentication_error", 401)
        }
        let messages = body["messages"]?.array ?? []
        var open: [String] = []
        var (turn, round) = (0, 0)
        for (place, message) in messages.enumerated() {
            let role = message["role"]?.string
            guard role == (place % 2 == 0 ? "user" : "assistant") else {
                return Self.anthropic("messages: roles must alternate")
            }
            let blocks = message["content"]?.array ?? []
            let answered = blocks.compactMap { $0["type"]?.string == "tool_result" ? $0["tool_use_id"]?.string : nil }
            guard open.allSatisfy(answered.contains), answered.allSatisfy(open.contains) else {
                return Self.anthropic(
                    "messages.\(place): `tool_use` ids were found without `tool_result` blocks immediately after: \(open)"
                )
            }
            let calls = blocks.filter { $0["type"]?.string == "tool_use" }.compactMap { $0["id"]?.string }
            if let refusal = thoughts(blocks, calls, place) { return refusal }
            open = calls
            if role == "user", answered.isEmpty || blocks.contains(where: { $0["type"]?.string == "text" }) {
                (turn, round) = (turn + 1, 0)
            }
            if !calls.isEmpty { round += 1 }
        }
        guard open.isEmpty else {
            return Self.anthropic("`tool_use` ids were found without `tool_result` blocks: \(open)")
        }
        return .stream(round < rounds ? anthropicCalls(turn, round) : Self.anthropicText("Done after \(round) rounds."))
    }

    private func thoughts(_ blocks: [JSON], _ calls: [String], _ place: Int) -> ScriptAnswer? {
        for block in blocks where block["type"]?.string == "text" {
            guard block["text"]?.string?.allSatisfy(\.isWhitespace) == false else {
                return Self.anthropic("messages: text content blocks must be non-empty")
            }
        }
        for id in calls
        where !id.utf8.allSatisfy({
            $0 == 0x5F || $0 == 0x2D || (0x30...0x39).contains($0) || (0x41...0x7A).contains($0)
        }) {
            return Self.anthropic(
                "messages.\(place).content: tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'")
        }
        let thinking = blocks.filter { $0["type"]?.string == "thinking" }
        guard let first = calls.first, isOwn(first) else {
            return thinking.isEmpty
                ? nil : Self.anthropic("messages.\(place).content.0: Invalid `signature` in `thinking` block")
        }
        let expected: JSON = ["type": "thinking", "thinking": "Let me look.", "signature": .string("sig-\(first)")]
        return blocks.first == expected && thinking.count == 1
            ? nil : Self.anthropic("messages.\(place).content.0: Invalid `signature` in `thinking` block")
    }

    private static func anthropic(_ words: String, _ type: String = "invalid_request_error", _ status: Int = 400)
        -> ScriptAnswer
    {
        .json(["type": "error", "error": ["type": .string(type), "message": .string(words)]], status: status)
    }

    private static func block(_ index: Int, _ start: JSON, _ deltas: [JSON]) -> [[UInt8]] {
        [SSE.typed(["type": "content_block_start", "index": .int(index), "content_block": start])]
            + deltas.map { SSE.typed(["type": "content_block_delta", "index": .int(index), "delta": $0]) }
            + [SSE.typed(["type": "content_block_stop", "index": .int(index)])]
    }

    private static func message(_ blocks: [[UInt8]], stop: String) -> [[UInt8]] {
        [
            SSE.typed([
                "type": "message_start",
                "message": ["role": "assistant", "content": [], "usage": ["input_tokens": 12, "output_tokens": 1]],
            ])
        ] + [SSE.typed(["type": "ping"])] + blocks + [
            SSE.typed([
                "type": "message_delta", "delta": ["stop_reason": .string(stop)], "usage": ["output_tokens": 20],
            ]),
            SSE.typed(["type": "message_stop"]),
        ]
    }

    private static func anthropicText(_ words: String) -> [[UInt8]] {
        message(
            block(0, ["type": "text", "text": ""], [["type": "text_delta", "text": .string(words)]]), stop: "end_turn")
    }

    private func anthropicCalls(_ turn: Int, _ round: Int) -> [[UInt8]] {
        let ids = calls(turn, round)
        var blocks = Self.block(
            0, ["type": "thinking", "thinking": "", "signature": ""],
            [
                ["type": "thinking_delta", "thinking": "Let me "], ["type": "thinking_delta", "thinking": "look."],
                ["type": "signature_delta", "signature": .string("sig-\(ids[0])")],
            ])
        for (number, id) in ids.enumerated() {
            blocks += Self.block(
                number + 1, ["type": "tool_use", "id": .string(id), "name": .string(call(id).name), "input": [:]],
                pieces(id).map { ["type": "input_json_delta", "partial_json": $0] })
        }
        return Self.message(blocks, stop: "tool_use")
    }
}

extension SSE {
    /// Returns an event that is named after the type in its data.
    package static func typed(_ json: JSON) -> [UInt8] { event(json, name: json["type"]?.string) }
}

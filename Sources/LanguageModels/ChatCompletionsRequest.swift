import HTTP
import JSON
import Vocabulary

/// A request in the words of Chat Completions (`wire.md` LLM 2).
enum ChatCompletionsRequest {
    static func http(_ request: ChatRequest, _ profile: ModelProfile) -> HTTPRequest {
        var headers: HTTPHeaders = ["content-type": "application/json", "accept": "text/event-stream"]
        if let key = profile.apiKey { headers["authorization"] = "Bearer \(key.text)" }
        return HTTPRequest(
            profile.endpoint, method: "POST", headers: headers, body: Array(body(request, profile).text.utf8),
            timeouts: .init(connect: profile.connectSeconds, idle: profile.idleSeconds, total: profile.totalSeconds),
            // A key belongs to the host it was given for.
            redirects: .none)
    }

    static func body(_ request: ChatRequest, _ profile: ModelProfile) -> JSON {
        var body = JSON.Object()
        body["model"] = .string(profile.model)
        body["messages"] = .array(messages(request.messages, profile))
        body["stream"] = true
        if profile.usageInStream { body["stream_options"] = ["include_usage": true] }
        body[profile.maxTokensField.rawValue] = profile.maxTokens.map { .int($0) }
        if !request.tools.isEmpty {
            body["tools"] = .array(request.tools.map(tool))
            body["parallel_tool_calls"] = profile.parallelCalls.map { .bool($0) }
        }
        return .object(body)
    }

    private static func tool(_ tool: ChatTool) -> JSON {
        [
            "type": "function",
            "function": ["name": .string(tool.name), "description": .string(tool.summary), "parameters": tool.schema],
        ]
    }

    // MARK: Messages

    /// Each call is answered once, right behind the message that made it, or every later request would be refused: an answer that is
    /// missing is made up, one that answers nothing is left out.
    private static func messages(_ messages: [ChatMessage], _ profile: ModelProfile) -> [JSON] {
        var encoded: [JSON] = []
        for (place, message) in messages.enumerated() {
            switch message.role {
            case .system: encoded.append(Self.message(profile.systemRole.rawValue, message.text))
            case .user: encoded.append(Self.message("user", message.text))
            case .assistant:
                guard !message.text.isEmpty || !message.calls.isEmpty else { continue }
                encoded.append(assistant(message))
                encoded += answers(to: message.calls, in: messages[(place + 1)...])
            case .tool: continue
            }
        }
        return encoded
    }

    private static func message(_ role: String, _ text: String) -> JSON {
        ["role": .string(role), "content": .string(text)]
    }

    private static func assistant(_ message: ChatMessage) -> JSON {
        var object = JSON.Object()
        object["role"] = "assistant"
        object["content"] = .some(message.text.isEmpty ? .null : .string(message.text))
        if !message.calls.isEmpty { object["tool_calls"] = .array(message.calls.map(call)) }
        return .object(object)
    }

    private static func call(_ call: ChatCall) -> JSON {
        var object = call.opaque
        object["id"] = .string(call.id)
        object["type"] = "function"
        object["function"] = ["name": .string(call.name), "arguments": .string(call.arguments.text)]
        return .object(object)
    }

    private static func answers(to calls: [ChatCall], in later: ArraySlice<ChatMessage>) -> [JSON] {
        let answers = later.prefix { $0.role != .assistant }.filter { $0.role == .tool }
        return calls.map { call in
            let text = answers.first { $0.callID == call.id }?.text ?? "There is no result: the call was not run."
            return ["role": "tool", "tool_call_id": .string(call.id), "content": .string(text)]
        }
    }
}

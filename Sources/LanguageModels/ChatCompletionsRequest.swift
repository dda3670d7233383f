import JSON
import Vocabulary

/// The form of a request in Chat Completions (`wire.md` LLM 2).
enum ChatCompletionsRequest {
    static func body(_ request: ChatRequest, _ profile: ModelProfile) -> JSON {
        let transcript = WireTranscript(request.messages, profile, movesPictures: true)
        var body = JSON.Object()
        body["model"] = .string(profile.model)
        body["messages"] = .array(
            (profile.alternatesRoles ? transcript.alternating : transcript.entries).flatMap { encoded($0, profile) })
        body["stream"] = true
        if profile.usageInStream { body["stream_options"] = ["include_usage": true] }
        body[profile.maxTokensField.rawValue] = profile.maxTokens.map { .int($0) }
        body["reasoning_effort"] = profile.effort.map { .string($0) }
        if !request.tools.isEmpty, profile.hasTools {
            body["tools"] = .array(request.tools.map { tool($0, profile) })
            body["parallel_tool_calls"] = profile.parallelCalls.map { .bool($0) }
        }
        return .object(body)
    }

    static func tool(_ tool: ChatTool, _ profile: ModelProfile) -> JSON {
        [
            "type": "function",
            "function": .of([
                "name": .string(tool.name), "description": .string(tool.summary), "parameters": tool.schema,
                "strict": profile.hasStrictSchemas && StrictSchema.isOne(tool.schema) ? true : nil,
            ]),
        ]
    }

    // MARK: Messages

    private static func encoded(_ entry: WireTranscript.Entry, _ profile: ModelProfile) -> [JSON] {
        switch entry {
        case .system(let text): [message(profile.systemRole.rawValue, text)]
        case .user(let text): [message("user", text)]
        case .assistant(let message): [assistant(message, profile)]
        case .answers(let answers):
            answers.map { ["role": "tool", "tool_call_id": .string($0.call.id), "content": .string($0.text)] }
        case .pictures(let pictures, let words):
            [
                [
                    "role": "user",
                    "content": .array(
                        [["type": "text", "text": .string(words)]]
                            + pictures.map { ["type": "image_url", "image_url": ["url": .string($0.dataURL)]] }),
                ]
            ]
        }
    }

    private static func message(_ role: String, _ text: String) -> JSON {
        ["role": .string(role), "content": .string(text)]
    }

    private static func assistant(_ message: ChatMessage, _ profile: ModelProfile) -> JSON {
        var object = JSON.Object()
        for member in message.opaque?.parts.members ?? [] where profile.messageEchoFields.contains(member.key) {
            // Reasoning is expected back with calls, and some servers refuse it elsewhere.
            if !message.calls.isEmpty || member.key != "reasoning_content" { object[member.key] = member.value }
        }
        // Servers that require this field require it for calls of other models, too.
        if !message.calls.isEmpty {
            for name in profile.requiredEchoFields where object[name] == nil { object[name] = "" }
        }
        object["role"] = "assistant"
        object["content"] = .some(message.text.isEmpty ? .null : .string(message.text))
        if !message.calls.isEmpty { object["tool_calls"] = .array(message.calls.map { call($0, profile) }) }
        return .object(object)
    }

    private static func call(_ call: ChatCall, _ profile: ModelProfile) -> JSON {
        var object = call.opaque.isEmpty ? profile.foreignCallFields : call.opaque
        object["id"] = .string(call.id)
        object["type"] = "function"
        object["function"] = ["name": .string(call.name), "arguments": .string(call.arguments.text)]
        return .object(object)
    }
}

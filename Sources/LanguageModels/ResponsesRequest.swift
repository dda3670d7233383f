import JSON
import Vocabulary

/// The form of a request in OpenAI's Responses (`wire.md` LLM 10). The server stores nothing, so each request holds the
/// whole conversation.
enum ResponsesRequest {
    static func body(_ request: ChatRequest, _ profile: ModelProfile) -> JSON {
        let transcript = WireTranscript(request.messages, profile)
        var body = JSON.Object()
        body["model"] = .string(profile.model)
        if !transcript.system.isEmpty { body["instructions"] = .string(transcript.system) }
        if !request.tools.isEmpty, profile.hasTools {
            body["tools"] = .array(request.tools.map { tool($0, profile) })
            body["parallel_tool_calls"] = profile.parallelCalls.map { .bool($0) }
        }
        body["input"] = .array(transcript.entries.flatMap(items))
        if let effort = profile.effort { body["reasoning"] = reasoning(effort, profile) }
        body["max_output_tokens"] = profile.maxTokens.map { .int($0) }
        body["store"] = false
        if profile.sealsReasoning { body["include"] = ["reasoning.encrypted_content"] }
        body["stream"] = true
        return .object(body)
    }

    private static func tool(_ tool: ChatTool, _ profile: ModelProfile) -> JSON {
        [
            "type": "function", "name": .string(tool.name), "description": .string(tool.summary),
            "parameters": tool.schema,
            // By default it is true, and refuses schemas with optional members.
            "strict": .bool(profile.hasStrictSchemas && StrictSchema.isOne(tool.schema)),
        ]
    }

    private static func reasoning(_ effort: String, _ profile: ModelProfile) -> JSON {
        .of(["effort": .string(effort), "summary": profile.summarizesReasoning ? "auto" : nil])
    }

    private static func items(_ entry: WireTranscript.Entry) -> [JSON] {
        switch entry {
        case .system: return []
        case .user(let words): return [message("user", "input_text", words)]
        case .assistant(let message): return assistant(message)
        case .answers(let answers):
            return answers.map {
                ["type": "function_call_output", "call_id": .string($0.call.id), "output": output($0)]
            }
        case .pictures(let pictures, let words):
            return [["type": "message", "role": "user", "content": content(words, pictures)]]
        }
    }

    private static func output(_ answer: WireTranscript.Answer) -> JSON {
        guard !answer.pictures.isEmpty else { return .string(answer.text) }
        return content(answer.text, answer.pictures)
    }

    private static func content(_ words: String, _ pictures: [ChatPicture]) -> JSON {
        .array(
            [["type": "input_text", "text": .string(words)]]
                + pictures.map { ["type": "input_image", "image_url": .string($0.dataURL)] })
    }

    private static func assistant(_ message: ChatMessage) -> [JSON] {
        let thoughts = PlacedBlocks(message.opaque?.parts ?? JSON.Object())
        var items = thoughts.before(call: 0)
        if !message.text.isEmpty { items.append(Self.message("assistant", "output_text", message.text)) }
        for (number, call) in message.calls.enumerated() {
            if number > 0 { items += thoughts.before(call: number) }
            items.append([
                "type": "function_call", "call_id": .string(call.id), "name": .string(call.name),
                "arguments": .string(call.arguments.text),
            ])
        }
        return items
    }

    private static func message(_ role: String, _ type: String, _ words: String) -> JSON {
        ["type": "message", "role": .string(role), "content": [["type": .string(type), "text": .string(words)]]]
    }
}

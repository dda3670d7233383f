import JSON
import Vocabulary

/// The form of a request in Anthropic's Messages (`wire.md` LLM 3, 9, 12, 13).
enum MessagesRequest {
    static func body(_ request: ChatRequest, _ profile: ModelProfile) -> JSON {
        let transcript = WireTranscript(request.messages, profile)
        var body = JSON.Object()
        body["model"] = .string(profile.model)
        // This field is required.
        body["max_tokens"] = .int(profile.maxTokens ?? Limits.messagesMaxTokens)
        if !request.tools.isEmpty, profile.hasTools {
            body["tools"] = .array(cached(request.tools.map(tool)))
            if profile.parallelCalls == false {
                body["tool_choice"] = ["type": "auto", "disable_parallel_tool_use": true]
            }
        }
        if !transcript.system.isEmpty { body["system"] = .array(cached([text(transcript.system)])) }
        body["messages"] = .array(messages(transcript))
        if let effort = profile.effort {
            body["thinking"] = ["type": effort == "none" ? "disabled" : "adaptive"]
            if effort != "none" { body["output_config"] = ["effort": .string(effort)] }
        }
        body["stream"] = true
        return .object(body)
    }

    private static func tool(_ tool: ChatTool) -> JSON {
        ["name": .string(tool.name), "description": .string(tool.summary), "input_schema": tool.schema]
    }

    /// Returns blocks with a cache mark on the last one. The server reads everything before the mark from its cache, as
    /// far as it is the same as in the last request.
    private static func cached(_ blocks: [JSON]) -> [JSON] {
        guard case .object(var last)? = blocks.last else { return blocks }
        last["cache_control"] = ["type": "ephemeral"]
        return blocks.dropLast() + [.object(last)]
    }

    // MARK: Messages

    /// Returns the messages of a conversation, in which two roles take turns. Answers to calls have the role of the
    /// user.
    private static func messages(_ transcript: WireTranscript) -> [JSON] {
        var turns: [(role: String, blocks: [JSON])] = []
        for entry in transcript.entries {
            let (role, blocks) = encoded(entry)
            guard !blocks.isEmpty else { continue }
            if turns.last?.role == role {
                turns[turns.count - 1].blocks += blocks
            } else {
                turns.append((role, blocks))
            }
        }
        if let last = turns.indices.last, turns[last].role == "user" { turns[last].blocks = cached(turns[last].blocks) }
        return turns.map { ["role": .string($0.role), "content": .array($0.blocks)] }
    }

    private static func encoded(_ entry: WireTranscript.Entry) -> (role: String, blocks: [JSON]) {
        switch entry {
        case .system: ("system", [])
        case .user(let words): ("user", words.allSatisfy(\.isWhitespace) ? [] : [text(words)])
        case .assistant(let message): ("assistant", assistant(message))
        case .answers(let answers):
            (
                "user",
                answers.map {
                    ["type": "tool_result", "tool_use_id": .string($0.call.id), "content": content($0)]
                }
            )
        case .pictures(let pictures, let words): ("user", [text(words)] + pictures.map(image))
        }
    }

    private static func content(_ answer: WireTranscript.Answer) -> JSON {
        guard !answer.pictures.isEmpty else { return .string(answer.text) }
        return .array([text(answer.text)] + answer.pictures.map(image))
    }

    private static func image(_ picture: ChatPicture) -> JSON {
        [
            "type": "image",
            "source": [
                "type": "base64", "media_type": .string(picture.mime), "data": .string(Base64.text(of: picture.bytes)),
            ],
        ]
    }

    private static func assistant(_ message: ChatMessage) -> [JSON] {
        let thoughts = PlacedBlocks(message.opaque?.parts ?? JSON.Object())
        var blocks = thoughts.before(call: 0)
        // The server refuses a text with only white space.
        if !message.text.allSatisfy(\.isWhitespace) { blocks.append(text(message.text)) }
        for (number, call) in message.calls.enumerated() {
            if number > 0 { blocks += thoughts.before(call: number) }
            blocks.append([
                "type": "tool_use", "id": .string(call.id), "name": .string(call.name), "input": call.arguments,
            ])
        }
        return blocks
    }

    private static func text(_ words: String) -> JSON { ["type": "text", "text": .string(words)] }
}

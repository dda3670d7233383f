import JSON
import Vocabulary

/// The form of a request in Ollama's own API (`wire.md` LLM 11).
enum OllamaRequest {
    static func body(_ request: ChatRequest, _ profile: ModelProfile) -> JSON {
        let transcript = WireTranscript(request.messages, profile, movesPictures: true)
        var body = JSON.Object()
        body["model"] = .string(profile.model)
        body["messages"] = .array(transcript.alternating.flatMap { encoded($0, profile) })
        if !request.tools.isEmpty, profile.hasTools {
            body["tools"] = .array(request.tools.map { ChatCompletionsRequest.tool($0, profile) })
        }
        if let effort = profile.effort { body["think"] = think(effort) }
        // Without `num_ctx`, the window is small, and Ollama silently cuts the rest.
        var options = JSON.Object()
        options["num_ctx"] = profile.window.map { .int($0) }
        options["num_predict"] = profile.maxTokens.map { .int($0) }
        if !options.isEmpty { body["options"] = .object(options) }
        body["stream"] = true
        return .object(body)
    }

    private static func think(_ effort: String) -> JSON {
        switch effort {
        case "none": false
        case "on": true
        default: .string(effort)
        }
    }

    private static func encoded(_ entry: WireTranscript.Entry, _ profile: ModelProfile) -> [JSON] {
        switch entry {
        case .system(let text): return [["role": "system", "content": .string(text)]]
        case .user(let text): return [["role": "user", "content": .string(text)]]
        case .assistant(let message):
            var object = JSON.Object()
            object["role"] = "assistant"
            object["content"] = .string(message.text)
            if !message.calls.isEmpty {
                object["tool_calls"] = .array(
                    message.calls.map { ["function": ["name": .string($0.name), "arguments": $0.arguments]] })
            }
            return [.object(object)]
        // Ollama matches answers with calls by their order and by the name of the tool.
        case .answers(let answers):
            return answers.map { ["role": "tool", "tool_name": .string($0.call.name), "content": .string($0.text)] }
        case .pictures(let pictures, let words):
            return [
                [
                    "role": "user", "content": .string(words),
                    "images": .array(pictures.map { .string(Base64.text(of: $0.bytes)) }),
                ]
            ]
        }
    }
}

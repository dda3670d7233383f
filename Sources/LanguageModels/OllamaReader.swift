import JSON
import Vocabulary

/// The reader of Ollama's own API: lines of JSON (`wire.md` LLM 11).
struct OllamaReader: DialectReader {
    private let profile: ModelProfile
    private var callCount = 0

    init(_ profile: ModelProfile) { self.profile = profile }

    mutating func read(whole json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        json["message"] == nil && json["done"] == nil ? [] : read(json, into: &draft)
    }

    mutating func read(_ json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        guard json["message"] != nil || json["done"] != nil else {
            return draft.isAnswer ? [] : draft.fail(profile.wrongDialect(json))
        }
        draft.isAnswer = true
        var parts = draft.add(reasoning: json["message"]?["thinking"]?.string ?? "")
        parts += draft.add(text: json["message"]?["content"]?.string ?? "")
        // Calls are complete, and have no ids. Each gets an index of ours.
        for call in json["message"]?["tool_calls"]?.array ?? [] {
            parts += draft.add(call: .of(["index": .int(callCount), "id": call["id"], "function": call["function"]]))
            callCount += 1
        }
        if json["done_reason"]?.string == "length" { draft.stop(by: .length) }
        guard json["done"]?.bool == true else { return parts }
        draft.stop(by: .natural)
        if let prompt = json["prompt_eval_count"]?.int ?? draft.usage?.promptTokens {
            draft.usage = Reply.Usage(promptTokens: prompt, completionTokens: json["eval_count"]?.int ?? 0)
        }
        draft.close()
        return parts
    }
}

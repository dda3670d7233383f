import JSON
import Vocabulary

/// The reader of Anthropic's Messages (`wire.md` LLM 3).
struct MessagesReader: DialectReader {
    /// A thought that is still arriving. It is sent back complete, with its signature.
    private struct Thought {
        var block: JSON.Object
        var callsBefore: Int
    }

    private let profile: ModelProfile
    private var thoughts: [Int: Thought] = [:]
    private var kept = PlacedBlocks()
    private var callCount = 0
    /// Tokens of the input that were put into the cache.
    private var created = 0

    init(_ profile: ModelProfile) { self.profile = profile }

    mutating func read(_ json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        let index = json["index"]?.int ?? 0
        switch json["type"]?.string {
        case "message_start":
            draft.isAnswer = true
            count(json["message"]?["usage"], into: &draft)
        case "content_block_start":
            draft.isAnswer = true
            return begin(json["content_block"] ?? [:], index, into: &draft)
        case "content_block_delta": return go(on: json["delta"] ?? [:], index, into: &draft)
        case "content_block_stop": keep(index, into: &draft)
        case "message_delta":
            count(json["usage"], into: &draft)
            if let reason = json["delta"]?["stop_reason"]?.string { draft.stop(by: Self.stop(reason)) }
        case "message_stop":
            for index in thoughts.keys.sorted() { keep(index, into: &draft) }
            draft.close()
        case "ping": break
        // Other types, as later versions may send them, are ignored.
        default: if !draft.isAnswer { return draft.fail(profile.wrongDialect(json)) }
        }
        return []
    }

    mutating func read(whole json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        guard json["type"]?.string == "message", let blocks = json["content"]?.array else { return [] }
        draft.isAnswer = true
        count(json["usage"], into: &draft)
        var parts: [ReplyPart] = []
        for (index, block) in blocks.enumerated() {
            parts += begin(block, index, into: &draft)
            keep(index, into: &draft)
        }
        if let reason = json["stop_reason"]?.string { draft.stop(by: Self.stop(reason)) }
        return parts
    }

    // MARK: Blocks

    private mutating func begin(_ block: JSON, _ index: Int, into draft: inout ReplyDraft) -> [ReplyPart] {
        switch block["type"]?.string {
        case "text": return draft.add(text: block["text"]?.string ?? "")
        case "thinking", "redacted_thinking":
            thoughts[index] = Thought(block: block.object ?? JSON.Object(), callsBefore: callCount)
            return draft.add(reasoning: block["thinking"]?.string ?? "")
        case "tool_use":
            callCount += 1
            var function = JSON.Object()
            function["name"] = block["name"]
            // The input is mostly empty here, and the arguments follow in pieces. Some proxies send them whole.
            if let input = block["input"], input.object?.isEmpty == false { function["arguments"] = input }
            return draft.add(call: .of(["index": .int(index), "id": block["id"], "function": .object(function)]))
        default: return []
        }
    }

    private mutating func go(on delta: JSON, _ index: Int, into draft: inout ReplyDraft) -> [ReplyPart] {
        switch delta["type"]?.string {
        case "text_delta": return draft.add(text: delta["text"]?.string ?? "")
        case "input_json_delta":
            guard let piece = delta["partial_json"]?.string, !piece.isEmpty else { return [] }
            return draft.add(call: ["index": .int(index), "function": ["arguments": .string(piece)]])
        case "thinking_delta":
            let piece = delta["thinking"]?.string ?? ""
            append(piece, to: "thinking", of: index)
            return draft.add(reasoning: piece)
        case "signature_delta":
            append(delta["signature"]?.string ?? "", to: "signature", of: index)
            return []
        default: return []
        }
    }

    private mutating func append(_ piece: String, to field: String, of index: Int) {
        guard var thought = thoughts[index] else { return }
        thought.block[field] = .string((thought.block[field]?.string ?? "") + piece)
        thoughts[index] = thought
    }

    /// Stores a thought that is complete. A thought without a signature, as proxies send it, is dropped, since the
    /// server would refuse it.
    private mutating func keep(_ index: Int, into draft: inout ReplyDraft) {
        guard let thought = thoughts.removeValue(forKey: index) else { return }
        let seal = thought.block["type"]?.string == "thinking" ? "signature" : "data"
        guard thought.block[seal]?.string?.isEmpty == false else { return }
        kept.add(.object(thought.block), callsBefore: thought.callsBefore)
        draft.opaque = kept.parts
    }

    // MARK: Ends

    /// Updates the usage. Counts are totals so far, so the last ones are valid. `input_tokens` does not include the
    /// cached parts, which are added.
    private mutating func count(_ usage: JSON?, into draft: inout ReplyDraft) {
        guard let usage else { return }
        let cached = tokens(usage["cache_read_input_tokens"]) ?? draft.usage?.cachedTokens ?? 0
        created = tokens(usage["cache_creation_input_tokens"]) ?? created
        var prompt = draft.usage?.promptTokens ?? 0
        if let input = tokens(usage["input_tokens"]) { prompt = input + cached + created }
        let output = usage["output_tokens"]?.int ?? draft.usage?.completionTokens ?? 0
        draft.usage = Reply.Usage(promptTokens: prompt, completionTokens: output, cachedTokens: cached)
    }

    private func tokens(_ count: JSON?) -> Int? { count?.int.map { min(max(0, $0), Limits.replyTokens) } }

    private static func stop(_ reason: String) -> ReplyDraft.Stop {
        switch reason {
        case "max_tokens", "model_context_window_exceeded": .length
        case "pause_turn": .givenUp
        case "refusal": .filtered
        case "tool_use": .calls
        default: .natural
        }
    }
}

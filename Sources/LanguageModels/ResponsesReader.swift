import JSON
import Vocabulary

/// The reader of OpenAI's Responses (`wire.md` LLM 10). The status of the whole response decides in the end, not the
/// name of an event.
struct ResponsesReader: DialectReader {
    private let profile: ModelProfile
    /// The indexes of the calls whose arguments have arrived. Arguments come in pieces, and then once more as a whole.
    private var hasArguments: Set<Int> = []
    private var begun: Set<Int> = []
    private var hasText: Set<Int> = []
    private var kept = PlacedBlocks()

    init(_ profile: ModelProfile) { self.profile = profile }

    mutating func read(_ json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        let type = json["type"]?.string ?? ""
        let index = json["output_index"]?.int ?? 0
        if type.hasPrefix("response.") { draft.isAnswer = true }
        switch type {
        case "response.output_item.added": return begin(json["item"] ?? [:], index, into: &draft)
        case "response.output_text.delta", "response.refusal.delta":
            hasText.insert(index)
            return draft.add(text: json["delta"]?.string ?? "")
        case "response.reasoning_summary_text.delta", "response.reasoning_text.delta":
            return draft.add(reasoning: json["delta"]?.string ?? "")
        case "response.reasoning_summary_part.added": return draft.reasoning.isEmpty ? [] : draft.add(reasoning: "\n\n")
        case "response.function_call_arguments.delta":
            hasArguments.insert(index)
            return draft.add(call: ["index": .int(index), "function": ["arguments": json["delta"] ?? ""]])
        case "response.function_call_arguments.done": return arguments(json["arguments"], index, into: &draft)
        case "response.output_item.done": return end(json["item"] ?? [:], index, into: &draft)
        case "error": return draft.fail(failure(json))
        case _ where json["response"]?["status"] != nil: return settle(json["response"] ?? [:], into: &draft)
        default: return draft.isAnswer ? [] : draft.fail(profile.wrongDialect(json))
        }
    }

    mutating func read(whole json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        guard json["object"]?.string == "response" || json["output"]?.array != nil else { return [] }
        draft.isAnswer = true
        return settle(json, into: &draft)
    }

    // MARK: Items

    private mutating func begin(_ item: JSON, _ index: Int, into draft: inout ReplyDraft) -> [ReplyPart] {
        guard item["type"]?.string == "function_call" else { return [] }
        begun.insert(index)
        return draft.add(
            call: .of([
                "index": .int(index), "id": item["call_id"] ?? item["id"], "function": .of(["name": item["name"]]),
            ]))
    }

    /// Adds the whole arguments of a call, unless they have arrived in pieces.
    private mutating func arguments(_ whole: JSON?, _ index: Int, into draft: inout ReplyDraft) -> [ReplyPart] {
        guard hasArguments.insert(index).inserted, let whole else { return [] }
        return draft.add(call: ["index": .int(index), "function": ["arguments": whole]])
    }

    private mutating func end(_ item: JSON, _ index: Int, into draft: inout ReplyDraft) -> [ReplyPart] {
        switch item["type"]?.string {
        case "function_call":
            let parts = begun.contains(index) ? [] : begin(item, index, into: &draft)
            return parts + arguments(item["arguments"], index, into: &draft)
        case "message":
            guard hasText.insert(index).inserted else { return [] }
            return draft.add(
                text: (item["content"]?.array ?? []).compactMap { ($0["text"] ?? $0["refusal"])?.string }.joined())
        case "reasoning":
            keep(item, into: &draft)
            return []
        default: return []
        }
    }

    /// Stores a thought with its sealed content. Without it, the thought is dropped, since the server would look it up
    /// and stores nothing.
    private mutating func keep(_ item: JSON, into draft: inout ReplyDraft) {
        guard item["encrypted_content"]?.string?.isEmpty == false else { return }
        let members = (item.object?.members ?? []).filter {
            ["type", "id", "summary", "encrypted_content"].contains($0.key)
        }
        kept.add(.object(JSON.Object(members: members)), callsBefore: draft.calls.count)
        draft.opaque = kept.parts
    }

    // MARK: The end

    private mutating func settle(_ response: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        count(response["usage"], into: &draft)
        var parts: [ReplyPart] = []
        switch response["status"]?.string {
        case "completed":
            // Parts that were not streamed are read here.
            if begun.isEmpty, hasText.isEmpty {
                for (index, item) in (response["output"]?.array ?? []).enumerated() {
                    parts += end(item, index, into: &draft)
                }
            }
            draft.stop(by: .natural)
        case "incomplete":
            draft.stop(by: response["incomplete_details"]?["reason"]?.string == "content_filter" ? .filtered : .length)
        case "failed": return draft.fail(failure(response["error"] ?? [:]))
        case "cancelled": draft.stop(by: .givenUp)
        default: return []
        }
        draft.close()
        return parts
    }

    private func failure(_ error: JSON) -> Failure {
        let wrapped = ServerError(["error": error["error"]?.object == nil ? error : error["error"] ?? error])
        return (wrapped ?? ServerError(body: [])).failure(profile, status: wrapped?.status ?? 500)
    }

    private func count(_ usage: JSON?, into draft: inout ReplyDraft) {
        guard let usage, let input = usage["input_tokens"]?.int, let output = usage["output_tokens"]?.int else {
            return
        }
        draft.usage = Reply.Usage(
            promptTokens: input, completionTokens: output,
            cachedTokens: usage["input_tokens_details"]?["cached_tokens"]?.int ?? 0,
            reasoningTokens: usage["output_tokens_details"]?["reasoning_tokens"]?.int ?? 0)
    }
}

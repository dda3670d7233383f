import JSON
import Vocabulary

/// The reader of Chat Completions (`wire.md` LLM 2, 6).
struct ChatCompletionsReader: DialectReader {
    private let profile: ModelProfile
    /// All text so far, reasoning included. Used only if chunks repeat earlier text.
    private var said = ""

    init(_ profile: ModelProfile) { self.profile = profile }

    mutating func read(whole json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] { read(json, into: &draft) }

    mutating func read(_ json: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        if !draft.isAnswer, let type = json["type"]?.string, type != "ping", json["choices"] == nil {
            return draft.fail(profile.wrongDialect(json))
        }
        if let usage = Self.usage(json["usage"]) { draft.usage = usage }
        guard let choice = json["choices"]?.array?.first(where: { ($0["index"]?.int ?? 0) == 0 }) else { return [] }
        draft.isAnswer = true
        let parts = read(delta: choice["delta"] ?? choice["message"] ?? [:], into: &draft)
        if let reason = choice["finish_reason"]?.string, !reason.isEmpty {
            draft.stop(by: Self.stop(reason.lowercased()))
        }
        return parts
    }

    private mutating func read(delta: JSON, into draft: inout ReplyDraft) -> [ReplyPart] {
        var parts: [ReplyPart] = []
        for field in profile.messageEchoFields { OpaqueField.add(delta[field], called: field, to: &draft.opaque) }
        parts += draft.add(reasoning: Self.reasoning(of: delta))
        for content in [delta["content"], delta["refusal"]] {
            parts += draft.add(text: news(in: Self.text(content)))
        }
        let fragments = delta["tool_calls"]?.array ?? []
        for fragment in fragments {
            draft.goOn()
            parts += draft.add(call: fragment)
        }
        if fragments.isEmpty, let old = delta["function_call"], old.object != nil {
            _ = draft.oldCall.feed(["index": 0, "function": old])
        }
        return parts
    }

    /// Returns the reasoning in a chunk. Servers have three names for it, and some send the same text under two of
    /// them.
    private static func reasoning(of delta: JSON) -> String {
        for name in ["reasoning_content", "reasoning"] {
            if let text = delta[name]?.string, !text.isEmpty { return text }
        }
        return (delta["reasoning_details"]?.array ?? []).compactMap { $0["text"]?.string ?? $0["summary"]?.string }
            .joined()
    }

    /// Returns the text of a content, which is a text or a list of parts.
    private static func text(_ content: JSON?) -> String {
        switch content {
        case .string(let text)?: text
        case .array(let parts)?: parts.compactMap { $0["text"]?.string }.joined()
        default: ""
        }
    }

    /// Returns the new part of a content, if the server's chunks repeat earlier text. Only the profile decides whether
    /// they do, since a guess would drop real repetitions.
    private mutating func news(in content: String) -> String {
        guard profile.cumulativeContent else { return content }
        guard !said.isEmpty, content.utf8.starts(with: said.utf8) else {
            said += content
            return content
        }
        let news = String(decoding: content.utf8.dropFirst(said.utf8.count), as: UTF8.self)
        said = content
        return news
    }

    private static func stop(_ reason: String) -> ReplyDraft.Stop {
        switch reason {
        case "length", "max_tokens", "model_length", "max_output_tokens": .length
        case "abort", "insufficient_system_resource": .givenUp
        case "content_filter": .filtered
        case "error": .failed
        case "tool_calls": .calls
        default: .natural
        }
    }

    private static func usage(_ counts: JSON?) -> Reply.Usage? {
        guard let counts, let prompt = counts["prompt_tokens"]?.int, let completion = counts["completion_tokens"]?.int
        else { return nil }
        return Reply.Usage(
            promptTokens: prompt, completionTokens: completion,
            // DeepSeek uses another name for this count.
            cachedTokens: counts["prompt_tokens_details"]?["cached_tokens"]?.int ?? counts["prompt_cache_hit_tokens"]?
                .int ?? 0,
            reasoningTokens: counts["completion_tokens_details"]?["reasoning_tokens"]?.int ?? 0)
    }
}

/// Fields of a message that come in pieces, and are sent back complete.
enum OpaqueField {
    /// Adds a piece of an opaque field. Texts are concatenated. An entry of a list that continues the text of the last
    /// one is joined to it, by the index that the server gives.
    static func add(_ piece: JSON?, called name: String, to parts: inout JSON.Object) {
        switch (parts[name], piece) {
        case (_, nil), (_, .null?): return
        case (.string(let before)?, .string(let more)?): parts[name] = .string(before + more)
        case (.array(let before)?, .array(let more)?):
            guard before.count < Limits.opaqueBlocks else { return }
            parts[name] = .array(more.prefix(Limits.opaqueBlocks).reduce(into: before, join))
        case (_, let piece?):
            if case .string(let text) = piece, text.isEmpty { return }
            parts[name] = piece
        }
    }

    private static func join(_ entries: inout [JSON], _ more: JSON) {
        guard let last = entries.last, case .object(var object) = last, let news = more.object,
            let field = ["text", "summary"].first(where: { object[$0]?.string != nil }), object["type"] == news["type"],
            object["index"] == news["index"], news.members.contains(where: { $0.key == field || $0.key == "signature" })
        else {
            entries.append(more)
            return
        }
        for member in news.members where member.key != field && !member.value.isNull {
            object[member.key] = member.value
        }
        object[field] = .string((object[field]?.string ?? "") + (news[field]?.string ?? ""))
        entries[entries.count - 1] = .object(object)
    }
}

package import HTTP
import JSON
package import Vocabulary

/// One reply of Chat Completions, put together from the events of its stream. Pure: it neither waits nor runs anything.
///
/// `feed` takes events as they come and gives what can be shown at once; `end` gives the verdict (`wire.md` LLM 5).
package struct ReplyAssembler {
    /// How the transport came to its end.
    package enum Ending: Hashable, Sendable {
        case clean
        /// Whatever came before: an answer that was cut is not an answer. The words are a sentence.
        case broken(words: String)
    }

    private let profile: ModelProfile
    private var text = ""
    private var calls: CallAssembler
    private var finishReason: String?
    private var usage: Reply.Usage?
    private var failure: Failure?
    private var hasChoices = false
    /// Nothing that comes after `[DONE]`, or after a failure, counts.
    package private(set) var isDone = false

    package init(_ profile: ModelProfile) {
        self.profile = profile
        calls = CallAssembler(echoFields: profile.echoFields)
    }

    package mutating func feed(_ event: EventStreamParser.Event) -> [ReplyPart] {
        guard !isDone else { return [] }
        if event.data.starts(with: "[DONE]".utf8) {
            isDone = true
            return []
        }
        // Some servers keep a stream alive with data of nothing.
        guard !event.data.allSatisfy({ $0 == 0x20 || $0 == 0x0A }) else { return [] }
        do {
            return feed(try JSONReader.read(event.data))
        } catch {
            return fail(Failure("modelBadReply", "The model's server sent something that is not JSON.", cause: error))
        }
    }

    /// A whole answer in one piece: what servers send that do not stream.
    mutating func feed(whole json: JSON) -> [ReplyPart] {
        let parts = feed(json)
        if failure == nil, !hasChoices { return parts + fail(wrongDialect("an answer without choices")) }
        isDone = true
        return parts
    }

    package mutating func fail(_ failure: Failure) -> [ReplyPart] {
        self.failure = failure
        isDone = true
        return []
    }

    // MARK: Events

    private mutating func feed(_ json: JSON) -> [ReplyPart] {
        if let error = ServerError(json) { return fail(error.failure(profile, status: error.status ?? 500)) }
        if !hasChoices, let type = json["type"]?.string, type != "ping", json["choices"] == nil { return fail(wrongDialect(type)) }
        if let counts = json["usage"], let prompt = counts["prompt_tokens"]?.int, let completion = counts["completion_tokens"]?.int {
            usage = Reply.Usage(promptTokens: prompt, completionTokens: completion)
        }
        guard let choice = json["choices"]?.array?.first(where: { ($0["index"]?.int ?? 0) == 0 }) else { return [] }
        hasChoices = true
        let parts = read(choice["delta"] ?? choice["message"] ?? [:])
        if let reason = choice["finish_reason"]?.string, !reason.isEmpty { finishReason = reason.lowercased() }
        return parts
    }

    private mutating func read(_ delta: JSON) -> [ReplyPart] {
        var parts: [ReplyPart] = []
        for content in [delta["content"], delta["refusal"]] {
            let news = news(in: Self.text(content))
            guard !news.isEmpty else { continue }
            text += news
            parts.append(.text(news))
        }
        for fragment in delta["tool_calls"]?.array ?? [] {
            // A reason to finish that came before its calls was none.
            finishReason = nil
            if let name = calls.feed(fragment) { parts.append(.callStarted(name: name)) }
        }
        guard !calls.isTooMany else {
            return parts + fail(Failure("modelBadReply", "The model asked for more than \(Limits.callsPerReply) calls at once."))
        }
        return parts
    }

    /// A text, or a list of parts of which some are text.
    private static func text(_ content: JSON?) -> String {
        switch content {
        case .string(let text)?: text
        case .array(let parts)?: parts.compactMap { $0["text"]?.string }.joined()
        default: ""
        }
    }

    /// Where chunks repeat what was said: only what is new. By the profile alone: guessing would swallow real repeats.
    private func news(in content: String) -> String {
        guard profile.cumulativeContent, !text.isEmpty, content.utf8.starts(with: text.utf8) else { return content }
        return String(decoding: content.utf8.dropFirst(text.utf8.count), as: UTF8.self)
    }

    private func wrongDialect(_ what: String) -> Failure {
        Failure(
            "modelWrongDialect", "\(profile.place) does not speak Chat Completions: it sent \(inWords(what)).",
            remedy: "Give the address of its OpenAI-compatible API; it mostly ends in /v1.")
    }

    // MARK: The verdict

    package func end(_ ending: Ending) -> Reply {
        if let failure { return reply(.failed(failure)) }
        if case .broken(let words) = ending { return cut(words) }
        switch finishReason {
        case nil where text.isEmpty && calls.isEmpty && !(isDone && hasChoices):
            return cut("The model's server ended without an answer; the conversation may be too long for it.")
        case nil where !isDone: return cut("The answer ended before the model was finished.")
        case "length", "max_tokens", "model_length", "max_output_tokens": return cut("The answer reached its limit of length.")
        case "abort", "insufficient_system_resource": return cut("The model's server gave the answer up.")
        case "content_filter": return reply(.failed(filtered))
        case "error": return reply(.failed(Failure("modelOverloaded", "The model's server failed while it answered.", isTransient: true)))
        case "tool_calls" where calls.isEmpty: return cut("The model's server announced a call and sent none.")
        default: break
        }
        guard let whole = calls.whole() else { return cut("The arguments of a call are not whole.") }
        return reply(.complete, calls: whole)
    }

    private func reply(_ verdict: Reply.Verdict, calls: [ChatCall] = []) -> Reply {
        Reply(text: text, calls: calls, verdict: verdict, usage: usage)
    }

    private func cut(_ words: String) -> Reply {
        reply(.truncated(Reason("modelTruncated", words + (calls.isEmpty ? "" : " None of its calls was run."))))
    }

    private var filtered: Failure {
        Failure("modelFiltered", "The model's provider filtered the answer.", remedy: "Say it in other words.")
    }
}

package import HTTP
import JSON
package import Vocabulary

extension Limits {
    /// The most bytes of all opaque parts of a reply, as JSON. If there are more, none is sent back.
    fileprivate static let opaqueBytes = 1 << 20
}

/// A reply, put together from the events of its stream. It is pure: it neither waits nor runs anything.
///
/// `feed` accepts events as they arrive, and returns the parts that can be shown at once. `end` returns the verdict
/// (`wire.md` LLM 5).
package struct ReplyAssembler: Sendable {
    /// The end of the transport.
    package enum Ending: Hashable, Sendable {
        case clean
        /// The transport failed, so the reply is incomplete, whatever arrived before. The words are a sentence.
        case broken(words: String)
    }

    private let profile: ModelProfile
    let isLong: Bool
    private var reader: any DialectReader
    private var draft: ReplyDraft

    private let tools: [ChatTool]

    /// Creates the assembler of one reply.
    ///
    /// - Parameters:
    ///   - isLong: whether the request may be too long for a model.
    ///   - tools: the tools that were offered with the request.
    package init(_ profile: ModelProfile, isLong: Bool = false, tools: [ChatTool] = []) {
        self.profile = profile
        self.isLong = isLong
        self.tools = tools
        reader = profile.dialect.reader(profile)
        draft = ReplyDraft(echoFields: profile.echoFields)
    }

    /// Whether the reply has ended or failed. Later events are then ignored.
    package var isDone: Bool { draft.isDone }

    package mutating func feed(_ event: EventStreamParser.Event) -> [ReplyPart] {
        guard !isDone else { return [] }
        if event.data.starts(with: "[DONE]".utf8) {
            draft.close()
            return []
        }
        // Some servers keep a stream alive with empty data.
        guard !event.data.allSatisfy({ $0 == 0x20 || $0 == 0x0A }) else { return [] }
        return feed(line: event.data)
    }

    /// Reads one JSON value of a stream: the data of an event, or a line.
    mutating func feed(line: [UInt8]) -> [ReplyPart] {
        guard !isDone else { return [] }
        do {
            let json = try JSONReader.read(line)
            if let error = ServerError(json) { return fail(error.failure(profile, status: error.status ?? 500)) }
            return reader.read(json, into: &draft)
        } catch {
            return fail(Failure(.modelBadReply, "The model's server sent something that is not JSON.", cause: error))
        }
    }

    /// Reads a whole answer, as servers without streaming send it.
    mutating func feed(whole json: JSON) -> [ReplyPart] {
        if let error = ServerError(json) { return fail(error.failure(profile, status: error.status ?? 500)) }
        let parts = reader.read(whole: json, into: &draft)
        if draft.failure == nil, !draft.isAnswer { return parts + fail(profile.wrongDialect(json)) }
        draft.close()
        return parts
    }

    package mutating func fail(_ failure: Failure) -> [ReplyPart] { draft.fail(failure) }

    // MARK: The verdict

    /// Returns the parts that were held back and can be shown now. Of a call that was written as text, only its name is
    /// shown.
    mutating func flush(for reply: Reply) -> [ReplyPart] {
        let parts = draft.flush()
        guard reply.text.isEmpty, !reply.calls.isEmpty, draft.calls.isEmpty, draft.oldCall.isEmpty else { return parts }
        return parts.filter { part in if case .text = part { false } else { true } }
            + reply.calls.map { .callStarted(name: $0.name) }
    }

    package func end(_ ending: Ending) -> Reply {
        var whole = draft
        _ = whole.flush()
        whole.moveUnopenedThought()
        if whole.calls.isEmpty { whole.calls = whole.oldCall }
        return Verdict(draft: whole, profile: profile, isLong: isLong, tools: tools).reply(ending)
    }
}

/// The end-of-stream table (`wire.md` LLM 5), the same for each dialect.
private struct Verdict {
    let draft: ReplyDraft
    let profile: ModelProfile
    let isLong: Bool
    let tools: [ChatTool]

    func reply(_ ending: ReplyAssembler.Ending) -> Reply {
        if let failure = draft.failure { return reply(.failed(failure)) }
        if case .broken(let words) = ending { return cut(words) }
        switch draft.stop {
        case nil where isEmpty && !(draft.isDone && draft.isAnswer):
            return cut(
                "The model's server ended without an answer\(isLong ? "; the conversation may be too long for it" : "")."
            )
        // The other dialects report how a reply ended. Only in this one, a mark of the end without a reason is enough.
        case nil where !draft.isDone || profile.dialect != .chatCompletions:
            return cut("The answer ended before the model was finished.")
        case .length: return cut("The answer reached its limit of length.", code: .modelLength)
        case .givenUp: return cut("The model's server gave the answer up.")
        case .filtered: return reply(.failed(filtered))
        case .failed:
            return reply(
                .failed(Failure(.modelOverloaded, "The model's server failed while it answered.", isTransient: true)))
        case .calls where draft.calls.isEmpty: return cut("The model's server announced a call and sent none.")
        case nil, .natural, .calls: break
        }
        // Without a reason to stop, only whole arguments show that the reply is complete.
        guard let whole = draft.calls.named, draft.stop != nil || whole.allSatisfy({ $0.flaw == nil }) else {
            return cut("A call is not whole.")
        }
        guard !whole.isEmpty || !draft.text.allSatisfy(\.isWhitespace) else { return reply(.failed(empty)) }
        guard whole.isEmpty else { return reply(.complete, calls: whole) }
        switch TextCalls(tools: tools).reading(of: draft.text) {
        case .answer: return reply(.complete)
        case .calls(let calls): return reply(.complete, calls: calls, text: "")
        case .unreadable:
            var reply = reply(.complete)
            reply.hasCallInText = true
            return reply
        }
    }

    private var isEmpty: Bool { draft.text.isEmpty && draft.reasoning.isEmpty && draft.calls.isEmpty }

    private func reply(_ verdict: Reply.Verdict, calls: [ChatCall] = [], text: String? = nil) -> Reply {
        let isOpaque =
            verdict == .complete && (!draft.opaque.isEmpty || calls.contains { !$0.opaque.isEmpty })
            && JSON.object(draft.opaque).text.utf8.count <= Limits.opaqueBytes
        return Reply(
            text: text ?? draft.text, calls: calls, verdict: verdict, usage: draft.usage?.priced(by: profile.prices),
            model: profile.model,
            reasoning: draft.reasoning,
            opaque: isOpaque ? OpaqueParts(origin: profile.origin, parts: draft.opaque) : nil)
    }

    private func cut(_ words: String, code: Code = .modelTruncated) -> Reply {
        reply(.truncated(Reason(code, words + (draft.calls.isEmpty ? "" : " None of its calls was run."))))
    }

    private var filtered: Failure {
        Failure(.modelFiltered, "The model's provider filtered the answer.")
    }

    private var empty: Failure {
        draft.reasoning.isEmpty
            ? Failure(.modelEmpty, "The model answered with nothing.", remedy: "Ask again, or in other words.")
            : Failure(
                .modelEmpty, "The model thought and then answered with nothing.",
                remedy: "Ask again; a model that does so often needs more tokens (max_tokens) or another effort.")
    }
}

extension Reply.Usage {
    fileprivate func priced(by prices: ModelProfile.Prices?) -> Reply.Usage {
        guard let prices else { return self }
        var usage = self
        // Dollars for a million tokens are millionths of a dollar for one.
        let cost =
            Double(max(0, promptTokens - cachedTokens)) * prices.input + Double(cachedTokens) * prices.cached
            + Double(completionTokens) * prices.output
        usage.cost = cost.isFinite && cost <= Double(Limits.replyMicrodollars) ? Int(cost.rounded()) : nil
        return usage
    }
}

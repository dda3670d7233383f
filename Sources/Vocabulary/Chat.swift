package import JSON

extension Limits {
    /// The largest sum of tokens, or of millionths of a dollar, that is counted. A larger one counts as this.
    fileprivate static let usageTokens = 1 << 50
}

/// A message of a conversation, as models exchange it and as it is stored.
package struct ChatMessage: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable, CaseIterable { case system, user, assistant, tool }

    package var role: Role
    package var text: String
    /// The tool calls that an assistant message asks for.
    package var calls: [ChatCall]
    /// The id of the call that a tool message answers.
    package var callID: String?
    /// `complete`, or why the text is partial.
    package var isPartial: Bool
    /// The thoughts of the model before an assistant message, as far as its server shows them. They are for the
    /// user, and no model receives them as text.
    package var reasoning: String
    package var opaque: OpaqueParts?
    /// The words that requests contain below those of the user. No view of the conversation shows them.
    package var aside: Aside?
    /// The words of the user that the built-in planner did not understand, in its answer to them. They stand in
    /// events and are not stored with the message.
    package var notUnderstood: [String]
    /// The line that the built-in planner offers in place of one that it refused, or nil. It stands in events, and
    /// runs only if the user sends it.
    package var way: String?
    /// The words for the model below an assistant message, which are not the person's. No view of the conversation
    /// shows them, and they are not stored.
    package var remark: String?
    /// The pictures beside a tool message, or those that a line of the user attaches, in their order.
    package var pictures: [ChatPicture] = []
    /// Whether a line of the user came into the turn that ran, so that no turn begins with it.
    package var isInterjected = false

    package init(
        _ role: Role, _ text: String, calls: [ChatCall] = [], callID: String? = nil, isPartial: Bool = false,
        reasoning: String = "",
        opaque: OpaqueParts? = nil, aside: Aside? = nil, notUnderstood: [String] = []
    ) {
        self.aside = aside
        self.notUnderstood = notUnderstood
        self.role = role
        self.text = text
        self.calls = calls
        self.callID = callID
        self.isPartial = isPartial
        self.reasoning = reasoning
        self.opaque = opaque
    }
}

extension ChatMessage {
    /// The words about the moment that a model receives with a line of the user, such as the list of the folder's
    /// files. They stay with their message, so that every request has the same beginning and servers find it in
    /// their caches.
    package struct Aside: Hashable, Sendable {
        /// The news since the message before, in front of the user's line, or an empty text.
        package var news: String
        /// All words below the line, or their difference from the aside before. Empty if nothing has changed.
        package var words: String
        /// All words, for requests in which the asides before are left out.
        package var whole: String
        /// The contents of the files that the user's line names behind `@`, directly below it, or an empty text.
        package var attached = ""

        package init(news: String = "", words: String, whole: String) {
            self.news = news
            self.words = words
            self.whole = whole
        }
    }

    /// The text that is sent to a model, including the aside.
    package var sentText: String {
        guard let aside else { return text }
        return [aside.news, text, aside.attached, aside.words].filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    /// The size of the message in a model's window, in bytes: its text, its calls, its pictures and the parts that
    /// must be sent back with it.
    package var bytes: Int {
        let opaque = opaque.map { JSON.object($0.parts).text.utf8.count } ?? 0
        let aside = aside.map { $0.words.utf8.count + $0.news.utf8.count + $0.attached.utf8.count } ?? 0
        return text.utf8.count + opaque + aside + (remark?.utf8.count ?? 0) + pictureBytes
            + calls.reduce(64) { $0 + $1.arguments.text.utf8.count + $1.name.utf8.count }
    }

    /// The size of the message's pictures in a model's window, in bytes of text.
    package var pictureBytes: Int { pictures.reduce(0) { $0 + $1.textBytes } }
}

extension [ChatMessage] {
    /// Returns the messages with all words in the first aside, for the case that earlier asides were dropped.
    package func withWholeAside(after dropped: some BidirectionalCollection<ChatMessage>) -> [ChatMessage] {
        guard let last = dropped.last(where: { $0.aside != nil })?.aside else { return self }
        var messages = self
        if let first = firstIndex(where: { $0.aside != nil }) {
            messages[first].aside?.words = self[first].aside?.whole ?? ""
        } else if let line = lastIndex(where: { $0.role == .user }) {
            messages[line].aside = ChatMessage.Aside(words: last.whole, whole: last.whole)
        }
        return messages
    }
}

/// The parts of a message that only its server understands and wants back unchanged with the next request, such as
/// signatures and sealed thoughts (`wire.md` LLM 9). They are never sent to another model or server.
package struct OpaqueParts: Hashable, Sendable {
    /// Dialect, host and model, such as `responses api.example.com:443 m1`.
    package var origin: String
    /// The parts, by their names in the dialect.
    package var parts: JSON.Object

    package init(origin: String, parts: JSON.Object) {
        self.origin = origin
        self.parts = parts
    }
}

/// A complete tool call of a model.
package struct ChatCall: Hashable, Sendable {
    package var id: String
    package var name: String
    /// The arguments. They are always an object, and `{}` if the model sent none (`wire.md` LLM 6).
    package var arguments: JSON
    /// Vendor fields that must be sent back unchanged, such as `extra_content`.
    package var opaque: JSON.Object
    /// The reason why the arguments cannot be read, and what would be right, in words for the model. Such a call
    /// has no arguments and is not performed. It is nil for a call that can be read, and is not stored.
    package var flaw: String?

    package init(
        id: String, name: String, arguments: JSON, opaque: JSON.Object = JSON.Object(), flaw: String? = nil
    ) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.opaque = opaque
        self.flaw = flaw
    }
}

/// A tool as it is described to a model.
package struct ChatTool: Hashable, Sendable {
    package var name: String
    package var summary: String
    /// JSON Schema of the arguments.
    package var schema: JSON

    package init(name: String, summary: String, schema: JSON) {
        self.name = name
        self.summary = summary
        self.schema = schema
    }
}

package struct ChatRequest: Hashable, Sendable {
    package var messages: [ChatMessage]
    package var tools: [ChatTool]
    /// The part of the conversation that did not fit.
    package var leftOut: LeftOut
    /// The window into which the messages fit by the counts of the server, in tokens, or nil if that is not known.
    package var fittedWindow: Int?

    package init(messages: [ChatMessage], tools: [ChatTool], leftOut: LeftOut = .nothing) {
        self.messages = messages
        self.tools = tools
        self.leftOut = leftOut
    }

    /// Earlier messages that are not sent with a request.
    package struct LeftOut: Hashable, Sendable {
        /// The number of the user's lines, each with the messages that follow it.
        package var turns: Int
        package var messages: Int

        package init(turns: Int, messages: Int) {
            self.turns = turns
            self.messages = messages
        }

        /// Counts messages that are left out.
        package init(_ messages: some Collection<ChatMessage>) {
            self.init(turns: messages.count { $0.role == .user }, messages: messages.count)
        }

        package static let nothing = LeftOut(turns: 0, messages: 0)

        package static func + (one: LeftOut, other: LeftOut) -> LeftOut {
            LeftOut(turns: one.turns + other.turns, messages: one.messages + other.messages)
        }
    }
}

/// A part of a model's reply, in the order in which it arrives. The stream ends after `finished`. A stream that
/// throws or ends without it was cut, and none of its calls run.
package enum ReplyPart: Hashable, Sendable {
    case text(String)
    /// Thoughts of the model before its answer. They are not a part of the answer.
    case reasoning(String)
    /// The model has begun a call, which is shown as a pending chip. Its arguments may still be incomplete.
    case callStarted(name: String)
    /// The connection is alive or being tried again: "retry 2/4 in 8 s (429)".
    case notice(String)
    /// The part of the conversation that does not fit into the model's window, and was not sent.
    case leftOut(ChatRequest.LeftOut)
    case finished(Reply)
}

/// A whole reply with the verdict of the end-of-stream table (`wire.md` LLM 5).
package struct Reply: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
        case complete
        /// Cut by the length limit or by the connection: runs nothing.
        case truncated(Reason)
        case failed(Failure)
    }

    package var text: String
    /// The calls of the reply. The list is empty unless the verdict is `complete`. A call with a flaw does not run.
    package var calls: [ChatCall]
    package var verdict: Verdict
    package var usage: Usage?
    /// The model that wrote the reply, as its server names it. It is empty for the built-in planner.
    package var model: String
    package var reasoning: String
    package var opaque: OpaqueParts?
    /// Whether the reply says that nothing of the request was done. Only the built-in planner reports this.
    package var isRefusal: Bool
    /// The words that the built-in planner did not understand, or an empty list if the refusal has another reason.
    package var notUnderstood: [String]
    /// The line that the built-in planner offers in place of the refused one, or nil.
    package var way: String?
    /// Whether the text holds a call beside other words, or one that cannot be read. It is not run.
    package var hasCallInText = false

    package init(
        text: String, calls: [ChatCall] = [], verdict: Verdict = .complete, usage: Usage? = nil, model: String = "",
        reasoning: String = "", opaque: OpaqueParts? = nil, isRefusal: Bool = false, notUnderstood: [String] = []
    ) {
        self.notUnderstood = notUnderstood
        self.model = model
        self.isRefusal = isRefusal
        self.reasoning = reasoning
        self.opaque = opaque
        self.text = text
        self.calls = calls
        self.verdict = verdict
        self.usage = usage
    }

    /// The size of a request and its reply in tokens, as the server counts them.
    package struct Usage: Hashable, Sendable {
        /// All tokens of the input, including cached ones.
        package var promptTokens: Int
        /// The part of the input that was read from a cache.
        package var cachedTokens: Int
        /// All tokens of the output, including those of thoughts.
        package var completionTokens: Int
        package var reasoningTokens: Int
        /// The cost in millionths of a dollar, or `nil` if the price is not known.
        package var cost: Int?

        package init(
            promptTokens: Int, completionTokens: Int, cachedTokens: Int = 0, reasoningTokens: Int = 0, cost: Int? = nil
        ) {
            // A server may send any count. Sums of sums must not overflow.
            func bounded(_ count: Int) -> Int { min(max(0, count), Limits.usageTokens) }
            self.promptTokens = bounded(promptTokens)
            self.cachedTokens = min(bounded(cachedTokens), bounded(promptTokens))
            self.completionTokens = bounded(completionTokens)
            self.reasoningTokens = bounded(reasoningTokens)
            self.cost = cost.map { min(max(0, $0), Limits.usageTokens) }
        }
    }
}

/// A function that asks a model: the built-in planner, or a model over HTTP. It passes each part of the reply to
/// `tell` as it arrives, in the task of the caller, and returns after the last part. It throws `Failure`, or
/// `CancellationError` if that task is cancelled.
package typealias ChatModel =
    @Sendable (ChatRequest, _ tell: @escaping @Sendable (ReplyPart) -> Void) async throws -> Void

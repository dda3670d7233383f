package import JSON

extension Limits {
    /// Of any sum of tokens, and of millionths of a dollar.
    fileprivate static let usageTokens = 1 << 50
}

/// One message of a conversation, as models exchange them and as it is stored.
package struct ChatMessage: Hashable, Sendable {
    package enum Role: String, Hashable, Sendable, CaseIterable { case system, user, assistant, tool }

    package var role: Role
    package var text: String
    /// What an assistant message asks to be called.
    package var calls: [ChatCall]
    /// In a tool message: the call it answers.
    package var callID: String?
    /// `complete`, or why the text is partial.
    package var isPartial: Bool
    /// What an assistant message was thought up with, as far as its server shows it. For the person; it goes to no
    /// model as text.
    package var reasoning: String
    package var opaque: OpaqueParts?
    /// The words below those of the person in requests. No view of the conversation shows them.
    package var aside: Aside?
    /// The words of the person that the built-in planner did not understand, in its answer to them. They are told in
    /// events and not stored with the message.
    package var notUnderstood: [String]

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
    /// The words that a model is told with a line of the person about the moment, such as what the folder holds. It
    /// stays with its message, so that the beginning of a conversation is the same in every request, and servers find
    /// it in their caches.
    package struct Aside: Hashable, Sendable {
        /// The whole, or its difference from the last one before.
        package var words: String
        /// The whole, for requests in which the ones before are left out.
        package var whole: String

        package init(words: String, whole: String) {
            self.words = words
            self.whole = whole
        }
    }

    /// The text as it is sent.
    package var sentText: String { aside.map { "\(text)\n\n\($0.words)" } ?? text }

    /// What it takes of a model's window, in bytes: its words, its calls and what must come back with it.
    package var bytes: Int {
        let opaque = opaque.map { JSON.object($0.parts).text.utf8.count } ?? 0
        return text.utf8.count + opaque + (aside?.words.utf8.count ?? 0)
            + calls.reduce(64) { $0 + $1.arguments.text.utf8.count + $1.name.utf8.count }
    }
}

extension [ChatMessage] {
    /// Returns the messages with a whole first aside, after earlier messages were left out that the aside builds on.
    package func withWholeAside(after dropped: some BidirectionalCollection<ChatMessage>) -> [ChatMessage] {
        guard let last = dropped.last(where: { $0.aside != nil })?.aside else { return self }
        var messages = self
        if let first = firstIndex(where: { $0.aside != nil }) {
            messages[first].aside = self[first].aside.map { ChatMessage.Aside(words: $0.whole, whole: $0.whole) }
        } else if let line = lastIndex(where: { $0.role == .user }) {
            messages[line].aside = ChatMessage.Aside(words: last.whole, whole: last.whole)
        }
        return messages
    }
}

/// What a server sent with a message for itself alone, and wants back unchanged with the next request: signatures,
/// sealed thoughts (`wire.md` LLM 9). Another model, or another server, is not given it.
package struct OpaqueParts: Hashable, Sendable {
    /// Dialect, host and model, such as `responses api.example.com:443 m1`.
    package var origin: String
    /// By the names that the dialect has for them.
    package var parts: JSON.Object

    package init(origin: String, parts: JSON.Object) {
        self.origin = origin
        self.parts = parts
    }
}

/// A tool call that a model made, whole.
package struct ChatCall: Hashable, Sendable {
    package var id: String
    package var name: String
    /// Always an object; `{}` where the model sent nothing (`wire.md` LLM 6).
    package var arguments: JSON
    /// Vendor fields that must be sent back unchanged, such as `extra_content`.
    package var opaque: JSON.Object

    package init(id: String, name: String, arguments: JSON, opaque: JSON.Object = JSON.Object()) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.opaque = opaque
    }
}

/// A tool as a model is told of it.
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

    package init(messages: [ChatMessage], tools: [ChatTool], leftOut: LeftOut = .nothing) {
        self.messages = messages
        self.tools = tools
        self.leftOut = leftOut
    }

    /// Earlier messages that are not sent with a request.
    package struct LeftOut: Hashable, Sendable {
        /// The number of lines of the person with what followed each.
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

/// What a model says, in the order in which it comes. The stream ends after `finished`; a stream that throws or ends
/// without it was cut, and runs nothing.
package enum ReplyPart: Hashable, Sendable {
    case text(String)
    /// What the model thinks before it answers; no part of the answer.
    case reasoning(String)
    /// A call has begun; shown as a pending chip. Its arguments may still be on the way.
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
    /// Only what may run: empty unless the verdict is `complete`.
    package var calls: [ChatCall]
    package var verdict: Verdict
    package var usage: Usage?
    /// By whom it is, as its server calls the model; empty for the built-in planner.
    package var model: String
    package var reasoning: String
    package var opaque: OpaqueParts?
    /// Whether it says that nothing was done of what was wanted: the built-in planner knows that of itself, models do
    /// not say it.
    package var isRefusal: Bool
    /// The words that a refusal of the built-in planner is for. Empty if it refuses for another reason.
    package var notUnderstood: [String]

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

    /// What a reply took, as its server counts it, in tokens.
    package struct Usage: Hashable, Sendable {
        /// The whole input, with what was cached.
        package var promptTokens: Int
        /// The part of the input that was read from a cache.
        package var cachedTokens: Int
        /// The whole output, with what was only thought.
        package var completionTokens: Int
        package var reasoningTokens: Int
        /// In millionths of a dollar; `nil` if the price is not known.
        package var cost: Int?

        package init(
            promptTokens: Int, completionTokens: Int, cachedTokens: Int = 0, reasoningTokens: Int = 0, cost: Int? = nil
        ) {
            // A server counts what it likes; sums of sums must stay numbers.
            func bounded(_ count: Int) -> Int { min(max(0, count), Limits.usageTokens) }
            self.promptTokens = bounded(promptTokens)
            self.cachedTokens = min(bounded(cachedTokens), bounded(promptTokens))
            self.completionTokens = bounded(completionTokens)
            self.reasoningTokens = bounded(reasoningTokens)
            self.cost = cost.map { min(max(0, $0), Limits.usageTokens) }
        }
    }
}

/// The seam behind which a model stands: the built-in planner or one over HTTP. It tells each part of its reply as it
/// comes, in the task of whoever asks, and returns after the last. It throws `Failure`, and `CancellationError` where
/// that task is cancelled.
package typealias ChatModel =
    @Sendable (ChatRequest, _ tell: @escaping @Sendable (ReplyPart) -> Void) async throws -> Void

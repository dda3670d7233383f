package import JSON

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

    package init(_ role: Role, _ text: String, calls: [ChatCall] = [], callID: String? = nil, isPartial: Bool = false) {
        self.role = role
        self.text = text
        self.calls = calls
        self.callID = callID
        self.isPartial = isPartial
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

    package init(messages: [ChatMessage], tools: [ChatTool]) {
        self.messages = messages
        self.tools = tools
    }
}

/// What a model says, in the order in which it comes. The stream ends after `finished`; a stream that throws or ends without it was
/// cut, and runs nothing.
package enum ReplyPart: Hashable, Sendable {
    case text(String)
    /// A call has begun; shown as a pending chip. Its arguments may still be on the way.
    case callStarted(name: String)
    /// The connection is alive or being tried again: "retry 2/4 in 8 s (429)".
    case notice(String)
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
    /// Whether it says that nothing was done of what was wanted: the built-in planner knows that of itself, models do not say it.
    package var isRefusal: Bool

    package init(
        text: String, calls: [ChatCall] = [], verdict: Verdict = .complete, usage: Usage? = nil, isRefusal: Bool = false
    ) {
        self.isRefusal = isRefusal
        self.text = text
        self.calls = calls
        self.verdict = verdict
        self.usage = usage
    }

    package struct Usage: Hashable, Sendable {
        package var promptTokens: Int
        package var completionTokens: Int

        package init(promptTokens: Int, completionTokens: Int) {
            self.promptTokens = promptTokens
            self.completionTokens = completionTokens
        }
    }
}

/// The seam behind which a model stands: the built-in planner or one over HTTP. The stream may throw `Failure`.
package typealias ChatModel = @Sendable (ChatRequest) -> AsyncThrowingStream<ReplyPart, any Error>

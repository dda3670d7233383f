import HTTP
import Vocabulary

/// Where a model is reached and how its server differs from the others (`wire.md` LLM 6 and 7).
package struct ModelProfile: Hashable, Sendable {
    package enum MaxTokensField: String, Hashable, Sendable, CaseIterable {
        case maxTokens = "max_tokens"
        case maxCompletionTokens = "max_completion_tokens"
    }

    package enum SystemRole: String, Hashable, Sendable, CaseIterable {
        case system, developer
    }

    /// The base, `http://127.0.0.1:8080/v1`, or the whole address, `…/v1/chat/completions`.
    package var url: String
    package var model: String
    package var apiKey: APIKey?

    /// Whether it knows `stream_options`: some servers answer 400 to it.
    package var usageInStream = true
    package var maxTokens: Int?
    package var maxTokensField = MaxTokensField.maxTokens
    /// `nil` leaves it to the server; `false` asks for one call at a time.
    package var parallelCalls: Bool?
    package var systemRole = SystemRole.system
    /// Whether each chunk repeats all the text before it.
    package var cumulativeContent = false
    /// Fields of a call that must come back with it, such as Gemini's signatures.
    package var echoFields: Set<String> = ["extra_content", "thought_signature"]
    package var connectSeconds = Limits.connectSeconds
    package var idleSeconds = Limits.idleSeconds
    package var totalSeconds = Limits.totalSeconds

    package init(url: String, model: String, apiKey: APIKey? = nil) {
        self.url = url
        self.model = model
        self.apiKey = apiKey
    }

    /// The address of the dialect's one call: `/chat/completions` behind the base's path, before its query.
    var endpoint: String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = parts[0]
        while path.hasSuffix("/") { path.removeLast() }
        let whole = path.hasSuffix("/chat/completions") ? String(path) : "\(path)/chat/completions"
        return parts.count == 2 ? "\(whole)?\(parts[1])" : whole
    }

    /// `host:port`, as messages name the server.
    var place: String { Origin(of: url)?.hostAndPort ?? url }
}

/// A key that does not print itself: not in messages, not in logs, not in a dump of what holds it.
package struct APIKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let text: String

    /// Without the white space that files and pastes bring; `nil` if nothing is left.
    package init?(_ written: String) {
        let isSpace: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
        guard let first = written.firstIndex(where: { !isSpace($0) }), let last = written.lastIndex(where: { !isSpace($0) }) else {
            return nil
        }
        text = String(written[first...last])
    }

    package var description: String { "(a key)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

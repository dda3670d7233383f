import HTTP
import Vocabulary

extension ModelProfile {
    /// The address of requests: the dialect's path after that of the base address, before the query.
    var endpoint: String { address(dialect.path) }

    /// Returns the base address with another path after it, such as `/models`.
    func address(_ wanted: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path = parts[0]
        while path.hasSuffix("/") { path.removeLast() }
        for dialect in Dialect.allCases where path.hasSuffix(dialect.path) { path.removeLast(dialect.path.count) }
        return ([path + wanted] + parts.dropFirst()).joined(separator: "?")
    }

    /// `host:port`, as messages name the server.
    package var place: String { Origin(of: url)?.hostAndPort ?? url }

    /// The origin of opaque parts. A model gets only those of its own origin back.
    var origin: String { "\(dialect.rawValue) \(place) \(model)" }
}

extension ModelProfile.Dialect {
    /// The path of requests, after the path of the base address.
    var path: String {
        switch self {
        case .chatCompletions: "/chat/completions"
        case .messages: "/messages"
        case .responses: "/responses"
        case .ollama: "/api/chat"
        }
    }

    /// The usual name of the dialect.
    package var title: String {
        switch self {
        case .chatCompletions: "Chat Completions"
        case .messages: "Anthropic Messages"
        case .responses: "OpenAI Responses"
        case .ollama: "Ollama's own API"
        }
    }
}

import JSON
import Vocabulary

/// What of a conversation fits into a model's window: the instructions, the tools, the exchange that is under way, and as many of the newest
/// ones before it as there is room for. Servers that cut by themselves would cut the instructions.
enum ContextWindow {
    /// The request as far as it fits; as it is where the window is not known.
    static func fitted(_ request: ChatRequest, _ profile: ModelProfile) -> ChatRequest {
        guard let window = profile.window else { return request }
        let answer = min(profile.maxTokens ?? Limits.messagesMaxTokens, window / 4)
        var room = (window - answer) * bytesPerToken
        room -= request.tools.reduce(0) { $0 + $1.summary.utf8.count + $1.schema.text.utf8.count + 64 }
        room -= request.messages.reduce(0) { $0 + ($1.role == .system ? $1.bytes : 0) }
        guard request.messages.reduce(0, { $0 + ($1.role == .system ? 0 : $1.bytes) }) > room else { return request }
        var fitted = request
        fitted.messages = request.messages.filter { $0.role == .system } + newest(request.messages.filter { $0.role != .system }, room)
        return fitted
    }

    /// Whether there are models that could not read so much.
    static func isLong(_ request: ChatRequest) -> Bool {
        request.messages.reduce(0) { $0 + ($1.role == .system ? 0 : $1.bytes) } > Limits.smallestWindow * bytesPerToken
    }

    /// Texts of all languages have about so many or more; it is an estimate on the safe side.
    private static let bytesPerToken = 3

    private static func newest(_ messages: [ChatMessage], _ room: Int) -> [ChatMessage] {
        let last = messages.lastIndex { $0.role == .user } ?? 0
        let running = shortened(Array(messages[last...]), room)
        var left = room - running.reduce(0) { $0 + $1.bytes }
        var start = last
        // Whole exchanges only: an answer without its question misleads.
        while let before = messages[..<start].lastIndex(where: { $0.role == .user }) {
            left -= messages[before..<start].reduce(0) { $0 + $1.bytes }
            guard left >= 0 else { break }
            start = before
        }
        return messages[start..<last] + running
    }

    /// Of an exchange that is too large by itself, the longest results are cut first.
    private static func shortened(_ messages: [ChatMessage], _ room: Int) -> [ChatMessage] {
        let results = messages.filter { $0.role == .tool }
        let rest = messages.reduce(0) { $0 + ($1.role == .tool ? 64 : $1.bytes) }
        guard !results.isEmpty, rest + results.reduce(0, { $0 + $1.text.utf8.count }) > room else { return messages }
        let share = max(256, (room - rest) / results.count)
        return messages.map { message in
            guard message.role == .tool, message.text.utf8.count > share else { return message }
            var short = message
            short.text =
                String(decoding: message.text.utf8.prefix(share), as: UTF8.self) + " … [the rest does not fit into the model's window]"
            return short
        }
    }
}

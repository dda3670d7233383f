import JSON
import Vocabulary

extension Limits {
    /// The most bytes of pictures in one request. Servers refuse larger requests, such as Anthropic's from 32 MB
    /// on, and base64 makes them a third longer.
    static let sentPictureBytes = 20_000_000

    /// The most pictures in one request, of which servers take 100.
    static let sentPictures = 80
}

/// The part of a conversation that fits into a model's window: the instructions, the tools, the current exchange,
/// and as many of the newest earlier ones as fit. Servers that cut by themselves would cut the instructions.
enum ContextWindow {
    /// Returns a request cut to the model's window. If the window is unknown, the request stays as it is.
    static func fitted(_ request: ChatRequest, _ profile: ModelProfile) -> ChatRequest {
        let request = profile.hasVision ? withoutOldPictures(request) : request
        guard let window = profile.window, request.fittedWindow.map({ window < $0 }) ?? true else { return request }
        let answer = min(profile.maxTokens ?? Limits.messagesMaxTokens, window / 4)
        var room = (window - answer) * bytesPerToken
        room -= request.tools.reduce(0) { $0 + $1.summary.utf8.count + $1.schema.text.utf8.count + 64 }
        room -= request.messages.reduce(0) { $0 + ($1.role == .system ? $1.bytes : 0) }
        guard request.messages.reduce(0, { $0 + ($1.role == .system ? 0 : $1.bytes) }) > room else { return request }
        var fitted = request
        let said = request.messages.filter { $0.role != .system }
        let newest = newest(said, room)
        let dropped = said.dropLast(newest.count)
        fitted.messages = request.messages.filter { $0.role == .system } + newest.withWholeAside(after: dropped)
        fitted.leftOut = request.leftOut + ChatRequest.LeftOut(dropped)
        return fitted
    }

    /// Returns a request without the oldest pictures, if it has more than servers take. Several are left out at
    /// once, so that the next requests have the same beginning.
    private static func withoutOldPictures(_ request: ChatRequest) -> ChatRequest {
        let places = request.messages.indices.filter { !request.messages[$0].pictures.isEmpty }
        var kept = places[...]
        func isTooMuch() -> Bool {
            let pictures = kept.flatMap { request.messages[$0].pictures }
            return pictures.count > Limits.sentPictures
                || pictures.reduce(0) { $0 + $1.bytes.count } > Limits.sentPictureBytes
        }
        while isTooMuch() { kept = kept.dropFirst(picturesLeftOutAtOnce) }
        guard kept.count < places.count else { return request }
        var shorter = request
        for place in places.prefix(places.count - kept.count) {
            shorter.messages[place] = withoutPictures(request.messages[place])
        }
        return shorter
    }

    private static let picturesLeftOutAtOnce = 8

    /// Whether a request is so long that some models could not read it.
    static func isLong(_ request: ChatRequest) -> Bool {
        request.messages.reduce(0) { $0 + ($1.role == .system ? 0 : $1.bytes) } > Limits.smallestWindow * bytesPerToken
    }

    private static let bytesPerToken = Limits.bytesPerToken

    private static func newest(_ messages: [ChatMessage], _ room: Int) -> [ChatMessage] {
        let last = messages.lastIndex { $0.role == .user } ?? 0
        let running = shortened(Array(messages[last...]), room)
        var left = room - running.reduce(0) { $0 + $1.bytes }
        var start = last
        // Whole exchanges only: an answer without its question misleads.
        while let before = messages[..<start].lastIndex(where: { $0.role == .user }) {
            left -= messages[before..<start].reduce(0) { $0 + $1.bytes }
            guard left >= 0 else {
                left += messages[before..<start].reduce(0) { $0 + $1.bytes }
                break
            }
            start = before
        }
        // If not even the exchange before the current one fits, a part of it is better than nothing.
        guard start == last, let before = messages[..<last].lastIndex(where: { $0.role == .user }),
            let short = begun(Array(messages[before..<last]), left)
        else { return messages[start..<last] + running }
        return short + running
    }

    /// Returns the messages of an exchange, each cut to its share of the room. Returns nil if the shares would be
    /// too small to be useful.
    private static func begun(_ messages: [ChatMessage], _ room: Int) -> [ChatMessage]? {
        let messages = messages.map { $0.pictures.isEmpty ? $0 : withoutPictures($0) }
        let fixed = messages.reduce(0) { $0 + $1.bytes - $1.text.utf8.count + cutMark.utf8.count }
        let share = (room - fixed) / messages.count
        guard share >= smallestShare else { return nil }
        return messages.map { message in
            guard message.text.utf8.count > share else { return message }
            var short = message
            short.text = message.text.beginning(bytes: share) + cutMark
            return short
        }
    }

    private static let cutMark = " … [the rest does not fit into the model's window]"
    private static let smallestShare = 256

    private static let pictureMark =
        "\n[The picture is left out: more pictures came after it than the model can be sent.]"

    private static func withoutPictures(_ message: ChatMessage) -> ChatMessage {
        var message = message
        message.pictures = []
        message.text += pictureMark
        return message
    }

    /// Returns an exchange that is too large by itself without its oldest pictures, and with its longest results
    /// cut.
    private static func shortened(_ exchange: [ChatMessage], _ room: Int) -> [ChatMessage] {
        var messages = exchange
        var size = messages.reduce(0) { $0 + $1.bytes }
        for index in messages.indices where size > room && !messages[index].pictures.isEmpty {
            size -= messages[index].pictureBytes
            messages[index] = withoutPictures(messages[index])
        }
        let results = messages.filter { $0.role == .tool }
        let rest = messages.reduce(0) { $0 + ($1.role == .tool ? 64 + $1.pictureBytes : $1.bytes) }
        guard !results.isEmpty, rest + results.reduce(0, { $0 + $1.text.utf8.count }) > room else { return messages }
        let share = max(256, (room - rest) / results.count)
        return messages.map { message in
            guard message.role == .tool, message.text.utf8.count > share else { return message }
            var short = message
            short.text = message.text.beginning(bytes: share) + cutMark
            return short
        }
    }
}

import JSON
import Vocabulary

/// A reader of one dialect, which fills a draft. Between two events it stores only what it needs.
protocol DialectReader: Sendable {
    /// Reads one event, or one line, of a stream.
    mutating func read(_ json: JSON, into draft: inout ReplyDraft) -> [ReplyPart]
    /// Reads a whole answer, as servers without streaming send it.
    mutating func read(whole json: JSON, into draft: inout ReplyDraft) -> [ReplyPart]
}

extension ModelProfile.Dialect {
    func reader(_ profile: ModelProfile) -> any DialectReader {
        switch self {
        case .chatCompletions: ChatCompletionsReader(profile)
        case .messages: MessagesReader(profile)
        case .responses: ResponsesReader(profile)
        case .ollama: OllamaReader(profile)
        }
    }

    /// Guesses the dialect of a piece of an answer, or fails if it is of no known dialect.
    init?(guessedFrom json: JSON) {
        let type = json["type"]?.string ?? ""
        switch true {
        case json["choices"] != nil: self = .chatCompletions
        case type.hasPrefix("response."), json["object"]?.string == "response": self = .responses
        case type.hasPrefix("message_"), type.hasPrefix("content_block_"), type == "message": self = .messages
        case json["message"] != nil && json["done"] != nil: self = .ollama
        default: return nil
        }
    }
}

extension ModelProfile {
    /// Returns the failure of a server that answers in another dialect than it was asked in.
    func wrongDialect(_ json: JSON) -> Failure {
        // The answer may begin as in this dialect.
        let spoken = Dialect(guessedFrom: json).flatMap { $0 == dialect ? nil : $0 }
        let what = spoken?.title ?? json["type"]?.string.map { inWords($0) } ?? "something that is no part of an answer"
        return Failure(
            .modelWrongDialect, "\(place) does not speak \(dialect.title): it sent \(what).",
            remedy: spoken.map { "Set dialect: \($0.rawValue) for it." }
                ?? addressAdvice)
    }
}

/// Blocks that must be sent back in their places among the calls of a message: `[{"calls_before": 0, "block": {…}}]`.
struct PlacedBlocks {
    /// The name of the list among the opaque parts.
    static let name = "blocks"

    private(set) var blocks: [(callsBefore: Int, block: JSON)] = []

    init(blocks: [(callsBefore: Int, block: JSON)] = []) { self.blocks = blocks }

    init(_ parts: JSON.Object) {
        blocks = (parts[Self.name]?.array ?? []).compactMap { entry in
            guard let block = entry["block"], let place = entry["calls_before"]?.int else { return nil }
            return (place, block)
        }
    }

    mutating func add(_ block: JSON, callsBefore: Int) {
        if blocks.count < Limits.opaqueBlocks { blocks.append((callsBefore, block)) }
    }

    /// Returns the blocks that stand directly before the call with this number. Those before the first call stand
    /// before the text, too.
    func before(call number: Int) -> [JSON] { blocks.filter { $0.callsBefore == number }.map(\.block) }

    var parts: JSON.Object {
        var object = JSON.Object()
        guard !blocks.isEmpty else { return object }
        object[Self.name] = .array(blocks.map { ["calls_before": .int($0.callsBefore), "block": $0.block] })
        return object
    }
}

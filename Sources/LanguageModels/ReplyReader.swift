import HTTP
import JSON
import Vocabulary

extension Limits {
    /// The most bytes of a reply of a model, and of one of its events.
    fileprivate static let replyBytes = 16 << 20
}

/// A reader of an answer's body, byte by byte: server-sent events, lines of JSON, or one JSON value from servers that
/// do not stream. The dialect and the first byte decide which, since content types are unreliable (`wire.md` LLM 1).
struct ReplyReader {
    private enum Form { case unknown, events, lines, whole }

    private let profile: ModelProfile
    private var form = Form.unknown
    private var parser = EventStreamParser(limit: Limits.replyBytes)
    private var assembler: ReplyAssembler
    private var whole: [UInt8] = []
    private var bytesLeft = Limits.replyBytes
    /// The first bytes of the answer, which show whether it is a stream.
    private var head: [UInt8] = []

    /// Creates the reader of one answer.
    ///
    /// - Parameters:
    ///   - isLong: whether the request may be too long for a model.
    ///   - tools: the tools that were offered with the request.
    init(_ profile: ModelProfile, isLong: Bool = false, tools: [ChatTool] = []) {
        self.profile = profile
        assembler = ReplyAssembler(profile, isLong: isLong, tools: tools)
    }

    /// Whether no more needs to be read.
    var isDone: Bool { assembler.isDone }
    var hasReceivedBytes: Bool { bytesLeft < Limits.replyBytes }

    mutating func feed(_ bytes: [UInt8]) -> [ReplyPart] {
        bytesLeft -= bytes.count
        guard bytesLeft >= 0 else { return assembler.fail(tooLarge) }
        if form == .unknown, let first = bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
            guard first != UInt8(ascii: "<") else { return assembler.fail(profile.noAnswer(bytes)) }
            form = first != UInt8(ascii: "{") ? .events : profile.dialect == .ollama ? .lines : .whole
        }
        switch form {
        case .unknown: return []
        case .whole:
            whole += bytes
            return []
        case .lines:
            whole += bytes
            return Self.joined(takeLines().flatMap { assembler.feed(line: $0) })
        case .events:
            if head.count < Limits.errorBodyBytes { head += bytes.prefix(Limits.errorBodyBytes - head.count) }
            guard let events = try? parser.feed(bytes) else { return assembler.fail(tooLarge) }
            return Self.joined(events.flatMap { assembler.feed($0) })
        }
    }

    /// Takes the complete lines out of the buffer, and returns them. The rest stays in it.
    private mutating func takeLines() -> [[UInt8]] {
        guard let end = whole.lastIndex(of: 0x0A) else { return [] }
        let lines = whole[..<end].split(separator: 0x0A).map(Array.init)
        whole.removeSubrange(...end)
        return lines
    }

    /// Joins pieces of text that arrived together, since handing each part on is costly.
    private static func joined(_ parts: [ReplyPart]) -> [ReplyPart] {
        var joined: [ReplyPart] = []
        var (text, thought) = ("", "")
        func flush() {
            if !thought.isEmpty { joined.append(.reasoning(thought)) }
            if !text.isEmpty { joined.append(.text(text)) }
            (text, thought) = ("", "")
        }
        for part in parts {
            switch part {
            case .text(let piece):
                if !thought.isEmpty { flush() }
                text += piece
            case .reasoning(let piece):
                if !text.isEmpty { flush() }
                thought += piece
            case .callStarted, .notice, .leftOut, .finished:
                flush()
                joined.append(part)
            }
        }
        flush()
        return joined
    }

    /// Ends the answer. Returns the parts that can be shown only at the end, and the whole reply.
    mutating func end(_ ending: ReplyAssembler.Ending) -> (parts: [ReplyPart], reply: Reply) {
        var parts: [ReplyPart] = []
        if ending == .clean, !whole.isEmpty, let json = try? JSONReader.read(whole) {
            parts = form == .lines ? assembler.feed(line: whole) : assembler.feed(whole: json)
        }
        if ending == .clean, !assembler.isDone, form == .unknown || form == .events && !isStream {
            parts += assembler.fail(profile.noAnswer(head, isLong: assembler.isLong))
        }
        let reply = assembler.end(ending)
        parts += assembler.flush(for: reply)
        return (parts, reply)
    }

    private var tooLarge: Failure {
        Failure(.modelBadReply, "The model's answer is larger than \(Limits.replyBytes >> 20) MB.")
    }

    /// Whether the first bytes contain a line of server-sent events.
    private var isStream: Bool {
        head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { line in
            line.first == UInt8(ascii: ":")
                || ["data", "event", "id", "retry"].contains {
                    line.starts(with: $0.utf8) || $0.utf8.starts(with: line)
                }
        }
    }
}

import HTTP
import JSON
import Vocabulary

/// A provider's answer: a status, fields and a body that was read within its bound.
struct JobReply {
    let status: Int
    let headers: HTTPHeaders
    /// The address that answered.
    let url: String
    let body: [UInt8]
    /// The seconds to wait, from `Retry-After` or `retry-after-ms`, or `nil`.
    let retryAfter: Double?
    /// The body as JSON, or `nil` if it is not JSON or is nested too deeply.
    let json: JSON?

    init(_ response: HTTPResponse, _ body: [UInt8]) {
        status = response.status
        headers = response.headers
        url = response.url
        retryAfter = response.retryAfter
        self.body = body
        let looksLikeJSON =
            body.first { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D && $0 != 0x09 }.map { $0 != UInt8(ascii: "<") } ?? false
        json =
            looksLikeJSON
            ? try? JSONReader.read(body, limits: .init(bytes: Limits.readFileBytes, depth: Limits.jobAnswerDepth)) : nil
    }

    var text: String { String(decoding: body.prefix(Limits.errorBodyBytes), as: UTF8.self) }

    func word(_ source: ProviderManifest.Source) -> String? {
        switch source {
        case .words(let words): words
        case .header(let name): headers[name]
        case .path(let path): json.flatMap { path.first(in: $0) }.map { $0.string ?? $0.text }
        }
    }

    func value(_ source: ProviderManifest.Source) -> JSON? {
        switch source {
        case .words(let words): .string(words)
        case .header(let name): headers[name].map { .string($0) }
        case .path(let path): json.flatMap { path.first(in: $0) }
        }
    }

    /// The message of a reply that is not JSON, or `nil`. It is the last line of more than two characters, which has
    /// the message in a stack trace.
    var plainWords: String? {
        guard json == nil, !text.contains("<html"), !text.contains("<!DOCTYPE"), !text.contains("<HTML") else {
            return nil
        }
        return text.split(whereSeparator: \.isNewline).last { $0.count > 2 }.map { String($0) }
    }
}

extension ProviderManifest.Condition {
    func holds(for json: JSON) -> Bool {
        switch self {
        case .among(let path, let values):
            let found = path.values(in: json)
            if found.isEmpty { return values.contains(.null) }
            return found.contains { one in values.contains { $0 == one || $0.canonical == one.canonical } }
        case .exists(let path, let isThere): return (path.first(in: json) != nil) == isThere
        case .matches(let path, let pattern):
            guard let pattern = JobPattern(pattern) else { return false }
            return path.values(in: json).prefix(Limits.patternLines).contains { pattern.matches($0.string ?? $0.text) }
        case .all(let conditions): return conditions.allSatisfy { $0.holds(for: json) }
        case .any(let conditions): return conditions.contains { $0.holds(for: json) }
        }
    }
}

/// Returns a foreign text on one line of limited length, with visible signs for control characters.
func serverWords(_ text: String) -> String {
    let limit = Limits.serverWordsCharacters
    let line = text.prefix(limit * 4).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let plain = line.withSignsForControls
    return plain.count > limit ? plain.prefix(limit) + "…" : plain
}

/// Returns the last bytes of a text, from a whole line on, or from a whole word if there is only one line.
func tail(_ text: String, bytes limit: Int = Limits.jobLogTailBytes) -> String { text.lastLines(bytes: limit) }

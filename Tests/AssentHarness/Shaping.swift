import Glibc
import Harness
import JSON

/// Where the three ports are, to be named in answers.
struct Places: Sendable {
    var jobs = ""
    var foreign = ""
    var control = ""
    var model: String { jobs + "/v1" }

    /// `{{jobs}}` and `{{foreign}}` in a text of the script.
    func filled(_ text: String) -> String {
        guard text.contains("{{") else { return text }
        return text.replacing("{{jobs}}", with: jobs).replacing("{{foreign}}", with: foreign)
    }

    func filled(_ json: JSON) -> JSON {
        switch json {
        case .null, .bool, .int, .double: json
        case .string(let text): .string(filled(text))
        case .array(let members): .array(members.map(filled))
        case .object(let object):
            .object(JSON.Object(members: object.members.map { .init(key: $0.key, value: filled($0.value)) }))
        }
    }
}

/// The answer of a peer without faults.
struct TrueAnswer: Sendable {
    enum Content: Sendable {
        case json(JSON)
        case bytes([UInt8], type: String)
        /// Server-sent events, with a pause before each but the first.
        case stream([[UInt8]], gapMs: Int)
    }

    var http = 200
    var content: Content

    static func json(_ json: JSON, _ http: Int = 200) -> TrueAnswer { TrueAnswer(http: http, content: .json(json)) }

    static func error(_ http: Int, _ code: String, _ message: String) -> TrueAnswer {
        .json(["error": ["code": .string(code), "message": .string(message)]], http)
    }
}

extension Reply {
    /// What goes out: the true answer, bent as this says.
    func shaped(_ truth: TrueAnswer, path: String, places: Places) -> ScriptAnswer {
        var answer = act.map(ending) ?? body(of: truth, places: places)
        if act == nil { addHeaders(to: &answer, path: path, places: places) }
        if delayMs > 0 { answer.steps.insert(.wait(seconds: Double(delayMs) / 1000), at: 0) }
        return answer
    }

    private func ending(_ act: Act) -> ScriptAnswer {
        switch act {
        case .close, .refuse: ScriptAnswer(framing: .raw, steps: [.cut])
        case .reset: ScriptAnswer(framing: .raw, steps: [.reset])
        case .hang: ScriptAnswer(framing: .raw, steps: [.hang])
        }
    }

    // MARK: Body

    private func body(of truth: TrueAnswer, places: Places) -> ScriptAnswer {
        var (type, pieces, gapMs) = content(of: truth, places: places)
        let isStream = pieces.count > 1
        if isMalformed, let last = pieces.indices.last { pieces[last] = pieces[last].dropLast() }
        if let drip {
            pieces = pieces.flatMap { piece in
                stride(from: 0, to: piece.count, by: drip.bytes).map {
                    Array(piece[$0..<min($0 + drip.bytes, piece.count)])
                }
            }
            gapMs = drip.ms
        }
        var answer = ScriptAnswer(status: http ?? (redirect == nil ? truth.http : 307))
        answer.headers["content-type"] = self.type ?? type
        answer.framing =
            switch framing ?? (isStream ? .chunked : .length) {
            case .length: .length
            case .chunked: .chunked
            case .untilClose: .untilClose
            }
        let promised = pieces.reduce(0) { $0 + $1.count }
        answer.steps = steps(pieces, gapMs: gapMs)
        if hugeBytes > 0 { answer.steps = stuffed(pieces) }
        if cutBytes != nil || resetBytes != nil, case .length = answer.framing {
            answer.headers["content-length"] = "\(promised)"
        }
        return answer
    }

    private func content(of truth: TrueAnswer, places: Places) -> (type: String, pieces: [[UInt8]], gapMs: Int) {
        switch body {
        case .json(let json): return ("application/json", [Array(places.filled(json).text.utf8)], 0)
        case .text(let text): return ("application/json", [Array(places.filled(text).utf8)], 0)
        case nil: break
        }
        if let http, !(200..<300).contains(http) {
            let error: JSON = [
                "error": ["code": .string("scripted\(http)"), "message": .string("The script says \(http).")]
            ]
            return ("application/json", [Array(error.text.utf8)], 0)
        }
        switch truth.content {
        case .json(let json): return ("application/json", [Array(merged(json, places).text.utf8)], 0)
        case .bytes(let bytes, let type): return (type, [bytes], 0)
        case .stream(let pieces, let gapMs): return ("text/event-stream", pieces, gapMs)
        }
    }

    private func merged(_ json: JSON, _ places: Places) -> JSON {
        guard !set.isEmpty, var object = json.object else { return json }
        for member in set.members { object[member.key] = places.filled(member.value) }
        return .object(object)
    }

    /// What is sent, up to the cut. A cut in the middle of a piece cuts the piece.
    private func steps(_ pieces: [[UInt8]], gapMs: Int) -> [ScriptAnswer.Step] {
        var left = cutBytes ?? resetBytes ?? .max
        var steps: [ScriptAnswer.Step] = []
        for (index, piece) in pieces.enumerated() where left > 0 {
            if index > 0, gapMs > 0 { steps.append(.wait(seconds: Double(gapMs) / 1000)) }
            steps.append(.send(Array(piece.prefix(left))))
            left -= min(left, piece.count)
        }
        if cutBytes != nil { steps.append(.cut) }
        if resetBytes != nil { steps.append(.reset) }
        return steps
    }

    private func stuffed(_ pieces: [[UInt8]]) -> [ScriptAnswer.Step] {
        let whole = Array(pieces.joined())
        guard whole.first == UInt8(ascii: "{"), whole.count > 2 else {
            return [.send(whole), .flood(bytes: hugeBytes)]
        }
        return [
            .send(Array(#"{"padding":""#.utf8)), .flood(bytes: hugeBytes),
            .send(Array(#"","#.utf8) + whole.dropFirst()),
        ]
    }

    // MARK: Head

    private func addHeaders(to answer: inout ScriptAnswer, path: String, places: Places) {
        switch retryAfter {
        case .seconds(let seconds): answer.headers["retry-after"] = "\(seconds)"
        case .date(let seconds): answer.headers["retry-after"] = Wall.httpDate(secondsFromNow: seconds)
        case .milliseconds(let milliseconds): answer.headers["retry-after-ms"] = "\(milliseconds)"
        case nil: break
        }
        switch redirect {
        case "foreign": answer.headers["location"] = places.foreign + path
        case "self": answer.headers["location"] = places.jobs + path
        case let address?: answer.headers["location"] = places.filled(address)
        case nil: break
        }
        answer.headers.merge(headers.mapValues(places.filled)) { $1 }
    }
}

import JSON
import Vocabulary

/// What a model's server says went wrong: the body of a status, or an event in the middle of a stream.
struct ServerError {
    var words: String
    /// The server's own name of the kind, such as `context_length_exceeded`.
    var kind: String
    /// Where the error says one: OpenRouter's comes with a number, litellm's with a number in quotes.
    var status: Int?

    /// `nil` if there is no error in it. Known shapes: `{"error":{…}}`, `{"error":"…"}`, `{"object":"error","message":…}`.
    init?(_ json: JSON) {
        let error: JSON
        switch json["error"] {
        case .object(let object)?: error = .object(object)
        case .string(let text)? where !text.isEmpty: error = ["message": .string(text)]
        case .bool(true)?: error = json
        default:
            guard json["object"]?.string == "error" else { return nil }
            error = json
        }
        words = error["message"]?.string ?? json["message"]?.string ?? error.text
        let code = error["code"]
        kind = [code?.string, error["type"]?.string].compactMap { $0 }.joined(separator: " ")
        status = (code?.int ?? code?.string.flatMap { Int($0) }).flatMap { (400..<600).contains($0) ? $0 : nil }
    }

    /// The body of an answer that is no success, whatever it is.
    init(body: [UInt8]) {
        let json = try? JSONReader.read(body)
        if let json, let error = ServerError(json) {
            self = error
            return
        }
        let detail = json?["detail"] ?? json?["message"]
        words = detail?.string ?? detail?.text ?? String(decoding: body.prefix(Limits.errorBodyBytes), as: UTF8.self)
        kind = ""
    }

    // MARK: What it means

    func failure(_ profile: ModelProfile, status: Int) -> Failure {
        let said = words.isEmpty ? "" : ": \(quoted(profile))"
        let place = profile.place
        switch meaning(status) {
        case .refusedKey:
            return Failure(
                "modelRefusedKey", "\(place) refuses the key\(said).",
                remedy: "Check the key in ASSENT_API_KEY, or in the variable that settings.yaml names.")
        case .noCredit:
            return Failure(
                "modelNoCredit", "The account at \(place) has nothing left\(said).", remedy: "Look at the provider's billing page.")
        case .unknown:
            return Failure(
                "modelUnknown", "\(place) does not know the model \(inWords(profile.model))\(said).",
                remedy: "Choose another in ASSENT_MODEL, or in settings.yaml.")
        case .overflow:
            return Failure(
                "modelContextOverflow", "The conversation is longer than the model can read\(said).", remedy: "Begin a new session.")
        case .filtered:
            return Failure("modelFiltered", "The model's provider filtered the request\(said).", remedy: "Say it in other words.")
        case .rateLimited:
            return Failure("modelRateLimited", "\(place) asks to slow down\(said).", remedy: "Try again in a while.", isTransient: true)
        case .overloaded:
            return Failure("modelOverloaded", "\(place) has failed (\(status))\(said).", remedy: "Try again in a while.", isTransient: true)
        case .moved:
            return Failure(
                "modelUnreachable", "\(place) sends us elsewhere (\(status)), and the key is only for \(place).",
                remedy: "Give the final address in ASSENT_MODEL_URL, or in settings.yaml.")
        case .badRequest:
            return Failure(
                "modelBadRequest", "\(place) refuses the request (\(status))\(said).", remedy: "Check the model's settings in its profile.")
        }
    }

    private enum Meaning {
        case refusedKey, noCredit, unknown, overflow, filtered, rateLimited, overloaded, moved, badRequest
    }

    private func meaning(_ status: Int) -> Meaning {
        switch status {
        case 300..<400: .moved
        case 401, 403: .refusedKey
        case 402: .noCredit
        case 429: says("insufficient_quota") ? .noCredit : .rateLimited
        case 408, 409: .overloaded
        case 413: .overflow
        case 400..<500: request(status)
        default: says(Self.overflowWords) ? .overflow : .overloaded
        }
    }

    /// What the words behind 400, 404 and 422 mean: servers differ in the number, less in the words.
    private func request(_ status: Int) -> Meaning {
        if says(Self.overflowWords) { return .overflow }
        // litellm without a database cannot look a key up, and says only that.
        if says("invalid_api_key", "authentication_error", "no_db_connection") { return .refusedKey }
        if status == 404 || says("model_not_found", "invalid model name", "model not found") { return .unknown }
        if says("content_filter", "content_policy") { return .filtered }
        return .badRequest
    }

    private static let overflowWords = [
        "context_length", "context length", "context window", "contextwindow", "exceed_context_size", "maximum context",
        "prompt is too long",
        "available context size",
    ]

    private func says(_ words: String...) -> Bool { says(words) }

    private func says(_ words: [String]) -> Bool {
        let text = "\(kind) \(self.words)".lowercased()
        return words.contains { text.contains($0) }
    }

    /// One bounded line, without the key: some servers say it back.
    private func quoted(_ profile: ModelProfile) -> String {
        var text = words
        if let key = profile.apiKey?.text { text.replace(key, with: "(the key)") }
        return "“\(inWords(text))”"
    }
}

/// A stranger's text on one line of bounded length.
func inWords(_ text: String) -> String {
    let limit = Limits.serverWordsCharacters
    let line = text.prefix(limit * 4).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let plain = String(String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return plain.count > limit ? plain.prefix(limit) + "…" : plain
}

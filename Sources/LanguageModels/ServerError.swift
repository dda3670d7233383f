import HTTP
import JSON
import Vocabulary

/// An error that a model's server reports: the body of a refusal, or an event in a stream.
struct ServerError {
    var words: String
    /// The server's own name of the kind, such as `context_length_exceeded`.
    var kind: String
    /// The field of the request that the error is about, or an empty text if it names none.
    var parameter = ""
    /// The status that the error itself names, or nil. OpenRouter sends a number, litellm a number in quotes, Anthropic
    /// a word.
    var status: Int?
    /// Whether there is nothing at this address, not even a server of models that refuses.
    var isPage = false
    /// The target of a redirect, or nil.
    var location: String?

    /// Reads an error, or fails if the JSON has none. Known forms: `{"error":{…}}`, `{"error":"…"}`,
    /// `{"object":"error","message":…}`, and any of them in a list of one.
    init?(_ json: JSON) {
        let error: JSON
        let json = json.array?.first ?? json
        switch json["error"] {
        case .object(let object)?: error = .object(object)
        case .string(let text)? where !text.isEmpty: error = ["message": .string(text)]
        case .bool(true)?: error = json
        default:
            guard json["object"]?.string == "error" else { return nil }
            error = json
        }
        // OpenRouter repeats the words of the provider behind it only there.
        let said = [error["message"]?.string ?? json["message"]?.string, error["metadata"]?["raw"]?.string].compactMap {
            $0
        }
        words = said.isEmpty ? error.text : said.joined(separator: ": ")
        let code = error["code"]
        kind = [code?.string, error["type"]?.string].compactMap { $0 }.joined(separator: " ")
        parameter = error["param"]?.string ?? ""
        let number = code?.int ?? code?.string.flatMap { Int($0) }
        status =
            number.flatMap { (400..<600).contains($0) ? $0 : nil }
            ?? error["type"]?.string.flatMap { Self.statuses[$0] }
        isPage = Self.isPage(words)
    }

    /// The statuses of the kinds of errors. An error in a stream has no status of its own (`wire.md` LLM 3).
    private static let statuses = [
        "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
        "not_found_error": 404,
        "request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504,
        "overloaded_error": 529,
    ]

    private static func isPage(_ words: String) -> Bool {
        let said = words.lowercased().filter { $0.isLetter || $0.isNumber }
        return ["notfound", "404notfound", "404pagenotfound", "methodnotallowed", "pagenotfound"].contains(said)
    }

    init(_ response: HTTPResponse, body: [UInt8]) {
        self.init(body: body)
        location = response.headers["location"]
    }

    /// Reads the body of an unsuccessful answer, in any form.
    init(body: [UInt8]) {
        let json = try? JSONReader.read(body)
        if let json, let error = ServerError(json) {
            self = error
            return
        }
        let detail = json?["detail"] ?? json?["message"]
        // Such lists also hold the request, whose texts are not the server's words.
        let said = detail?.array?.map { entry in
            let place = (entry["loc"]?.array ?? []).compactMap { $0.string ?? $0.int.map(String.init) }.joined(
                separator: ".")
            return [place, entry["msg"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: ": ")
        }
        words =
            detail?.string ?? said?.joined(separator: "; ") ?? detail?.text
            ?? String(decoding: body.prefix(Limits.errorBodyBytes), as: UTF8.self)
        kind = ""
        isPage = json == nil || Self.isPage(words)
        // A page of a web server has no sentence to show.
        if words.drop(while: \.isWhitespace).hasPrefix("<") { words = "" }
    }

    // MARK: What it means

    /// Returns the failure for the user.
    ///
    /// - Parameter request: the request that was refused. If it holds a single line of the user, a new session would
    ///   not make it shorter.
    func failure(_ profile: ModelProfile, status: Int, of request: ChatRequest) -> Failure {
        var failure = failure(profile, status: status)
        guard failure.code == .modelContextOverflow, request.messages.count(where: { $0.role != .system }) <= 1 else {
            return failure
        }
        let window =
            LessonReader(self, status: status, profile).statedWindow.map { "at most \($0) tokens" }
            ?? "less than this one line"
        let said = words.isEmpty ? "" : ": \(quoted(profile))"
        failure.message = "\(inWords(profile.model)) can read \(window), as \(profile.place) says\(said)."
        failure.remedy = "Choose another model: 'assent model list'."
        return failure
    }

    func failure(_ profile: ModelProfile, status: Int) -> Failure {
        let said = words.isEmpty ? "" : ": \(quoted(profile))"
        let place = profile.place
        switch meaning(status) {
        case .refusedKey:
            guard profile.apiKey != nil else {
                return Failure(
                    .modelRefusedKey, "\(place) wants a key, and none was sent\(said).",
                    remedy: "Give it one: 'assent connect'.")
            }
            let name = profile.keyName.map { " \($0)" } ?? ""
            return Failure(
                .modelRefusedKey, "\(place) refuses the key\(said).",
                remedy: "Check the key\(name), or give another: 'assent connect'.")
        case .forbidden:
            return Failure(
                .modelForbidden, "\(place) refuses this request (403)\(said).")
        case .nowhere:
            return Failure(
                .modelAddress, "There is no \(profile.dialect.title) at this address of \(place) (\(status)).",
                remedy: profile.addressAdvice)
        case .noCredit:
            return Failure(
                .modelNoCredit, "The account at \(place) has nothing left\(said).")
        case .unknown:
            return Failure(
                .modelUnknown, "\(place) does not know the model \(inWords(profile.model))\(said).",
                remedy: "Choose another: 'assent model list'.")
        case .overflow:
            return Failure(
                .modelContextOverflow, "The conversation is longer than the model can read\(said).")
        case .filtered:
            return Failure(
                .modelFiltered, "The model's provider filtered the request\(said).")
        case .rateLimited:
            return Failure(
                .modelRateLimited, "\(place) asks to slow down\(said).",
                isTransient: true)
        case .overloaded:
            return Failure(
                .modelOverloaded, "\(place) has failed (\(status))\(said).", remedy: "Try again in a while.",
                isTransient: true)
        case .moved:
            let target = location.map { "to \(quoted($0, profile))" } ?? "elsewhere"
            return Failure(
                .modelMoved, "\(place) sends us \(target) (\(status)), and the key is only for \(place).")
        case .badRequest:
            return Failure(
                .modelBadRequest, "\(place) refuses the request (\(status))\(said).",
                remedy: "Check the model's settings in connections.yaml, or try another model: 'assent model list'.")
        }
    }

    private enum Meaning {
        case refusedKey, forbidden, nowhere, noCredit, unknown, overflow, filtered, rateLimited, overloaded, moved,
            badRequest
    }

    private func meaning(_ status: Int) -> Meaning {
        switch status {
        case 300..<400: .moved
        case 401: .refusedKey
        case 403: isPage || says("key", "token", "credential", "authenti") ? .refusedKey : .forbidden
        case 402: .noCredit
        case 429: says("insufficient_quota") ? .noCredit : .rateLimited
        case 408, 409: .overloaded
        case 413: .overflow
        case 400..<500: request(status)
        default: says(Self.overflowWords) ? .overflow : .overloaded
        }
    }

    /// Returns the meaning of 400, 404 and 422 by the server's words, since servers differ more in the status than in
    /// the words.
    private func request(_ status: Int) -> Meaning {
        if says(Self.overflowWords) { return .overflow }
        // litellm without a database cannot check a key, and reports only that.
        if says("invalid_api_key", "authentication_error", "no_db_connection") { return .refusedKey }
        if says("model_not_found", "invalid model name", "model not found") { return .unknown }
        if status == 404 || status == 405 { return isPage ? .nowhere : .unknown }
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

    /// Returns the server's words as one bounded line without the key, which some servers repeat.
    private func quoted(_ profile: ModelProfile) -> String { quoted(words, profile) }

    private func quoted(_ words: String, _ profile: ModelProfile) -> String {
        "“\(inWords(words.without(key: profile.apiKey?.text)))”"
    }
}

/// Returns a text of a stranger as one line of bounded length, without control characters.
func inWords(_ text: String) -> String {
    let limit = Limits.serverWordsCharacters
    let line = text.prefix(limit * 4).split { $0.isWhitespace || $0.isNewline }.joined(separator: " ")
    let plain = String(
        String.UnicodeScalarView(line.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return plain.count > limit ? plain.prefix(limit) + "…" : plain
}

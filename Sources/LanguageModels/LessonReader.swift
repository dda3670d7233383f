import JSON
import Vocabulary

/// A reader of refusals, which finds out how a request must change to be accepted. Servers name the field that they
/// refuse. Their status numbers and kinds of errors differ.
struct LessonReader {
    let profile: ModelProfile
    let status: Int
    /// All words of the server, in lower case.
    private let words: String
    /// Whether the answer is only that of a web server without such a page, instead of that of a server of models.
    private let isPage: Bool

    init(_ error: ServerError, status: Int, _ profile: ModelProfile) {
        self.profile = profile
        self.status = status
        words = "\(error.kind) \(error.parameter) \(error.words)".lowercased()
        isPage = error.isPage
    }

    /// Returns the change that may make the server accept the request, or nil if no change would.
    ///
    /// - Parameter request: the request that was refused.
    func lesson(from request: ChatRequest) -> ModelLesson? {
        let hasPictures = profile.hasVision && request.messages.contains { !$0.pictures.isEmpty }
        // llama.cpp answers 500 to a picture without a projector.
        guard [400, 404, 405, 422].contains(status) || status == 500 && hasPictures && vision != nil else { return nil }
        let lessons: [ModelLesson?] = [
            dialect, streamOptions, tokenField, sealed, summary, requiredField, callIDs, signatures, effort, roles,
            tools(request), hasPictures ? vision : nil,
            parallel, window,
            tokens, address,
        ]
        // A lesson that would change nothing is not the reason of the refusal.
        return lessons.lazy.compactMap { $0 }.first { lesson in
            var changed = profile
            changed.apply(lesson)
            return changed != profile && lesson.isBelievable
        }
    }

    private func says(_ texts: String...) -> Bool { texts.contains { words.contains($0) } }

    /// GPT-5.4 and later accept tools only in the dialect Responses.
    private var dialect: ModelLesson? {
        profile.dialect == .chatCompletions && says("v1/responses", "responses api") ? .dialect(.responses) : nil
    }

    private var streamOptions: ModelLesson? { says("stream_options", "include_usage") ? .noStreamOptions : nil }

    private var tokenField: ModelLesson? {
        profile.maxTokens != nil && says("max_completion_tokens") && says("max_tokens") ? .maxCompletionTokens : nil
    }

    private var sealed: ModelLesson? {
        profile.dialect == .responses
            && says("encrypted content is not supported", "encrypted_content is not supported", "'include'", "include[")
            ? .noSealedReasoning : nil
    }

    private var summary: ModelLesson? {
        says("reasoning.summary", "reasoning summaries", "reasoning summary") ? .noReasoningSummary : nil
    }

    private var requiredField: ModelLesson? {
        guard says("must be passed back", "must be provided", "is missing", "missing") else { return nil }
        return ["reasoning_content", "reasoning_details"].first { words.contains($0) }.map { .requiredField($0) }
    }

    private var callIDs: ModelLesson? {
        guard says("tool call id", "tool_call_id", "tool_use.id", "call_id") else { return nil }
        if says("length of 9") { return .callIDs(.nine) }
        return says("should match pattern", "string_above_max_length", "string too long") ? .callIDs(.word) : nil
    }

    private var signatures: ModelLesson? {
        says(
            "thought signature", "thought_signature", "signature", "reasoning_content", "reasoning_details",
            "encrypted_content",
            "encrypted content")
            ? .noOpaqueParts : nil
    }

    private var effort: ModelLesson? {
        profile.effort != nil
            && says("reasoning_effort", "reasoning.effort", "effort", "does not support think", "thinking")
            ? .noEffort : nil
    }

    private var roles: ModelLesson? {
        if says("must alternate", "roles must alternate", "conversation roles", "expected last role") {
            return .alternatingRoles
        }
        if profile.systemRole == .developer, says("developer") { return .systemRole(.system) }
        return says(
            "system role not supported", "system role is not supported", "system message is not supported",
            "role 'system'")
            ? .systemRole(.user) : nil
    }

    private func tools(_ request: ChatRequest) -> ModelLesson? {
        guard !request.tools.isEmpty else { return nil }
        return says(
            "does not support tools", "does not support tool", "tool use is not supported", "tools are not supported",
            "tool calling is not supported", "function calling is not", "tool choice requires",
            "no endpoints found that support tool")
            ? .noTools : nil
    }

    private var vision: ModelLesson? {
        says(
            "not a multimodal model", "image input is not supported", "does not support image", "do not support image",
            "doesn't support image", "images are not supported", "image_url is only supported",
            "no endpoints found that support image",
            "does not support vision", "missing data required for image input", "expected `text`")
            ? .noVision : nil
    }

    private var parallel: ModelLesson? { says("parallel_tool_calls") ? .noParallelCalls : nil }

    /// The lesson of "This model's maximum context length is 4096 tokens", after which the request is cut to the
    /// window. It is nil if the server names no window, or none that is smaller than the known one.
    private var window: ModelLesson? {
        guard let said = statedWindow, said < profile.window ?? .max else { return nil }
        return .window(said)
    }

    /// The number of tokens that the model can read, as its server says, or nil if it does not say. It is not checked,
    /// and may be a number that no model has.
    var statedWindow: Int? {
        numbers(after: ["context length is", "context window of", "context size is", "n_ctx\":", "context size ("])
            .first
    }

    /// The lesson of "max_tokens: 64000 > 8192, which is the maximum": the largest number below ours.
    private var tokens: ModelLesson? {
        guard says("max_tokens", "max_completion_tokens", "max_output_tokens"),
            says("maximum", "at most", "less than", "greater than", "exceed", "too large", "too high"),
            let wanted = profile.maxTokens ?? (profile.dialect == .messages ? Limits.messagesMaxTokens : nil),
            let most = numbers(in: words[...]).filter({ $0 >= 256 && $0 < wanted }).max()
        else { return nil }
        return .maxTokens(most)
    }

    /// The lesson of an address without a version at which there is no page.
    private var address: ModelLesson? {
        guard status == 404 || status == 405, profile.dialect != .ollama, isPage else { return nil }
        var path =
            profile.url.split(separator: "?", omittingEmptySubsequences: false).first.map(String.init) ?? profile.url
        while path.hasSuffix("/") { path.removeLast() }
        return profile.hasVersion || path.hasSuffix(profile.dialect.path) || profile.url.contains("?")
            ? nil : .versionInAddress
    }

    private func numbers(after marks: [String]) -> [Int] {
        marks.compactMap { mark in
            words.firstRange(of: mark).flatMap { numbers(in: words[$0.upperBound...].prefix(24)).first }
        }
    }

    private func numbers(in text: Substring) -> [Int] {
        text.replacing(",", with: "").split { !$0.isASCII || !$0.isNumber }.compactMap { Int($0) }
    }
}

/// A property of a model that a server's refusal revealed, and that changes later requests. It is stored for the host
/// and the model until it is forgotten (`assent model forget`).
package enum ModelLesson: Hashable, Sendable {
    case noStreamOptions
    case maxCompletionTokens
    /// The most tokens of one answer.
    case maxTokens(Int)
    case noEffort
    case noTools
    case noVision
    case noParallelCalls
    case systemRole(ModelProfile.SystemRole)
    case alternatingRoles
    case callIDs(ModelProfile.CallIDForm)
    /// A message with calls of another model needs this field, even if it is empty.
    case requiredField(String)
    case noOpaqueParts
    case noSealedReasoning
    case noReasoningSummary
    /// The address needs `/v1` at its end.
    case versionInAddress
    case dialect(ModelProfile.Dialect)
    /// Tokens of the window.
    case window(Int)

    /// The stored form of the lesson, such as `maxTokens 4096`.
    package var text: String {
        switch self {
        case .noStreamOptions: "noStreamOptions"
        case .maxCompletionTokens: "maxCompletionTokens"
        case .maxTokens(let number): "maxTokens \(number)"
        case .noEffort: "noEffort"
        case .noTools: "noTools"
        case .noVision: "noVision"
        case .noParallelCalls: "noParallelCalls"
        case .systemRole(let role): "systemRole \(role.rawValue)"
        case .alternatingRoles: "alternatingRoles"
        case .callIDs(let form): "callIDs \(form.rawValue)"
        case .requiredField(let name): "requiredField \(name)"
        case .noOpaqueParts: "noOpaqueParts"
        case .noSealedReasoning: "noSealedReasoning"
        case .noReasoningSummary: "noReasoningSummary"
        case .versionInAddress: "versionInAddress"
        case .dialect(let dialect): "dialect \(dialect.rawValue)"
        case .window(let number): "window \(number)"
        }
    }

    /// Reads the stored form of a lesson. Returns `nil` if the text is not a known one.
    package init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let plain: [ModelLesson] = [
            .noStreamOptions, .maxCompletionTokens, .noEffort, .noTools, .noVision, .noParallelCalls,
            .alternatingRoles, .noOpaqueParts,
            .noSealedReasoning, .noReasoningSummary, .versionInAddress,
        ]
        let lesson: ModelLesson? =
            switch (words.first, words.dropFirst().first) {
            case ("maxTokens", let value?): Int(value).map { .maxTokens($0) }
            case ("window", let value?): Int(value).map { .window($0) }
            case ("systemRole", let value?): ModelProfile.SystemRole(rawValue: value).map { .systemRole($0) }
            case ("dialect", let value?): ModelProfile.Dialect(rawValue: value).map { .dialect($0) }
            case ("callIDs", let value?): ModelProfile.CallIDForm(rawValue: value).map { .callIDs($0) }
            case ("requiredField", let value?): .requiredField(value)
            default: plain.first { $0.text == text }
            }
        guard let lesson, lesson.isBelievable else { return nil }
        self = lesson
    }

    /// Whether the number of the lesson is within the range of real models. Numbers come from servers, which may send
    /// any.
    package var isBelievable: Bool {
        switch self {
        case .maxTokens(let number): (1...Limits.mostTokens).contains(number)
        case .window(let number): (Limits.smallestWindow...Limits.mostTokens).contains(number)
        default: true
        }
    }

    /// The change of later requests in words for the user, such as "without tools".
    package var words: String {
        switch self {
        case .noStreamOptions: "without stream_options"
        case .maxCompletionTokens: "with max_completion_tokens"
        case .maxTokens(let number): "for at most \(number) tokens an answer"
        case .noEffort: "without an effort"
        case .noTools: "without tools"
        case .noVision: "without pictures"
        case .noParallelCalls: "without parallel_tool_calls"
        case .systemRole(let role): "with the role \(role.rawValue) for instructions"
        case .alternatingRoles: "with roles that take turns"
        case .callIDs: "with other ids of calls"
        case .requiredField(let name): "with \(name) in each message that has calls"
        case .noOpaqueParts: "without the signatures of earlier messages"
        case .noSealedReasoning: "without sealed thoughts"
        case .noReasoningSummary: "without a summary of thoughts"
        case .versionInAddress: "at the address with /v1"
        case .dialect(let dialect): "in the dialect \(dialect.rawValue)"
        case .window(let number): "within \(number) tokens"
        }
    }

    /// Whether the lesson holds only for the request that taught it. Later messages have signatures that fit again.
    package var isPassing: Bool { self == .noOpaqueParts }
}

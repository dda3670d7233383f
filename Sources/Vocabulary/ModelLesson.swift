/// What a server's refusal has taught about a model: how it is asked from then on. It is kept for the host and the
/// model until it is forgotten (`assent model forget`).
package enum ModelLesson: Hashable, Sendable {
    case noStreamOptions
    case maxCompletionTokens
    /// The most tokens that it gives in one answer.
    case maxTokens(Int)
    case noEffort
    case noTools
    case noParallelCalls
    case systemRole(ModelProfile.SystemRole)
    case alternatingRoles
    case callIDs(ModelProfile.CallIDForm)
    /// Calls of others need this field of a message, even if it is empty.
    case requiredField(String)
    case noOpaqueParts
    case noSealedReasoning
    case noReasoningSummary
    /// The address lacks its `/v1`.
    case versionInAddress
    case dialect(ModelProfile.Dialect)
    /// Tokens of the window.
    case window(Int)

    /// The form in which it is stored, such as `maxTokens 4096`.
    package var text: String {
        switch self {
        case .noStreamOptions: "noStreamOptions"
        case .maxCompletionTokens: "maxCompletionTokens"
        case .maxTokens(let number): "maxTokens \(number)"
        case .noEffort: "noEffort"
        case .noTools: "noTools"
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

    /// `nil` if it is none that we know.
    package init?(text: String) {
        let words = text.split(separator: " ", maxSplits: 1).map(String.init)
        let plain: [ModelLesson] = [
            .noStreamOptions, .maxCompletionTokens, .noEffort, .noTools, .noParallelCalls, .alternatingRoles,
            .noOpaqueParts,
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

    /// Numbers come from servers: what no model has is not believed.
    package var isBelievable: Bool {
        switch self {
        case .maxTokens(let number): (1...Limits.mostTokens).contains(number)
        case .window(let number): (Limits.smallestWindow...Limits.mostTokens).contains(number)
        default: true
        }
    }

    /// What is done differently, for the person.
    package var words: String {
        switch self {
        case .noStreamOptions: "without stream_options"
        case .maxCompletionTokens: "with max_completion_tokens"
        case .maxTokens(let number): "for at most \(number) tokens an answer"
        case .noEffort: "without an effort"
        case .noTools: "without tools"
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

    /// Whether it holds only for the request that taught it: later messages have signatures that fit again.
    package var isPassing: Bool { self == .noOpaqueParts }
}

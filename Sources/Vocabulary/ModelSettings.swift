import JSON

/// The settings that a file has for a server of models, or for some of its models. Settings that are `nil` stay as they
/// are.
package struct ModelSettings: Hashable, Sendable {
    package var dialect: ModelProfile.Dialect?
    package var keyHeader: String?
    /// The size of the window in tokens.
    package var window: Int?
    /// The most tokens of one answer.
    package var maxTokens: Int?
    package var maxTokensField: ModelProfile.MaxTokensField?
    package var effort: String?
    package var prices: ModelProfile.Prices?
    package var hasTools: Bool?
    package var hasVision: Bool?
    package var hasStrictSchemas: Bool?
    package var usageInStream: Bool?
    package var parallelCalls: Bool?
    package var systemRole: ModelProfile.SystemRole?
    package var cumulativeContent: Bool?
    package var alternatesRoles: Bool?
    package var echoFields: Set<String>?
    package var messageEchoFields: Set<String>?
    package var requiredEchoFields: Set<String>?
    package var callIDForm: ModelProfile.CallIDForm?
    /// The value that Gemini accepts as the signature of a call that it did not make.
    package var foreignSignature: String?
    package var connectSeconds: Double?
    package var idleSeconds: Double?
    package var totalSeconds: Double?

    package init() {}

    package func apply(to profile: inout ModelProfile) {
        func set<Value>(_ path: WritableKeyPath<ModelProfile, Value>, _ value: Value?) {
            if let value { profile[keyPath: path] = value }
        }
        set(\.dialect, dialect)
        set(\.maxTokensField, maxTokensField)
        set(\.hasTools, hasTools)
        set(\.hasVision, hasVision)
        set(\.hasStrictSchemas, hasStrictSchemas)
        set(\.usageInStream, usageInStream)
        set(\.systemRole, systemRole)
        set(\.cumulativeContent, cumulativeContent)
        set(\.alternatesRoles, alternatesRoles)
        set(\.echoFields, echoFields)
        set(\.messageEchoFields, messageEchoFields)
        set(\.requiredEchoFields, requiredEchoFields)
        set(\.callIDForm, callIDForm)
        if let foreignSignature {
            let signature: JSON = ["google": ["thought_signature": .string(foreignSignature)]]
            profile.foreignCallFields = JSON.Object(members: [.init(key: "extra_content", value: signature)])
        }
        set(\.connectSeconds, connectSeconds)
        set(\.idleSeconds, idleSeconds)
        set(\.totalSeconds, totalSeconds)
        profile.keyHeader = keyHeader ?? profile.keyHeader
        profile.window = window ?? profile.window
        profile.maxTokens = maxTokens ?? profile.maxTokens
        profile.effort = effort ?? profile.effort
        profile.prices = prices ?? profile.prices
        profile.parallelCalls = parallelCalls ?? profile.parallelCalls
    }

    /// Returns these settings, replaced by those of `other` that are not `nil`.
    package func merged(with other: ModelSettings) -> ModelSettings {
        var merged = ModelSettings()
        merged.dialect = other.dialect ?? dialect
        merged.keyHeader = other.keyHeader ?? keyHeader
        merged.window = other.window ?? window
        merged.maxTokens = other.maxTokens ?? maxTokens
        merged.maxTokensField = other.maxTokensField ?? maxTokensField
        merged.effort = other.effort ?? effort
        merged.prices = other.prices ?? prices
        merged.hasTools = other.hasTools ?? hasTools
        merged.hasVision = other.hasVision ?? hasVision
        merged.hasStrictSchemas = other.hasStrictSchemas ?? hasStrictSchemas
        merged.usageInStream = other.usageInStream ?? usageInStream
        merged.parallelCalls = other.parallelCalls ?? parallelCalls
        merged.systemRole = other.systemRole ?? systemRole
        merged.cumulativeContent = other.cumulativeContent ?? cumulativeContent
        merged.alternatesRoles = other.alternatesRoles ?? alternatesRoles
        merged.echoFields = other.echoFields ?? echoFields
        merged.messageEchoFields = other.messageEchoFields ?? messageEchoFields
        merged.requiredEchoFields = other.requiredEchoFields ?? requiredEchoFields
        merged.callIDForm = other.callIDForm ?? callIDForm
        merged.foreignSignature = other.foreignSignature ?? foreignSignature
        merged.connectSeconds = other.connectSeconds ?? connectSeconds
        merged.idleSeconds = other.idleSeconds ?? idleSeconds
        merged.totalSeconds = other.totalSeconds ?? totalSeconds
        return merged
    }
}

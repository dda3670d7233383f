package import JSON

/// Where a model is reached, what it can do, and how its server differs from the others (`wire.md` LLM 6, 7, 9).
///
/// `Config/models.yaml` holds one for each server that people have; an address that none of them fits gets the usual
/// values.
package struct ModelProfile: Hashable, Sendable {
    /// The language that a server speaks.
    package enum Dialect: String, Hashable, Sendable, CaseIterable {
        case chatCompletions = "chat-completions"
        /// Of Anthropic.
        case messages
        /// Of OpenAI, without a state on the server.
        case responses
        /// Ollama's own.
        case ollama
    }

    package enum MaxTokensField: String, Hashable, Sendable, CaseIterable {
        case maxTokens = "max_tokens"
        case maxCompletionTokens = "max_completion_tokens"
    }

    package enum SystemRole: String, Hashable, Sendable, CaseIterable {
        case system, developer
        /// As the first words of the person, for models whose template knows no system.
        case user
    }

    /// What a server takes as the id of a call.
    package enum CallIDForm: String, Hashable, Sendable, CaseIterable {
        case any
        /// At most 64 letters, digits, `_` and `-`.
        case word
        /// Nine letters and digits: Mistral.
        case nine
    }

    /// In dollars for a million tokens.
    package struct Prices: Hashable, Sendable {
        package var input: Double
        /// Of input that was read from a cache.
        package var cached: Double
        package var output: Double

        package init(input: Double, cached: Double, output: Double) {
            self.input = input
            self.cached = cached
            self.output = output
        }
    }

    /// As people call it, such as `openai`.
    package var name = "custom"
    /// As it is shown, such as `OpenAI`.
    package var title = ""
    package var dialect = Dialect.chatCompletions
    /// The base, `http://127.0.0.1:8080/v1`, or the whole address, `…/v1/chat/completions`.
    package var url: String
    package var model: String
    package var apiKey: APIKey?
    /// By which name its key is looked up; `nil` if it wants none.
    package var keyName: String?
    /// The header that carries the key; `nil` for `authorization: Bearer KEY`.
    package var keyHeader: String?
    /// Tokens that the model can read and write together; `nil` if not known.
    package var window: Int?
    package var prices: Prices?
    /// How long it thinks, in the server's word; `nil` leaves it to the server.
    package var effort: String?
    /// Models without tools are asked without them.
    package var hasTools = true
    package var hasVision = false
    /// Whether it holds a schema of arguments if it is asked to.
    package var hasStrictSchemas = false

    /// Whether it knows `stream_options`: some servers answer 400 to it.
    package var usageInStream = true
    /// The most tokens of one answer; `nil` leaves it to the server.
    package var maxTokens: Int?
    package var maxTokensField = MaxTokensField.maxTokens
    /// `nil` leaves it to the server; `false` asks for one call at a time.
    package var parallelCalls: Bool?
    package var systemRole = SystemRole.system
    /// Whether each chunk repeats all the text before it.
    package var cumulativeContent = false
    /// Whether neighbours of one role are joined: templates of some models refuse them.
    package var alternatesRoles = false
    /// Fields of a call that must come back with it, such as Gemini's signatures.
    package var echoFields: Set<String> = ["extra_content", "thought_signature"]
    /// What a call has of such fields that came from another model.
    package var foreignCallFields = JSON.Object()
    /// Fields of a message that must come back with it.
    package var messageEchoFields: Set<String> = ["reasoning_content", "reasoning_details"]
    /// Those that must be there with calls, even if they are empty.
    package var requiredEchoFields: Set<String> = []
    package var callIDForm = CallIDForm.any
    /// Whether nothing opaque is given back: it was refused.
    package var dropsOpaque = false
    /// Whether it is asked for its thoughts in sealed form, so that they can be given back.
    package var sealsReasoning = true
    /// Whether it is asked for a summary of its thoughts.
    package var summarizesReasoning = true
    package var connectSeconds = Limits.connectSeconds
    package var idleSeconds = Limits.idleSeconds
    package var totalSeconds = Limits.totalSeconds

    package init(url: String, model: String, apiKey: APIKey? = nil) {
        self.url = url
        self.model = model
        self.apiKey = apiKey
    }

    package mutating func apply(_ lesson: ModelLesson) {
        switch lesson {
        case .noStreamOptions: usageInStream = false
        case .maxCompletionTokens: maxTokensField = .maxCompletionTokens
        case .maxTokens(let number): maxTokens = min(maxTokens ?? .max, number)
        case .noEffort: effort = nil
        case .noTools: hasTools = false
        case .noParallelCalls: parallelCalls = nil
        case .systemRole(let role): systemRole = role
        case .alternatingRoles: alternatesRoles = true
        case .callIDs(let form): callIDForm = form
        case .requiredField(let name):
            requiredEchoFields.insert(name)
            messageEchoFields.insert(name)
        case .noOpaqueParts: dropsOpaque = true
        case .noSealedReasoning: sealsReasoning = false
        case .noReasoningSummary: summarizesReasoning = false
        case .versionInAddress: url = url.hasSuffix("/") ? url + "v1" : url + "/v1"
        case .dialect(let other): dialect = other
        case .window(let number): window = min(window ?? .max, number)
        }
    }
}

/// A key that does not print itself: not in messages, not in logs, not in a dump of what holds it.
package struct APIKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only for the request that carries it, and for what cuts it out of texts.
    package let text: String

    /// Without the white space that files and pastes bring; `nil` if nothing is left.
    package init?(_ written: String) {
        let isSpace: (Character) -> Bool = { $0.isWhitespace || $0.isNewline }
        guard let first = written.firstIndex(where: { !isSpace($0) }),
            let last = written.lastIndex(where: { !isSpace($0) })
        else {
            return nil
        }
        text = String(written[first...last])
    }

    package var description: String { "(a key)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

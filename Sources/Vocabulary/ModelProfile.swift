package import JSON

/// The address of a model, its abilities, and the differences of its server from others (`wire.md` LLM 6, 7, 9).
///
/// `Config/models.yaml` holds a profile for each known server. An address that fits none of them gets the default
/// values.
package struct ModelProfile: Hashable, Sendable {
    /// The language that a server speaks.
    package enum Dialect: String, Hashable, Sendable, CaseIterable {
        case chatCompletions = "chat-completions"
        /// The Messages API of Anthropic.
        case messages
        /// The Responses API of OpenAI, used without state on the server.
        case responses
        /// The native API of Ollama.
        case ollama
    }

    package enum MaxTokensField: String, Hashable, Sendable, CaseIterable {
        case maxTokens = "max_tokens"
        case maxCompletionTokens = "max_completion_tokens"
    }

    package enum SystemRole: String, Hashable, Sendable, CaseIterable {
        case system, developer
        /// The instructions stand before the user's first words, for models whose template has no system role.
        case user
    }

    /// The form that a server requires for the id of a call.
    package enum CallIDForm: String, Hashable, Sendable, CaseIterable {
        case any
        /// The id has at most 64 letters, digits, `_` and `-`.
        case word
        /// The id has nine letters and digits, as Mistral requires.
        case nine
    }

    /// The prices in dollars for a million tokens.
    package struct Prices: Hashable, Sendable {
        package var input: Double
        /// The price of input that was read from a cache.
        package var cached: Double
        package var output: Double

        package init(input: Double, cached: Double, output: Double) {
            self.input = input
            self.cached = cached
            self.output = output
        }
    }

    /// The name that users write, such as `openai`.
    package var name = "custom"
    /// The name that is shown, such as `OpenAI`.
    package var title = ""
    package var dialect = Dialect.chatCompletions
    /// The address: either a base, such as `http://127.0.0.1:8080/v1`, or a whole address, such as
    /// `…/v1/chat/completions`.
    package var url: String
    package var model: String
    package var apiKey: APIKey?
    /// The name under which the key is looked up, or `nil` if the server needs no key.
    package var keyName: String?
    /// The header field for the key. `nil` stands for `authorization: Bearer KEY`.
    package var keyHeader: String?
    /// The size of the window in tokens, for input and output together, or `nil` if it is not known.
    package var window: Int?
    package var prices: Prices?
    /// The effort of thinking in the server's own word. `nil` leaves it to the server.
    package var effort: String?
    /// Whether the model can call tools. A model that cannot gets requests without tools.
    package var hasTools = true
    /// Whether the model sees pictures. A model that cannot gets words about them.
    package var hasVision = false
    /// Whether the server can enforce the schema of arguments.
    package var hasStrictSchemas = false

    /// Whether the server knows `stream_options`. Some servers answer 400 to it.
    package var usageInStream = true
    /// The most tokens of one answer. `nil` leaves it to the server.
    package var maxTokens: Int?
    package var maxTokensField = MaxTokensField.maxTokens
    /// Whether the model may make several calls at once. `nil` leaves it to the server, and `false` asks for one call
    /// at a time.
    package var parallelCalls: Bool?
    package var systemRole = SystemRole.system
    /// Whether each chunk of a reply repeats all text before it.
    package var cumulativeContent = false
    /// Whether neighbouring messages of one role are joined, since the templates of some models refuse them.
    package var alternatesRoles = false
    /// The fields of a call that must be sent back with it, such as Gemini's signatures.
    package var echoFields: Set<String> = ["extra_content", "thought_signature"]
    /// The values of `echoFields` for a call that another model made.
    package var foreignCallFields = JSON.Object()
    /// The fields of a message that must be sent back with it.
    package var messageEchoFields: Set<String> = ["reasoning_content", "reasoning_details"]
    /// The fields of a message with calls that must be present even if they are empty.
    package var requiredEchoFields: Set<String> = []
    package var callIDForm = CallIDForm.any
    /// Whether opaque parts are left out of requests, because the server refused them.
    package var dropsOpaque = false
    /// Whether the server is asked for the model's thoughts in sealed form, so that they can be sent back.
    package var sealsReasoning = true
    /// Whether the server is asked for a summary of the model's thoughts.
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
        case .noVision: hasVision = false
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

/// A key that never prints itself: it does not appear in messages, logs or dumps of values that contain it.
package struct APIKey: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key itself, only for the request that sends it and for the filter that cuts it out of texts.
    package let text: String

    /// Creates a key without the white space around it, which files and pastes add. Returns `nil` if nothing is left.
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

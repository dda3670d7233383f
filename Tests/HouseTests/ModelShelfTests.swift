import CaseNames
import Embedded
import JSON
import Manifests
import Testing
import Vocabulary

/// Where an address leads: enough of it for tests.
func placeOf(_ url: String) -> RemoteHost? {
    let isEncrypted = url.hasPrefix("https://")
    guard isEncrypted || url.hasPrefix("http://") else { return nil }
    let authority = url.dropFirst(isEncrypted ? 8 : 7).prefix { $0 != "/" && $0 != "?" }
    let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty else { return nil }
    let port = parts.count > 1 ? Int(parts[1]) : isEncrypted ? 443 : 80
    return port.map { RemoteHost(isEncrypted: isEncrypted, host: host.lowercased(), port: $0) }
}

/// Servers of models by name: those that ship, and what a person's file makes of them.
@Suite struct ModelShelfTests {
    static let shipped: ModelShelf = {
        var shelf = ModelShelf()
        readModels(PlacedJSON(Embedded.text(at: "Config/models.yaml") ?? ""), file: "models.yaml", into: &shelf) {
            placeOf($0)
        }
        return shelf
    }()

    /// Dialect, host, key and header of each that ships.
    static let servers: [(String, ModelProfile.Dialect, String?, String?, String?)] = [
        ("openai", .responses, "https://api.openai.com:443", "OPENAI_API_KEY", nil),
        ("anthropic", .messages, "https://api.anthropic.com:443", "ANTHROPIC_API_KEY", "x-api-key"),
        ("gemini", .chatCompletions, "https://generativelanguage.googleapis.com:443", "GEMINI_API_KEY", nil),
        ("openrouter", .chatCompletions, "https://openrouter.ai:443", "OPENROUTER_API_KEY", nil),
        ("groq", .chatCompletions, "https://api.groq.com:443", "GROQ_API_KEY", nil),
        ("mistral", .chatCompletions, "https://api.mistral.ai:443", "MISTRAL_API_KEY", nil),
        ("deepseek", .chatCompletions, "https://api.deepseek.com:443", "DEEPSEEK_API_KEY", nil),
        ("xai", .chatCompletions, "https://api.x.ai:443", "XAI_API_KEY", nil),
        ("ollama", .ollama, "http://127.0.0.1:11434", nil, nil),
        ("llama.cpp", .chatCompletions, "http://127.0.0.1:8080", nil, nil),
        ("vllm", .chatCompletions, "http://127.0.0.1:8000", nil, nil),
        ("lm-studio", .chatCompletions, "http://127.0.0.1:1234", nil, nil),
        ("litellm", .chatCompletions, "http://127.0.0.1:4000", nil, nil),
        ("azure", .chatCompletions, nil, "AZURE_OPENAI_API_KEY", "api-key"),
    ]

    @Test(arguments: servers.map { Named($0.0, $0) })
    func eachThatShipsIsWhole(server: Named<(String, ModelProfile.Dialect, String?, String?, String?)>) throws {
        let (name, dialect, host, key, header) = server.value
        let known = try #require(Self.shipped[name])
        #expect(known.host?.description == host && known.keyName == key && !known.title.isEmpty)
        let profile = known.profile(for: "some-model", at: host == nil ? "https://mine.example.com/v1" : nil)
        #expect(profile.name == name && profile.model == "some-model" && !profile.url.isEmpty)
        #expect(profile.dialect == dialect && profile.keyHeader == header && profile.keyName == key)
        // A dialect that demands a limit has one.
        #expect(dialect != .messages || profile.maxTokens != nil)
        #expect(profile.window.map { $0 >= 8_000 } ?? true && profile.apiKey == nil)
    }

    @Test func thoseThatShipAreTheseAndHaveNoFault() {
        #expect(Self.shipped.problems == [])
        #expect(Self.shipped.servers.map(\.name) == Self.servers.map(\.0))
    }

    /// What servers refuse otherwise (`wire.md` LLM 6, 9).
    @Test func quirksOfServersAreThere() throws {
        func profile(_ name: String) throws -> ModelProfile { try #require(Self.shipped[name]).profile(for: "m") }
        #expect(try profile("deepseek").messageEchoFields == ["reasoning_content"])
        #expect(try profile("openrouter").messageEchoFields == ["reasoning_details"])
        #expect(try profile("gemini").echoFields.contains("extra_content"))
        for name in ["mistral", "vllm", "llama.cpp", "lm-studio"] {
            #expect(try profile(name).alternatesRoles, "\(name)")
        }
        #expect(try !profile("openai").alternatesRoles && !profile("mistral").usageInStream)
        #expect(
            try profile("openai").maxTokensField == .maxCompletionTokens && profile("groq").maxTokensField == .maxTokens
        )
    }

    @Test(
        arguments: [
            ("openai", "gpt-5", 400_000, 1.25), ("openai", "gpt-5-2025-08-07", 400_000, 1.25),
            ("openai", "GPT-5-mini", 400_000, 0.25),
            ("openai", "gpt-5-chat-latest", 128_000, nil), ("openai", "gpt-4o-mini", 128_000, 0.15),
            ("openai", "gpt-99", nil, nil),
            ("anthropic", "claude-opus-4-20250514", 200_000, 15), ("anthropic", "claude-opus-4-5-20251101", 200_000, 5),
            ("anthropic", "claude-sonnet-4-5", 200_000, 3), ("anthropic", "claude-99", 200_000, nil),
            ("gemini", "gemini-2.5-pro", 1_048_576, nil),
            ("groq", "gpt-5", nil, nil),
        ] as [(String, String, Int?, Double?)])
    func modelsOfOneServerDiffer(server: String, model: String, window: Int?, price: Double?) throws {
        let profile = try #require(Self.shipped[server]).profile(for: model)
        #expect(profile.window == window && profile.prices?.input == price)
    }

    @Test(arguments: [
        ("claude-3-opus-20240229", 4096), ("claude-3-5-haiku-20241022", 8192), ("claude-3-7-sonnet-20250219", 32_000),
    ])
    func theLastRuleHolds(model: String, most: Int) throws {
        #expect(try #require(Self.shipped["anthropic"]).profile(for: model).maxTokens == most)
    }

    @Test(
        arguments: [
            ("https://api.openai.com/v1", "openai"), ("https://api.openai.com:443/other", "openai"),
            ("http://api.openai.com/v1", nil),
            ("https://api.openai.com:8443/v1", nil), ("https://api.openai.com.example.org/v1", nil),
            ("http://127.0.0.1:11434", nil),
            ("http://localhost:8000/v1", nil), ("https://openrouter.ai/api/v1", "openrouter"),
        ] as [(String, String?)])
    func anAddressTellsTheServerByItsHost(url: String, name: String?) throws {
        #expect(Self.shipped.server(at: try #require(placeOf(url)))?.name == name)
    }

    @Test(arguments: [
        ("gpt-5*", "gpt-5", true), ("gpt-5*", "gpt-5-mini", true), ("gpt-5*", "gpt-4", false),
        ("gpt-5*", "my-gpt-5", false),
        ("*", "", true), ("*mini*", "gpt-5-MINI-x", true), ("a*b*c", "axxbyyc", true), ("a*b*c", "acb", false),
        ("a*a", "a", false),
        ("a*a", "aa", true), ("*b*bb", "abb", false), ("*b*bb", "abbb", true), ("Claude-*", "claude-x", true),
        ("exact", "exactly", false),
    ])
    func aPatternIsOneOfNames(pattern: String, name: String, isMatch: Bool) throws {
        #expect(try #require(NamePattern(pattern)).matches(name) == isMatch)
    }

    @Test func aHostilePatternEnds() throws {
        #expect(NamePattern(String(repeating: "a", count: Limits.modelNameBytes + 1)) == nil && NamePattern("") == nil)
        let pattern = try #require(NamePattern(String(repeating: "*a", count: Limits.modelNameBytes / 2)))
        #expect(!pattern.matches(String(repeating: "ab", count: 60)))
    }

    // MARK: The person's file

    private func shelf(_ text: String) -> ModelShelf {
        var shelf = Self.shipped
        readModels(text, file: "mine.yaml", into: &shelf) { placeOf($0) }
        return shelf
    }

    private static let good = """
        models: assent.models/v1
        profiles:
          openai:
            effort: low
            models:
              - {name: gpt-5, window: 1000}
          mine:
            title: Mine
            url: https://models.example.com/v1
            key: MY_KEY
            key_header: X-My-Key
            dialect: messages
            window: 9000
            max_tokens: 100
            max_tokens_field: max_completion_tokens
            effort: high
            prices: {input: 1, output: 2.5}
            tools: false
            vision: true
            strict: true
            usage_in_stream: false
            parallel_calls: false
            system_role: developer
            cumulative: true
            alternates_roles: true
            echo_fields: [a]
            message_echo_fields: [b, c]
            connect: 5s
            idle: 2m
            total: 1h
            models:
              - {name: ["x*", "y*"], tools: true}
        """

    @Test func aFileOfThePersonIsMergedByName() throws {
        let shelf = shelf(Self.good)
        #expect(shelf.problems == [])
        let known = try #require(shelf["openai"]).profile(for: "gpt-5")
        // What is not said stays; what is said holds; a rule behind the others holds.
        #expect(known.effort == "low" && known.dialect == .responses && known.keyName == "OPENAI_API_KEY")
        #expect(known.window == 1000 && known.prices?.output == 10)
        #expect(try #require(shelf["openai"]).profile(for: "gpt-5-mini").window == 400_000)
        #expect(shelf.servers.count == Self.shipped.servers.count + 1)
    }

    @Test func everythingThatCanBeSaidIsRead() throws {
        let mine = try #require(shelf(Self.good)["mine"])
        var wanted = ModelProfile(url: "https://models.example.com/v1", model: "z")
        (wanted.name, wanted.title, wanted.keyName, wanted.keyHeader) = ("mine", "Mine", "MY_KEY", "x-my-key")
        (wanted.dialect, wanted.window, wanted.maxTokens, wanted.maxTokensField) = (
            .messages, 9000, 100, .maxCompletionTokens
        )
        (wanted.effort, wanted.prices) = ("high", ModelProfile.Prices(input: 1, cached: 1, output: 2.5))
        (wanted.hasTools, wanted.hasVision, wanted.hasStrictSchemas) = (false, true, true)
        (wanted.usageInStream, wanted.parallelCalls, wanted.systemRole) = (false, false, .developer)
        (wanted.cumulativeContent, wanted.alternatesRoles) = (true, true)
        (wanted.echoFields, wanted.messageEchoFields) = (["a"], ["b", "c"])
        (wanted.connectSeconds, wanted.idleSeconds, wanted.totalSeconds) = (5, 120, 3600)
        #expect(mine.profile(for: "z") == wanted)
        (wanted.model, wanted.hasTools) = ("y1", true)
        #expect(mine.profile(for: "y1") == wanted)
    }

    @Test(
        arguments: [
            ("assent.models/v1", "assent.models/v2", "badSchema", 1),
            ("models: assent.models/v1", "# none", "missingField", 2),
            ("profiles:\n  openai", "servers: {}\nprofiles:\n  openai", "unknownKey", 2),
            ("  mine:", "  \"my server\":", "badField", 7),
            ("  mine:", "  list:", "badField", 7), ("title: Mine", "titel: Mine", "unknownKey", 8),
            ("title: Mine", "title: 3", "badField", 8),
            ("https://models", "ftp://models", "badURL", 9), ("https://models", "https://me:word@models", "badURL", 9),
            ("https://models.example.com/v1", "here", "badURL", 9), ("key: MY_KEY", "key: ../MY", "badField", 10),
            ("key: MY_KEY", "key: ''", "badField", 10), ("X-My-Key", "\"X My: Key\"", "badField", 11),
            ("X-My-Key", "\"X\\r\\nY\"", "badField", 11), ("dialect: messages", "dialect: french", "badField", 12),
            ("window: 9000", "window: 0", "badField", 13), ("window: 9000", "window: 9k", "badField", 13),
            ("window: 9000", "window: 900000000", "badField", 13),
            ("max_tokens: 100", "max_tokens: -1", "badField", 14),
            ("max_completion_tokens", "tokens", "badField", 15), ("effort: high", "effort: very high", "badField", 16),
            ("{input: 1, output: 2.5}", "{input: 1}", "missingField", 17),
            ("{input: 1, output: 2.5}", "{input: -1, output: 2}", "badField", 17),
            ("{input: 1, output: 2.5}", "{input: 1, output: 2, tax: 1}", "unknownKey", 17),
            ("{input: 1, output: 2.5}", "cheap", "badField", 17),
            ("tools: false", "tools: 0", "badField", 18), ("vision: true", "vision: high", "badField", 19),
            ("strict: true", "strict: \"true\"", "badField", 20),
            ("usage_in_stream: false", "usage_in_stream: []", "badField", 21),
            ("parallel_calls: false", "parallel_calls: 1", "badField", 22),
            ("system_role: developer", "system_role: boss", "badField", 23),
            ("cumulative: true", "cumulative: x", "badField", 24),
            ("alternates_roles: true", "alternates_roles: x", "badField", 25),
            ("echo_fields: [a]", "echo_fields: a", "badField", 26),
            ("message_echo_fields: [b, c]", "message_echo_fields: [\"\"]", "badField", 27),
            ("connect: 5s", "connect: soon", "badField", 28), ("idle: 2m", "idle: -2", "badField", 29),
            ("total: 1h", "total: {}", "badField", 30),
            ("{name: [\"x*\", \"y*\"], tools: true}", "{tools: true}", "missingField", 32),
            ("{name: [\"x*\", \"y*\"], tools: true}", "{name: [], tools: true}", "badField", 32),
            ("{name: [\"x*\", \"y*\"], tools: true}", "{name: x, title: X}", "unknownKey", 32),
            ("{name: [\"x*\", \"y*\"], tools: true}", "{name: x, key: X}", "unknownKey", 32),
            ("{name: [\"x*\", \"y*\"], tools: true}", "x", "badField", 32),
        ] as [(String, String, String, Int)])
    func whatIsWrongIsRefusedWithItsLine(old: String, new: String, code: String, line: Int) throws {
        try #require(Self.good.contains(old), "\(old)")
        // `title: Mine` and the like stand once; of `echo_fields` the first.
        let shelf = shelf(Self.good.replacing(old, with: new, maxReplacements: 1))
        #expect(
            shelf.problems.map(\.code) == [code] && shelf.problems.map(\.place) == ["mine.yaml:\(line)"],
            "\(shelf.problems)")
        // The rest of the file holds; what is wrong is not there in any form.
        #expect(shelf["openai"]?.profile(for: "x").effort == "low" && (line < 7 || shelf["mine"] == nil))
    }

    /// Nothing is sent elsewhere than the person has written.
    @Test func oneThatThePersonHasSpoiledIsNotTheShippedOne() {
        let shelf = shelf("models: assent.models/v1\nprofiles: {openai: {url: 7}, groq: {effort: low}}")
        #expect(shelf["openai"] == nil && shelf["groq"] != nil && shelf.problems.map(\.manifests) == [["openai"]])
    }

    @Test(arguments: ["models: [", "- a", "a: 1\n---\nb: 2", "&x y", "text"]) func whatIsNoSuchFileIsRefusedAsAWhole(
        text: String
    ) {
        let shelf = shelf(text)
        #expect(
            !shelf.problems.isEmpty
                && shelf.problems.allSatisfy { $0.manifests.isEmpty && $0.place.hasPrefix("mine.yaml") })
    }

    @Test(arguments: ["", "# nothing yet\n"]) func anEmptyFileChangesNothing(text: String) {
        #expect(shelf(text) == Self.shipped)
    }

    @Test func aFileIsBounded() {
        let many = (0...Limits.modelServers).map { "  p\($0): {effort: low}" }.joined(separator: "\n")
        #expect(shelf("models: assent.models/v1\nprofiles:\n\(many)").problems.map(\.code) == ["tooLarge"])
        let rules = Array(repeating: "{name: x}", count: Limits.modelRules + 1).joined(separator: ", ")
        #expect(
            shelf("models: assent.models/v1\nprofiles: {p: {models: [\(rules)]}}").problems.map(\.code) == ["tooLarge"])
    }
}

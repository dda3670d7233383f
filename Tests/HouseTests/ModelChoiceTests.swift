import CaseNames
import Manifests
import Testing
import Vocabulary

/// Which model is used, and why: the order in which words about it count, and which host is sent which key.
@Suite struct ModelChoiceTests {
    private static let connections = """
        default: work
        connections:
          work: {profile: openai, model: gpt-5, key: WORK_KEY, fallback: local, effort: high}
          local: {profile: ollama, model: "qwen3:8b"}
          proxy: {profile: openai, url: "https://proxy.example.com/v1", model: gpt-4o}
          mine: {profile: azure, url: "https://mine.openai.azure.com/openai/v1", model: deployed}
          plain: {url: "https://plain.example.com/v1", model: p}
        """
    private static let address = "http://127.0.0.1:8080/v1"

    struct Row: Sendable {
        var option: String?
        var session: String?
        var environment: [String: String] = [:]
        var connections = ModelChoiceTests.connections
        var old: ModelSources.OldModel?
        var models = ""
    }

    private func sources(_ row: Row) -> ModelSources {
        var shelf = ModelShelfTests.shipped
        readModels(row.models, file: "models.yaml", into: &shelf) { placeOf($0) }
        let connections = readConnections(
            row.connections, file: "connections.yaml", shelf: shelf, holdsKey: { _ in false }
        ) { placeOf($0) }
        return ModelSources(
            option: row.option, session: row.session, environment: row.environment, connections: connections,
            old: row.old,
            shelf: { [shelf] in shelf }, host: { placeOf($0) })
    }

    private static let all = [
        "ASSENT_MODEL_URL": address, "ASSENT_MODEL": "m",
    ]
    private static let old = ModelSources.OldModel(
        url: "https://old.example.com/v1", model: "o", keyVariable: "OLD_KEY")

    /// The row, and of what comes of it: reason, connection, profile, model, address, names of keys.
    static let order: [(String, Row, [String])] = [
        (
            "the default", Row(),
            [
                "the default of connections.yaml", "work", "openai", "gpt-5", "https://api.openai.com/v1",
                "WORK_KEY ASSENT_API_KEY",
            ]
        ),
        (
            "another model by the environment", Row(environment: ["ASSENT_MODEL": "gpt-4o"]),
            [
                "the default of connections.yaml, with ASSENT_MODEL", "work", "openai", "gpt-4o",
                "https://api.openai.com/v1",
                "WORK_KEY ASSENT_API_KEY",
            ]
        ),
        (
            "the environment before connections", Row(environment: all),
            ["by ASSENT_MODEL_URL", "-", "custom", "m", address, "ASSENT_API_KEY"]
        ),
        (
            "a session before the environment", Row(session: "local", environment: all),
            ["by /model", "local", "ollama", "qwen3:8b", "http://127.0.0.1:11434", ""]
        ),
        (
            "--model before a session", Row(option: "proxy", session: "local", environment: all),
            ["by --model", "proxy", "openai", "gpt-4o", "https://proxy.example.com/v1", ""]
        ),
        (
            "a model of the default", Row(option: "gpt-5-mini"),
            ["by --model", "work", "openai", "gpt-5-mini", "https://api.openai.com/v1", "WORK_KEY ASSENT_API_KEY"]
        ),
        (
            "a model of the environment's", Row(option: "n", environment: all),
            ["by --model", "-", "custom", "n", address, "ASSENT_API_KEY"]
        ),
        (
            "a profile and a model", Row(option: "anthropic/claude-sonnet-4-5"),
            ["by --model", "-", "anthropic", "claude-sonnet-4-5", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"]
        ),
        (
            "a model with a stroke in its name", Row(option: "openrouter/google/gemini-2.5-pro"),
            [
                "by --model", "-", "openrouter", "google/gemini-2.5-pro", "https://openrouter.ai/api/v1",
                "OPENROUTER_API_KEY",
            ]
        ),
        (
            "a connection and a model", Row(option: "local/llama3"),
            ["by --model", "local", "ollama", "llama3", "http://127.0.0.1:11434", ""]
        ),
        (
            "the profile by the host",
            Row(environment: ["ASSENT_MODEL_URL": "https://api.anthropic.com/v1", "ASSENT_MODEL": "claude"]),
            [
                "by ASSENT_MODEL_URL", "-", "anthropic", "claude", "https://api.anthropic.com/v1",
                "ASSENT_API_KEY ANTHROPIC_API_KEY",
            ]
        ),
        (
            "a profile that is named", Row(environment: all.merging(["ASSENT_MODEL_PROFILE": "vllm"]) { $1 }),
            ["by ASSENT_MODEL_URL", "-", "vllm", "m", address, "ASSENT_API_KEY"]
        ),
        (
            "the key of a profile at another host",
            Row(environment: ["ASSENT_MODEL_URL": "https://other.example.com/v1", "ASSENT_MODEL_PROFILE": "openai"]),
            ["by ASSENT_MODEL_URL", "-", "openai", "default", "https://other.example.com/v1", "ASSENT_API_KEY"]
        ),
        (
            "a profile without an address", Row(environment: ["ASSENT_MODEL_PROFILE": "groq", "ASSENT_MODEL": "m"]),
            [
                "by ASSENT_MODEL_PROFILE", "-", "groq", "m", "https://api.groq.com/openai/v1",
                "ASSENT_API_KEY GROQ_API_KEY",
            ]
        ),
        (
            "an address of the person's own", Row(option: "mine"),
            [
                "by --model", "mine", "azure", "deployed", "https://mine.openai.azure.com/openai/v1",
                "AZURE_OPENAI_API_KEY",
            ]
        ),
        (
            "no profile", Row(option: "plain"),
            ["by --model", "plain", "custom", "p", "https://plain.example.com/v1", ""]
        ),
        (
            "connections before the old settings", Row(old: old),
            [
                "the default of connections.yaml", "work", "openai", "gpt-5", "https://api.openai.com/v1",
                "WORK_KEY ASSENT_API_KEY",
            ]
        ),
        (
            "the old settings", Row(connections: "", old: old),
            ["model: of settings.yaml", "-", "custom", "o", "https://old.example.com/v1", "OLD_KEY ASSENT_API_KEY"]
        ),
        (
            "one connection", Row(connections: "connections: {a: {profile: groq, model: m}}"),
            [
                "the only one of connections.yaml", "a", "groq", "m", "https://api.groq.com/openai/v1",
                "ASSENT_API_KEY GROQ_API_KEY",
            ]
        ),
    ]

    @Test(arguments: order.map { Named($0.0, ($0.1, $0.2)) })
    func whatWasSaidNearestHolds(row: Named<(Row, [String])>) throws {
        let choice = try #require(try sources(row.value.0).choice())
        let found = [
            choice.reason, choice.connection ?? "-", choice.profile.name, choice.profile.model, choice.profile.url,
            choice.keyNames.joined(separator: " "),
        ]
        #expect(found == row.value.1)
        #expect(choice.profile.apiKey == nil && choice.host == placeOf(choice.profile.url))
    }

    @Test(arguments: [
        Named("nothing", Row(connections: "")),
        Named("several and no default", Row(connections: connections.replacing("default: work\n", with: ""))),
        Named("--model", Row(option: "built-in", environment: all)),
        Named("/model", Row(session: "built-in", environment: all)),
        Named(
            "the default", Row(connections: connections.replacing("default: work", with: "default: built-in"), old: old)
        ),
    ])
    func thePlannerIsThereWhereNothingElseIsSaid(row: Named<Row>) throws {
        #expect(try sources(row.value).choice() == nil)
    }

    @Test func aConnectionSaysMoreThanItsProfile() throws {
        let choice = try #require(try sources(Row()).choice())
        #expect(
            choice.profile.effort == "high" && choice.profile.dialect == .responses && choice.profile.window == 400_000)
        #expect(choice.fallback == "local" && choice.profile.keyName == "WORK_KEY")
        let fallback = try #require(try sources(Row()).choice(named: "local", "in place of work"))
        #expect(fallback.reason == "in place of work" && fallback.profile.dialect == .ollama)
    }

    /// `ASSENT_API_KEY` is for one host: no word about the model sends it to another.
    @Test(
        arguments: [
            ("work", all, false), ("proxy", all, false), ("openai/gpt-5", all, false), ("n", all, true),
            ("work", [:], true),
            ("local", [:], false),
            ("proxy", [:], false), ("openai/gpt-5", [:], true), ("n", [:], true),
            ("openai/gpt-5", ["ASSENT_MODEL_URL": "https://api.openai.com:8443/v1"], false),
            ("openai/gpt-5", ["ASSENT_MODEL_URL": "https://api.openai.com/other"], true),
            ("work", ["ASSENT_MODEL_PROFILE": "groq", "ASSENT_MODEL": "m"], false),
        ] as [(String, [String: String], Bool)])
    func theKeyOfTheEnvironmentGoesToItsHostOnly(word: String, environment: [String: String], isSent: Bool) throws {
        let choice = try #require(try sources(Row(option: word, environment: environment)).choice())
        #expect(choice.keyNames.contains("ASSENT_API_KEY") == isSent)
    }

    @Test(
        arguments: [
            ("https://h.example.com/v1/messages", .messages), ("https://h.example.com/v1/messages/", .messages),
            ("https://h.example.com/v1/responses?x=1", .responses), ("http://127.0.0.1:11434/api/chat", .ollama),
            ("https://api.openai.com/v1/chat/completions", .chatCompletions), ("https://api.openai.com/v1", .responses),
            ("https://h.example.com/v1", .chatCompletions),
            ("https://h.example.com/v1/messages/more", .chatCompletions),
        ] as [(String, ModelProfile.Dialect)])
    func anAddressMayNameADialect(url: String, dialect: ModelProfile.Dialect) throws {
        #expect(try sources(Row(environment: ["ASSENT_MODEL_URL": url])).choice()?.profile.dialect == dialect)
    }

    @Test func whatAConnectionSaysOfItsDialectHolds() throws {
        let row = Row(
            connections: "connections: {a: {url: 'https://h.example.com/v1/messages', model: m, dialect: responses}}")
        #expect(try sources(row).choice()?.profile.dialect == .responses)
    }

    @Test(
        arguments: [
            Named("no such connection", (Row(option: "wrok", connections: ""), "unknownConnection")),
            Named("in a session", (Row(session: "wrok/x", connections: ""), "unknownConnection")),
            Named("nothing said", (Row(option: ""), "unknownConnection")),
            Named("long", (Row(option: String(repeating: "x", count: 300)), "unknownConnection")),
            Named("no address", (Row(option: "azure/x"), "badSettings")),
            Named(
                "no profile",
                (Row(environment: ["ASSENT_MODEL_URL": address, "ASSENT_MODEL_PROFILE": "nobody"]), "badSettings")),
            Named("no model", (Row(environment: ["ASSENT_MODEL_PROFILE": "groq"]), "badSettings")),
            Named("another scheme", (Row(environment: ["ASSENT_MODEL_URL": "ftp://h/v1"]), "badSettings")),
            Named("a password", (Row(environment: ["ASSENT_MODEL_URL": "http://me:word@h/v1"]), "badSettings")),
            Named("no host", (Row(environment: ["ASSENT_MODEL_URL": "http:///v1"]), "badSettings")),
            Named(
                "a default that is none",
                (Row(connections: connections.replacing("default: work", with: "default: x")), "badSettings")),
            Named(
                "a default with a fault",
                (Row(connections: connections.replacing("effort: high", with: "effort: 1"), old: old), "badSettings")),
            Named(
                "the only one with a fault", (Row(connections: "connections: {a: {model: m}}", old: old), "badSettings")
            ),
            Named(
                "one with a fault, by name",
                (
                    Row(option: "plain", connections: connections.replacing("model: p", with: "model: p, x: 1")),
                    "badSettings"
                )),
            Named("a file that is none", (Row(connections: "connections: [", old: old), "badSettings")),
            Named(
                "a profile with a fault",
                (Row(models: "models: assent.models/v1\nprofiles: {openai: {url: 7}}"), "badSettings")),
            Named("profiles that cannot be read", (Row(models: "models: ["), "badSettings")),
            Named(
                "a host of which something may be wrong",
                (
                    Row(
                        environment: ["ASSENT_MODEL_URL": "https://api.groq.com/v1"],
                        models: "models: assent.models/v1\nprofiles: {x: {url: 7}}"), "badSettings"
                )
            ),
        ] as [Named<(Row, String)>])
    func whatCannotBeIsRefused(row: Named<(Row, String)>) throws {
        let failure = #expect(throws: Failure.self) { try sources(row.value.0).choice() }
        #expect(failure?.code == row.value.1 && failure?.remedy != nil)
    }

    /// What the environment says needs no file, and is not held up by one.
    @Test func aFaultElsewhereHoldsNothingUp() throws {
        let row = Row(environment: Self.all, connections: "connections: [", models: "models: [")
        #expect(try sources(row).choice()?.profile.model == "m")
        let other = Row(option: "local", connections: Self.connections.replacing("effort: high", with: "effort: 1"))
        #expect(try sources(other).choice()?.connection == "local")
    }
}

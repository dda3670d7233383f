import CaseNames
import Manifests
import Testing
import Vocabulary

/// `connections.yaml`: what is read, what is refused, and how the program changes it.
@Suite struct ConnectionTests {
    /// Put together here, so that no scanner of this repository takes it for somebody's.
    static let key = "sk-" + "a1B2c3D4e5F6g7H8i9J0"

    private static let good = """
        default: work
        connections:
          work:
            profile: openai
            model: gpt-5
            key: WORK_KEY
            fallback: local
            effort: high
          local:
            profile: ollama
            url: http://127.0.0.1:9999
            model: qwen3:8b
            window: 32000
          other: {url: "https://models.example.com/v1", model: m, usage_in_stream: false}
        """

    private func read(_ text: String, _ shelf: ModelShelf = ModelShelfTests.shipped) -> ModelConnections {
        readConnections(text, file: "c.yaml", shelf: shelf, holdsKey: { $0.contains(Self.key) }) { placeOf($0) }
    }

    @Test func whatIsWrittenIsRead() throws {
        let read = read(Self.good)
        #expect(read.problems == [] && read.defaultName == "work" && read.usual == "work")
        var work = ModelConnection(
            name: "work", profile: "openai", model: "gpt-5", keyName: "WORK_KEY", fallback: "local")
        work.settings.effort = "high"
        var local = ModelConnection(name: "local", profile: "ollama", url: "http://127.0.0.1:9999", model: "qwen3:8b")
        local.settings.window = 32_000
        var other = ModelConnection(name: "other", url: "https://models.example.com/v1", model: "m")
        other.settings.usageInStream = false
        #expect(read.all == [work, local, other])
    }

    @Test(
        arguments: [
            ("default: work", "default: nobody", "unknownConnection", 1),
            ("default: work", "default: 3", "badField", 1),
            ("default: work", "defaults: work", "unknownKey", 1), ("connections:\n", "connections: 3\nx:\n", "", 0),
            ("  work:", "  test:", "badField", 3), ("  work:", "  \"a b\":", "badField", 3),
            ("  work:", "  built-in:", "badField", 3),
            ("profile: openai", "profile: opnai", "unknownProfile", 4),
            ("profile: openai", "profile: []", "badField", 4),
            ("profile: openai", "effrt: low", "unknownKey", 4),
            ("profile: openai", "profile: azure", "missingField", 4),
            ("    profile: openai\n", "", "missingField", 4), ("    model: gpt-5\n", "", "missingField", 4),
            ("model: gpt-5", "model: ''", "missingField", 4), ("model: gpt-5", "model: 5", "badField", 5),
            ("key: WORK_KEY", "key: my key", "badField", 6), ("key: WORK_KEY", "key: ASSENT_API_KEY", "badField", 6),
            ("key: WORK_KEY", "key: \(key)", "keyInFile", 6), ("effort: high", "effort: [\(key)]", "keyInFile", 8),
            ("effort: high", "\(key): high", "keyInFile", 8), ("fallback: local", "fallback: nobody", "badFallback", 7),
            ("fallback: local", "fallback: work", "badFallback", 7), ("effort: high", "max_tokens: 0", "badField", 8),
            ("effort: high", "dialect: french", "badField", 8),
            ("http://127.0.0.1:9999", "127.0.0.1:9999", "badURL", 11),
            ("http://127.0.0.1:9999", "https://me:word@127.0.0.1", "badURL", 11),
        ] as [(String, String, String, Int)])
    func whatIsWrongIsRefusedWithItsLine(old: String, new: String, code: String, line: Int) throws {
        try #require(Self.good.contains(old), "\(old)")
        let read = read(Self.good.replacing(old, with: new, maxReplacements: 1))
        guard !code.isEmpty else { return #expect(read.problems.count >= 2, "\(read.problems)") }
        let problem = try #require(read.problems.first { $0.code == code }, "\(read.problems)")
        #expect(problem.place == "c.yaml:\(line)")
        #expect(!read.problems.contains { "\($0)".contains(Self.key) }, "no words repeat a key")
        // The others are as they were.
        #expect(read["other"]?.model == "m")
    }

    @Test func aCircleOfFallbacksIsTold() {
        let read = read(
            "connections: {a: {url: 'http://h', model: m, fallback: b}, b: {url: 'http://h', model: m, fallback: a}}")
        #expect(read.problems.map(\.code) == ["badFallback", "badFallback"])
        let tail = self.read(
            """
            connections:
              a: {url: 'http://h', model: m, fallback: b}
              b: {url: 'http://h', model: m, fallback: c}
              c: {url: 'http://h', model: m, fallback: b}
            """)
        #expect(tail.problems.map(\.manifests) == [["b"], ["c"]])
    }

    @Test(arguments: ["connections: [", "- a", "a: 1\n---\nb: 2", "text"]) func whatIsNoSuchFileIsRefusedAsAWhole(
        text: String
    ) {
        #expect(read(text).problems.contains { $0.manifests.isEmpty })
    }

    @Test func oneConnectionNeedsNoDefault() {
        let one = "connections: {a: {url: 'http://h', model: m}}"
        #expect(read(one).usual == "a" && read(one + "\ndefault: built-in").usual == "built-in")
        #expect(read("connections: {a: {url: 'http://h', model: m}, b: {url: 'http://h', model: m}}").usual == nil)
        #expect(read("").usual == nil)
        for text in ["# none yet\n", "connections:\n", "connections: {}\n"] {
            #expect(read(text).problems == [], "\(text)")
        }
    }

    @Test func aFileIsBounded() {
        let many = (0...Limits.connections).map { "  c\($0): {url: 'http://h', model: m}" }.joined(separator: "\n")
        #expect(read("connections:\n\(many)").problems.map(\.code) == ["tooLarge"])
    }

    // MARK: Changes

    @Test(arguments: [
        ("", "default: work\n"),
        ("default: other\n# mine\nconnections: {}\n", "default: work\n# mine\nconnections: {}\n"),
        ("# mine\nconnections:\n  work: {}", "# mine\nconnections:\n  work: {}\ndefault: work"),
    ])
    func theDefaultIsOneLine(before: String, after: String) {
        #expect(ConnectionWriter.settingDefault("work", in: before) == after)
    }

    /// The connection `a` gets another model and no effort; everything else stays, byte for byte.
    @Test func aChangeOfAConnectionIsTheLinesThatDiffer() {
        let before = """
            # mine
            default: a # x
            connections:
              # first
              a:
                url: http://h   # here
                model: m # small
                effort: low

              # second
              b: {url: 'http://h', model: n}
            """
        let after = before.replacing("model: m #", with: "model: \"m2\" #").replacing("    effort: low\n", with: "")
        let added = before.replacing("  a:\n", with: "  a:\n    key: \"A_KEY\"\n")
        expectNoFaults(in: ["\n", "\r\n"]) { end in
            func ended(_ text: String) -> String { text.replacing("\n", with: end) }
            guard let old = read(ended(before))["a"] else { return ["the file is not read"] }
            var (new, keyed) = (old, old)
            (new.model, new.settings.effort) = ("m2", nil)
            keyed.keyName = "A_KEY"
            return [(new, after), (keyed, added), (old, before)].compactMap { connection, wanted in
                let found = ConnectionWriter.putting(connection, over: old, in: ended(before))
                let isMeant = Array(found.utf8) == Array(ended(wanted).utf8) && read(found)["a"] == connection
                return isMeant ? nil : "\(end.debugDescription): \(found.debugDescription)"
            }
        }
    }

    @Test(arguments: [
        Named("nothing", ""), Named("a head", "connections:\n"),
        Named("an empty one", "default: built-in\nconnections: {} # none\n"),
        Named("all", good),
        Named(
            "comments", "# a\nconnections:\n    # of others\n    x:\n        url: http://h\n        model: m\n\n# end\n"
        ),
    ])
    func aConnectionIsPutAndTakenAway(text: Named<String>) throws {
        let before = read(text.value)
        for name in ["fresh", "work"] {
            var connection = ModelConnection(
                name: name, profile: "azure", url: "https://mine.example.com/v1", model: "a \"b\": c", keyName: "MINE",
                fallback: name == "work" ? "local" : nil)
            connection.settings.maxTokens = 7
            if before["local"] == nil { connection.fallback = nil }
            let put = ConnectionWriter.putting(connection, in: text.value)
            let after = read(put)
            #expect(after[name] == connection, "\(put)")
            #expect(
                Set(after.all.filter { $0.name != name }) == Set(before.all.filter { $0.name != name })
                    && after.defaultName == before.defaultName)
            #expect(!text.value.contains("# a") || put.hasPrefix("# a\n") && put.contains("# end"), "comments stay")
            let gone = read(ConnectionWriter.removing(name, in: put))
            #expect(gone[name] == nil && gone.all.count == after.all.count - 1)
        }
    }
}

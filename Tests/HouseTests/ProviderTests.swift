import CaseNames
import Embedded
import JSON
import Manifests
import Testing
import Vocabulary

/// Manifests of providers of jobs: what is refused, and that no provider is known to the program itself.
@Suite struct ProviderTests {
    static let shipped = Embedded.paths.filter { $0.hasPrefix("Config/providers/") }

    /// By their ids and the words of them, and by their hosts. `openai` is a dialect of models, too.
    @Test func noProviderIsNamedInSwift() {
        let common: Set<String> = ["jobs", "task", "video", "responses", "generic", "history", "openai"]
        let names = Set(
            Self.shipped.flatMap { file in
                (file.split(separator: "/").last ?? "").dropLast(".yaml".count).split(separator: "-").map(String.init)
            }
        ).subtracting(common)
        #expect(names.isSuperset(of: ["replicate", "cog", "fal", "comfyui", "ray", "bentoml", "runpod"]))
        expectNoFaults(in: House.files(under: "Sources").filter { $0.hasSuffix(".swift") }) { path in
            let text = String(decoding: House.bytes(at: path) ?? [], as: UTF8.self)
            let words = Set(text.lowercased().split { !$0.isLetter }.map(String.init))
            let isElsewhere = text.contains("api.openai.com") && !path.hasPrefix("Sources/LanguageModels/")
            return words.intersection(names).sorted().map { "\($0) in \(path)" }
                + (isElsewhere ? ["api.openai.com in \(path)"] : [])
        }
    }

    private static let good = """
        kind: jobs.http/v1
        id: good
        title: Good
        hosts: [api.example.com, "*.files.example.com"]
        auth: {type: bearer, secret: GOOD_KEY}
        inputs: [input]
        idempotency: {mode: none}
        requests:
          submit: {method: POST, url: "https://api.example.com/jobs", json: "{input}", capture: {jobId: $.id}}
          status: {url: "https://api.example.com/jobs/{jobId}"}
        states:
          - {when: {path: $.s, in: [done]}, to: downloading}
          - {when: {path: $.s, in: [bad]}, to: failed}
        outputs:
          - {port: json, type: json, from: status, path: $.out, as: json}
        """

    private func problems(_ changes: [String: String]) throws -> [Problem] {
        var text = Self.good
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        return readProviders(text, file: "p.yaml", isShipped: false) { ContentHash(hex: String($0.utf8.count)) }
            .problems
    }

    @Test func aGoodOneIsRead() throws { #expect(try problems([:]) == []) }

    @Test(
        arguments: [
            ("kind: jobs.http/v1", "kind: jobs.http/v2", "badSchema", 1), ("id: good", "id: Good One", "badField", 2),
            ("title: Good", "title: Good\nhost: x", "unknownKey", 4),
            ("hosts: [api.example.com", "hosts: [\"*\"", "badHost", 4),
            ("hosts: [api.example.com", "hosts: [\"*.com\"", "badHost", 4),
            ("hosts: [api.example.com", "hosts: [\"https://api.example.com\"", "badHost", 4),
            ("hosts: [api.example.com, \"*.files.example.com\"]", "hosts: []", "missingField", 4),
            ("secret: GOOD_KEY", "secret: GOOD_KEY, sendTo: [example.org]", "badHost", 5),
            ("secret: GOOD_KEY", "secret: ../../etc/passwd", "badField", 5),
            ("type: bearer", "type: magic", "badField", 5),
            ("secret: GOOD_KEY", "secret: GOOD_KEY, probe: models", "unknownRequest", 5),
            ("secret: GOOD_KEY", "secret: GOOD_KEY, probe: submit", "badField", 5),
            ("secret: GOOD_KEY", "secret: GOOD_KEY, probe: status", "badField", 5),
            ("title: Good", "title: Good\nprice: -1", "badField", 4),
            ("title: Good", "title: Good\nprice: 0.0000001", "badField", 4),
            ("title: Good", "title: Good\nprice: free", "badField", 4),
            ("title: Good", "title: Good\nprice: 0.04", "", 0),
            ("https://api.example.com/jobs\"", "http://api.example.com/jobs\"", "badURL", 9),
            ("https://api.example.com/jobs\"", "https://elsewhere.org/jobs\"", "badHost", 9),
            ("https://api.example.com/jobs\"", "ftp://api.example.com/jobs\"", "badURL", 9),
            ("json: \"{input}\"", "json: \"{inputs}\"", "unknownPlaceholder", 9),
            ("json: \"{input}\"", "json: \"{input\"", "badTemplate", 9),
            ("json: \"{input}\"", "json: \"{jobId}\"", "unknownPlaceholder", 9),
            ("json: \"{input}\"", "json: \"{input}\", raw: x", "badField", 9), ("$.id", "id.", "", 0),
            ("$.s,", "$..s,", "badPath", 12),
            ("$.s,", "\"$.s[?(@.x)]\",", "badPath", 12), ("to: downloading", "to: succeeded", "badField", 12),
            ("to: downloading", "to: runningRemote", "missingField", 11),
            ("{when: {path: $.s, in: [bad]}, to: failed}", "{http: 404, to: failed}", "badField", 13),
            ("{when: {path: $.s, in: [bad]}, to: failed}", "{http: 404, to: downloading}", "badField", 13),
            ("in: [done]", "matches: '('", "badPattern", 12),
            ("in: [done]", "matches: '(a)\\1'", "badPattern", 12),
            ("mode: none", "mode: none, ambiguous: retry", "badIdempotency", 7),
            ("mode: none", "mode: put", "badIdempotency", 7),
            ("mode: none", "mode: clientId", "badIdempotency", 7), ("mode: none", "mode: header", "badIdempotency", 7),
            ("mode: none", "mode: reconcile", "badIdempotency", 7),
            ("mode: none", "mode: none, find: list", "unknownRequest", 7),
            ("from: status", "from: result", "unknownRequest", 15), ("from: status", "from: kept", "missingField", 15),
            ("from: status", "from: logs", "missingField", 15), ("as: json}", "as: file}", "badField", 15),
            ("as: json}", "as: magic}", "badField", 15),
            ("from: status, path: $.out, as: json", "from: template, value: \"{input}\", as: file", "badField", 15),
            (
                "  status: {url: \"https://api.example.com/jobs/{jobId}\"}",
                "  state: {url: \"https://api.example.com/jobs/{jobId}\"}",
                "missingField", 8
            ),
            ("title: Good", "title: Good\nlimits: {pollEvery: soon}", "badField", 4),
            ("title: Good", "title: Good\nlimits: {submit: 600}", "badField", 4),
            (
                "title: Good", "title: Good\nfixtures: [{name: x, exchange: [{request: status}], expect: {}}]",
                "missingField", 4
            ),
        ] as [(String, String, String, Int)])
    func whatCouldNotWorkIsRefused(old: String, new: String, code: String, line: Int) throws {
        let problems = try problems([old: new])
        guard !code.isEmpty else { return #expect(problems.isEmpty, "words are a source, too") }
        #expect(problems.contains { $0.code == code && $0.place == "p.yaml:\(line)" }, "\(problems)")
    }

    @Test("finding 11: a placeholder that stands for nothing is named with its line")
    func aPlaceholderIsNamedWithItsLine() throws {
        let (old, new) = (
            "json: \"{input}\", capture: {jobId: $.id}}", "json:\n  {a: \"{input}\",\n  b: [c, \"x{in}\"]}}"
        )
        let problems = try problems([old: new])
        #expect(problems.map(\.place) == ["p.yaml:11"] && problems.map(\.code) == ["unknownPlaceholder"], "\(problems)")
        let tool = tool("\n  job:\n    provider: p\n    with:\n      a: \"{prompt}\"\n      b: [\"{promp}\"]")
        #expect(tool.map(\.place) == ["t.yaml:14"] && tool.map(\.code) == ["unknownPlaceholder"], "\(tool)")
    }

    @Test("finding 3: a log that only says what came since has no outputs by pattern", arguments: ["append", "whole"])
    func aLogThatIsNotWhole(mode: String) throws {
        let problems = try problems([
            "from: status, path: $.out": "from: logs, regex: '^R (.*)$'",
            "outputs:": "logs: {path: $.l, mode: \(mode)}\noutputs:",
        ])
        #expect(problems.map(\.place) == (mode == "append" ? ["p.yaml:16"] : []), "\(problems)")
    }

    @Test func allFaultsAreToldAtOnce() throws {
        let problems = try problems([
            "type: bearer": "type: magic", "$.s,": "$..s,", "as: json}": "as: magic}", "title: Good": "titel: Good",
        ])
        #expect(Set(problems.map(\.code)) == ["badField", "badPath", "unknownKey"] && problems.count >= 5)
    }

    @Test func settingsComeBeforeAManifestsOwnValues() throws {
        let text = Self.good.replacing(
            "hosts: [api.example.com,", with: "variables: {host: api.example.com}\nhosts: [\"{host}\","
        )
        .replacing(
            "https://api.example.com", with: "https://{host}")
        func read(_ settings: JSON) -> (providers: [ProviderManifest], problems: [Problem]) {
            readProviders(
                text, file: "p.yaml", isShipped: false,
                variables: { WrittenSettings.Provider(id: $0, values: settings.object ?? JSON.Object()) }
            ) { _ in .ofNothing }
        }
        #expect(read([:]).providers.first?.hosts.first == HostGlob("api.example.com"))
        #expect(read(["host": "eu.example.com:8443"]).providers.first?.hosts.first == HostGlob("eu.example.com:8443"))
        #expect(read(["port": 1]).problems.map(\.code) == ["unknownVariable"])
    }

    // MARK: Tools

    private func tool(_ run: String) -> [Problem] {
        readTools(
            """
            tool: assent.tool/v1
            kind: Mine
            title: Mine
            inputs: {image: image, mask: "mask?"}
            outputs: {image: image}
            params:
              prompt: {type: text, required: true}
              seed: {type: integer}
            run: \(run)
            """, file: "t.yaml", isShipped: false
        ) { _ in .ofNothing }.problems
    }

    @Test(
        arguments: [
            (
                "{job: {provider: p, with: {a: \"{prompt}\", b: [\"{image.dataUrl}\", \"{mask.base64?}\"], c: \"{image.file}\", d: \"{seed?}\"}}}",
                nil
            ),
            ("{job: {provider: p, with: {a: \"{image.text|prompt}\", b: \"{{prompt}}\"}, outputs: {image: out}}}", nil),
            ("{person: drawMask}", nil),
            ("{person: draw_mask}", nil), ("{person: confirmCall}", "badField"), ("{person: dance}", "badField"),
            ("{job: {with: {}}}", "missingField"),
            ("{job: {provider: p, with: {a: \"{prompts}\"}}}", "unknownPlaceholder"),
            ("{job: {provider: p, with: {a: \"{image}\"}}}", "unknownPlaceholder"),
            ("{job: {provider: p, with: {a: \"{image.bytes}\"}}}", "unknownPlaceholder"),
            ("{job: {provider: p, with: {a: \"{seed}\"}}}", "unknownPlaceholder"),
            ("{job: {provider: p, with: {a: \"{mask.dataUrl}\"}}}", "unknownPlaceholder"),
            ("{job: {provider: p, with: {a: {b: \"{image.file}\"}}}}", "unknownPlaceholder"),
            ("{job: {provider: p, with: {a: \"{prompt\"}}}", "badTemplate"),
            ("{job: {provider: p, outputs: {mask: out}}}", "unknownPort"),
            ("{job: {provider: p}, builtin: pass}", "unknownKey"), ("{job: {provider: p, body: {}}}", "unknownKey"),
        ] as [(String, String?)])
    func whatAToolMayAskOfAProviderOrAPerson(run: String, code: String?) {
        let problems = tool(run)
        if let code { #expect(problems.contains { $0.code == code }, "\(problems)") } else { #expect(problems.isEmpty) }
    }
}

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Files of the config folder that are wrong: what still runs, what is refused, and what `doctor` says.
@Suite(.process) struct ConfigurationTests {
    private func lab(_ files: [String: [UInt8]] = [:]) throws -> ProgramLab {
        let lab = try ProgramLab()
        try ScratchFolder.makeFolder("\(lab.home)/config")
        for (name, bytes) in files {
            if let slash = name.firstIndex(of: "/") {
                try ScratchFolder.makeFolder("\(lab.home)/config/\(name[..<slash])")
            }
            try ScratchFolder.write(bytes, to: "\(lab.home)/config/\(name)")
            chmod("\(lab.home)/config/\(name)", 0o600)
        }
        try lab.write("a b\n", to: "t.txt")
        return lab
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// A comment in Latin-1.
    private static let latin = Array("# fa".utf8) + [0xE7] + Array("ade\n".utf8)

    private func settings(_ lab: ProgramLab) -> [UInt8]? { ScratchFolder.bytes("\(lab.home)/config/settings.yaml") }

    /// What a command said on standard error, however its lines were broken.
    private func words(_ ending: ProgramEnding) -> String {
        ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test("case 1: settings that are not UTF-8 loosen nothing")
    func settingsThatAreNotUTF8AreRefused() async throws {
        let lab = try lab(["settings.yaml": Array("mode: always-ask\n".utf8) + Self.latin])
        let ending = try await lab.run("ask", "save t.txt as x.txt", "--plain")
        #expect(ending.exit == 2 && words(ending).contains("settings.yaml:2: The byte 0xE7"), "\(ending.errors)")
        #expect(!lab.exists("x.txt"))
        #expect(try await lab.run("mode").exit == 2)
        // The mode of the command line is no substitute: slots, budget and keys are in the file, too.
        #expect(try await lab.run("ask", "save t.txt as x.txt", "--mode", "auto").exit == 2 && !lab.exists("x.txt"))
        for verb in [
            ["list"], ["tools"], ["inbox"], ["history"], ["usage"], ["model", "list"], ["hosts"], ["programs"],
            ["mode", "--help"],
        ] {
            #expect(try await lab.run(verb).exit == 0, "\(verb) only looks")
        }
    }

    @Test("case 2: a change of the mode leaves every other byte")
    func aChangeOfTheModeLeavesTheRest() async throws {
        let rest = "budget: {workflow: 0.05}\r\nkey_command: [pass, show, \"assent/{name}\"]\r\n"
        for (before, after) in [
            ("mode: adaptive\r\n" + rest, "mode: always-ask\r\n" + rest),
            (rest + "mode: adaptive\r\n", rest + "mode: always-ask\r\n"),
        ] {
            let lab = try lab(["settings.yaml": Array(before.utf8)])
            let ending = try await lab.run("mode", "always-ask", "--always", "--json")
            #expect(ending.exit == 0 && ending.lines.first?["mode"] == "always-ask", "\(ending.output)\(ending.errors)")
            #expect(settings(lab) == Array(after.utf8))
        }
        let bytes = Self.latin + Array(rest.utf8)
        let lab = try lab(["settings.yaml": bytes])
        let refused = try await lab.run("mode", "always-ask", "--always")
        #expect(refused.exit == 2 && words(refused).contains("settings.yaml:1:"), "\(refused.errors)")
        #expect(settings(lab) == bytes)
    }

    @Test("case 26: a byte order mark is no part of a file")
    func aByteOrderMarkIsSkipped() async throws {
        let server = try ScriptedServer { _ in .stream(SSE.text("Hello", " there.")) }
        func marked(_ text: String) -> [UInt8] { Self.mark + Array(text.replacing("\n", with: "\r\n").utf8) }
        let lab = try lab([
            "settings.yaml": marked("mode: always-ask\nslots: {local: 2}\n"),
            "connections.yaml": marked(
                "default: w\nconnections:\n  w: {url: \"\(server.url)/v1\", model: m, key: W_KEY}\n"),
            "models.yaml": marked("models: assent.models/v1\nprofiles:\n  mine: {title: Mine}\n"),
            "hosts.json": marked("{\"v\":1,\"hosts\":[]}\n"),
            "policy.yaml": marked("policy: assent.policy/v1\nrules: []\n"),
            "keys/W_KEY": Self.mark + Array("word-of-the-server\r\n".utf8),
        ])
        let ending = try await lab.run("ask", "hello", "--json")
        expectEvents(ending, exit: 0)
        #expect(server.requests.first?.headers["authorization"] == "Bearer word-of-the-server")
        #expect(try await lab.json("mode").first?["mode"] == "always-ask")
        // Reading only: a policy that could not be read would refuse this.
        #expect(try await lab.run("run", try template(lab), "--mode", "auto").exit == 0 && lab.exists("y.txt"))
    }

    private func template(_ lab: ProgramLab) throws -> String {
        try lab.write(
            workflow(
                "write", [node("t", "Text", ["text": "x"]), node("w", "WriteFile", ["path": "y.txt"])],
                [edge("t.text", "w.text")]),
            to: ".w.json")
        return ".w.json"
    }

    /// The file, its bytes, the name that `doctor` gives it, the place, and words of the fault.
    private static let broken: [(file: String, bytes: [UInt8], name: String, place: String, words: String)] = [
        (
            "settings.yaml", Array("slots: {local: 2}\nMode: auto\n".utf8), "settings", "settings.yaml:2:",
            "Did you mean \"mode\"?"
        ),
        ("settings.yaml", Array("mode: loose\n".utf8), "settings", "settings.yaml:1:", "always-ask, adaptive, auto"),
        ("settings.yaml", Array("mode: auto\n".utf8) + latin, "settings", "settings.yaml:2:", "0xE7"),
        ("settings.yaml", [0xFF, 0xFE, 0x61, 0], "settings", "settings.yaml:1:", "UTF-16"),
        (
            "connections.yaml", Array("default: w\nconection: {}\n".utf8), "connections", "connections.yaml:2:",
            "Did you mean \"connections\"?"
        ),
        (
            "connections.yaml", Array("connections:\n  w: {model: m, ulr: x}\n".utf8), "connections",
            "connections.yaml:2:",
            "Did you mean \"url\"?"
        ),
        ("connections.yaml", Array("default: built-in\n".utf8) + latin, "connections", "connections.yaml:2:", "0xE7"),
        (
            "settings.yaml", Array("slots: {local: 2}\n# a\u{B}mode: auto\n".utf8), "settings", "settings.yaml:2:",
            "U+000B"
        ),
        (
            "settings.yaml", Array("slots: {local: 2}\n# a\u{C}mode: auto\n".utf8), "settings", "settings.yaml:2:",
            "U+000C"
        ),
        ("settings.yaml", Array("slots: {local: 2}\n# a\rmode: auto\n".utf8), "settings", "settings.yaml:2:", "U+000D"),
        (
            "settings.yaml", Array("mode: auto\n# a\n\"mode\": adaptive\n".utf8), "settings", "settings.yaml:3:",
            "first time in line 1"
        ),
        (
            "settings.yaml", Array("slots:\n  local: 2\n  remote: 2\n  local : 3\n".utf8), "settings",
            "settings.yaml:4:",
            "first time in line 2"
        ),
        (
            "settings.yaml", Array("mode: auto\nslots: {local: 2, local: 3}\n".utf8), "settings", "settings.yaml:2:",
            "\"local\" is there twice"
        ),
        (
            "connections.yaml", Array("default: w\n# a\rdefault: v\n".utf8), "connections", "connections.yaml:2:",
            "U+000D"
        ),
        (
            "models.yaml", Array("models: assent.models/v1\n# a\rprofiles: {}\n".utf8), "models", "models.yaml:2:",
            "U+000D"
        ),
        (
            "connections.yaml", Array("default: nobody\n".utf8), "connections", "connections.yaml:1:",
            "names no connection"
        ),
        ("hosts.json", [], "hosts", "hosts.json:1:", ""),
        (
            "hosts.json", Array("{\"v\":1,\n\"hosts\":[\n{\"host\":\"x\",\"use\":\"model\",\"at\":1}]}".utf8), "hosts",
            "hosts.json:3:",
            "\"host\" must be"
        ),
        (
            "hosts.json",
            Array(
                "{\"v\":1,\"hosts\":[\n{\"host\":\"https://a.example.com:443\",\"uze\":\"model\",\"use\":\"model\",\"at\":1}]}"
                    .utf8),
            "hosts", "hosts.json:2:", "Did you mean \"use\"?"
        ),
        ("hosts.json", Array("{\"v\":1,\n\"hosts\":[],\n}".utf8), "hosts", "hosts.json:3:", ""),
        ("hosts.json", Array("{\"v\":1}\n".utf8) + [0xC3], "hosts", "hosts.json:2:", "0xC3"),
        (
            "models.yaml", Array("models: assent.models/v1\nprofiles:\n  mine: {titel: x}\n".utf8), "models",
            "models.yaml:3:",
            "Did you mean \"title\"?"
        ),
        ("models.yaml", Array("models: assent.models/v1\n".utf8) + latin, "models", "models.yaml:2:", "0xE7"),
        ("models.yaml", Array("models: [\n".utf8), "models", "models.yaml:", ""),
    ]

    /// Files whose fault switches off a part of Assent, and the exit code of a command that writes a file.
    private static let partly: [(file: String, bytes: [UInt8], name: String, words: [String], exit: Int32)] = [
        ("tools/mine.yaml", Array("kind: Mine\n".utf8) + latin, "manifest", ["/config/tools/mine.yaml:2:", "0xE7"], 0),
        ("tools/mine.yaml", [0xFF, 0xFE, 0x61, 0], "manifest", ["/config/tools/mine.yaml:1:", "UTF-16"], 0),
        (
            "tools/mine.yaml", Array("tool: assent.tool/v1\nkind: Mine\ntitel: x\n".utf8), "manifest",
            ["/config/tools/mine.yaml:3:", "Did you mean \"title\"?"], 0
        ),
        ("providers/mine.yaml", latin, "manifest", ["/config/providers/mine.yaml:1:", "0xE7"], 0),
        (
            "settings.yaml", Array("providers:\n  generik: {}\n".utf8), "manifest",
            ["/config/settings.yaml:2:", "Did you mean \"generic\"?"], 0
        ),
        (
            "templates/mine.json", Array("{\n\"schema\": 1,,}".utf8), "template",
            ["/config/templates/mine.json", "line 2"], 0
        ),
        ("templates/mine.json", latin, "template", ["/config/templates/mine.json:1:", "0xE7"], 0),
        ("policy.yaml", latin, "policy", ["/config/policy.yaml:1:", "0xE7"], 4),
        ("policy.yaml", [], "policy", ["/config/policy.yaml", "empty"], 4),
        (
            "policy.yaml",
            Array("policy: assent.policy/v1\nrules:\n  - {tool: Shell, decide: deny, reason: no, hots: x}\n".utf8),
            "policy",
            ["/config/policy.yaml:3:", "Did you mean \"host\"?"], 4
        ),
        (
            "policy.yaml", Array("# mine\nhello\n".utf8), "policy",
            ["/config/policy.yaml:2:", "found text", "(badPolicy)"], 4
        ),
        (
            "policy.yaml", Array("# mine\npolicy: assent.policy/v9\nrules: []\n".utf8), "policy",
            ["/config/policy.yaml:2:", "v9"], 4
        ),
        (
            "policy.yaml", Array("policy: assent.policy/v1\nrules: []\n# deny\rx: y\n".utf8), "policy",
            ["/config/policy.yaml:3:", "U+000D"], 4
        ),
        (
            "policy.yaml", Array("policy: assent.policy/v1\nrules: []\n---\nrules: []\n".utf8), "policy",
            ["/config/policy.yaml:4:", "Only one document"], 4
        ),
        (
            "tools/mine.yaml", Array("tool: assent.tool/v1\n# a\rkind: Mine\n".utf8), "manifest",
            ["/config/tools/mine.yaml:2:", "U+000D"], 0
        ),
        (
            "providers/mine.yaml", Array("id: mine\n# a\u{2028}b: c\n".utf8), "manifest",
            ["/config/providers/mine.yaml:2:", "U+2028"], 0
        ),
        ("prompts/planner.md", latin, "prompt", ["/config/prompts/planner.md:1:", "0xE7"], 2),
    ]

    @Test func whatIsPartlyWrongSwitchesOffItsPart() async throws {
        var faults: [String] = []
        for row in Self.partly {
            let lab = try lab([row.file: row.bytes])
            let examined = try await lab.run("doctor", "--json")
            let found = examined.lines.filter { $0["name"]?.string == row.name && $0["ok"] == false }.compactMap {
                $0["words"]?.string
            }
            // The code stands once, at the end.
            let isSeen = found.contains { words in
                row.words.allSatisfy { words.contains($0) } && !words.contains(") (")
            }
            if examined.exit != 1 || !isSeen { faults.append("\(row.words): doctor \(examined.exit), \(found)") }
            let ending = try await lab.run("ask", "save t.txt as x.txt", "--mode", "auto")
            if ending.exit != row.exit || lab.exists("x.txt") != (row.exit == 0) {
                faults.append("\(row.words): ask \(ending.exit), \(ending.output)\(ending.errors)")
            }
            let reading = try await lab.run("ask", "read t.txt")
            if reading.exit != (row.exit == 2 ? 2 : 0) {
                faults.append("\(row.words): read \(reading.exit), \(reading.errors)")
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }

    @Test func whatIsWrongIsRefusedAndSeenByDoctor() async throws {
        var faults: [String] = []
        for row in Self.broken {
            let lab = try lab([row.file: row.bytes])
            let examined = try await lab.run("doctor", "--json")
            let found = examined.lines.filter { $0["name"]?.string == row.name && $0["ok"] == false }
            let isSeen = found.contains { finding in
                let words = finding["words"]?.string ?? ""
                return words.contains("/config/\(row.place)") && words.contains(row.words)
            }
            if examined.exit != 1 || !isSeen {
                faults.append("\(row.place) \(row.words): doctor \(examined.exit), \(found)")
            }
            let refused = try await lab.run("ask", "save t.txt as x.txt", "--mode", "auto")
            if refused.exit != 2 || lab.exists("x.txt") || !words(refused).contains("/config/\(row.place)") {
                faults.append("\(row.place) \(row.words): ask \(refused.exit), \(refused.errors)")
            }
            if try await lab.run("list").exit != 0 { faults.append("\(row.place) \(row.words): list is refused") }
            if ScratchFolder.bytes("\(lab.home)/config/\(row.file)") != row.bytes {
                faults.append("\(row.place): the file has changed")
            }
        }
        #expect(faults.isEmpty, "\(faults.joined(separator: "\n"))")
    }
}

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Connections, `--model`, `/model` and `assent model`, with scripted models.
@Suite(.process) struct ModelConnectionTests {
    private let server: ScriptedServer
    private let other: ScriptedServer
    private let lab: ProgramLab

    private static let workKey = "sk-" + "work-0123456789abcdef"
    private static let otherKey = "sk-" + "other-0123456789abcdef"

    init() throws {
        server = try ScriptedServer { _ in .stream(SSE.text("Hello", " from work.")) }
        other = try ScriptedServer { _ in .stream(SSE.text("Hello", " from the other.")) }
        lab = try ProgramLab(environment: ["WORK_KEY": Self.workKey, "ASSENT_API_KEY": Self.otherKey])
        try config(
            """
            # mine
            default: work
            connections:
              work: {url: "\(server.url)/v1", model: w-1, key: WORK_KEY}
              other:
                url: \(other.url)/v1
                model: o-1
            """)
    }

    private var path: String { "\(lab.home)/config/connections.yaml" }

    private func config(_ text: String, as name: String = "connections.yaml") throws {
        if !ScratchFolder.exists("\(lab.home)/config") { #expect(makeFolder("\(lab.home)/config")) }
        try ScratchFolder.write(text, to: "\(lab.home)/config/\(name)")
        chmod("\(lab.home)/config/\(name)", 0o600)
    }

    private func finding(_ name: String) async throws -> [JSON] {
        try await lab.run("doctor", "--json").lines.filter { $0["name"]?.string == name }
    }

    @Test func theDefaultIsAskedWithItsKey() async throws {
        let ending = try await lab.run("ask", "hello", "--json")
        expectEvents(ending, exit: 0)
        #expect(server.requests.count == 1 && other.requests.isEmpty)
        #expect(server.requests.first?.headers["authorization"] == "Bearer \(Self.workKey)")
        #expect(server.requests.first?.json?["model"]?.string == "w-1")
        #expect(ending.lines(of: "session.started").first?["model"]?.string?.hasPrefix("w-1 at 127.0.0.1") == true)
        #expect(!ending.output.contains(Self.workKey))
    }

    @Test(arguments: [("other", "o-1"), ("other/o-2", "o-2")]) func aModelThatIsNamedIsAskedWithoutTheKeysOfOthers(
        word: String, model: String
    ) async throws {
        expectEvents(try await lab.run("ask", "hello", "--model", word, "--json"), exit: 0)
        #expect(server.requests.isEmpty && other.requests.first?.json?["model"]?.string == model)
        #expect(other.requests.count == 1 && other.requests[0].headers["authorization"] == nil)
    }

    @Test func aModelOfTheDefaultIsAskedThere() async throws {
        expectEvents(try await lab.run("ask", "hello", "--model", "w-2", "--json"), exit: 0)
        #expect(server.requests.first?.json?["model"]?.string == "w-2")
        #expect(server.requests.first?.headers["authorization"] == "Bearer \(Self.workKey)")
    }

    @Test func theEnvironmentComesBeforeConnectionsAndHasAKeyOfItsOwn() async throws {
        let environment = ["ASSENT_MODEL_URL": other.url + "/v1", "ASSENT_MODEL": "e-1"]
        expectEvents(try await lab.run(["ask", "hello", "--json"], environment: environment), exit: 0)
        #expect(other.requests.first?.headers["authorization"] == "Bearer \(Self.otherKey)" && server.requests.isEmpty)
        expectEvents(
            try await lab.run(["ask", "hello", "--model", "work", "--json"], environment: environment), exit: 0)
        #expect(server.requests.first?.headers["authorization"] == "Bearer \(Self.workKey)")
    }

    @Test func aKeyInAFileIsFoundAndOneThatIsMissingIsSaid() async throws {
        try config("connections: {far: {url: \"https://models.example.com/v1\", model: m, key: FAR_KEY}}")
        #expect(try await lab.run("hosts", "allow", "models.example.com").exit == 0)
        let refusing = try ScriptedRefusingPort()
        let environment = ["https_proxy": "http://127.0.0.1:\(refusing.port)"]
        let missing = try await lab.run(
            ["ask", "hello", "--json"], environment: environment.merging(["ASSENT_API_KEY": ""]) { $1 })
        expectEvents(missing, exit: 1)
        let error = try #require(missing.lines(of: "error").first)
        #expect(error["code"] == "keyMissing" && error["message"]?.string?.contains("FAR_KEY") == true, "\(error.text)")
        #expect(makeFolder("\(lab.home)/config/keys"))
        try config(Self.workKey + "\n", as: "keys/FAR_KEY")
        // Now it would be sent: there is only nobody there.
        expectEvents(try await lab.run(["ask", "hello", "--json"], environment: environment), exit: 5)
    }

    @Test func aWordThatNamesNothingIsRefusedBeforeAnythingBegins() async throws {
        try config("")
        for arguments in [
            ["ask", "hello", "--model", "wrok"], ["model", "wrok"], ["ask", "hello", "--model", "nobody/m"],
        ] {
            let ending = try await lab.run(arguments + ["--json"])
            #expect(
                ending.exit == 2 && ending.lines(of: "error").first?["code"] == "unknownConnection", "\(ending.output)")
        }
        #expect(try await lab.json("history").isEmpty && ScratchFolder.text(path) == "")
    }

    // MARK: assent model

    @Test func theDefaultIsChangedInItsLineAndInNoOther() async throws {
        let before = try #require(ScratchFolder.text(path))
        let listed = try await lab.json("model", "list")
        #expect(
            listed.first { $0["connection"] == "work" }?["default"] == true
                && listed.first { $0["connection"] == "other" }?["used"] == false)
        #expect(listed.contains { $0["profile"] == "anthropic" && $0["key"] == "ANTHROPIC_API_KEY" })
        #expect(listed.first { $0["now"] != nil }?["reason"] == "the default of connections.yaml")
        #expect(try await lab.run("model", "other").exit == 0)
        #expect(ScratchFolder.text(path) == before.replacing("default: work", with: "default: other"))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        _ = try await lab.run("ask", "hello")
        #expect(other.requests.count == 1 && server.requests.isEmpty)
        #expect(try await lab.run("model", "built-in").exit == 0)
        #expect(try await lab.json("model").first { $0["now"] != nil }?["now"] == .null)
    }

    /// What a program cannot change without breaking it, it leaves alone.
    @Test func aFileInBracesIsLeftToThePerson() async throws {
        let text =
            "{connections: {a: {url: \"http://127.0.0.1:9/v1\", model: m}, b: {url: \"http://127.0.0.1:9/v1\", model: m}}}\n"
        try config(text)
        let ending = try await lab.run("model", "a", "--json")
        #expect(
            ending.exit == 2 && ending.lines(of: "error").first?["remedy"]?.string?.contains("default: a") == true,
            "\(ending.output)")
        #expect(ScratchFolder.text(path) == text)
    }

    // MARK: The chat

    @Test func aSessionChangesItsModelFromTheNextRequestOn() async throws {
        let pty = try lab.terminal()
        #expect(await pty.see("w-1 at 127.0.0.1"), "\(pty.screen.text)")
        pty.send("hello\r")
        #expect(await pty.see("Hello from work."), "\(pty.screen.text)")
        pty.send("/model other\r")
        #expect(await pty.see("From the next request on: o-1"), "\(pty.screen.text)")
        pty.send("again\r")
        #expect(await pty.see("Hello from the other."), "\(pty.screen.text)")
        #expect(server.requests.count == 1 && other.requests.count == 1)
        // The other is told what was said, and none of the first one's key.
        #expect(other.requests.first?.text.contains("Hello from work.") == true)
        #expect(other.requests.first?.headers.contains { $0.value.contains(Self.workKey) } == false)
        pty.send("/model wrok/x/y\r")
        pty.send("/model\r")
        #expect(await pty.seeQuestion("which model is asked from now on"), "\(pty.screen.text)")
        pty.send("7\r")
        #expect(await pty.seeQuestion("Numbers go from 1 to 3."), "\(pty.screen.text)")
        pty.send("1\r")
        #expect(await pty.see("From the next request on: w-1"), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        #expect(
            try await lab.json("model").first { $0["now"] != nil }?["now"]?.string?.hasPrefix("w-1") == true,
            "only that session")
    }

    @Test func aChatBeginsWithTheModelOfItsOption() async throws {
        let ending = try await lab.run(["--model", "other"], input: "hello\n/model work\nhello\n")
        #expect(ending.exit == 0 && ending.output.contains("o-1 at 127.0.0.1"), "\(ending.output)")
        #expect(other.requests.count == 1 && server.requests.count == 1, "/model comes later than --model, and counts")
    }

    // MARK: doctor

    @Test func doctorSaysWhatIsUsedAndWhy() async throws {
        #expect(
            try await finding("model").first?["words"]?.string?.contains(
                "w-1 (work) at \(server.url)/v1 · the default of connections.yaml")
                == true)
        let ending = try await lab.run(["doctor", "--json"], environment: ["ASSENT_MODEL_URL": other.url + "/v1"])
        let words = ending.lines.first { $0["name"] == "model" }?["words"]?.string
        #expect(words?.contains("by ASSENT_MODEL_URL") == true, "\(words ?? "")")
    }

    @Test func doctorSaysThatTheOldWayIsOldAndWhatToWrite() async throws {
        try config("model: {url: \"\(other.url)/v1\", name: old-1, key_variable: OLD_KEY}", as: "settings.yaml")
        #expect(
            try await finding("old settings").first?["words"]?.string?.contains("model: \"old-1\", key: OLD_KEY")
                == true)
        unlink(path)
        let model = try await finding("model").first
        #expect(model?["words"]?.string?.contains("model: of settings.yaml") == true && model?["ok"] == true)
        let environment = ["OLD_KEY": Self.workKey]
        expectEvents(try await lab.run(["ask", "hello", "--json"], environment: environment), exit: 0)
        #expect(other.requests.last?.headers["authorization"] == "Bearer \(Self.workKey)")
    }

    @Test(arguments: [
        (
            "connections.yaml", "connections: {a: {url: \"http://127.0.0.1:9/v1\", model: m, keys: X}}", "connections",
            "connections.yaml:1"
        ),
        (
            "connections.yaml", "connections:\n  a: {url: \"http://127.0.0.1:9/v1\", model: m,\n    key: \(workKey)}",
            "connections",
            "connections.yaml:3"
        ),
        ("models.yaml", "models: assent.models/v1\nprofiles:\n  openai: {effrt: low}", "models", "models.yaml:3"),
        ("models.yaml", "models: [", "models", "models.yaml"),
    ])
    func doctorFindsFaultsOfTheFiles(file: String, text: String, name: String, place: String) async throws {
        try config(text, as: file)
        let ending = try await lab.run("doctor", "--json")
        let found = ending.lines.filter { $0["name"]?.string == name }
        #expect(ending.exit == 1 && found.count == 1, "\(ending.output)")
        #expect(found.first?["ok"] == false && found.first?["words"]?.string?.contains(place) == true, "\(found)")
        #expect(!ending.output.contains(Self.workKey), "\(ending.output)")
        let examined = server.requests.count
        let refused = try await lab.run("ask", "hello", "--json")
        #expect(
            refused.exit == 2 && refused.lines(of: "error").first?["code"] == "badSettings"
                && server.requests.count == examined)
        #expect(
            refused.lines(of: "error").first?["message"]?.string?.contains(place) == true
                && !refused.output.contains(Self.workKey))
    }

    @Test func aFileThatOthersCanWriteIsNotBelieved() async throws {
        chmod(path, 0o666)
        let ending = try await lab.run("ask", "hello", "--json")
        #expect(
            ending.exit == 2
                && ending.lines(of: "error").first?["message"]?.string?.contains("others can write") == true,
            "\(ending.output)")
        #expect(server.requests.isEmpty)
        #expect(try await lab.run("model", "other").exit == 2)
    }
}

import CaseNames
import Harness
import JSON
import Testing

/// What is said of an address at which no model can be connected.
@Suite(.process) struct ConnectFaultTests {
    /// How it ended, with the code and the words of its one error.
    private func connect(_ arguments: String...) async throws -> (exit: Int32?, code: String, words: String) {
        let lab = try ProgramLab()
        let ending = try await lab.run(["connect"] + arguments + ["--json"])
        let error = ending.lines.first { $0["type"] == "error" }
        #expect(!ScratchFolder.exists("\(lab.home)/config/connections.yaml"))
        return (ending.exit, error?["code"]?.string ?? "", ending.output + ending.errors)
    }

    @Test(arguments: [
        ("<html>hello</html>", 1 as Int32, "modelWrongDialect", "web page"),
        ("", 1, "modelEmpty", "nothing at all"),
        ("It works!", 1, "modelWrongDialect", "It works!"),
        (#"{"data":[]}"#, 2, "badUsage", "names no models"),
    ])
    func whatIsNoListOfModelsIsCalledWhatItIs(body: String, exit: Int32, code: String, words: String) async throws {
        let server = try ScriptedServer { _ in .text(body) }
        for address in [server.url, server.url + "/v1"] {
            let ending = try await connect(address)
            #expect(ending.exit == exit && ending.code == code && ending.words.contains(words), "\(ending)")
        }
    }

    @Test(arguments: [
        ("http://u:hidden@127.0.0.1:8080/v1", "a name or a password"), ("127.0.0.1:8080/v1", "lacks its"),
        ("http://127.0.0.1:99999", "65535"), ("http:///v1", "no host"), ("unix:/run/llm.sock", "unix:"),
    ])
    func eachFaultOfAnAddressIsNamed(address: String, words: String) async throws {
        let ending = try await connect(address, "--model", "m")
        #expect(ending.exit == 2 && ending.code == "badAddress" && ending.words.contains(words), "\(ending)")
        #expect(!ending.words.contains("hidden"))
    }

    @Test func aRedirectIsTheFaultOfTheSettingsAndWhiteSpaceIsNone() async throws {
        let server = try ScriptedServer { _ in .redirect(to: "https://other.example.com/v1", status: 301) }
        let ending = try await connect(" \(server.url)/v1 ", "--model", "m")
        #expect(
            ending.exit == 1 && ending.code == "modelMoved" && ending.words.contains("https://other.example.com/v1"),
            "\(ending)")
    }

    /// Servers refuse a list without a key with any number: litellm without a database says 500. Asked for is the key,
    /// once.
    @Test(arguments: [400, 402, 403, 429, 500, 503]) func aListThatIsRefusedWithoutAKeyAsksForTheKey(status: Int)
        async throws
    {
        let server = try ScriptedServer { request in
            guard request.headers["authorization"] == "Bearer sk-0123456789abcdef" else {
                return .json(["error": ["message": "No module named prisma"]], status: status)
            }
            return request.path.hasSuffix("/models")
                ? .json(["data": [["id": "m"]]]) : .stream(SSE.call("report", ["ok": true]))
        }
        let lab = try ProgramLab()
        let pty = try lab.terminal()
        #expect(await pty.see("›"))
        pty.send("/connect \(server.url)/v1\r")
        #expect(await pty.see("^T shows it"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("no key was sent"), "\(pty.screen.text)")
        pty.send("\u{1B}[200~sk-0123456789abcdef\u{1B}[201~")
        #expect(await pty.see("••••"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see("where is the key kept"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("sk-0123456789abcdef"))
        pty.send("/quit\r")
    }

    /// With a key that was sent, and without anybody to ask, such a refusal is what it was.
    @Test(arguments: [(500, "modelOverloaded"), (429, "modelRateLimited")])
    func aScriptIsToldTheRefusalItself(status: Int, code: String) async throws {
        let server = try ScriptedServer { _ in .json(["error": ["message": "busy"]], status: status) }
        #expect(try await connect(server.url + "/v1").code == code)
    }

    @Test func aLongListIsCountedAsFarAsItIsRead() async throws {
        let server = try ScriptedServer { _ in .json(["data": .array((0..<2_100).map { ["id": .string("m-\($0)")] })]) }
        #expect(try await connect(server.url + "/v1").words.contains("more than 2000 models"))
    }
}

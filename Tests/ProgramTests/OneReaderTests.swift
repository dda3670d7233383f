import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// One object reads the terminal of a process (`architecture.md`, "Invariant 10. Text from outside is hostile"): a key
/// that is typed reaches its question whole, and is never shown.
@Suite(.process) struct OneReaderTests {
    private static let key = "sk-" + "typed-0123456789abcdef"

    private static func server() throws -> ScriptedServer {
        try ScriptedServer { request in
            guard request.headers["authorization"] == "Bearer \(key)" else {
                return .json(["error": ["message": "Incorrect API key provided"]], status: 401)
            }
            guard !request.path.hasSuffix("/models") else {
                return .json(["data": [["id": "m-large"], ["id": "m-small"], ["id": "m-tiny"]]])
            }
            let names = request.json?["tools"]?.array?.compactMap { $0["function"]?["name"]?.string } ?? []
            return .stream(names == ["report"] ? SSE.call("report", ["ok": true]) : SSE.text("Hello."))
        }
    }

    enum Place: String, CaseIterable { case shell, plainShell, chat, plainChat }
    enum Way: String, CaseIterable { case slowly, atOnce, early }

    @Test(arguments: Place.allCases, Way.allCases) func aKeyReachesItsQuestionWhole(place: Place, way: Way) async throws
    {
        let (server, lab) = (try Self.server(), try ProgramLab())
        let isPlain = place == .plainShell || place == .plainChat
        let isChat = place == .chat || place == .plainChat
        let flags = isPlain ? ["--plain"] : []
        let pty = try lab.terminal((isChat ? [] : ["connect", "\(server.url)/v1"]) + flags)
        if isChat {
            #expect(await pty.see("›"))
            pty.send("/connect \(server.url)/v1\r")
        }
        if way == .early {
            // Without an echo from here on, and the question is on its way.
            #expect(try await eventually { pty.settings.last.map { $0 & UInt32(ECHO) == 0 } ?? false })
            if isChat { #expect(await pty.see("/connect \(server.url)/v1")) }
            for character in Self.key { pty.send(String(character)) }
        }
        #expect(await pty.see("type it and Enter"), "\(pty.screen.text)")
        if way == .early {
            // So that what is typed now is told from what was typed then.
            try await Task.sleep(for: .milliseconds(400))
            pty.send("\u{15}")
        }
        if way == .slowly {
            for character in Self.key {
                pty.send(String(character))
                try await Task.sleep(for: .milliseconds(10))
            }
        } else {
            pty.send(Self.key)
        }
        pty.send("\r")
        #expect(await pty.see("m-tiny"), "\(pty.screen.text)")
        #expect(await pty.seeQuestion("which model"), "\(pty.screen.text)")
        pty.send("m-small\r")
        #expect(await pty.seeQuestion("where is the key kept"), "\(pty.screen.text)")
        pty.send("f\r")
        #expect(await pty.see("it calls tools"), "\(pty.screen.text)")
        if isChat {
            // What is typed until the line is read again is dropped with what may be left of the key.
            if isPlain {
                #expect(try await eventually { pty.settings.last.map { $0 & UInt32(ECHO) != 0 } ?? false })
            } else {
                #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
            }
            pty.send("/quit\r")
        }
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(!pty.output.contains("typed-") && !pty.output.contains("0123456"), "\(pty.screen.text)")
        let kept = ScratchFolder.names(in: "\(lab.home)/config/keys").map {
            ScratchFolder.text("\(lab.home)/config/keys/\($0)")
        }
        #expect(kept == [Self.key + "\n"])
        #expect(ScratchFolder.text("\(lab.home)/config/connections.yaml")?.contains("m-small") == true)
    }

    /// The output is a pipe, or JSON: the terminal is read by what asks, and by nothing else.
    @Test(arguments: ["--json", "| cat"]) func thePersonIsAskedAtTheirTerminal(how: String) async throws {
        let (server, lab) = (try Self.server(), try ProgramLab())
        let pty = try Pty.spawn(
            "/bin/sh", ["-c", "\"$0\" connect \(server.url)/v1 --model m-small \(how)", ProgramLab.program],
            environment: lab.environment, folder: lab.folder, columns: 100, rows: 30, owner: lab)
        #expect(await pty.see("type it and Enter"), "\(pty.screen.text)")
        for character in Self.key {
            pty.send(String(character))
            try await Task.sleep(for: .milliseconds(10))
        }
        pty.send("\r")
        #expect(await pty.seeQuestion("where is the key kept"), "\(pty.screen.text)")
        pty.send("f\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(!pty.output.contains("typed-"), "\(pty.screen.text)")
    }

    /// The key is in a pipe while the output is a terminal: no screen takes it away.
    @Test func aKeyInAPipeIsReadByTheCommand() async throws {
        let (server, lab) = (try Self.server(), try ProgramLab())
        let pty = try Pty.spawn(
            "/bin/sh",
            [
                "-c", "echo \(Self.key) | \"$0\" connect \(server.url)/v1 --model m-small --key-stdin",
                ProgramLab.program,
            ],
            environment: lab.environment, folder: lab.folder, columns: 100, rows: 30, owner: lab)
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.screen.text.contains("it calls tools"), "\(pty.screen.text)")
        // Typed there, the terminal would show it.
        let typed = try lab.terminal(["connect", "\(server.url)/v1", "--key-stdin"])
        #expect(await typed.exitStatus() == 2, "\(typed.screen.text)")
        #expect(typed.screen.text.contains("Leave --key-stdin out"), "\(typed.screen.text)")
    }
}

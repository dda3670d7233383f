import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A command with hosts or paths is asked for before it runs; what it changes is judged as that of any other.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct CommandNetworkProgramTests {
    private func lab(_ command: String, _ server: ScriptedServer, reads: String? = nil) throws -> ProgramLab {
        let lab = try ProgramLab(isInMemory: Rehearsals.isInMemory)
        try lab.write("buy milk\n", to: "notes.txt")
        let params: JSON = .of([
            "command": .string(command),
            "network": reads == nil ? [.string("127.0.0.1:\(server.port)")] : nil, "reads": reads.map { [.string($0)] },
        ])
        try lab.write(workflow("command", [node("run", "Shell", params)]), to: ".command.json")
        return lab
    }

    private func server() throws -> ScriptedServer { try ScriptedServer { _ in .text("bread\n") } }

    /// The call that says yes to an entry of the inbox.
    private func approval(_ number: Int, _ lab: ProgramLab) async throws -> [String] {
        let question = try #require(try await lab.json("inbox").first { $0["number"]?.int == number })
        return ["approve", "\(number)", "--digest", try #require(question["digest"]?.string)]
    }

    @Test(arguments: ["always-ask", "adaptive", "auto"], ["deny", "fail", "park"]) func headlessItIsNotRunUnasked(
        mode: String, onAsk: String
    ) async throws {
        let server = try server()
        let lab = try lab("curl -sS \(server.url)/", server)
        let ending = try await lab.run("run", ".command.json", "--mode", mode, "--on-ask", onAsk)
        #expect(ending.exit == ["deny": 4, "fail": 1, "park": 3][onAsk], "\(ending.said)")
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: ["adaptive", "auto"]) func pathsAskToo(mode: String) async throws {
        let server = try server()
        let lab = try lab("cat other.txt", server, reads: "~")
        #expect(try await lab.run("run", ".command.json", "--mode", mode, "--on-ask", "deny").exit == 4)
    }

    /// One yes is for the hosts, another for what is changed; the command runs once.
    @Test func aYesLetsItSpeakAndItsChangesAreAskedForAgain() async throws {
        let server = try server()
        let lab = try lab("curl -sS \(server.url)/ >> notes.txt; cat notes.txt", server)
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        #expect(try await lab.json("inbox").first?["title"]?.string == "rehearse a command that speaks to 127.0.0.1")
        #expect(server.requests.isEmpty)
        #expect(try await lab.run(approval(1, lab)).exit == 3)
        #expect(server.requests.count == 1 && lab.text("notes.txt") == "buy milk\n")
        #expect(try await lab.json("inbox").first?["title"]?.string == "overwrite a file")
        #expect(try await lab.run(approval(2, lab)).exit == 0)
        #expect(server.requests.count == 1 && lab.text("notes.txt") == "buy milk\nbread\n")
    }

    @Test func inAutoItsChangesAreNotAskedForAgain() async throws {
        let server = try server()
        let lab = try lab("curl -sS \(server.url)/ > notes.txt", server)
        #expect(try await lab.run("run", ".command.json", "--mode", "auto", "--on-ask", "park").exit == 3)
        #expect(try await lab.run(approval(1, lab)).exit == 0)
        #expect(server.requests.count == 1 && lab.text("notes.txt") == "bread\n")
    }

    /// A command that ends with 0 all the same says which hosts it was not let to.
    @Test func aHostThatIsNotNamedIsToldThoughItEndsWell() async throws {
        let lab = try lab("curl -s http://other.example/ > page.html; true", try server())
        #expect(try await lab.run("run", ".command.json", "--mode", "auto", "--on-ask", "park").exit == 3)
        let ending = try await lab.run(approval(1, lab))
        #expect(ending.exit == 0, "\(ending.said)")
        let shown = try await lab.run("show", "w1", "--json")
        #expect(shown.output.contains("other.example:80 is not among the hosts"), "\(shown.output)\(shown.errors)")
    }

    /// What it sent is sent: whoever goes on after a crash asks, and does not send it again.
    @Test func oneThatWasCutIsAskedForAgain() async throws {
        let server = try server()
        let lab = try lab("curl -sS \(server.url)/; sleep 3600", server)
        #expect(try await lab.run("run", ".command.json", "--mode", "auto", "--on-ask", "park").exit == 3)
        let process = try lab.start(try await approval(1, lab))
        #expect(try await eventually { server.requests.count == 1 })
        kill(process.pid, SIGKILL)
        _ = try await onOwnThread { process.wait() }
        #expect(try await lab.run("work", "--until-idle").exit == 3)
        #expect(server.requests.count == 1)
        let question = try #require(try await lab.json("inbox").first)
        #expect(
            question["number"]?.int == 2 && question["title"]?.string == "rehearse a command that speaks to 127.0.0.1",
            "\(question)")
    }

    @Test func aNoSendsNothing() async throws {
        let server = try server()
        let lab = try lab("curl -sS \(server.url)/", server)
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        try await lab.succeeds("reject", "1", "not there")
        #expect(try await lab.run("work", "--until-idle").exit == 4)
        #expect(server.requests.isEmpty)
    }

    /// At a terminal, in the loosest mode, with a key.
    @Test func theQuestionShowsTheHostsBeforeAnythingIsSent() async throws {
        let server = try server()
        let lab = try lab("curl -sS \(server.url)/ > bread.txt", server)
        let pty = try lab.terminal(["run", ".command.json", "--mode", "auto"], rows: 40)
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        let screen = pty.screen.text
        #expect(
            screen.contains("rehearse a command that speaks to 127.0.0.1")
                && screen.contains("127.0.0.1:\(server.port)"), "\(screen)")
        #expect(screen.contains("cannot be judged afterwards") && server.requests.isEmpty, "\(screen)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(lab.text("bread.txt") == "bread\n" && server.requests.count == 1)
    }
}

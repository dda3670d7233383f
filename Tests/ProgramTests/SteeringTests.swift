import CaseNames
import Glibc
import Harness
import JSON
import Synchronization
import Testing
import Vocabulary

/// Steering a turn of a model in the chat: lines that go into it, and Ctrl-C at a command.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct SteeringTests {
    /// A chat in which a model runs a command that waits until the file `flag` says `go`.
    private struct Scene {
        let lab: ProgramLab
        let server: ScriptedServer
        let pty: Pty

        static let command = "echo begun; until grep -q go flag; do sleep 0.05; done; echo > late.txt"

        init(_ options: [String] = [], then answers: [ScriptAnswer] = [.stream(SSE.text("I see."))]) async throws {
            server = try ScriptedServer([.stream(SSE.call("run", ["command": .string(Self.command)]))] + answers)
            lab = try ProgramLab(environment: ModelTests.environment(server))
            try lab.write("no\n", to: "flag")
            pty = try lab.terminal(["--mode", "auto"] + options)
            #expect(await pty.see("›"))
            pty.send("do it\r")
            let id = options.isEmpty ? "┆ begun" : "Shell rehearsing"
            #expect(await pty.see(id), "\(pty.screen.text)")
        }

        /// The content of the last message with a role in the newest request.
        func last(_ role: String) -> String {
            let messages = server.requests.last?.json?["messages"]?.array ?? []
            return messages.last { $0["role"]?.string == role }?["content"]?.string ?? ""
        }

        var roles: [String] {
            (server.requests.last?.json?["messages"]?.array ?? []).compactMap { $0["role"]?.string }
        }

        /// Lets the command go on. The file stays the same one, since the command does not see another file in its place.
        func letGo() throws {
            let file = open(lab.path("flag"), O_WRONLY | O_APPEND)
            try #require(file >= 0 && Glibc.write(file, "go\n", 3) == 3)
            close(file)
        }

        func leave() async {
            pty.send("\u{4}")
            #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        }
    }

    private static let question = "? c ends “"
    /// The row below an open question.
    private static let keys = "press c t /"

    /// `c` and a second Ctrl-C end the command, and the model hears of it in the same turn.
    @Test(arguments: [("c", []), ("\u{3}", []), ("\u{3}", ["--plain"])] as [(String, [String])])
    func ctrlCTwiceEndsTheCommandAndTheTurnGoesOn(key: String, options: [String]) async throws {
        let scene = try await Scene(options)
        scene.pty.send("\u{3}")
        #expect(await scene.pty.see(Self.question), "\(scene.pty.screen.text)")
        #expect(scene.pty.screen.text.contains("(w1, "), "\(scene.pty.screen.text)")
        scene.pty.send(key)
        #expect(await scene.pty.see("I see."), "\(scene.pty.screen.text)")
        #expect(scene.last("tool").hasPrefix("w1 was cancelled by the person."), "\(scene.last("tool"))")
        #expect(scene.server.requests.count == 2 && !scene.lab.exists("late.txt"))
        await scene.leave()
    }

    @Test func escLetsTheCommandRun() async throws {
        let scene = try await Scene()
        scene.pty.send("\u{3}")
        #expect(await scene.pty.see(Self.question), "\(scene.pty.screen.text)")
        scene.pty.send("\u{1B}")
        #expect(await scene.pty.see { !$0.text.contains(Self.keys) }, "\(scene.pty.screen.text)")
        try scene.letGo()
        #expect(await scene.pty.see("I see."), "\(scene.pty.screen.text)")
        #expect(scene.last("tool").hasPrefix("w1 exit 0") && scene.lab.exists("late.txt"), "\(scene.last("tool"))")
        await scene.leave()
    }

    /// A question that nobody has answered is withdrawn when the command ends.
    @Test func theQuestionEndsWithTheCommand() async throws {
        let scene = try await Scene()
        scene.pty.send("\u{3}")
        #expect(await scene.pty.see(Self.question), "\(scene.pty.screen.text)")
        try scene.letGo()
        #expect(
            await scene.pty.see { $0.text.contains("I see.") && !$0.text.contains(Self.keys) },
            "\(scene.pty.screen.text)")
        await scene.leave()
    }

    /// `t` stops the turn alone, and the model hears which workflow goes on.
    @Test func theTurnAloneCanBeStopped() async throws {
        let scene = try await Scene()
        scene.pty.send("\u{3}")
        #expect(await scene.pty.see(Self.question), "\(scene.pty.screen.text)")
        scene.pty.send("t")
        #expect(await scene.pty.see("Stopped. w1 goes on: /list"), "\(scene.pty.screen.text)")
        #expect(scene.server.requests.count == 1)
        scene.pty.send("and now?\r")
        #expect(await scene.pty.see("I see."), "\(scene.pty.screen.text)")
        #expect(scene.last("tool").contains("The person stopped the turn; w1 goes on."), "\(scene.last("tool"))")
        try scene.letGo()
        #expect(await scene.pty.see { _ in scene.lab.exists("late.txt") }, "\(scene.pty.screen.text)")
        await scene.leave()
    }

    /// A line for the turn stands behind the result of the call, and one that only waits begins the next turn.
    @Test(arguments: [[], ["--plain"]]) func aLineGoesIntoTheTurn(options: [String]) async throws {
        let scene = try await Scene(
            options, then: [.stream(SSE.text("Tabs, then.")), .stream(SSE.text("And that."))])
        scene.pty.send("the next thing\r/now use tabs\r")
        #expect(await scene.pty.see("This goes into the turn"), "\(scene.pty.screen.text)")
        #expect(scene.server.requests.count == 1)
        try scene.letGo()
        #expect(await scene.pty.see("And that."), "\(scene.pty.screen.text)")
        let messages = scene.server.requests[1].json?["messages"]?.array ?? []
        #expect(messages.compactMap { $0["role"]?.string }.suffix(4) == ["user", "assistant", "tool", "user"])
        #expect(messages.last?["content"]?.string == "use tabs")
        #expect(scene.last("user").contains("the next thing") && scene.server.requests.count == 3)
        let waiting = try await scene.lab.tool(
            "sqlite3", "\(scene.lab.home)/data/assent.db", "SELECT count(*) FROM waiting_lines")
        #expect(waiting.output.hasPrefix("0"), "\(waiting.output)")
        await scene.leave()
    }

    /// A file stands below the line that names it, once, and stays as it was in the requests after.
    @Test func aLineAttachesFiles() async throws {
        let server = try ScriptedServer([.stream(SSE.text("One.")), .stream(SSE.text("Two."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        try lab.write("first = 1\n", to: "main.py")
        try lab.write("KEY=quokka\n", to: ".env")
        try lab.write(String(repeating: "a long line of words\n", count: 5_000), to: "long.txt")
        let line = "why @main.py, @long.txt and @.env? ask me@main.py or @nobody"
        let ending = try await lab.run("ask", line, "--mode", "auto")
        #expect(
            ending.said.contains("@.env is not attached: ") && ending.output.contains("read main.py · line 1"),
            "\(ending.output)")
        let first = try #require(server.requests.last?.json?["messages"]?.array?.last?["content"]?.string)
        let head = line + "\n\n[Not the person's words. The files that the line above names:]\nmain.py · line 1 of 1\n"
        #expect(first.contains(head + "   1\tfirst = 1\n\nlong.txt · lines 1 to 400 of 5000\n"), "\(first.prefix(900))")
        #expect(first.components("main.py · ") == 1 && !first.contains("quokka") && first.utf8.count < 40_000)
        try lab.write("second = 2\n", to: "main.py")
        try await lab.succeeds("ask", "and now?", "--continue")
        let messages = server.requests.last?.json?["messages"]?.array ?? []
        #expect(messages.first { $0["role"]?.string == "user" }?["content"]?.string == first)
        #expect(messages.last?["content"]?.string?.contains("first = 1") == false)
    }

    /// Without a turn, `/now LINE` is the line.
    @Test func withoutATurnItIsALine() async throws {
        let server = try ScriptedServer([.stream(SSE.text("Hello."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let pty = try lab.terminal([])
        #expect(await pty.see("›"))
        pty.send("/now\r")
        #expect(await pty.see("/now use tabs"), "\(pty.screen.text)")
        pty.send("/now hello there\r")
        #expect(await pty.see("Hello."), "\(pty.screen.text)")
        let line = server.requests.last?.json?["messages"]?.array?.last?["content"]?.string ?? ""
        #expect(line.hasPrefix("hello there"), "\(line)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// A killed chat has the line stored, and says it when it comes back.
    @Test func aLineForTheTurnSurvivesAKill() async throws {
        let server = try ScriptedServer([.hanging, .stream(SSE.text("Tabs, then."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        let killed = try lab.terminal([])
        #expect(await killed.see("›"))
        killed.send("do it\r")
        #expect(await killed.see { _ in server.requests.count == 1 })
        killed.send("/now use tabs\r")
        #expect(await killed.see("This goes into the turn"), "\(killed.screen.text)")
        killed.signal(SIGKILL)
        _ = await killed.exitStatus()
        let pty = try lab.terminal([])
        #expect(await pty.see("Tabs, then."), "\(pty.screen.text)")
        let line = server.requests.last?.json?["messages"]?.array?.last?["content"]?.string ?? ""
        #expect(line.contains("use tabs"), "\(line)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }
}

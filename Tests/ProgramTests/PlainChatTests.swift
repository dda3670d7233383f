import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The chat on a terminal that is not drawn on: a screen reader, a serial line, a person who wants it so.
@Suite(.process) struct PlainChatTests {
    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("one two three\n", to: "notes.txt")
        return lab
    }

    private func chat(
        _ lab: ProgramLab, _ arguments: [String] = ["--plain"], environment: [String: String] = [:], columns: Int = 100
    ) async throws -> Pty {
        let pty = try lab.terminal(arguments, environment: environment, columns: columns)
        #expect(await pty.see { $0.text.contains("assent 0.1.0") && Self.last($0) == "›" }, "\(pty.screen.text)")
        return pty
    }

    /// The row where the person types.
    private static func last(_ screen: PtyScreen) -> String? { screen.lines.last { !$0.isEmpty } }

    private static func prompts(_ screen: PtyScreen) -> [String] {
        screen.text.split(separator: "\n").filter { $0.hasPrefix("›") }.map(String.init)
    }

    private func leave(_ pty: Pty, _ location: SourceLocation = #_sourceLocation) async {
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)", sourceLocation: location)
        #expect(!pty.output.contains("\u{1B}"), sourceLocation: location)
    }

    @Test(arguments: ["--plain", "NO_COLOR", "TERM"]) func ctrlCStopsATurnAndNotTheProgram(way: String) async throws {
        let server = try ScriptedServer { _ in .hanging }
        let lab = try lab()
        let plain = ["NO_COLOR": ["NO_COLOR": "1"], "TERM": ["TERM": "dumb"]][way] ?? [:]
        let environment = ModelTests.environment(server).merging(plain) { $1 }
        let pty = try await chat(lab, way == "--plain" ? ["--plain"] : [], environment: environment)
        pty.send("hello there\r")
        #expect(await pty.see { _ in server.requests.count == 1 })
        pty.send("\u{3}")
        #expect(await pty.see { $0.lines.contains("Stopped.") }, "\(pty.screen.text)")
        #expect(await pty.see { _ in server.openConnections == 0 }, "the request goes on")
        #expect(await pty.see { Self.last($0) == "›" }, "\(pty.screen.text)")
        pty.send("half a line\u{3}")
        #expect(
            await pty.see { $0.lines.contains("Ctrl-D or /quit leaves.") && Self.last($0) == "›" }, "\(pty.screen.text)"
        )
        pty.send("/mode\r")
        #expect(await pty.see { $0.text.components("adaptive") >= 2 && Self.last($0) == "›" }, "\(pty.screen.text)")
        #expect(server.requests.count == 1, "what was taken back is not said")
        await leave(pty)
    }

    @Test(arguments: [["ask", "hello there"], ["run", ".wait.json"]]) func ctrlCEndsOtherVerbs(arguments: [String])
        async throws
    {
        let server = try ScriptedServer { _ in .hanging }
        let lab = try lab()
        let delay: JSON = [
            "id": "wait", "kind": "Delay", "params": ["seconds": 60], "inputs": ["in": "text"],
            "outputs": ["out": "text"],
        ]
        let waiting = workflow("slow", [node("text", "Text", ["text": "new"]), delay], [edge("text.text", "wait.in")])
        try lab.write(waiting, to: ".wait.json")
        let pty = try lab.terminal(arguments + ["--plain"], environment: ModelTests.environment(server))
        #expect(
            await pty.see { arguments[0] == "run" ? $0.text.contains("Delay") : server.requests.count == 1 },
            "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.exitStatus() == 130, "\(pty.screen.text)")
    }

    @Test func everythingStandsOnRowsOfItsOwn() async throws {
        let lab = try lab()
        let pty = try await chat(lab)
        // On a slow machine the suggestions come below a prompt, and another prompt below them.
        #expect(
            await pty.see { $0.text.contains("To try, for example") && Self.last($0) == "›" }, "\(pty.screen.text)")
        let first = Self.prompts(pty.screen).count
        let lines = ["count the words in notes.txt", "", "/help", "/nonsense", "/list"]
        for (number, line) in lines.enumerated() {
            pty.send(line + "\r")
            #expect(
                await pty.see { Self.prompts($0).count == first + number + 1 && Self.last($0) == "›" },
                "\(pty.screen.text)")
        }
        #expect(
            Array(Self.prompts(pty.screen).dropFirst(first - 1)) == lines.map { $0.isEmpty ? "›" : "› \($0)" } + ["›"],
            "\(pty.screen.text)")
        for row in [
            "  Say what you want, or use a verb:", "✗ There is no command \"nonsense\". (badUsage) /help lists them.",
        ] {
            #expect(pty.screen.text.split(separator: "\n").contains(row[...]), "\(pty.screen.text)")
        }
        await leave(pty)
    }

    @Test func newsComeBelowTheHalfTypedLineAndThePromptAfterThem() async throws {
        let lab = try lab()
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        let pty = try await chat(lab)
        // What can be tried is news, too.
        #expect(await pty.see { $0.text.contains("Ctrl-D leaves.") && Self.last($0) == "›" }, "\(pty.screen.text)")
        pty.send("count the wo")
        #expect(await pty.see("› count the wo"), "\(pty.screen.text)")
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        #expect(await pty.see { Self.last($0) == "[1⚑] ›" }, "\(pty.screen.text)")
        let rows = pty.screen.lines.filter { !$0.isEmpty }.suffix(3)
        #expect(rows.first == "› count the wo", "\(pty.screen.text)")
        #expect(
            rows.dropFirst().first?.hasPrefix("⚑ \"move a file\" needs you (w1, step 1)") == true, "\(pty.screen.text)")
        pty.send("rds in notes.txt\r")
        #expect(await pty.see { $0.text.contains("/show w2") && Self.last($0) == "[1⚑] ›" }, "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func whatWaitedWhenAChatWasKilledGoesOnAboveThePrompt() async throws {
        let server = try ScriptedServer([
            .hanging, .stream(SSE.text("Second answer.")), .stream(SSE.text("Third answer.")),
        ])
        let lab = try lab()
        let killed = try await chat(lab, environment: ModelTests.environment(server))
        killed.send("first\rsecond\rthird\r")
        #expect(await killed.see { _ in server.requests.count == 1 })
        #expect(
            try await eventually {
                try await lab.tool("sqlite3", "\(lab.home)/data/assent.db", "SELECT count(*) FROM waiting_lines").output
                    == "2\n"
            })
        killed.signal(SIGKILL)
        _ = await killed.exitStatus()
        let next = try await chat(lab, environment: ModelTests.environment(server))
        #expect(await next.see { $0.text.contains("Third answer.") && Self.last($0) == "›" }, "\(next.screen.text)")
        let rows = next.screen.text.split(separator: "\n").drop { !$0.hasPrefix("Assent was ended") }.dropFirst()
        #expect(
            rows == ["  › second", "  › third", "› second", "┆ Second answer.", "› third", "┆ Third answer.", "›"],
            "\(next.screen.text)")
        await leave(next)
    }

    @Test func noPlanIsWiderThanTheTerminal() async throws {
        let lab = try lab()
        try await lab.photograph("cat.jpg")
        let pty = try await chat(lab, columns: 44)
        pty.send("make cat.jpg 800 px wide, grayscale, under 60 KB\r")
        #expect(await pty.see { $0.text.contains("/show w1") && Self.last($0) == "›" }, "\(pty.screen.text)")
        let written = pty.output.split(separator: "\r\n").drop { !$0.hasPrefix("  plan") }
        #expect(written.count > 4 && written.allSatisfy { $0.count <= 44 }, "\(written)")
        await leave(pty)
    }

    @Test func aQuestionIsAnsweredAndTheChatGoesOn() async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        let pty = try await chat(lab)
        pty.send("delete notes.txt\rnotes.txt\r")
        #expect(await pty.see("to go on"), "\(pty.screen.text)")
        #expect(!pty.screen.lines.contains { $0.contains("›") && $0.contains("?") }, "\(pty.screen.text)")
        #expect(await pty.see { $0.text.components("and Enter · Esc") == 1 }, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.see { Self.last($0) == "[1⚑] ›" }, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        pty.send("/open 1\r")
        #expect(await pty.see { $0.text.components("and Enter · Esc") == 2 }, "\(pty.screen.text)")
        pty.send("notes.txt\r")
        #expect(await pty.see { !lab.exists("notes.txt") && Self.last($0) == "›" }, "\(pty.screen.text)")
        await leave(pty)
    }

    @Test(arguments: ["Ctrl-D", "/quit", "SIGTERM", "SIGHUP", "question"]) func theTerminalIsRestoredOnEveryWayOut(
        way: String
    ) async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        let script = "stty -g; \"$0\" --plain; echo \"exit=$?\"; stty -g; echo over"
        let pty = try Pty.spawn(
            "/bin/sh", ["-c", script, ProgramLab.program], environment: lab.environment, folder: lab.folder,
            columns: 200)
        #expect(await pty.see { Self.last($0) == "›" }, "\(pty.screen.text)")
        let shell = try #require(pty.process)
        let child = try #require(
            ScratchFolder.text("/proc/\(shell)/task/\(shell)/children").flatMap {
                Int32($0.split(separator: " ").first ?? "")
            })
        if way == "question" {
            pty.send("delete notes.txt\r")
            #expect(await pty.see("to go on"), "\(pty.screen.text)")
        }
        switch way {
        case "Ctrl-D": pty.send("\u{4}")
        case "/quit": pty.send("/quit\r")
        default: kill(child, way == "SIGHUP" ? SIGHUP : SIGTERM)
        }
        #expect(await pty.see { $0.text.hasSuffix("over") }, "\(pty.screen.text)")
        let exit = ["Ctrl-D": 0, "/quit": 0, "SIGHUP": 129][way] ?? 143
        #expect(pty.screen.text.contains("exit=\(exit)"), "\(pty.screen.text)")
        // What follows a leaving is not glued to the prompt.
        if exit == 0 { #expect(pty.screen.lines.contains("exit=0"), "\(pty.screen.text)") }
        let settings = pty.output.matches(of: /[0-9a-f]+(:[0-9a-f]+){20,}/).map { String($0.output.0) }
        #expect(settings.count == 2 && settings.first == settings.last, "\(settings)")
        #expect(lab.exists("notes.txt"))
    }
}

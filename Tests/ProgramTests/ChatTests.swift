import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The chat as a person has it, on a pseudo-terminal (show 7).
@Suite(.process) struct ChatTests {
    static let banner = "assent 0.1.0 · built-in planner"

    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("one two three\n", to: "notes.txt")
        return lab
    }

    /// A chat whose prompt and banner are there, whichever came first.
    private func chat(
        _ lab: ProgramLab, _ arguments: [String] = [], environment: [String: String] = [:], columns: Int = 100,
        rows: Int = 30
    ) async throws -> Pty {
        let pty = try lab.terminal(arguments, environment: environment, columns: columns, rows: rows)
        #expect(
            await pty.see { $0.lines.contains { $0.hasPrefix("›") } && $0.text.contains("assent 0.1.0") },
            "\(pty.screen.text)")
        return pty
    }

    private func leave(_ pty: Pty, _ location: SourceLocation = #_sourceLocation) async {
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)", sourceLocation: location)
    }

    @Test func aWorkflowThatIsRunHereIsNamedAndSeenToRun() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("nap", [node("nap", "Delay", ["seconds": 600])]), to: ".nap.json")
        let pty = try lab.terminal()
        #expect(await pty.see("assent 0.1.0"), "\(pty.screen.text)")
        pty.send("/run .nap.json\r")
        #expect(
            await pty.see { $0.text.contains("w1 has begun · /show w1") && $0.text.contains("▸ w1 Delay") },
            "\(pty.screen.text)")
        pty.send("/cancel w1\r")
        #expect(await pty.see("⊘ w1 \"nap\" cancelled · /show w1"), "\(pty.screen.text)")
        pty.send("/approve\r")
        #expect(await pty.see("Nothing in the inbox asks for a yes."), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    @Test func thePromptComesFirstAndCtrlDLeaves() async throws {
        let pty = try await chat(try lab())
        #expect(
            pty.screen.text.contains("assent 0.1.0") && pty.screen.text.contains("built-in planner"),
            "\(pty.screen.text)")
        #expect(pty.screen.text.contains("adaptive"))
        await leave(pty)
    }

    @Test func aTurnShowsThePlanTheStepsAndTheResult() async throws {
        let lab = try lab()
        try await lab.photograph("cat.jpg")
        let pty = try await chat(lab)
        pty.send("make cat.jpg 800 px wide, grayscale, under 60 KB\r")
        #expect(await pty.see("/show w1"), "\(pty.screen.text)")
        for words in [
            "plan  \"cat.jpg: resize, grayscale, compress\"", "3 steps · creates files", "✓ Resize", "✓ Grayscale",
            "✓ Compress",
            "cat-1.jpg",
        ] {
            #expect(pty.screen.text.contains(words), "\(words) in:\n\(pty.screen.text)")
        }
        #expect(try await lab.picture("cat-1.jpg").first == 800)
        pty.send("/list\r")
        #expect(
            await pty.see { $0.text.contains("w1") && $0.text.contains("✓ succeeded") || $0.text.contains("✓ done") },
            "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func theQuestionIsAskedAndWhatWasTypedBeforeItDoesNotCount() async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        let pty = try await chat(lab)
        pty.send("delete notes.txt\rnotes.txt\r")
        #expect(await pty.seeQuestion("to go on"), "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"), "\(pty.screen.text)")
        pty.send("notes.txt\r")
        #expect(await pty.see { _ in !lab.exists("notes.txt") }, "\(pty.screen.text)")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty }?.hasPrefix("›") == true }, "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func anUnansweredQuestionStaysInTheInboxAndTheChatGoesOn() async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        let pty = try await chat(lab)
        pty.send("delete notes.txt\r")
        #expect(await pty.seeQuestion("to go on"), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.see("[1⚑] ›"), "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        pty.send("/inbox\r")
        #expect(await pty.see("/approve 1"), "\(pty.screen.text)")
        pty.send("/reject 1 keep it\r")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty }?.hasPrefix("›") == true }, "\(pty.screen.text)")
        #expect(lab.exists("notes.txt"))
        await leave(pty)
    }

    @Test func ctrlCStopsATurnAndNotTheProgram() async throws {
        let server = try ScriptedServer { _ in .hanging }
        let lab = try lab()
        let pty = try await chat(lab, environment: ModelTests.environment(server))
        pty.send("hello there\r")
        #expect(await pty.see { _ in server.requests.count == 1 })
        pty.send("\u{3}")
        #expect(await pty.see("Stopped"), "\(pty.screen.text)")
        #expect(await pty.see { _ in server.openConnections == 0 }, "the request goes on")
        pty.send("/mode\r")
        #expect(await pty.see { $0.text.components("adaptive") >= 2 }, "\(pty.screen.text)")
        await leave(pty)
    }

    @Test func aLineThatIsTypedDuringATurnWaitsVisibly() async throws {
        let server = try ScriptedServer([.hanging, .stream(SSE.text("Second answer."))])
        let lab = try lab()
        let pty = try await chat(lab, environment: ModelTests.environment(server))
        pty.send("first\r")
        #expect(await pty.see { _ in server.requests.count == 1 })
        pty.send("second\r")
        #expect(await pty.see("1 line waits: "), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.see("Second answer."), "\(pty.screen.text)")
        #expect(server.requests.last?.json?["messages"]?.array?.last?["content"]?.string == "second")
        await leave(pty)
    }

    @Test func linesThatWaitSurviveAKill() async throws {
        let server = try ScriptedServer([
            .hanging, .stream(SSE.text("Second answer.")), .stream(SSE.text("Third answer.")),
        ])
        let lab = try lab()
        let killed = try await chat(lab, environment: ModelTests.environment(server))
        for (line, waiting) in [("first", nil), ("second", "1 line waits: "), ("third", "2 lines wait, ")]
            as [(String, String?)]
        {
            killed.send(line + "\r")
            #expect(
                await killed.see { screen in waiting.map { screen.text.contains($0) } ?? (server.requests.count == 1) })
        }
        // Another chat in the same folder leaves them to the one that lives.
        let other = try await chat(lab)
        other.send("/mode\r")
        #expect(await other.see { $0.text.components("adaptive") >= 2 }, "\(other.screen.text)")
        #expect(!other.screen.text.contains("waited"))
        await leave(other)
        killed.signal(SIGKILL)
        _ = await killed.exitStatus()
        let next = try await chat(lab, environment: ModelTests.environment(server))
        #expect(await next.see("Third answer."), "\(next.screen.text)")
        for words in ["Assent was ended while this waited.", "› second", "› third", "Second answer."] {
            #expect(next.screen.text.contains(words), "\(words) in:\n\(next.screen.text)")
        }
        // In the same conversation, after what was said there.
        let said = server.requests.last?.json?["messages"]?.array?.compactMap { $0["content"]?.string?.withoutAside }
            .dropFirst()
        #expect(
            said == [
                "first", "(Not answered: the turn was stopped, or it failed.)", "second", "Second answer.", "third",
            ])
        await leave(next)
        let last = try await chat(lab, environment: ModelTests.environment(server))
        last.send("/mode\r")
        #expect(await last.see { $0.text.components("adaptive") >= 2 }, "\(last.screen.text)")
        #expect(!last.screen.text.contains("waited") && server.requests.count == 3)
        await leave(last)
    }

    @Test(arguments: ["\u{4}", "/quit\r"]) func whoLeavesTakesTheWaitingLinesAlong(way: String) async throws {
        let server = try ScriptedServer([.hanging])
        let lab = try lab()
        let pty = try await chat(lab, environment: ModelTests.environment(server))
        pty.send("first\r")
        #expect(await pty.see { _ in server.requests.count == 1 })
        pty.send("second\r")
        #expect(await pty.see("1 line waits: "), "\(pty.screen.text)")
        pty.send(way)
        #expect(await pty.exitStatus() == 0)
        #expect(
            await pty.see { $0.text.contains("Not run, since you left:") && $0.text.contains("› second") },
            "\(pty.screen.text)")
        let next = try await chat(lab, environment: ModelTests.environment(server))
        next.send("/mode\r")
        #expect(await next.see { $0.text.components("adaptive") >= 2 }, "\(next.screen.text)")
        #expect(!next.screen.text.contains("waited"))
        await leave(next)
    }

    /// More lines than may wait behind a turn, and a command that must see what came of those before it.
    @Test func linesFromAPipeAreDoneOneAfterTheOther() async throws {
        let lab = try lab()
        let count = 40
        let lines = (1...count).map { "count the words in \($0).txt" }
        for number in 1...count { try lab.write("one two\n", to: "\(number).txt") }
        let ending = try await lab.run(
            [], input: (lines + ["/list", "delete notes.txt", "/inbox"]).joined(separator: "\n") + "\n")
        // The gravest of what came of the lines: one waits for a person.
        #expect(ending.exit == 3 && ending.complaints.isEmpty, "\(ending.errors)")
        #expect(ending.output.components("✓ Count words") == count, "\(ending.output)")
        let plans = ending.output.matches(of: /plan  "([0-9]+).txt: count"/).compactMap { Int($0.1) }
        #expect(plans == Array(1...count))
        // What `/list` shows of them has ended, and what `/inbox` shows has been asked.
        let list = ending.output.split(separator: "\n").filter { $0.contains("✓ done") }
        #expect(list.count == 20 && list.first?.contains("40.txt: count") == true, "\(ending.output)")
        #expect(ending.output.contains(/Not answered.+\n.+\n +Pending \(1\)\n +1 +⚑ needs you/), "\(ending.output)")
        #expect(lab.exists("notes.txt"))
    }

    @Test func tabCompletesVerbsFilesAndIds() async throws {
        let lab = try lab()
        try await lab.succeeds("ask", "count the words in notes.txt")
        let pty = try await chat(lab)
        for (typed, completed) in [
            ("/hist\t", "› /history"), ("/show w\t", "› /show w1"),
            ("count the words in no\t", "› count the words in notes.txt"),
        ] {
            pty.send(typed)
            #expect(await pty.see(completed), "\(completed) in:\n\(pty.screen.text)")
            // Ctrl-U: the line is empty again.
            pty.send("\u{15}")
            #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        }
        await leave(pty)
    }

    @Test func aTerminalOfAnotherSizeIsDrawnAnew() async throws {
        let lab = try lab()
        let pty = try await chat(lab, columns: 100, rows: 30)
        pty.send("count the words")
        #expect(await pty.see("› count the words"), "\(pty.screen.text)")
        pty.resize(columns: 40, rows: 20)
        pty.send(" in notes.txt")
        #expect(await pty.see { $0.lines.contains { $0.contains("in notes.txt") } }, "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see("3"), "\(pty.screen.text)")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        #expect(pty.screen.lines.allSatisfy { $0.count <= 40 })
        #expect(pty.screen.unknown.isEmpty, "\(pty.screen.unknown)")
        await leave(pty)
    }

    @Test func newsComeAboveThePromptAndWhatIsTypedStays() async throws {
        let lab = try lab()
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        let pty = try await chat(lab)
        // What is in the inbox when a chat begins is no news.
        pty.send("/list\r")
        #expect(await pty.see("No workflows yet"), "\(pty.screen.text)")
        pty.send("count the wo")
        #expect(await pty.see("› count the wo"), "\(pty.screen.text)")
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        let words = "⚑ \"move a file\" needs you (w1, step 1)"
        // The prompt is drawn first.
        #expect(
            await pty.see { $0.text.contains("[1⚑] › count the wo") && $0.text.contains(words) }, "\(pty.screen.text)")
        let lines = pty.screen.lines
        let news = try #require(lines.firstIndex { $0.contains(words) }, "\(pty.screen.text)")
        let prompt = try #require(lines.firstIndex { $0.hasPrefix("[1⚑] ›") })
        #expect(news < prompt)
        pty.send("rds in notes.txt\r")
        #expect(await pty.see("3"), "\(pty.screen.text)")
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.succeeds("approve", "1", "--digest", digest)
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        // The chat carries workflows whose process is gone.
        #expect(await pty.see { _ in lab.exists("-old.txt") })
        await leave(pty)
    }

    @Test(arguments: ["Ctrl-D", "/quit", "SIGTERM", "SIGHUP", "question"]) func theTerminalIsRestoredOnEveryWayOut(
        way: String
    ) async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        let script = "stty -g; \"$0\"; echo \"exit=$?\"; stty -g; echo over"
        let pty = try Pty.spawn(
            "/bin/sh", ["-c", script, ProgramLab.program], environment: lab.environment, folder: lab.folder,
            columns: 200, rows: 40)
        #expect(await pty.see { $0.lines.contains { $0.hasPrefix("›") } }, "\(pty.screen.text)")
        let shell = try #require(pty.process)
        let child = try #require(
            ScratchFolder.text("/proc/\(shell)/task/\(shell)/children").flatMap {
                Int32($0.split(separator: " ").first ?? "")
            })
        var exit = 0
        switch way {
        case "Ctrl-D": pty.send("\u{4}")
        case "/quit": pty.send("/quit\r")
        case "SIGTERM":
            kill(child, SIGTERM)
            exit = 143
        case "SIGHUP":
            kill(child, SIGHUP)
            exit = 129
        default:
            pty.send("delete notes.txt\r")
            #expect(await pty.see("to go on"), "\(pty.screen.text)")
            kill(child, SIGTERM)
            exit = 143
        }
        #expect(await pty.see { $0.text.hasSuffix("over") }, "\(pty.screen.text)")
        #expect(pty.screen.text.contains("exit=\(exit)"), "\(pty.screen.text)")
        let settings = pty.output.matches(of: /[0-9a-f]+(:[0-9a-f]+){20,}/).map { String($0.output.0) }
        #expect(settings.count == 2 && settings.first == settings.last, "\(settings)")
        // Bracketed paste is off, the cursor is shown, no colour is left on.
        #expect(!pty.screen.modes.contains(2004) && pty.screen.modes.contains(25))
        #expect(lab.exists("notes.txt"))
    }
}

extension String {
    /// How often it contains `text`.
    func components(_ text: String) -> Int { split(separator: text, omittingEmptySubsequences: false).count - 1 }
}

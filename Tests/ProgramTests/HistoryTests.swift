import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Conversations that go on, as the person sees them: from a shell, in a chat, after kill -9.
@Suite(.process) struct HistoryTests {
    private func lab(_ server: ScriptedServer? = nil) throws -> ProgramLab {
        let lab = try ProgramLab(environment: server.map(ModelTests.environment) ?? [:])
        try lab.write("one two three\n", to: "notes.txt")
        return lab
    }

    /// What the model was told last, without the system's words.
    private func told(_ server: ScriptedServer) -> [[String]] {
        server.requests.last?.json?["messages"]?.array?.dropFirst().map {
            [$0["role"]?.string ?? "", $0["content"]?.string?.withoutAside ?? ""]
        } ?? []
    }

    @Test func askContinuesTheNewestConversationOrTheOneThatIsNamed() async throws {
        let server = try ScriptedServer((1...5).map { .stream(SSE.text("Answer \($0).")) })
        let lab = try lab(server)
        let first = try await lab.run("ask", "--continue", "alpha")
        #expect(
            first.exit == 0 && (first.output + first.errors).contains("There is no conversation in this folder yet"),
            "\(first.errors)")
        try await lab.succeeds("ask", "beta")
        try await lab.succeeds("ask", "-c", "gamma")
        #expect(told(server) == [["user", "beta"], ["assistant", "Answer 2."], ["user", "gamma"]])
        let named = try await lab.run("ask", "--session", "s1", "delta", "--json")
        expectEvents(named, exit: 0)
        #expect(
            named.lines(of: "message.completed").allSatisfy { $0["session"] == "s1" && $0["turn"] == 2 },
            "\(named.output)")
        #expect(told(server) == [["user", "alpha"], ["assistant", "Answer 1."], ["user", "delta"]])
        try await lab.succeeds("ask", "-c", "epsilon")
        #expect(told(server).first == ["user", "alpha"], "the one that was spoken in last")
        #expect(try await lab.json("history").map { [$0["session"], $0["messages"]] } == [["s1", 6], ["s2", 4]])
        for (arguments, code) in [
            (["--session", "s9"], "unknownSession"), (["--session", "s1", "-c"], "badUsage"),
        ] {
            let refused = try await lab.run(["ask", "no"] + arguments + ["--json"])
            #expect(refused.exit == 2 && refused.lines(of: "error").first?["code"]?.string == code, "\(refused.output)")
        }
        #expect(server.requests.count == 5)
    }

    @Test func aConversationOfAnotherFolderIsRefusedAndItsFolderNamed() async throws {
        let lab = try lab()
        try await lab.succeeds("ask", "count the words in notes.txt")
        #expect(makeFolder(lab.path("inner")))
        for arguments in ["ask --session s1 hello", "--session s1", "resume s1"] {
            let script = "cd inner && exec \"$0\" \(arguments) < /dev/null"
            let ending = try await lab.tool("sh", "-c", script, ProgramLab.program)
            #expect(
                ending.exit == 2 && ending.errors.contains("s1 belongs to the folder \(lab.folder)"), "\(ending.errors)"
            )
        }
        let ending = try await lab.tool("sh", "-c", "cd inner && exec \"$0\" -c < /dev/null", ProgramLab.program)
        #expect(
            ending.exit == 0 && (ending.output + ending.errors).contains("There is no conversation in this folder yet"))
        #expect(try await lab.json("history").count == 1)
    }

    @Test func historyIsSearchedForkedNamedExportedAndDeleted() async throws {
        let lab = try lab()
        try await lab.succeeds("ask", "count the words in notes.txt")
        try await lab.succeeds("ask", "-c", "how many lines are in notes.txt")
        let found = try await lab.run("history", "search", "words", "coun")
        #expect(found.exit == 0 && found.output.contains("s1") && found.output.contains("»count«"), "\(found.output)")
        #expect(try await lab.json("history", "search", "CountWor").first?["session"] == "s1", "in a call's arguments")
        #expect(try await lab.run("history", "search", "\"zebra OR -").output.contains("Nothing was found."))
        let fork = try #require(try await lab.json("history", "fork", "s1", "1").first)
        #expect(fork["session"] == "s2" && fork["title"] == "count the words in notes.txt (fork of s1)")
        #expect(try await lab.json("history", "s2").map { $0["turn"] }.allSatisfy { $0 == 1 })
        let absent = try await lab.run("history", "fork", "s1", "7")
        #expect(
            absent.exit == 2 && absent.errors.contains("s1 has no turn 7. (unknownTurn) Its turns are 1 to 2"),
            "\(absent.errors)")
        try await lab.succeeds("history", "rename", "s2", "my", "own", "name")
        #expect(try await lab.json("history", "search", "own name").map { $0["title"] } == ["my own name"])
        let lines = try await lab.run("history", "export", "s1", "jsonl")
        #expect(try await lab.json("history", "s1") == lines.lines && lines.lines.count >= 4)
        let markdown = try await lab.run("history", "export", "s1").output
        #expect(
            markdown.hasPrefix("# count the words in notes.txt\n") && markdown.contains("\n```text\nhow many lines"),
            "\(markdown)")
        let unasked = try await lab.run("history", "delete", "s1")
        #expect(unasked.exit == 2 && unasked.errors.contains("no terminal to ask at"), "\(unasked.errors)")
        let deleted = try #require(try await lab.json("history", "delete", "s1", "--yes").first)
        #expect(deleted["deleted"] == true && deleted["workflows"]?.array?.contains("w1") == true, "\(deleted.text)")
        #expect(try await lab.json("history").map { $0["session"] } == ["s2"])
        #expect(try await lab.json("history", "search", "many").isEmpty)
        #expect(try await lab.shown()["workflow"]?["outcome"] == "succeeded")
        #expect(try await lab.run("doctor").exit == 0)
    }

    @Test func aKeyIsInNoIndexNoTitleAndNoExport() async throws {
        let server = try ScriptedServer { _ in .stream(SSE.text("Fine.")) }
        let lab = try lab(server)
        #expect(try await lab.run("ask", "use \(ModelTests.key) please").exit == 2)
        #expect(try await lab.json("history").isEmpty)
        try await lab.succeeds("ask", "say please")
        try await lab.succeeds("history", "rename", "s1", "the key \(ModelTests.key)")
        #expect(try await lab.json("history", "search", "please").count == 1)
        // Signs part a key into words; the index must have none of them.
        #expect(try await lab.json("history", "search", "0123456789abcdef").isEmpty)
        let all = try await lab.run("history", "export", "s1").output + lab.run("history").output
        #expect(!all.contains("0123456789") && all.contains("⟨cut: "), "\(all)")
    }

    @Test func theChatGoesOnWhereItWasAndInAnother() async throws {
        let server = try ScriptedServer((1...4).map { .stream(SSE.text("Answer \($0).")) })
        let lab = try lab(server)
        try await lab.succeeds("ask", "alpha")
        try await lab.succeeds("ask", "beta")
        let chat = try await lab.run("-c", input: "gamma\n/resume s1\ndelta\n/new\n/resume s7\nepsilon\n")
        #expect(
            chat.output.contains("s2 goes on · 2 messages · beta")
                && chat.output.contains("s1 goes on · 2 messages · alpha"))
        #expect(chat.output.contains("There is no conversation s7."), "\(chat.output)\(chat.errors)")
        #expect(
            try await lab.json("history").map { [$0["session"], $0["messages"]] }.prefix(3) == [
                ["s3", 1], ["s1", 4], ["s2", 4],
            ])
        #expect(server.requests.count >= 5, "each line is said once")
    }

    @Test func aConversationIsOpenInOnePlaceAtATime() async throws {
        let server = try ScriptedServer { _ in .stream(SSE.text("Answer.")) }
        let lab = try lab(server)
        try await lab.succeeds("ask", "alpha")
        let pty = try lab.terminal(["--session", "s1"])
        #expect(await pty.see("s1 goes on"), "\(pty.screen.text)")
        for arguments in [["ask", "-c", "beta"], ["history", "delete", "s1", "--yes"], ["-c"]] {
            let refused = try await lab.run(arguments)
            #expect(refused.exit == 1 && refused.errors.contains("s1 is open in a chat."), "\(refused.errors)")
        }
        // What is only read, and a copy, are nobody's matter.
        for arguments in [["history", "s1"], ["history", "fork", "s1", "1"]] { try await lab.succeeds(arguments) }
        pty.signal(SIGKILL)
        _ = await pty.exitStatus()
        try await lab.succeeds("ask", "--session", "s1", "gamma")
        #expect(told(server).map { $0[1] } == ["alpha", "Answer.", "gamma"])
    }

    @Test func aConversationIsPickedAtTheTerminal() async throws {
        let lab = try lab()
        for words in ["count the words in notes.txt", "how many words are in notes.txt"] {
            try await lab.succeeds("ask", words)
        }
        let pty = try lab.terminal(["resume"])
        #expect(await pty.seeQuestion("In which do you go on?"), "\(pty.screen.text)")
        pty.send("s1\r")
        #expect(await pty.see("s1 goes on"), "\(pty.screen.text)")
        pty.send("/resume\r")
        #expect(
            await pty.seeQuestion { $0.text.components("In which do you go on?") >= 1 && $0.text.contains("/resume") })
        pty.send("s2\r")
        #expect(await pty.see("s2 goes on"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// The call had no answer when the program was killed; its workflow came to its end all the same, by another
    /// process.
    @Test func afterACrashTheModelLearnsWhatBecameOfItsCall() async throws {
        let slow = workflow(
            "slow",
            [
                // Long enough for the kill to come first on a busy machine.
                node("text", "Text", ["text": "new"]), node("wait", "Delay", ["seconds": 20]),
                node("write", "WriteFile", ["path": "note.txt"]),
            ],
            [edge("text.text", "write.text")])
        let server = try ScriptedServer([.stream(SSE.call("propose_workflow", slow)), .stream(SSE.text("I see."))])
        let lab = try lab(server)
        let killed = try lab.start(["ask", "write it", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { killed.wait(forOutput: "runningLocal") })
        killed.end(with: SIGKILL)
        try await lab.succeeds("work", "--until-idle")
        #expect(lab.text("note.txt") == "new")
        try await lab.succeeds("ask", "-c", "and now?")
        let answer = try #require(told(server).first { $0[0] == "tool" }?[1])
        #expect(
            answer.contains(#""workflow":"w1","outcome":"succeeded""#)
                && answer.contains("it has succeeded all the same"), "\(answer)")
        #expect(told(server).map { $0[0] } == ["user", "assistant", "tool", "assistant", "user"])
    }

    @Test func whatModelsTookIsTold() async throws {
        let lab = try lab()
        try await lab.succeeds("ask", "count the words in notes.txt")
        let rows = """
            INSERT INTO usage (session, turn, at, model, prompt_tokens, cached_tokens, completion_tokens, reasoning_tokens, cost)
            VALUES (1, 1, 1795000000000, 'm-1', 1200, 200, 30, 0, 5000), (1, 2, 1795000000000, 'm-2', 10, 0, 3, 1, NULL);
            """
        #expect(try await lab.tool("sqlite3", "\(lab.home)/data/assent.db", rows).exit == 0)
        let total = try #require(try await lab.json("usage", "--by", "session").first)
        #expect(
            total["session"] == "s1" && total["replies"] == 2 && total["prompt_tokens"] == 1210
                && total["unpriced"] == 1)
        #expect(try await lab.json("usage").map { $0["model"] } == ["m-2", "m-1"])
        let text = try await lab.run("usage", "--limit", "1").output
        #expect(
            text.contains("m-2") && !text.contains("m-1")
                && text.contains("1 more entry: assent usage --by model --from 2"), "\(text)")
    }

    @Test func usageAndADamagedIndexAreToldAndMended() async throws {
        let lab = try lab()
        try await lab.succeeds("ask", "count the words in notes.txt")
        #expect(try await lab.run("usage", "--by", "day").output.contains("No model has told yet what it took."))
        let change = """
            INSERT INTO message_index (message_index) VALUES ('optimize'); DELETE FROM message_index_data WHERE id > 10;
            """
        #expect(try await lab.tool("sqlite3", "\(lab.home)/data/assent.db", change).exit == 0)
        let told = try await lab.run("doctor")
        #expect(told.output.contains("the index of words in conversations is damaged"), "\(told.output)")
        let mended = try await lab.run("doctor", "--rebuild")
        #expect(mended.output.contains("the index of words was made anew"), "\(mended.output)")
        #expect(try await lab.json("history", "search", "count").count == 1)
        #expect(try await lab.run("doctor").exit == 0)
    }
}

import CaseNames
import Harness
import JSON
import Storage
import Testing
import Vocabulary

/// What a command printed and how it ended, as a person, a script and a model hear it (`semantics.md` 190 and 191).
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct CommandResultTests {
    private static func shell(_ command: String, _ more: JSON.Object.Member...) -> [[UInt8]] {
        var params = JSON.Object(members: [.init(key: "command", value: .string(command))])
        for member in more { params[member.key] = member.value }
        return SSE.call("call_tool", ["kind": "Shell", "params": .object(params)])
    }

    private static func server(_ calls: [[UInt8]]...) throws -> ScriptedServer {
        try ScriptedServer(calls.map { .stream($0) } + [.stream(SSE.text("Done."))])
    }

    private static func lab(_ server: ScriptedServer) throws -> ProgramLab {
        // What a command may read must not lie in the memory of the machine.
        let lab = try ProgramLab(environment: ModelTests.environment(server), isInMemory: Rehearsals.isInMemory)
        try lab.write("buy milk\n", to: "notes.txt")
        return lab
    }

    /// The results of the calls, as they came back to the model.
    private static func results(_ server: ScriptedServer) -> [JSON] {
        let messages = server.requests.last?.json?["messages"]?.array ?? []
        return messages.filter { $0["role"]?.string == "tool" }.compactMap {
            try? JSONReader.read($0["content"]?.string ?? "")
        }
    }

    private static func output(_ port: String, of result: JSON) -> JSON? {
        result["result"]?["outputs"]?.array?.first { $0["port"]?.string == port }
    }

    // MARK: Codes

    /// The same command in a plan of a model and in a file, with what it printed in each case.
    @Test func aModelHearsTheStreamsAndTheCodeWhateverItIs() async throws {
        let rows: [(command: String, exit: Int, text: String, errors: String?, program: Int32)] = [
            ("echo 'FAILED test_x: 3 != 4'; echo 1 failed >&2; exit 1", 1, "FAILED test_x: 3 != 4\n", "1 failed\n", 0),
            ("grep nothing notes.txt", 1, "", nil, 0),
            ("echo 'buy oil' | diff notes.txt -", 1, "1c1\n< buy milk\n---\n> buy oil\n", nil, 0),
            ("echo hi", 0, "hi\n", nil, 0),
            ("echo out; echo oh >&2; no-such-program 2>/dev/null", 127, "out\n", "oh\n", 1),
            ("echo out; kill -KILL $$", 137, "out\n", nil, 1),
        ]
        for row in rows {
            let server = try Self.server(Self.shell(row.command))
            let lab = try Self.lab(server)
            let ending = try await lab.run("ask", "go on", "--on-ask", "deny")
            #expect(ending.exit == row.program, "\(row.command): \(ending.output)\(ending.errors)")
            let result = try #require(Self.results(server).first, "\(row.command): \(server.requests.last?.text ?? "")")
            let text = try #require(Self.output("text", of: result), "\(row.command): \(result.text)")
            #expect(
                text["exit"]?.int == row.exit && text["content"]?.string == row.text, "\(row.command): \(result.text)")
            #expect(
                Self.output("errors", of: result)?["content"]?.string == row.errors, "\(row.command): \(result.text)")
            #expect((result["error"] != nil) == (row.program != 0), "\(row.command): \(result.text)")
            // The person reads the same.
            for line in (row.text + (row.errors ?? "")).split(separator: "\n") {
                #expect(ending.output.contains("┆ \(line)"), "\(row.command): \(ending.output)")
            }
            #expect(ending.output.contains("exit \(row.exit)"), "\(row.command): \(ending.output)")
        }
    }

    @Test func aFileFailsUnlessItListsTheCode() async throws {
        let rows: [(command: String, exits: JSON?, exit: Int32)] = [
            ("echo seen; exit 1", nil, 1), ("echo seen; exit 1", [0, 1], 0), ("echo seen; exit 2", [0, 1], 1),
            ("echo seen; exit 0", nil, 0), ("echo seen; exit 7", ["any"], 0),
            ("echo seen; no-such-program", ["any"], 1),
            ("echo seen; kill -TERM $$", ["any"], 1), ("echo seen; exit 1", [126], 2),
        ]
        for row in rows {
            let lab = try ProgramLab()
            let params = JSON.of(["command": .string(row.command), "exits": row.exits])
            try lab.write(workflow("command", [node("run", "Shell", params)]), to: ".command.json")
            let ending = try await lab.run("run", ".command.json", "--on-ask", "deny")
            #expect(
                ending.exit == row.exit, "\(row.command) \(row.exits?.text ?? ""): \(ending.output)\(ending.errors)")
            #expect(ending.output.contains("┆ seen") == (row.exit != 2), "\(row.command): \(ending.output)")
            guard row.exit == 1 else { continue }
            let logs = try await lab.run("logs", "w1", "1")
            #expect(logs.exit == 0 && logs.output.contains("┆ seen") && logs.output.contains("exit "), "\(logs.output)")
        }
    }

    /// The planner's own plans and the chat: the code is told, and the turn goes on.
    @Test(arguments: [["ask", "run `echo seen; exit 3`"], []]) func theBuiltInPlannerTellsTheCode(words: [String])
        async throws
    {
        let lab = try ProgramLab()
        let ending = try await lab.run(words, input: words.isEmpty ? "run `echo seen; exit 3`\n" : nil)
        #expect(ending.exit == 1, "\(ending.output)\(ending.errors)")
        #expect(ending.output.contains("┆ seen") && ending.output.contains("! Shell exit 3 · "), "\(ending.output)")
        #expect(try await lab.states() == ["succeeded"])
        let graph = try #require(try lab.archived { try $0.graph(of: WorkflowID(1))?.template })
        #expect(graph.contains(#""exits":["told"]"#), "\(graph)")
    }

    /// A retry in another process goes by the stored graph.
    @Test func theRuleIsInTheStoredGraph() async throws {
        let server = try Self.server(Self.shell("exit 3"))
        let lab = try Self.lab(server)
        #expect(try await lab.run("ask", "go on", "--on-ask", "deny").exit == 0)
        try await lab.succeeds("rerun", "w1", "1")
        _ = try await lab.run("work", "--until-idle")
        #expect(try await lab.states() == ["succeeded"])
        try lab.write(workflow("command", [node("run", "Shell", ["command": "exit 3"])]), to: ".command.json")
        #expect(try await lab.run("run", ".command.json").exit == 1)
        _ = try await lab.run("retry", "w2")
        _ = try await lab.run("work", "--until-idle")
        #expect(try await lab.states("w2") == ["failed"])
    }

    /// What it changed is asked for with its exit code, and a yes makes the changes.
    @Test func aRehearsalThatEndedWithAnotherCodeSaysSo() async throws {
        let server = try Self.server(Self.shell("echo more >> notes.txt; exit 2"))
        let lab = try Self.lab(server)
        let pty = try lab.terminal(["ask", "go on"], rows: 40)
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        #expect(
            pty.screen.text.contains("it ended with") && pty.screen.text.contains("exit code 2"), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "buy milk\nmore\n")
        #expect(Self.output("text", of: try #require(Self.results(server).first))?["exit"]?.int == 2)
    }

    // MARK: Long results

    @Test func aLongResultHasBothEndsAndIsReadOnByItsPlace() async throws {
        let server = try Self.server(
            Self.shell("seq 1 20000; seq 1 10 >&2; exit 1"),
            SSE.call("show_workflow", ["workflow": "w1", "step": "1", "output": "text", "offset": 50_000]),
            SSE.call("show_workflow", ["workflow": "w1", "offset": 108_890]),
            SSE.call("show_workflow", ["workflow": "w1", "step": "1"]),
            SSE.call("show_workflow", ["workflow": "w1", "output": "nope"]))
        let lab = try Self.lab(server)
        let ending = try await lab.run("ask", "go on", "--on-ask", "deny")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        let results = Self.results(server)
        try #require(results.count == 5, "\(results)")
        let text = try #require(Self.output("text", of: results[0]))
        let content = try #require(text["content"]?.string)
        #expect(
            text["bytes"]?.int == 108_894 && text["lines"]?.int == 20_000 && text["exit"]?.int == 1,
            "\(text.text.prefix(300))")
        #expect(content.hasPrefix("1\n2\n") && content.hasSuffix("\n20000\n") && content.utf8.count <= 24 << 10)
        #expect(Self.output("errors", of: results[0])?["content"]?.string == (1...10).map { "\($0)\n" }.joined())
        let cut = try #require(text["cut"]?.string)
        #expect(cut.contains("of 108894 are left out"), "\(cut)")
        #expect(cut.contains(#"show_workflow {"workflow":"w1","step":"1","output":"text""#), "\(cut)")
        let mark = try #require(content.firstMatch(of: /\[… (\d+) bytes, (\d+) lines left out …\]\n/))
        let left = (content.replacing(String(mark.0), with: ""), try #require(Int(mark.2)))
        #expect(left.0.utf8.count + Int(mark.1)! == 108_894 && left.0.split(separator: "\n").count + left.1 == 20_000)
        // The second page goes on where it was told to, at most 24 KB, and says what follows.
        let page = try #require(results[1]["result"])
        #expect(
            page["from"]?.int == 50_000 && page["bytes"]?.int == 108_894 && page["content"]?.string?.isEmpty == false)
        #expect(
            page["cut"]?.string?.contains(#""offset":\#(page["to"]?.int ?? 0)"#) == true, "\(page.text.suffix(300))")
        // The last one ends, and says nothing of more.
        #expect(
            results[2]["result"]?["content"]?.string == "000\n" && results[2]["result"]?["cut"] == nil,
            "\(results[2].text)")
        #expect(results[3]["result"]?["step"]?["state"]?.string == "succeeded")
        #expect(results[3]["result"]?["outputs"]?.array?.first?["cut"] != nil, "\(results[3].text.prefix(300))")
        #expect(results[4]["error"]?["message"]?.string?.contains("no output \"nope\"") == true, "\(results[4].text)")
        // On the screen: the beginning, the end, and true counts.
        #expect(
            ending.output.contains("┆ 1\n") && ending.output.contains("┆ 20000")
                && ending.output.contains("19988 more lines"))
        let logs = try await lab.json("logs", "w1", "1")
        #expect(
            logs.first?["outputs"]?[0]?["lineCount"]?.int == 20_000 && logs.first?["outputs"]?[0]?["exit"]?.int == 1)
    }

    /// A failed step is read with its failure, both streams and its log, and the log by itself.
    @Test func aFailedStepIsReadWithItsFailureItsOutputsAndItsLog() async throws {
        let server = try Self.server(
            Self.shell("echo out; echo oh >&2; exit 127"), SSE.call("show_workflow", ["workflow": "w1"]),
            SSE.call("show_workflow", ["workflow": "w1", "step": "1"]),
            SSE.call("show_workflow", ["workflow": "w1", "output": "errors"]),
            SSE.call("show_workflow", ["workflow": "w1", "output": "log", "offset": 1]), Self.shell("true"),
            SSE.call("show_workflow", ["workflow": "w2", "output": "log"]))
        let lab = try Self.lab(server)
        #expect(try await lab.run("ask", "go on", "--on-ask", "deny").exit == 1)
        let results = Self.results(server)
        try #require(results.count == 7, "\(results)")
        let steps = [results[1]["result"]?["steps"]?[0], results[2]["result"]?["step"]]
        for (step, result) in zip(steps, results[1...2]) {
            #expect(step?["failure"]?["message"]?.string?.contains("exit code 127") == true, "\(result.text)")
            #expect(Self.output("text", of: result)?["content"]?.string == "out\n", "\(result.text)")
            #expect(Self.output("errors", of: result)?["content"]?.string == "oh\n", "\(result.text)")
        }
        #expect(results[3]["result"]?["content"]?.string == "oh\n", "\(results[3].text)")
        #expect(results[4]["result"]?["content"]?.string == "h\n", "\(results[4].text)")
        #expect(results[6]["error"]?["message"]?.string?.contains("has no log") == true, "\(results[6].text)")
    }

    /// A file that is read: the same.
    @Test func aLongFileIsReadOnByItsPlace() async throws {
        let server = try Self.server(
            SSE.call("call_tool", ["kind": "ReadFile", "params": ["path": "long.txt"]]),
            SSE.call("show_workflow", ["workflow": "w1", "output": "text", "offset": 20_000]))
        let lab = try Self.lab(server)
        try lab.write((1...20_000).map { "\($0)\n" }.joined(), to: "long.txt")
        #expect(try await lab.run("ask", "go on", "--on-ask", "deny").exit == 0)
        let results = Self.results(server)
        #expect(
            Self.output("text", of: try #require(results.first))?["cut"]?.string?.contains("of 108894") == true,
            "\(results)")
        #expect(
            results.last?["result"]?["from"]?.int == 20_000
                && results.last?["result"]?["content"]?.string?.isEmpty == false)
    }

    /// A command between others: its code and its errors are told, though its output is used by another step.
    @Test func theEndOfACommandWhoseOutputIsUsedIsTold() async throws {
        let plan = workflow(
            "found",
            [
                node("find", "Shell", ["command": "grep nothing notes.txt; echo oh >&2; exit 1"]),
                node("write", "WriteFile", ["path": "x.txt"]),
            ],
            [edge("find.text", "write.text")])
        let server = try Self.server(SSE.call("propose_workflow", plan))
        let lab = try Self.lab(server)
        let ending = try await lab.run("ask", "go on", "--on-ask", "deny")
        #expect(
            ending.exit == 0 && lab.text("x.txt") == "" && ending.output.contains("┆ oh"),
            "\(ending.output)\(ending.errors)")
        let result = try #require(Self.results(server).first)
        #expect(Self.output("errors", of: result)?["content"]?.string == "oh\n", "\(result.text)")
        let outputs = result["result"]?["outputs"]?.array ?? []
        #expect(outputs.contains { $0["step"]?.int == 1 && $0["exit"]?.int == 1 }, "\(result.text)")
    }

    // MARK: Hostile and private

    /// What a command prints goes through what cuts control characters, whether it succeeds or fails.
    @Test(arguments: [0, 1, 127]) func controlsDoNotPass(code: Int) async throws {
        let say = "printf '\\033]0;owned\\007plain words\\n'"
        let server = try Self.server(Self.shell("\(say); \(say) >&2; exit \(code)"))
        let lab = try Self.lab(server)
        let ending = try await lab.run("ask", "go on", "--on-ask", "deny")
        let logs = try await lab.run("logs", "w1", "1")
        for text in [ending.output, ending.errors, logs.output] {
            #expect(!text.contains("\u{1B}]0") && !text.contains("\u{7}"), "\(text)")
        }
        #expect(logs.output.contains("plain words"), "\(logs.output)")
        let request = try #require(server.requests.last?.text)
        #expect(request.contains("plain words") && !request.contains("\u{1B}"), "\(request.suffix(600))")
    }

    /// Output with a key is not kept, whichever stream it is on and however the command ends.
    @Test(arguments: ["", " >&2"], [0, 1, 127]) func outputWithAKeyIsNotKept(stream: String, code: Int) async throws {
        let key = "ghp_" + String(repeating: "aB3", count: 12)
        let server = try Self.server(
            Self.shell("echo \(key.prefix(10))\"\"\(key.dropFirst(10))\(stream); exit \(code)"))
        let lab = try Self.lab(server)
        let ending = try await lab.run("ask", "go on", "--on-ask", "deny")
        #expect(ending.exit == 1 && ending.output.contains("keyInOutput"), "\(ending.output)\(ending.errors)")
        let logs = try await lab.run("logs", "w1", "1")
        let request = try #require(server.requests.last?.text)
        #expect(request.contains("keyInOutput"), "\(request.suffix(600))")
        for text in [ending.output, ending.errors, logs.output, request] { #expect(!text.contains(key), "\(text)") }
    }

    @Test(arguments: [0, 1, 44]) func aCommandThatReadKeysTellsNoMoreThanWhetherItSucceeded(code: Int) async throws {
        let server = try Self.server(
            Self.shell("cat .env; cat .env >&2; exit \(code)", .init(key: "reads", value: [".env"])),
            SSE.call("show_workflow", ["workflow": "w1", "step": "1"]),
            SSE.call("show_workflow", ["workflow": "w1", "output": "errors"]),
            SSE.call("show_workflow", ["workflow": "w1", "output": "log"]))
        let lab = try Self.lab(server)
        try lab.write("KEY=hush-hush\n", to: ".env")
        let pty = try lab.terminal(["ask", "go on"], rows: 40)
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        let results = Self.results(server)
        #expect(results.count == 4, "\(results)")
        for result in results {
            #expect(!result.text.contains("hush"), "\(result.text)")
            #expect(!result.text.contains(#""exit":\#(code)"#) || code == 0, "\(result.text)")
            #expect(!result.text.contains(#""bytes":14"#), "\(result.text)")
        }
    }
}

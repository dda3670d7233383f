import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

/// The ten tools of a model, as the program performs them and as the model hears of them.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct HandsTests {
    /// Runs `ask` with one call in each reply, and returns what the model heard of each.
    private func heard(
        _ calls: [(String, JSON)], mode: String = "auto", files: [String: String] = [:]
    ) async throws -> (lab: ProgramLab, ending: ProgramEnding, results: [String]) {
        let replies = calls.map { ScriptAnswer.stream(SSE.call($0.0, $0.1)) } + [.stream(SSE.text("Done."))]
        let server = try ScriptedServer(replies)
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        for (name, text) in files {
            if let slash = name.lastIndex(of: "/") { try ScratchFolder.makeFolder(lab.path(String(name[..<slash]))) }
            try lab.write(text, to: name)
        }
        let ending = try await lab.run("ask", "do it", "--mode", mode)
        let results = server.requests.dropFirst().map { request in
            request.json?["messages"]?.array?.last?["content"]?.string ?? ""
        }
        return (lab, ending, results)
    }

    @Test func looksAreNoWorkflows() async throws {
        let (lab, ending, results) = try await heard(
            [
                ("list", [:]), ("read", ["path": "main.py", "from": 2]), ("search", ["text": "total"]),
                ("read", ["path": ".env"]),
            ], files: ["main.py": "one\ntotal = 2\n", ".env": "KEY=1\n"])
        let list = results[0]
        #expect(list.contains("main.py · 14 bytes") && list.contains("1 that may hold keys"), "\(list)")
        #expect(results[1] == "main.py · line 2 of 2\n   2\ttotal = 2\n")
        #expect(results[2].contains("main.py:2:total = 2") && results[3].contains("secretFile"))
        #expect(ending.exit == 0 && ending.output.contains("  read main.py · line 2 of 2"), "\(ending.output)")
        #expect(ending.output.contains("search “total”: 1 match") && !ending.output.contains("plan"))
        #expect(try await lab.run("list", "--json").output.isEmpty)
    }

    @Test func anEditIsCheckedAndItsResultNamesTheLines() async throws {
        let edits: JSON = [["path": "a.py", "find": "x = 1", "replace": "x = 2"]]
        let (lab, ending, results) = try await heard(
            [
                ("edit", ["edits": [["path": "a.py", "find": "y = 1", "replace": "y = 2"]]]),
                ("edit", ["edits": edits, "check": "grep -q 3 a.py"]),
                ("edit", ["edits": edits, "check": "cat a.py; touch made"]),
            ], files: ["a.py": "x = 1\n"])
        #expect(results[0].contains("The nearest lines are\\n1: x = 1"), "\(results[0])")
        #expect(results[1].contains("failed: The check ended with exit code 1, so nothing is changed."))
        let made = results[2]
        #expect(made.contains("edited, check: exit 0") && made.contains("-1\tx = 1\n+1\tx = 2"), "\(made)")
        #expect(lab.text("a.py") == "x = 2\n" && !lab.exists("made"))
        // An edit that does not fit is no workflow.
        #expect(ending.output.contains("edit a.py: does not fit"), "\(ending.output)")
        #expect(try await lab.run("list", "--json").output.split(separator: "\n").count == 2)
    }

    /// The answer beside the last call saves a request, but only if all was done as the model foresaw.
    @Test(arguments: [
        ("edit", #"{"edits": [{"path": "a.py", "text": "x = 2\n"}], "check": "grep 2 a.py"}"#, true),
        ("edit", #"{"edits": [{"path": "a.py", "text": "x = 2\n"}], "check": "grep 3 a.py"}"#, false),
        ("run", #"{"command": "echo x > new.txt"}"#, true),
        ("run", #"{"command": "echo x > new.txt; exit 3"}"#, false),
        ("run", #"{"command": "echo x > ~/new.txt"}"#, false),
        ("run", #"{"command": "sleep 6", "seconds": 1}"#, false),
        (
            "workflow",
            #"{"steps": [{"id": "w", "kind": "WriteFile", "params": {"text": "x", "path": "b.py"}}]}"#, true
        ),
        // The name is taken, so the file gets another one.
        (
            "workflow",
            #"{"steps": [{"id": "w", "kind": "WriteFile", "params": {"text": "x", "path": "a.py"}}]}"#, false
        ),
        ("workflow", #"{"steps": [{"id": "w", "kind": "Shell", "params": {"command": "exit 3"}}]}"#, false),
        (
            "workflow",
            #"{"steps": [{"id": "w", "kind": "WriteFile", "params": {"text": "x", "path": "./c//d.txt"}}]}"#, true
        ),
        // Nobody is there who may agree to the template.
        (
            "workflow",
            #"{"steps": [{"id": "w", "kind": "WriteFile", "params": {"text": "x", "path": "b.py"}}], "keep_as": "t"}"#,
            false
        ),
        ("run", #"{"command": "echo x > /opt/beside.txt; echo ok"}"#, false),
        ("run", #"{"command": "echo x > b.txt; cat nothing; true"}"#, false),
        ("run", #"{"command": "echo 'Ran 3 tests: OK' >&2"}"#, true),
        // What such kinds found and did, only their results say.
        (
            "workflow",
            #"{"steps": [{"id": "r", "kind": "ReplaceText", "params": {"find": "z", "replacement": "y"}, "in": {"text": "file:a.py"}}, {"id": "w", "kind": "WriteFile", "params": {"path": "b.py"}, "in": {"text": "r.text"}}]}"#,
            false
        ),
        (
            "workflow",
            #"{"steps": [{"id": "m", "kind": "CopyFolder", "params": {"from": "f", "to": "g"}}]}"#, false
        ),
    ])
    func anAnswerBesideTheCallIsShownIfAllIsDone(tool: String, arguments: String, isShown: Bool) async throws {
        var call = try #require(try JSONReader.read(arguments).object)
        call["then_say"] = "It is all done."
        let files = ["a.py": "x = 1\n", "f/one.txt": "1", "g/two.txt": "2"]
        let (_, ending, results) = try await heard([(tool, .object(call))], files: files)
        #expect(results.isEmpty == isShown, "\(results)")
        #expect(ending.output.contains("It is all done.") == isShown, "\(ending.output)")
        #expect(ending.output.contains("\nDone.") != isShown, "\(ending.output)")
        #expect(results.allSatisfy { $0.contains("Your then_say was not shown") }, "\(results)")
    }

    @Test func aCommandSaysHowItEndedAndWhatItChanged() async throws {
        let (lab, _, results) = try await heard([
            ("run", ["command": "seq 1 5000; echo bad >&2; echo x > new.txt; exit 3"]),
            ("read", ["path": "w1.1.text", "from": 4999]),
        ])
        let result = results[0]
        #expect(result.hasPrefix("w1 exit 3 in ") && result.contains("\nchanged: created new.txt\n"), "\(result)")
        #expect(result.contains("left out: read {\"path\": \"w1.1.text\", \"from\": ") && result.contains("\n5000\n"))
        #expect(result.contains("errors:\nbad\n") && result.utf8.count < 14_000)
        #expect(results[1] == "w1.1.text · lines 4999 to 5000 of 5000\n4999\t4999\n5000\t5000\n")
        #expect(lab.text("new.txt") == "x\n")
    }

    /// A command that was rehearsed has run before its step is carried out.
    @Test func aStepTakesTheTimeOfItsCommand() async throws {
        let (_, ending, _) = try await heard([("run", ["command": "sleep 1.2; echo x > y.txt"])])
        #expect(ending.output.contains("✓ Shell ") && !ending.output.contains("✓ Shell 0."), "\(ending.output)")
    }

    /// After its seconds a command goes on. Meanwhile nothing else that acts is begun, and `wait` hears the end.
    @Test func aLongCommandGoesOnAndIsWaitedFor() async throws {
        let (lab, ending, results) = try await heard([
            ("run", ["command": "echo begun; until [ -e go ]; do sleep 0.05; done; echo > late.txt", "seconds": 15]),
            ("run", ["command": "true"]), ("edit", ["edits": [["path": "b.txt", "text": "b"]]]),
            ("workflow", ["workflow": "w1", "do": "cancel"]), ("wait", ["workflow": "w1"]),
            ("run", ["command": "echo after"]),
        ])
        #expect(results[0].hasPrefix("w1 is still running after 15 s") && results[0].contains("begun"), "\(results[0])")
        #expect(results[1].contains("workspaceBusy") && results[2].contains("workspaceBusy"))
        #expect(results[4].hasPrefix("w1 failed") || results[4].contains("cancel"), "\(results[4])")
        #expect(results[5].contains("output:\nafter") && !lab.exists("late.txt") && !lab.exists("b.txt"))
        #expect(ending.output.contains("Done."))
    }

    /// What the model did not wait for is waited for at the end, since it would end with the process.
    @Test func aCommandThatTheModelLeavesIsNotCut() async throws {
        let (lab, ending, results) = try await heard([
            ("run", ["command": "sleep 6; echo x > late.txt", "seconds": 1])
        ])
        #expect(results[0].contains("still running after 1 s") && lab.text("late.txt") == "x\n" && ending.exit == 0)
    }

    @Test func stepsRunAndANumberMayBeAText() async throws {
        let (lab, _, results) = try await heard(
            [
                (
                    "workflow",
                    [
                        "name": "words",
                        "steps": [
                            [
                                "id": "a", "kind": "ReplaceText", "params": ["find": "one", "replacement": "two"],
                                "in": ["text": "file:a.txt"],
                            ],
                            ["id": "b", "kind": "TakeLines", "params": ["count": "1"], "in": ["text": "a"]],
                            ["id": "c", "kind": "WriteFile", "params": ["path": "b.txt"], "in": ["text": "b.text"]],
                        ],
                    ]
                ),
                ("workflow", ["steps": [["id": "a", "kind": "ReplaceTexts"]]]),
            ], files: ["a.txt": "one\nthree\n"])
        #expect(lab.text("b.txt")?.hasPrefix("two") ?? false, "\(results)")
        #expect(results[1].contains("Near are ReplaceText"))
    }

    /// In a workflow a command that fails stops what stands behind it. A command alone only says its exit code.
    @Test func aFailedCommandStopsWhatFollowsInAWorkflow() async throws {
        let steps: JSON = [
            ["id": "a", "kind": "Shell", "params": ["command": "echo begun; exit 3"]],
            ["id": "b", "kind": "Shell", "params": ["command": "echo done > b.txt"], "after": ["a"]],
            ["id": "ok", "kind": "Approve", "params": ["question": "Go on?"], "in": ["text": "a.text"]],
        ]
        let (lab, ending, results) = try await heard([("workflow", ["name": "n", "steps": steps])])
        #expect(!lab.exists("b.txt") && ending.exit == 1, "\(ending.output)")
        #expect(results[0].contains("Step 1 (a): ") && results[0].contains("begun"), "\(results[0])")
        #expect(try await lab.json("inbox").isEmpty)
    }

    /// The repository's own name counts more than the one of the person's settings.
    @Test func aCommitHasTheNameOfTheRepository() async throws {
        let server = try ScriptedServer([
            .stream(SSE.call("run", ["command": "git commit -qm x && git log -1 --format='%an %ae'"])),
            .stream(SSE.text("Done.")),
        ])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        try lab.write(
            "[user]\n\tname = Global\n\temail = global@example.org\n", to: "\(lab.folder)/../person/.gitconfig")
        try lab.write("a\n", to: "a.txt")
        #expect(try await lab.tool("git", "init", "-q").exit == 0)
        #expect(try await lab.tool("git", "config", "user.name", "Ada Example").exit == 0)
        #expect(try await lab.tool("git", "add", "a.txt").exit == 0)
        let pty = try lab.terminal(["ask", "commit it", "--mode", "auto"], columns: 100)
        _ = await pty.see { $0.text.contains("[y]") || $0.text.contains("Done.") }
        if pty.screen.text.contains("[y]") { pty.send("y\r") }
        _ = await pty.exitStatus()
        let result = server.requests.last?.json?["messages"]?.array?.last?["content"]?.string ?? ""
        #expect(result.contains("Ada Example global@example.org"), "\(result)")
    }

    @Test func aQuestionOfTheModelWaitsInTheInbox() async throws {
        let choices: JSON = [["label": "red", "leads_to": "a red door"], "blue"]
        let (lab, ending, _) = try await heard([("ask_person", ["question": "Which colour?", "choices": choices])])
        #expect(ending.exit == 3)
        let inbox = try await lab.run("inbox").output
        #expect(inbox.contains("Which colour?") || inbox.contains("Choose"), "\(inbox)")
    }

    /// In always-ask mode a look asks, as everything does.
    @Test func aLookAsksInAlwaysAskMode() async throws {
        let (lab, ending, _) = try await heard(
            [("read", ["path": "a.txt"])], mode: "always-ask", files: ["a.txt": "secret words\n"])
        #expect(ending.exit == 3 || ending.exit == 0)
        #expect(!ending.output.contains("secret words"), "\(ending.output)")
        #expect(try await lab.run("inbox").output.contains("read"))
    }
}

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A command is judged by what it would change, and brings about exactly that.
@Suite(.process, .enabled(if: Rehearsals.areHere)) struct RehearsedCommandTests {
    private func lab(_ command: String) throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(command)])]), to: ".command.json")
        return lab
    }

    @Test(arguments: [
        "ls -la", "cat notes.txt; wc notes.txt", "grep -r milk .", "find . -name '*.txt' | sort",
        "true > /tmp/x; echo ok",
    ])
    func whatChangesNothingPassesUnasked(command: String) async throws {
        let lab = try lab(command)
        let ending = try await lab.run("run", ".command.json", "--on-ask", "deny", "--json")
        expectEvents(ending, exit: 0)
    }

    @Test(
        arguments: [
            ("adaptive", "echo hi > new.txt", 0), ("adaptive", "mv notes.txt todo.txt", 0),
            ("adaptive", "echo more >> notes.txt", 4),
            ("adaptive", "rm notes.txt", 4), ("adaptive", "chmod 600 notes.txt", 4), ("auto", "rm notes.txt", 0),
            ("always-ask", "ls", 4),
        ] as [(String, String, Int32)])
    func whatChangesIsJudgedAsByAFileTool(mode: String, command: String, exit: Int32) async throws {
        let lab = try lab(command)
        let before = lab.names()
        let ending = try await lab.run("run", ".command.json", "--mode", mode, "--on-ask", "deny")
        #expect(ending.exit == exit, "\(ending.output) \(ending.errors)")
        let isSame = lab.names() == before && lab.text("notes.txt") == "buy milk\n"
        #expect(isSame == (exit == 4))
    }

    /// What runs later, or instructs others, asks in every mode (M1).
    @Test(
        arguments: ["adaptive", "auto"],
        [
            "Makefile", "docs/.git/config", ".git/hooks/post-commit", ".git/info/attributes", ".gitmodules", ".envrc",
            ".bashrc",
            "conftest.py",
            "sitecustomize.py", ".npmrc", ".vscode/tasks.json", ".github/workflows/ci.yml", ".pre-commit-config.yaml",
            ".mcp.json",
            "AGENTS.md",
            "CLAUDE.md", ".ssh/authorized_keys", "deep/down/package.json", "mise.toml", ".mocharc.js", "build.ninja",
            ".venv/bin/activate",
        ]) func whatRunsLaterIsAskedFor(mode: String, path: String) async throws
    {
        let lab = try lab("mkdir -p \"$(dirname \(path))\" && echo x > \(path)")
        #expect(try await lab.run("run", ".command.json", "--mode", mode, "--on-ask", "deny").exit == 4)
        try lab.write(
            workflow("file", [node("write", "WriteFile", ["path": .string(path), "text": "x"])]), to: ".file.json")
        let file = try await lab.run("run", ".file.json", "--mode", mode, "--on-ask", "deny")
        #expect(file.exit == 4 && file.said.contains("it will run later"), "\(file.output)")
        #expect(!lab.exists(path))
    }

    /// A program is started by its name or by an event, and the user's `PATH` decides where.
    @Test(
        arguments: [
            ("programs", 0o755, 4), ("programs", 0o644, 0), ("hooks", 0o755, 4), ("hooks", 0o644, 0), ("bin", 0o755, 0),
        ] as [(String, Int, Int32)])
    func anExecutableIsAskedForInAFolderOfPrograms(folder: String, mode: Int, exit: Int32) async throws {
        let lab = try lab("echo x > \(folder)/tool.py && chmod \(String(mode, radix: 8)) \(folder)/tool.py")
        for folder in ["programs", "hooks", "bin"] { try ScratchFolder.makeFolder(lab.path(folder)) }
        let ending = try await lab.run(
            "run", ".command.json", "--mode", "auto", "--on-ask", "deny",
            environment: ["PATH": "/usr/bin:/bin:\(lab.folder)/programs/"])
        #expect(ending.exit == exit, "\(ending.output) \(ending.errors)")
        #expect(lab.exists("\(folder)/tool.py") == (exit == 0))
    }

    /// What a reader of the source tried.
    @Test(arguments: [
        "mkdir -p h .git && ln -s ../h .git/hooks", "mkdir v && ln -s v .vscode", "ln -s /root/.bashrc link.txt",
        "ln -s ../../x link.txt",
        "mkdir -p s/.git/objects s/.git/refs; echo x > s/.git/HEAD", "echo 'gitdir: g' > .git", "mv AGENTS.md a.md",
        "mkdir .assent; echo x > .assent/policy.yaml",
        "ln -s x .assent", "mkdir -p a/.claude/skills/x && echo x > a/.claude/skills/x/run.sh",
    ]) func waysAroundAreAskedForOrRefused(command: String) async throws {
        let lab = try lab("rm -rf .git; \(command)")
        try lab.write("Do this.", to: "AGENTS.md")
        let before = lab.names()
        #expect(
            try await lab.run("run", ".command.json", "--mode", "auto", "--on-ask", "deny").exit != 0
                || command.contains("link.txt"))
        #expect(try await lab.run("run", ".command.json", "--on-ask", "deny").exit != 0)
        #expect(lab.names().filter { $0 != "link.txt" } == before)
    }

    @Test func keysBehindOtherNamesAreNotSeen() async throws {
        let lab = try lab("cat hard.txt link.txt prod.env; cat .env; echo end")
        try lab.write("SECRET", to: ".env")
        try lab.write("SECRET", to: "prod.env")
        #expect(link(lab.path(".env"), lab.path("hard.txt")) == 0)
        #expect(symlink(".env", lab.path("link.txt")) == 0 && symlink("/nowhere", lab.path("other.p12")) == 0)
        let ending = try await lab.run("run", ".command.json", "--on-ask", "deny")
        #expect(ending.exit == 0 && !ending.output.contains("SECRET"), "\(ending.output)")
        #expect(lab.exists("other.p12") == false && lab.text(".env") == "SECRET")
    }

    @Test func aYesAppliesWhatWasRehearsedAndRunsNothingAgain() async throws {
        // What a second run would write is something else.
        let lab = try lab("date +%N > notes.txt; cat notes.txt")
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        #expect(lab.text("notes.txt") == "buy milk\n")
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try await lab.succeeds("approve", "1", "--digest", digest)
        try await lab.succeeds("work", "--until-idle")
        let (shown, now) = (try await lab.run("show", "w1", "1").output, try #require(lab.text("notes.txt")))
        #expect(now != "buy milk\n" && now.count == 10)
        #expect(try await lab.json("show", "w1").contains { $0.text.contains("succeeded") }, "\(shown)")
    }

    @Test(arguments: ["notes.txt", "other.txt"]) func whatOthersChangeBetweenIsNotReplaced(file: String) async throws {
        let lab = try lab("echo more >> notes.txt; test -e other.txt || echo x > other.txt")
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        let digest = try #require(try await lab.json("inbox").first?["digest"]?.string)
        try lab.write("mine\n", to: file)
        // It is rehearsed anew, and that is asked.
        #expect(try await lab.run("approve", "1", "--digest", digest).exit == 3)
        #expect(lab.text(file) == "mine\n")
        #expect(try await lab.json("inbox").first?["number"]?.int == 2)
    }

    @Test func aNoChangesNothing() async throws {
        let lab = try lab("rm notes.txt")
        #expect(try await lab.run("run", ".command.json", "--on-ask", "park").exit == 3)
        try await lab.succeeds("reject", "1", "keep it")
        #expect(try await lab.run("work", "--until-idle").exit == 4)
        #expect(lab.text("notes.txt") == "buy milk\n")
    }

    /// One at a time in a folder, whichever process they are of.
    @Test func whoWaitsForAnotherCommandInItsFolderSaysSo() async throws {
        let lab = try lab("sleep 3600")
        try lab.write(workflow("second", [node("run", "Shell", ["command": "echo hi"])]), to: ".second.json")
        let first = try lab.start(["run", ".command.json"])
        #expect(
            try await eventually { try await lab.json("show", "w1").contains { $0.text.contains("\"rehearsal\"") } })
        let second = try lab.start(["run", ".second.json"])
        #expect(
            try await eventually {
                try await lab.json("show", "w2").contains { $0.text.contains("waitingForWorkspace") }
            })
        try await lab.succeeds("cancel", "w1")
        #expect(try await onOwnThread { second.wait().exit } == 0)
        _ = try await onOwnThread { first.wait() }
    }

    /// Killed in the middle of the rehearsal: nothing has happened, and it is rehearsed again.
    @Test func aRehearsalThatWasCutIsDoneAgain() async throws {
        let lab = try lab("echo hi > new.txt; test -e \"$PWD/go\" || sleep 3600")
        let process = try lab.start(["run", ".command.json"])
        #expect(try await eventually { try await lab.json("show", "w1").contains { $0.text.contains("rehears") } })
        kill(process.pid, SIGKILL)
        _ = try await onOwnThread { process.wait() }
        #expect(!lab.exists("new.txt"))
        try lab.write("", to: "go")
        try await lab.succeeds("work", "--until-idle")
        #expect(lab.text("new.txt") == "hi\n")
    }

    @Test func whatMayHoldKeysIsNotSeen() async throws {
        let lab = try lab("cat .env keys/id_rsa deep/down/server.p12; ls -A keys; echo end")
        for (folder, file) in [("", ".env"), ("keys", "keys/id_rsa"), ("deep/down", "deep/down/server.p12")] {
            if !folder.isEmpty { #expect(mkdir(lab.path("deep"), 0o700) == 0 || errno == EEXIST) }
            if !folder.isEmpty { #expect(mkdir(lab.path(folder), 0o700) == 0 || errno == EEXIST) }
            try lab.write("SECRET", to: file)
        }
        let ending = try await lab.run("run", ".command.json", "--on-ask", "deny", "--json")
        expectEvents(ending, exit: 0)
        #expect(!ending.output.contains("SECRET"))
        #expect(try await lab.run("logs", "w1", "1").output.contains("SECRET") == false)
    }
}

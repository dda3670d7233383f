import CaseNames
import Harness
import JSON
import Testing

/// What Assent ran decides nothing for the person (`consent.md` guarantee 2).
@Suite(.process) struct OwnChildTests {
    /// The limit by which such processes are known, set as `CProcess` sets it.
    private static let mark = ["--rttime=71826135141972:71826135141972"]

    private func lab() async throws -> (ProgramLab, digest: String) {
        let lab = try ProgramLab()
        try lab.write("buy milk\n", to: "notes.txt")
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        return (lab, try #require(try await lab.json("inbox").first?["digest"]?.string))
    }

    private func marked(_ lab: ProgramLab, _ arguments: [String]) async throws -> ProgramEnding {
        let process = try lab.start(program: "/usr/bin/prlimit", Self.mark + [ProgramLab.program] + arguments)
        return try await onOwnThread { process.wait() }
    }

    @Test func noVerbDecidesForIt() async throws {
        let (lab, digest) = try await lab()
        for words in [
            ["approve", "1", "--digest", digest], ["reject", "1"], ["complete", "1"], ["skip", "1"], ["open", "1"],
            ["release", "w1"],
            ["mode", "auto", "--always"], ["mode", "always-ask"], ["import", "x.zip"], [], ["rerun", "w1"],
            ["retry", "w1"],
            ["edit", "w1"],
            ["duplicate", "w1"], ["cancel", "w1"], ["delete", "w1"], ["snooze", "1"], ["resume", "w1"],
            ["cache", "free"],
            ["poll", "w1", "on"], ["ask", "-c", "hello"], ["ask", "--session", "s1", "hello"],
            ["history", "rename", "s1", "x"],
            ["model", "built-in"], ["hosts", "allow", "example.com"], ["hosts", "revoke", "example.com"],
            ["programs", "allow", "~/bin"],
            ["undo", "w1"],
            ["undo", "--yes"],
            ["redo"], ["ask", "undo w1"], ["archive", "w1"], ["unarchive", "w1"], ["pin", "w1", "a.b=1"],
            ["unpin", "w1.1.1.text"],
            ["history", "delete", "s1", "--yes"], ["doctor"], ["doctor", "--repair"], ["connect", "openai"],
            ["model", "test"],
            ["edit", "w1", "--set", "1.a=b"], ["pause", "w1"],
            ["save", "w1", "x.txt"], ["open-with", "w1", "cat"], ["copy", "w1"],
        ] {
            let ending = try await marked(lab, words)
            #expect(
                ending.exit == 4 && ending.errors.contains("notByChild"), "\(words): \(ending.exit) \(ending.errors)")
        }
        #expect(try await marked(lab, ["mode"]).exit == 0)
        #expect(try await marked(lab, ["hosts"]).exit == 0)
        for words in [["cache"], ["cache", "free", "--dry-run"], ["pin"], ["undo", "w1", "--dry-run"]] {
            #expect(try await marked(lab, words).errors.contains("notByChild") == false, "\(words) only looks")
        }
        #expect(try await marked(lab, ["inbox"]).output.contains("move"))
        #expect(try await lab.json("inbox").count == 1)
        #expect(lab.exists("notes.txt"))
        #expect(try await lab.run("approve", "1", "--digest", digest).exit == 0)
    }

    @Test func whatItStartsIsDecidedAsForNobody() async throws {
        let (lab, _) = try await lab()
        #expect(try await marked(lab, ["run", ".move.json", "--mode", "auto", "--on-ask", "inline"]).exit == 3)
        #expect(lab.exists("notes.txt"))
    }

    /// The Makefile of B1, and its cousins: what a person lets run on the bare machine answers nothing.
    @Test(arguments: [
        "@A mode auto --always >/dev/null 2>&1; echo tests passed",
        "@env -i HOME=$(HOME) ASSENT_HOME=$(ASSENT_HOME) A mode auto --always >/dev/null 2>&1; echo tests passed",
        "@(setsid sh -c 'A approve 1 --digest D; echo $$? > done' >/dev/null 2>&1 &); until test -s done; do sleep 0.05; done; echo tests passed",
        "@(setsid setsid sh -c '(A approve 1 --digest D; echo $$? > done) &' >/dev/null 2>&1 &); until test -s done; do sleep 0.05; done; echo tests passed",
        "@printf 'approve\\n' | script -qec 'A approve 1' /dev/null >/dev/null 2>&1; echo tests passed",
    ]) func aMakefileAnswersNothing(line: String) async throws {
        let (lab, digest) = try await lab()
        let recipe = line.replacing("A ", with: "ASSENT_HOME=\(lab.home) \(ProgramLab.program) ").replacing(
            "--digest D", with: "--digest \(digest)")
        try lab.write("test:\n\t\(recipe)\n", to: "Makefile")
        try lab.write(
            workflow("tests", [node("run", "Shell", ["command": "make test", "bare": true])]), to: ".tests.json")
        let pty = try lab.terminal(["run", ".tests.json"])
        #expect(await pty.seeQuestion("on the bare machine"), "\(pty.screen.text)")
        pty.send("make\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.screen.text.contains("tests passed"), "\(pty.screen.text)")
        #expect(try await lab.json("inbox").count == 1)
        #expect(lab.exists("notes.txt"))
        #expect(try await lab.json("mode").first?["mode"] == "adaptive")
    }
}

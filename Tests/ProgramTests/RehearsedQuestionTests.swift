import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The question for what a command would change, at a terminal.
@Suite(.process) struct RehearsedQuestionTests {
    private func lab(_ command: String) throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("buy milk\ncall Ana\n", to: "notes.txt")
        try lab.write("old\n", to: "other.txt")
        try lab.write(workflow("command", [node("run", "Shell", ["command": .string(command)])]), to: ".command.json")
        return lab
    }

    @Test func aTextIsComparedLineByLine() async throws {
        let lab = try lab("sed -i s/milk/'oat milk'/ notes.txt")
        let pty = try lab.terminal(["run", ".command.json"])
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        let rows = pty.screen.text
        #expect(
            rows.contains("┆ - buy milk") && rows.contains("┆ + buy oat milk") && rows.contains("┆   call Ana"),
            "\(rows)")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "buy oat milk\ncall Ana\n")
    }

    /// A pipe that a command deletes cannot be made again by undo: its name is typed, and `show` says so.
    @Test func theDeletionOfAPipeCannotBeUndone() async throws {
        let lab = try lab("rm pipe; echo more >> notes.txt")
        #expect(mkfifo(lab.path("pipe"), 0o600) == 0)
        let pty = try lab.terminal(["run", ".command.json"])
        #expect(await pty.seeQuestion("type pipe to go on"), "\(pty.screen.text)")
        pty.send("pipe\r")
        #expect(await pty.exitStatus() == 0 && !lab.exists("pipe"), "\(pty.screen.text)")
        let shown = try await lab.run("show", "w1").said.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(shown.contains("1 change can be undone until"), "\(shown)")
        #expect(shown.contains("1 change cannot be undone: pipe was a pipe, a socket or a device"), "\(shown)")
        let refused = try await lab.run("undo", "w1")
        #expect(
            refused.exit == 4 && refused.errors.contains("pipe was a pipe, a socket or a device"), "\(refused.said)")
        let partial = try await lab.run("undo", "w1", "--partial")
        #expect(partial.exit == 0 && lab.text("notes.txt") == "buy milk\ncall Ana\n", "\(partial.said)")
    }

    /// What was chosen is asked about by itself, and only that comes about.
    @Test func aPartOfItIsTakenAndAskedAnew() async throws {
        let lab = try lab("echo more >> notes.txt; echo new > other.txt; mkdir deep; echo x > deep/Makefile")
        let pty = try lab.terminal(["run", ".command.json"], rows: 60)
        #expect(await pty.seeQuestion("[s] a part of it"), "\(pty.screen.text)")
        pty.send("s\r")
        #expect(await pty.seeQuestion("numbers such as 1,3-5"), "\(pty.screen.text)")
        pty.send("9\r")
        #expect(await pty.seeQuestion("Numbers from 1 to"), "\(pty.screen.text)")
        let row = try #require(
            pty.screen.lines.first {
                $0.contains("overwrites") && $0.contains("notes.txt") && $0.first { $0 != " " }?.isNumber == true
            })
        pty.send("\(row.split(separator: " ")[0])\r")
        #expect(
            await pty.seeQuestion {
                $0.text.contains("[y] yes") && !$0.text.contains("[s]") || $0.text.components("[y] yes") > 1
            },
            "\(pty.screen.text)")
        #expect(lab.text("notes.txt") == "buy milk\ncall Ana\n")
        pty.send("y\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(
            lab.text("notes.txt") == "buy milk\ncall Ana\nmore\n" && lab.text("other.txt") == "old\n"
                && !lab.exists("deep"))
        let answers = try await lab.json("inbox", "--all").compactMap { $0["resolution"]?.string }
        #expect(answers.sorted() == ["approved", "narrowed"], "\(answers)")
    }

    /// A long command is seen whole before its name counts.
    @Test func whatWasCutIsSeenBeforeTheWordCounts() async throws {
        let lab = try ProgramLab()
        let command = (1...120).map { "true \($0)\n" }.joined() + "touch done"
        try lab.write(
            workflow("bare", [node("run", "Shell", ["command": .string(command), "bare": true])]), to: ".bare.json")
        let pty = try lab.terminal(["run", ".bare.json"], rows: 200)
        #expect(await pty.seeQuestion("type details first"), "\(pty.screen.text)")
        pty.send("bare\r")
        #expect(await pty.seeQuestion("is none of them"), "\(pty.screen.text)")
        #expect(!lab.exists("done"))
        pty.send("details\r")
        #expect(await pty.seeQuestion("type bare to go on"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("true 60"))
        pty.send("bare\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(lab.exists("done"))
    }
}

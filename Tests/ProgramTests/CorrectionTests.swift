import CaseNames
import Harness
import Testing

/// A correction of the last order undoes it only after a yes that says so.
@Suite(.process) struct CorrectionTests {
    @Test(arguments: [
        (key: "y\r", files: ["a-1.txt": "1\n2\n3\n"], said: "w3 · /show w3"),
        (key: "k\r", files: ["a-1.txt": "1\n2\n", "a-2.txt": "1\n2\n3\n"], said: "w2 · /show w2"),
        (key: "n", files: ["a-1.txt": "1\n2\n"], said: "Nothing was changed."),
        (key: "\u{1B}", files: ["a-1.txt": "1\n2\n"], said: "Nothing was changed."),
    ]) func theLastOrderIsUndoneOnlyAfterAYes(key: String, files: [String: String], said: String) async throws {
        let lab = try ProgramLab()
        try lab.write("1\n2\n3\n4\n", to: "a.txt")
        let pty = try lab.terminal([])
        #expect(await pty.see("›"))
        pty.send("keep the first 2 lines of a.txt\r")
        #expect(
            await pty.see { $0.text.contains("a-1.txt") && $0.text.contains("w1 · /show w1") }, "\(pty.screen.text)")
        pty.send("no, 3\r")
        #expect(await pty.seeQuestion("[k] keep both"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("remove a-1.txt") && lab.text("a-1.txt") == "1\n2\n")
        pty.send(key)
        #expect(await pty.see { $0.text.contains(said) && $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        for name in ["a-1.txt", "a-2.txt"] { #expect(lab.text(name) == files[name], "\(name)") }
        #expect(lab.text("a.txt") == "1\n2\n3\n4\n")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// A refused line that is offered is sent by Enter, and asked about like any.
    @Test func anOfferedLineIsTheUsersOwnOrder() async throws {
        let lab = try ProgramLab()
        try lab.write("x\n", to: "empty.txt")
        let pty = try lab.terminal([])
        #expect(await pty.see("›"))
        pty.send("delte empty.txt\r")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "› delete empty.txt" }, "\(pty.screen.text)")
        #expect(lab.text("empty.txt") == "x\n")
        // An Enter that comes too soon does nothing.
        #expect(
            try await eventually {
                pty.send("\r")
                return pty.screen.text.contains("delete a file")
            })
        #expect(await pty.seeQuestion("delete a file"), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.seeQuestion("why not?"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see { $0.text.contains("cancelled") }, "\(pty.screen.text)")
        #expect(lab.text("empty.txt") == "x\n")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// A copy is a line that the user sends, and Esc drops it before.
    @Test func aDuplicateIsALineThatTheUserSends() async throws {
        let lab = try ProgramLab()
        try lab.write("b\na\n", to: "names.txt")
        try await lab.succeeds("ask", "sort names.txt")
        let pty = try lab.terminal([])
        #expect(await pty.see("›"))
        pty.send("/duplicate w1\r")
        #expect(await pty.see { $0.text.contains("› /run w1 --input") }, "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.see { $0.lines.last { !$0.isEmpty } == "›" }, "\(pty.screen.text)")
        #expect(try await lab.json("list").count == 1, "nothing has run")
        pty.send("/duplicate w1\r")
        #expect(
            try await eventually {
                pty.send("\r")
                return pty.screen.text.contains("w2 has begun")
            })
        #expect(await pty.see { $0.text.contains("names-2.txt") }, "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }
}

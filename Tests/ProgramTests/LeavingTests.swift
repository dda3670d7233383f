import CaseNames
import Harness
import JSON
import Testing

/// Leaving a chat says what is under way and what becomes of it.
@Suite(.process) struct LeavingTests {
    @Test func itSaysWhatBecomesOfEachWorkflow() async throws {
        let lab = try ProgramLab()
        try lab.write("old\n", to: "a.txt")
        let write = node("w", "WriteFile", ["path": "a.txt", "text": "new\n", "overwrite": true])
        try lab.write(workflow("note", [write], []), to: ".note.json")
        try lab.write(workflow("pause", [node("d", "Delay", ["seconds": 3600])], []), to: ".pause.json")
        _ = try await lab.run("run", ".note.json", "--on-ask", "park")
        let pty = try lab.terminal(columns: 100)
        #expect(await pty.see("›"))
        pty.send("/run .pause.json\r")
        #expect(await pty.see("pause"), "\(pty.screen.text)")
        #expect(try await eventually { try await lab.json("list").contains { $0["title"] == "pause" } })
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        let said = pty.screen.text
        #expect(said.contains("w1 \"note\": waits for you"), "\(said)")
        #expect(
            said.contains("w2 \"pause\": pauses until you come back, or until 'assent work' goes on with it"), "\(said)"
        )
    }

    /// A conversation that goes on shows how a workflow stands now.
    @Test func anOldStateIsNotShownAgain() async throws {
        let lab = try ProgramLab()
        try lab.write("old\n", to: "a.txt")
        let pty = try lab.terminal(columns: 100)
        #expect(await pty.see("›"))
        pty.send("delete a.txt\r")
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        pty.send("\u{1B}")
        #expect(await pty.see("w1 waits for you"), "\(pty.screen.text)")
        pty.send("/reject 1\r")
        #expect(await pty.see("1: no"), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        let next = try lab.terminal(["-c"], columns: 100)
        #expect(await next.see("goes on"), "\(next.screen.text)")
        #expect(await next.see("⊘ w1 cancelled"), "\(next.screen.text)")
        #expect(!next.screen.text.contains("w1 waiting"), "\(next.screen.text)")
        next.send("/quit\r")
        #expect(await next.exitStatus() == 0)
    }

    @Test func aChatWithNothingUnderWaySaysNothing() async throws {
        let lab = try ProgramLab()
        let pty = try lab.terminal(columns: 100)
        #expect(await pty.see("›"))
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
        #expect(!pty.screen.text.contains("pauses") && !pty.screen.text.contains("waits for you"))
    }
}

import CaseNames
import Harness
import JSON
import Testing

/// The news of a workflow that ends while nobody follows it: its title, and its file or the reason.
@Suite(.process) struct EndNewsTests {
    @Test(arguments: [
        (false, "✓ w1 \"note\" → ./a.txt"), (true, "✗ w1 \"note\" There is no file nothing. · 1 of 2 made · /why w1"),
    ])
    func itNamesTheFileOrTheReason(fails: Bool, news: String) async throws {
        let lab = try ProgramLab()
        try lab.write("old\n", to: "a.txt")
        let write = node("w", "WriteFile", ["path": "a.txt", "text": "new\n", "overwrite": true])
        let nodes = fails ? [write, node("r", "ReadFile", ["path": "nothing"])] : [write]
        try lab.write(workflow("note", nodes, []), to: ".note.json")
        _ = try await lab.run("run", ".note.json", "--on-ask", "park")
        let pty = try lab.terminal(columns: 100)
        #expect(await pty.see("›"))
        pty.send("/approve 1\r")
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.see(news), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }
}

import CaseNames
import Harness
import JSON
import Testing

/// The news of a workflow that ends while nobody follows it: its title, and its file or the reason.
@Suite(.process) struct EndNewsTests {
    @Test(arguments: [
        ("WriteFile", "/approve 1", "✓ w1 \"note\" → ./a.txt"),
        ("ReadFile", "/retry w1", "✗ w1 \"note\" There is no file nothing. · /retry w1"),
    ])
    func itNamesTheFileOrTheReason(kind: String, line: String, news: String) async throws {
        let lab = try ProgramLab()
        try lab.write("old\n", to: "a.txt")
        let params: JSON =
            kind == "ReadFile" ? ["path": "nothing"] : ["path": "a.txt", "text": "new\n", "overwrite": true]
        try lab.write(workflow("note", [node("n", kind, params)], []), to: ".note.json")
        _ = try await lab.run("run", ".note.json", "--on-ask", "park")
        let pty = try lab.terminal(columns: 100)
        #expect(await pty.see("›"))
        pty.send("\(line)\r")
        if kind == "WriteFile" {
            #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
            pty.send("y\r")
        }
        #expect(await pty.see(news), "\(pty.screen.text)")
        pty.send("/quit\r")
        #expect(await pty.exitStatus() == 0)
    }
}

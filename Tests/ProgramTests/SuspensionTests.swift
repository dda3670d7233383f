import CaseNames
import Glibc
import Harness
import Testing

/// Ctrl-Z and `fg`, in a shell with job control; and the person's own editor on the line.
@Suite(.process) struct SuspensionTests {
    private func shell(_ lab: ProgramLab, _ environment: [String: String] = [:]) throws -> Pty {
        let own = lab.environment.merging(["PS1": "$ ", "A": ProgramLab.program]) { $1 }.merging(environment) { $1 }
        return try Pty.spawn(
            "/bin/bash", ["--norc", "--noprofile", "-i"], environment: own, folder: lab.folder, columns: 120, rows: 40)
    }

    private func isAtPrompt(_ screen: PtyScreen, _ line: String = "›") -> Bool {
        screen.lines.last { !$0.isEmpty } == line
    }

    @Test func ctrlZStopsAndFgGoesOn() async throws {
        let lab = try ProgramLab()
        try lab.write("one two three\n", to: "notes.txt")
        let pty = try shell(lab)
        pty.send("\"$A\"\r")
        #expect(await pty.see { isAtPrompt($0) }, "\(pty.screen.text)")
        for round in 1...2 {
            pty.send("count the wo")
            #expect(await pty.see { isAtPrompt($0, "› count the wo") }, "\(pty.screen.text)")
            pty.send("\u{1A}")
            #expect(
                await pty.see { $0.text.components("Stopped") == round && isAtPrompt($0, "$") }, "\(pty.screen.text)")
            // It holds no lock meanwhile, and nobody calls its engine dead.
            #expect(try await lab.run("ask", "count the words in notes.txt").exit == 0)
            pty.send("fg\r")
            #expect(await pty.see { isAtPrompt($0, "› count the wo") }, "\(pty.screen.text)")
            pty.send("rds in notes.txt\r")
            #expect(await pty.see { $0.text.components("3 words") == round && isAtPrompt($0) }, "\(pty.screen.text)")
        }
        pty.send("exit\r")
        #expect(await pty.see { isAtPrompt($0, "$") }, "\(pty.screen.text)")
        pty.send("exit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    /// A question of a command is stopped and put again, with the letters that were typed.
    @Test func ctrlZStopsAtAQuestionOfACommand() async throws {
        let lab = try ProgramLab()
        try lab.write("guide: assent.guide/v1\nid: one\ntitle: One\nsteps: [{id: a, text: What?}]\n", to: "one.yaml")
        let pty = try shell(lab)
        pty.send("\"$A\" guide run one.yaml\r")
        #expect(await pty.see("1/1 What"), "\(pty.screen.text)")
        for round in 1...2 {
            pty.send("a")
            let typed = String(repeating: "a", count: round)
            #expect(
                await pty.see { $0.lines.last { !$0.isEmpty }?.hasSuffix(" \(typed)") == true }, "\(pty.screen.text)")
            pty.send("\u{1A}")
            #expect(
                await pty.see { $0.text.components("Stopped") == round && isAtPrompt($0, "$") }, "\(pty.screen.text)")
            pty.send("fg\r")
        }
        #expect(await pty.see { $0.lines.last { !$0.isEmpty }?.hasSuffix(" aa") == true }, "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see("back NUMBER answers a step again"), "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see { $0.text.contains("✓ One is complete") && isAtPrompt($0, "$") }, "\(pty.screen.text)")
        pty.send("exit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    @Test func ctrlXCtrlEOpensThePersonsEditorOnTheLine() async throws {
        let lab = try ProgramLab()
        try lab.write("one two three\n", to: "notes.txt")
        let editor = "\(lab.temporary)/editor"
        try ScratchFolder.write("#!/bin/sh\nsed -i s/wards/words/ \"$1\"\n", to: editor)
        chmod(editor, 0o700)
        let pty = try lab.terminal([], environment: ["VISUAL": editor], columns: 100)
        #expect(await pty.see { isAtPrompt($0) }, "\(pty.screen.text)")
        pty.send("count the wards in notes.txt\u{18}\u{5}")
        #expect(await pty.see { isAtPrompt($0, "› count the words in notes.txt") }, "\(pty.screen.text)")
        pty.send("\r")
        #expect(await pty.see { $0.text.contains("3 words") && isAtPrompt($0) }, "\(pty.screen.text)")
        pty.send("quit\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    /// The default has no mark; the others stand where the person types.
    @Test func theModeStandsInThePrompt() async throws {
        let lab = try ProgramLab()
        let pty = try lab.terminal([], columns: 100)
        #expect(await pty.see { isAtPrompt($0) }, "\(pty.screen.text)")
        pty.send("/mode always-ask\r")
        #expect(await pty.see { isAtPrompt($0, "always-ask ›") }, "\(pty.screen.text)")
        pty.send("/mode auto\r")
        #expect(await pty.seeQuestion("[y] yes"), "\(pty.screen.text)")
        pty.send("y\r")
        #expect(await pty.see { isAtPrompt($0, "auto ›") && $0.styleOfLastRow == "33" }, "\(pty.screen.text)")
        pty.send("/q\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }
}

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `settings`, `status` and the inputs of templates, through the program.
@Suite(.process) struct SettingsCommandTests {
    private let lab: ProgramLab
    private var file: String { "\(lab.home)/config/settings.yaml" }

    init() throws { lab = try ProgramLab() }

    private func setting(_ name: String) async throws -> JSON? {
        try await lab.run("settings", "--json").lines.first { $0["setting"]?.string == name }
    }

    @Test func aSettingIsShownSetAndPutBack() async throws {
        #expect(try await setting("slots.local")?["source"] == "default")
        let set = try await lab.run("settings", "slots.local", "3")
        #expect(set.exit == 0 && set.output.contains("line 2"), "\(set.said)")
        #expect(ScratchFolder.text(file) == "slots:\n  local: 3\n")
        #expect(try await setting("slots.local")?["value"] == "3")
        let refused = try await lab.run("settings", "slots.local", "none")
        #expect(refused.exit == 2 && refused.errors.contains("takes a number from 1"), "\(refused.said)")
        #expect(
            try await lab.run("settings", "slots.local", "--reset").exit == 0
                && ScratchFolder.text(file)?.hasPrefix("# Nothing here") == true)
        let unknown = try await lab.run("settings", "slot.local")
        #expect(unknown.exit == 2 && unknown.errors.contains("Did you mean slots.local?"), "\(unknown.said)")
    }

    /// To be asked less is confirmed at a terminal, by whichever verb.
    @Test(arguments: [["mode", "auto"], ["budget.workflow", "20"]])
    func noScriptIsAskedLess(words: [String]) async throws {
        let refused = try await lab.run(["settings"] + words)
        #expect(refused.exit == 4 && ScratchFolder.text(file) == nil, "\(refused.said)")
        let pty = try lab.terminal(["settings"] + words)
        #expect(await pty.seeQuestion("be asked less"), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.exitStatus() == 4 && ScratchFolder.text(file) == nil, "\(pty.screen.text)")
        let agreed = try lab.terminal(["settings"] + words)
        #expect(await agreed.seeQuestion("be asked less"), "\(agreed.screen.text)")
        agreed.send("y\r")
        #expect(await agreed.exitStatus() == 0, "\(agreed.screen.text)")
        #expect(ScratchFolder.text(file)?.contains(words[1]) == true)
        // To put it back asks no less.
        #expect(
            try await lab.run("settings", words[0], "--reset").exit == 0
                && ScratchFolder.text(file)?.hasPrefix("# Nothing here") == true)
    }

    /// The editor writes a fault, and then, asked for again, what is right.
    @Test func whatTheEditorLeavesIsCheckedBeforeItIsStored() async throws {
        try lab.write(
            "#!/bin/sh\nif grep -q slots \"$1\"; then echo 'mode: always-ask' > \"$1\"; else echo 'slots: {local: 0}' > \"$1\"; fi\n",
            to: "editor.sh")
        chmod(lab.path("editor.sh"), 0o700)
        let pty = try lab.terminal(
            ["settings", "--edit"], environment: ["EDITOR": lab.path("editor.sh")], columns: 100)
        #expect(await pty.seeQuestion("edit it again"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("settings.yaml:1") && ScratchFolder.text(file) == nil, "\(pty.screen.text)")
        pty.send("e\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(ScratchFolder.text(file) == "mode: always-ask\n")
        #expect(ScratchFolder.names(in: lab.temporary).isEmpty)
        let piped = try await lab.run("settings", "--edit", environment: ["EDITOR": lab.path("editor.sh")])
        #expect(
            piped.exit != 0 && piped.errors.contains("no terminal") && ScratchFolder.text(file) == "mode: always-ask\n",
            "\(piped.said)")
    }

    @Test func theChatShowsItsOwnModeAndWhereThingsStand() async throws {
        let pty = try lab.terminal([], columns: 100, rows: 40)
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send("/mode always-ask\r")
        #expect(await pty.see("always-ask ›"), "\(pty.screen.text)")
        pty.send("/settings mode\r")
        #expect(await pty.see("this session; else adaptive"), "\(pty.screen.text)")
        pty.send("/status\r")
        #expect(await pty.see("nothing waits for you"), "\(pty.screen.text)")
        #expect(pty.screen.text.contains("built-in planner"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// The mode of the chat is looser than the stored mode, so the stored mode decides.
    @Test func aLooserChatDoesNotHideThatLaterSessionsAreAskedLess() async throws {
        _ = try await lab.succeeds("settings", "mode", "always-ask")
        let pty = try lab.terminal(["--mode", "auto"], columns: 100, rows: 40)
        #expect(await pty.see("›"), "\(pty.screen.text)")
        pty.send("/mode adaptive --always\r")
        #expect(await pty.seeQuestion("be asked less"), "\(pty.screen.text)")
        pty.send("n")
        #expect(await pty.see("It stays at always-ask."), "\(pty.screen.text)")
        #expect(ScratchFolder.text(file) == "mode: always-ask\n")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func statusNamesWhatRunsAndWhatWaits() async throws {
        try ScratchFolder.write(
            workflow("text", [node("why", "AskText", ["question": "Why?"])]).text, to: "\(lab.temporary)/text.json")
        #expect(try await lab.run("run", "\(lab.temporary)/text.json").exit == 3)
        unlink("\(lab.temporary)/text.json")
        let status = try #require(try await lab.run("status", "--json").lines.first)
        #expect(
            status["waiting"]?.array?.count == 1 && status["running"] == 1 && status["mode"] == "adaptive", "\(status)")
        let words = try await lab.run("status").output
        #expect(words.contains("1 question: 1 (w1)") && words.contains("1 workflow"), "\(words)")
    }

    // MARK: Inputs of templates

    @Test func aMissingInputIsAskedForUntilAPictureIsNamed() async throws {
        try await lab.photograph("cat.jpg")
        try lab.write("words\n", to: "notes.txt")
        let listed = try await lab.run("templates")
        #expect(listed.output.contains("photo: image"), "\(listed.said)")
        let pty = try lab.terminal(["run", "thumbnail"], columns: 100, rows: 40)
        #expect(await pty.seeQuestion("photo: which picture?"), "\(pty.screen.text)")
        pty.send("nothing.jpg\r")
        #expect(await pty.see("nothing.jpg"), "\(pty.screen.text)")
        #expect(await pty.seeQuestion("photo: which picture?"), "\(pty.screen.text)")
        pty.send("notes.txt\r")
        #expect(await pty.see("notes.txt is no picture"), "\(pty.screen.text)")
        pty.send("'cat.jpg'\r")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(lab.names().count == 3, "\(lab.names())")
    }

    @Test func whoLeavesStartsNothing() async throws {
        let pty = try lab.terminal(["run", "thumbnail"])
        #expect(await pty.seeQuestion("photo: which picture?"), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(await pty.exitStatus() == 2, "\(pty.screen.text)")
        let piped = try await lab.run("run", "thumbnail")
        #expect(piped.exit == 2 && piped.errors.contains("--input photo=FILE"), "\(piped.said)")
        #expect(try await lab.run("list", "--json").output == "")
    }
}

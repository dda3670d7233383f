import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `save`, `open-with` and `copy`: what the user does with a result outside of any workflow; and pictures, pages and
/// comparisons of `view`.
@Suite(.process) struct SavingTests {
    private func labWithNote() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(CommandTests.note, to: ".note.json")
        expectEvents(try await lab.run("run", ".note.json", "--json"), exit: 0)
        return lab
    }

    @Test func aResultIsSavedOnce() async throws {
        let lab = try await labWithNote()
        #expect(try await lab.run("save", "w1", "copy.txt").exit == 0)
        #expect(ScratchFolder.text(lab.path("copy.txt")) == "hello")
        let again = try await lab.run("save", "w1", "copy.txt")
        #expect(again.exit != 0 && again.errors.contains("(targetExists)"), "\(again.errors)")
        try lab.write("mine", to: "copy.txt")
        #expect(chmod(lab.path("copy.txt"), 0o640) == 0)
        #expect(try await lab.run("save", "w1", "copy.txt", "--overwrite").exit == 0)
        #expect(ScratchFolder.text(lab.path("copy.txt")) == "hello")
        var status = stat()
        #expect(stat(lab.path("copy.txt"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        // In a folder it has its own name. Alone, the newest result is meant, which is not that of `save` or `undo`.
        try await lab.succeeds("undo", "--yes")
        try await lab.succeeds("redo", "--yes")
        #expect(mkdir(lab.path("box"), 0o700) == 0)
        let saved = try await lab.run("save", "box", "--json").lines.first
        #expect(saved?["path"]?.string?.hasSuffix("box/note.txt") == true, "\(saved?.text ?? "")")
        #expect(try await lab.run("save", "w1", "no/such/folder.txt").errors.contains("(unknownFile)"))
        #expect(try await lab.run("save", "w1", "\(lab.home)/data/x").errors.contains("(ownFile)"))
        #expect(try await lab.run("save", "a", "b", "c").exit == 2)
    }

    /// A file that was made or replaced by `save` is as it was after `undo`, and `redo` saves it again.
    @Test func whatWasSavedIsUndone() async throws {
        let lab = try await labWithNote()
        let made = try await lab.run("save", "w1", "copy.txt", "--json").lines.first
        let first = try #require(made?["workflow"]?.string)
        #expect(try await lab.run("undo", first, "--yes").exit == 0)
        #expect(!lab.exists("copy.txt"))
        try lab.write("mine", to: "copy.txt")
        #expect(chmod(lab.path("copy.txt"), 0o640) == 0)
        let replaced = try await lab.run("save", "w1", "copy.txt", "--overwrite")
        #expect(replaced.exit == 0 && replaced.output.contains("assent undo w"), "\(replaced.output)\(replaced.errors)")
        #expect(ScratchFolder.text(lab.path("copy.txt")) == "hello")
        // Without a number the newest change is meant.
        let undone = try await lab.run("undo", "--yes", "--json").lines.first
        #expect(ScratchFolder.text(lab.path("copy.txt")) == "mine")
        var status = stat()
        #expect(stat(lab.path("copy.txt"), &status) == 0 && status.st_mode & 0o777 == 0o640)
        let by = try #require(undone?["by"]?.string)
        #expect(try await lab.run("redo", by, "--yes").exit == 0)
        #expect(ScratchFolder.text(lab.path("copy.txt")) == "hello")
        // What somebody changed since stays.
        try lab.write("changed since", to: "copy.txt")
        let refused = try await lab.run("undo", "w\(try await lab.json("list").count)", "--yes")
        #expect(refused.exit != 0 && ScratchFolder.text(lab.path("copy.txt")) == "changed since", "\(refused.output)")
    }

    /// A request is read by its name alone: no workflow from a file can save anything so.
    @Test func noFileNamesTheToolThatSaves() async throws {
        let lab = try await labWithNote()
        try lab.write(workflow("steal", [node("save", "SaveResult", ["request": "sabc"])]), to: ".steal.json")
        let ending = try await lab.run("run", ".steal.json", "--mode", "auto", "--json")
        #expect(ending.exit == 2, "\(ending.output)")
    }

    @Test func aLinkIsNotWrittenThrough() async throws {
        let lab = try await labWithNote()
        try lab.write("kept", to: "real.txt")
        #expect(symlink("real.txt", lab.path("link.txt")) == 0)
        #expect(try await lab.run("save", "w1", "link.txt", "--overwrite").errors.contains("(targetExists)"))
        #expect(ScratchFolder.text(lab.path("real.txt")) == "kept")
    }

    @Test func aProgramOfTheUsersOpensIt() async throws {
        let lab = try await labWithNote()
        let pty = try lab.terminal(["open-with", "w1", "grep -c hello"])
        #expect(await pty.exitStatus() == 0 && pty.screen.text.contains("1"), "\(pty.screen.text)")
        let none = try lab.terminal(["open-with", "no-such-program"])
        #expect(await none.exitStatus() != 0 && none.screen.text.contains("unknownProgram"), "\(none.screen.text)")
        #expect(try await lab.run("open-with", "w1", "cat").errors.contains("(noTerminal)"))
    }

    @Test func theClipboardIsOffUntilItIsSwitchedOn() async throws {
        let lab = try await labWithNote()
        let off = try lab.terminal(["copy", "w1"])
        #expect(await off.exitStatus() != 0 && off.screen.text.contains("clipboardOff"), "\(off.screen.text)")
        #expect(!off.output.contains("\u{1B}]52"))
        mkdir("\(lab.home)/config", 0o700)
        try ScratchFolder.write("clipboard: true\n", to: "\(lab.home)/config/settings.yaml")
        let on = try lab.terminal(["copy", "w1"])
        #expect(await on.exitStatus() == 0, "\(on.screen.text)")
        #expect(on.output.contains("\u{1B}]52;c;aGVsbG8=\u{07}"), "\(on.output)")
        try lab.write(String(repeating: "x", count: 80_000), to: "large.txt")
        #expect(try await lab.run("copy", "large.txt").errors.contains("(tooLarge)"))
        #expect(try await lab.run("copy", "w1").errors.contains("(noTerminal)"))
    }

    // MARK: Two contents

    @Test func twoTextsAreComparedByLine() async throws {
        let lab = try ProgramLab()
        try lab.write("a\nb\nc\n", to: "one.txt")
        try lab.write("a\nB\nc\n", to: "two.txt")
        let pty = try lab.terminal(["view", "one.txt", "two.txt"])
        #expect(
            await pty.exitStatus() == 0 && pty.screen.text.contains("- b") && pty.screen.text.contains("+ B"),
            "\(pty.screen.text)")
        #expect(try await lab.run("view", "one.txt", "one.txt").output.contains("the same"))
        try lab.write([0, 1, 2], to: "a.bin")
        #expect(try await lab.run("view", "one.txt", "a.bin").output.contains("3 bytes"))
        #expect(try await lab.run("view", "one.txt", "two.txt", "--json").lines.first?["same"] == false)
    }

    // MARK: Pictures

    @Test(arguments: [
        ("kitty", "\u{1B}_Ga=T,f=100,q=2,C=1,"), ("iterm", "\u{1B}]1337;File=inline=1;"), ("sixel", "\u{1B}P"),
        ("symbols", "\u{1B}[38;5;"),
        ("none", "Pictures are not shown"),
    ])
    func aPictureIsDrawnAsTheSettingsSay(form: String, beginning: String) async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 300, height: 200)
        mkdir("\(lab.home)/config", 0o700)
        try ScratchFolder.write("pictures: \(form)\n", to: "\(lab.home)/config/settings.yaml")
        let pty = try lab.terminal(["view", "cat.jpg"])
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.output.contains(beginning) && pty.screen.text.contains("300×200"), "\(pty.screen.text)")
        let plain = try lab.terminal(["view", "cat.jpg", "--plain"])
        #expect(await plain.exitStatus() == 0 && !plain.output.contains("\u{1B}"), "\(plain.screen.text)")
        #expect(try await lab.run("view", "cat.jpg").output.isEmpty == false)
    }

    @Test func inTmuxAPictureIsCharacters() async throws {
        let lab = try ProgramLab()
        try await lab.photograph("cat.jpg", width: 300, height: 200)
        let pty = try lab.terminal(
            ["view", "cat.jpg"], environment: ["TERM": "tmux-256color", "TMUX": "/tmp/x", "KITTY_WINDOW_ID": "1"])
        #expect(
            await pty.exitStatus() == 0 && pty.output.contains("\u{1B}[38;5;") && pty.screen.unknown.isEmpty,
            "\(pty.screen.unknown)")
    }

    @Test func aPDFIsShownByItsPages() async throws {
        let lab = try ProgramLab()
        try lab.write(Self.pdf, to: "two.pdf")
        let pty = try lab.terminal(["view", "two.pdf"])
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(pty.screen.text.contains("page 1 of 2 · next: assent view two.pdf --page 2"), "\(pty.screen.text)")
        #expect(pty.output.contains("\u{1B}[38;5;"))
        let over = try lab.terminal(["view", "two.pdf", "--page", "3"])
        #expect(await over.exitStatus() == 2 && over.screen.text.contains("no page 3"), "\(over.screen.text)")
    }

    /// Two pages with a black square each.
    private static let pdf: String = {
        let square = "<< /Length 22 >>\nstream\n0 g 20 20 60 60 re f  \nendstream"
        let page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 5 0 R >>"
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R 4 0 R] /Count 2 >>", page, page, square,
        ]
        var (text, places) = ("%PDF-1.4\n", [Int]())
        for (index, object) in objects.enumerated() {
            places.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 6\n0000000000 65535 f \n"
        for place in places { text += String(repeating: "0", count: 10 - "\(place)".count) + "\(place) 00000 n \n" }
        return text + "trailer << /Size 6 /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    }()
}

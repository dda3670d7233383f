import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `view`: what scripts get, what people see, and who does not see it.
@Suite(.process) struct ViewTests {
    private static let mark = ["--rttime=71826135141972:71826135141972"]
    private static let note = CommandTests.note

    private func labWithNote() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(Self.note, to: ".note.json")
        expectEvents(try await lab.run("run", ".note.json", "--json"), exit: 0)
        return lab
    }

    @Test(arguments: [[], ["$"], ["w1"], ["w1.2"], ["w1.1"], ["w1.1.1.text"], ["note.txt"], ["./note.txt"]])
    func aPipeGetsTheBytes(words: [String]) async throws {
        let ending = try await labWithNote().run(["view"] + words)
        #expect(ending.exit == 0 && ending.output == "hello", "\(words): \(ending.output)\(ending.errors)")
    }

    @Test func aHashNamesAContent() async throws {
        let lab = try await labWithNote()
        let hash = try #require(try await lab.shown("w1")["assets"]?.array?.first?["sha256"]?.string)
        #expect(try await lab.run("view", String(hash.prefix(8))).output == "hello")
        try lab.write("a file", to: "abcdef12")
        #expect(try await lab.run("view", "abcdef12").output == "a file")
    }

    @Test(arguments: [
        (["view", "nothing"], "unknownFile"), (["view", "w7"], "unknownWorkflow"), (["view", "w1.9"], "unknownAsset"),
        (["view", "w1.1.1.image"], "unknownAsset"), (["view", "/dev/zero"], "notAFile"),
        (["view", "fafafa"], "unknownAsset"),
        (["view", "note.txt", "a.b"], "badUsage"), (["view", "data.json", "a.nothing"], "badUsage"),
        (["view", "data.json", "a..b"], "badUsage"),
    ])
    func whatCannotBeShownIsSaid(words: [String], code: String) async throws {
        let lab = try await labWithNote()
        try lab.write(#"{"a": {"b": [1, 2, {"c": "text\nof two lines"}]}}"#, to: "data.json")
        let ending = try await lab.run(words)
        #expect(
            ending.exit != 0 && ending.output.isEmpty && ending.errors.contains("(\(code))"),
            "\(ending.output)\(ending.errors)")
    }

    @Test(
        arguments: [
            ("a.b[0]", "1\n"), ("a.b[2].c", "text\nof two lines\n"), ("a.b", "[\n  1,\n  2\n]\n"), ("$", nil),
            ("[\"a\"].b[1]", "2\n"), ("\"x.y\"", "1.10\n"), ("[\"x.y\"]", "1.10\n"), ("h", "\"\\ud800\"\n"),
        ] as [(String, String?)])
    func aPlaceInAJSONIsAValue(place: String, value: String?) async throws {
        let lab = try ProgramLab()
        try lab.write(#"{"a": {"b": [1, 2]}, "x.y": 1.10, "h": "\ud800"}"#, to: "data.json")
        if place == "a.b[2].c" { try lab.write(#"{"a": {"b": [1, 2, {"c": "text\nof two lines"}]}}"#, to: "data.json") }
        let ending = try await lab.run("view", "data.json", "--path", place)
        guard let value else { return #expect(ending.exit == 2, "\(ending.output)") }
        #expect(ending.output == value, "\(ending.output)\(ending.errors)")
        #expect(try await lab.run("view", "data.json", place, "--json").lines.first?["value"] != nil)
    }

    /// Only a terminal is shown another encoding as text. A pipe gets the bytes as they are.
    @Test func anotherEncodingIsReadAndNamed() async throws {
        let lab = try ProgramLab()
        let wide: [UInt8] = [0xFF, 0xFE, 0xE9, 0, 0x0A, 0]
        for (name, bytes, encoding) in [("l.txt", [0xE9, 0x0A], "Latin-1"), ("w.txt", wide, "UTF-16 LE")] {
            try lab.write(bytes, to: name)
            let json = try await lab.run("view", name, "--json").lines
            #expect(json.contains { $0["encoding"]?.string == encoding && $0["kind"] == "text" }, "\(json)")
        }
    }

    @Test func linesAreChosen() async throws {
        let lab = try ProgramLab()
        try lab.write((1...100).map { "line \($0)\n" }.joined(), to: "long.txt")
        #expect(try await lab.run("view", "long.txt", "--from", "99").output == "line 99\nline 100\n")
        #expect(try await lab.run("view", "long.txt", "--from", "5", "--lines", "2").output == "line 5\nline 6\n")
        #expect(try await lab.run("view", "long.txt", "--from", "0").exit == 2)
    }

    @Test func aFolderAndAnArchiveAreTrees() async throws {
        let lab = try ProgramLab()
        for folder in ["box", "box/deep"] { #expect(mkdir(lab.path(folder), 0o700) == 0) }
        try lab.write("1234", to: "box/a.txt")
        try lab.write("12", to: "box/deep/b.txt")
        #expect(try await lab.tool("zip", "-rq", "box.zip", "box").exit == 0)
        for (target, first) in [("box", "├ a.txt  4 bytes"), ("box.zip", "└ box/")] {
            let pty = try lab.terminal(["view", target])
            #expect(
                await pty.exitStatus() == 0 && pty.screen.text.contains(first)
                    && pty.screen.text.contains("2 files, 6 bytes"),
                "\(pty.screen.text)")
            let json = try await lab.run("view", target, "--json").lines.first
            #expect(
                json?["entries"]?.array?.contains { $0["path"]?.string?.hasSuffix("deep/b.txt") == true } == true,
                "\(json?.text ?? "")")
        }
        #expect(try await lab.run("view", "box").output.contains("├ a.txt"))
    }

    @Test func formsAreDrawnAtATerminal() async throws {
        let lab = try ProgramLab()
        try lab.write("name,size\ncat,58\n", to: "t.csv")
        try lab.write("# Title\n\n- one\n- two\n", to: "t.md")
        try lab.write(#"{"a":[1,2]}"#, to: "t.json")
        try lab.write("a\u{1B}]0;title\u{7}b\n", to: "t.txt")
        for (file, words) in [
            ("t.csv", ["name  size", "cat     58"]), ("t.md", ["Title", "• one"]), ("t.json", ["\"a\": ["]),
            ("t.txt", ["a␛]0;title␇b"]),
        ] {
            let pty = try lab.terminal(["view", file])
            #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
            for word in words { #expect(pty.screen.text.contains(word), "\(pty.screen.text)") }
            #expect(pty.screen.unknown.isEmpty, "\(pty.screen.unknown)")
        }
        let source = try lab.terminal(["view", "t.md", "--text"])
        #expect(await source.exitStatus() == 0 && source.screen.text.contains("# Title"), "\(source.screen.text)")
    }

    // MARK: The pager

    @Test(arguments: ["less", "more", "", "/nonexistent/pager"]) func whatIsLongerThanTheScreenIsPaged(pager: String)
        async throws
    {
        let lab = try ProgramLab()
        try lab.write((1...1000).map { "line \($0) \u{1B}[2J\n" }.joined(), to: "long.txt")
        let pty = try lab.terminal(["view", "long.txt"], environment: ["PAGER": pager])
        #expect(await pty.see("line 20 ␛[2J"), "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("line 400"))
        pty.send("q")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(!pty.output.contains("\u{1B}[2J\n") && !pty.output.contains("line 1000"))
    }

    /// The words of `$PAGER` go to no shell.
    @Test func thePagerIsNoShellString() async throws {
        let lab = try ProgramLab()
        try lab.write((1...1000).map { "line \($0)\n" }.joined(), to: "long.txt")
        let pty = try lab.terminal(["view", "long.txt"], environment: ["PAGER": "head -n 2 -v ; touch pwned"])
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
        #expect(!lab.exists("pwned"))
    }

    @Test func withoutAPagerOfTheirOwnPlainScreensShowAllOfIt() async throws {
        let lab = try ProgramLab()
        try lab.write((1...500).map { "line \($0)\n" }.joined(), to: "long.txt")
        let pty = try lab.terminal(["view", "long.txt", "--plain"])
        #expect(await pty.exitStatus() == 0)
        #expect(pty.screen.text.contains("line 500") && pty.screen.text.contains("line 1\n"))
    }

    @Test func inTheChatThePagerHasTheTerminalAndGivesItBack() async throws {
        let lab = try await labWithNote()
        try lab.write((1...1000).map { "line \($0)\n" }.joined(), to: "long.txt")
        let pty = try lab.terminal([], environment: ["PAGER": "less"])
        #expect(await pty.see("›"))
        pty.send("/view long.txt\r")
        #expect(await pty.see("line 20"), "\(pty.screen.text)")
        pty.send("q")
        pty.send("/view w1\r")
        #expect(await pty.see("hello"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0, "\(pty.screen.text)")
    }

    @Test func aChatFromAPipeShowsTheBeginningAndCountsTheRest() async throws {
        let lab = try ProgramLab()
        try lab.write((1...1000).map { "line \($0)\n" }.joined(), to: "long.txt")
        let ending = try await lab.run([], input: "/view long.txt\n/view long.txt --from 201 --lines 1\n")
        #expect(
            ending.output.contains("line 200\n… 800 more lines: /view long.txt --from 201"),
            "\(ending.output.suffix(400))")
        #expect(ending.output.contains("line 201\n") && !ending.output.contains("line 202\n"))
    }

    // MARK: Keys

    private func marked(_ lab: ProgramLab, _ arguments: [String]) async throws -> ProgramEnding {
        let process = try lab.start(program: "/usr/bin/prlimit", Self.mark + [ProgramLab.program] + arguments)
        return try await onOwnThread { process.wait() }
    }

    @Test func ourOwnChildrenSeeNothingPrivate() async throws {
        let lab = try await labWithNote()
        try lab.write("TOKEN=very-secret-value\n", to: ".env")
        #expect(try await lab.tool("ln", "-s", ".env", "harmless.txt").exit == 0)
        try lab.write(workflow("read", [node("read", "ReadFile", ["path": ".env"])]), to: ".read.json")
        _ = try await lab.run("run", ".read.json", "--on-ask", "park", "--json")
        for target in [".env", "harmless.txt"] {
            let ending = try await marked(lab, ["view", target])
            #expect(
                ending.exit != 0 && ending.errors.contains("secretFile") && !ending.output.contains("very-secret"),
                "\(target)")
            #expect(try await lab.run("view", target).output.contains("very-secret"))
        }
        #expect(try await marked(lab, ["view", "w1"]).output == "hello")
        #expect(try await marked(lab, ["view", "note.txt"]).output == "hello")
        #expect(try await marked(lab, ["view", "\(lab.home)/data"]).errors.contains("secretFile"))
    }

    @Test func itWorksWhileAQuestionStands() async throws {
        let lab = try await labWithNote()
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        try lab.write("buy milk\n", to: "notes.txt")
        let pty = try lab.terminal(["run", ".move.json"])
        #expect(await pty.seeQuestion("[y]"), "\(pty.screen.text)")
        pty.send("/")
        #expect(await pty.seeQuestion("such as show w3"), "\(pty.screen.text)")
        pty.send("view w1\r")
        #expect(await pty.see("hello"), "\(pty.screen.text)")
        #expect(try await lab.json("inbox").count == 1)
        pty.signal(SIGTERM)
    }
}

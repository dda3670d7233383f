import CaseNames
import Harness
import Testing

@testable import Terminal

/// Pictures on a terminal: which way is taken, what is let through, and that the text around stays whole.
@Suite struct PictureTests {
    private let room = PictureRoom(columns: 40, rows: 12, cellWidth: 10, cellHeight: 20)
    private static let png: [UInt8] =
        [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0, 0, 0, 0,
            0x80,
        ]
        + [UInt8](repeating: 7, count: 9000)

    @Test(
        arguments: [
            (["TERM": "xterm-kitty"], PictureProtocol.kitty),
            (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
            (["TERM": "xterm-ghostty"], .kitty), (["TERM_PROGRAM": "iTerm.app"], .iterm),
            (["LC_TERMINAL": "iTerm2"], .iterm),
            (["TERM_PROGRAM": "WezTerm"], .iterm), (["TERM": "foot"], .sixel), (["TERM": "mlterm-256color"], .sixel),
            (["TERM": "xterm-256color"], .symbols), ([:], .symbols), (["TERM_PROGRAM": "Apple_Terminal"], .symbols),
            (["TERM": "xterm-kitty", "TMUX": "/tmp/x"], .symbols),
            (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .symbols),
            (["TERM": "screen", "LC_TERMINAL": "iTerm2"], .symbols), (["TERM": "foot", "STY": "1.x"], .symbols),
        ] as [([String: String], PictureProtocol)])
    func theWayIsToldFromTheEnvironment(environment: [String: String], form: PictureProtocol) {
        #expect(PictureProtocol.detect { environment[$0] } == form)
    }

    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")])
    func base64IsThatOfItsStandard(text: String, expected: String) {
        #expect(Base64.text(of: Array(text.utf8)) == expected)
    }

    @Test func kittyGetsPiecesAndAnswersNothing() throws {
        let picture = try #require(TerminalPicture(png: Self.png, .kitty, in: room))
        #expect((picture.columns, picture.rows) == (26, 7))
        let pieces = picture.sequence.split(separator: "\u{1B}\\")
        #expect(
            pieces.count == 3
                && pieces.allSatisfy { $0.hasPrefix("\u{1B}_G") && $0.contains("q=2") && $0.utf8.count < 4200 })
        #expect(pieces.first?.hasPrefix("\u{1B}_Ga=T,f=100,q=2,C=1,c=26,r=7,m=1;iVBORw0KGgo") == true)
        #expect(pieces.last?.hasPrefix("\u{1B}_Gq=2,m=0;") == true)
    }

    @Test func itermGetsOneFile() throws {
        let picture = try #require(TerminalPicture(png: Self.png, .iterm, in: room))
        #expect(picture.sequence.hasPrefix("\u{1B}]1337;File=inline=1;size=\(Self.png.count);width=26;height=7;"))
        #expect(picture.sequence.hasSuffix("\u{07}") && picture.sequence.count(where: { $0 == "\u{07}" }) == 1)
    }

    @Test(arguments: ["", "GIF89a", "\u{1B}]0;x\u{07}"]) func whatIsNoPNGIsNotDrawn(text: String) {
        #expect(TerminalPicture(png: Array(text.utf8), .kitty, in: room) == nil)
    }

    @Test(arguments: [
        ("\u{1B}P0;1;0q\"1;1;16;8#0;2;36;36;36#0!16~-~\u{1B}\\", true), ("\u{1B}Pq\"1;1;16;8~\u{1B}\\", true),
        ("\u{1B}Pq~\u{1B}\\", false), ("\u{1B}Pq\"1;1;16;8~", false), ("Pq\"1;1;16;8~\u{1B}\\", false), ("", false),
        ("\u{1B}Pq\"1;1;16;8~\u{1B}\\\u{1B}[2J\u{1B}\\", false), ("\u{1B}Pq\"1;1;16;8~\u{07}\u{1B}\\", false),
        ("\u{1B}Pq\"1;1;401;8~\u{1B}\\", false), ("\u{1B}Pq\"1;1;16;241~\u{1B}\\", false),
        ("\u{1B}Pq\"1;1;0;8~\u{1B}\\", false),
        ("\u{1B}Pq\"1;1;16;8~\"1;1;9000;9000\u{1B}\\", false), ("\u{1B}Pq\"1;1;16;8~---\u{1B}\\", false),
        ("\u{1B}P$q\"1;1;16;8~\u{1B}\\", false), ("\u{1B}Pq\"1;1;16;8~\u{9C}\u{1B}\\", false),
        ("\u{1B}Pq\"1;1;16;99999999999999999999~\u{1B}\\", false),
    ])
    func onlySixelsAreLetThrough(text: String, isPicture: Bool) {
        #expect((TerminalPicture(sixel: Array(text.utf8), in: room) != nil) == isPicture)
    }

    @Test(arguments: [
        ("\u{1B}[0m\u{1B}[38;5;244;48;5;243m▂▉ \u{1B}[0m\nab\n", true), ("ab", true), ("a\u{1B}[mb", true), ("", false),
        ("\n", true),
        ("a\u{1B}[2Jb", false), ("a\u{1B}]0;x\u{07}", false), ("a\u{1B}", false), ("a\u{1B}[", false),
        ("a\u{1B}[0", false),
        ("a\tb", false),
        ("a\rb", false), ("a\u{9B}0mb", false), ("a\u{202E}b", false), (String(repeating: "x", count: 41), false),
        ("e\u{301}", false),
        (String(repeating: "x\n", count: 13), false), (String(repeating: "x\n", count: 12), true),
        ("a\u{1B}[?25lb", false),
        ("\u{1B}[" + String(repeating: "1;", count: 60) + "m", false), ("\u{1B}[1\u{1B}[0m", false),
    ])
    func onlyColouredCharactersAreLetThrough(text: String, isPicture: Bool) {
        #expect((TerminalPicture(symbols: Array(text.utf8), in: room) != nil) == isPicture)
    }

    @Test func whatIsNotUTF8IsNotLetThrough() {
        #expect(TerminalPicture(symbols: [0x61, 0x9B, 0x30, 0x6D], in: room) == nil)
    }

    // MARK: On a screen

    @Test(arguments: ["kitty", "iterm", "sixel", "symbols"]) func theTextAroundStaysWhole(form: String) async throws {
        let picture: TerminalPicture =
            switch form {
            case "kitty": try #require(TerminalPicture(png: Self.png, .kitty, in: room))
            case "iterm": try #require(TerminalPicture(png: Self.png, .iterm, in: room))
            case "sixel": try #require(TerminalPicture(sixel: Array("\u{1B}Pq\"1;1;16;139~\u{1B}\\".utf8), in: room))
            default: try #require(TerminalPicture(symbols: Array("\u{1B}[31m▂▉\u{1B}[0m\n▉▂".utf8), in: room))
            }
        let desk = try Desk(rows: 16, hasColour: true)
        let (pty, screen) = (desk.pty, desk.editor)
        #expect(await pty.see("›"))
        // Near the bottom of the screen, so that it must scroll.
        for line in 1...12 { screen.show(StyledText("before \(line)")) }
        screen.show(picture)
        screen.show(StyledText("after the picture"))
        pty.send("typed")
        #expect(await pty.see("› typed"), "\(pty.screen.text)")
        let lines = pty.screen.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let first = try #require(lines.firstIndex(of: "before 1"))
        #expect(lines[first..<first + 12].elementsEqual((1...12).map { "before \($0)" }), "\(pty.screen.text)")
        let after = try #require(lines.firstIndex(of: "after the picture"))
        #expect(after == first + 12 + picture.rows, "\(pty.screen.text)")
        if !picture.sequence.isEmpty { #expect(pty.output.contains("\u{1B}7\(picture.sequence)\u{1B}8")) }
        await screen.close()
    }

    /// A picture that comes while a question stands is drawn below it, and the question goes on.
    @Test(arguments: ["kitty", "iterm", "sixel", "symbols"]) func aPictureComesWhileAQuestionStands(form: String)
        async throws
    {
        let picture: TerminalPicture =
            switch form {
            case "kitty": try #require(TerminalPicture(png: Self.png, .kitty, in: room))
            case "iterm": try #require(TerminalPicture(png: Self.png, .iterm, in: room))
            case "sixel": try #require(TerminalPicture(sixel: Array("\u{1B}Pq\"1;1;16;139~\u{1B}\\".utf8), in: room))
            default: try #require(TerminalPicture(symbols: Array("\u{1B}[31m▂▉\u{1B}[0m\n▉▂".utf8), in: room))
            }
        let desk = try Desk(rows: 24, hasColour: true)
        async let answer = desk.editor.ask(KeyQuestion(["Which?"], .entry(isLong: false)))
        #expect(await desk.pty.see { $0.text.contains("Enter") }, "\(desk.pty.screen.text)")
        desk.pty.send("ca")
        #expect(await desk.pty.see("ca"))
        desk.editor.illustrate([StyledText("1  cat.jpg")], picture)
        #expect(await desk.pty.see("1  cat.jpg"), "\(desk.pty.screen.text)")
        if !picture.sequence.isEmpty {
            #expect(await desk.pty.see { _ in desk.pty.output.contains("\u{1B}7\(picture.sequence)\u{1B}8") })
        }
        desk.pty.send("t\r")
        #expect(await answer == .word("cat"))
        // Among the finished lines it stands where it came.
        desk.editor.illustrate([StyledText("2  dog.jpg")], picture)
        desk.editor.show(StyledText("after"))
        #expect(await desk.pty.see("after"), "\(desk.pty.screen.text)")
        let rows = Desk.rows(desk.pty.screen)
        let (caption, after) = (
            try #require(rows.firstIndex(of: "2  dog.jpg")), try #require(rows.firstIndex(of: "after"))
        )
        #expect(after == caption + 1 + picture.rows, "\(rows)")
        await desk.editor.close()
    }

    /// A key that was on its way to a decision does not count once a picture has moved the question.
    @Test func aDecisionIsArmedAgainUnderAPicture() async throws {
        let picture = try #require(TerminalPicture(symbols: Array("ab".utf8), in: room))
        let desk = try Desk(rows: 24, hasColour: true)
        async let answer = desk.editor.ask(KeyQuestion(["Really?"], .keys(["y", "n"]), armingMilliseconds: 20))
        #expect(await desk.pty.see { $0.text.contains("press") }, "\(desk.pty.screen.text)")
        desk.editor.illustrate([StyledText("cat.jpg")], picture)
        #expect(
            await desk.pty.see { screen in
                screen.text.contains("cat.jpg") && (screen.lines.last { !$0.isEmpty } ?? "").contains("press")
            })
        desk.pty.send("y\r")
        #expect(await answer == .key("y"))
        await desk.editor.close()
    }

    @Test(
        arguments: [
            (["TERM": "xterm-256color"], true), (["COLORTERM": "truecolor", "TERM": "xterm"], true),
            (["TERM": "xterm"], false),
            (["COLORTERM": "24bit"], true), (["TERM": "linux"], false), (["TERM": "xterm-direct"], true), ([:], false),
        ] as [([String: String], Bool)])
    func enoughColoursAreToldFromTheEnvironment(environment: [String: String], hasMany: Bool) {
        #expect(PictureProtocol.hasManyColours { environment[$0] } == hasMany)
    }

    @Test func plainScreensShowNone() async throws {
        let pty = try Pty.pair()
        let screen = PlainScreen(
            try InputOwner(pty.slave), output: pty.slave,
            capabilities: TerminalCapabilities(isTerminal: true, hasColour: false, isPlain: true),
            ownsProcess: false)
        #expect(screen.pictureRoom == nil)
        screen.show(try #require(TerminalPicture(png: Self.png, .kitty, in: room)))
        screen.show(StyledText("text"))
        #expect(await pty.see("text"))
        #expect(!pty.output.contains("\u{1B}"))
        await screen.close()
    }
}

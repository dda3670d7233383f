import CaseNames
import Glibc
import Harness
import Terminal
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct LineEditorTests {
    @Test func typedTextBecomesALine() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("héllo wörld 日本 🙂")
        await desk.sees(["› héllo wörld 日本 🙂"])
        desk.pty.send("\r")
        #expect(await desk.next() == .line("héllo wörld 日本 🙂"))
        await desk.sees(["› héllo wörld 日本 🙂", "›"])
        await desk.editor.close()
        #expect(desk.pty.screen.unknown == [])
    }

    @Test func bytesThatAreNoTextNeverReachTheLine() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send([0x61, 0xFF, 0x62, 0xE2, 0x80, 0xAE, 0x63, 0xC2, 0x9B, 0x64, 0x0D])
        #expect(await desk.next() == .line("a\u{FFFD}bcd"))
        desk.pty.send("x\u{16}\u{1B}y\r")
        #expect(await desk.next() == .line("xy"))
        await desk.editor.close()
    }

    @Test(arguments: ["\u{1B}", "\u{1B}\u{1B}", "\u{1B}\u{1B}\u{1B}"]) func escapeAloneTakesNothingOfWhatFollows(
        _ keys: String
    )
        async throws
    {
        let desk = try Desk()
        await desk.sees(["›"])
        // What is seen has been read together with the Esc behind it, and nothing is shown before that is settled.
        desk.pty.send("x" + keys)
        await desk.sees(["› x"])
        desk.editor.show("news")
        await desk.sees(["news", "› x"])
        desk.pty.send("list\r")
        #expect(await desk.next() == .line("xlist"))
        // With something behind it, it is the first half of a key: back a word, then on to the end.
        desk.pty.send("one two\u{1B}bX\u{1B}[F!\r")
        #expect(await desk.next() == .line("one Xtwo!"))
        await desk.editor.close()
    }

    @Test func newsStandAboveWhatIsTyped() async throws {
        let desk = try Desk(columns: 20, rows: 8)
        await desk.sees(["›"])
        desk.pty.send("a line that is wrapped over the edge")
        await desk.sees(["› a line that is wra", "pped over the edge"])
        desk.pty.send("\u{1}")
        desk.editor.show(["one", StyledText("two\u{1B}[2J")])
        await desk.sees(["one", "two␛[2J", "› a line that is wra", "pped over the edge"])
        desk.pty.send("X")
        await desk.sees(["one", "two␛[2J", "› Xa line that is wr", "apped over the edge"])
        for number in 0..<40 { desk.editor.show(StyledText("news \(number)")) }
        #expect(await desk.pty.see { $0.text.contains("news 39\n› Xa line that is wr\napped over the edge") })
        let news = Desk.rows(desk.pty.screen).filter { $0.hasPrefix("news") }
        #expect(news == (0..<40).map { "news \($0)" })
        desk.pty.send("\r")
        #expect(await desk.next() == .line("Xa line that is wrapped over the edge"))
        await desk.editor.close()
    }

    @Test(arguments: ["日本語日本語日本語日本語", "exactly eighteen c", "a\u{301}bc", "tab"]) func awkwardTextIsKeptUnderNews(
        _ text: String
    )
        async throws
    {
        let desk = try Desk(columns: 20, rows: 8)
        await desk.sees(["›"])
        desk.pty.send(text)
        desk.editor.show("first")
        desk.editor.show("second")
        #expect(await desk.pty.see("second"))
        desk.pty.send("!\r")
        #expect(await desk.next() == .line(text + "!"))
        #expect(Desk.rows(desk.pty.screen).prefix(2) == ["first", "second"])
        await desk.editor.close()
    }

    @Test func promptAndStatusChangeInPlace() async throws {
        let desk = try Desk(hasColour: true)
        await desk.sees(["›"])
        desk.pty.send("typed")
        desk.editor.setStatus([StyledText("resize 40%", .running)])
        desk.editor.setPrompt(StyledText("[1⚑]", .warning) + " › ")
        await desk.sees(["resize 40%", "[1⚑] › typed"])
        #expect(desk.pty.screen.style(row: 0, column: 0) == "34")
        #expect(desk.pty.screen.style(row: 1, column: 0) == "33")
        desk.editor.setStatus(["resize 80%", "grayscale"])
        await desk.sees(["resize 80%", "grayscale", "[1⚑] › typed"])
        desk.editor.show("✓ resized")
        await desk.sees(["✓ resized", "resize 80%", "grayscale", "[1⚑] › typed"])
        desk.pty.send("\r")
        #expect(await desk.next() == .line("typed"))
        await desk.sees(["✓ resized", "[1⚑] › typed", "resize 80%", "grayscale", "[1⚑] ›"])
        desk.editor.setStatus([])
        await desk.sees(["✓ resized", "[1⚑] › typed", "[1⚑] ›"])
        await desk.editor.close()
    }

    @Test func streamedTextGrowsInPlaceAndBecomesFinal() async throws {
        let desk = try Desk(columns: 30)
        await desk.sees(["›"])
        desk.pty.send("mine")
        desk.editor.stream("Hello **wor")
        await desk.sees(["┆ Hello **wor", "› mine"])
        desk.editor.show("news")
        await desk.sees(["news", "┆ Hello **wor", "› mine"])
        desk.editor.stream("ld**\n\n- a\n- b")
        await desk.sees(["news", "┆ Hello world", "┆", "┆ • a", "┆ • b", "› mine"])
        desk.editor.endStream()
        desk.editor.show("after")
        await desk.sees(["news", "┆ Hello world", "┆", "┆ • a", "┆ • b", "after", "› mine"])
        await desk.editor.close()
    }

    /// Nor does a line that is wider than the terminal: code is not broken at spaces, and its rest would begin a row.
    @Test func noRowOfStreamedTextBeginsAsOursDo() async throws {
        let desk = try Desk(columns: 30)
        await desk.sees(["›"])
        desk.editor.stream("```\n\(String(repeating: "x", count: 26))[y] yes  [n] no, and say why\n```\n\n[1⚑] › run\n")
        desk.editor.endStream()
        desk.editor.show("ours")
        await desk.sees([
            "┆   \(String(repeating: "x", count: 26))", "┆ [y] yes  [n] no, and say why", "┆", "┆ [1⚑] › run", "ours",
            "›",
        ])
        await desk.editor.close()
    }

    @Test func aBurstOfPiecesArrivesWhole() async throws {
        let desk = try Desk(columns: 80, rows: 24)
        for index in 0..<20_000 { desk.editor.stream("w\(index)" + (index % 50 == 49 ? "\n\n" : " ")) }
        desk.editor.endStream()
        #expect(await desk.pty.see { $0.text.contains("w19999") })
        await desk.editor.close()
        let words = desk.pty.screen.text.split { $0 == " " || $0 == "\n" }.filter { $0.hasPrefix("w") }
        #expect(words.map(String.init) == (0..<20_000).map { "w\($0)" })
    }

    @Test func historyIsKeptOnceAndAcrossSessions() async throws {
        let scratch = try ScratchFolder()
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.path + "/history"
        let first = try Desk { $0.historyPath = path }
        await first.sees(["›"])
        for line in ["one", "two\u{1B}\rback\\slash", "one"] {
            first.pty.send(line + "\r")
            #expect(await first.next() == .line(line.replacing("\u{1B}\r", with: "\n")))
        }
        await first.editor.close()
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)

        let second = try Desk { $0.historyPath = path }
        await second.sees(["›"])
        second.pty.send("\u{1B}[A")
        await second.sees(["› one"])
        second.pty.send("\u{1B}[A\u{1B}[A\u{1B}[A")
        #expect(await second.pty.see { $0.text.contains("› two\nback\\slash") })
        second.pty.send("\r")
        #expect(await second.next() == .line("two\nback\\slash"))
        await second.editor.close()
    }

    @Test func tabCompletes() async throws {
        let words = ["/help", "/history", "/model", "größe"]
        let desk = try Desk { $0.help = ListedWords(words: words) }
        await desk.sees(["›"])
        desk.pty.send("/m\t")
        await desk.sees(["› /model"])
        desk.pty.send("gr\t")
        await desk.sees(["› /model größe"])
        desk.pty.send("\u{3}/h\t")
        await desk.sees(["  /help  /history", "› /h"])
        desk.pty.send("i\t\r")
        #expect(await desk.next() == .line("/history "))
        await desk.editor.close()
    }

    @Test func aPasteIsOneLineWithNewlines() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("\u{1B}[200~first\rsecond\r\nthi\u{1B}[31mrd\u{3}\u{202E}\t!\u{1B}[201~")
        #expect(await desk.pty.see("thi[31mrd    !"))
        desk.editor.show("news")
        await desk.sees(["news", "› first", "second", "thi[31mrd    !"])
        desk.pty.send("\r")
        #expect(await desk.next() == .paste("first\nsecond\nthi[31mrd    !"))
        await desk.editor.close()
    }

    @Test("finding 2: a paste is taken whole or not at all", arguments: ["too long", "a NUL"])
    func aPasteIsTakenWholeOrNotAtAll(fault: String) async throws {
        let desk = try Desk(columns: 100)
        await desk.sees(["›"])
        let text = fault == "a NUL" ? "list\0 files" : String(repeating: "x", count: 70_000)
        desk.pty.send("\u{1B}[200~\(text)\rrun this\u{1B}[201~")
        let words = fault == "a NUL" ? "a NUL in it" : "more than 65536 bytes"
        await desk.sees(["The paste has \(words) and was left out: put it into a file and name that.", "›"])
        desk.pty.send("typed\r")
        #expect(await desk.next() == .line("typed"))
        await desk.editor.close()
    }

    /// What is pasted is no key for a question that comes meanwhile.
    @Test("finding 2: a question waits for the end of a paste") func aQuestionWaitsForTheEndOfAPaste() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        // The letter is drawn from the same piece of input, so that the paste has begun when it is seen.
        desk.pty.send("a\u{1B}[200~one ")
        await desk.sees(["› a"])
        let answer = Task.immediate {
            await desk.editor.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 0))
        }
        // News are shown in the same round in which the question is seen.
        desk.editor.show("news")
        await desk.sees(["news", "› a"])
        desk.pty.send("y")
        desk.pty.send("es\u{1B}[201~")
        #expect(await desk.pty.see("press n"))
        desk.pty.send("n")
        #expect(await answer.value == .key("n"))
        desk.pty.send("\r")
        #expect(await desk.next() == .line("aone yes"))
        await desk.editor.close()
    }

    @Test func controlCClearsOrInterrupts() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("abc")
        await desk.sees(["› abc"])
        desk.pty.send("\u{3}")
        await desk.sees(["›"])
        desk.pty.send("\u{3}")
        #expect(await desk.next() == .interrupt)
        desk.editor.setBusy(true)
        desk.pty.send("typed ahead")
        await desk.sees(["› typed ahead"])
        desk.pty.send("\u{3}")
        #expect(await desk.next() == .interrupt)
        // It is shown where its turn begins.
        desk.pty.send("\r")
        #expect(await desk.next() == .held("typed ahead"))
        await desk.sees(["›"])
        desk.pty.send("/list\r")
        #expect(await desk.next() == .line("/list"))
        await desk.sees(["› /list", "›"])
        await desk.editor.close()
    }

    @Test func aWaitingLineIsTakenBackByUpOnAnEmptyLine() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("before\r")
        #expect(await desk.next() == .line("before"))
        desk.editor.setHasQueue(true)
        await desk.sees(["› before", "›"])
        desk.editor.setStatus(["1 line waits"])
        await desk.sees(["› before", "1 line waits", "›"])
        desk.pty.send("\u{1B}[A")
        #expect(await desk.next() == .takeBack)
        desk.editor.putBack("zip\nall", isAsked: true)
        await desk.sees(["› before", "1 line waits", "› zip", "all"])
        desk.pty.send("!\r")
        #expect(await desk.next() == .line("zip\nall!"))
        desk.editor.setHasQueue(false)
        desk.editor.setStatus([])
        desk.pty.send("\u{1B}OA\u{1B}[A")
        #expect(await desk.pty.see { $0.text.hasSuffix("› before") })
        await desk.editor.close()
    }

    /// Where a line stands already, it stays, and the text goes to the earlier lines. Esc moves it there, too.
    @Test func aTextThatComesByItselfReplacesNothing() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        desk.pty.send("mine")
        await desk.sees(["› mine"])
        desk.editor.putBack("begun", isAsked: false)
        desk.editor.show("news")
        await desk.sees(["news", "› mine"])
        desk.pty.send("\u{15}\u{1B}[A")
        await desk.sees(["news", "› begun"])
        desk.pty.send("\u{15}")
        await desk.sees(["news", "›"])
        desk.editor.putBack("other", isAsked: false)
        await desk.sees(["news", "› other"])
        desk.pty.send("\r")
        desk.editor.show("more")
        await desk.sees(["news", "more", "› other"])
        desk.pty.send("\u{1B}")
        await desk.sees(["news", "more", "›"])
        desk.pty.send("\u{1B}")
        #expect(await desk.next() == .escape)
        await desk.editor.close()
    }

    @Test func controlDEndsOnlyOnAnEmptyLine() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("abc\u{1}\u{4}\r")
        #expect(await desk.next() == .line("bc"))
        desk.pty.send("\u{4}")
        #expect(await desk.next() == .end)
        await desk.editor.close()
    }

    @Test func aNewSizeIsNoticed() async throws {
        let desk = try Desk(columns: 40, rows: 10)
        await desk.sees(["›"])
        desk.pty.send("some words here")
        await desk.sees(["› some words here"])
        desk.pty.resize(columns: 20, rows: 10)
        desk.editor.noticeResize()
        #expect(await desk.next() == .resize)
        #expect(desk.editor.columns == 20)
        desk.pty.send(" and more of them")
        await desk.sees(["› some words here an", "d more of them"])
        desk.editor.show("news")
        await desk.sees(["news", "› some words here an", "d more of them"])
        await desk.editor.close()
    }

    @Test func theTerminalIsGivenBack() async throws {
        let pty = try Pty.pair()
        let before = pty.settings
        var settings = LineEditor.Settings()
        (settings.output, settings.ownsProcess) = (pty.slave, false)
        let editor = try LineEditor(InputOwner(pty.slave), settings)
        #expect(await pty.see("›"))
        #expect(pty.settings != before)
        #expect(pty.screen.modes.contains(2004))
        editor.setStatus(["running"])
        #expect(await pty.see("running"))
        await editor.close()
        #expect(pty.settings == before)
        #expect(await pty.see { !$0.modes.contains(2004) && $0.modes.contains(25) })
        #expect(!pty.screen.text.contains("running"))
        await editor.close()
        #expect(await editor.ask(KeyQuestion(["?"], .keys(["y"]))) == .none(.noTerminal))
    }
}

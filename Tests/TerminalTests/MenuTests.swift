import Harness
import Terminal
import Testing

/// The menu above the prompt while a verb is typed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MenuTests {
    private static let verbs = ["/help", "/history", "/hosts", "/inbox", "/list", "/logs", "/model", "/show"]
    private static let help = ListedWords(
        words: verbs,
        about: Dictionary(
            uniqueKeysWithValues: verbs.map {
                ($0, "What \($0) does, in a sentence that is longer than a narrow screen.")
            }),
        hasMenu: true)

    /// Whether the last rows of a screen are a menu with these verbs, and the prompt.
    private static func shows(_ screen: PtyScreen, _ verbs: [String], prompt: String) -> Bool {
        let rows = Desk.rows(screen)
        guard rows.last == prompt, rows.count >= verbs.count + 1 else { return false }
        return zip(rows.suffix(verbs.count + 1), verbs).allSatisfy { $0.hasPrefix("  \($1) ") || $0 == "  \($1)" }
    }

    @Test(arguments: [40, 80, 120]) func theMenuShowsWhatFitsAndFilters(columns: Int) async throws {
        let desk = try Desk(columns: columns, rows: 20) { $0.help = Self.help }
        await desk.sees(["›"])
        desk.pty.send("/")
        // The last row counts what has no room.
        #expect(
            await desk.pty.see { Self.shows($0, Array(Self.verbs.prefix(5)) + ["…"], prompt: "› /") },
            "\(desk.pty.screen.text)")
        #expect(desk.pty.screen.text.contains("  … and 3 more"))
        #expect(Desk.rows(desk.pty.screen).allSatisfy { $0.count <= columns } && Desk.rows(desk.pty.screen).count == 7)
        desk.pty.send("h")
        #expect(
            await desk.pty.see { Self.shows($0, ["/help", "/history", "/hosts"], prompt: "› /h") },
            "\(desk.pty.screen.text)")
        #expect(Desk.rows(desk.pty.screen).count == 4)
        desk.pty.send("i\t")
        await desk.sees(["› /history"])
        desk.pty.send("x\r")
        #expect(await desk.next() == .line("/history x"))
        await desk.sees(["› /history x", "›"])
        await desk.editor.close()
        #expect(desk.pty.screen.unknown == [])
    }

    /// Whatever ends the line, the menu goes and nothing of it is left, neither on the screen nor above it.
    @Test(arguments: [
        ("Enter", "\r", ["› /l", "›"]), ("Ctrl-C", "\u{3}", ["›"]), ("Ctrl-U", "\u{15}", ["›"]),
        ("Backspace", "\u{7F}\u{7F}", ["›"]),
    ])
    func nothingIsLeftOfTheMenu(name: String, keys: String, rows: [String]) async throws {
        for height in [4, 20] {
            let desk = try Desk(columns: 60, rows: height) { $0.help = Self.help }
            await desk.sees(["›"])
            desk.pty.send("/l")
            #expect(
                await desk.pty.see { Self.shows($0, ["/list", "/logs"], prompt: "› /l") }, "\(desk.pty.screen.text)")
            desk.pty.send(keys)
            await desk.sees(rows)
            await desk.editor.close()
            #expect(!desk.pty.screen.text.contains("/list") && desk.pty.screen.unknown == [])
        }
    }

    @Test func theMenuStandsBelowNewsAndStatusAndFollowsTheWidth() async throws {
        let desk = try Desk(columns: 60, rows: 20) { $0.help = Self.help }
        await desk.sees(["›"])
        desk.editor.setStatus(["resize 40%"])
        desk.pty.send("/sh")
        await desk.sees(["resize 40%", Self.cut("/show", 60), "› /sh"])
        desk.editor.show("news")
        await desk.sees(["news", "resize 40%", Self.cut("/show", 60), "› /sh"])
        desk.pty.resize(columns: 30, rows: 20)
        desk.editor.noticeResize()
        #expect(
            await desk.pty.see { Desk.rows($0).contains(Self.cut("/show", 30)) && Desk.rows($0).last == "› /sh" },
            "\(desk.pty.screen.text)"
        )
        desk.pty.send("\u{3}")
        #expect(await desk.pty.see { Desk.rows($0).suffix(2) == ["resize 40%", "›"] }, "\(desk.pty.screen.text)")
        await desk.editor.close()
    }

    private static func cut(_ verb: String, _ columns: Int) -> String {
        StyledText("  \(verb)  \(help.about[verb] ?? "")").truncated(to: columns).plain
    }

    @Test func aQuestionTakesThePlaceOfTheMenu() async throws {
        let desk = try Desk(columns: 60, rows: 20) { $0.help = Self.help }
        await desk.sees(["›"])
        desk.pty.send("/sh")
        #expect(await desk.pty.see("/show"))
        let answer = Task.immediate {
            await desk.editor.ask(KeyQuestion(["really?"], .keys(["y", "n"]), armingMilliseconds: 0))
        }
        #expect(
            await desk.pty.see { $0.text.contains("really?") && !$0.text.contains("/show") }, "\(desk.pty.screen.text)")
        desk.pty.send("n")
        #expect(await answer.value == .key("n"))
        #expect(
            await desk.pty.see { $0.text.contains("/show") && Desk.rows($0).last == "› /sh" }, "\(desk.pty.screen.text)"
        )
        await desk.editor.close()
    }

    @Test func aPasteHasNoMenuBeforeItsEnd() async throws {
        let desk = try Desk(columns: 60, rows: 20) { $0.help = Self.help }
        await desk.sees(["›"])
        desk.pty.send("a\u{7F}\u{1B}[200~/sh")
        #expect(try await desk.pty.isRead())
        #expect(!desk.pty.screen.text.contains("/show"))
        desk.pty.send("\u{1B}[201~")
        #expect(await desk.pty.see("/show"))
        await desk.editor.close()
    }

    @Test func whatOthersWroteIsHarmlessInMenuAndList() async throws {
        let help = ListedWords(
            words: ["/a", "/ab"], about: ["/a": "\u{1B}[2Jx\u{202E}", "/ab": "y\r\nz"], hasMenu: true)
        let desk = try Desk(columns: 60, rows: 20) { $0.help = help }
        await desk.sees(["›"])
        desk.pty.send("/")
        #expect(await desk.pty.see("␛[2Jx"), "\(desk.pty.screen.text)")
        // The menu shows them already, so Tab lists nothing.
        desk.pty.send("a\t")
        #expect(await desk.pty.see { Desk.rows($0).last == "› /a" }, "\(desk.pty.screen.text)")
        #expect(Desk.rows(desk.pty.screen).count { $0.contains("␛[2Jx") } == 1)
        desk.pty.send("\u{3}x /a\t")
        #expect(
            await desk.pty.see { Desk.rows($0).contains { $0.contains("␛[2Jx") } && Desk.rows($0).last == "› x /a" },
            "\(desk.pty.screen.text)")
        #expect(desk.pty.screen.unknown == [])
        await desk.editor.close()
    }
}

/// Tab, beyond the words themselves.
@Suite(.serialized, .timeLimit(.minutes(10))) struct TabTests {
    @Test func candidatesWithWordsAboutThemHaveARowEach() async throws {
        let desk = try Desk(columns: 30) {
            $0.help = ListedWords(
                words: ["w1", "w12"], about: ["w1": "cat.jpg: resize", "w12": "a long title that is cut at the margin"])
        }
        await desk.sees(["›"])
        desk.pty.send("/show w1\t")
        await desk.sees([
            "  w1   cat.jpg: resize",
            StyledText("  w12  a long title that is cut at the margin").truncated(to: 30).plain, "› /show w1",
        ])
        await desk.editor.close()
    }

    /// What the first have in common need not be what all have in common.
    @Test func fromASelectionNothingIsConcluded() async throws {
        let desk = try Desk { $0.help = ListedWords(words: ["notes-a.txt", "notes-b.txt"], areAll: false) }
        await desk.sees(["›"])
        desk.pty.send("n\t")
        await desk.sees(["  notes-a.txt  notes-b.txt  … and more", "› n"])
        await desk.editor.close()
    }

    @Test(arguments: [("photos/", "› ph", "photos/!"), ("photo=", "› ph", "photo=!"), ("photos", "› ph", "photos !")])
    func whatGoesOnHasNoSpaceBehindIt(word: String, prompt: String, line: String) async throws {
        let desk = try Desk { $0.help = ListedWords(words: [word]) }
        await desk.sees(["›"])
        desk.pty.send("ph\t!\r")
        #expect(await desk.next() == .line(line))
        await desk.editor.close()
    }
}

/// Which lines are entered as pastes.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PastedLineTests {
    private static let begin = "\u{1B}[200~", end = "\u{1B}[201~"

    @Test(
        arguments: [
            ("several lines", begin + "one\rtwo" + end + "\r", ScreenInput.paste("one\ntwo")),
            ("one line", begin + "one two" + end + "\r", .line("one two")),
            ("a typed newline", "one\u{1B}\rtwo\r", .line("one\ntwo")),
            ("a paste and a typed newline", begin + "one\rtwo" + end + "\u{1B}\rthree\r", .line("one\ntwo\nthree")),
            ("a paste that was cleared", begin + "one\rtwo" + end + "\u{3}three\r", .line("three")),
            ("a paste behind words", "say " + begin + "one\rtwo" + end + "\r", .paste("say one\ntwo")),
        ] as [(String, String, ScreenInput)])
    func onlyPastedNewlinesMakeAPaste(name: String, keys: String, input: ScreenInput) async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send(keys)
        #expect(await desk.next() == input)
        await desk.editor.close()
    }
}

import CaseNames
import Harness
import JSON
import Testing

/// How a person finds their way in the chat: the start, the menu, what a verb takes when nothing is named, and pastes
/// of several orders.
@Suite(.process) struct NavigationTests {
    private static let begin = "\u{1B}[200~", end = "\u{1B}[201~"

    private func lab() throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write("one two three\n", to: "notes.txt")
        return lab
    }

    private func chat(_ lab: ProgramLab, _ arguments: [String] = [], columns: Int = 100, rows: Int = 40) async throws
        -> Pty
    {
        let pty = try lab.terminal(arguments, columns: columns, rows: rows)
        #expect(
            await pty.see {
                $0.lines.contains { $0.hasPrefix("›") || $0.hasSuffix("] ›") } && $0.text.contains("assent 0.1.0")
            },
            "\(pty.screen.text)")
        return pty
    }

    private func isAtPrompt(_ screen: PtyScreen) -> Bool { screen.lines.last { !$0.isEmpty } == "›" }

    // MARK: The start

    @Test(arguments: [40, 80, 120]) func theStartSaysWhatToTryUntilThereIsAWorkflow(columns: Int) async throws {
        let lab = try lab()
        let first = try await chat(lab, columns: columns)
        #expect(
            await first.see { $0.text.contains("  › how many words are in notes.txt") && isAtPrompt($0) },
            "\(first.screen.text)")
        let lines = first.screen.lines
        #expect(
            lines.count { $0.hasPrefix("  › ") } == 3 && lines.allSatisfy { $0.count <= columns },
            "\(first.screen.text)")
        // What is suggested works as it stands there.
        first.send("how many words are in notes.txt\r")
        #expect(await first.see("3 words"), "\(first.screen.text)")
        first.send("\u{4}")
        #expect(await first.exitStatus() == 0)
        let next = try await chat(lab, columns: columns)
        next.send("/mode\r")
        #expect(await next.see { $0.text.components("adaptive") >= 2 && isAtPrompt($0) }, "\(next.screen.text)")
        #expect(!next.screen.text.contains("To try, for example"), "\(next.screen.text)")
        next.send("\u{4}")
        #expect(await next.exitStatus() == 0)
    }

    @Test func aScriptIsToldNothingToTry() async throws {
        let ending = try await lab().run([], input: "/mode\n")
        #expect(ending.exit == 0 && !ending.output.contains("To try"), "\(ending.output)")
    }

    // MARK: The menu

    @Test(arguments: [40, 80, 120]) func theMenuIsThereWhileAVerbIsTyped(columns: Int) async throws {
        let pty = try await chat(try lab(), columns: columns)
        #expect(await pty.see { $0.text.contains("/help lists the verbs") && isAtPrompt($0) }, "\(pty.screen.text)")
        let before = pty.screen.text
        pty.send("/sh")
        #expect(
            await pty.see { $0.text.contains("  /show  Show a workflow") && $0.lines.last { !$0.isEmpty } == "› /sh" },
            "\(pty.screen.text)"
        )
        #expect(pty.screen.lines.allSatisfy { $0.count <= columns })
        pty.send("\u{3}")
        // The line is emptied first, and then the rows of the menu.
        #expect(await pty.see { isAtPrompt($0) && $0.text == before }, "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func withPlainThereIsNoMenu() async throws {
        let pty = try lab().terminal(["--plain"])
        #expect(await pty.see("assent 0.1.0"), "\(pty.screen.text)")
        pty.send("/mode\r")
        #expect(await pty.see { $0.text.contains("auto:") }, "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("Show how much") && !pty.screen.text.contains("/model"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    // MARK: Verbs without an argument

    @Test func aVerbThatLooksTakesTheNewestAndSaysSo() async throws {
        let lab = try lab()
        let none = try await lab.run("show")
        #expect(none.exit == 2 && none.errors.contains("There is no workflow in this folder yet."), "\(none.errors)")
        try await lab.succeeds("ask", "count the words in notes.txt")
        try await lab.succeeds("ask", "count the words in notes.txt")
        for verb in ["show", "why", "timeline", "logs"] {
            let ending = try await lab.run(verb)
            #expect(ending.exit == 0 && ending.errors.contains("of w2, the newest: "), "\(verb): \(ending.errors)")
        }
        // As JSON, since a person is told how long ago it was.
        let step = try await lab.run("show", "w1.2", "--json"), same = try await lab.run("show", "w1", "2", "--json")
        #expect(step.exit == 0 && step.output == same.output && step.errors.isEmpty, "\(step.errors)")
        #expect(try await lab.run("show", "w1.2", "1").exit == 2)
        // A conversation has its own newest.
        let pty = try await chat(lab, ["-c"])
        pty.send("/show\r")
        #expect(await pty.see("of w2, the newest"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// Nothing is guessed: the only one is taken, and of several none.
    @Test func aVerbThatDecidesTakesTheOnlyOne() async throws {
        let lab = try lab()
        try lab.write(workflow("nap", [node("nap", "Delay", ["seconds": 600])]), to: ".nap.json")
        let nothing = try await lab.run("cancel")
        #expect(
            nothing.exit == 2 && nothing.errors.contains("No workflow of this folder can be cancelled."),
            "\(nothing.errors)")
        let pty = try await chat(lab)
        for number in 1...2 {
            pty.send("/run .nap.json\r")
            #expect(await pty.see("w\(number) has begun"), "\(pty.screen.text)")
        }
        let several = try await lab.run("cancel")
        #expect(
            several.exit == 2 && several.errors.contains("w1 (nap)") && several.errors.contains("w2 (nap)"),
            "\(several.errors)")
        try await lab.succeeds("cancel", "w1")
        #expect(try await eventually { try await lab.shown("w1")["workflow"]?["outcome"]?.string == "cancelled" })
        let only = try await lab.run("cancel")
        #expect(
            only.exit == 0 && only.errors.contains("of w2, the only one that can be cancelled: nap"), "\(only.errors)")
        #expect(await pty.see("⊘ w2 "), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func anAnswerWithoutANumberIsForTheOnlyEntry() async throws {
        let lab = try lab()
        let nothing = try await lab.run("reject")
        #expect(
            nothing.exit == 2 && nothing.errors.contains("Nothing in the inbox can be rejected."), "\(nothing.errors)")
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        for _ in 0..<2 { #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3) }
        let several = try await lab.run("reject")
        #expect(
            several.exit == 2 && several.errors.contains("Which entry of the inbox? 2 could be rejected."),
            "\(several.errors)")
        try await lab.succeeds("reject", "1", "no")
        let only = try await lab.run("reject", "--reason", "keep it")
        #expect(
            only.exit == 0 && only.errors.contains("2 of the inbox, the only one that can be rejected"),
            "\(only.errors)")
        #expect(lab.exists("notes.txt"))
    }

    // MARK: Pastes

    @Test func severalOrdersInOnePasteAreDoneInOrder() async throws {
        let lab = try lab()
        let pty = try await chat(lab)
        pty.send(Self.begin + "count the words in notes.txt\r/mode\rwrite \"x\" to x.txt\r" + Self.end + "\r")
        #expect(await pty.see { _ in lab.exists("x.txt") }, "\(pty.screen.text)")
        #expect(await pty.see { isAtPrompt($0) }, "\(pty.screen.text)")
        let text = pty.screen.text
        let places = [
            "3 orders, one after the other", "1 of 3 › count", "3 words", "2 of 3 › /mode", "auto:", "3 of 3 › write",
        ]
        .map {
            text.firstRange(of: $0)?.lowerBound
        }
        #expect(!places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    /// The lines behind an order that asks are no answers, and Ctrl-C drops them.
    @Test func ordersWaitBehindAQuestionAndCtrlCDropsThem() async throws {
        let lab = try lab()
        try lab.enlarge("notes.txt")
        let pty = try await chat(lab)
        pty.send(Self.begin + "delete notes.txt\rnotes.txt\rwrite \"x\" to x.txt" + Self.end + "\r")
        #expect(await pty.seeQuestion("to go on"), "\(pty.screen.text)")
        #expect(lab.exists("notes.txt") && !lab.exists("x.txt"))
        pty.send("\u{3}")
        #expect(
            await pty.see { $0.text.contains("2 orders of the paste left") && $0.text.contains("2 orders waiting ›") },
            "\(pty.screen.text)"
        )
        // A look does not let them go on.
        pty.send("/inbox\r")
        #expect(await pty.see("/approve 1"), "\(pty.screen.text)")
        pty.send("\u{3}")
        #expect(
            await pty.see {
                $0.text.contains("2 orders of the paste were dropped:") && isAtPrompt($0) || $0.text.contains("[1⚑] ›")
            },
            "\(pty.screen.text)")
        #expect(lab.exists("notes.txt") && !lab.exists("x.txt"))
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func heldOrdersGoOnAfterTheNextLine() async throws {
        let lab = try lab()
        let pty = try await chat(lab)
        pty.send(Self.begin + "make notes.txt sepia\rwrite \"x\" to x.txt" + Self.end + "\r")
        #expect(
            await pty.see { lab.exists("x.txt") || $0.text.contains("order of the paste left") },
            "\(pty.screen.text)")
        if !lab.exists("x.txt") {
            pty.send("count the words in notes.txt\r")
            #expect(await pty.see { _ in lab.exists("x.txt") }, "\(pty.screen.text)")
        }
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test(arguments: [
        "/approve 1", "/reject 1", "/complete 1 --text x", "/mode auto", "/hosts allow api.example.com",
        "/connect openai",
    ])
    func aPasteNeitherAnswersNorPermits(verb: String) async throws {
        let lab = try lab()
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        let pty = try await chat(lab)
        pty.send(Self.begin + "/inbox\r\(verb)" + Self.end + "\r")
        #expect(await pty.see("(notFromPaste)"), "\(pty.screen.text)")
        #expect(try await lab.json("inbox").first?["status"]?.string == "pending")
        #expect(try await lab.json("hosts").isEmpty)
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    @Test func aTextOfSeveralLinesStaysOneOrder() async throws {
        let lab = try lab()
        let pty = try await chat(lab)
        pty.send(Self.begin + "write \"one\rtwo\" to two.txt" + Self.end + "\r")
        #expect(await pty.see { _ in lab.exists("two.txt") }, "\(pty.screen.text)")
        #expect(!pty.screen.text.contains("one after the other"))
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }

    // MARK: The home folder

    @Test func theHomeFolderIsMeantInOrdersAndWords() async throws {
        let lab = try lab()
        // The workspace lies in the home folder.
        let parent = String(lab.folder[..<lab.folder.lastIndex(of: "/")!]),
            name = String(lab.folder.dropFirst(parent.count + 1))
        let pty = try lab.terminal([], environment: ["HOME": parent], columns: 100, rows: 40)
        #expect(await pty.see("assent 0.1.0"), "\(pty.screen.text)")
        pty.send("count the words in ~/\(name)/notes.txt\r")
        #expect(await pty.see("3 words"), "\(pty.screen.text)")
        pty.send("/view ~/\(name)/notes.txt\r")
        #expect(await pty.see("one two three"), "\(pty.screen.text)")
        pty.send("\u{4}")
        #expect(await pty.exitStatus() == 0)
    }
}

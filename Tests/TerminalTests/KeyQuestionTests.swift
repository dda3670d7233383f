import Glibc
import Harness
import Terminal
import Testing

@Suite(.serialized, .timeLimit(.minutes(10))) struct KeyQuestionTests {
    private static let question = KeyQuestion(
        ["? overwrite a file", "[y] yes  [n] no"], .keys(["y", "n"]), armingMilliseconds: 150)

    /// Types a key, and waits until it was read and shown to be no answer.
    private static func type(_ key: String, on desk: Desk) async {
        func painted() -> Int { desk.pty.output.ranges(of: "\u{1B}[K").count }
        let before = painted()
        desk.pty.send(key)
        #expect(await desk.pty.see { _ in painted() > before }, "\(key.debugDescription)")
    }

    /// All but the last, which answers, are seen to be read one by one.
    private static func type(_ keys: [String], on desk: Desk) async {
        for key in keys.dropLast() { await type(key, on: desk) }
        if let last = keys.last { desk.pty.send(last) }
    }

    /// Asks on a desk, and does `act` once the question can be read and its keys count.
    private func answer(
        _ question: KeyQuestion = question, typedBefore: String = "", on desk: Desk,
        act: @escaping @Sendable (Pty) async -> Void
    ) async -> KeyQuestion.Answer {
        async let answer = desk.editor.ask(question)
        _ = await desk.pty.see { $0.text.contains("press") || $0.text.contains("and Enter") }
        await act(desk.pty)
        return await answer
    }

    @Test func aListedKeyAnswersAndTheLineComesBack() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("half a li")
        await desk.sees(["› half a li"])
        let answer = await answer(on: desk) { pty in
            let hint = "type y and Enter, or press n / · Esc: no answer"
            #expect(Desk.rows(pty.screen) == ["? overwrite a file", "[y] yes  [n] no", hint])
            pty.send("n")
        }
        #expect(answer == .key("n"))
        await desk.sees(["? overwrite a file", "[y] yes  [n] no", "› half a li"])
        desk.pty.send("ne\r")
        #expect(await desk.next() == .line("half a line"))
        await desk.editor.close()
    }

    @Test(arguments: [
        (["\u{1B}"], KeyQuestion.Reason.escape), (["\u{3}"], .interrupt), (["\u{4}"], .endOfInput),
        (["\r", "\n", "\u{1B}"], .escape),
        (["yes\u{3}"], .interrupt), (["y\u{4}"], .endOfInput),
    ])
    func neverAYes(_ keys: [String], _ reason: KeyQuestion.Reason) async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let answer = await answer(on: desk) { _ in await Self.type(keys, on: desk) }
        #expect(answer == .none(reason))
        await desk.editor.close()
    }

    @Test(arguments: [
        "\r", "\n", "Y", "x", " ", "\u{1B}[A", "yy\r", "y\ry\r", "yes\rno\r", "YES\r", "yes \r",
        "\u{1B}[200~y\u{1B}[201~", "ÿ", "\u{202E}",
        "y\u{301}",
    ])
    func otherKeysOnlyShowTheHint(_ keys: String) async throws {
        let desk = try Desk(hasColour: true)
        await desk.sees(["›"])
        let answer = await answer(on: desk) { pty in
            #expect(await pty.see { $0.style(row: 2, column: 0) == "2" })
            pty.send(Array(keys.utf8))
            // The hint turns yellow: the keys were read, and were no answer.
            #expect(await pty.see { $0.style(row: 2, column: 0) == "33" }, "\(keys.debugDescription)")
            pty.send("\u{15}n\r")
        }
        #expect(answer == .key("n"))
        await desk.editor.close()
    }

    @Test func whatWasTypedBeforeDoesNotCount() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        async let answer = desk.editor.ask(KeyQuestion(["?"], .keys(["y", "n"]), armingMilliseconds: 20))
        #expect(await desk.pty.see("?"))
        desk.pty.send("ye")
        #expect(await desk.pty.see("pause to answer"))
        #expect(!desk.pty.output.contains("press"))
        #expect(try await clock.advance(seconds: 0.02) { desk.pty.screen.text.contains("press") })
        desk.pty.send("n\r")
        #expect(await answer == .key("n"))
        // It goes on as the line that it was meant for.
        await desk.sees(["?", "› ye"])
        desk.pty.send("t\r")
        #expect(await desk.next() == .line("yet"))
        await desk.editor.close()
    }

    @Test func aTimeoutIsNoAnswer() async throws {
        let desk = try Desk()
        let question = KeyQuestion(["?"], .keys(["y"]), armingMilliseconds: 10, timeoutMilliseconds: 100)
        #expect(await desk.editor.ask(question) == .none(.timeout))
        await desk.editor.close()
    }

    @Test func withdrawnWhenTheTaskIsCancelled() async throws {
        let desk = try Desk()
        let task = Task { await desk.editor.ask(Self.question) }
        #expect(await desk.pty.see("press"))
        task.cancel()
        #expect(await task.value == .none(.withdrawn))
        desk.pty.send("abc\r")
        #expect(await desk.next() == .line("abc"))
        await desk.editor.close()
    }

    /// What was typed at the question stays on its line, since Enter is still to come.
    @Test func aNewSizeKeepsWhatWasTyped() async throws {
        let clock = HeldClock()
        let desk = try Desk(columns: 100) { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        async let answer = desk.editor.ask(KeyQuestion(["?"], .keys(["y", "n"]), armingMilliseconds: 20))
        #expect(await desk.pty.see("?"))
        #expect(try await clock.advance(seconds: 0.02) { desk.pty.screen.text.contains("press") })
        desk.pty.send("not toda")
        #expect(await desk.pty.see("› not toda"))
        desk.pty.resize(columns: 90, rows: 14)
        desk.editor.noticeResize()
        #expect(await desk.next() == .resize)
        desk.pty.send("y\r")
        #expect(await desk.pty.see("none of them"), "\(desk.pty.screen.text)")
        desk.pty.send("y\r")
        #expect(await answer == .key("y"))
        await desk.editor.close()
    }

    @Test func newsWaitForTheAnswer() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let answer = await answer(on: desk) { pty in
            desk.editor.show("news")
            // They were there before this key, which has been read.
            await Self.type("x", on: desk)
            #expect(!pty.screen.text.contains("news"))
            pty.send("\u{7F}y\r")
        }
        #expect(answer == .key("y"))
        await desk.sees(["? overwrite a file", "[y] yes  [n] no", "news", "›"])
        await desk.editor.close()
    }

    @Test(arguments: [
        ("todo.md\r", KeyQuestion.Answer.word("todo.md")), ("no\r", .word("no")),
        ("tod\u{7F}do.md\u{15}todo.md\r", .word("todo.md")),
        ("\rTODO.md\rtodo.md \rno\r", .word("no")), ("todo.md\u{1B}", .none(.escape)),
        ("todo.md\u{3}", .none(.interrupt)),
    ])
    func aWordMustBeExact(_ keys: String, _ expected: KeyQuestion.Answer) async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let question = KeyQuestion(["? delete"], .words(["todo.md", "no"]), armingMilliseconds: 50)
        let answer = await answer(question, on: desk) { _ in await Self.type(keys.map { String($0) }, on: desk) }
        #expect(answer == expected)
        await desk.editor.close()
    }

    @Test(arguments: [
        ("keep it\r", KeyQuestion.Answer.word("keep it")), ("\r", .word("")), ("x\u{7F}ü 日\r", .word("ü 日")),
        ("keep\u{1B}", .none(.escape)),
    ])
    func aLineMayBeAnything(_ keys: String, _ expected: KeyQuestion.Answer) async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let answer = await answer(KeyQuestion(["why not?"], .text, armingMilliseconds: 0), on: desk) { _ in
            await Self.type(keys.map { String($0) }, on: desk)
        }
        #expect(answer == expected)
        await desk.editor.close()
    }

    @Test func theEndOfTheTerminalIsNoAnswer() async throws {
        let pty = try Pty.pair()
        var settings = LineEditor.Settings()
        let slave = open(pty.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        (settings.output, settings.ownsProcess) = (slave, false)
        let editor = try LineEditor(InputOwner(slave), settings)
        async let answer = editor.ask(KeyQuestion(["?"], .keys(["y"]), armingMilliseconds: 10))
        #expect(await pty.see("press"))
        pty.send("\u{4}")
        #expect(await answer == .none(.endOfInput))
        await editor.close()
        close(slave)
    }
}

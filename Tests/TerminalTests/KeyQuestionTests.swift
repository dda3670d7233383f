import Glibc
import Harness
import Terminal
import Testing

@Suite(.serialized, .timeLimit(.minutes(1))) struct KeyQuestionTests {
    private static let question = KeyQuestion(["? overwrite a file", "[y] yes  [n] no"], .keys(["y", "n"]), armingMilliseconds: 150)

    /// Asks on a desk, and does `act` once the question can be read and its keys count.
    private func answer(
        _ question: KeyQuestion = question, typedBefore: String = "", on desk: Desk, act: @escaping @Sendable (Pty) async -> Void
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
            #expect(Desk.rows(pty.screen) == ["? overwrite a file", "[y] yes  [n] no", "press y n · Esc: no answer"])
            pty.send("n")
        }
        #expect(answer == .key("n"))
        await desk.sees(["? overwrite a file", "[y] yes  [n] no", "› half a li"])
        desk.pty.send("ne\r")
        #expect(await desk.next() == .line("half a line"))
        await desk.editor.close()
    }

    @Test(arguments: [
        (["\u{1B}"], KeyQuestion.Reason.escape), (["\u{3}"], .interrupt), (["\u{4}"], .endOfInput), (["\r", "\n", "\u{1B}"], .escape),
        (["yes\u{3}"], .interrupt), (["y\u{4}"], .endOfInput),
    ])
    func neverAYes(_ keys: [String], _ reason: KeyQuestion.Reason) async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let answer = await answer(on: desk) { pty in
            for key in keys {
                pty.send(key)
                try? await Task.sleep(for: .milliseconds(150))
            }
        }
        #expect(answer == .none(reason))
        await desk.editor.close()
    }

    @Test(arguments: ["\r", "\n", "Y", "x", " ", "\u{1B}[A", "yy", "y\r", "\u{1B}[200~y\u{1B}[201~", "ÿ", "\u{202E}", "y\u{301}"])
    func otherKeysOnlyShowTheHint(_ keys: String) async throws {
        let desk = try Desk(hasColour: true)
        await desk.sees(["›"])
        let answer = await answer(on: desk) { pty in
            #expect(await pty.see { $0.style(row: 2, column: 0) == "2" })
            pty.send(Array(keys.utf8))
            // The hint turns yellow: the keys were read, and were no answer.
            #expect(await pty.see { $0.style(row: 2, column: 0) == "33" }, "\(keys.debugDescription)")
            pty.send("n")
        }
        #expect(answer == .key("n"))
        await desk.editor.close()
    }

    @Test func whatWasTypedBeforeDoesNotCount() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let slow = KeyQuestion(["?"], .keys(["y", "n"]), armingMilliseconds: 1500)
        async let answer = desk.editor.ask(slow)
        #expect(await desk.pty.see("?"))
        for _ in 0..<3 {
            desk.pty.send("y")
            try await Task.sleep(for: .milliseconds(20))
        }
        #expect(await desk.pty.see("press"))
        desk.pty.send("n")
        #expect(await answer == .key("n"))
        desk.pty.send("\r")
        #expect(await desk.next() == .line(""))
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

    @Test func aNewSizeArmsAnew() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let slow = KeyQuestion(["?"], .keys(["y", "n"]), armingMilliseconds: 1500)
        let answer = await answer(slow, on: desk) { pty in
            pty.resize(columns: 50, rows: 14)
            desk.editor.noticeResize()
            #expect(await desk.next() == .resize)
            #expect(await pty.see { !$0.text.contains("press") })
            pty.send("y")
            #expect(await pty.see("press"))
            pty.send("n")
        }
        #expect(answer == .key("n"))
        await desk.editor.close()
    }

    @Test func newsWaitForTheAnswer() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let answer = await answer(on: desk) { pty in
            desk.editor.show("news")
            try? await Task.sleep(for: .milliseconds(100))
            #expect(!pty.screen.text.contains("news"))
            pty.send("y")
        }
        #expect(answer == .key("y"))
        await desk.sees(["? overwrite a file", "[y] yes  [n] no", "news", "›"])
        await desk.editor.close()
    }

    @Test(arguments: [
        ("todo.md\r", KeyQuestion.Answer.word("todo.md")), ("no\r", .word("no")), ("tod\u{7F}do.md\u{15}todo.md\r", .word("todo.md")),
        ("\rTODO.md\rtodo.md \rno\r", .word("no")), ("todo.md\u{1B}", .none(.escape)), ("todo.md\u{3}", .none(.interrupt)),
    ])
    func aWordMustBeExact(_ keys: String, _ expected: KeyQuestion.Answer) async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        let question = KeyQuestion(["? delete"], .words(["todo.md", "no"]), armingMilliseconds: 50)
        let answer = await answer(question, on: desk) { pty in
            for key in keys {
                pty.send(String(key))
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
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
        let answer = await answer(KeyQuestion(["why not?"], .text, armingMilliseconds: 0), on: desk) { pty in
            for key in keys {
                pty.send(String(key))
                try? await Task.sleep(for: .milliseconds(20))
            }
        }
        #expect(answer == expected)
        await desk.editor.close()
    }

    @Test func theEndOfTheTerminalIsNoAnswer() async throws {
        let pty = try Pty.pair()
        var settings = LineEditor.Settings()
        let slave = open(pty.slavePath, O_RDWR | O_NOCTTY | O_CLOEXEC)
        (settings.input, settings.output, settings.ownsProcess) = (slave, slave, false)
        let editor = LineEditor(settings)
        async let answer = editor.ask(KeyQuestion(["?"], .keys(["y"]), armingMilliseconds: 10))
        #expect(await pty.see("press"))
        pty.send("\u{4}")
        #expect(await answer == .none(.endOfInput))
        await editor.close()
        close(slave)
    }
}

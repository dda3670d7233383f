import Glibc
import Harness
import Synchronization
import Testing

@testable import Terminal

/// Content that a person types or pastes as an answer, and lending the terminal to another program.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EntryTests {
    /// What a reader makes of bursts of bytes, up to its answer.
    private func read(_ bursts: [String], isLong: Bool) -> (answer: KeyQuestion.Answer?, typed: String, shown: [String])
    {
        var reader = AnswerReader(.entry(isLong: isLong))
        var shown: [String] = []
        for burst in bursts {
            let step = reader.receive(Array(burst.utf8))
            shown += reader.takeLines()
            if case .answered(let answer) = step { return (answer, reader.typed, shown) }
        }
        return (nil, reader.typed, shown)
    }

    @Test(arguments: [
        (["cat.png\r"], false, "cat.png"), (["ca", "t\u{7F}", "r\r"], false, "car"), (["\r"], false, ""),
        (["x\u{15}y\r"], false, "y"),
        (["\u{1B}[200~/home/a b.png\u{1B}[201~", "\r"], false, "/home/a b.png"),
        (["\u{1B}[200~one\ntwo\u{1B}[201~", "\r"], false, "one two"),
        (["a\u{202E}b\r"], false, "a\u{202E}b"), (["👩‍👩‍👧\r"], false, "👩‍👩‍👧"), (["one\rtwo\r.\r"], true, "one\ntwo"),
        (["one\r", "\r", "two\r", ".\r"], true, "one\n\ntwo"), (["\r"], true, ""), ([".\r"], true, ""),
        (["one", "\u{4}"], true, "one"),
        (["one\r", "\u{4}"], true, "one"), (["\u{1B}[200~a\r\n\r\nb\u{1B}[201~", "c\r.\r"], true, "a\n\nbc"),
        (["..\r.\r"], true, ".."),
        (["\u{1B}[200~y\u{3}\u{4}\u{7}\u{1B}[201~", "\r.\r"], true, "y"), (["a\tb\r.\r"], true, "a\tb"),
    ])
    func contentIsTakenAsItIs(bursts: [String], isLong: Bool, content: String) {
        #expect(read(bursts, isLong: isLong).answer == .word(content))
    }

    @Test(arguments: [
        (["\u{1B}"], KeyQuestion.Reason.escape), (["half", "\u{1B}"], .escape), (["half\u{3}"], .interrupt),
        (["\u{4}"], .endOfInput),
    ])
    func leavingIsNoAnswer(bursts: [String], reason: KeyQuestion.Reason) {
        for isLong in [false, true] { #expect(read(bursts, isLong: isLong).answer == .none(reason)) }
    }

    @Test func aPasteAnswersNothingByItself() {
        let pasted = read(["\u{1B}[200~y\r\n.\r\n\u{1B}[201~"], isLong: true)
        #expect(pasted.answer == nil && pasted.shown == ["y", "."])
        #expect(read(["\u{1B}[200~y\r\u{1B}[201~"], isLong: false).answer == nil)
    }

    /// Bursts of which nothing is taken, by a name, and the line after them that is.
    private static let refused: [(name: String, bursts: [String], isLong: Bool, fault: LineFault)] = {
        let tooLong = LineFault.tooLong(limit: TerminalLimits.entryBytes)
        let piece = String(repeating: "x", count: 60_000)
        let pasted = ["\u{1B}[200~"] + [String](repeating: piece, count: 5) + ["yes\r\u{1B}[20", "1~"]
        return [
            ("a line", [String](repeating: piece, count: 5) + ["\r"], false, tooLong),
            ("a text", [String](repeating: piece + "\r", count: 5) + [".x\r", "yes\r", ".\r"], true, tooLong),
            (
                "empty lines", [String](repeating: "\r", count: 1 << 18).map { "x" + $0 }.chunked + [".\r"], true,
                tooLong
            ),
            ("a pasted line", pasted, false, tooLong), ("a pasted text", pasted, true, tooLong),
            ("a NUL in a line", ["y\0es\r"], false, .hasNUL),
            ("a NUL in a text", ["one\r", "y\0es\r", ".\r"], true, .hasNUL),
            ("a NUL in a paste", ["\u{1B}[200~y\0es\u{1B}[201~"], false, .hasNUL),
        ]
    }()

    @Test("finding 2: an answer is taken whole or not at all", arguments: refused.indices)
    func anAnswerIsTakenWholeOrNotAtAll(place: Int) {
        let (name, bursts, isLong, fault) = Self.refused[place]
        var reader = AnswerReader(.entry(isLong: isLong))
        var steps: [AnswerReader.Step] = []
        var faults: [String] = []
        for burst in bursts {
            steps.append(reader.receive(Array(burst.utf8)))
            if let fault = reader.refusal { faults.append(fault) }
        }
        #expect(faults == [fault.words] && steps.last == .goOn(isWrong: true), "\(name): \(faults)")
        #expect(!steps.contains { if case .answered = $0 { true } else { false } }, "\(name)")
        #expect(
            reader.receive(Array("short\r".utf8)) == (isLong ? .goOn(isWrong: false) : .answered(.word("short"))),
            "\(name)")
        if isLong { #expect(reader.receive(Array(".\r".utf8)) == .answered(.word("short")), "\(name)") }
    }

    @Test(
        "finding 2: the end of a paste answers no question",
        arguments: [
            .keys(["y", "n"]), .words(["yes"]), .pick(hint: "a name", takesEmpty: true), .text, .entry(isLong: false),
            .entry(isLong: true),
        ] as [KeyQuestion.Form])
    func theEndOfAPasteAnswersNoQuestion(form: KeyQuestion.Form) {
        var reader = AnswerReader(form)
        let bursts = [
            "\u{1B}[200~" + String(repeating: "x", count: 65_000), "y", "\r", "yes", "\r", ".\r", "\u{1B}[201~",
        ]
        for burst in bursts {
            if case .answered(let answer) = reader.receive(Array(burst.utf8)) {
                Issue.record("\(burst.prefix(10)) answers: \(answer)")
            }
        }
    }

    @Test func aWordThatIsTooLongIsNotTaken() {
        var reader = AnswerReader(.text)
        #expect(reader.receive(Array((String(repeating: "x", count: 1025) + "\r").utf8)) == .goOn(isWrong: true))
        #expect(reader.refusal == LineFault.tooLong(limit: 1024).words)
        let hint = KeyQuestion(["why?"], .text).hint(typed: "", isWrong: true, refusal: reader.refusal)
        #expect(hint.plain.hasPrefix("not taken, since it has more than 1024 bytes · type it and Enter"))
        #expect(reader.receive(Array("no\r".utf8)) == .answered(.word("no")))
    }

    @Test func completeLinesStayOnTheScreenInVisibleForms() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        async let answer = desk.editor.ask(KeyQuestion(["why?"], .entry(isLong: true), armingMilliseconds: 0))
        #expect(await desk.pty.see("ends it"))
        desk.pty.send("one\r")
        desk.pty.send("t\u{202E}wo\r")
        #expect(await desk.pty.see("  t⟨U+202E⟩wo"), "\(desk.pty.screen.text)")
        desk.pty.send(".\r")
        #expect(await answer == .word("one\nt\u{202E}wo"))
        await desk.sees(["why?", "  one", "  t⟨U+202E⟩wo", "›"])
        await desk.editor.close()
    }

    /// Lent, the terminal is as it was found, nothing is drawn on it, and what is typed goes to the other program.
    @Test func aLentTerminalIsAsItWasFound() async throws {
        let desk = try Desk()
        let found = try Pty.pair().settings
        await desk.sees(["›"])
        #expect(desk.pty.settings != found)
        let seen = Mutex<([UInt32], String)>(([], ""))
        let pty = desk.pty
        async let lent = desk.editor.lend { terminal in
            _ = write(terminal, "mine>", 5)
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = Glibc.read(terminal, &buffer, 64)
            seen.withLock { $0 = (pty.settings, String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)) }
        }
        #expect(await desk.pty.see("mine>"))
        desk.editor.show("news")
        desk.pty.send("typed\r")
        #expect(await lent)
        #expect(seen.withLock { $0.1 } == "typed\n" && seen.withLock { $0.0 } == found)
        #expect(await desk.pty.see("news"))
        #expect(desk.pty.settings != found)
        desk.pty.send("line\r")
        #expect(await desk.next() == .line("line"))
        await desk.editor.close()
        #expect(await desk.editor.lend { _ in } == false)
    }
}

extension [String] {
    /// As few pieces as a terminal gives.
    fileprivate var chunked: [String] {
        stride(from: 0, to: count, by: 1000).map { self[$0..<Swift.min(count, $0 + 1000)].joined() }
    }
}

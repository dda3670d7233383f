import Glibc
import Harness
import Synchronization
import Testing

@testable import Terminal

/// Content that a person types or pastes as an answer, and lending the terminal to another program.
@Suite(.serialized, .timeLimit(.minutes(1))) struct EntryTests {
    /// What a reader makes of bursts of bytes, up to its answer.
    private func read(_ bursts: [String], isLong: Bool) -> (answer: KeyQuestion.Answer?, typed: String, shown: [String]) {
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
        (["cat.png\r"], false, "cat.png"), (["ca", "t\u{7F}", "r\r"], false, "car"), (["\r"], false, ""), (["x\u{15}y\r"], false, "y"),
        (["\u{1B}[200~/home/a b.png\u{1B}[201~", "\r"], false, "/home/a b.png"), (["\u{1B}[200~one\ntwo\u{1B}[201~", "\r"], false, "one"),
        (["a\u{202E}b\r"], false, "a\u{202E}b"), (["👩‍👩‍👧\r"], false, "👩‍👩‍👧"), (["one\rtwo\r.\r"], true, "one\ntwo"),
        (["one\r", "\r", "two\r", ".\r"], true, "one\n\ntwo"), (["\r"], true, ""), ([".\r"], true, ""), (["one", "\u{4}"], true, "one"),
        (["one\r", "\u{4}"], true, "one"), (["\u{1B}[200~a\r\n\r\nb\u{1B}[201~", "c\r.\r"], true, "a\n\nbc"), (["..\r.\r"], true, ".."),
        (["\u{1B}[200~y\u{3}\u{4}\u{7}\u{1B}[201~", "\r.\r"], true, "y"), (["a\tb\r.\r"], true, "a\tb"),
    ])
    func contentIsTakenAsItIs(bursts: [String], isLong: Bool, content: String) {
        #expect(read(bursts, isLong: isLong).answer == .word(content))
    }

    @Test(arguments: [
        (["\u{1B}"], KeyQuestion.Reason.escape), (["half", "\u{1B}"], .escape), (["half\u{3}"], .interrupt), (["\u{4}"], .endOfInput),
    ])
    func leavingIsNoAnswer(bursts: [String], reason: KeyQuestion.Reason) {
        for isLong in [false, true] { #expect(read(bursts, isLong: isLong).answer == .none(reason)) }
    }

    @Test func aPasteAnswersNothingByItself() {
        let pasted = read(["\u{1B}[200~y\r\n.\r\n\u{1B}[201~"], isLong: true)
        #expect(pasted.answer == nil && pasted.shown == ["y", "."])
        #expect(read(["\u{1B}[200~y\r\u{1B}[201~"], isLong: false).answer == nil)
    }

    @Test func thereIsAnEndToWhatIsTaken() {
        let piece = String(repeating: "x", count: 60_000) + "\r"
        let reader = read([String](repeating: piece, count: 8) + [".\r"], isLong: true)
        guard case .word(let text) = reader.answer else { return #expect(Bool(false), "no answer") }
        #expect(text.utf8.count <= TerminalLimits.entryBytes && text.utf8.count > TerminalLimits.entryBytes - 60_000)
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

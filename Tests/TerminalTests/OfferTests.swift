import Harness
import Terminal
import Testing

/// A line that is offered stands on the input line, and is sent only by an Enter that was meant for it.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OfferTests {
    @Test func enterSendsAnOfferedLine() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        #expect(desk.editor.offer("delete empty.txt"))
        await desk.sees(["› delete empty.txt"])
        clock.advance(seconds: 0.6)
        desk.pty.send("\r")
        #expect(await desk.next() == .line("delete empty.txt"))
        await desk.editor.close()
    }

    /// An Enter on its way was meant for what stood there before.
    @Test func anEarlyEnterDoesNothing() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        _ = desk.editor.offer("delete empty.txt")
        await desk.sees(["› delete empty.txt"])
        clock.advance(seconds: 0.599)
        desk.pty.send("\r\r\n")
        desk.editor.show("news")
        await desk.sees(["news", "› delete empty.txt"])
        desk.pty.send("\u{5}!")
        await desk.sees(["news", "› delete empty.txt!"])
        desk.pty.send("\r")
        #expect(await desk.next() == .line("delete empty.txt!"))
        await desk.editor.close()
    }

    @Test(
        arguments: [
            ("hello\r", "hello"), ("x\u{7F}y\r", "y"), ("\u{1B}[D!\r", "delete empty.tx!t"),
            ("\u{7F}\r", "delete empty.tx"),
            (" or not\r", "delete empty.txt or not"), ("\u{1B}[200~pasted\u{1B}[201~\r", "pasted"),
            ("\u{15}own\r", "own"),
            ("é\r", "é"),
        ])
    func aLetterBeginsAnotherLineAndAnyOtherKeyEditsIt(keys: String, line: String) async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        _ = desk.editor.offer("delete empty.txt")
        await desk.sees(["› delete empty.txt"])
        clock.advance(seconds: 0.6)
        desk.pty.send(keys)
        #expect(await desk.next() == .line(line))
        await desk.sees(["› \(line)", "›"])
        await desk.editor.close()
    }

    @Test("Esc drops an offered line that no key has changed") func escapeDropsAnOfferedLine() async throws {
        let clock = HeldClock()
        let desk = try Desk { $0.now = clock.milliseconds }
        await desk.sees(["›"])
        _ = desk.editor.offer("delete empty.txt")
        await desk.sees(["› delete empty.txt"])
        clock.advance(seconds: 0.6)
        desk.pty.send("\u{1B}")
        await desk.sees(["›"])
        desk.editor.show("news")
        await desk.sees(["news", "›"])
        desk.pty.send("x\r")
        #expect(await desk.next() == .line("x"))
        await desk.editor.close()
    }

    @Test func nothingIsOfferedWhereTheUserTypes() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        desk.pty.send("my own")
        await desk.sees(["› my own"])
        _ = desk.editor.offer("delete empty.txt")
        desk.editor.show("news")
        await desk.sees(["news", "› my own"])
        desk.pty.send("\r")
        #expect(await desk.next() == .line("my own"))
        await desk.editor.close()
    }

    @Test(arguments: ["a\u{1B}[2Jb", "a\nb", "a\u{202E}b", ""]) func onlyWhatCanBeTypedIsOffered(line: String)
        async throws
    {
        let desk = try Desk()
        await desk.sees(["›"])
        _ = desk.editor.offer(line)
        desk.editor.show("news")
        await desk.sees(["news", "›"])
        desk.pty.send("x\r")
        #expect(await desk.next() == .line("x"))
        await desk.editor.close()
    }
}

import Harness
import Testing

@testable import Terminal

/// Lines out of bytes that come in pieces of any size.
@Suite(.timeLimit(.minutes(10))) struct LineBufferTests {
    /// What comes in, and what is made of it with a bound of 8 bytes: lines, and what was refused.
    static let cases: [(name: String, input: String, items: [LineBuffer.Item])] = [
        ("lines", "one\ntwo\n", [line("one"), line("two")]),
        ("the last line needs no newline", "one\ntwo", [line("one"), line("two")]),
        ("empty lines", "\n\n", [line(""), line("")]),
        ("as long as may be", "12345678\n", [line("12345678")]),
        ("one byte too long", "123456789\nnext\n", [tooLong, line("next")]),
        ("an order at its end", "xxxxxxxxxxxxlist\nnext\n", [tooLong, line("next")]),
        ("no end", "xxxxxxxxxxxxlist", [tooLong]),
        ("several", "xxxxxxxxxxxx\nyyyyyyyyyyyyyy\nnext\nzzzzzzzzzzzz\n", [tooLong, tooLong, line("next"), tooLong]),
        ("a NUL", "li\0st\nnext\n", [.refused(.hasNUL), line("next")]),
        ("a NUL at the end", "list\0\nnext\n", [.refused(.hasNUL), line("next")]),
        ("a NUL and no end", "list\0", [.refused(.hasNUL)]),
        ("letters of several bytes", "größe\nλλλλ\nλλλλλ\n", [line("größe"), line("λλλλ"), tooLong]),
    ]

    private static func line(_ text: String) -> LineBuffer.Item { .line(Array(text.utf8)) }
    private static let tooLong = LineBuffer.Item.refused(.tooLong(limit: 8))

    @Test(
        "finding 2: a line is taken whole or not at all, in whatever pieces it comes", arguments: cases.indices,
        [1, 2, 3, 7, 64])
    func aLineIsTakenWholeOrNotAtAll(place: Int, pieceBytes: Int) {
        let (name, input, items) = Self.cases[place]
        var buffer = LineBuffer(limit: 8)
        var rest = Array(input.utf8)[...]
        var seen: [LineBuffer.Item] = []
        while !rest.isEmpty {
            seen += buffer.feed(rest.prefix(pieceBytes))
            rest = rest.dropFirst(pieceBytes)
        }
        if !buffer.isEmpty { seen += buffer.end() }
        #expect(seen == items, "\(name)")
    }

    /// The kernel keeps 4095 bytes of a line and its newline, and drops what stands between.
    @Test("finding 2: a line that the terminal may have cut is not taken")
    func aLineThatTheTerminalMayHaveCutIsNotTaken() async throws {
        let pty = try Pty.pair()
        let plain = TerminalCapabilities(isTerminal: true, hasColour: false, isPlain: true)
        let screen = PlainScreen(try InputOwner(pty.slave), output: pty.slave, capabilities: plain, ownsProcess: false)
        var inputs = screen.inputs.makeAsyncIterator()
        for (bytes, isTaken) in [(4094, true), (4095, false), (5000, false)] {
            pty.send(String(repeating: "x", count: bytes) + "\r")
            let expected: ScreenInput =
                isTaken
                ? .line(String(repeating: "x", count: bytes))
                : .refused(.tooLong(limit: TerminalLimits.terminalLineBytes))
            #expect(await inputs.next() == expected, "\(bytes) bytes")
        }
        await screen.close()
    }
}

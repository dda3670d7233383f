import Harness
import Testing

@testable import Terminal

@Suite(.serialized, .timeLimit(.minutes(10))) struct EscapeSequenceTests {
    /// What terminals send that is no key of the prompt, without Esc.
    static let reports: [String] = [
        "[<0;10;10M", "[<0;10;10m", "[M !!", "[5;5R", "[?1;2c", "[>41;354;0c", "[99;5u", "[97;3u", "[27;5;13~", "[5~",
        "[6~", "[2~", "[15~",
        "[1;2A", "[1;9C", "[I", "[O", "[200;1;2~x".dropLast(1).description, "[?2026;2$y", "[[A", "OP", "OM", "Oy",
        "]11;rgb:0000/0000/0000\u{7}",
        "]11;rgb:0000/0000/0000\u{1B}\\", "]8;;http://a\u{1B}\\", "P>|tmux 3.3a\u{1B}\\", "_Gi=1;OK\u{1B}\\",
        "^private\u{1B}\\",
    ]

    @Test(arguments: reports) func aReportIsTakenWhole(_ report: String) {
        let bytes = Array("\u{1B}\(report)".utf8)
        for count in 1..<bytes.count {
            #expect(EscapeSequence(Array(bytes.prefix(count))) == .incomplete, "\(count) of \(report.debugDescription)")
        }
        #expect(EscapeSequence(bytes) == .other(bytes.count))
        #expect(EscapeSequence(bytes + Array("more\r".utf8)) == .other(bytes.count))
    }

    @Test(arguments: EscapeSequence.keys.sorted()) func aKeyIsTakenWhole(_ key: String) {
        #expect(EscapeSequence(Array("\u{1B}\(key)x".utf8)) == .key(key.utf8.count + 1))
    }

    /// Whatever was cut off, a control behind it is a key of its own.
    @Test(arguments: [
        ("[12;\u{3}", 5), ("]11;rgb\u{3}", 8), ("P\r", 2), ("\u{3}", 1), ("\u{1B}", 1), ("[1\u{1B}[A", 3),
        ("]0;a\u{1B}[A", 5),
    ])
    func aSequenceThatIsBrokenOffEndsThere(text: String, length: Int) {
        #expect(EscapeSequence(Array("\u{1B}\(text)".utf8)) == .other(length))
    }

    @Test(arguments: [("b", 2), ("\r", 2), ("\u{7F}", 2)]) func altWithAKeyIsAKey(text: String, length: Int) {
        #expect(EscapeSequence(Array("\u{1B}\(text)".utf8)) == .key(length))
    }

    @Test func noPartOfAReportIsTyped() async throws {
        let desk = try Desk()
        await desk.sees(["›"])
        for report in Self.reports {
            desk.pty.send("ab\u{1B}\(report)cd\r")
            #expect(await desk.next() == .line("abcd"), "\(report.debugDescription)")
        }
        for (keys, line) in [
            ("one two\u{1B}[1;3D\u{1B}[1;3DX", "Xone two"), ("one two\u{1B}OH\u{1B}[3;5~", " two"),
            ("b\u{1B}[Da\u{1B}OF!", "ab!"),
            ("a\u{1B}]11;rgb", "a"),
        ] {
            desk.pty.send(keys + (line == "a" ? "\u{15}a\r" : "\r"))
            #expect(await desk.next() == .line(line), "\(keys.debugDescription)")
        }
        await desk.editor.close()
    }
}

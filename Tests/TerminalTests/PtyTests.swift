import CaseNames
import Glibc
import Harness
import Testing

@testable import Terminal

/// The pseudo-terminal that other tests trust.
@Suite(.timeLimit(.minutes(10))) struct PtyTests {
    @Test(.process) func aProgramIsSpokenTo() async throws {
        let script = "printf '%s ' $TERM; stty size; read line; echo \"got <$line>\"; read rest; stty size; exit 3"
        let pty = try Pty.spawn(
            "/bin/sh", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], folder: "/", columns: 40, rows: 10)
        #expect(await pty.see("xterm-256color 10 40"))
        pty.send("héllo\r")
        #expect(await pty.see("got <héllo>"))
        pty.resize(columns: 50, rows: 11)
        pty.send("\r")
        #expect(await pty.see("11 50"))
        #expect(await pty.exitStatus() == 3)
    }

    @Test(.process) func aSignalIsAnExitStatus() async throws {
        let pty = try Pty.spawn("/bin/sh", ["-c", "echo ready; sleep 3596"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(await pty.see("ready"))
        pty.signal(SIGKILL)
        #expect(await pty.exitStatus() == 128 + SIGKILL)
    }

    @Test(arguments: [
        ("ab\r\ncd", ["ab", "cd"]), ("abcdefghijkl", ["abcdefghij", "kl"]), ("abcdefghij\r\nk", ["abcdefghij", "k"]),
        ("abc\rX", ["Xbc"]),
        ("a\r\nb\r\nc\u{1B}[2AX", ["aX", "b", "c"]), ("abcdef\r\u{1B}[2C\u{1B}[K", ["ab"]),
        ("a\r\nb\u{1B}[H\u{1B}[J", []),
        ("1\r\n2\r\n3\r\n4\r\n5", ["1", "2", "3", "4", "5"]),
        ("\u{1B}[31mred\u{1B}[0m", ["red"]), ("日本語日本語", ["日本語日本", "語"]), ("👩‍👩‍👧!", ["👩‍👩‍👧!"]),
        ("a\u{1B}[?2026hb\u{1B}[?2026l", ["ab"]),
    ])
    func theScreenDraws(_ bytes: String, _ rows: [String]) {
        var screen = PtyScreen(columns: 10, rows: 4, width: { DisplayWidth.of($0) })
        for byte in bytes.utf8 { screen.feed([byte]) }
        #expect(screen.text.split(separator: "\n").map(String.init) == rows)
        #expect(screen.unknown == [])
    }
}

@Suite struct InputHistoryTests {
    @Test(arguments: ["plain", "two\nlines", "back\\slash", "\\n is not a newline", "\\", "ends with \\\n"])
    func entriesSurviveTheFile(_ entry: String) {
        let escaped = InputHistory.escape(entry)
        #expect(!escaped.contains("\n"))
        #expect(InputHistory.unescape(escaped[...]) == entry)
    }

    @Test func theFileIsBoundedAndTheNewestStay() throws {
        let scratch = try ScratchFolder()
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.path + "/history"
        var first = InputHistory(path: path)
        for number in 0..<2500 { _ = first.enter("line \(number)") }
        let (blank, known) = (first.enter("   "), first.enter("line 2400"))
        #expect(!blank && known)
        let second = InputHistory(path: path)
        #expect(second.entries.count == 1000)
        #expect(second.entries.suffix(2) == ["line 2499", "line 2400"])
        let third = InputHistory(path: path)
        #expect(third.entries == second.entries)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_size < 20_000 && status.st_mode & 0o777 == 0o600)
    }

    @Test func twoConsolesDoNotLoseEachOthersLines() throws {
        let scratch = try ScratchFolder()
        defer { withExtendedLifetime(scratch) {} }
        let path = scratch.path + "/history"
        var (one, two) = (InputHistory(path: path), InputHistory(path: path))
        _ = one.enter("a")
        _ = two.enter("b")
        _ = one.enter("c")
        #expect(InputHistory(path: path).entries == ["a", "b", "c"])
    }
}

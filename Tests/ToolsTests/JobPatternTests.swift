@testable import Jobs
import Testing
import Vocabulary

/// Patterns of manifests: what they match, and that no text makes them slow.
@Suite struct JobPatternTests {
    private static let result = #"^RESULT (\{.*\})$"#

    // MARK: What they match

    @Test(
        arguments: [
            ("abc", "xabcx", "abc"), ("^abc", "xabc", nil), ("abc$", "abcx", nil), ("a.c", "a-c", "a-c"),
            ("a|bc|d", "xbc", "bc"),
            ("a*", "", ""), ("a+", "caat", "aa"), ("a+?", "caat", "a"), ("colou?r", "color", "color"),
            ("<(.+?)>", "<a><b>", "a"),
            ("<(.+)>", "<a><b>", "a><b"), (#"(\d+)%"#, "at 45 %, 46%", "46"), (#"\d{2,3}"#, "1 12345", "123"),
            (#"\d{2,3}?"#, "1 12345", "12"),
            (#"^\d{4}$"#, "12345", nil), ("x{,2}y", "xxxy", "xxy"), ("a{", "a{", "a{"), ("[a-c]+", "xabcx", "abc"),
            ("[^a-c]+", "abxyc", "xy"),
            ("[]x]+", "a]x", "]x"), ("[a-]+", "b-a", "-a"), (#"[\d.]+"#, "v1.25x", "1.25"), (#"[\D]+"#, "12ab3", "ab"),
            (#"\w+"#, "-é_1-", "é_1"), (#"\bcat\b"#, "concat cat", "cat"), (#"\Bcat"#, "cat concat", "cat"),
            (#"\S+"#, "  ab ", "ab"),
            (#"\x41\u00e9\t"#, "Aé\t", "Aé\t"), ("(?i)done", "DoNe", "DoNe"), ("(?i:d)one", "Done", "Done"),
            ("(?i:d)one", "DONE", nil),
            ("(?:a|b)+c", "abac", "abac"), ("(?<n>a)(b)", "ab", "a"), ("(?:a)(b)", "ab", "b"), ("(a)|b", "b", nil),
            ("(a+)+b", "aaab", "aaa"),
            ("(a|aa)*$", "aaaa", "a"), (#"\A(.)\z"#, "é", "é"), (#"\$\{x\}"#, "${x}", "${x}"), ("", "", nil),
        ] as [(String, String, String?)])
    func aPatternMatches(pattern: String, line: String, group: String?) {
        #expect(JobPattern(pattern)?.firstGroup(in: line) == group || line.isEmpty && group == "")
    }

    @Test(arguments: [
        "", "(", ")", "(a", "a)", "[", "[a", "[z-a]", "*a", "a**", "a{3,2}", "a{99999}", "(?=a)", "(?!a)", "(?<=a)b",
        "(?<!a)b", "(?>a)",
        #"(a)\1"#, #"\k<n>"#, #"\q"#, #"\"#, #"\x4"#, #"\u00"#, "((((a{99}){99}){99}){99})", "(?:(?:(?:){99}){99}){99}",
        "a++",
    ])
    func whatCannotBeFollowedIsRefused(pattern: String) {
        #expect(JobPattern(pattern) == nil)
        do throws(LinePatternFault) {
            _ = try LinePattern(pattern)
        } catch {
            #expect(!error.words.isEmpty && error.words.utf8.count < 120)
        }
    }

    // MARK: Time

    /// The size of a pattern and of what it is tried on bound the steps, whatever the text is. The standard library's
    /// took ten seconds for the first of these on 64 letters.
    @Test(
        "finding 3: the slowest patterns make steps in proportion to the text",
        arguments: [
            ("a*a*a*a*a*b", "a"), ("(a+)+b", "a"), ("(a|aa)*c", "a"), ("(a|a)*(a|a)*(a|a)*b", "a"), (".*.*.*=.*", "a"),
            (result, "a"), (#"RESULT (\{.*\})$"#, "RESULT {"), (#"^\s*(\d+)%\s*\|.+?\|\s*(\d+)/(\d+)"#, "1%||"),
            ("(?:a?){30}a{30}", "a"), (String(repeating: "a?", count: 120), "a"), ("(x|[a-z]{1,200}){2}y", "a"),
        ])
    func noTextMakesAPatternSlow(pattern: String, piece: String) throws {
        let own = try LinePattern(pattern)
        func steps(signs: Int) -> Int {
            var left = Int.max
            _ = own.first(
                in: Array(String(repeating: piece, count: signs / piece.utf8.count).unicodeScalars), steps: &left)
            return Int.max - left
        }
        let (short, long) = (steps(signs: 1_000), steps(signs: 4_000))
        #expect(long <= 5 * short + 4 * Limits.patternOps, "\(short), \(long)")
        // Each instruction is reached once at each place, from two others at most.
        #expect(long <= 4_001 * 4 * Limits.patternOps, "\(long)")
    }

    /// Whoever has no more steps says so, and does not say that nothing was there.
    @Test func stepsEnd() throws {
        let pattern = try LinePattern("(a|b|c|d)*e")
        let line = Array(String(repeating: "abcd", count: 1_000).unicodeScalars)
        var steps = 1_000
        #expect(pattern.first(in: line, steps: &steps) == .unfinished && steps == 0)
    }

    // MARK: Outputs

    @Test(
        "finding 3: what was printed is found, or said",
        arguments: [
            (PrintedLog(#"RESULT {"a":1}"#), .value(#"{"a":1}"#)), (PrintedLog("nothing of the kind"), .nothing),
            (PrintedLog(""), .nothing),
            (PrintedLog("RESULT {1}\nRESULT {2}\nbye"), .value("{2}")),
            (PrintedLog("RESULT {1}\rRESULT {2}"), .value("{2}")),
            // The review's: 1,024 bytes, and 200 lines.
            (PrintedLog("RESULT {", "x" * 5_000, "}"), .value("{\(String(repeating: "x", count: 5_000))}")),
            (PrintedLog("RESULT {1}\n", "step\n" * 10_000), .value("{1}")),
            (PrintedLog("RESULT {", "x" * (64 << 10), "}"), .tooLong(bytes: (64 << 10) + 2)),
            // Lines that end before they are whole, or go on behind their end.
            (PrintedLog("RESULT {\n  \"a\": 1\n}"), .cutShort(line: "RESULT {")),
            (PrintedLog("RESULT {1} in 3 s"), .cutShort(line: "RESULT {1} in 3 s")),
            (PrintedLog("RESULT {1}\nRESULT {2"), .cutShort(line: "RESULT {2")),
            (PrintedLog("RESULT {1\nRESULT {2}"), .value("{2}")),
            // No beginning of one.
            (PrintedLog("RESULT 7"), .nothing), (PrintedLog("RESUL"), .nothing), (PrintedLog("my RESULT {"), .nothing),
        ] as [(PrintedLog, JobPattern.Printed)])
    func whatAJobPrinted(log: PrintedLog, expected: JobPattern.Printed) throws {
        let printed = try #require(JobPattern(Self.result)).printed(in: log.text)
        #expect(printed == expected, "\("\(printed)".prefix(200))")
    }

    /// Nothing can be said of lines that begin with anything.
    @Test func aPatternWithoutABeginningCallsNothingCut() throws {
        #expect(try #require(JobPattern(#".*loss=(\d+)$"#)).printed(in: "loss=\nloss=3 x") == .nothing)
        #expect(try #require(JobPattern(#"^\{(.*)\}$"#)).printed(in: "{\n}") == .nothing)
    }

    @Test func aLogThatTakesTooLongIsCalledUnread() throws {
        // Every way is alive at every place: 240 steps and more for each sign.
        let pattern = try #require(JobPattern(String(repeating: "a?", count: 120) + "b"))
        let log = String(repeating: String(repeating: "a", count: 100) + "\n", count: 100)
        #expect(
            pattern.printed(in: log, steps: 1_000_000) == .unread
                && pattern.printed(in: log, steps: 10_000_000) == .nothing)
    }
}

/// A log with a short name.
struct PrintedLog: Sendable, CustomTestStringConvertible {
    let text: String
    init(_ pieces: String...) { text = pieces.joined() }
    var testDescription: String { "\(text.utf8.count) bytes: \(text.prefix(24))" }
}

private func * (text: String, count: Int) -> String { String(repeating: text, count: count) }

extension JobPattern.Printed: CustomTestStringConvertible {
    package var testDescription: String { String("\(self)".prefix(100)) }
}

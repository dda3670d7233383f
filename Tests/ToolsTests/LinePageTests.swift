import CaseNames
@testable import Files
import Glibc
import Testing
@testable import Tools
import Vocabulary

/// The pages of lines that a language model reads.
@Suite struct LinePageTests {
    private static func page(
        _ bytes: [UInt8], from: Int = 1, lines: Int = 400, offset: Int = 0, pieces: Int = 1 << 20
    ) -> String {
        var page = LinePage(of: "a.txt", from: from, lines: lines, offset: offset)
        page.pieceBytes = pieces
        do throws(Failure) { return try page.text(of: bytes) } catch { return "\(error.code): \(error.message)" }
    }

    @Test func headersAndLinesOfTexts() {
        let rows: [(text: String, from: Int, lines: Int, page: String)] = [
            ("one\ntwo\n", 1, 400, "a.txt · lines 1 to 2 of 2\n   1\tone\n   2\ttwo\n"),
            ("one\ntwo", 1, 400, "a.txt · lines 1 to 2 of 2\n   1\tone\n   2\ttwo\n"),
            ("one\ntwo", 2, 1, "a.txt · line 2 of 2\n   2\ttwo\n"),
            ("one", 1, 400, "a.txt · line 1 of 1\n   1\tone\n"),
            ("\n", 1, 400, "a.txt · line 1 of 1\n   1\t\n"),
            ("\n\n\n", 2, 400, "a.txt · lines 2 to 3 of 3\n   2\t\n   3\t\n"),
            ("a\r\nb\r\n", 1, 400, "a.txt · lines 1 to 2 of 2 · CRLF\n   1\ta\n   2\tb\n"),
            ("a\r\nb\nc", 2, 1, "a.txt · line 2 of 3 · CRLF\n   2\tb\n"),
            ("\r\n\r\n", 1, 400, "a.txt · lines 1 to 2 of 2 · CRLF\n   1\t\n   2\t\n"),
            ("a\rb\rc", 2, 400, "a.txt · lines 2 to 3 of 3 · CR\n   2\tb\n   3\tc\n"),
            ("a\rb\nc", 1, 400, "a.txt · lines 1 to 2 of 2\n   1\ta\rb\n   2\tc\n"),
            ("\u{FEFF}grün\n", 1, 400, "a.txt · line 1 of 1\n   1\tgrün\n"),
            ("\u{1B}[31m\u{7}\n", 1, 400, "a.txt · line 1 of 1\n   1\t\u{1B}[31m\u{7}\n"),
            ("", 1, 400, "a.txt · empty\n"), ("", 7, 400, "a.txt · empty\n"), ("\u{FEFF}", 1, 1, "a.txt · empty\n"),
            ("one\ntwo\n", 3, 1, "badParam: a.txt has 2 lines, so it has no line 3."),
            ("one", 2, 1, "badParam: a.txt has 1 line, so it has no line 2."),
            ("one", .max, .max, "badParam: a.txt has 1 line, so it has no line \(Int.max)."),
            ("one\ntwo", 2, .max, "a.txt · line 2 of 2\n   2\ttwo\n"),
        ]
        for pieces in [1, 2, 3, 1 << 20] {
            expectNoFaults(
                in: rows.map { ($0, Self.page(Array($0.text.utf8), from: $0.from, lines: $0.lines, pieces: pieces)) }
            ) {
                row, page in
                page == row.page ? [] : ["\(row.text.debugDescription) in \(pieces): \(page.debugDescription)"]
            }
        }
    }

    /// A page may begin in the middle of a key. Its lines are left out wherever the page begins and ends.
    @Test func noPartOfAKeyIsOnAnyPage() throws {
        let signs = Array("ABCDEFGHabcdefgh01234567")
        let block = (0..<30).map { line in String((0..<64).map { signs[(line * 7 + $0 * 5) % 24] }) }
        let begin = "-----BEGIN OPENSSH " + "PRIVATE KEY-----"
        let end = begin.replacing("BEGIN", with: "END")
        let lines = ["one", "two", begin] + block + [end, "behind", "last"]
        for ends in ["\r\n"] {
            let text = lines.map { $0 + ends }.joined()
            for from in 1...lines.count {
                for count in [1, 400] {
                    var page = LinePage(of: "a.txt", from: from, lines: count)
                    page.keys = Lab.shippedKeys
                    let shown = try page.text(of: Array(text.utf8))
                    #expect(!block.contains { shown.contains($0) }, "from \(from), \(count) lines")
                    if from <= 2 { #expect(shown.contains(lines[from - 1])) }
                    if from > lines.count - 2 { #expect(shown.contains(lines[from - 1]), "\(shown)") }
                }
            }
        }
        var page = LinePage(of: "a.txt", from: 1, lines: 1, offset: 8)
        page.keys = Lab.shippedKeys
        let secret = "API_KEY=" + String(repeating: "x9Y8", count: 10)
        #expect(try !page.text(of: Array((secret + "\n").utf8)).contains("x9Y8x9Y8"))
    }

    @Test func theEncodingIsThatOfEncodedText() {
        func utf16(_ text: String) -> [UInt8] { text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } }
        let rows: [(bytes: [UInt8], page: String)] = [
            ([0x63, 0x61, 0x66, 0xE9, 0x0A, 0x62], "a.txt · lines 1 to 2 of 2 · Latin-1\n   1\tcafé\n   2\tb\n"),
            ([0x80, 0x0D, 0x0A], "a.txt · line 1 of 1 · Windows-1252 · CRLF\n   1\t€\n"),
            (utf16("\u{FEFF}grün 🙂\nb\n"), "a.txt · lines 1 to 2 of 2 · UTF-16 LE\n   1\tgrün 🙂\n   2\tb\n"),
            (utf16("one two\r\n"), "a.txt · line 1 of 1 · UTF-16 LE · CRLF\n   1\tone two\n"),
            ([0xFF, 0xFE], "a.txt · empty · UTF-16 LE\n"),
        ]
        for pieces in [1, 2, 5, 1 << 20] {
            expectNoFaults(in: rows.map { ($0, Self.page($0.bytes, pieces: pieces)) }) { row, page in
                page == row.page ? [] : ["\(row.page.debugDescription) in \(pieces): \(page.debugDescription)"]
            }
        }
    }

    @Test func whatIsNoTextIsNamedAndNotShown() {
        func file(_ beginning: String, _ count: Int = 2000) -> [UInt8] {
            let bytes = beginning.unicodeScalars.map { UInt8($0.value) }
            return bytes + [UInt8](repeating: 0, count: count - bytes.count)
        }
        let rows: [(bytes: [UInt8], words: String)] = [
            (file("\u{7F}ELF"), "notText: a.txt · 2 KB · a program (ELF): its content is not shown."),
            (file("PK\u{3}\u{4}"), "notText: a.txt · 2 KB · a zip archive: its content is not shown."),
            (
                Array("text".utf8) + [0],
                "notText: a.txt · 5 bytes · no text in UTF-8, UTF-16 or Latin-1: its content is not shown."
            ),
            (
                [0xE9, 0x01],
                "notText: a.txt · 2 bytes · no text in UTF-8, UTF-16 or Latin-1: its content is not shown."
            ),
            ([0xFF, 0xFE, 0x61], "notText: a.txt · 3 bytes · damaged UTF-16 LE: its content is not shown."),
            ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "notText: a.txt · 8 bytes · UTF-32: its content is not shown."),
            (Array("%PDF-1.7\n%".utf8) + file(""), "a.txt · PDF · 2 KB\n"),
            (
                Array("%PDF-1.7\n1 0 obj\n<</Linearized 1/L 62/H [ 1 2 ]/O 3/N 12/T 1>>".utf8),
                "a.txt · PDF · 12 pages · 62 bytes\n"
            ),
            (Array("GIF8 is a format\n".utf8), "a.txt · line 1 of 1\n   1\tGIF8 is a format\n"),
            (file("GIF89a\u{2}\u{1}\u{1}\0"), "a.txt · GIF picture · 258×1 · 2 KB\n"),
        ]
        expectNoFaults(in: rows.map { ($0, Self.page($0.bytes)) }) { row, page in
            page == row.words ? [] : ["\(row.words): \(page.debugDescription)"]
        }
    }

    @Test func aPageEndsAtAWholeLineAndSaysHowToGoOn() {
        let text = (1...1000).map { "line \($0) " + String(repeating: "x", count: 90) + "\n" }.joined()
        let page = Self.page(Array(text.utf8), from: 10, lines: 500)
        let lines = page.split(separator: "\n")
        #expect(page.utf8.count <= Limits.pageBytes + 200 && page.utf8.count > Limits.pageBytes - 200)
        let last = lines.count - 2 + 9
        #expect(lines[0] == "a.txt · lines 10 to \(last) of 1000")
        #expect(lines[lines.count - 1] == "… lines \(last + 1) to 509 do not fit: read from=\(last + 1)")
        #expect(lines[lines.count - 2].hasPrefix(" \(last)\tline \(last) x"))
        let empty = Self.page([UInt8](repeating: 0x0A, count: 100_000), lines: 100_000)
        #expect(empty.utf8.count < Limits.pageBytes + 200 && empty.contains("to 100000 do not fit"))
    }

    /// A line that is too long is read in parts that make the line again, and each part ends between two characters.
    @Test(arguments: ["x", "é", "🙂", "e\u{301}", "👩‍👩‍👧", "a\u{301}\u{302}\u{303}"])
    func aLongLineIsReadInParts(sign: String) throws {
        let line = "a" + String(repeating: sign, count: 50_000 / sign.utf8.count)
        let bytes = Array("first\n\(line)\nlast\n".utf8)
        var (read, offset, rounds) = ("", 0, 0)
        while rounds < 10 {
            rounds += 1
            let page = Self.page(bytes, from: 2, lines: 1, offset: offset)
            let parts = page.split(separator: "\n")
            let part = parts[1].dropFirst("   2\t".count)
            #expect(page.utf8.count < Limits.pageBytes + 300)
            read += part
            guard parts.count > 2, let next = parts[2].split(separator: "offset=").last.flatMap({ Int($0) }) else {
                break
            }
            #expect(parts[2].hasPrefix("… line 2 goes on, it has \(line.utf8.count) bytes: read from=2 offset="))
            #expect(next > offset && part.last.map { String($0) == sign || $0 == "a" } == true)
            offset = next
        }
        #expect(read.utf8.elementsEqual(line.utf8) && rounds == 4)
        #expect(Self.page(bytes, from: 1).hasSuffix("… lines 2 to 3 do not fit: read from=2\n"))
    }

    @Test func offsetsWithinALine() {
        let bytes = Array("aé🙂b\r\nnext\n".utf8)
        let rows: [(offset: Int, line: String)] = [
            (0, "aé🙂b"), (1, "é🙂b"), (2, "é🙂b"), (3, "🙂b"), (4, "🙂b"), (6, "🙂b"), (7, "b"), (8, ""),
        ]
        for pieces in [1, 3, 1 << 20] {
            expectNoFaults(in: rows.map { ($0, Self.page(bytes, lines: 2, offset: $0.offset, pieces: pieces)) }) {
                row, page in
                let from = row.offset == 0 ? "" : " · from byte \(row.offset) of line 1"
                let wanted = "a.txt · lines 1 to 2 of 2\(from) · CRLF\n   1\t\(row.line)\n   2\tnext\n"
                return page == wanted ? [] : ["\(row.offset): \(page.debugDescription)"]
            }
        }
        #expect(Self.page(bytes, offset: 9) == "badParam: Line 1 of a.txt has 8 bytes, so none is behind offset=9.")
        let latin = [UInt8](repeating: 0xE9, count: 40_000)
        let first = Self.page(latin)
        #expect(first.hasSuffix("read from=1 offset=8189\n") && first.contains("Latin-1"))
        #expect(Self.page(latin, offset: 39_999).hasSuffix("\n   1\té\n"))
    }

    @Test func aNameCannotLookLikeALine() throws {
        let page = try LinePage(of: "a\n   1\tforged").text(of: Array("x".utf8))
        #expect(page == "\"a\\n   1\\tforged\" · line 1 of 1\n   1\tx\n")
    }

    /// The encoding of a text in pieces is that of the whole text.
    @Test func probesAgreeWithEncodedText() {
        var random = SystemRandomNumberGenerator()
        let parts: [[UInt8]] = [
            Array("a".utf8), Array("é".utf8), Array("🙂".utf8), Array("日".utf8), [0xE9], [0x80], [0x81], [0xC3], [0xF0],
            [0x0A], [0xED, 0xA0, 0x80], [0xF5], [0x1B], Array("plain text ".utf8),
        ]
        for _ in 0..<3000 {
            let bytes = (0..<Int.random(in: 0...9, using: &random)).flatMap { _ in parts.randomElement(using: &random)!
            }
            let whole = try? EncodedText(bytes, "a")
            guard TextProbe.otherEncoding(ofBeginning: bytes) == nil,
                TextProbe.form(ofBeginning: bytes, of: bytes.count) == nil
            else { continue }
            var (probe, latin, place) = (TextProbe(), LatinProbe(), 0)
            while place < bytes.count {
                let end = min(bytes.count, place + Int.random(in: 1...4, using: &random))
                bytes[place..<end].withUnsafeBytes {
                    probe.add($0)
                    latin.add($0)
                }
                place = end
            }
            probe.end()
            let encoding = probe.isUTF8 ? TextEncoding.utf8 : latin.end()
            #expect(encoding == whole?.form.encoding, "\(bytes)")
        }
    }
}

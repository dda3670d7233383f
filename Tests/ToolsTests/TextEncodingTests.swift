import CaseNames
import Files
import JSON
import Testing
import Vocabulary

/// One definition of an encoding, of the byte order mark and of what is no text.
@Suite struct TextEncodingTests {
    private static func utf16(_ text: String, isLittle: Bool, mark: Bool) -> [UInt8] {
        (mark ? "\u{FEFF}" + text : text).utf16.flatMap { unit in
            let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
            return isLittle ? bytes : bytes.reversed()
        }
    }

    @Test(
        arguments: [
            ([], "", "UTF-8", false), (Array("grüße\n".utf8), "grüße\n", "UTF-8", false),
            ([0xEF, 0xBB, 0xBF, 0x61], "a", "UTF-8", true),
            ([0x63, 0x61, 0x66, 0xE9, 0x0A], "café\n", "Latin-1", false),
            ([0x31, 0x20, 0x80], "1 €", "Windows-1252", false),
            (Array("\u{1B}[1mx\n".utf8), "\u{1B}[1mx\n", "UTF-8", false),
            (utf16("gr\u{FC}n 🙂\n", isLittle: true, mark: true), "grün 🙂\n", "UTF-16 LE", true),
            (utf16("gr\u{FC}n\n", isLittle: false, mark: true), "grün\n", "UTF-16 BE", true),
            (utf16("one two\n", isLittle: true, mark: false), "one two\n", "UTF-16 LE", false),
            (utf16("one two\n", isLittle: false, mark: false), "one two\n", "UTF-16 BE", false),
            ([0xFF, 0xFE], "", "UTF-16 LE", true),
        ] as [([UInt8], String, String, Bool)])
    func aTextIsReadAndWrittenAsItWas(bytes: [UInt8], text: String, encoding: String, hasMark: Bool) throws {
        let read = try EncodedText(bytes, "a.txt")
        #expect(read.utf8 == Array(text.utf8) && read.form.encoding.name == encoding && read.form.hasMark == hasMark)
        #expect(try read.form.bytes(of: read.utf8, "a.txt") == bytes)
    }

    @Test(
        arguments: [
            ([0x61, 0, 0x62], "NUL"), ([0, 1], "NUL"), ([0x61, 0, 2, 0], "NUL"),
            ([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "UTF-32"), ([0xE9, 0x01], "control"),
            ([0xE9, 0x81], "control"), ([0xFF, 0xFE, 0x61], "half"), ([0xFF, 0xFE, 0, 0xD8], "half"),
            ([0xEF, 0xBB, 0xBF, 0xFF], "not UTF-8"), ([0xFF, 0xD8, 0xFF, 0x61], "JPEG"),
            (Array("grüße".utf8) + [0xC3], "damaged"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "control"), ([0x1B, 0x24, 0x42], "ISO-2022"),
        ] as [([UInt8], String)])
    func whatIsNoTextIsRefusedWithTheReason(bytes: [UInt8], words: String) {
        let failure = #expect(throws: Failure.self) { try EncodedText(bytes, "a.txt") }
        #expect(failure?.code == "notText" && failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test(arguments: [(TextEncoding.latin1, "€", "U+20AC"), (.windows1252, "日", "U+65E5"), (.latin1, "\u{85}", "U+85")])
    func aSignThatAnEncodingLacksIsNamed(encoding: TextEncoding, text: String, code: String) {
        let failure = #expect(throws: Failure.self) { try TextForm(encoding).bytes(of: Array(text.utf8), "a.txt") }
        #expect(
            failure?.code == "notText" && failure?.message.contains(encoding.name) == true
                && failure?.message.contains(code) == true)
    }
}

/// Every text tool keeps encoding, mark and line ends.
@Suite struct TextFormTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private static let latin: [UInt8] = [0xE9, 0x62, 0x0D, 0x0A, 0x61, 0xE8, 0x0D, 0x0A]
    private static let wide: [UInt8] = [0xFF, 0xFE, 0x62, 0, 0x0A, 0, 0x61, 0, 0x0A, 0]

    private func read(_ bytes: [UInt8], _ name: String = "a.txt") async throws -> Asset {
        try lab.write(name, bytes)
        return try #require(try await lab.run("ReadFile", ["path": .string(name)]).first)
    }

    private func bytes(_ assets: [Asset]) throws -> [UInt8] { try lab.store.read(try #require(assets.first)) }

    @Test(
        arguments: [
            ("SortLines", [:], latin, [0x61, 0xE8, 0x0D, 0x0A, 0xE9, 0x62, 0x0D, 0x0A]),
            ("ReverseLines", [:], wide, [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x62, 0, 0x0A, 0]),
            ("TakeLines", ["count": 1], wide, [0xFF, 0xFE, 0x62, 0, 0x0A, 0]),
            ("FilterLines", ["text": "è"], latin, [0x61, 0xE8, 0x0D, 0x0A]),
            (
                "ReplaceText", ["find": "é", "replacement": "ê"], latin,
                [0xEA, 0x62, 0x0D, 0x0A, 0x61, 0xE8, 0x0D, 0x0A]
            ),
            (
                "ReplaceText", ["find": "b", "replacement": "x\ny"], latin,
                [0xE9, 0x78, 0x0D, 0x0A, 0x79, 0x0D, 0x0A, 0x61, 0xE8, 0x0D, 0x0A]
            ),
            ("ChangeCase", ["case": "upper"], latin, [0xC9, 0x42, 0x0D, 0x0A, 0x41, 0xC8, 0x0D, 0x0A]),
            ("AppendText", ["text": "ä"], latin, latin + [0xE4, 0x0D, 0x0A]),
            (
                "SortLines", [:], [0xEF, 0xBB, 0xBF, 0x62, 0x0A, 0x61, 0x0A],
                [0xEF, 0xBB, 0xBF, 0x61, 0x0A, 0x62, 0x0A]
            ),
            (
                "ReplaceText", ["find": "b", "replacement": ""], [0xEF, 0xBB, 0xBF, 0x62, 0x0A],
                [0xEF, 0xBB, 0xBF, 0x0A]
            ),
        ] as [(String, JSON, [UInt8], [UInt8])])
    func theFormStays(kind: String, params: JSON, before: [UInt8], after: [UInt8]) async throws {
        let asset = try await read(before)
        #expect(try bytes(await lab.run(kind, params, [("text", asset)])) == after)
    }

    @Test func theEncodingIsNamed() async throws {
        let asset = try await read(Self.latin)
        #expect(asset.meta["encoding"] == "Latin-1")
        let words = try await lab.run("CountWords", [:], [("text", asset)])
        #expect(
            try lab.text(try #require(words.first { $0.port == "text" }))
                == "a.txt: 2 words, 2 lines, 6 characters (Latin-1)")
        let wide = try await read(Self.wide)
        #expect(wide.meta["encoding"] == "UTF-16 LE")
    }

    @Test func aSignThatTheEncodingLacksIsRefused() async throws {
        let asset = try await read(Self.latin)
        let failure = await #expect(throws: Failure.self) {
            try await lab.run("ReplaceText", ["find": "b", "replacement": "€"], [("text", asset)])
        }
        #expect(failure?.code == "notText" && failure?.message.contains("€") == true)
    }

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    @Test(
        arguments: [
            ([mark + Array("one\n".utf8), mark + Array("two\n".utf8)], mark + Array("one\ntwo\n".utf8), nil),
            ([Array("one\n".utf8), mark + Array("two".utf8)], Array("one\ntwo".utf8), nil),
            ([Array("one".utf8), Array("two".utf8)], Array("one\ntwo".utf8), nil),
            ([Array("one\r\n".utf8), Array("two\r\n".utf8)], Array("one\r\ntwo\r\n".utf8), nil),
            ([Array("a\r\none".utf8), Array("two".utf8)], Array("a\r\none\r\ntwo".utf8), nil),
            ([[], Array("two".utf8)], Array("two".utf8), nil),
            ([[0xE9, 0x0A], Array("two".utf8)], [0xE9, 0x0A] + Array("two".utf8), nil),
            ([[0xE9, 0x0A], Array("ü".utf8)], Array("é\nü".utf8), "Latin-1 and UTF-8"),
            ([wide, wide], wide + wide.dropFirst(2), nil),
        ] as [([[UInt8]], [UInt8], String?)])
    func joinedTextsHaveOneMarkAndNoEmptyLines(texts: [[UInt8]], joined: [UInt8], words: String?) async throws {
        var inputs: [(String, Asset)] = []
        for (index, text) in texts.enumerated() {
            inputs.append(("texts.\(index + 1)", try await read(text, "t\(index).txt")))
        }
        let assets = try await lab.run("JoinText", [:], inputs)
        #expect(try bytes(assets) == joined)
        #expect(assets.first?.warning.map { words.map($0.contains) ?? false } ?? (words == nil))
    }

    @Test(
        arguments: [
            ("a\r\nb\r\n", "\n", ", ", "a, b, "), ("a\nb\n", "\n", ", ", "a, b, "), ("a\r\nb\r\n", "\r", "", "a\nb\n"),
            ("a\r\nb\n", "\r\n", "\n", "a\nb\n"), ("a\nb", "\n", "\r\n", "a\r\nb"), ("a\r\nb", "\n", "\r\n", "a\r\nb"),
            ("a\n\n\nb", "\n\n", "\n", "a\n\nb"), ("a\r\n\r\nb", "\n\n", "\n", "a\nb"), ("ab\ncd", "b\nc", "", "ad"),
            ("a\rb", "\r", "\n", "a\nb"), ("a, b\r\n", ", ", "\n", "a\r\nb\r\n"), ("a, b\n", ", ", "\n", "a\nb\n"),
            ("a\tb", "\t", " ", "a b"), ("x", "\n", "", "x"), ("é\n", "\n", "", "é"),
        ])
    func lineEndsAreFoundAndReplaced(before: String, find: String, replacement: String, after: String) async throws {
        let asset = try lab.asset(before)
        let params: JSON = ["find": .string(find), "replacement": .string(replacement)]
        #expect(try bytes(await lab.run("ReplaceText", params, [("text", asset)])) == Array(after.utf8))
    }

    @Test(
        arguments: [
            ("lower", "ΟΔΟΣ ΣΑΣ", "οδος σας"), ("lower", "ΑΣ'Σ Σ", "ασ'ς σ"), ("lower", "ÄÖ İ", "äö i̇"),
            ("title", "ΟΔΟΣ σας", "Οδος Σας"), ("title", "ßa ǆ", "Ssa ǅ"), ("sentence", "ΟΔΟΣ. ΟΔΟΣ", "Οδος. Οδος"),
            ("upper", "οδος ß", "ΟΔΟΣ SS"), ("lower", "ΣΣ\u{301}\u{301}Σ", "σσ\u{301}\u{301}ς"),
        ])
    func caseIsThatOfUnicode(change: String, before: String, after: String) async throws {
        let asset = try lab.asset(before)
        let made = try bytes(await lab.run("ChangeCase", ["case": .string(change)], [("text", asset)]))
        #expect(String(decoding: made, as: UTF8.self) == after)
    }

    @Test func caseIsIgnoredByTheSameRule() async throws {
        let asset = try lab.asset("ΟΔΟΣ\nοδος\nStraße\nSTRASSE\nx\n")
        for (text, kept) in [("οδος", "ΟΔΟΣ\nοδος\n"), ("strasse", "Straße\nSTRASSE\n"), ("ΟΔΟΣ", "ΟΔΟΣ\nοδος\n")] {
            let made = try bytes(
                await lab.run("FilterLines", ["text": .string(text), "ignoreCase": true], [("text", asset)]))
            #expect(String(decoding: made, as: UTF8.self) == kept)
        }
        let sorted = try bytes(
            await lab.run("SortLines", ["ignoreCase": true], [("text", try lab.asset("ΟΔΟΣΑ\nοδος\nΟΔΟΣ\n"))]))
        #expect(String(decoding: sorted, as: UTF8.self) == "οδος\nΟΔΟΣ\nΟΔΟΣΑ\n")
    }

    /// The count, the line tools and the search agree on what a line is.
    @Test(arguments: [
        ("a\nb\n", 2), ("a\r\nb", 2), ("a\rb\r", 2), ("a\u{2028}b\u{85}c\u{B}d\n", 1), ("a\rb\n", 1), ("\n\n", 2),
        ("", 0),
    ])
    func aLineIsTheSameToAll(text: String, count: Int) async throws {
        let asset = try lab.asset(text)
        let json = try JSONReader.read(
            bytes(await lab.run("CountWords", [:], [("text", asset)]).filter { $0.port == "json" }))
        #expect(json["lines"] == .int(count))
        let numbered = try bytes(await lab.run("NumberLines", [:], [("text", asset)]))
        #expect(
            String(decoding: numbered, as: UTF8.self).split(separator: "  ", omittingEmptySubsequences: false).count
                == count + 1)
    }

    @Test func otherEncodingsAreSearched() async throws {
        try lab.write("l.txt", Self.latin)
        try lab.write("w.txt", Self.wide)
        try lab.write("b.bin", [0, 1, 2])
        let found = try await lab.run("FindText", ["text": "b"])
        #expect(try lab.text(try #require(found.first { $0.port == "text" })) == "l.txt:1: éb\nw.txt:1: b\n")
    }
}

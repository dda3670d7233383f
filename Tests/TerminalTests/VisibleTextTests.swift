import CaseNames
import Harness
import Testing

@testable import Terminal

@Suite struct VisibleTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("\u{1B}[31mred", "␛[31mred"),
        ("\u{1B}]0;title\u{7}", "␛]0;title␇"),
        ("\u{9B}31m", "⟨U+009B⟩31m"),
        ("\u{85}", "⟨U+0085⟩"),
        ("del\u{7F}", "del␡"),
        ("nul\u{0}", "nul␀"),
        ("a\rb", "a␍b"),
        ("a\r\nb", "a␍␊b"),
        ("evil\u{202E}gpj.exe", "evil⟨U+202E⟩gpj.exe"),
        ("\u{2066}x\u{2069}", "⟨U+2066⟩x⟨U+2069⟩"),
        ("\u{200E}\u{200F}\u{61C}", "⟨U+200E⟩⟨U+200F⟩⟨U+061C⟩"),
        ("pay\u{200B}pal", "pay⟨U+200B⟩pal"),
        ("a\u{200D}b", "a⟨U+200D⟩b"),
        ("\u{FEFF}bom", "⟨U+FEFF⟩bom"),
        ("soft\u{AD}hyphen", "soft⟨U+00AD⟩hyphen"),
        ("tag\u{E0041}\u{E007F}", "tag⟨U+E0041⟩⟨U+E007F⟩"),
        ("a\u{2028}b\u{2029}c", "a⟨U+2028⟩b⟨U+2029⟩c"),
        ("x\u{FE0F}", "x⟨U+FE0F⟩"),
        ("\u{3164}filler", "⟨U+3164⟩filler"),
        ("a\tb", "a   b"),
        ("\tb", "    b"),
        ("日\tb", "日  b"),
        ("é e\u{301} 日本 🙂", "é e\u{301} 日本 🙂"),
        ("👩‍👩‍👧 ☺️ 🇩🇪 👍🏽", "👩‍👩‍👧 ☺️ 🇩🇪 👍🏽"),
        ("\u{301}mark without a base", "\u{25CC}\u{301}mark without a base"),
    ])
    func isDrawn(_ text: String, as shown: String) {
        #expect(VisibleText.line(text).unicodeScalars.elementsEqual(shown.unicodeScalars))
    }

    @Test func noncharactersAreSpelled() {
        for value: UInt32 in [0xFDD0, 0xFFFE, 0xFFFF, 0x10FFFF] {
            guard let scalar = Unicode.Scalar(value) else { continue }
            #expect(VisibleText.line(String(Character(scalar))) == "⟨U+\(String(value, radix: 16, uppercase: true))⟩")
        }
    }

    @Test func loneSurrogatesNeverArrive() {
        #expect(!VisibleText.line(String(decoding: [0x61, 0xED, 0xA0, 0x80, 0x62], as: UTF8.self)).isEmpty)
        #expect(VisibleText.line(String(decoding: [0xED, 0xA0, 0x80], as: UTF8.self)).allSatisfy { $0 == "\u{FFFD}" })
    }

    @Test func onlyHarmlessScalarsRemainWhateverComes() {
        for value in (0...0x2FFF as ClosedRange<UInt32>).map(\.self) + Array(0xE0000...0xE01FF) + Array(0xFE00...0xFFFF)
        {
            guard let scalar = Unicode.Scalar(value) else { continue }
            for text in ["\(scalar)", "a\(scalar)b", "🙂\(scalar)🙂"] {
                let shown = VisibleText.line(text)
                let hidden = shown.unicodeScalars.filter { VisibleText.isHidden($0) }
                #expect(
                    hidden.allSatisfy { [0x200D, 0xFE0E, 0xFE0F].contains($0.value) }, "U+\(String(value, radix: 16))")
                #expect(VisibleText.line(shown) == shown, "U+\(String(value, radix: 16)) twice")
            }
        }
    }

    @Test func stackedMarksAreCounted() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 50)
        #expect(VisibleText.line(zalgo).unicodeScalars.filter { $0 == "\u{301}" }.count == 6)
    }

    @Test(arguments: [
        ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb\n\nc", ["a␍b", "", "c"]), ("", [""]),
        ("\u{1B}\n\u{202E}", ["␛", "⟨U+202E⟩"]),
    ])
    func rows(_ text: String, _ rows: [String]) { #expect(VisibleText.lines(text) == rows) }

    @Test(arguments: [
        ("short", 10, "short"),
        ("0123456789abcdefghij", 13, "012…(+14)…hij"),
        ("a very long path/to/some/file-with-the-end.txt", 24, "a very l…(+30)….txt"),
        ("日本語日本語日本語日本語", 14, "日…(+9)…本語"),
        ("abcdef", 3, "…ef"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
    ])
    func cutKeepsTheEnd(_ text: String, _ width: Int, _ cut: String) {
        let result = VisibleText.cut(text, to: width)
        #expect(DisplayWidth.of(result) <= width)
        if width > 2 { #expect(result.last == text.last) }
        if text.allSatisfy(\.isASCII) && text.count < 25 { #expect(result == cut) }
    }

    @Test func theCountOfACutIsRight() throws {
        let text = (0..<500).map(String.init).joined(separator: " ")
        for width in 12..<90 {
            let result = VisibleText.cut(text, to: width)
            let marker = try #require(result.firstMatch(of: /…\(\+(\d+)\)…/))
            let hidden = try #require(Int(marker.1))
            #expect(result.count - marker.0.count + hidden == text.count)
            #expect(DisplayWidth.of(result) <= width)
        }
    }

    @Test(
        "finding 11: of a very long text only the ends are looked at",
        arguments: ["x", "ü", "日", "a\u{1B}\n", "e\u{301}"])
    func aVeryLongTextIsCutByItsEnds(unit: String) throws {
        let text = "begin " + String(repeating: unit, count: 1_000_000 / unit.utf8.count) + " end"
        let ends = try #require(VisibleText.ends(of: text))
        #expect(text.utf8.starts(with: ends.head.utf8) && text.utf8.reversed().starts(with: ends.tail.utf8.reversed()))
        #expect(ends.head.utf8.count + ends.hiddenBytes + ends.tail.utf8.count == text.utf8.count)
        for width in [1, 4, 20, 48, 200] {
            let result = VisibleText.cut(text, to: width)
            #expect(DisplayWidth.of(result) <= width && !result.unicodeScalars.contains(where: VisibleText.isHidden))
            guard width > 24 else { continue }
            #expect(result.hasPrefix("begin ") && result.hasSuffix(" end"))
            let hidden = try #require(result.firstMatch(of: /…\(\+(\d+) bytes\)…/).flatMap { Int($0.1) })
            #expect((text.utf8.count - width * 6...text.utf8.count).contains(hidden))
        }
        #expect(VisibleText.ends(of: String(text.prefix(1000))) == nil)
    }

    @Test func cutRowsKeepTheEnd() {
        let rows = (1...20).map(String.init)
        #expect(VisibleText.cut(rows, toRows: 5) == ["1", "2", "… 16 lines …", "19", "20"])
        #expect(VisibleText.cut(rows, toRows: 1) == ["20"])
        #expect(VisibleText.cut(rows, toRows: 20) == rows)
    }
}

@Suite struct DisplayWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日", 2), ("日本", 4), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
        ("🙂", 2), ("☺️", 2),
        ("☺", 1),
        ("🇩🇪", 2), ("👩‍👩‍👧", 2), ("䷀", 2), ("㉈", 2), ("👍🏽", 2), ("🫨", 2), ("🫩", 2), ("…", 1), ("─", 1), ("⚑", 1), ("｡", 1),
        ("Ａ", 2), ("ก็", 1),
        ("✓", 1), ("▣", 1),
        ("1️⃣", 2),
    ])
    func cells(_ text: String, _ width: Int) { #expect(DisplayWidth.of(text) == width, "\(text)") }

    @Test func padsAndTruncatesByCells() {
        #expect(DisplayWidth.pad("日本", to: 6) == "日本  ")
        #expect(DisplayWidth.pad("日本", to: 7, .trailing) == "   日本")
        #expect(DisplayWidth.pad("ab", to: 5, .centre) == " ab  ")
        #expect(DisplayWidth.truncate("日本語", to: 4) == "日…")
        #expect(DisplayWidth.truncate("abc", to: 3) == "abc")
    }

    @Test(arguments: [
        ("the quick brown fox", 9, ["the quick", "brown fox"]),
        ("a  b", 10, ["a  b"]),
        ("averylongwordindeed", 8, ["averylon", "gwordind", "eed"]),
        ("日本語日本語", 5, ["日本", "語日", "本語"]),
        ("  kept", 20, ["  kept"]),
        ("see 日本語です", 8, ["see 日本", "語です"]),
    ])
    func wraps(_ text: String, _ width: Int, _ rows: [String]) { #expect(DisplayWidth.wrap(text, to: width) == rows) }

    @Test func wrappingKeepsEveryWordAndTheMargin() {
        let text = "Lorem ipsum dolor sit amet, 日本語 consetetur 🙂🙂🙂 sadipscing " + String(repeating: "x", count: 60)
        for width in 2...70 {
            let rows = StyledText(text).wrapped(to: width)
            #expect(rows.allSatisfy { $0.width <= width })
            #expect(rows.map(\.plain).joined().filter { $0 != " " } == text.filter { $0 != " " })
        }
    }
}

@Suite struct StyledTextTests {
    @Test func stylesAreCodesAndTextIsNever() {
        let text = StyledText("ok\u{1B}[2J", .success) + " " + StyledText("dim", [.dim, .bold])
        #expect(text.rendered(hasColour: true) == "\u{1B}[32mok␛[2J\u{1B}[0m \u{1B}[1;2mdim\u{1B}[0m")
        #expect(text.rendered(hasColour: false) == "ok␛[2J dim")
    }

    @Test func wrappingKeepsStyles() {
        let rows = (StyledText("red words ", .failure) + "plain words").wrapped(to: 9)
        #expect(rows.map { $0.rendered(hasColour: true) } == ["\u{1B}[31mred words\u{1B}[0m", "plain", "words"])
    }

    /// Lines of ASCII are broken by bytes, others by characters.
    @Test func bytesAreBrokenWhereCharactersAre() {
        var random = Seeded(4)
        for _ in 0..<2_000 {
            var line = StyledText()
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                let word = String(
                    repeating: ["a", "bc", " ", "  "].randomElement(using: &random)!,
                    count: .random(in: 1...6, using: &random))
                line.append(word, [[], .bold, .dim].randomElement(using: &random)!)
            }
            let width = Int.random(in: 2...12, using: &random)
            let expected = line.width > width ? line.wrappedGlyphs(to: width) : [line]
            #expect(line.wrapped(to: width) == expected, "\(line.spans) in \(width)")
        }
    }

    @Test(
        arguments: [
            (["TERM": "xterm"], false, false, true), (["TERM": "xterm", "NO_COLOR": "1"], false, true, false),
            (["TERM": "xterm", "NO_COLOR": ""], false, false, true), (["TERM": "dumb"], false, true, false),
            ([:], false, true, false),
            (["TERM": "xterm"], true, true, false),
        ] as [([String: String], Bool, Bool, Bool)])
    func capabilities(_ environment: [String: String], _ plainFlag: Bool, _ isPlain: Bool, _ hasColour: Bool) throws {
        let found = try terminalCapabilities(environment, plainFlag)
        #expect(found.isTerminal && found.isPlain == isPlain && found.hasColour == hasColour)
    }

    @Test func aFileIsPlain() {
        #expect(TerminalCapabilities.detect(output: -1, environment: { _ in "xterm" }).isPlain)
    }
}

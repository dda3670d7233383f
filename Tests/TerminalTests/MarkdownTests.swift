import CaseNames
import Terminal
import Testing

@Suite struct MarkdownTests {
    private func plain(_ text: String, _ width: Int = 40) -> [String] {
        StreamingMarkdown.lines(text, width: width).map(\.plain)
    }

    @Test(
        arguments: [
            ("# Title\ntext", ["Title", "", "text"]),
            ("Title\n===\ntext", ["Title", "", "text"]),
            ("one\ntwo", ["one two"]),
            ("one  \ntwo", ["one", "two"]),
            ("**b** *i* ~~s~~ `c`", ["b i s c"]),
            ("[words](http://a.example/x)", ["words (http://a.example/x)"]),
            ("<http://a.example/>", ["http://a.example/"]),
            ("![a cat](cat.png)", ["a cat (cat.png)"]),
            ("- a\n- b\n  - c\n- [x] d\n- [ ] e", ["• a", "• b", "  • c", "• ☑ d", "• ☐ e"]),
            ("9. a\n10. b\n\n    more", [" 9. a", "10. b", "    more"]),
            ("> quoted\n> > deeper", ["│ quoted", "│ ", "│ │ deeper"]),
            (
                "```swift\nlet x = 1\n\n\tindented\n```\nafter",
                ["  swift", "  let x = 1", "  ", "      indented", "", "after"]
            ),
            ("    code\n\n    more", ["  code", "  ", "  more"]),
            ("***", [String(repeating: "─", count: 40)]),
            ("<b>raw</b> text", ["<b>raw</b> text"]),
            ("<div>\nblock\n</div>", ["<div>", "block", "</div>"]),
            ("&#27;[31m &lt;", ["␛[31m <"]),
            ("\u{1B}[31mx\u{202E}y", ["␛[31mx⟨U+202E⟩y"]),
            ("text [1]\n\n[1]: http://a.example", ["text [1]", "", "[1]: http://a.example"]),
            ("- [a]: b", ["• [a]: b"]),
            ("| a | b |\n|---|--:|\n| 日本 | 1 |\n| x | 22 |", ["a    │  b", "─────┼───", "日本 │  1", "x    │ 22"]),
            ("a\n\n\n\nb", ["a", "", "b"]),
            ("", []),
            ("- a\n\ntext", ["• a", "", "text"]),
            ("text\n- a\n- b", ["text", "", "• a", "• b"]),
            (
                "a long line that has to be broken somewhere in the middle",
                ["a long line that has to be broken", "somewhere in the middle"]
            ),
        ] as [(String, [String])])
    func draws(_ text: String, _ lines: [String]) {
        let drawn = plain(text)
        let expected = lines.map { $0.hasPrefix("─") && !$0.contains("┼") ? String(repeating: "─", count: 40) : $0 }
        if text.hasPrefix("| a") {
            #expect(drawn.map(trimmed) == lines.map(trimmed))
        } else {
            #expect(drawn == expected)
        }
    }

    private func trimmed(_ text: String) -> String { String(text.reversed().drop { $0 == " " }.reversed()) }

    @Test func coloursAreTheSixteen() {
        let lines = StreamingMarkdown.lines("# T\n**b** `c` [w](u)\n- [x] d", width: 40).map {
            $0.rendered(hasColour: true)
        }
        #expect(
            lines == [
                "\u{1B}[1;4mT\u{1B}[0m", "",
                "\u{1B}[1mb\u{1B}[0m \u{1B}[36mc\u{1B}[0m \u{1B}[4mw\u{1B}[0m\u{1B}[2m (u)\u{1B}[0m", "",
                "\u{1B}[36m• \u{1B}[0m\u{1B}[32m☑ \u{1B}[0md",
            ])
    }

    @Test func tablesStayWithinTheMargin() {
        let row = "| a rather long cell with words | 日本語日本語日本語日本語 | short | another long cell here |"
        let table = row + "\n|---|---|---|---|\n" + row + "\n" + row
        for width in [20, 30, 40, 60, 100] {
            let lines = StreamingMarkdown.lines(table, width: width)
            #expect(lines.allSatisfy { $0.width <= width }, "\(width)")
            let letters = lines.map(\.plain).joined().filter { $0.isLetter }
            #expect(letters.filter { $0 == "日" }.count == (width < 25 ? 16 : 12))
        }
    }

    @Test func deepNestingEndsSomewhereAndLosesNothing() {
        let quote = String(repeating: "> ", count: 2000) + "bottom"
        #expect(plain(quote, 80).joined().contains("bottom"))
        let list = (0..<60).map { String(repeating: "  ", count: $0) + "- level\($0)" }.joined(separator: "\n")
        let drawn = plain(list, 80).joined()
        for level in 0..<60 { #expect(drawn.contains("level\(level)")) }
        let emphasis = String(repeating: "*a ", count: 500) + "x" + String(repeating: "*", count: 500)
        #expect(plain(emphasis, 80).joined().contains("x"))
    }
}

@Suite struct StreamingMarkdownTests {
    static let documents = [
        "# Title\n\nA paragraph with **bold text**, *emphasis* and `code`, long enough to be wrapped at least once or twice.\n\n- one\n- two\n  more of two\n\n  loose\n- three\n\n1. first\n2. second\n\n```swift\nlet a = 1\n\nlet b = \"2\"\n```\nafter the code\n\n> quote\nlazy\n\n| a | b |\n|---|---|\n| 1 | 日本 |\n\nthe end",
        "text\n---\nnot a list\n\n* * *\n\n    code\n\n    more code\n\ntext [1] and <b>html</b>\n\n[1]: http://a.example\n",
        "emoji 👩‍👩‍👧 and e\u{301}\r\nCRLF\r\n\r\n\u{1B}[31mescape\u{1B}[0m \u{202E}bidi\r\n~~~\n``` inside\n~~~\n",
        "- a\n- b\n\n\n\ntext\n```\nunclosed fence\n",
        "1. a\n   ```\n   code in a list\n   ```\n2. b\n> q\n- l\n",
        "",
    ]

    @Test(arguments: documents) func anyCuttingGivesTheSameLines(_ text: String) {
        let whole = StreamingMarkdown.lines(text, width: 40)
        var random = SystemRandomNumberGenerator()
        for round in 0..<40 {
            var markdown = StreamingMarkdown(width: 40)
            var lines: [StyledText] = []
            var rest = text.unicodeScalars[...]
            while !rest.isEmpty {
                let piece = rest.prefix(round == 0 ? 1 : Int.random(in: 1...20, using: &random))
                rest = rest.dropFirst(piece.count)
                markdown.feed(String(String.UnicodeScalarView(piece)))
                _ = markdown.open
                let finished = markdown.takeFinished()
                lines += finished
                #expect(whole.starts(with: lines), "what is finished never changes")
            }
            markdown.finish()
            lines += markdown.takeFinished()
            #expect(lines == whole)
        }
    }

    @Test(arguments: documents) func theOpenBlockIsWhatWouldBecomeFinal(_ text: String) {
        var markdown = StreamingMarkdown(width: 40)
        for scalar in text.unicodeScalars {
            markdown.feed(String(scalar))
            var ended = markdown
            let open = markdown.open
            _ = ended.takeFinished()
            ended.finish()
            #expect(ended.takeFinished() == open)
        }
    }

    @Test func everyWordAppearsOnceAndInOrder() {
        let words = (0..<3000).map { "w\($0)" }
        for separator in [" ", "\n", "\n\n", "\n- ", "  \n> "] {
            let text = words.joined(separator: separator)
            let shown = StreamingMarkdown.lines(text, width: 60).map(\.plain).joined(separator: " ")
            #expect(shown.split { " •│".contains($0) }.map(String.init) == words, "\(separator.debugDescription)")
        }
    }

    @Test func wordsAppearBeforeTheParagraphIsComplete() {
        var markdown = StreamingMarkdown(width: 40)
        markdown.feed("Hello wor")
        #expect(markdown.open.map(\.plain) == ["Hello wor"])
        markdown.feed("ld, **bo")
        #expect(markdown.open.map(\.plain) == ["Hello world, **bo"])
        markdown.feed("ld**")
        #expect(markdown.open.map(\.plain) == ["Hello world, bold"])
        #expect(markdown.takeFinished().isEmpty)
    }

    @Test func aBlockIsNeverParsedBeyondItsBound() {
        var markdown = StreamingMarkdown(width: 60)
        var lines: [StyledText] = []
        for index in 0..<20_000 {
            markdown.feed("word\(index) ")
            if index % 500 == 0 { #expect(markdown.open.reduce(0) { $0 + $1.width } <= 2 * 8192 + 100) }
            lines += markdown.takeFinished()
        }
        markdown.finish()
        lines += markdown.takeFinished()
        let words = lines.flatMap { $0.plain.split(separator: " ") }
        #expect(words.count == 20_000 && words.last == "word19999")
    }
}

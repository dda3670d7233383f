import CaseNames
import JSON
import Testing
@testable import Tools
import Vocabulary

/// The tools that work on lines, each as a table of texts before and after.
@Suite struct LineToolTests {
    let lab: Lab

    init() throws { lab = try Lab() }

    private struct Row {
        var params: JSON
        var before: String
        var after: String

        init(_ params: JSON, _ before: String, _ after: String) {
            (self.params, self.before, self.after) = (params, before, after)
        }
        init(_ before: String, _ after: String) { self.init([:], before, after) }
    }

    /// Runs a tool on each row, and reports every text that is another than expected.
    private func check(_ kind: String, _ rows: [Row]) async throws {
        var seen: [(row: Row, text: String)] = []
        for row in rows {
            let asset = try #require(
                try await lab.run(kind, row.params, [("text", try lab.asset(row.before, name: "list.md"))]).first)
            seen.append(
                (row, try lab.text(asset) + (asset.name == "list.md" && asset.type == .text ? "" : " in \(asset.name)"))
            )
        }
        expectNoFaults(in: seen) { row, text in
            // As bytes: Swift takes texts for equal that differ in Unicode's form.
            Array(text.utf8) == Array(row.after.utf8)
                ? [] : ["\(kind) \(row.params.text) of \(row.before.debugDescription): \(text.debugDescription)"]
        }
    }

    private func code(_ kind: String, _ params: JSON, _ asset: Asset) async -> String? {
        let failure = await #expect(throws: Failure.self) { try await lab.run(kind, params, [("text", asset)]) }
        return failure?.code.text
    }

    @Test func linesAreSorted() async throws {
        try await check(
            "SortLines",
            [
                Row("", ""), Row("one", "one"), Row("\n", "\n"),
                Row("b\na\n", "a\nb\n"), Row("b\na", "a\nb"), Row("b\r\na\r\n", "a\r\nb\r\n"), Row("b\r\na", "a\r\nb"),
                Row("b\r\na\n", "a\nb\r\n"), Row("\u{FEFF}b\na\n", "\u{FEFF}a\nb\n"), Row("b\n\na\n", "\na\nb\n"),
                Row("b\nB\na\n", "B\na\nb\n"), Row("é\nz\ne\u{301}\n", "e\u{301}\nz\né\n"),
                Row(["ignoreCase": true], "b\nB\na\nÄ\nä\n", "a\nb\nB\nÄ\nä\n"),
                Row(["descending": true], "a\nc\nb", "c\nb\na"),
                Row(["descending": true, "ignoreCase": true], "b\nB\nc\n", "c\nb\nB\n"),
                Row(["numeric": true], "10\n9\n9.5\n-1\nnone\n0\n", "-1\n0\n9\n9.5\n10\nnone\n"),
                Row(["numeric": true, "descending": true], "x\n1\n10\ny\n-2\n", "10\n1\n-2\nx\ny\n"),
                Row(["numeric": true], "b 2\na 2\nc 02.0\nd 1\n", "d 1\nb 2\na 2\nc 02.0\n"),
                Row(["numeric": true], "img-10.jpg\nimg-9.jpg\n", "img-9.jpg\nimg-10.jpg\n"),
                Row(["numeric": true], "-1.5\n-1.25\n-0\n0\n- 3\n(-7)\n", "(-7)\n-1.5\n-1.25\n-0\n0\n- 3\n"),
                Row(
                    ["numeric": true], "9007199254740993\n9007199254740992\n1.\n.5\n",
                    "1.\n.5\n9007199254740992\n9007199254740993\n"),
            ])
    }

    @Test func theFirstOfEqualLinesIsKept() async throws {
        try await check(
            "UniqueLines",
            [
                Row("", ""), Row("b\na\nb\nc\na\n", "b\na\nc\n"), Row("a\na", "a"), Row("a\r\na\nb", "a\r\nb"),
                Row("\n\n\na\n", "\na\n"),
                Row("a\nA\n a\n", "a\nA\n a\n"), Row("é\ne\u{301}\n", "é\ne\u{301}\n"),
            ])
    }

    @Test func linesAreReversed() async throws {
        try await check(
            "ReverseLines",
            [
                Row("", ""), Row("1\n2\n3\n", "3\n2\n1\n"), Row("1\n2\n3", "3\n2\n1"),
                Row("1\r\n2\r\n3", "3\r\n2\r\n1"),
                Row("1\r\n2\n", "2\n1\r\n"), Row("\u{FEFF}1\n2\n", "\u{FEFF}2\n1\n"),
            ])
    }

    @Test func linesAreNumbered() async throws {
        let ten = (1...10).map { "l\($0)\n" }.joined()
        try await check(
            "NumberLines",
            [
                Row("", ""), Row("a\nb\n", "1  a\n2  b\n"), Row("a\r\nb", "1  a\r\n2  b"), Row("\n\n", "1  \n2  \n"),
                Row(["start": 0], "a\nb\n", "0  a\n1  b\n"), Row(["start": 99], "a\nb\n", " 99  a\n100  b\n"),
                Row(ten, (1...9).map { " \($0)  l\($0)\n" }.joined() + "10  l10\n"),
            ])
        #expect(await code("NumberLines", ["start": .int(.max)], try lab.asset("a\nb\n")) == "badParam")
    }

    @Test func linesAreKeptOrDroppedByAText() async throws {
        let text = "apple pie\nApple\r\npineapple\npear"
        try await check(
            "FilterLines",
            [
                Row(["text": "apple"], text, "apple pie\npineapple"),
                Row(["text": "apple", "drop": true], text, "Apple\r\npear"),
                Row(["text": "apple", "ignoreCase": true], text, "apple pie\nApple\r\npineapple"),
                Row(["text": "apple", "place": "begins"], text, "apple pie"),
                Row(["text": "apple", "place": "ends"], text, "pineapple"),
                Row(["text": "APPLE", "place": "begins", "ignoreCase": true], text, "apple pie\nApple"),
                Row(["text": ".*"], "a.*b\nab\n", "a.*b\n"), Row(["text": "-e"], "x -e\nx\n", "x -e\n"),
                Row(["text": "aab"], "aaab\nab\n", "aaab\n"),
                Row(["text": "é"], "cafe\u{301}\ncafé\ncafe\n", "cafe\u{301}\ncafé\n"),
                Row(["text": "É", "ignoreCase": true, "drop": true], "café\ncafe\n", "cafe\n"),
                Row(["text": "pear"], "pear\r\npea\r\n", "pear\r\n"),
                Row(["text": "pear", "place": "ends"], "pear\r\n", "pear\r\n"),
                Row(["text": "zzz"], text, ""), Row(["text": "longer than any line"], "short\n", ""),
                Row(["text": "x"], "", ""),
            ])
        for text in ["", "a\nb", "a\r"] {
            #expect(
                await code("FilterLines", ["text": .string(text)], try lab.asset("a\n")) == "badParam",
                "\(text.debugDescription)")
        }
    }

    @Test func theFirstAndLastLinesAreKeptOrDropped() async throws {
        let text = "1\r\n2\n3"
        try await check(
            "TakeLines",
            [
                Row(["count": 2], text, "1\r\n2"), Row(["count": 2, "from": "end"], text, "2\n3"),
                Row(["count": 1, "drop": true], text, "2\n3"),
                Row(["count": 1, "from": "end", "drop": true], text, "1\r\n2"),
                Row(["count": 3], text, text), Row(["count": 1_000_000_000], text, text),
                Row(["count": 9, "from": "end"], text, text),
                Row(["count": 3, "drop": true], text, ""), Row(["count": 1], "", ""), Row(["count": 1], "a\n\n", "a\n"),
            ])
        for count in [0, -1] {
            #expect(await code("TakeLines", ["count": .int(count)], try lab.asset("a\n")) == "badParam")
        }
    }

    @Test func aLineIsAdded() async throws {
        try await check(
            "AppendText",
            [
                Row(["text": "c"], "a\nb\n", "a\nb\nc\n"), Row(["text": "c"], "a\nb", "a\nb\nc"),
                Row(["text": "c"], "", "c\n"),
                Row(["text": "c"], "a\r\nb\r\n", "a\r\nb\r\nc\r\n"), Row(["text": "c"], "a\r\nb", "a\r\nb\r\nc"),
                Row(["text": "c\nd"], "a\r\n", "a\r\nc\r\nd\r\n"), Row(["text": "c\n"], "a\n", "a\nc\n"),
                Row(["text": ""], "a\n", "a\n\n"),
                Row(["text": "c", "place": "start"], "a\nb", "c\na\nb"),
                Row(["text": "c", "place": "start"], "", "c\n"),
                Row(["text": "c\nd", "place": "start"], "a\r\n", "c\r\nd\r\na\r\n"),
                Row(["text": "c", "place": "start"], "\u{FEFF}a\n", "\u{FEFF}c\na\n"),
                Row(["text": "$(id) {{x}} \\n"], "a\n", "a\n$(id) {{x}} \\n\n"),
            ])
    }

    @Test func lettersAreWrittenInAnotherCase() async throws {
        let text = "the QUICK fox.\r\nit's 3pm! \"hi,\" HE said"
        try await check(
            "ChangeCase",
            [
                Row(["case": "upper"], text, "THE QUICK FOX.\r\nIT'S 3PM! \"HI,\" HE SAID"),
                Row(["case": "lower"], text, "the quick fox.\r\nit's 3pm! \"hi,\" he said"),
                Row(["case": "title"], text, "The Quick Fox.\r\nIt's 3pm! \"Hi,\" He Said"),
                Row(["case": "sentence"], text, "The quick fox.\r\nIt's 3pm! \"Hi,\" he said"),
                Row(
                    ["case": "sentence"], "a title\n\nfirst line\nsecond. (third) e.g.x 1.5 a?\"  b",
                    "A title\n\nFirst line\nsecond. (Third) e.g.x 1.5 a?\"  B"),
                Row(["case": "sentence"], "a\r\n \r\nb\r\nc", "A\r\n \r\nB\r\nc"),
                Row(["case": "upper"], "straße ǆ e\u{301}", "STRASSE Ǆ E\u{301}"),
                Row(["case": "lower"], "ÇA ÄÖ", "ça äö"),
                Row(["case": "title"], "o'neill mother-in-law (see) ça", "O'neill Mother-in-law (See) Ça"),
                Row(["case": "title"], "", ""), Row(["case": "sentence"], "\n\n", "\n\n"),
            ])
    }

    /// Each tool takes what `ReplaceText` takes, and makes nothing that no step could read.
    @Test func whatIsNoTextOrTooLongFails() async throws {
        let tools: [(kind: String, params: JSON)] = [
            ("SortLines", [:]), ("UniqueLines", [:]), ("ReverseLines", [:]), ("NumberLines", [:]),
            ("FilterLines", ["text": "a"]),
            ("TakeLines", ["count": 1]), ("AppendText", ["text": "a"]), ("ChangeCase", ["case": "upper"]),
        ]
        let bad = try lab.asset([0x61, 0xFF, 0x00], .text, name: "bad.txt")
        for tool in tools { #expect(await code(tool.kind, tool.params, bad) == "notText", "\(tool.kind)") }
        let manyLines = try lab.asset([UInt8](repeating: 0x0A, count: Limits.textLines + 1), .text, name: "many.txt")
        #expect(await code("SortLines", [:], manyLines) == "tooManyLines")
        let long = try lab.asset([UInt8](repeating: 0x61, count: Limits.readFileBytes - 1), .text, name: "long.txt")
        #expect(await code("AppendText", ["text": "aa"], long) == "tooLarge")
        #expect(await code("NumberLines", [:], long) == "tooLarge")
    }
}

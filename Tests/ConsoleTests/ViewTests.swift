import Actions
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

/// The pure parts of `view`: what a content is, and how its lines come.
@Suite struct ViewTests {
    private func content(_ name: String, folder: Bool = false, picture: String? = nil) -> ViewedContent {
        ViewedContent(
            name: name, target: name, path: "/" + name, bytes: 1, isFolder: folder, picture: picture, isPrivate: false)
    }

    @Test(arguments: [
        ("a.txt", "hello", ContentKind.text), ("a.json", "{}", .json), ("A.JSON", "{", .json),
        ("a.md", "# a", .markdown),
        ("a.csv", "a,b;c,d", .table(separator: 44)), ("a.csv", "a;b,c;d", .table(separator: 59)),
        ("a.tsv", "a,b", .table(separator: 9)),
        ("a.csv", "\0\u{1}", .binary), ("a.bin", "a\0b", .binary), ("a.txt", "\u{1B}[31mred", .text),
        ("noname", "", .text),
        ("a.zip", "PK\u{3}\u{4}…", .zip), ("a.txt", "%PDF-1.7", .pdf), ("a.txt", "\u{1}\u{2}\u{3}", .binary),
    ])
    func theKindIsToldFromNameAndBytes(name: String, head: String, kind: ContentKind) {
        #expect(ContentKind(of: content(name), head: Array(head.utf8)) == kind)
    }

    private func shown(_ text: String, from: Int = 1, lines: Int = .max) throws -> [String] {
        var stream = TextStream(shown: MemorySource(text), from: from, lines: lines) { $0 }
        var blocks: [String] = []
        while let block = try stream.next() { blocks.append(String(decoding: block, as: UTF8.self)) }
        return blocks
    }

    @Test(arguments: [
        (1, Int.max, "a\nb\nc"), (2, .max, "b\nc"), (3, .max, "c"), (4, .max, ""), (1, 1, "a\n"), (2, 1, "b\n"),
        (2, 9, "b\nc"), (9, 1, ""),
    ])
    func linesAreCountedFromOne(from: Int, lines: Int, expected: String) throws {
        #expect(try shown("a\nb\nc", from: from, lines: lines).joined() == expected)
    }

    /// Any cutting of a long text gives the same lines, and each is read once.
    @Test func aLongTextComesInBlocksThatEndWithLines() throws {
        let text = (1...40_000).map { "line \($0) é\n" }.joined()
        let blocks = try shown(text)
        #expect(blocks.count > 5 && blocks.joined() == text)
        #expect(blocks.allSatisfy { $0.hasSuffix("\n") && $0.utf8.count <= Limits.viewBlockBytes })
        #expect(try shown(text, from: 39_999).joined() == "line 39999 é\nline 40000 é\n")
        var stream = TextStream(shown: MemorySource(text)) { $0 }
        #expect(try stream.countLines() == 40_000)
    }

    /// Blocks that are skipped unread are counted as those that are read.
    @Test(arguments: [1, 2, 900, 5_000, 12_345, 39_999, 40_000, 40_001]) func linesAreSkippedExactly(from: Int) throws {
        let text = (1...40_000).map { "line \($0)\r\n" }.joined()
        let expected = (1...40_000).dropFirst(from - 1).map { "line \($0)\n" }.joined()
        #expect(try shown(text, from: from).joined() == expected)
        var stream = TextStream(shown: MemorySource(text), from: from) { $0 }
        #expect(try stream.countLines() == 40_001 - from)
    }

    @Test func aLineLongerThanABlockIsWholeAndItsCharactersToo() throws {
        let line = String(repeating: "aé𝄞", count: 50_000)
        let blocks = try shown(line + "\nend")
        #expect(blocks.count > 3 && blocks.joined() == line + "\nend")
    }

    @Test func whatATerminalWouldObeyIsASign() throws {
        let all = try shown("a\u{1B}[2Jb\r\nc\u{202E}d\u{9B}0m").joined()
        #expect(all == "a␛[2Jb\nc⟨U+202E⟩d⟨U+009B⟩0m")
        #expect(try shown(hostile).joined().unicodeScalars.allSatisfy { $0 == "\n" || !VisibleText.isHidden($0) })
    }

    /// A key of many lines is never cut in two by a block, so that it is cut out whole.
    @Test(arguments: [0, 100, 1000, 3000]) func aKeyBlockIsNotCutInTwo(shift: Int) throws {
        let key =
            "-----BEGIN PRIVATE KEY-----\n" + String(repeating: "abcd\n", count: 800) + "-----END PRIVATE KEY-----\n"
        let line = String(repeating: "x", count: 99) + "\n"
        let before = String(repeating: line, count: (Limits.viewBlockBytes - shift) / 100)
        let text = before + key + String(repeating: line, count: 900)
        let blocks = try shown(text)
        #expect(blocks.joined() == text)
        #expect(blocks.contains { $0.contains(key) })
    }

    // MARK: JSON

    private func laidOut(_ text: String) throws -> String? {
        guard let source = try LaidOutJSON(MemorySource(text)) else { return nil }
        var (all, offset) = ([UInt8](), 0)
        while true {
            let piece = try source.read(1000, at: offset)
            all += piece
            offset += piece.count
            if piece.count < 1000 { return String(decoding: all, as: UTF8.self) }
        }
    }

    /// What is laid out as it comes is what is laid out from its tree.
    @Test(arguments: [
        "{}", "[]", "[1,2,[3,{}],{\"a\":[],\"b\":{\"c\":null}}]", " { \"a\" : -1.5 , \"b\" : [ true , false ] } ",
        "\"text\"", "17",
        "null",
        "[\"a,b:{}[]\",\"\\\"\\\\\"]", "{\"a\":{\"b\":{\"c\":[[[1]]]}}}",
    ])
    func JSONIsLaidOutAsItComes(text: String) throws { #expect(try laidOut(text) == JSONReader.read(text).pretty) }

    @Test(arguments: [
        "", "{", "}", "[1", "[1,]", "{,}", "{\"a\"}", "{\"a\":}", "{1:2}", "[1 2]", "[1]]", "{\"a\":1,}", "\"open",
        "tru", "[01x]",
        "[\"a\n\"]",
        "{\"a\":1 \"b\":2}", "[}", "{\"a\"]", "1,2", "[:1]", "{} {}", "nul l", "[,1]", ":",
    ])
    func whatIsNoJSONIsNotLaidOut(text: String) throws { #expect(try laidOut(text) == nil) }

    /// Neither depth nor size is a matter of memory: a line stays short, and what is too deep is text.
    @Test func deepJSONStaysNarrow() throws {
        let deep = 50_000
        let text = try #require(
            try laidOut(String(repeating: "[", count: deep) + "1" + String(repeating: "]", count: deep)))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2 * deep + 1 && lines.allSatisfy { $0.utf8.count <= 2 * Limits.laidOutIndents + 1 })
        #expect(try laidOut(String(repeating: "[", count: Limits.laidOutDepth + 1)) == nil)
    }

    // MARK: Tables

    @Test(arguments: [
        ("a,b\n1,2\n", [["a", "b"], ["1", "2"]]), ("a,b\r\n1,2", [["a", "b"], ["1", "2"]]),
        ("a,\"b,c\"", [["a", "b,c"]]),
        ("\"a \"\"b\"\"\",c", [["a \"b\"", "c"]]), ("\"a\nb\",c\n", [["a\nb", "c"]]), ("a,,\n", [["a", "", ""]]),
        ("", []),
        ("\u{FEFF}a,b", [["a", "b"]]), ("a\n\nb", [["a"], [""], ["b"]]), ("a,\"b", [["a", "b"]]),
    ])
    func cellsAreReadAsTheyAreWritten(text: String, rows: [[String]]) {
        #expect(ViewedTable(Array(text.utf8), separator: 44).rows == rows)
    }

    @Test func aTableIsAligned() {
        let table = ViewedTable(Array("name,size\ncat.jpg,58000\ndog,7\n".utf8), separator: 44)
        #expect(
            table.lines(1..<4, columns: 40).map(\.plain) == [
                "name      size", "──────────────", "cat.jpg  58000", "dog          7",
            ])
        #expect(table.lines(3..<4, columns: 40).map(\.plain) == ["name  size", "──────────", "dog      7"])
    }

    @Test(arguments: widths) func everyTableFits(columns: Int) {
        let cells = ["a", hostile, String(repeating: "long ", count: 80), "漢字", "", "7"]
        let text = (0..<9).map { row in
            cells.map { "\"\($0.replacing("\"", with: "\"\""))\(row)\"" }.joined(separator: ",")
        }.joined(
            separator: "\n")
        let lines = ViewedTable(Array(text.utf8), separator: 44).lines(1..<10, columns: columns)
        #expect(lines.widest() <= columns && lines.isHarmless)
    }

    /// A table of any form is drawn in bounded parts, and the parts together are all of it.
    @Test(arguments: [(4_000, 40), (60, 10_000), (20_000, 1), (1, 100_000)]) func aTableOfAnySizeIsBounded(
        rows: Int, columns: Int
    ) {
        let line = String(repeating: "x,", count: columns - 1) + "x\n"
        let table = ViewedTable(Array(String(repeating: line, count: rows).utf8), separator: 44)
        #expect(table.count == rows)
        var (next, parts) = (1, 0)
        while next <= rows, parts < 1_000 {
            let end = table.bounded(next..<rows + 1, from: 1)
            #expect(
                end > next
                    && (end - next) * min(columns, Limits.tableColumns) <= Limits.tableCells + Limits.tableColumns)
            (next, parts) = (end, parts + 1)
        }
        #expect(next == rows + 1)
        #expect(!table.lines(1..<table.bounded(1..<rows + 1, from: 1), columns: 80).isEmpty)
    }

    @Test func aTableIsDrawnFromAColumnOn() {
        let table = ViewedTable(Array("a,b,c\n1,2,3\n4,5\n".utf8), separator: 44)
        #expect(table.lines(1..<4, from: 2, columns: 40).map(\.plain) == ["b  c", "────", "2  3", "5   "])
        #expect(table.lines(1..<4, from: 9, columns: 40).isEmpty)
    }

    // MARK: Comparisons

    /// Two texts that have nothing in common are compared at once, whatever their length.
    @Test func textsWithoutAnythingInCommonAreCompared() throws {
        let (one, other) = ((1...4_900).map { "a\($0)\n" }.joined(), (1...4_900).map { "b\($0)\n" }.joined())
        let diff = try #require(
            LineDiff(TextChange(before: "same\n" + one + "end\n", after: "same\n" + other + "end\n"), context: 2))
        #expect(diff.lines.count == 9_802)
        #expect(diff.lines.first == .same(LineDiff.Source(bytes: Array("same".utf8))))
        #expect(
            diff.lines[1] == .gone(LineDiff.Source(bytes: Array("a1".utf8)))
                && diff.lines[4_901] == .new(LineDiff.Source(bytes: Array("b1".utf8))))
    }

    // MARK: Trees

    private func tree(_ entries: [(String, Int?)]) -> ViewedTree {
        ViewedTree(
            entries: entries.map {
                .init(names: $0.0.split(separator: "/").map(String.init), isFolder: $0.1 == nil, bytes: $0.1)
            },
            isWhole: true)
    }

    @Test func aTreeShowsFoldersThatHaveNoEntryOfTheirOwn() {
        let lines = TreeView.lines(
            tree([("b.txt", 3), ("a/x/deep.txt", 1500), ("a/y", nil)]), target: "t", path: "t", columns: 80)
        #expect(
            lines.map(\.plain) == [
                "├ a/", "│ ├ x/", "│ │ └ deep.txt  1.5 KB", "│ └ y/", "└ b.txt  3 bytes", "2 files, 1.5 KB",
            ])
    }

    @Test func whatIsLeftOutOfATreeIsCounted() {
        let many = (0..<Limits.treeEntries + 40).map { ("d/f\($0)", Int?.some(1)) }
        let lines = TreeView.lines(tree(many), target: "\"my files\"", path: "my files", columns: 80).map(\.plain)
        #expect(lines.count == Limits.treeEntries + 2)
        #expect(lines.dropLast().last == "… 41 more entries: /view \"my files\" --from 2001", "\(lines.suffix(2))")
        let rest = TreeView.lines(tree(many), target: "m", path: "m", span: 2001..<Int.max, columns: 80).map(\.plain)
        #expect(
            rest.count == 41 && rest.last?.hasPrefix("  └ f999") == true && !lines.contains(rest[0]),
            "\(rest.suffix(2))")
    }

    @Test(arguments: [40, 80, 120]) func whatIsTooDeepInATreeIsShownByTheVerbThatIsNamed(columns: Int) {
        let deep = tree([(String(repeating: "d/", count: 40) + "f", 1)])
        let below = Array(repeating: "d", count: Limits.treeDepth)
        let call = "/view t " + below.joined(separator: "/")
        let archive = TreeView.lines(deep, target: "t", path: nil, columns: columns)
        #expect(archive.squeezed.contains(squeezed("… 29 more entries: \(call)")), "\(archive.plain)")
        let folder = TreeView.lines(deep, target: "t", path: "t", columns: columns)
        #expect(
            folder.squeezed.contains(squeezed("… 29 more entries: /view t/\(below.joined(separator: "/"))")),
            "\(folder.plain)")
        #expect(archive.widest() <= columns && folder.widest() <= columns)
    }

    @Test(arguments: widths) func aHostileTreeIsHarmless(columns: Int) {
        let lines = TreeView.lines(
            tree([(hostile, 1), ("../../etc/passwd", 2), ("a/" + hostile, nil)]), target: hostile, path: hostile,
            columns: columns)
        #expect(lines.widest() <= columns && lines.isHarmless)
    }

    @Test(arguments: [
        (nil, ViewTarget.newest), ("$", .newest), ("w3", .workflow(WorkflowID(3))), ("./w3", .path("./w3")),
        ("cat.jpg", .path("cat.jpg")),
        ("w3.2", .asset(.output(step: StepID(WorkflowID(3), 2), attempt: nil, port: nil))),
        ("deadbeef", .asset(.content(prefix: "deadbeef"))),
        ("w3.txt", .path("w3.txt")),
    ])
    func aTargetIsToldFromItsForm(word: String?, target: ViewTarget) { #expect(ViewTarget(word) == target) }

    @Test(arguments: widths) func bytesFit(columns: Int) {
        let lines = ByteView.lines(Array(0...255), columns: columns)
        #expect(lines.widest() <= columns && lines.isHarmless)
    }
}

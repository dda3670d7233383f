import CaseNames
import JSON
import Terminal
import Testing
import Vocabulary

@testable import Actions
@testable import Console

/// Long texts for those with little room (`semantics.md` 191).
struct TextCutTests {
    private static let exitOne = JSON.Object(members: [.init(key: "exit", value: 1)])
    private static let lines = (1...100).map { "line \($0)\n" }.joined()

    /// What each text comes to in a room: head, mark, tail.
    @Test func theBeginningAndTheEndAreKeptWithTrueCounts() {
        let rows: [(text: String, room: Int, head: String, tail: String, bytes: Int, lines: Int)] = [
            ("abcdefghij", 4, "ab", "ij", 6, 1),
            ("a\nb\nc\nd\ne\n", 4, "a\n", "e\n", 6, 3),
            ("a\nb\nc\nd\ne", 4, "a\n", "e", 6, 3),
            // A line that is longer than the room is cut inside.
            ("0123456789\n0123456789\n", 10, "01234", "6789\n", 12, 2),
            // No character is cut.
            ("ééééé", 5, "é", "é", 6, 1),
            ("👩‍👩‍👧abc", 6, "", "abc", 18, 1),
            ("\u{1}\u{2}\u{3}\u{4}", 2, "\u{1}", "\u{4}", 2, 1),
        ]
        expectNoFaults(in: rows) { row in
            guard let ends = TextCut(row.text).ends(room: row.room) else {
                return ["\(row.text.debugDescription) is not cut"]
            }
            let isRight =
                (ends.head, ends.tail, ends.leftOutBytes, ends.leftOutLines) == (
                    row.head, row.tail, row.bytes, row.lines
                )
            return isRight ? [] : ["\(row.text.debugDescription) in \(row.room): \(ends)"]
        }
        #expect(TextCut("").ends(room: 0) == nil && TextCut("abc").ends(room: 3) == nil && TextCut("").lineCount == 0)
    }

    /// Over all rooms and texts: nothing is lost, nothing counted twice, and the room is kept.
    @Test func theCountsOfEveryCutAddUp() {
        let texts = [
            Self.lines, String(repeating: "é\n世\u{1}\"\\", count: 60), String(repeating: "x", count: 500),
            "\n\n\n\n\n\n",
        ]
        expectNoFaults(in: texts.flatMap { text in (0...120).map { (text, $0) } }) { text, room in
            for cost in TextCut.Cost.allCases {
                let whole = TextCut(text, cost: cost)
                guard let ends = whole.ends(room: room) else {
                    if whole.room(upTo: .max) > room { return ["\(room): not cut"] }
                    continue
                }
                let (all, head, tail) = (Array(text.utf8), Array(ends.head.utf8), Array(ends.tail.utf8))
                guard head + all[ends.from..<ends.to] + tail == all else { return ["\(room): \(ends) is not the text"] }
                let taken = (head + tail).reduce(0) { $0 + cost.of($1) }
                if taken > room { return ["\(room): it takes \(taken)"] }
                let middle = String(decoding: all[ends.from..<ends.to], as: UTF8.self)
                if TextCut(middle).lineCount != ends.leftOutLines { return ["\(room): \(ends.leftOutLines) lines"] }
            }
            return []
        }
    }

    @Test func pagesFollowEachOtherUntilTheEnd() {
        let texts = [Self.lines, String(repeating: "é世", count: 80), "", "a"]
        expectNoFaults(in: texts.flatMap { text in [0, 1, 2, 7, 50, 10_000].map { (text, $0) } }) { text, room in
            let whole = TextCut(text)
            var (read, place, rounds) = ("", 0, 0)
            while place < whole.byteCount, rounds < 2_000 {
                let page = whole.page(from: place, room: room)
                guard page.range.lowerBound == place, page.range.upperBound > place else {
                    return ["\(room): stands at \(place)"]
                }
                read += page.text
                place = page.range.upperBound
                rounds += 1
            }
            return read == text ? [] : ["\(room): \(read.utf8.count) of \(text.utf8.count) bytes"]
        }
        let page = TextCut("é世").page(from: 1, room: 100)
        #expect(page.text == "世" && page.range == 2..<5)
        #expect(TextCut("abc").page(from: 99, room: 5).range == 3..<3)
    }

    @Test func aRoomIsSharedFairly() {
        let rows: [(wanted: [Int], room: Int, shares: [Int])] = [
            ([], 10, []), ([4], 10, [4]), ([40], 10, [10]), ([4, 40], 10, [4, 6]), ([40, 40], 10, [5, 5]),
            ([40, 0, 3], 10, [7, 0, 3]),
            ([9, 9, 9], 10, [3, 3, 4]),
        ]
        expectNoFaults(in: rows) { row in
            let shares = ToldOutputs.shares(of: row.wanted, in: row.room)
            return shares == row.shares ? [] : ["\(row.wanted) in \(row.room): \(shares)"]
        }
    }

    @Test func whatACommandPrintedIsShownWithItsEndAndItsExitCode() {
        let output = Event.Output(
            step: 2, port: "text", type: .text, path: nil, hash: .ofNothing, bytes: Self.lines.utf8.count,
            meta: Self.exitOne)
        let rows = ResultLine.lines(
            output, workflow: WorkflowID(3), name: "shell.txt", preview: Self.lines, columns: 90)
        let text = rows.map(\.plain)
        #expect(text.first?.contains("▤ text  shell.txt  792 bytes  exit 1") == true, "\(text)")
        #expect(
            text.contains("    ┆ line 6") && text.contains("    ┆ line 95") && text.contains("    ┆ line 100"),
            "\(text)")
        #expect(text.contains("    … 88 more lines, 792 bytes in all: /view w3.2 --from 7 --lines 88"), "\(text)")
        // In a narrow window the mark is wrapped, so that the call that reads on is there.
        let narrow = ResultLine.lines(output, workflow: WorkflowID(3), preview: Self.lines, columns: 40).map(\.plain)
        let mark = narrow.drop { !$0.contains("… 88 more lines") }.prefix { !$0.contains("┆") }
        #expect(
            mark.map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: " ").hasSuffix(
                "all: /view w3.2 --from 7 --lines 88"),
            "\(narrow)")
        #expect(narrow.allSatisfy { $0.count <= 40 }, "\(narrow)")
        let long = String(repeating: Self.lines, count: 100)
        let cut = ResultLine.lines(output, workflow: WorkflowID(3), preview: long, columns: 90).map(\.plain)
        #expect(cut.contains { $0.contains("… 9988 more lines") } && cut.last == "    ┆ line 100", "\(cut)")
        let silent = Event.Output(
            step: 2, port: "text", type: .text, path: nil, hash: .ofNothing, bytes: 0, meta: Self.exitOne)
        #expect(
            ResultLine.lines(silent, workflow: WorkflowID(3), preview: "", columns: 90)[0].plain.contains(
                "no output  exit 1"))
        // What it made says more than that it printed nothing.
        let changed = ["created": ["sorted.txt"], "deleted": ["a b"], "counts": ["created": 1, "deleted": 1]] as JSON
        var making = silent
        making.meta["changed"] = changed
        let line = ResultLine.lines(making, workflow: WorkflowID(3), preview: "", columns: 90)[0].plain
        #expect(line.contains("▤ made sorted.txt; deleted \"a b\"  exit 1"), "\(line)")
        making.meta["exit"] = 0
        #expect(!ResultLine.lines(making, workflow: WorkflowID(3), preview: "", columns: 90)[0].plain.contains("exit"))
        (making.bytes, making.meta["exit"]) = (3, 1)
        let both = ResultLine.lines(making, workflow: WorkflowID(3), preview: "hi\n", columns: 90).map(\.plain)
        #expect(both[0].contains("3 bytes  exit 1") && both.last == "    made sorted.txt; deleted \"a b\"", "\(both)")
    }
}

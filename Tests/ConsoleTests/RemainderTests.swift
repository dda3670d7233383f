import JSON
import Terminal
import Testing
import Vocabulary

@testable import Console

private let w3 = WorkflowID(3)

private func step(_ index: Int, _ kind: String, _ state: StepState) -> StepRecord {
    StepRecord(id: StepID(w3, index), node: "n\(index)", kind: kind, state: state, updatedAt: now + -60)
}

private func summary() -> WorkflowSummary {
    WorkflowSummary(
        record: WorkflowRecord(
            id: w3, title: "many", workspace: "/home/ana", createdAt: now + -300, updatedAt: now + -125,
            outcome: .succeeded),
        stepCount: 90, doneCount: 90, openAwaits: 0, states: [])
}

/// What a list leaves out, and the words that print it.
@Suite struct RemainderTests {
    @Test(
        arguments: [
            (13..<41, 40, "more line", "… 28 more lines: /view w3.2 --from 13"),
            (11..<81, 90, "more step", "… 70 more steps: /view w3.2 --from 11 --lines 70"),
            (1..<5, 12, "earlier run", "… 4 earlier runs: /view w3.2 --lines 4"),
            (40..<41, 40, "more entry", "… 1 more entry: /view w3.2 --from 40"),
            (39..<41, 40, "more entry", "… 2 more entries: /view w3.2 --from 39"), (5..<5, 9, "more line", nil),
        ] as [(Range<Int>, Int, String, String?)])
    func theWordsNameTheVerb(range: Range<Int>, count: Int, noun: String, words: String?) {
        #expect(Remainder(range, of: count, noun, "view w3.2")?.words() == words)
    }

    @Test(arguments: [40, 80, 120]) func theVerbIsNeverCut(columns: Int) throws {
        let rest = Remainder(13..<41, of: 99, "more line", "view w3.2.1.text --text")
        let lines = rest.lines(columns: columns, indent: 4, remark: ", 12 KB in all")
        #expect(lines.widest() <= columns)
        #expect(
            lines.squeezed == squeezed("… 28 more lines, 12 KB in all: /view w3.2.1.text --text --from 13 --lines 28"))
    }

    @Test(
        arguments: [
            (nil, nil, nil), (1, nil, 1..<11), (3, 2, 3..<5), (9, 99, 9..<11), (11, nil, 11..<11), (40, 2, 11..<11),
            (nil, 4, 1..<5),
        ] as [(Int?, Int?, Range<Int>?)])
    func aSpanIsAPartOfTheList(from: Int?, lines: Int?, range: Range<Int>?) throws {
        var span = Span()
        (span.from, span.lines) = (from, lines)
        #expect(span.range(of: 10) == range)
        if let range { #expect(Array(1...10).entries(range).elementsEqual(range)) }
    }

    @Test(arguments: [
        ("plain", "plain"), ("two words", "\"two words\""), ("it's", "\"it's\""), ("$HOME", "'$HOME'"),
        ("say \"a b\"", "'say \"a b\"'"),
        ("", "\"\""), ("a'b\"c d", "'a'\"'\"'b\"c d'"),
    ])
    func aWordIsQuotedSoThatItIsReadAgain(word: String, quoted: String) {
        #expect(Words.quoted(word) == quoted)
        #expect(Words.split(Words.quoted(word)) == [word])
    }

    /// Steps of a card that are left out are those that the verb draws.
    @Test(arguments: [40, 80, 120]) func theStepsThatAreLeftOutAreDrawnByTheVerb(columns: Int) throws {
        let steps = (1...90).map { step($0, "Grayscale", .succeeded) }
        func drawn(_ span: Range<Int>?) -> [StyledText] {
            WorkflowCard.lines(summary(), steps: steps, catalogue: catalogue, span: span, now: now, columns: columns)
        }
        let (card, rest, all) = (drawn(nil), drawn(11..<81), drawn(1..<91))
        #expect(card.squeezed.contains(squeezed("… 70 more steps: /show w3 --from 11 --lines 70")))
        #expect(rest.map(\.plain) == Array(all.map(\.plain)[10..<80]))
        #expect(!rest.contains { card.map(\.plain).contains($0.plain) })
    }

    /// Runs, outputs and values of a step that are left out are those that the verb draws.
    @Test(arguments: [40, 80, 120]) func theListsOfAStepAreDrawnByTheVerb(columns: Int) throws {
        let id = StepID(w3, 2)
        let long = (1...30).map { "word \($0)" }.joined(separator: "\n")
        let runs = (1...12).map { number in
            RunRecord(
                id: RunID(id, attempt: number), startedAt: now + -100, finishedAt: now + -90, ending: "failed",
                params: JSON.Object(members: [.init(key: "text", value: .string(long))]))
        }
        let outputs = (1...15).map { number in
            Asset(
                run: RunID(id, attempt: 12), port: "image\(number)", type: .image, hash: hash, bytes: 58_123,
                name: "cat.jpg",
                meta: JSON.Object())
        }
        func drawn(_ part: StepCard.Part?, _ span: Range<Int>? = nil) -> [StyledText] {
            StepCard.lines(
                step(2, "Resize", .failed), runs: runs, assets: outputs, tool: nil, part: part, span: span, now: now,
                columns: columns)
        }
        let card = drawn(nil).squeezed
        #expect(card.contains(squeezed("… 4 earlier runs: /show w3 2 --part runs --lines 4")), "\(drawn(nil).plain)")
        #expect(card.contains(squeezed("… 3 more outputs: /show w3 2 --part outputs --from 13")), "\(drawn(nil).plain)")
        #expect(
            card.contains(squeezed("characters in all: /show w3 2 --part params --from 1 --lines 1")),
            "\(drawn(nil).plain)")
        #expect(drawn(.runs, 1..<5).plain.contains("run 4  ") && !drawn(.runs, 1..<5).plain.contains("run 5  "))
        #expect(
            drawn(.outputs, 13..<16).plain.contains("image13") && !drawn(.outputs, 13..<16).plain.contains("image12"))
        #expect((1...30).allSatisfy { drawn(.params, 1..<2).plain.contains("word \($0)") })
    }

    /// A question names the verb that lists all changes of an undo, and that verb leaves nothing out.
    @Test(arguments: [40, 80]) func theRestOfAnUndoIsListedByItsDryRun(columns: Int) {
        let outline = UndoOutline(
            work: (1...45).map { UndoOutline.Line(.remove, "/w/f\($0)") },
            left: (1...15).map { UndoOutline.Line(.leave, "/w/g\($0)", why: "was changed since") })
        let asked = UndoView.lines(outline, workspace: "/w", call: "undo w3 --dry-run", columns: columns)
        #expect(
            asked.squeezed.contains(squeezed("more changes: /undo w3 --dry-run")) && !asked.plain.contains("f45"),
            "\(asked.plain)")
        let all = UndoView.lines(outline, workspace: "/w", call: nil, columns: columns).plain
        #expect(
            (1...45).allSatisfy { all.contains("f\($0)") } && all.contains("g15") && !all.contains("more"), "\(all)")
    }
}

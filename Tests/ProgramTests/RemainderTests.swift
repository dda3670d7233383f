import CaseNames
import Harness
import JSON
import Testing

/// What a list leaves out is counted, and the verb that is named prints exactly that, in every width.
@Suite(.process) struct RemainderTests {
    private static let widths = [40, 80, 120]

    /// Runs a verb at a terminal without drawing.
    private func lines(_ lab: ProgramLab, _ words: [String], _ columns: Int) async throws -> [String] {
        let pty = try lab.terminal(words + ["--plain"], columns: columns, rows: 60)
        #expect(await pty.exitStatus() == 0, "\(words): \(pty.output)")
        return pty.output.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    private func squeezed(_ lines: [String]) -> String { lines.joined().filter { !$0.isWhitespace && $0 != "┆" } }

    /// Expects that a verb says what it leaves out, and returns what the named verb prints.
    private func rest(
        _ lab: ProgramLab, of words: [String], _ count: String, _ call: String, _ columns: Int,
        _ location: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let all = try await lines(lab, words, columns)
        let mark = "… \(count): assent \(call)"
        #expect(
            squeezed(all).contains(squeezed([mark])), "\(columns): \(all.joined(separator: "\n"))",
            sourceLocation: location)
        return try await lines(lab, call.split(separator: " ").map(String.init), columns)
    }

    private static let text = (1...40).map { "line \($0)\n" }.joined()

    @Test(arguments: widths) func theLinesOfAResult(columns: Int) async throws {
        let lab = try ProgramLab()
        for (name, form) in [("text", ""), ("table.csv", " --text")] {
            let path: JSON = name == "text" ? [:] : ["path": .string(name)]
            if name == "text" {
                try lab.write(workflow("t", [node("t", "Text", ["text": .string(Self.text)])]), to: ".t.json")
            } else {
                try lab.write(Self.text, to: name)
                try lab.write(workflow("t", [node("t", "ReadFile", path)]), to: ".t.json")
            }
            let id = name == "text" ? "w1" : "w2"
            let rest = try await rest(
                lab, of: ["run", ".t.json"], "28 more lines, \(Self.text.utf8.count) bytes in all",
                "view \(id).1.1.text\(form) --from 13",
                columns)
            let shown = rest.filter { $0.contains("line ") }.map { $0.drop { $0 == " " || $0 == "┆" } }
            #expect(shown.map(String.init) == (13...40).map { "line \($0)" }, "\(rest)")
            // In a pipe too.
            let call = "view \(id).1.1.text\(form) --from 13".split(separator: " ").map(String.init)
            #expect(try await lab.run(call).output == (13...40).map { "line \($0)\n" }.joined())
        }
    }

    @Test(arguments: widths) func theStepsEventsAndBarsOfAWorkflow(columns: Int) async throws {
        let lab = try ProgramLab()
        let nodes = (1...90).map { node("n\($0)", "Text", ["text": .string("t\($0)")]) }
        try lab.write(workflow("many", nodes), to: ".many.json")
        let plan = try await rest(
            lab, of: ["run", ".many.json"], "71 more steps", "show w1 --revision 1 --from 11 --lines 71", columns)
        #expect(numbers(plan) == Array(11...81), "\(plan)")
        let steps = try await rest(lab, of: ["show", "w1"], "70 more steps", "show w1 --from 11 --lines 70", columns)
        #expect(numbers(steps) == Array(11...80), "\(steps)")
        let bars = try await rest(lab, of: ["timeline", "w1"], "66 more steps", "timeline w1 --from 26", columns)
        #expect(numbers(bars) == Array(25...90), "\(bars)")
        let events = try await lab.json("why", "w1").count { $0["type"] != "cause" }
        let left = try await rest(
            lab, of: ["why", "w1"], "\(events - 200) more events", "why w1 --from 101 --lines \(events - 200)", columns)
        // Each event has its time; what is said again and again has it once.
        let times = left.count { $0.contains(/^  \d\d:\d\d:\d\d/) }
        #expect(times > 0 && times <= events - 200, "\(left)")
        let end = try await lines(lab, ["why", "w1", "--from", "\(events)"], columns)
        #expect(try await lines(lab, ["why", "w1"], columns).suffix(2).elementsEqual(end.suffix(2)))
    }

    /// The numbers at the beginnings of rows.
    private func numbers(_ lines: [String]) -> [Int] {
        lines.compactMap { $0.firstMatch(of: /^ {1,3}(\d+)[ ]/).flatMap { Int($0.1) } }
    }

    @Test func theEntriesOfLists() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("note", [node("note", "Text", ["text": "new"])]), to: ".note.json")
        let runs = String(repeating: "/run .note.json\n", count: 43)
        #expect(try await lab.run("chat", "--plain", input: runs).exit == 0)
        for columns in Self.widths {
            let left = try await rest(lab, of: ["list"], "23 more workflows", "list --from 21 --limit 23", columns)
            #expect(
                left.compactMap { $0.firstMatch(of: /^  w(\d+)[ ]/).flatMap { Int($0.1) } } == (1...23).reversed(),
                "\(left)")
            let done = try await rest(
                lab, of: ["list", "--done", "--limit", "40"], "3 more workflows", "list --done --from 41 --limit 3",
                columns)
            #expect(done.count { $0.contains(/^  w\d[ ]/) } == 3, "\(done)")
        }
    }

    @Test(arguments: widths) func theLinesThatACommandPrinted(columns: Int) async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("seq", [node("seq", "Shell", ["command": "seq 1 300"])]), to: ".seq.json")
        let middle = try await rest(
            lab, of: ["run", ".seq.json", "--mode", "auto"], "288 more lines, 1.1 KB in all",
            "view w1.1.1.text --from 7 --lines 288",
            columns)
        let printed = try await lab.run("view", "w1.1.1.text", "--from", "7", "--lines", "288")
        #expect(
            printed.output == (7...294).map { "\($0)\n" }.joined() && middle.contains { $0.hasSuffix("┆ 294") },
            "\(middle.suffix(4))")
        let early = try await rest(
            lab, of: ["logs", "w1", "1"], "100 earlier lines", "view w1.1.1.text --lines 100", columns)
        #expect(
            early.contains { $0.hasSuffix("┆ 100") } && !early.contains { $0.hasSuffix("┆ 101") }, "\(early.suffix(4))")
    }

    @Test(arguments: widths) func whatViewLeavesOut(columns: Int) async throws {
        let lab = try ProgramLab()
        let cells = (1...205).map { "c\($0)" }.joined(separator: ",")
        try lab.write("\(cells)\n\(cells)\n", to: "wide.csv")
        let left = try await rest(
            lab, of: ["view", "wide.csv"], "5 more columns", "view wide.csv --column 201", columns)
        #expect(
            squeezed(left).contains("c201") && squeezed(left).contains("c205") && !squeezed(left).contains("c200"),
            "\(left)")
        try lab.write([UInt8](repeating: 0, count: 256) + [0x41, 0x42], to: "a.bin")
        let bytes = try await rest(lab, of: ["view", "a.bin"], "2 more bytes", "view a.bin --from 257", columns)
        #expect(
            bytes.contains { $0.contains("00000100  41 42") } && !bytes.contains { $0.contains("00000000") }, "\(bytes)"
        )
        try lab.write((1...5_010).map { "\($0),x\n" }.joined(), to: "long.csv")
        let rows = try await rest(lab, of: ["view", "long.csv"], "10 more rows", "view long.csv --from 5001", columns)
        #expect(
            rows.contains { $0.contains("5010") } && rows.contains { $0.contains("5001") }
                && !rows.contains { $0.contains("5000") },
            "\(rows)")
    }
}

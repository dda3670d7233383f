import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

@testable import Actions

/// Verbs that change several workflows at once, and the names of steps that others wait for.
@Suite(.process) struct SeveralWorkflowsTests {
    /// A lab with workflows that are over, and with the last one under way.
    private static func lab(_ count: Int) async throws -> VerbLab {
        let lab = try VerbLab()
        let nodes: JSON = [["id": "a", "kind": "Text", "params": ["text": "x"]]]
        try lab.write(["schema": "app.workflow/v2", "name": "one", "nodes": nodes, "edges": []], to: "one.json")
        let gate: JSON = [
            ["id": "a", "kind": "Text", "params": ["text": "x"]],
            ["id": "ask", "kind": "Approve", "params": ["question": "Go on?"]],
            ["id": "w", "kind": "WriteFile", "params": ["path": "o.txt"]],
        ]
        let edges: JSON = [
            ["from": ["a", "text"], "to": ["ask", "text"]], ["from": ["ask", "text"], "to": ["w", "text"]],
        ]
        try lab.write(["schema": "app.workflow/v2", "name": "gate", "nodes": gate, "edges": edges], to: "gate.json")
        for _ in 1..<count { try await lab.succeeds("run", lab.path("one.json")) }
        #expect(try await lab.run("run", lab.path("gate.json"), "--on-ask", "park").exit == 3)
        return lab
    }

    private static func ids(_ lab: VerbLab, _ options: String...) async throws -> [String] {
        try await lab.run(["list", "--json"] + options).lines.compactMap { $0["workflow"]?.string }.sorted()
    }

    private static func words(_ ending: ProgramEnding) -> String {
        ending.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    @Test func spansAreRead() {
        let cases: [(String, ClosedRange<Int64>?)] = [
            ("w3", 3...3), ("3", 3...3), ("w5-w9", 5...9), ("w5-9", 5...9), ("w9-w5", 5...9), ("w1-w1000", 1...1000),
            ("w1-w1001", nil), ("w0", nil), ("w-1", nil), ("w1-", nil), ("-w1", nil), ("w1-w2-w3", nil), ("", nil),
            ("w1 w2", nil), ("w1-w99999999999999999999", nil), ("all", nil),
        ]
        for (text, range) in cases {
            let span = WorkflowSpan(parsing: text)
            #expect(span.map { $0.first.number...$0.last.number } == range, "\(text)")
        }
    }

    @Test func severalAreArchivedAndReturned() async throws {
        let lab = try await Self.lab(5)
        try await lab.succeeds("archive", "w1", "w2-w3", "w2")
        #expect(try await Self.ids(lab) == ["w4", "w5"])
        let ending = try await lab.run("unarchive", "w3", "w77", "w1")
        #expect(ending.exit == 1 && ending.errors.contains("no workflow w77"), "the others are done: \(ending)")
        #expect(try await Self.ids(lab) == ["w1", "w3", "w4", "w5"])
        let none = try await lab.run("archive", "w70-w80")
        #expect(none.exit == 2 && none.errors.contains("from w70 to w80"), "\(none)")
    }

    @Test func severalAreDeletedAndTheRestIsNamed() async throws {
        let lab = try await Self.lab(5)
        let asked = try await lab.run("delete", "w1", "w2")
        #expect(asked.exit == 2 && Self.words(asked).contains("Add --yes"), "\(asked)")
        #expect(try await Self.ids(lab).count == 5, "nothing was deleted")
        let ending = try await lab.run("delete", "w1", "w3-w5", "w77", "--yes")
        let said = Self.words(ending)
        #expect(ending.exit == 1, "\(ending)")
        #expect(said.contains("no workflow w77") && said.contains("w5 is under way"), "\(said)")
        #expect(try await Self.ids(lab, "--all") == ["w2", "w5"])
        let json = try await lab.run("delete", "w2", "w77", "--yes", "--json")
        #expect(json.exit == 1 && json.lines.contains { $0["workflow"] == "w2" && $0["deleted"] == true }, "\(json)")
        let none = try await lab.run("delete", "w5", "w77", "--yes")
        #expect(none.exit != 0 && !none.output.contains("deleted"), "\(none)")
    }

    @Test func aBlockedStepNamesTheStepThatItWaitsFor() async throws {
        let lab = try await Self.lab(1)
        let title = try #require(WorkflowRecords(lab.shared).engineCatalogue()["Approve"]?.title)
        let card = try await lab.run("show", "w1")
        #expect(card.output.contains("waits for 2 \(title)"), "\(card.output)")
        let step = try await lab.run("show", "w1", "3")
        #expect(step.output.contains("◌ blocked: waits for 2 \(title)"), "\(step.output)")
    }

    @Test func aWorkflowRunsAgainWithItsValues() async throws {
        let lab = try await Self.lab(2)
        try await lab.succeeds("rerun", "w1", "1", "--set", "text=new")
        let earlier = try #require(try Reruns(lab.shared).repeated(WorkflowID(1)))
        #expect(earlier.command.words == ["run", "w1", "--set", "a.text=new"] && earlier.command.isWhole)
        try await lab.succeeds(earlier.command.words)
        let runs = try await lab.json("show", "w3", "a").first?["runs"]?.array
        #expect(runs?.last?["params"]?["text"] == "new", "\(runs ?? [])")
    }

    @Test(arguments: [String(repeating: "x", count: 121), "two\nlines", "\u{1B}[2J"])
    func whatCannotStandInALineIsTakenFromTheWorkflow(value: String) async throws {
        let lab = try await Self.lab(2)
        let nodes: JSON = [["id": "a", "kind": "Text", "params": ["text": .string(value)]]]
        try lab.write(["schema": "app.workflow/v2", "name": "odd", "nodes": nodes, "edges": []], to: "odd.json")
        try await lab.succeeds("run", lab.path("odd.json"))
        let earlier = try #require(try Reruns(lab.shared).repeated(WorkflowID(3)))
        #expect(earlier.command.words == ["run", "w3"] && !earlier.command.isWhole)
        try await lab.succeeds(earlier.command.words)
        let runs = try await lab.json("show", "w4", "a").first?["runs"]?.array
        #expect(runs?.last?["params"]?["text"] == .string(value))
    }
}

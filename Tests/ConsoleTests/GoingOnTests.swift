import CaseNames
import Harness
import JSON
import Testing
import Vocabulary

/// Verbs of a shell that run what can go on before they end.
@Suite(.process) struct GoingOnTests {
    private static let file = workflow(
        "copy", [node("read", "ReadFile", ["path": "a.txt"]), node("write", "WriteFile", ["path": "b.txt"])],
        [edge("read.text", "write.text")])

    private func lab() async throws -> VerbLab {
        let lab = try VerbLab()
        try lab.write(Self.file, to: ".copy.json")
        return lab
    }

    @Test func aRetryEndsLikeItsWorkflow() async throws {
        let lab = try await lab()
        #expect(try await lab.run("run", lab.path(".copy.json"), "--mode", "auto").exit == 1)
        let failed = try await lab.run("retry", "w1")
        #expect(failed.exit == 1 && failed.output.contains("Read file"), "\(failed.output)\(failed.errors)")
        try lab.write("hello", to: "a.txt")
        let ending = try await lab.run("retry", "w1", "--json")
        #expect(ending.types.suffix(2) == ["workflow.finished", "end"], "\(ending.output)")
        #expect(ending.exit == 0 && lab.text("b.txt") == "hello", "\(ending.output)\(ending.errors)")
    }

    @Test func aRerunSaysWhatIsStale() async throws {
        let lab = try await lab()
        try lab.write("hello", to: "a.txt")
        try await lab.succeeds("run", lab.path(".copy.json"), "--mode", "auto")
        try lab.write("good day", to: "a.txt")
        let alone = try await lab.run("rerun", "w1", "read")
        #expect(alone.exit == 0 && alone.output.contains("stale: assent rerun w1"), "\(alone.output)\(alone.errors)")
        #expect(!alone.output.contains("b.txt"), "an older result is none of this call: \(alone.output)")
        let whole = try await lab.run("rerun", "w1")
        #expect(whole.exit == 0 && !whole.output.contains("stale"), "\(whole.output)\(whole.errors)")
        #expect(try await lab.states() == ["succeeded", "succeeded"])
    }

    @Test func anApprovalEndsWith3WhileAnotherQuestionIsOpen() async throws {
        let lab = try await lab()
        for name in ["a.txt", "c.txt"] { try lab.write(name, to: name) }
        try lab.write(
            workflow(
                "two",
                [
                    node("first", "MoveFile", ["from": "a.txt", "to": "b.txt"]),
                    node("second", "MoveFile", ["from": "c.txt", "to": "d.txt"]),
                ]), to: ".two.json")
        let parked = try await lab.run("run", lab.path(".two.json"), "--mode", "always-ask", "--on-ask", "park")
        #expect(parked.exit == 3, "\(parked.output)\(parked.errors)")
        for exit: Int32 in [3, 0] {
            let entry = try #require(try await lab.json("inbox").first)
            let (number, digest) = (entry["number"]?.int ?? 0, entry["digest"]?.string ?? "")
            let ending = try await lab.run("approve", "\(number)", "--digest", digest)
            #expect(ending.exit == exit, "\(ending.output)\(ending.errors)")
        }
        #expect(lab.exists("b.txt") && lab.exists("d.txt"))
    }

    /// An imported workflow is released before anything of it runs, so the verb does not wait for it.
    @Test func aWorkflowThatIsSetAsideIsNotWaitedFor() async throws {
        let lab = try await lab()
        let asking = workflow(
            "why", [node("text", "Text", ["text": "x"]), node("ask", "AskText", ["question": "Why?"])])
        try lab.write(asking, to: ".why.json")
        #expect(try await lab.run("run", lab.path(".why.json"), "--on-ask", "park").exit == 3)
        try await lab.succeeds("export", "w1", lab.path("w1.zip"))
        try await lab.succeeds("import", lab.path("w1.zip"))
        let ending = try await lab.run("rerun", "w2", "text")
        #expect(ending.exit == 0 && ending.output.contains("w2 is set aside"), "\(ending.output)\(ending.errors)")
        let words = ending.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("assent release w2"), "\(ending.output)")
    }

    /// A stored command that no engine has carried out, in each view.
    @Test(arguments: [["list"], ["show"], ["show", "w1"], ["why", "w1"]])
    func aStoredRerunIsNeverShownAsDone(view: [String]) async throws {
        let lab = try await lab()
        try lab.write("hello", to: "a.txt")
        try await lab.succeeds("run", lab.path(".copy.json"), "--mode", "auto")
        try lab.store(.rerun(Rerun(step: 1)))
        let lines = try await lab.run(view).output.split(separator: "\n")
        let head = try #require(lines.first { $0.contains("w1") })
        #expect(head.contains("will run again") && !head.contains("done") && !head.contains("succeeded"), "\(head)")
        guard view[0] != "why" else { return }
        let row = try #require(try await lab.json(view[0]).first)
        let workflow = row["workflow"]?.string == nil ? row["workflow"] : row
        #expect(workflow?["state"] == "ready" && workflow?["outcome"] == nil, "\(row.text)")
        #expect(workflow?["asked"] == ["rerun of step 1"], "\(row.text)")
    }
}

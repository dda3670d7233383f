import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Lists and archives that are bounded say so, and programs get everything.
@Suite(.process) struct CutListTests {
    /// 23 workflows of one step, and three more that are archived.
    private func lab() async throws -> ProgramLab {
        let lab = try ProgramLab()
        try lab.write(workflow("note", [node("note", "Text", ["text": "new"])]), to: ".note.json")
        let lines = String(repeating: "/run .note.json\n", count: 26) + "/archive w1\n/archive w2\n/archive w3\n"
        let ending = try await lab.run("chat", "--plain", input: lines)
        #expect(ending.exit == 0, "\(ending.output.suffix(500))")
        return lab
    }

    @Test("finding 11: a list says how many there are, and a program gets all") func aListSaysHowManyThereAre()
        async throws
    {
        let lab = try await lab()
        let plain = try await lab.run("list")
        let lines = plain.output.split(separator: "\n")
        #expect(
            lines.count == 21 && lines.last == "  … 3 more workflows: assent list --from 21 --limit 3",
            "\(plain.output)")
        #expect(
            try await lab.run("list", "--limit", "22").output.contains(
                "… 1 more workflow: assent list --from 23 --limit 1"))
        #expect(try await lab.run("list", "--limit", "23").output.contains("more workflow") == false)
        #expect(
            try await lab.run("list", "note", "--done", "--limit", "1").output.contains(
                "22 more workflows: assent list note --done --from 2"))
        #expect(try await lab.run("list", "--all").output.split(separator: "\n").count == 26)
        #expect(try await lab.json("list").count == 23)
        #expect(try await lab.json("list", "--all").count == 26)
        #expect(try await lab.json("list", "--limit", "5").count == 5)
        #expect(try await lab.json("list", "--all", "--limit", "5").count == 5)
    }

    @Test("finding 11: the history says how much of it is shown") func theHistorySaysHowManyThereAre() async throws {
        let lab = try ProgramLab()
        for _ in 0..<22 { try await lab.succeeds("ask", "thanks") }
        let plain = try await lab.run("history")
        #expect(
            plain.output.hasSuffix("… 2 more conversations: assent history --from 21 --limit 2\n"), "\(plain.output)")
        #expect(
            try await lab.run("history", "--search", "thanks", "--limit", "3").output.hasSuffix(
                "There are more · --limit 6 shows more of them\n"))
        #expect(try await lab.run("history", "--limit", "22").output.contains("more conversation") == false)
        #expect(try await lab.json("history").count == 22)
        #expect(try await lab.run("history", "--limit", "3", "--json").lines.count == 3)
    }

    /// 10,001 files: the first 10,000 are listed, and person, program and model hear of the rest.
    @Test("finding 11: a folder of more files than are listed says so") func aLongFolderIsListedInPart() async throws {
        let lab = try ProgramLab()
        for number in 0..<10_001 { try lab.write("", to: "f\(10_000 + number).txt") }
        try lab.write(workflow("list", [node("list", "ListFiles", ["pattern": "*.txt"])]), to: ".list.json")
        let plain = try await lab.run("run", ".list.json")
        let words = "left out: 1 of 10001 files"
        #expect(plain.exit == 0 && plain.said.contains(words), "\(plain.output)\(plain.errors)")
        let lines = try await lab.run("run", ".list.json", "--json")
        let changed = lines.lines(of: "step.changed").filter { $0["state"] == "succeeded" }
        #expect(
            changed.map { $0["reason"]?.string } == ["partial"] && changed.first?["words"]?.string == words,
            "\(changed.map(\.text))")
        let assets = try await lab.shown("w2")["assets"]?.array ?? []
        let left: JSON = [["kind": "files", "count": 1, "of": 10_001]]
        #expect(assets.allSatisfy { $0["meta"]?["partial"] == left }, "\(assets.map(\.text))")
        let outputs = lines.lines(of: "workflow.finished").first?["outputs"]?.array ?? []
        #expect(outputs.count == 2 && outputs.allSatisfy { $0["partial"] == left }, "\(outputs.map(\.text))")
        let hash = try #require(assets.first { $0["port"] == "text" }?["sha256"]?.string)
        let text = ScratchFolder.text("\(lab.home)/data/assets/\(hash.prefix(2))/\(hash)") ?? ""
        #expect(
            text.hasSuffix("f19999.txt\n… and 1 more") && text.split(separator: "\n").count == 10_001,
            "\(text.suffix(60))")
        let card = try await lab.run("show", "w2", "1")
        #expect(card.said.contains(words), "\(card.output)")
    }

    @Test("finding 11: a model hears that a list is cut") func aModelHearsThatAListIsCut() async throws {
        let plan = workflow(
            "list", [node("list", "ListFiles"), node("count", "CountWords")], [edge("list.text", "count.text")])
        let server = try ScriptedServer([.stream(SSE.call("propose_workflow", plan)), .stream(SSE.text("Done."))])
        let lab = try ProgramLab(environment: ModelTests.environment(server))
        for number in 0..<10_002 { try lab.write("", to: "f\(10_000 + number)") }
        try await lab.succeeds("ask", "how many files?", "--mode", "auto")
        let heard = try #require(server.requests.last?.json?["messages"]?.array?.last?["content"]?.string)
        #expect(heard.contains(#""partial":[{"kind":"files","count":2,"of":10002,"step":1}]"#), "\(heard.prefix(500))")
    }

    @Test("finding 11: more files than a thousand go into one archive") func manyFilesGoIntoOneArchive() async throws {
        let lab = try ProgramLab()
        for number in 0..<1_100 { try lab.write("\(number)", to: "f\(1_000 + number).txt") }
        let ending = try await lab.run("ask", "zip all txt files", "--mode", "auto")
        #expect(ending.exit == 0, "\(ending.output.suffix(500))\(ending.errors)")
        let listed = try await lab.tool("unzip", "-l", lab.path("files.zip"))
        #expect(listed.output.contains("1100 files"), "\(listed.output.suffix(200))\(listed.errors)")
    }
}

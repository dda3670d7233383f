import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// A folder that was renamed: the words say so, and workflows and conversations go on where it is now.
@Suite(.process) struct FolderGoneTests {
    private let lab: ProgramLab

    init() async throws {
        lab = try ProgramLab()
        try ScratchFolder.makeFolder(lab.path("old"))
        try lab.write("a\n", to: "old/a.txt")
        try lab.write(workflow("load", [node("load", "FileLoader", ["path": "b.txt"])]), to: "load.json")
        let asked = try await assent("ask 'list the files'", in: "old")
        try #require(asked.exit == 0, "\(asked)")
        let failed = try await assent("run ../load.json", in: "old")
        try #require(failed.exit != 0, "\(failed)")
        try #require(rename(lab.path("old"), lab.path("new")) == 0)
        try lab.write("b\n", to: "new/b.txt")
    }

    private func assent(_ line: String, in folder: String) async throws -> ProgramEnding {
        try await lab.tool("sh", "-c", "cd \(folder) && exec \(ProgramLab.program) \(line)")
    }

    @Test func theWordsSayThatItIsNotThere() async throws {
        for line in ["retry w2", "show w2", "--session s1", "ask --session s1 hello"] {
            let ending = try await assent(line, in: "new")
            let words = (ending.output + ending.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("is not there any more"), "\(line): \(words)")
            #expect(words.contains("('cd')") && !words.contains("ListFiles"), "\(line): \(words)")
        }
    }

    @Test func workflowsAndConversationsGoOnWhereItIsNow() async throws {
        #expect(try await assent("duplicate w2", in: "new").exit == 0)
        #expect(try await assent("work --until-idle", in: "new").exit == 0)
        let shown = try await assent("show w3", in: "new")
        #expect(shown.output.contains("/new") && !shown.output.contains("any more"), "\(shown)")
        #expect(try await assent("history fork s1 1", in: "new").exit == 0)
        #expect(try await assent("ask --session s2 'list the files'", in: "new").exit == 0)
    }
}

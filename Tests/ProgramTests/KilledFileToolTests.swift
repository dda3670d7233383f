import CaseNames
import Harness
import JSON
import Testing

/// `kill -9` before every call by which a tool names, replaces or takes away a file.
@Suite(.process) struct KilledFileToolTests {
    private static let plans: [String: JSON] = [
        "DeleteFile": ["path": "notes.txt"], "WriteFile": ["path": "notes.txt", "text": "new", "overwrite": true],
        "MoveFile": ["from": "notes.txt", "to": "moved.txt"],
    ]

    /// - Returns: whether it was killed.
    private static func kill(_ kind: String, at number: Int, with library: String) async throws -> Bool {
        let lab = try ProgramLab()
        try lab.write("old", to: "notes.txt")
        try ScratchFolder.write(
            workflow("one", [node("run", kind, plans[kind] ?? [:])]).text, to: "\(lab.temporary)/one.json")
        let stop = ["LD_PRELOAD": library, "ASSENT_STOP_AT": "\(number)", "ASSENT_STOP_LINKS": "1"]
        let killed = try await lab.run(
            "run", "\(lab.temporary)/one.json", "--mode", "auto", "--on-ask", "deny", environment: stop)
        guard killed.wasKilled else {
            #expect(killed.exit == 0, "\(killed.said)")
            return false
        }
        _ = try await lab.run("work", "--until-idle")
        let names = lab.names().filter { $0 != ".assent" }
        // It may have been killed before there was a workflow.
        let shown = try await lab.run("show", "w1", "--json")
        let isDone = shown.exit == 0 && shown.lines.first?["steps"]?[0]?["state"]?.string == "succeeded"
        #expect(shown.exit == 0 || shown.said.contains("unknownWorkflow"), "\(shown.said)")
        let expected =
            isDone ? ["DeleteFile": [], "WriteFile": ["notes.txt"], "MoveFile": ["moved.txt"]][kind] : ["notes.txt"]
        #expect(names == expected, "\(kind) killed before \(number): \(names), done: \(isDone)")
        for name in names {
            #expect(
                lab.text(name) == (isDone && kind == "WriteFile" ? "new" : "old"), "\(kind) killed before \(number)")
        }
        return true
    }

    @Test(arguments: plans.keys.sorted()) func nothingHasAHiddenNameAfterwards(kind: String) async throws {
        let scratch = try ScratchFolder()
        let library = "\(scratch.path)/stop.so"
        let source = #filePath.replacing("/ProgramTests/KilledFileToolTests.swift", with: "/Harness/Peer/stop.c")
        let built = try await ProgramLab().tool("cc", "-shared", "-fPIC", "-o", library, source)
        try #require(built.exit == 0, "\(built.errors)")
        var (number, isKilled) = (1, true)
        while isKilled, number < 200 {
            isKilled = try await Self.kill(kind, at: number, with: library)
            number += 1
        }
        print("\(kind): killed before each of \(number - 2) calls")
        #expect(number > 4 && number < 200)
    }
}

import CaseNames
import Harness
import JSON
import Testing

/// Finding 11 of the review of the engine: a limit on memory is said, and never stood still at.
@Suite(.process) struct LittleMemoryTests {
    @Test("finding 11: too little memory is said", arguments: [["list", "--json"], ["run", ".note.json", "--json"]])
    func tooLittleMemoryIsSaid(words: [String]) async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("note", [node("note", "Text", ["text": "new"])]), to: ".note.json")
        func run(_ words: [String], kilobytes: Int) async throws -> ProgramEnding {
            try await lab.tool(
                "sh", "-c", "ulimit -v \(kilobytes) && exec '\(ProgramLab.program)' \(words.joined(separator: " "))")
        }
        var (refused, done) = (0, 0)
        // Below the first of these the program is not even loaded.
        for kilobytes in stride(from: 100_000, through: 900_000, by: 50_000) {
            guard try await run(["--version"], kilobytes: kilobytes).exit == 0 else { continue }
            let ending = try await run(words, kilobytes: kilobytes)
            if ending.exit == 0 {
                done += 1
            } else {
                refused += 1
                #expect(
                    ending.exit == 1 && ending.lines.first?["code"]?.string == "tooLittleMemory",
                    "\(kilobytes): \(ending.output)")
            }
        }
        #expect(refused > 0 && done > 0, "\(refused) \(done)")
    }
}

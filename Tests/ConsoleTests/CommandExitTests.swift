import CaseNames
import Harness
import JSON
import Progress
import Testing

@testable import Console

/// A command that has printed nothing has no row of output.
@Test func aRehearsalShowsWhatWasPrinted() {
    #expect(LiveRegion.rows(ofOutput: "", columns: 80).isEmpty)
    let said = LiveRegion.rows(ofOutput: "1\n2\n", columns: 80).plain
    #expect(said == "    ┆ 1\n    ┆ 2", "\(said)")
}

/// The exit code of a command, in the exit code and the last line of the verb that ran it, and in the views
/// (`semantics.md` 190).
@Suite(
    .process, .serialized, .enabled(if: Rehearsals.place == .disk, "no overlay can be laid over a folder on the disk"))
struct CommandExitTests {
    private static let found: JSON = [["workflow": "w1", "step": 1, "exit": 3]]

    private func file(_ exits: JSON?) -> JSON {
        workflow("x", [node("run", "Shell", .of(["command": "echo seen; exit 3", "exits": exits]))])
    }

    @Test func aVerbEndsWithOneForACodeThatIsNotListed() async throws {
        let ask = ["ask", "run `echo seen; exit 3`", "--mode", "auto"]
        let run = ["run", "--mode", "auto"]
        let rows: [(words: [String], exits: JSON?, exit: Int32, commands: JSON?)] = [
            (ask, nil, 1, Self.found), (["ask", "run `echo seen`", "--mode", "auto"], nil, 0, nil),
            (run, ["told"], 1, Self.found), (run, [0, 3], 0, nil), (run, [0, 3, "told"], 0, nil),
            (run, ["any"], 0, nil), (run, nil, 1, nil),
        ]
        for row in rows {
            let lab = try VerbLab()
            try lab.write(file(row.exits), to: ".x.json")
            let file = row.words == run ? [lab.path(".x.json")] : []
            let ending = try await lab.run(row.words + file + ["--json"])
            let end = try #require(ending.lines.last, "\(ending)")
            #expect(
                ending.exit == row.exit && end["type"] == "end" && end["exit"]?.int == Int(row.exit)
                    && end["commands"] == row.commands, "\(row.words) \(row.exits?.text ?? ""): \(ending.output)")
        }
    }

    @Test func everyViewShowsTheCodeInPlaceOfATick() async throws {
        let lab = try VerbLab()
        let asked = try await lab.run("ask", "run `echo seen; exit 3`", "--mode", "auto")
        #expect(asked.exit == 1 && asked.output.contains("! Shell exit 3 · "), "\(asked.output)")
        for words in [["list"], ["show", "w1"], ["show", "w1", "1"], ["why", "w1"], ["why", "w1", "1"]] {
            let ending = try await lab.run(words)
            #expect(ending.output.contains("! exit 3") && !ending.output.contains("✓"), "\(words): \(ending.output)")
        }
        #expect(try await lab.json("list").first?["exit"] == 3)
        let step = try #require(try await lab.json("show", "w1", "1").first?["step"])
        #expect(step["state"] == "succeeded" && step["reason"] == "exited" && step["words"] == "exit 3", "\(step.text)")
    }
}

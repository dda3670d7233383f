import CaseNames
import Harness
import JSON
import Testing

/// `work --until-idle` over an inbox that cannot be read.
@Suite(.process) struct WorkVerbTests {
    /// The column orders the list of the inbox. No engine reads it.
    @Test func anInboxThatCannotBeReadIsNoSuccess() async throws {
        let lab = try VerbLab()
        try lab.write(VerbTests.note, to: ".note.json")
        try await lab.succeeds("run", lab.path(".note.json"), "--mode", "auto")
        try await lab.succeeds("work", "--until-idle")
        let renamed = try await ProgramLab().tool(
            "sqlite3", "\(lab.home)/data/assent.db", "ALTER TABLE awaits RENAME COLUMN urgency TO lost;")
        #expect(renamed.exit == 0, "\(renamed.errors)")
        let ending = try await lab.run("work", "--until-idle")
        #expect(
            ending.exit == 6 && ending.errors.contains("storage"), "\(ending.exit) \(ending.output)\(ending.errors)")
        let json = try await lab.run("work", "--until-idle", "--json")
        #expect(json.exit == 6 && json.lines(of: "error").count == 1, "\(json.output)")
    }
}

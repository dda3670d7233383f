import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// What only reads needs nobody, also where nobody is.
@Suite(.process, .enabled(if: access("/usr/bin/bwrap", X_OK) == 0)) struct EverydayHeadlessTests {
    @Test(arguments: WorkingWeek.places) func whatOnlyReadsPassesWithoutAPerson(place: String) async throws {
        let lab = try ProgramLab(folder: place)
        let script = try lab.start(program: "/bin/sh", ["-c", try WorkingWeek.script(of: place)])
        #expect(try await onOwnThread { script.wait() }.exit == 0)
        let entries = try WorkingWeek.entries(of: place).filter { $0.kind == "shell-ro" }
        #expect(entries.count > 10)
        let nodes = entries.enumerated().map { node("n\($0)", $1.tool, $1.params) }
        try ScratchFolder.write(workflow("reads", nodes).text, to: "\(lab.temporary)/reads.json")
        let ending = try await lab.run("run", "\(lab.temporary)/reads.json", "--on-ask", "deny")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(try await lab.states().allSatisfy { $0 == "succeeded" })
    }
}

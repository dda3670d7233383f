import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// `semantics.md` 13: the slots of this machine are those of all processes together.
@Suite(.process) struct SlotTests {
    private static let slow = """
        tool: assent.tool/v1
        kind: Slow
        title: Slow
        summary: Takes its time.
        outputs: {file: file}
        run:
          program:
            - [sleep, "0.7"]
            - [touch, "{out.file}"]
          files: {file: made.txt}
        """

    @Test(.timeLimit(.minutes(10))) func threeProcessesShareTwoSlots() async throws {
        let lab = try ProgramLab()
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(Self.slow, to: "\(lab.home)/config/tools/slow.yaml")
        try lab.write(workflow("slow", (1...3).map { node("s\($0)", "Slow") }), to: ".slow.json")
        let processes = try (0..<3).map { _ in try lab.start(["run", ".slow.json", "--mode", "auto", "--json"]) }
        for process in processes {
            let ending = try await onOwnThread { process.wait() }
            #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        }
        // How many ran at each start, by what each process wrote down: an end is timed before its slot is free.
        let most = try await lab.tool(
            "sqlite3", "\(lab.home)/data/assent.db",
            """
            SELECT max((SELECT count(*) FROM runs AS other WHERE other.started_at <= runs.started_at
            AND other.finished_at > runs.started_at)),
            count(*) FROM runs
            """
        ).output
        #expect(most == "2|9\n")
    }
}

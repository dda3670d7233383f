import Glibc
import Harness
import JSON
import Testing

/// `semantics.md` 13: the slots of this machine are those of all processes together.
struct SlotTests {
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

    @Test(.timeLimit(.minutes(3))) func threeProcessesShareTwoSlots() async throws {
        let lab = try ProgramLab()
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(Self.slow, to: "\(lab.home)/config/tools/slow.yaml")
        try lab.write(workflow("slow", (1...3).map { node("s\($0)", "Slow") }), to: ".slow.json")
        let processes = try (0..<3).map { _ in try lab.start(["run", ".slow.json", "--mode", "auto", "--json"]) }
        var most = 0
        while !processes.allSatisfy(\.hasEnded) {
            let count = try await lab.tool(
                "sqlite3", "\(lab.home)/data/assent.db", "SELECT count(*) FROM steps WHERE state = 'runningLocal'"
            ).output
            most = max(most, Int(count.filter(\.isNumber)) ?? 0)
            try await Task.sleep(for: .milliseconds(20))
        }
        for process in processes { #expect(process.wait().exit == 0, "\(process.output)\(process.errors)") }
        #expect(most == 2, "\(most) at once")
    }
}

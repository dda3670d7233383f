import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Finding 9 of the review of the engine: a program that somebody else kills.
@Suite(.process) struct KilledProgramTests {
    private static func tool(isIdempotent: Bool) -> String {
        """
        tool: assent.tool/v1
        kind: Sleeper
        title: Sleeper
        summary: Sleeps.
        idempotent: \(isIdempotent)
        outputs: {file: file}
        params:
          seconds: {type: integer, required: true, summary: What it is found by}
        run:
          program:
            - [sh, -c, "sleep $0 || exit $?; touch made.txt", "{seconds}"]
          files: {file: made.txt}
        """
    }

    /// Kills the program of the workflow, once it is there.
    private func kill(_ mark: String) async throws {
        func sleepers() -> [Int32] {
            ProcessTable.ids(saying: "sleep \(mark)").filter { ProcessTable.commandLine($0).hasPrefix("sleep") }
        }
        #expect(try await eventually { !sleepers().isEmpty })
        let killed = sleepers()
        for id in killed { #expect(Glibc.kill(id, SIGKILL) == 0) }
        #expect(try await eventually { Set(sleepers()).isDisjoint(with: killed) })
    }

    @Test("finding 9: who is killed runs again once, if that is allowed", arguments: [true, false])
    func aKilledProgramRunsAgainOnce(isIdempotent: Bool) async throws {
        let lab = try ProgramLab(isInMemory: false)
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(Self.tool(isIdempotent: isIdempotent), to: "\(lab.home)/config/tools/sleeper.yaml")
        let mark = "\(Int.random(in: 1_000_000_000...9_999_999_999))"
        try lab.write(workflow("sleep", [node("sleep", "Sleeper", ["seconds": .int(Int(mark)!)])]), to: ".sleep.json")
        let running = try lab.start(["run", ".sleep.json", "--mode", "auto", "--json"])
        try await kill(mark)
        if isIdempotent {
            #expect(
                try await onOwnThread { running.wait(forOutput: #""reason":"processKilled""#) }, "\(running.output)")
            try await kill(mark)
        }
        let ending = try await onOwnThread { running.wait() }
        #expect(ending.exit == 1)
        let changes = ending.lines(of: "step.changed")
        #expect(changes.count { $0["state"]?.string == "runningLocal" } == (isIdempotent ? 2 : 1), "\(ending.output)")
        #expect(changes.last?["failure"]?["code"]?.string == "processKilled", "\(ending.output)")
        #expect(changes.last?["failure"]?["message"]?.string?.contains("signal 9") == true)
        #expect(
            (changes.last?["failure"]?["remedy"] == nil) == isIdempotent, "what may have happened is to be looked at")
    }
}

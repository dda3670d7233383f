import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Cancel from another process.
@Suite(.process) struct CancelTests {
    /// A tool of the person's own that sleeps, with a child that does, and does not hear the polite signal.
    static let sleeper = """
        tool: assent.tool/v1
        kind: Sleeper
        title: Sleeper
        summary: Sleeps.
        outputs: {file: file}
        params:
          seconds: {type: integer, required: true, summary: What it is found by}
        run:
          program:
            - [sh, -c, "trap '' TERM; sleep $0 & wait; sleep $0", "{seconds}"]
          files: {file: made.txt}
        """

    /// The same with another command behind it, without which nothing can be made of the first.
    static let earlySleeper = sleeper.replacing("  files:", with: "    - [touch, \"{out.file}\"]\n  files:")

    /// A workflow of one sleeping step under way, and what it is found by.
    private func sleeping(_ lab: ProgramLab, _ tool: String) async throws -> (ProgramProcess, mark: String) {
        #expect(makeFolder("\(lab.home)/config") && makeFolder("\(lab.home)/config/tools"))
        try ScratchFolder.write(tool, to: "\(lab.home)/config/tools/sleeper.yaml")
        let mark = "\(Int.random(in: 1_000_000_000...9_999_999_999))"
        try lab.write(
            workflow(
                "sleep",
                [
                    node("sleep", "Sleeper", ["seconds": .int(Int(mark)!)]),
                    ["id": "zip", "kind": "Zip", "inputs": ["files.1": "file"]],
                ],
                [["from": ["sleep", "file"], "to": ["zip", "files.1"]]]),
            to: ".sleep.json")
        let running = try lab.start(["run", ".sleep.json", "--mode", "auto", "--json"])
        let began = try await onOwnThread { running.wait(forOutput: "runningLocal") }
        #expect(began, "\(running.output)")
        // Not the shell, nor the sandbox around it: what they start is the last to come.
        #expect(try await eventually { !Self.processes(with: mark, named: "sleep").isEmpty }, "\(running.output)")
        return (running, mark)
    }

    /// The processes that have `mark` in their command line.
    private static func processes(with mark: String, named name: String = "") -> [Int32] {
        ProcessTable.ids(saying: mark).filter { ProcessTable.commandLine($0).hasPrefix(name) }
    }

    @Test func cancelEndsTheWholeProcessGroup() async throws {
        let lab = try ProgramLab()
        let (running, mark) = try await sleeping(lab, Self.sleeper)
        try await lab.succeeds("cancel", "w1")
        let ending = try await onOwnThread { running.wait() }
        expectEvents(ending, exit: 1)
        #expect(ending.lines(of: "workflow.finished").last?["outcome"]?.string == "cancelled")
        #expect(try await eventually { Self.processes(with: mark).isEmpty }, "\(Self.processes(with: mark))")
        #expect(try await lab.states() == ["cancelled", "cancelled"])
        let again = try await lab.run("cancel", "w1")
        #expect(again.exit == 2, "it is over")
    }

    /// What an engine can take over goes on without one; what it could only start anew does not.
    @Test(arguments: [true, false]) func aKilledEngineLeavesOnlyWhatCanBeTakenOver(goesOn: Bool) async throws {
        let lab = try ProgramLab()
        let (running, mark) = try await sleeping(lab, goesOn ? Self.sleeper : Self.earlySleeper)
        _ = try await onOwnThread { running.end(with: SIGKILL) }
        if goesOn {
            #expect(Self.processes(with: mark).count >= 2)
            try await lab.succeeds("cancel", "w1")
            #expect(try await lab.run("work", "--until-idle").exit == 1)
        }
        #expect(try await eventually { Self.processes(with: mark).isEmpty })
    }

    @Test func cancelReachesAWaitingWorkflow() async throws {
        let lab = try ProgramLab()
        try lab.write("x", to: "notes.txt")
        try lab.write(HeadlessConsentTests.move, to: ".move.json")
        #expect(try await lab.run("run", ".move.json", "--on-ask", "park").exit == 3)
        try await lab.succeeds("cancel", "w1")
        #expect(try await lab.run("work", "--until-idle").exit == 1)
        #expect(try await lab.states() == ["cancelled"])
        #expect(try await lab.json("inbox").isEmpty)
        #expect(lab.exists("notes.txt"))
    }
}

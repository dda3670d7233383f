import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Finding 8 of the review of the engine: whoever works in the background is named.
@Suite(.process) struct WorkerListTests {
    @Test("finding 8: list and doctor name the processes that work in the background") func backgroundWorkersAreNamed()
        async throws
    {
        let jobs = try JobLab(["jobs": [["life": ["end": "never"]]]])
        let lab = jobs.lab
        #expect(!(try await lab.run("list").output.contains("background")))
        try lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        try await lab.succeeds("run", "plan.json", "--mode", "auto", "--detach")
        #expect(try await eventually { try await lab.states() == ["runningRemote"] })
        let listed = try #require(try await lab.json("list").first)
        let process = try #require(listed["worker"]?.int)
        #expect(ProcessTable.commandLine(Int32(process)).contains("work --until-idle"))
        let words = try await lab.run("list").output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("Process \(process) works in the background"), "\(words)")
        #expect(words.contains("on w1: 'kill \(process)' stops it"), "\(words)")
        let found = try await lab.json("doctor").first { $0["name"]?.string == "worker" }
        #expect(found?["ok"]?.bool == true && found?["words"]?.string?.contains("Process \(process)") == true)

        // As it says.
        #expect(kill(Int32(process), SIGTERM) == 0)
        #expect(try await eventually { try await !lab.run("list").output.contains("background") })
        #expect(try await lab.json("list").first?["worker"] == nil)
        #expect(try await lab.run("list").output.contains("Nobody carries w1"))
    }

    /// A chat or a run has somebody who sees it.
    @Test func whoeverRunsInSightIsNotNamed() async throws {
        let jobs = try JobLab(["jobs": [["life": ["end": "never"]]]])
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let running = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { running.wait(forOutput: "runningRemote") })
        #expect(!(try await jobs.lab.run("list").output.contains("background")))
        running.end(with: SIGKILL)
    }
}

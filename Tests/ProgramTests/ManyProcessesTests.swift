import Glibc
import Harness
import JSON
import Testing

/// Several processes on one database (`design.md` §3.3, §3.4): who carries a workflow, what becomes of it when that one dies or stands still,
/// and that no writer starves.
@Suite struct ManyProcessesTests {
    /// A chain of waits, each of which leaves a trace in a file exactly once.
    private func chain(_ count: Int, seconds: Double) -> JSON {
        var nodes = [node("t", "Text", ["text": "x"])]
        var edges: [JSON] = []
        for number in 1...count {
            let before = number == 1 ? "t.text" : "wait\(number - 1).out"
            nodes += [
                [
                    "id": .string("wait\(number)"), "kind": "Delay", "params": ["seconds": .double(seconds)], "inputs": ["in": "text"],
                    "outputs": ["out": "text"],
                ], node("save\(number)", "SaveFile", ["path": .string("out-\(number).txt")]),
            ]
            edges += [edge(before, "wait\(number).in"), edge("wait\(number).out", "save\(number).file")]
        }
        return workflow("chain", nodes, edges)
    }

    /// From the kill to the first sign of life of the next engine, which was there before: printed, since nothing here is timed.
    @Test func aDeadEnginesWorkflowIsTakenOverAtOnce() async throws {
        let lab = try ProgramLab()
        // Longer than any machine needs to come to the kill: the rest is cancelled.
        try lab.write(chain(100, seconds: 1), to: "plan.json")
        let first = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: #""node":"save2""#) })
        let second = try lab.start(["work", "--json"])
        try await Task.sleep(for: .seconds(1))
        #expect(!second.output.contains("step.changed"), "it does not touch what another carries")
        first.end(with: SIGKILL)
        let next = lab.names().count { $0.hasPrefix("out-") } + 2
        let start = ContinuousClock.now
        #expect(try await onOwnThread { second.wait(forOutput: "step.changed", seconds: 60) })
        let seconds = (ContinuousClock.now - start) / .milliseconds(1) / 1000
        print("takeover after kill -9: \(seconds) s")
        // The kill may have come late, on a busy machine: it goes on behind whatever the first has saved.
        #expect(try await onOwnThread { second.wait(forOutput: #""node":"save\#(next)""#, seconds: 60) })
        second.signal(SIGTERM)
        _ = try await onOwnThread { second.wait(seconds: 20) }
        let saved = lab.names().filter { $0.hasPrefix("out-") }
        #expect(saved.count >= 3 && saved.allSatisfy { $0.count { $0 == "-" } == 1 }, "each was saved once: \(saved)")
    }

    /// SIGSTOP, then SIGCONT: nothing is done twice. While it stands still its workflow waits, since it may go on at any time.
    @Test func aStoppedEngineDoublesNothing() async throws {
        let jobs = try JobLab(["jobs": [["life": ["runningMs": 300, "value": 1]]]])
        try jobs.lab.write(jobs.plan((1...12).map { ("j\($0)", JobLab.modes[$0 % 4], "ok") }, concurrency: 3), to: "plan.json")
        let first = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: "runningRemote") })
        let second = try jobs.lab.start(["work", "--json"])
        for _ in 0..<5 {
            first.signal(SIGSTOP)
            try await Task.sleep(for: .milliseconds(700))
            first.signal(SIGCONT)
            try await Task.sleep(for: .milliseconds(150))
        }
        let ending = try await onOwnThread { first.wait(seconds: 60) }
        second.signal(SIGTERM)
        _ = try await onOwnThread { second.wait(seconds: 20) }
        #expect(ending.exit == 0, "\(ending.output)")
        let books = try await jobs.harness.books()
        #expect(books.bought == 12 && books.boughtTwice.isEmpty)
        #expect(!second.output.contains("step.changed"))
    }

    /// Eight processes write at once: each gets its share (the kernel's lock is a fair queue, `platform.md` §11).
    @Test func eightWritersAreFair() async throws {
        let lab = try ProgramLab()
        try lab.write(
            workflow("many", (1...300).map { node("p\($0)", "Text", ["text": "x"]) }, options: ["errorPolicy": "isolate-node"]),
            to: "plan.json")
        let processes = try (0..<8).map { _ in try lab.start(["run", "plan.json", "--mode", "auto", "--json"]) }
        let start = ContinuousClock.now
        var seconds: [Double] = []
        for process in processes {
            let ending = try await onOwnThread { process.wait(seconds: 120) }
            #expect(ending.exit == 0, "\(ending.output.suffix(500))\(ending.errors)")
            seconds.append((ContinuousClock.now - start) / .milliseconds(1) / 1000)
        }
        print("eight writers were done after \(seconds) s")
        #expect(try await lab.json("list").count == 8)
    }

    /// A command of one process is carried out by the one that has the workflow.
    @Test func aCommandReachesWhoeverCarriesTheWorkflow() async throws {
        let lab = try ProgramLab()
        try lab.write(chain(5, seconds: 60), to: "plan.json")
        let process = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { process.wait(forOutput: #""state":"runningLocal""#) })
        #expect(try await lab.run("cancel", "w1", "--json").exit == 0)
        let ending = try await onOwnThread { process.wait(seconds: 60) }
        #expect(ending.lines.contains { $0["type"] == "workflow.finished" && $0["outcome"] == "cancelled" }, "\(ending.output)")
    }

    /// Row 66: without a network, remote steps wait with that reason and local ones run; the machine of this test has only itself.
    @Test func withoutANetworkRemoteStepsWaitAndLocalOnesRun() async throws {
        let lab = try ProgramLab(environment: ["REPLICATE_API_TOKEN": "none"])
        try lab.write(
            workflow("offline", [node("paint", "TextToImage", ["prompt": "a cat"]), node("words", "Text", ["text": "x"])]), to: "plan.json")
        let program = ProgramLab.program
        let command = "ip link set lo up 2> /dev/null; exec '\(program)' run plan.json --mode auto --json"
        let process = try lab.start(program: "/usr/bin/unshare", ["--user", "--map-root-user", "--net", "sh", "-c", command])
        #expect(
            try await onOwnThread { process.wait(forOutput: #""reason":"offline""#, seconds: 30) }, "\(process.output)\(process.errors)")
        #expect(try await lab.reaches(["ready", "succeeded"]))
        process.signal(SIGTERM)
        let ending = try await onOwnThread { process.wait(seconds: 20) }
        #expect(ending.exit == 143)
        #expect(try await lab.shown()["steps"]?.array?.first?["attempt"] == 0, "nothing was spent")
    }
}

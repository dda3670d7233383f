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

    /// From the kill to the first sign of life of the next engine, which was there before. The issue asks for less than a second; it looks
    /// for orphans every 0.4 s. Three times, of which a busy machine may spoil two.
    @Test func aDeadEnginesWorkflowIsTakenOverAtOnce() async throws {
        let lab = try ProgramLab()
        // Longer than any machine needs to come to the kills: the rest is cancelled.
        try lab.write(chain(400, seconds: 0.1), to: "plan.json")
        let first = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: #""node":"save2""#) })
        var carriers = [first]
        var takeovers: [Double] = []
        for _ in 0..<3 {
            let (living, next) = (carriers.last!, try lab.start(["work", "--json"]))
            try await Task.sleep(for: .seconds(1))
            #expect(!next.output.contains("step.changed"), "it does not touch what another carries")
            let seconds = try await onOwnThread {
                let start = ContinuousClock.now
                living.end(with: SIGKILL)
                guard next.wait(forOutput: "step.changed", seconds: 60) else { return Double.infinity }
                return (ContinuousClock.now - start) / .milliseconds(1) / 1000
            }
            takeovers.append(seconds)
            carriers.append(next)
        }
        print("takeovers after kill -9: \(takeovers) s")
        #expect(takeovers.allSatisfy { $0 < 10 } && takeovers.min()! < 1, "\(takeovers)")
        let last = carriers[3]
        last.signal(SIGTERM)
        _ = try await onOwnThread { last.wait(seconds: 20) }
        let saved = lab.names().filter { $0.hasPrefix("out-") }
        #expect(saved.count >= 7 && saved.allSatisfy { $0.count { $0 == "-" } == 1 }, "each was saved once: \(saved)")
    }

    /// SIGSTOP, then SIGCONT: nothing is done twice. While it stands still its workflow waits, since it may go on at any time.
    @Test func aStoppedEngineDoublesNothing() async throws {
        // Slow to answer, so that some requests are under way while it stands still; and where a second request would be a second job,
        // nobody removes it.
        func script(_ provider: JSON) -> JSON {
            ["provider": provider, "jobs": [["submit": [["delayMs": 200, "times": "always"]], "life": ["runningMs": 300, "value": 1]]]]
        }
        let jobs = try JobLab(
            script(["again": "same"]),
            others: [
                "clientId": script(["again": "conflict", "honours": ["body"]]), "reconcile": script(["honours": []]),
                "none": script(["honours": []]),
            ])
        try jobs.lab.write(jobs.plan((1...15).map { ("j\($0)", JobLab.modes[$0 % 5], "ok") }, concurrency: 3), to: "plan.json")
        let first = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: "submitIntent") })
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
        // `put` and `header` share one.
        for (mode, bought) in [("put", 6), ("clientId", 3), ("reconcile", 3), ("none", 3)] {
            let books = try await jobs.provider(of: mode).books()
            let submits = books.jobs.compactMap { $0["submits"]?.int }
            #expect(submits == [Int](repeating: 1, count: bought) && books.boughtTwice.isEmpty, "\(mode): \(books.json.text)")
        }
        #expect(!second.output.contains("step.changed"))
    }

    /// Eight processes write at once: each gets its share (the kernel's lock is a fair queue, `platform.md` §11). Short waits make each of
    /// them stand in line some hundred times while all of them do; nobody falls far behind. On a machine that does nothing else they are
    /// within a twentieth of each other; beside the other suites some have the processor a good deal more often.
    @Test func eightWritersAreFair() async throws {
        let lab = try ProgramLab()
        var nodes = [node("t", "Text", ["text": "x"])]
        var edges: [JSON] = []
        for number in 1...4000 {
            nodes.append([
                "id": .string("w\(number)"), "kind": "Delay", "params": ["seconds": 0.001], "inputs": ["in": "text"],
                "outputs": ["out": "text"],
            ])
            edges.append(edge(number == 1 ? "t.text" : "w\(number - 1).out", "w\(number).in"))
        }
        try lab.write(workflow("many", nodes, edges), to: "plan.json")
        let processes = try (0..<8).map { _ in try lab.start(["run", "plan.json", "--mode", "auto", "--json"]) }
        for process in processes { #expect(try await onOwnThread { process.wait(forOutput: #""node":"w9""#) }) }
        try await Task.sleep(for: .seconds(4))
        for process in processes { process.signal(SIGTERM) }
        let endings = try await onOwnThread { processes.map { $0.wait(seconds: 60) } }
        for ending in endings { #expect(ending.exit == 143, "\(ending.output.suffix(500))\(ending.errors)") }
        // By what they say themselves, while all of them wrote: when it is read here is another matter.
        let written = endings.map { ending in
            ending.lines(of: "step.changed").filter { $0["state"] == "succeeded" }.compactMap { $0["at"]?.string }
        }
        let (begin, end) = (try #require(written.compactMap(\.first).max()), try #require(written.compactMap(\.last).min()))
        let shares = written.map { times in times.count { begin <= $0 && $0 <= end } }
        print("from \(begin) to \(end) eight writers had \(shares)")
        let even = shares.reduce(0, +) / shares.count
        #expect(even >= 20 && shares.allSatisfy { $0 > even / 6 && $0 < 6 * even }, "\(shares)")
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

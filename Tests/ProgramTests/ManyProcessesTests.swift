import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Several processes on one database (`architecture.md` invariant 4, `architecture.md` invariant 5): which process runs
/// a workflow, what happens to it when that process dies or stands still, and that no writer starves.
@Suite(.process) struct ManyProcessesTests {
    /// A chain of waits, each of which leaves a trace in a file exactly once.
    private func chain(_ count: Int, seconds: Double) -> JSON {
        var nodes = [node("t", "Text", ["text": "x"])]
        var edges: [JSON] = []
        for number in 1...count {
            let before = number == 1 ? "t.text" : "wait\(number - 1).out"
            nodes += [
                [
                    "id": .string("wait\(number)"), "kind": "Delay", "params": ["seconds": .double(seconds)],
                    "inputs": ["in": "text"],
                    "outputs": ["out": "text"],
                ], node("save\(number)", "SaveFile", ["path": .string("out-\(number).txt")]),
            ]
            edges += [edge(before, "wait\(number).in"), edge("wait\(number).out", "save\(number).file")]
        }
        return workflow("chain", nodes, edges)
    }

    /// By an engine that was there before. How soon is a figure of `make bench`.
    @Test func aDeadEnginesWorkflowIsTakenOver() async throws {
        let lab = try ProgramLab()
        // More than any machine comes to before the kills, however busy it is: the rest is left.
        try lab.write(chain(400, seconds: 1), to: "plan.json")
        let first = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: #""node":"save2""#) })
        func changes(_ process: ProgramProcess) -> Int { process.output.ranges(of: "step.changed").count }
        var last = first
        for _ in 0..<3 {
            let (living, next) = (last, try lab.start(["work", "--json"]))
            #expect(try await lab.hasEngine(next.pid))
            // It is there while the other one goes on, for some of its looks.
            let before = changes(living)
            #expect(try await eventually { changes(living) >= before + 12 })
            #expect(changes(next) == 0, "it does not touch what another carries")
            living.end(with: SIGKILL)
            #expect(try await onOwnThread { next.wait(forOutput: "step.changed") })
            last = next
        }
        _ = try await onOwnThread { [last] in last.end(with: SIGTERM) }
        let saved = lab.names().filter { $0.hasPrefix("out-") }
        #expect(saved.count >= 7 && saved.allSatisfy { $0.count { $0 == "-" } == 1 }, "each was saved once: \(saved)")
    }

    /// SIGSTOP, then SIGCONT: nothing is done twice. While it stands still its workflow waits, since it may go on at
    /// any time.
    @Test func aStoppedEngineDoublesNothing() async throws {
        // Slow to answer, so that some requests are under way while it stands still; and where a second request would
        // be a second job, nobody removes it.
        func script(_ provider: JSON) -> JSON {
            [
                "provider": provider,
                "jobs": [["submit": [["delayMs": 200, "times": "always"]], "life": ["runningMs": 300, "value": 1]]],
            ]
        }
        let jobs = try JobLab(
            script(["again": "same"]),
            others: [
                "clientId": script(["again": "conflict", "honours": ["body"]]), "reconcile": script(["honours": []]),
                "none": script(["honours": []]),
            ])
        try jobs.lab.write(
            jobs.plan((1...15).map { ("j\($0)", JobLab.modes[$0 % 5], "ok") }, concurrency: 3), to: "plan.json")
        let first = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: "submitIntent") })
        let second = try jobs.lab.start(["work", "--json"])
        for _ in 0..<5 {
            first.signal(SIGSTOP)
            try await Task.sleep(for: .milliseconds(700))
            first.signal(SIGCONT)
            try await Task.sleep(for: .milliseconds(150))
        }
        let ending = try await onOwnThread { first.wait() }
        second.signal(SIGTERM)
        _ = try await onOwnThread { second.wait() }
        #expect(ending.exit == 0, "\(ending.output)")
        // `put` and `header` share one.
        for (mode, bought) in [("put", 6), ("clientId", 3), ("reconcile", 3), ("none", 3)] {
            let books = try await jobs.provider(of: mode).books()
            let submits = books.jobs.compactMap { $0["submits"]?.int }
            #expect(
                submits == [Int](repeating: 1, count: bought) && books.boughtTwice.isEmpty,
                "\(mode): \(books.json.text)")
        }
        #expect(!second.output.contains("step.changed"))
    }

    /// Eight processes write at once, and each gets its turns (the kernel's lock is a fair queue): the last has done a
    /// hundred steps before the first has done its four thousand. On a machine that does nothing else they are within a
    /// twentieth of each other.
    @Test func noneOfEightWritersStarves() async throws {
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
        for process in processes { #expect(try await onOwnThread { process.wait(forOutput: #""node":"w100""#) }) }
        for process in processes { #expect(!process.hasEnded) }
        for process in processes { process.signal(SIGTERM) }
        let endings = try await onOwnThread { processes.map { $0.wait() } }
        for ending in endings { #expect(ending.exit == 143, "\(ending.output.suffix(500))\(ending.errors)") }
        let written = endings.map { $0.lines(of: "step.changed").count { $0["state"] == "succeeded" } }
        print("eight writers had \(written)")
        #expect(written.allSatisfy { $0 >= 100 && $0 < 4000 }, "\(written)")
        #expect(try await lab.json("list").count == 8)
    }

    /// A command of one process is carried out by the one that has the workflow.
    @Test func aCommandReachesWhoeverCarriesTheWorkflow() async throws {
        let lab = try ProgramLab()
        try lab.write(chain(5, seconds: 60), to: "plan.json")
        let process = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { process.wait(forOutput: #""state":"runningLocal""#) })
        try await lab.succeeds("cancel", "w1", "--json")
        let ending = try await onOwnThread { process.wait() }
        #expect(
            ending.lines.contains { $0["type"] == "workflow.finished" && $0["outcome"] == "cancelled" },
            "\(ending.output)")
    }

    /// Row 66: without a network, remote steps wait with that reason and local ones run; the machine of this test has
    /// only itself.
    @Test func withoutANetworkRemoteStepsWaitAndLocalOnesRun() async throws {
        let lab = try ProgramLab(environment: ["REPLICATE_API_TOKEN": "none"])
        try await lab.succeeds(
            "hosts", "allow", "api.replicate.com", "replicate.delivery", "*.replicate.delivery", "--for", "jobs")
        try lab.write(
            workflow(
                "offline", [node("paint", "TextToImage", ["prompt": "a cat"]), node("words", "Text", ["text": "x"])]),
            to: "plan.json")
        let program = ProgramLab.program
        let command = "ip link set lo up 2> /dev/null; exec '\(program)' run plan.json --mode auto --json"
        let process = try lab.start(
            program: "/usr/bin/unshare", ["--user", "--map-root-user", "--net", "sh", "-c", command])
        #expect(
            try await onOwnThread { process.wait(forOutput: #""reason":"offline""#) },
            "\(process.output)\(process.errors)")
        #expect(try await lab.reaches(["ready", "succeeded"]))
        process.signal(SIGTERM)
        let ending = try await onOwnThread { process.wait() }
        #expect(ending.exit == 143)
        #expect(try await lab.shown()["steps"]?.array?.first?["attempt"] == 0, "nothing was spent")
    }
}

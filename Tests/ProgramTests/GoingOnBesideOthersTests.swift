import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Verbs of a shell beside other processes, and those that leave work to another process.
@Suite(.process) struct GoingOnBesideOthersTests {
    private static let moves = workflow("move", [node("move", "MoveFile", ["from": "notes.txt", "to": "old.txt"])])

    private func lab() async throws -> (lab: ProgramLab, approval: [String]) {
        let lab = try ProgramLab()
        try lab.write("buy milk", to: "notes.txt")
        try lab.write(Self.moves, to: ".move.json")
        let parked = try await lab.run("run", ".move.json", "--mode", "always-ask", "--on-ask", "park")
        #expect(parked.exit == 3, "\(parked.output)\(parked.errors)")
        let digest = try await lab.json("inbox").first?["digest"]?.string ?? ""
        return (lab, ["approve", "1", "--digest", digest])
    }

    @Test func aStoppedProcessThatHoldsTheWorkflowIsNamed() async throws {
        let (lab, approval) = try await lab()
        let worker = try lab.start(["work", "--json"])
        #expect(try await eventually { try await lab.json("list").first?["worker"]?.int == Int(worker.pid) })
        worker.signal(SIGSTOP)
        let verb = try lab.start(approval)
        let words = "Process \(worker.pid) holds w1 and stands still."
        #expect(try await onOwnThread { verb.wait(forErrors: words) }, "\(verb.output)\(verb.errors)")
        let shown = try await lab.run("show", "w1").output
        #expect(shown.contains("will go on"), "\(shown)")
        #expect(!verb.hasEnded && lab.exists("notes.txt"))
        worker.signal(SIGCONT)
        let ending = try await onOwnThread { verb.wait() }
        #expect(ending.exit == 0 && ending.output.contains("✓ w1 "), "\(ending.output)\(ending.errors)")
        #expect(lab.exists("old.txt"))
        _ = try await onOwnThread { worker.end(with: SIGTERM) }
    }

    @Test func aDetachedVerbLeavesTheWorkToAWorker() async throws {
        let (lab, approval) = try await lab()
        let ending = try await lab.run(approval + ["--detach"])
        #expect(ending.exit == 0 && ending.output.contains("w1 goes on by itself"), "\(ending.output)\(ending.errors)")
        #expect(try await eventually { lab.exists("old.txt") })
        #expect(try await eventually { try await lab.json("list").first?["state"] == "succeeded" })
    }

    /// Its end does not look as if all were done.
    @Test func aWorkerThatHasNothingToDoSaysWhoGoesOn() async throws {
        let jobs = try JobLab(["jobs": [["life": ["end": "never", "value": 1]]]])
        try jobs.lab.write(jobs.plan([("j", "put", "ok")]), to: "plan.json")
        let first = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { first.wait(forOutput: #""runningRemote""#) })
        let second = try await jobs.lab.run("work", "--until-idle")
        #expect(
            second.exit == 0 && second.output.contains("w1 goes on in process \(first.pid)."),
            "\(second.output)\(second.errors)")
        let id = try #require(try await jobs.harness.books().jobs.first?["id"]?.string)
        try await jobs.harness.end(job: id, as: "succeeded")
        let ending = try await onOwnThread { first.wait() }
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        let third = try await jobs.lab.run("work", "--until-idle")
        #expect(third.exit == 0 && !third.output.contains("goes on"), "\(third.output)")
    }

    @Test func whatWaitsForAProviderIsHandedOn() async throws {
        let jobs = try JobLab(["jobs": [["life": ["end": "never", "value": 1]]]])
        try jobs.lab.write(jobs.plan([("j", "put", "ok")]), to: "plan.json")
        #expect(try await jobs.lab.run("run", "plan.json", "--mode", "always-ask", "--on-ask", "park").exit == 3)
        let digest = try await jobs.lab.json("inbox").first?["digest"]?.string ?? ""
        let ending = try await jobs.lab.run("approve", "1", "--digest", digest)
        #expect(
            ending.exit == 0 && ending.output.contains("w1 waits for a provider and goes on by itself"),
            "\(ending.output)\(ending.errors)")
        #expect(try await jobs.step()["state"] != "succeeded")
        let id = try #require(try await jobs.harness.books().jobs.first?["id"]?.string)
        try await jobs.harness.end(job: id, as: "succeeded")
        #expect(try await eventually { try await jobs.step()["state"] == "succeeded" })
        #expect(try await jobs.harness.books().bought == 1)
    }

    @Test func ofTwoRunsWithOtherAnswersOneIsTold() async throws {
        let lab = try ProgramLab()
        try lab.write(
            "guide: assent.guide/v1\nid: n\ntitle: N\nsteps: [{id: a, number: A?}, {id: b, number: B?}]\n", to: "n.yaml"
        )
        for (name, steps) in [("none", ""), ("one", "a: 1, b: 1"), ("two", "a: 2, b: 2")] {
            try lab.write("answers: assent.answers/v1\nguide: n\nsteps: {\(steps)}\n", to: "\(name).yaml")
        }
        #expect(try await lab.run("guide", "run", "n.yaml", "--answers", "none.yaml").exit == 3)
        let runs = try ["one", "two"].map { try lab.start(["guide", "run", "w1", "--answers", "\($0).yaml"]) }
        var exits: [Int32] = []
        for run in runs { exits.append(try await onOwnThread { run.wait() }.exit) }
        #expect(exits.contains(2), "\(exits) \(runs.map(\.errors))")
        let steps = try await lab.json("guide", "show", "w1").first?["steps"]?.array ?? []
        let values = steps.map { $0["answer"]?.string ?? "" }
        for (exit, value) in zip(exits, ["1", "2"]) where exit == 0 { #expect(values == [value, value]) }
    }
}

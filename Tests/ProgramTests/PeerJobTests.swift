import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Real engines of other people, each through its shipped manifest alone (show 4): a Ray head and a BentoML service, on
/// 127.0.0.1.
@Suite(.process, .timeLimit(.minutes(20))) struct PeerJobTests {
    /// A lab whose settings say where the peer listens.
    private func lab(_ provider: String, _ host: String, environment: [String: String] = [:]) throws -> ProgramLab {
        let lab = try ProgramLab(environment: environment)
        try ScratchFolder.makeFolder("\(lab.home)/config")
        try ScratchFolder.write(
            "providers: {\(provider): {host: \"\(host)\"}}\n", to: "\(lab.home)/config/settings.yaml")
        return lab
    }

    private func ray() async throws -> ProgramLab {
        let head = try await RayHead.shared()
        return try lab("ray-jobs", head.host, environment: ["RAY_AUTH_TOKEN": head.token])
    }

    /// Python that Ray runs: it says how far it is, waits until the workspace has a file `go`, leaves a file, and says
    /// what came out.
    private func script(_ lab: ProgramLab) throws -> String {
        try lab.write(
            """
            import json, os, sys, time
            for part in range(5):
                print("PROGRESS", part * 20, flush=True)
            while not os.path.exists(sys.argv[2]):
                time.sleep(0.1)
            with open(sys.argv[1], "a") as file:
                file.write("ran\\n")
            print("RESULT", json.dumps({"answer": 42}), flush=True)
            """, to: "job.py")
        return "python3 \(lab.path("job.py")) \(lab.path("left.txt")) \(lab.path("go"))"
    }

    private func plan(_ kind: String, _ params: JSON) -> JSON { workflow("peer", [node("j", kind, params)]) }

    @Test func aRayJobIsSubmittedPolledAndItsOutputsAreFetched() async throws {
        let lab = try await ray()
        let command = try script(lab)
        try lab.write("", to: "go")
        try lab.write(plan("RayJob", ["entrypoint": .string(command), "outputFile": "left.txt"]), to: "plan.json")
        let ending = try await lab.run("run", "plan.json", "--mode", "auto", "--json")
        #expect(ending.exit == 0, "\(ending.output)")
        let outputs = ending.lines.first { $0["type"] == "workflow.finished" }?["outputs"]?.array ?? []
        #expect(Set(outputs.compactMap { $0["port"]?.string }) == ["log", "json", "file"], "\(outputs.map(\.text))")
        let json = try #require(outputs.first { $0["port"] == "json" }?["path"]?.string)
        #expect(try JSONReader.read(ScratchFolder.text(json) ?? "") == ["answer": 42])
        let file = try #require(outputs.first { $0["port"] == "file" }?["path"]?.string)
        #expect(ScratchFolder.text(file) == "ran\n")
    }

    /// The chat is killed and relaunched while the job runs: it is one job, it ran once, and the chat that is there
    /// then says what came out.
    @Test func aRayJobOutlivesAKilledChat() async throws {
        let lab = try await ray()
        let command = try script(lab)
        try lab.write(plan("RayJob", ["entrypoint": .string(command)]), to: "plan.json")
        let killed = try lab.terminal()
        #expect(
            await killed.see { $0.lines.contains { $0.hasPrefix("›") } && $0.text.contains("assent 0.1.0") },
            "\(killed.screen.text)")
        killed.send("/run plan.json --mode auto\r")
        #expect(await killed.see("Ray job running at"), "\(killed.screen.text)")
        killed.signal(SIGKILL)
        #expect(await killed.exitStatus() == 137)
        #expect(try await lab.states() == ["runningRemote"])

        let next = try lab.terminal()
        #expect(
            await next.see { $0.lines.contains { $0.hasPrefix("›") } && $0.text.contains("assent 0.1.0") },
            "\(next.screen.text)")
        #expect(try await lab.states() == ["runningRemote"], "the job takes longer than both")
        try lab.write("", to: "go")
        #expect(await next.see("✓ w1 \""), "\(next.screen.text)")
        #expect(try await lab.states() == ["succeeded"])
        next.send("/show w1 1\r")
        #expect(await next.see { $0.text.contains("✓ done") && $0.text.contains("json") }, "\(next.screen.text)")
        next.send("\u{4}")
        #expect(await next.exitStatus() == 0, "\(next.screen.text)")
        try await expectOneJob(in: lab, "SUCCEEDED")
        #expect(lab.text("left.txt") == "ran\n", "it ran once")
        #expect(try await lab.shown()["steps"]?.array?.first?["attempt"] == 1)
    }

    /// Ray itself knows one job of this lab, in that state.
    private func expectOneJob(in lab: ProgramLab, _ status: String, _ location: SourceLocation = #_sourceLocation)
        async throws
    {
        let jobs = try await RayHead.shared().jobs(holding: lab.path("job.py"))
        #expect(jobs.map { $0["status"]?.string } == [status], "\(jobs.map(\.text))", sourceLocation: location)
    }

    /// The same without a screen: `run` is killed, `work` goes on.
    @Test func aRayJobOutlivesAKilledRun() async throws {
        let lab = try await ray()
        let command = try script(lab)
        try lab.write(plan("RayJob", ["entrypoint": .string(command)]), to: "plan.json")
        let process = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { process.wait(forOutput: #""phase":"submitted""#) })
        process.end(with: SIGKILL)
        try lab.write("", to: "go")
        let ending = try await lab.run("work", "--until-idle", "--json")
        #expect(ending.exit == 0, "\(ending.output)")
        #expect(try await lab.states() == ["succeeded"])
        #expect(lab.text("left.txt") == "ran\n", "it ran once")
        try await expectOneJob(in: lab, "SUCCEEDED")
    }

    @Test func aRayJobIsStopped() async throws {
        let lab = try await ray()
        let command = try script(lab)
        try lab.write(plan("RayJob", ["entrypoint": .string(command)]), to: "plan.json")
        let process = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { process.wait(forOutput: #""state":"runningRemote""#) })
        try await lab.succeeds("cancel", "w1", "--json")
        _ = try await onOwnThread { process.wait() }
        let step = try await lab.shown()["steps"]?.array?.first
        #expect(step?["state"] == "cancelled" && step?["failure"]?["code"] == "cancelled", "\(step?.text ?? "")")
        // Not only here: it runs no longer.
        try await expectOneJob(in: lab, "STOPPED")
    }

    @Test func aBentoTaskIsSubmittedPolledAndItsResultIsFetched() async throws {
        let lab = try lab("bentoml-task", try await BentoService.shared().host)
        try lab.write(
            plan("BentoTask", ["route": "/work", "arguments": ["seconds": 1, "text": "ábc"]]), to: "plan.json")
        let ending = try await lab.run("run", "plan.json", "--mode", "auto", "--json")
        #expect(ending.exit == 0, "\(ending.output)")
        let path = ending.lines.first { $0["type"] == "workflow.finished" }?["outputs"]?.array?.first?["path"]?.string
        #expect(path.flatMap { ScratchFolder.text($0) } == "ÁBC")
    }

    @Test func aBentoTaskThatFailsSaysSo() async throws {
        let lab = try lab("bentoml-task", try await BentoService.shared().host)
        try lab.write(plan("BentoTask", ["route": "/fail"]), to: "plan.json")
        let ending = try await lab.run("run", "plan.json", "--mode", "auto", "--json")
        #expect(ending.exit == 1, "\(ending.output)")
        #expect(try await lab.states() == ["failed"])
    }

    /// Its local server refuses to cancel, says "canceled", and works on: what it refused is what counts.
    @Test func aBentoTaskThatCannotBeCancelledIsSaidSo() async throws {
        let lab = try lab("bentoml-task", try await BentoService.shared().host)
        try lab.write(
            plan("BentoTask", ["route": "/work", "arguments": ["until": .string(lab.path("go")), "text": "x"]]),
            to: "plan.json")
        // It works on as long as its server is there.
        let process = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await onOwnThread { process.wait(forOutput: #""phase":"submitted""#) })
        try await lab.succeeds("cancel", "w1", "--json")
        _ = try await onOwnThread { process.wait() }
        let step = try await lab.shown()["steps"]?.array?.first
        #expect(
            step?["state"] == "cancelled" && step?["failure"]?["code"] == "cancelUnsupported", "\(step?.text ?? "")")
    }
}

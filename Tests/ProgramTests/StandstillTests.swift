import Glibc
import Harness
import JSON
import Testing

/// One process that stands still within the writers' lock must not stop all others without a word.
struct StandstillTests {
    @Test(.timeLimit(.minutes(5))) func whoeverStandsStillInTheLockIsNamedAndLookersDoNotWait() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("one", [node("t", "Text", ["text": "x"])]), to: "one.json")
        #expect(try await lab.run("run", "one.json", "--mode", "auto").exit == 0)
        let holder = try lab.start(program: "/usr/bin/flock", ["-F", "\(lab.home)/data/assent.lock", "sleep", "300"])
        defer { holder.end(with: SIGKILL) }
        let probe = ["-n", "\(lab.home)/data/assent.lock", "true"]
        for _ in 0..<200 {
            let isFree = try await onOwnThread { try lab.start(program: "/usr/bin/flock", probe).wait().exit == 0 }
            if !isFree { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        // Whoever waited would do so until killed.
        for verb in [["list"], ["show", "w1"], ["why", "w1"]] { #expect(try await lab.run(verb, seconds: 30).exit == 0) }
        holder.signal(SIGSTOP)
        // Writers are told who it is, and nothing hangs: neither a verb nor an engine.
        for verb in [["archive", "w1"], ["run", "one.json", "--mode", "auto"]] {
            let refused = try await lab.run(verb + ["--json"], seconds: 60)
            let error = refused.lines(of: "error").first
            #expect(refused.exit == 6 && error?["code"] == "storageBusy", "\(refused.output)\(refused.errors)")
            #expect(error?["message"]?.string?.contains("Process \(holder.pid) holds the database and stands still") == true)
        }
        // One that moves is waited for, however long it takes.
        holder.signal(SIGCONT)
        let waiting = try lab.start(["archive", "w1"])
        try await Task.sleep(for: .seconds(8))
        #expect(!waiting.hasEnded)
        holder.end(with: SIGKILL)
        #expect(try await onOwnThread { waiting.wait(seconds: 20).exit == 0 })
    }
}

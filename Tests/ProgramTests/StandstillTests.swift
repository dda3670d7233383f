import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// One process that stands still within the writers' lock must not stop all others without a word.
@Suite(.process) struct StandstillTests {
    @Test(.timeLimit(.minutes(10))) func whoeverStandsStillInTheLockIsNamedAndLookersDoNotWait() async throws {
        let lab = try ProgramLab()
        try lab.write(workflow("one", [node("t", "Text", ["text": "x"])]), to: "one.json")
        try await lab.succeeds("run", "one.json", "--mode", "auto")
        let holder = try lab.start(program: "/usr/bin/flock", ["-F", "\(lab.home)/data/assent.lock", "sleep", "3000"])
        defer { holder.end(with: SIGKILL) }
        let probe = ["-n", "\(lab.home)/data/assent.lock", "true"]
        let isHeld = try await eventually {
            try await onOwnThread { try lab.start(program: "/usr/bin/flock", probe).wait().exit != 0 }
        }
        #expect(isHeld)
        // Whoever waited would do so until killed.
        for verb in [["list"], ["show", "w1"], ["why", "w1"]] { try await lab.succeeds(verb) }
        holder.signal(SIGSTOP)
        // Writers are told who it is, and nothing hangs: neither a verb nor an engine.
        for verb in [["archive", "w1"], ["run", "one.json", "--mode", "auto"]] {
            let refused = try await lab.run(verb + ["--json"])
            let error = refused.lines(of: "error").first
            #expect(refused.exit == 6 && error?["code"] == "storageBusy", "\(refused.output)\(refused.errors)")
            #expect(
                error?["message"]?.string?.contains("Process \(holder.pid) holds the database and stands still") == true
            )
        }
        // One that moves is waited for; how long is in `LockWatchTests`.
        holder.signal(SIGCONT)
        let waiting = try lab.start(["archive", "w1"])
        let isWaiting = try await eventually {
            ScratchFolder.text("/proc/locks")?.split(separator: "\n").contains { line in
                let words = line.split(separator: " ")
                return words.contains("->") && words.contains("\(waiting.pid)")
            } == true
        }
        #expect(isWaiting && !waiting.hasEnded, "\(waiting.output)\(waiting.errors)")
        holder.end(with: SIGKILL)
        #expect(try await onOwnThread { waiting.wait().exit == 0 })
    }
}

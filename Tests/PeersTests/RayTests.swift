import CaseNames
import HTTP
import Harness
import JSON
import Testing

/// What Ray's Jobs API itself does here (`wire.md` Jobs 3).
@Suite(.process, .timeLimit(.minutes(20))) struct RayTests {
    private func talk(_ head: RayHead) -> Talk { Talk(head.jobs, headers: ["Authorization": "Bearer \(head.token)"]) }

    private func newName() -> String { "peer-\(UInt64.random(in: 0...UInt64.max))" }

    @Test func aJobIsSubmittedRunsAndLeavesItsLog() async throws {
        let (ray, name) = (talk(try await RayHead.shared()), newName())
        let scratch = try ScratchFolder()
        let go = scratch.path + "/go"
        let command = "echo one; until test -e \(go); do sleep 0.1; done; echo $K"
        let taken = try await ray.send(
            "POST", "",
            ["submission_id": .string(name), "entrypoint": .string(command), "runtime_env": ["env_vars": ["K": "two"]]])
        try #require(taken.status == 200, "\(taken.text)")
        #expect(taken["submission_id"]?.string == name)
        #expect(try await ray.send("GET", name)["status"]?.string != "SUCCEEDED")
        try ScratchFolder.write("", to: go)
        #expect(try await ray.poll(name, until: "SUCCEEDED", "FAILED")["status"]?.string == "SUCCEEDED")
        // Ray writes into the same log, now and then between the job's lines.
        let log = try await ray.send("GET", "\(name)/logs")
        let lines = log["logs"]?.string?.split(separator: "\n").filter { ["one", "two"].contains($0) }
        #expect(lines == ["one", "two"], "\(log.text)")
    }

    @Test func aSecondJobOfTheSameNameIsRefusedAsIfTheServerHadFailed() async throws {
        let (ray, name) = (talk(try await RayHead.shared()), newName())
        let job: JSON = ["submission_id": .string(name), "entrypoint": "true"]
        let taken = try await ray.send("POST", "", job)
        try #require(taken.status == 200, "\(taken.text)")
        let again = try await ray.send("POST", "", job)
        #expect(again.status == 500)
        #expect(again.text.contains("\(name) already exists"))
        #expect(try await ray.poll(name, until: "SUCCEEDED").status == 200)
    }

    @Test func aJobIsStoppedAndStoppingItAgainIsNoError() async throws {
        let (ray, name) = (talk(try await RayHead.shared()), newName())
        let taken = try await ray.send("POST", "", ["submission_id": .string(name), "entrypoint": "sleep 3593"])
        try #require(taken.status == 200, "\(taken.text)")
        _ = try await ray.poll(name, until: "RUNNING")
        #expect(try await ray.send("POST", "\(name)/stop")["stopped"] == true)
        _ = try await ray.poll(name, until: "STOPPED")
        // `true` as long as its supervisor has not ended, which may be later than the state says.
        let isOver = try await eventually {
            let again = try await ray.send("POST", "\(name)/stop")
            return again.status == 200 && again["stopped"] == false
        }
        #expect(isOver)
        // Its supervisor may write its last word after that, and so bring it back: it goes with the next.
        let isGone = try await eventually {
            _ = try await ray.send("DELETE", name)
            return try await ray.send("GET", name).status == 404
        }
        #expect(isGone)
    }

    @Test func aJobThatFailsSaysWithWhat() async throws {
        let (ray, name) = (talk(try await RayHead.shared()), newName())
        let taken = try await ray.send(
            "POST", "", ["submission_id": .string(name), "entrypoint": "echo no >&2; exit 3"])
        try #require(taken.status == 200, "\(taken.text)")
        let end = try await ray.poll(name, until: "FAILED")
        #expect(end["driver_exit_code"]?.int == 3)
        #expect(end["error_type"]?.string == "JOB_ENTRYPOINT_COMMAND_ERROR")
        #expect(end["message"]?.string?.contains("no") == true)
    }

    @Test func whoHasNoTokenIsTurnedAway() async throws {
        let head = try await RayHead.shared()
        #expect(try await Talk(head.jobs).send("GET", "").status == 401)
        #expect(
            try await Talk(head.jobs, headers: ["Authorization": "Bearer \(head.token)1"]).send("GET", "").status == 403
        )
    }
}

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Finding 1 of the review of the engine: what runs elsewhere, or waits to be tried again, holds up nothing here.
@Suite(.process) struct RemoteSlotTests {
    /// More jobs that sleep, and more in backoff, than there are slots for transfers.
    private static let crowd: JSON = [
        "jobs": [
            ["when": ["kind": "sleeps"], "life": ["end": "never"]],
            ["when": ["kind": "refused"], "submit": [["http": 503, "times": "always"]]],
        ]
    ]

    @Test("finding 1: a fetch beside eight jobs that sleep and eight in backoff", .timeLimit(.minutes(20)))
    func aFetchPassesJobsThatSleepAndJobsInBackoff() async throws {
        let jobs = try JobLab(Self.crowd)
        let many =
            (1...8).map { (id: "s\($0)", mode: "put", kind: "sleeps") }
            + (1...8).map { ("b\($0)", "header", "refused") }
        try jobs.lab.write(jobs.plan(many), to: "crowd.json")
        let crowd = try jobs.lab.start(["run", "crowd.json", "--mode", "auto", "--json"])
        // All of them are where they stay: eight taken, eight refused once.
        let isCrowded = try await onOwnThread {
            crowd.wait(forOutput: #""state":"runningRemote""#, times: 8)
                && crowd.wait(forOutput: #""reason":"backoff""#, times: 8)
        }
        #expect(isCrowded, "\(crowd.output)")
        #expect(try await jobs.harness.books().bought == 8)
        let fetch = workflow(
            "fetch", [node("f", "HTTPFetch", ["url": .string("http://\(jobs.harness.host)/jobs?limit=1")])])
        try jobs.lab.write(fetch, to: "fetch.json")
        let fetched = try await jobs.lab.run("run", "fetch.json", "--mode", "auto", "--json")
        #expect(fetched.exit == 0, "\(fetched.output)")
        // Its own jobs do not hold up a job at another provider either.
        let other = try await jobs.run("clientId", kind: "ok")
        #expect(other.exit == 0, "\(other.output)")
        _ = try await onOwnThread { crowd.end(with: SIGTERM) }
    }

    /// A template's `concurrency` counts jobs, wherever they are: a second one is not submitted while the first sleeps.
    @Test func aTemplatesConcurrencyCountsJobs() async throws {
        let jobs = try JobLab(Self.crowd)
        try jobs.lab.write(
            jobs.plan(
                [("a", "put", "sleeps"), ("b", "put", "sleeps"), ("c", "header", "refused"), ("d", "put", "sleeps")],
                concurrency: 2),
            to: "plan.json")
        let running = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        // Two sleep; what was refused, if it was tried, holds nothing; the last waits.
        let isFull = try await onOwnThread { running.wait(forOutput: #""state":"runningRemote""#, times: 2) }
        #expect(isFull, "\(running.output)")
        let books = try await jobs.harness.books()
        #expect(books.mostAlive <= 2, "\(books.jobs)")
        let waiting =
            try await jobs.lab.json("show", "w1").first?["steps"]?.array?.filter { $0["reason"] == "waitingForSlot" }
            ?? []
        #expect(!waiting.isEmpty)
        _ = try await onOwnThread { running.end(with: SIGTERM) }
    }
}

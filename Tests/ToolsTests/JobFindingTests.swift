import CaseNames
import HTTP
import Harness
import JSON
import Testing
import Vocabulary

extension JobClientTests {
    @Test(
        arguments: [
            (.json(["id": "x", "state": "working"]), "accepted"), (.text("", status: 404), "notFound"),
            (.text("", status: 503), "unreachable"), (.text("", status: 403), "stuck"),
            // A list of jobs may be longer than a status.
            (
                .json(["id": "x", "state": "working", "log": .string(String(repeating: "x", count: 3 << 20))]),
                "accepted"
            ),
        ] as [(ScriptAnswer, String)])
    func aJobOfOurNameIsLookedFor(script: ScriptAnswer, expected: String) async throws {
        let server = try ScriptedServer([script])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        var job = lab.job
        job.captured = JSON.Object()
        #expect(try await lab.ask(.find, nil, job).name == expected)
        #expect(server.requests.map(\.path) == ["/jobs/assent-t-w3-2-1"])
    }

    @Test func whoCannotBeAskedForAJobIsNotSaidToHaveNone() async throws {
        let server = try ScriptedServer([])
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            ["mode: clientId, id: \"{jobKey}\", probe: status, ": "mode: clientId, id: \"{jobKey}\", "])
        let answer = try await lab.ask(.find)
        #expect(answer.name == "stuck" && answer.failure?.code == "cannotLook" && server.requests.isEmpty)
    }

    static let listing = [
        "mode: clientId, id: \"{jobKey}\", probe: status, duplicate: {http: [409], bodyMatches: exists}, ambiguous: retry":
            "mode: reconcile, find: list, match: {path: \"$.jobs[*]\", created: $.at, page: 3, equal: [[$.key, \"{jobKey}\"]]}, ambiguous: ask",
        "  result: {url:": "  list: {url: \"http://{host}/jobs\"}\n  result: {url:",
    ]

    /// Two runs may ask for the same in the same minute: what one has is not the other's.
    @Test func aJobThatAnotherRunHasIsNotTakenForOurs() async throws {
        let entries = ["j-1", "j-2"].map { id -> JSON in
            ["id": .string(id), "at": "2026-11-21T08:00:01Z", "key": "assent-t-w3-2-1", "state": "working"]
        }
        let server = try ScriptedServer { _ in .json(["jobs": .array(entries)]) }
        defer { server.stop() }
        var lab = try JobLab(port: server.port, Self.listing)
        #expect(try await lab.ask(.find) == .several(2))
        lab.held = ["j-1"]
        var job = lab.job
        job.captured = JSON.Object()
        #expect(
            try await lab.ask(.find, nil, job) == .accepted(captured: object(["jobId": "j-2"]), JobStatus(.running)))
        lab.held = ["j-1", "j-2"]
        #expect(try await lab.ask(.find) == .notFound)
    }

    /// Many younger jobs are not many that may be ours.
    @Test func aFullPageOfYoungerJobsIsCalledThat() async throws {
        let entries = (0..<3).map { JSON.of(["id": .string("x\($0)"), "at": "2027-01-01T00:00:00Z", "key": "other"]) }
        let server = try ScriptedServer { _ in .json(["jobs": .array(entries)]) }
        defer { server.stop() }
        let answer = try await JobLab(port: server.port, Self.listing).ask(.find)
        #expect(answer.name == "stuck" && answer.failure?.message.contains("3 jobs, all younger than ours") == true)
    }

    @Test(
        arguments: [
            (.json(["state": "stopping"]), "cancelTaken", nil),
            (.json(["state": "done"]), "cancelRefused", "nothingToCancel"),
            (.text("", status: 405), "cancelRefused", "cancelUnsupported"),
            (.text("", status: 404), "cancelRefused", "nothingToCancel"),
            (.text("", status: 503), "unreachable", "providerFailed"),
            (.text("", status: 400), "cancelRefused", "badRequest"),
            (.hanging, "unreachable", "timedOut"),
        ] as [(ScriptAnswer, String, String?)])
    func aCancelTellsTheTruth(script: ScriptAnswer, expected: String, code: String?) async throws {
        let server = try ScriptedServer([script])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port, answering: script).ask(.cancel)
        #expect(answer.name == expected && answer.failure?.code == code)
    }

    @Test func aProviderThatIsNotInstalledIsSaid() async throws {
        let lab = try JobLab(port: 9)
        var tool = JobLab.tool()
        tool.action = .job(.init(provider: "other"))
        #expect(try await lab.ask(.submit, lab.assignment(tool)).failure?.code == "providerNotInstalled")
    }

    /// The head of a picture: all that is looked at.
}

import CaseNames
import HTTP
import Harness
import JSON
@testable import Jobs
import Testing
import Vocabulary

/// Jobs over real connections to a server on 127.0.0.1.
@Suite struct JobClientTests {
    @Test func aJobIsSubmittedWithTheKeyAndOurName() async throws {
        let server = try ScriptedServer([.json(["id": "j7", "state": "waiting"])])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let answer = try await lab.ask(.submit, lab.assignment(JobLab.tool(), ["words": "a cat"]))
        #expect(answer == .accepted(captured: object(["jobId": "j7"]), JobStatus(.queued)))
        let request = try #require(server.requests.first)
        #expect(
            request.method == "POST" && request.path == "/jobs"
                && request.headers["authorization"] == "Bearer s3cret-key")
        #expect(request.json == ["id": "assent-t-w3-2-1", "input": "a cat"])
    }

    /// `semantics.md` 8: only what was certainly not taken may be sent again without asking.
    @Test(
        arguments: [
            (.text("", status: 500), "unclear", true), (.text("", status: 502), "unclear", true),
            (.text("", status: 504), "unclear", true),
            (.text("", status: 408), "unclear", true), (.text("", status: 503), "notTaken", true),
            (.text("", status: 429), "notTaken", true),
            (.text("", status: 400), "notTaken", false), (.text("", status: 401), "notTaken", false),
            (.text("", status: 422), "notTaken", false),
            (.hanging, "unclear", true), (.text("{}").cut(afterBytes: 20), "unclear", true),
            (.json(["no": "id"]), "unclear", false),
            (.text("no JSON"), "unclear", false), (.text("{}", status: 404), "notTaken", false),
            (.redirect(to: "/elsewhere", status: 303), "unclear", false),
            (.redirect(to: "/elsewhere", status: 302), "unclear", false),
            (.redirect(to: "/elsewhere", status: 301), "notTaken", false),
            (.json(["error": "it exists"], status: 409), "accepted", false),
            (.json(["error": "full"], status: 409), "notTaken", false),
        ] as [(ScriptAnswer, String, Bool)])
    func whatASubmissionCameTo(script: ScriptAnswer, expected: String, isTransient: Bool) async throws {
        let server = try ScriptedServer([script])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port, answering: script).ask(.submit)
        #expect(answer.name == expected)
        #expect(answer.failure?.isTransient ?? false == isTransient)
        #expect(server.requests.count == 1)
    }

    @Test func nobodyListeningHasTakenNothing() async throws {
        let refusing = try ScriptedRefusingPort()
        let lab = try JobLab(port: refusing.port)
        let answers = (try await lab.ask(.submit), try await lab.ask(.status))
        withExtendedLifetime(refusing) {}
        #expect(
            answers.0.name == "notTaken" && answers.0.failure?.code == "networkFailed"
                && answers.0.failure?.isTransient == true)
        #expect(answers.1.name == "unreachable")
    }

    @Test func aPeerThatNeverTakesTheConnectionHasTakenNothing() async throws {
        let deaf = try ScriptedDeafPort()
        let answer = try await JobLab(port: deaf.port, ["connect: 30s": "connect: 1s"]).ask(.submit)
        withExtendedLifetime(deaf) {}
        #expect(answer.name == "notTaken" && answer.failure?.isTransient == true)
    }

    /// Loopback is there without a network.
    @Test func aProviderOnThisMachineIsNeverOffline() async throws {
        let refusing = try ScriptedRefusingPort()
        var lab = try JobLab(port: refusing.port)
        lab.isOffline = true
        let answer = try await lab.ask(.submit)
        withExtendedLifetime(refusing) {}
        #expect(answer.failure?.code == "networkFailed")
    }

    @Test(arguments: [("7", 7.0), ("0", 0)]) func aWaitThatIsAskedForIsPassedOn(field: String, seconds: Double)
        async throws
    {
        let server = try ScriptedServer([
            .text("", status: 429, headers: ["Retry-After": field]),
            .text("", status: 429, headers: ["retry-after-ms": "1500"]),
        ])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        #expect(try await lab.ask(.submit).failure?.retryAfterSeconds == seconds)
        #expect(try await lab.ask(.status).failure?.retryAfterSeconds == 1.5)
    }

    @Test func withoutItsKeyNothingLeaves() async throws {
        let server = try ScriptedServer([])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port, keys: [:]).ask(.submit)
        #expect(answer.name == "notTaken" && answer.failure?.code == "keyMissing" && server.requests.isEmpty)
    }

    /// The job was taken, whatever becomes of the copy of its answer: to say otherwise would buy it twice.
    @Test func anAnswerThatCannotBeKeptUndoesNoSubmission() async throws {
        let server = try ScriptedServer([.json(["id": "j7", "state": "done"])])
        defer { server.stop() }
        let lab = try JobLab(port: server.port, ["capture: {jobId: $.id": "keep: true, capture: {jobId: $.id"])
        let assignment = try lab.assignment()
        try ScratchFolder.makeFolder("\(assignment.runFolder).answer")
        #expect(try await lab.ask(.submit, assignment) == .accepted(captured: object(["jobId": "j7"]), nil))
    }

    @Test func aKeyThatIsSaidBackIsNotRepeated() async throws {
        let server = try ScriptedServer([.json(["error": "bad key s3cret-key!"], status: 401)])
        defer { server.stop() }
        let failure = try await JobLab(port: server.port).ask(.submit).failure
        #expect(failure?.message.contains("s3cret-key") == false && failure?.message.contains("(the key)") == true)
    }

    /// Some servers repeat the key in the addresses that they name, and in answers that are kept.
    @Test func aKeyThatIsSaidBackIsNotStored() async throws {
        let server = try ScriptedServer { request in
            .json([
                "id": "j7", "state": "done", "note": "s3cret-key",
                "statusUrl": .string("http://\(request.headers["host"]!)/jobs/j7?token=s3cret-key"),
            ])
        }
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                "capture: {jobId: $.id": "keep: true, capture: {jobId: $.id",
                "status: {url: \"http://{host}/jobs/{jobId}\"}": "status: {url: \"{statusUrl}\"}",
            ])
        let assignment = try lab.assignment()
        guard case .accepted(let captured, _) = try await lab.ask(.submit, assignment) else {
            return #expect(Bool(false), "not accepted")
        }
        #expect(!JSON.object(captured).text.contains("s3cret") && captured["statusUrl"] != nil)
        let kept = try #require(ScratchFolder.text("\(assignment.runFolder).answer"))
        #expect(!kept.contains("s3cret") && kept.contains("j7"))
        // The address is whole again where the key may go.
        var job = lab.job
        job.captured = captured
        #expect(try await lab.ask(.status, assignment, job).status?.state == .succeeded)
        #expect(server.requests.last?.path == "/jobs/j7?token=s3cret-key")
    }

    // MARK: Addresses that the provider names

    private static let named = ["status: {url: \"http://{host}/jobs/{jobId}\"}": "status: {url: \"{statusUrl}\"}"]

    /// Known as soon as the job is: nothing would come of waiting.
    @Test func aForeignAddressIsSeenWhenTheJobIsTaken() async throws {
        let thief = try ScriptedServer([.json(["state": "done", "id": "x"])])
        let server = try ScriptedServer([
            .json(["id": "j7", "statusUrl": .string("http://127.0.0.1:\(thief.port)/jobs/j7"), "state": "waiting"])
        ])
        defer { thief.stop(); server.stop() }
        let answer = try await JobLab(port: server.port, Self.named).ask(.submit)
        #expect(answer.name == "spoiled" && answer.failure?.code == "foreignHost" && thief.requests.isEmpty)
    }

    /// Where there is another way to ask, the job is not given up for that.
    @Test func aForeignAddressIsNotNeededWhereAnotherIsKnown() async throws {
        let server = try ScriptedServer { request in
            request.method == "POST"
                ? .json(["id": "j7", "statusUrl": "http://127.0.0.1:1/jobs/j7"]) : .json(["state": "working"])
        }
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                "status: {url: \"http://{host}/jobs/{jobId}\"}":
                    "status: {url: \"{statusUrl}\", fallback: \"http://{host}/known/{jobId}\"}"
            ])
        guard case .accepted(let captured, _) = try await lab.ask(.submit) else {
            return #expect(Bool(false), "not accepted")
        }
        var job = lab.job
        job.captured = captured
        #expect(captured["statusUrl"] == nil)
        #expect(try await lab.ask(.status, nil, job).name == "status")
        #expect(server.requests.map(\.path) == ["/jobs", "/known/j7"])
    }

    /// What waiting does not mend is told from what it may (row 7).
    @Test(arguments: [("http://127.0.0.1:1/x", "foreignHost"), ("no address", "badURL")])
    func anAddressThatIsNotAllowedIsNoBadConnection(url: String, code: String) async throws {
        let lab = try JobLab(port: 9, Self.named)
        var job = lab.job
        job.captured["statusUrl"] = .string(url)
        let answer = try await lab.ask(.status, nil, job)
        #expect(answer.name == "stuck" && answer.failure?.code == code)
        let nameless = try await lab.ask(.status)
        #expect(nameless.name == "stuck" && nameless.failure?.code == "missingValue")
    }

    // MARK: Status

    @Test func aStatusIsRead() async throws {
        let server = try ScriptedServer([
            .json(["state": "working", "percent": 42, "log": "one\ntwo\n"]), .json(["state": "done"]),
        ])
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        #expect(try await lab.ask(.status) == .status(JobStatus(.running, progress: 0.42, logTail: "one\ntwo\n")))
        #expect(try await lab.ask(.status).status?.state == .succeeded)
        #expect(server.requests.map(\.path) == ["/jobs/j1", "/jobs/j1"])
    }

    @Test(
        arguments: [
            (.text("gone", status: 404), "strike"), (.text("gone", status: 410), "strike"),
            (.json(["state": "melting"]), "strike"),
            (.text("<html>maintenance</html>"), "stuck"), (.text("", status: 500), "unreachable"),
            (.hanging, "unreachable"),
            (.text("", status: 403), "unreachable"), (.text("", status: 418), "unreachable"),
            (.json(["state": "failed", "code": "Boom", "why": "it broke"]), "status"),
        ] as [(ScriptAnswer, String)])
    func whatAStatusCheckCameTo(script: ScriptAnswer, expected: String) async throws {
        let server = try ScriptedServer([script])
        defer { server.stop() }
        #expect(try await JobLab(port: server.port, answering: script).ask(.status).name == expected)
    }

    // MARK: Hostile answers

    @Test func tooLargeAStatusIsNoStatus() async throws {
        let server = try ScriptedServer([ScriptAnswer(framing: .chunked, steps: [.flood(bytes: 3 << 20)])])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(.status)
        #expect(answer.name == "stuck" && answer.failure?.code == "answerTooLarge")
        #expect(answer.failure?.remedy?.contains("keep: true") == true)
    }

    @Test func deepJSONIsNoStatus() async throws {
        let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
        let server = try ScriptedServer([.text("{\"state\": \"done\", \"x\": \(deep)}")])
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.status).failure?.code == "malformedAnswer")
    }

    @Test func wordsOfTheServerAreBounded() async throws {
        let server = try ScriptedServer([
            .json([
                "state": "failed", "code": "offline",
                "why": .string("\u{1b}[31m" + String(repeating: "x", count: 5000)),
            ])
        ])
        defer { server.stop() }
        let failure = try #require(try await JobLab(port: server.port).ask(.status).failure)
        #expect(failure.message.count < 400 && !failure.message.contains("\u{1b}"))
        // A code that means something here is not theirs to say.
        #expect(failure.code == "jobFailed")
    }

    @Test func aLogIsCutToItsTail() async throws {
        let server = try ScriptedServer([
            .json(["state": "working", "log": .string(String(repeating: "é", count: 10_000) + "end")])
        ])
        defer { server.stop() }
        let tail = try #require(try await JobLab(port: server.port).ask(.status).status?.logTail)
        #expect(tail.utf8.count <= Limits.jobLogTailBytes && tail.hasSuffix("end") && tail.first == "é")
    }

    /// Both the place and the key: the second server must never be asked.
    @Test(arguments: [301, 302, 307, 308]) func aRedirectToAForeignHostIsNotFollowed(status: Int) async throws {
        let thief = try ScriptedServer([.json(["state": "done", "id": "x"])])
        let server = try ScriptedServer { _ in .redirect(to: "http://127.0.0.1:\(thief.port)/jobs", status: status) }
        defer { thief.stop(); server.stop() }
        let lab = try JobLab(port: server.port)
        #expect(try await lab.ask(.status).failure?.code == "foreignHost")
        #expect(try await lab.ask(.submit).name == (status == 302 ? "unclear" : "notTaken"))
        #expect(thief.requests.isEmpty)
    }

    @Test func aRedirectOnTheSameHostIsFollowed() async throws {
        let server = try ScriptedServer([.redirect(to: "/v2/jobs/j1"), .json(["state": "working"])])
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.status).name == "status")
        #expect(server.requests.map(\.path) == ["/jobs/j1", "/v2/jobs/j1"])
    }

    @Test func aCircleOfRedirectsEnds() async throws {
        let server = try ScriptedServer { _ in .redirect(to: "/again") }
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.status).failure?.code == "redirected")
        #expect(server.requests.count == Limits.jobRedirects + 1)
    }

    @Test(arguments: [
        "http://169.254.169.254/latest/meta-data", "https://example.org/x", "file:///etc/passwd",
        "http://user:pw@127.0.0.1/x", "//evil",
    ])
    func anAddressThatTheProviderNamesMustBeAllowed(url: String) async throws {
        let server = try ScriptedServer { _ in .json(["images": [["url": .string(url)]]]) }
        defer { server.stop() }
        let lab = try JobLab(port: server.port)
        let answer = try await lab.ask(.collect)
        #expect(answer.name == "spoiled" && ["foreignHost", "badURL"].contains(answer.failure?.code))
        #expect(server.requests.count == 1)
    }

    /// A file server that belongs to the provider, and is not given the key.
    @Test func theKeyGoesOnlyWhereItMay() async throws {
        let files = try ScriptedServer { _ in .text(Self.gif, headers: ["content-type": "image/gif"]) }
        let server = try ScriptedServer { _ in
            .json(["images": [["url": .string("http://127.0.0.1:\(files.port)/a.gif")]]])
        }
        defer { files.stop(); server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                "hosts: [\"{host}\"]": "hosts: [\"{host}\", \"127.0.0.1:\(files.port)\"]",
                "as: url, many: true}": "as: url, many: true, auth: same}",
            ])
        #expect(try await lab.ask(.collect).name == "collected")
        #expect(server.requests.allSatisfy { $0.headers["authorization"] != nil })
        #expect(files.requests.count == 1 && files.requests.allSatisfy { $0.headers["authorization"] == nil })
    }

    // MARK: Find and cancel

    static let gif = "GIF89a\u{2}\0\u{3}\0p\0\0"
}

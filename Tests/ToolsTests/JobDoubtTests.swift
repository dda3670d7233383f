import CaseNames
import Harness
import JSON
import Manifests
import Testing
import Vocabulary

/// Submissions in doubt, addresses that a provider names, and what is said of answers.
@Suite struct JobDoubtTests {
    private static let statusByLink = "status: {url: \"http://{host}/jobs/{jobId}\"}"
    private static let clientId =
        "mode: clientId, id: \"{jobKey}\", probe: status, duplicate: {http: [409], bodyMatches: exists}"

    private func accepted(_ answer: JobAnswer) -> JSON.Object? {
        if case .accepted(let captured, _) = answer { captured } else { nil }
    }

    private func job(_ lab: JobLab, _ captured: JSON.Object?) -> JobRecord {
        var job = lab.job
        job.captured = captured ?? JSON.Object()
        return job
    }

    // MARK: Duplicates

    /// A provider that knows the second submission as the first, and gives its jobs names of its own.
    @Test("finding 4: an answer that says duplicate may name the job")
    func aDuplicateMayNameTheJob() async throws {
        let server = try ScriptedServer([.json(["existing": ["id": "run-7"], "error": "it exists"], status: 409)])
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                Self.clientId:
                    "mode: clientId, duplicate: {http: [409], bodyMatches: exists, capture: {jobId: $.existing.id}}"
            ])
        #expect(lab.provider.terms.canLook == false && lab.provider.terms.looksFirst == false)
        let answer = try await lab.ask(.submit, nil, job(lab, nil))
        #expect(accepted(answer) == object(["jobId": "run-7"]), "\(answer)")
    }

    /// A long answer in one line once hid it.
    @Test("finding 4: a duplicate is known in a long line")
    func aDuplicateIsKnownInALongLine() async throws {
        let server = try ScriptedServer([
            .json(["trace": .string(String(repeating: "x", count: 9_000)), "why": "it exists"], status: 409)
        ])
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.submit).name == "accepted")
    }

    @Test(
        "finding 4: an idempotency key stands anywhere in the request",
        arguments: [
            #"json: {token: "{jobKey}", input: "{input?}"}"#, #"json: {input: "{input?}"}, query: {token: "{jobKey}"}"#,
            #"json: {input: "{input?}"}, headers: {Idempotency-Key: "{jobKey}"}"#,
            #"form: {token: "{jobKey}", input: "{input?}"}"#,
        ])
    func aKeyStandsAnywhere(body: String) throws {
        let lab = try JobLab(
            port: 9, [Self.clientId: "mode: header", #"json: {id: "{jobKey}", input: "{input?}"}"#: body])
        #expect(lab.provider.terms.idempotency == .header)
    }

    // MARK: Links

    private static let foreign = "http://127.0.0.1:1/jobs/j7"

    @Test(
        "finding 6a: a link at a host that is not allowed gives way to the fallback",
        arguments: [
            ("capture: {jobId: $.id, link: $.self}", JSON.string(Self.foreign)),
            ("capture: {jobId: $.id, link: $.self}", .null),
            ("capture: {jobId: $.id, link: $.self}", 7),
            ("capture: {jobId: $.id, link: \"$.self?\"}", .string(Self.foreign)),
            ("capture: {jobId: $.id, link: \"header:self\"}", .string(Self.foreign)),
            ("capture: {jobId: $.id, link: \"header:self\"}", .null),
            ("capture: {jobId: $.id, link: $.self}", "mailto:somebody"),
        ] as [(String, JSON)])
    func aForeignLinkGivesWay(capture: String, link: JSON) async throws {
        let server = try ScriptedServer { request in
            guard request.method == "POST" else { return .json(["state": "working"]) }
            let answer: JSON = ["id": "j7", "self": link]
            return .text(answer.text, status: 201, headers: link.string.map { ["Self": $0] } ?? [:])
        }
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                "capture: {jobId: $.id, statusUrl: \"$.statusUrl?\"}": capture,
                Self.statusByLink: "status: {url: \"{link}\", fallback: \"http://{host}/known/{jobId}\"}",
            ])
        let captured = accepted(try await lab.ask(.submit, nil, job(lab, nil)))
        #expect(captured?["jobId"] == "j7")
        #expect(try await lab.ask(.status, nil, job(lab, captured)).status?.state == .running)
        #expect(server.requests.map(\.path) == ["/jobs", "/known/j7"])
    }

    /// It is there, has a name, and cannot be watched: that is said, with the host, and nothing is submitted again.
    @Test(
        "finding 6a: a job that cannot be watched is named, and so is the host",
        arguments: [
            (JSON.string(Self.foreign), "foreignHost", "127.0.0.1:1"),
            (.null, "malformedAnswer", "has no link ($.self)"),
        ])
    func aJobThatCannotBeWatchedIsNamed(link: JSON, code: String, words: String) async throws {
        let server = try ScriptedServer([.json(["id": "j7", "self": link], status: 201)])
        defer { server.stop() }
        let lab = try JobLab(
            port: server.port,
            [
                "capture: {jobId: $.id, statusUrl: \"$.statusUrl?\"}": "capture: {jobId: $.id, link: $.self}",
                Self.statusByLink: "status: {url: \"{link}\"}",
            ])
        let answer = try await lab.ask(.submit, nil, job(lab, nil))
        #expect(answer.name == "spoiled" && answer.failure?.code == code, "\(answer)")
        #expect(
            answer.failure?.message.contains("has taken the job as j7.") == true
                && answer.failure?.message.contains(words) == true)
    }

    @Test("finding 6a: an answer without a name says what it lacks")
    func anAnswerWithoutANameSaysWhatItLacks() async throws {
        let server = try ScriptedServer([.json(["ok": true])])
        defer { server.stop() }
        let failure = try await JobLab(port: server.port).ask(.submit).failure
        #expect(failure?.message.contains("did not say its jobId ($.id)") == true, "\(failure?.message ?? "")")
    }

    // MARK: 302

    private static let id = #"jobId: {from: "header:Location", regex: '/jobs/([^/?]+)'}"#
    private static let byLocation = [
        "capture: {jobId: $.id, statusUrl: \"$.statusUrl?\"}":
            #"ok: [201, 302, 303], capture: {link: "header:Location", \#(id)}"#,
        Self.statusByLink: "status: {url: \"{link}\"}",
    ]

    @Test(
        "finding 6b: 302 and Location are the job where the manifest says so", arguments: [302, 303],
        ["/jobs/j7?x=1", "../v2/jobs/j7"])
    func aRedirectMayBeTheJob(status: Int, location: String) async throws {
        let server = try ScriptedServer { request in
            request.method == "POST" ? .redirect(to: location, status: status) : .json(["state": "working"])
        }
        defer { server.stop() }
        let lab = try JobLab(port: server.port, Self.byLocation)
        let captured = accepted(try await lab.ask(.submit, nil, job(lab, nil)))
        #expect(captured?["jobId"] == "j7")
        #expect(try await lab.ask(.status, nil, job(lab, captured)).status?.state == .running)
        #expect(
            server.requests.count == 2
                && server.requests.last?.path == (location.hasPrefix("/") ? location : "/v2/jobs/j7"))
    }

    @Test("finding 6b: a redirect that is no job is in doubt", arguments: [("/login", true), ("/jobs/j7", false)])
    func aRedirectThatIsNoJob(location: String, isDeclared: Bool) async throws {
        let server = try ScriptedServer([.redirect(to: location, status: 302)])
        defer { server.stop() }
        let lab = try JobLab(port: server.port, isDeclared ? Self.byLocation : [:])
        #expect(try await lab.ask(.submit, nil, job(lab, nil)).name == "unclear")
        #expect(server.requests.count == 1)
    }

    // MARK: Words

    @Test(
        "finding 6c: what the server said of a submission is said, and that the key may be wrong",
        arguments: [("", "(500), and says no more."), ("Zero Bytes", "(500): “Zero Bytes”.")])
    func aServerThatFallsOver(body: String, words: String) async throws {
        let server = try ScriptedServer([.text(body, status: 500)])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(.submit)
        #expect(answer.name == "unclear" && answer.failure?.message.contains(words) == true, "\(answer)")
        #expect(answer.failure?.remedy?.contains("TEST_KEY") == true)
    }

    @Test(
        "finding 6d: a key that is refused while a job runs has a code of its own",
        arguments: [JobRequest.Verb.status, .collect, .find, .cancel])
    func aKeyThatIsRefused(verb: JobRequest.Verb) async throws {
        let server = try ScriptedServer([.json(["error": "token expired"], status: 401)])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(verb)
        #expect(answer.name == "unreachable" && answer.failure?.code == "keyRefused", "\(answer)")
        #expect(answer.failure?.message == "Test does not accept the key TEST_KEY any more (401): “token expired”.")
        #expect(answer.failure?.remedy?.contains("keys/TEST_KEY") == true)
    }

    @Test("finding 6d: so has 403 of a status")
    func aStatusThatIsForbidden() async throws {
        let server = try ScriptedServer([.text("", status: 403)])
        defer { server.stop() }
        #expect(try await JobLab(port: server.port).ask(.status).failure?.code == "keyRefused")
    }

    /// A link that has expired: the key had no part in it.
    @Test func aLinkThatIsRefusedIsNoMatterOfTheKey() async throws {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/result")
                ? .json(["images": [["url": .string("http://\(request.headers["host"]!)/a.gif")]]])
                : .text("", status: 403)
        }
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(.collect)
        #expect(answer.name == "unreachable" && answer.failure?.code == "forbidden")
    }

    @Test("finding 6e: a file that is gone is called that, once", arguments: [404, 410])
    func aFileThatIsGone(status: Int) async throws {
        let server = try ScriptedServer { request in
            request.path.hasSuffix("/result")
                ? .json(["images": [["url": .string("http://\(request.headers["host"]!)/a.gif")]]])
                : .text("", status: status)
        }
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(.collect)
        #expect(answer.name == "strike" && answer.failure?.code == "resultExpired")
        #expect(
            answer.failure?.message == "The file for image is gone at Test (\(status)), and says no more.",
            "\(answer.failure?.message ?? "")")
    }

    @Test("finding 6f: an answer that is no JSON is of no use", arguments: ["<html>maintenance</html>", "ok", ""])
    func aStatusThatIsNoJSON(body: String) async throws {
        let server = try ScriptedServer([.text(body)])
        defer { server.stop() }
        let answer = try await JobLab(port: server.port).ask(.status)
        #expect(answer.name == "stuck" && answer.failure?.code == "malformedAnswer" && answer.failure?.remedy != nil)
    }
}

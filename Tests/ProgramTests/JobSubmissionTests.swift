import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Submissions in doubt, links, and keys that expire, through the whole program.
@Suite(.process) struct JobSubmissionTests {
    /// It knows the second submission as the first, and cannot be asked for a job.
    private static let unaskable = ["probe: status, ": ""]

    // MARK: Nobody to ask

    @Test("finding 4: with duplicate alone a lost answer is no question")
    func aLostAnswerIsNoQuestion() async throws {
        let jobs = try JobLab([
            "provider": ["again": "conflict"],
            "jobs": [["submit": [["http": 504, "take": true, "retryAfter": 1]], "life": ["value": 1]]],
        ])
        try jobs.rewrite("clientId", Self.unaskable)
        let ending = try await jobs.run("clientId")
        #expect(ending.exit == 0, "\(ending.output)")
        let books = try await jobs.harness.books()
        #expect(books.bought == 1 && books.boughtTwice.isEmpty && books.jobs.first?["submits"] == 2)
    }

    @Test("finding 4: nor is a crash while it is submitted")
    func aCrashIsNoQuestion() async throws {
        let jobs = try JobLab([
            "provider": ["again": "conflict"],
            "jobs": [["submit": [["do": "hang", "take": true]], "life": ["value": 1]]],
        ])
        try jobs.rewrite("clientId", Self.unaskable)
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        let harness = jobs.harness
        let isTaken = await waiting {
            while !process.hasEnded, try harness.ledgerNow(verb: "submit").isEmpty { usleep(10_000) }
            return !process.hasEnded
        }
        #expect(isTaken, "\(process.output)")
        process.end(with: SIGKILL)
        let ending = try await jobs.lab.run("work", "--until-idle", "--json")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        let books = try await jobs.harness.books()
        #expect(books.bought == 1 && books.boughtTwice.isEmpty && books.jobs.first?["submits"] == 2)
        #expect(try await jobs.step()["state"] == "succeeded")
        #expect(try await jobs.lab.json("inbox").isEmpty)
    }

    // MARK: Links

    /// Elsewhere, or not there at all: the id was said, and there is another address to ask.
    @Test(
        "finding 6a: a link that cannot be used gives way to the fallback",
        arguments: [["get": "{{foreign}}/jobs/x"], [:]] as [JSON])
    func aLinkGivesWay(urls: JSON) async throws {
        let jobs = try JobLab(["jobs": [["submit": [["set": ["urls": urls]]], "life": ["value": 1]]]])
        try jobs.rewrite(
            "none",
            [
                "capture: {jobId: $.id}": "capture: {jobId: $.id, link: $.urls.get}",
                #"status: {url: "http://{host}/jobs/{jobId}"}"#:
                    #"status: {url: "{link}", fallback: "http://{host}/jobs/{jobId}"}"#,
            ])
        let ending = try await jobs.run("none")
        #expect(ending.exit == 0, "\(ending.output)")
        let books = try await jobs.harness.books()
        #expect(books.bought == 1 && books.jobs.first?["submits"] == 1)
        #expect(try await jobs.harness.ledger().allSatisfy { $0["port"] != "foreign" })
    }

    @Test("finding 6b: 302 and its Location are the job where the manifest says so")
    func aRedirectIsTheJob() async throws {
        let id = #"jobId: {from: "header:Location", regex: '([^/]+)$'}"#
        let jobs = try JobLab([
            "jobs": [
                [
                    "submit": [["http": 302, "take": true, "headers": ["Location": "/jobs/j-1"]]],
                    "life": ["runningPolls": 1, "value": 1],
                ]
            ]
        ])
        try jobs.rewrite(
            "none",
            [
                "ok: [200, 201], capture: {jobId: $.id}":
                    #"ok: [302], capture: {link: "header:Location", \#(id)}"#,
                #"status: {url: "http://{host}/jobs/{jobId}"}"#: #"status: {url: "{link}"}"#,
            ])
        let ending = try await jobs.run("none")
        #expect(ending.exit == 0, "\(ending.output)")
        #expect(try await jobs.harness.books().bought == 1)
        #expect(try await jobs.harness.ledger(verb: "submit").count == 1)
    }

    // MARK: Keys

    @Test("finding 6d: a key that expires while a job runs is asked for, and the job goes on with another")
    func aKeyThatExpiresIsAskedFor() async throws {
        func script(_ key: String) -> JSON {
            [
                "provider": ["authorization": .string("Bearer \(key)")],
                "jobs": [["life": ["end": "never", "value": 1]]],
            ]
        }
        let jobs = try JobLab(script("sk-first-0"))
        try jobs.rewrite("clientId", [", optional: true": ""])
        func keep(_ key: String) throws {
            try ScratchFolder.makeFolder("\(jobs.lab.home)/config/keys")
            try ScratchFolder.write(key, to: "\(jobs.lab.home)/config/keys/JOB_KEY")
            chmod("\(jobs.lab.home)/config/keys/JOB_KEY", 0o600)
        }
        try keep("sk-first-0")
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(await waiting { process.wait(forOutput: #""runningRemote""#) })
        try await jobs.harness.set(script("sk-second-0"))
        let ending = try await onOwnThread { process.wait() }
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
        let asked = try #require(ending.lines(of: "await.opened").first, "\(ending.output)")
        #expect(
            asked["kind"] == "connect" && asked.text.contains("does not accept the key JOB_KEY any more (401)"),
            "\(asked.text)")
        try keep("sk-second-0")
        try await jobs.lab.succeeds("complete", "1", "--choice", "done")
        let id = try #require(try await jobs.harness.books().jobs.first?["id"]?.string)
        try await jobs.harness.end(job: id, as: "succeeded")
        let work = try await jobs.workUntilIdle()
        #expect(work.exit == 0, "\(work.output)\(work.errors)")
        let books = try await jobs.harness.books()
        #expect(try await jobs.step()["state"] == "succeeded" && books.bought == 1 && books.jobs.first?["submits"] == 1)
    }

    // MARK: Outputs

    private static let printed = [
        "outputs: [{port: json, type: json, from: result, path: $.value, as: json}]":
            #"outputs: [{port: json, type: json, from: logs, regex: '^RESULT (\{.*\})$', as: json}]"#
    ]

    /// The review's: a real cluster, 5,000 bytes, success without an output and without a word.
    @Test("finding 3: a result of 5,000 bytes in a log is the output")
    func aLongLineOfALogIsTheOutput() async throws {
        let value = #"{"a":"\#(String(repeating: "x", count: 5_000))"}"#
        let jobs = try JobLab([
            "jobs": [["life": ["runningPolls": 3, "logs": ["step 1", .string("RESULT \(value)"), "bye"]]]]
        ])
        try jobs.rewrite("clientId", Self.printed)
        let ending = try await jobs.run("clientId")
        #expect(ending.exit == 0, "\(ending.output)")
        #expect(try await jobs.lab.shown()["assets"]?.array?.first?["bytes"]?.int == value.utf8.count)
    }

    @Test("finding 3: a result that was cut fails with words")
    func aCutLineOfALogFails() async throws {
        let jobs = try JobLab([
            "jobs": [["life": ["runningPolls": 3, "logs": [#"RESULT {"a": 1}"#, #"RESULT {"a": "#]]]]
        ])
        try jobs.rewrite("clientId", Self.printed)
        #expect(try await jobs.run("clientId").exit == 1)
        let failure = try await jobs.step()["failure"]
        #expect(
            failure?["code"] == "outputCut" && failure?["message"]?.string?.contains("ends before it is whole") == true,
            "\(failure?.text ?? "")")
    }
}

private func waiting(_ wait: @escaping @Sendable () throws -> Bool) async -> Bool {
    await (try? onOwnThread(wait)) ?? false
}

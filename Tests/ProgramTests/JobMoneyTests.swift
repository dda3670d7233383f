import CaseNames
import Glibc
import Harness
import JSON
import Synchronization
import Testing

/// What a person's money hangs on, through the whole program: jobs that may exist, that cannot be watched, and cancels.
@Suite(.process) struct JobMoneyTests {
    /// A provider whose follow-up addresses come with its answers, in the place of the one without memory.
    private func lab(_ script: JSON, fallback: Bool = false, find: Bool = false, environment: [String: String] = [:])
        throws -> JobLab
    {
        let jobs = try JobLab(script, environment: environment)
        let path = "\(jobs.lab.home)/config/providers/none.yaml"
        var text = try #require(ScratchFolder.text(path))
        func change(_ old: String, _ new: String) throws {
            try #require(text.contains(old), "\(old)")
            text = text.replacing(old, with: new)
        }
        if find {
            try change(
                "{mode: none, ambiguous: ask}",
                #"{mode: reconcile, find: find, match: {path: "$.jobs[*]", equal: [[$.kind, "{kind}"]]}, ambiguous: ask}"#
            )
            try change("  cancel: {method", "  find: {url: \"http://{host}/jobs?limit=100\"}\n  cancel: {method")
        } else {
            let optional = fallback ? "?" : ""
            try change("capture: {jobId: $.id}", #"capture: {jobId: $.id, statusUrl: "$.urls.get\#(optional)"}"#)
            let other = fallback ? #", fallback: "http://{host}/jobs/{jobId}""# : ""
            try change(#"status: {url: "http://{host}/jobs/{jobId}"}"#, #"status: {url: "{statusUrl}"\#(other)}"#)
        }
        if environment["JOB_KEY"] != nil { try change(", optional: true", "") }
        try ScratchFolder.write(text, to: path)
        return jobs
    }

    /// Row 8: what a person found goes on where its id is enough, and is not offered where it is not.
    @Test(arguments: [true, false]) func aJobThatWasFoundGoesOnOrIsNotOffered(fallback: Bool) async throws {
        let jobs = try lab(
            ["jobs": [["submit": [["do": "close", "take": true]], "life": ["value": 1]]]], fallback: fallback)
        #expect(try await jobs.run("none").exit == 3)
        let shown = try await jobs.lab.run("open", "1")
        #expect(shown.output.contains(fallback ? "again, found=ID or fail" : "again or fail"), "\(shown.output)")
        // Nobody looked, so nobody says what was seen.
        let looked = try await jobs.lab.run("complete", "1", "--choice", "look")
        #expect(
            looked.exit == 2
                && (looked.output + looked.errors).contains(fallback ? "again, found=ID or fail" : "again or fail"))
        let id = try #require(try await jobs.harness.books().jobs.first?["id"]?.string)
        let found = try await jobs.lab.run("complete", "1", "--choice", "found=\(id)")
        #expect(found.exit == (fallback ? 0 : 2), "\(found.output)\(found.errors)")
        guard fallback else { return }
        #expect(try await jobs.workUntilIdle().exit == 0)
        #expect(try await jobs.step()["state"] == "succeeded")
        #expect(try await jobs.harness.books().bought == 1)
    }

    /// An address that the provider names at a host that is not its own: known at once, and nobody there hears of it.
    @Test func aForeignAddressEndsTheRunAndSaysThatTheJobMayExist() async throws {
        let jobs = try lab(["jobs": [["submit": [["set": ["urls": ["get": "{{foreign}}/jobs/x"]]]]]]])
        let ending = try await jobs.run("none")
        let failure = try await jobs.step()["failure"]
        #expect(ending.exit == 1 && failure?["code"] == "foreignHost", "\(ending.output)")
        #expect(failure?["message"]?.string?.contains("may be billed") == true && failure?["remedy"]?.string != nil)
        #expect(try await jobs.harness.ledger().allSatisfy { $0["port"] != "foreign" })
    }

    /// Row 8: a provider that does not let its list be read does not hold the step up for ever.
    @Test func aListThatIsRefusedIsAskedAbout() async throws {
        let jobs = try lab(
            [
                "replies": ["list": [["http": 403, "times": "always"]]],
                "jobs": [["submit": [["delayMs": 30_000, "take": true]]]],
            ], find: true
        )
        try jobs.lab.write(jobs.plan([("j", "none", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await eventually { try await jobs.harness.ledger(verb: "submit").count == 1 }, "\(process.output)")
        process.end(with: SIGKILL)
        #expect(try await jobs.lab.run("work", "--until-idle", "--json").exit == 3)
        let inbox = try await jobs.lab.json("inbox")
        #expect(inbox.count { $0["kind"] == "submitUnknown" } == 1, "\(inbox.map(\.text))")
    }

    /// Row 8: a second run with the same input does not take the first one's job for its own.
    @Test func aJobOfAnotherRunIsNotAdopted() async throws {
        let jobs = try lab(
            ["provider": ["honours": []], "jobs": [["times": 1, "life": ["end": "never"]], ["life": ["value": 1]]]],
            find: true)
        try jobs.lab.write(jobs.plan([("j", "none", "ok")]), to: "plan.json")
        let first = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        defer { first.end(with: SIGKILL) }
        #expect(await waiting { first.wait(forOutput: #""phase":"submitted""#) })
        // The second one's request never arrives.
        try await jobs.harness.set([
            "jobs": [["life": ["value": 1]]], "replies": ["submit": [["delayMs": 30_000, "take": false, "http": 503]]],
        ])
        let second = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await eventually { try await jobs.harness.ledger(verb: "submit").count == 2 }, "\(second.output)")
        second.end(with: SIGKILL)
        first.end(with: SIGKILL)
        let work = try jobs.lab.start(["work", "--json"])
        defer { work.end(with: SIGKILL) }
        #expect(await waiting { work.wait(forOutput: #""state":"succeeded""#) }, "\(work.output)")
        let books = try await jobs.harness.books()
        #expect(books.bought == 2 && books.jobs.first?["state"] == "running", "\(books.json.text)")
    }

    /// The worker without the console's environment: a person is asked, and the job goes on.
    @Test func aKeyThatIsMissingLaterIsAskedFor() async throws {
        let jobs = try lab(["jobs": [["life": ["end": "never", "value": 1]]]], environment: ["JOB_KEY": "sk-1234567"])
        try jobs.lab.write(jobs.plan([("j", "none", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(await waiting { process.wait(forOutput: #""runningRemote""#) })
        process.end(with: SIGKILL)
        let without = try await jobs.lab.run(["work", "--until-idle", "--json"], environment: ["JOB_KEY": ""])
        #expect(without.exit == 3, "\(without.output)\(without.errors)")
        let inbox = try await jobs.lab.json("inbox")
        let number = try #require(inbox.first { $0["kind"] == "connect" }?["number"]?.int, "\(inbox.map(\.text))")
        try await jobs.lab.succeeds("complete", "\(number)", "--choice", "done")
        let id = try #require(try await jobs.harness.books().jobs.first?["id"]?.string)
        try await jobs.harness.end(job: id, as: "succeeded")
        let work = try await jobs.workUntilIdle()
        let (books, step) = (try await jobs.harness.books(), try await jobs.step())
        let left = try await jobs.lab.run("inbox", "--json").output
        #expect(
            step["state"] == "succeeded" && books.bought == 1,
            """
            \(work.exit) \(work.output)\(work.errors)
            \(step.text)
            \(books.json.text)
            \(ScratchFolder.names(in: "\(jobs.lab.home)/data/engines"))
            \(left)
            """)
    }

    // MARK: A submission that is answered when the job is done

    /// The shipped manifest of the kind, against a server that waits as that one does.
    @Test(arguments: [true, false]) func aCancelReachesAJobWhoseSubmissionIsNotAnswered(isInTime: Bool) async throws {
        let shared = Mutex<(isCancelled: Bool, submits: Int, cancels: Int)>((false, 0, 0))
        let server = try ScriptedServer { request in
            if request.path.hasSuffix("/cancel") {
                shared.withLock {
                    $0.isCancelled = true; $0.cancels += 1
                }
                return .json([:])
            }
            shared.withLock { $0.submits += 1 }
            let end = ContinuousClock.now + .seconds(patienceSeconds)
            while !shared.withLock({ $0.isCancelled }), ContinuousClock.now < end { usleep(10_000) }
            let id = String(request.path.split(separator: "/").last ?? "")
            return isInTime
                ? .json(["id": .string(id), "status": "canceled"])
                : .json(["id": .string(id), "status": "succeeded", "output": "done"])
        }
        defer { server.stop() }
        let lab = try ProgramLab()
        try ScratchFolder.makeFolder("\(lab.home)/config/tools")
        try ScratchFolder.write(
            "providers: {cog: {host: \"127.0.0.1:\(server.port)\"}}\n", to: "\(lab.home)/config/settings.yaml")
        try ScratchFolder.write(
            """
            tool: assent.tool/v1
            kind: Predict
            title: Predict
            outputs: {text: text}
            params: {prompt: {type: text, default: a cat}}
            effects: [sends]
            class: remote
            idempotent: true
            run: {job: {provider: cog, with: {input: {prompt: "{prompt}"}}}}
            """, to: "\(lab.home)/config/tools/predict.yaml")
        try lab.write(workflow("p", [node("j", "Predict")]), to: "plan.json")
        let process = try lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await eventually { !server.requests.isEmpty }, "\(process.output)")
        try await lab.succeeds("cancel", "w1", "--json")
        let ending = try await onOwnThread { process.wait() }
        let step = try await lab.shown()["steps"]?.array?.first
        #expect(step?["state"]?.string == (isInTime ? "cancelled" : "succeeded"), "\(ending.output)")
        #expect(shared.withLock { $0.submits == 1 && $0.cancels == 1 })
    }
}

private func waiting(_ wait: @escaping @Sendable () -> Bool) async -> Bool { await (try? onOwnThread(wait)) ?? false }

import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// Remote jobs through the whole program, against a provider that does what a script says: each fault of the issue's
/// harness that does not need minutes of waiting (those are in `FlowJobTests` and the simulator, with a clock of their
/// own).
@Suite(.process) struct JobTests {
    @Test func theManifestsOfTheTestsAreGood() async throws {
        let findings = try await JobLab([:]).lab.json("doctor").filter { $0["ok"] == false }
        #expect(findings.isEmpty, "\(findings.map(\.text))")
    }

    @Test(arguments: JobLab.modes) func aJobIsBoughtOnceAndItsResultIsThere(mode: String) async throws {
        let jobs = try JobLab([
            "provider": ["again": "conflict"],
            "jobs": [["life": ["queuedPolls": 1, "runningPolls": 2, "value": ["a": 1]]]],
        ])
        let ending = try await jobs.run(mode)
        #expect(ending.exit == 0, "\(ending.output)")
        let states = ending.lines.filter { $0["type"] == "step.changed" }.compactMap { $0["state"]?.string }
        #expect(
            states.reduce(into: []) { if $0.last != $1 { $0.append($1) } } == [
                "ready", "queuedRemote", "runningRemote", "downloading", "succeeded",
            ])
        let books = try await jobs.harness.books()
        #expect(books.bought == 1 && books.jobs.first?["submits"] == 1)
    }

    /// The answer is lost after the job was taken (row 8): who knows our id is asked again, or looked through; else a
    /// person is asked.
    @Test(arguments: JobLab.modes) func aLostAnswerBuysNothingTwice(mode: String) async throws {
        // The waits between tries are half a minute, so the engine is told by the server when to come again.
        let jobs = try JobLab([
            // A provider that is looked through does not know our names by itself.
            "provider": [
                "again": .string(mode == "clientId" ? "conflict" : "same"),
                "honours": mode == "reconcile" ? [] : ["put", "body", "header"],
            ],
            "jobs": [["submit": [["http": 504, "take": true, "retryAfter": 1]]]],
        ])
        let ending = try await jobs.run(mode)
        let books = try await jobs.harness.books()
        #expect(books.bought == 1 && books.boughtTwice.isEmpty)
        if mode == "none" {
            #expect(ending.exit == 3, "\(ending.output)")
            let opened = try #require(ending.lines.first { $0["type"] == "await.opened" })
            #expect(opened["kind"] == "submitUnknown")
        } else {
            #expect(ending.exit == 0, "\(ending.output)")
        }
    }

    /// The same, when a step before has left a connection behind: what fails on one that was used before is sent anew
    /// by libcurl itself.
    @Test(arguments: JobLab.modes, ["close", "reset"])
    func aLostAnswerOnAWarmConnectionBuysNothingTwice(mode: String, end: String) async throws {
        let jobs = try JobLab([
            "provider": ["honours": []],
            "jobs": [
                ["when": ["kind": "first"], "life": ["value": 1]],
                ["when": ["kind": "second"], "submit": [["do": .string(end), "take": true]], "life": ["value": 2]],
            ],
        ])
        var plan = jobs.plan([("a", mode, "first"), ("b", mode, "second")]).object ?? JSON.Object()
        plan["edges"] = [["from": ["a", "json"], "to": ["b", "after"]]]
        try jobs.lab.write(.object(plan), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        defer { process.end(with: SIGKILL) }
        // Whoever is to try again does so in half a minute; this is about what is sent before anybody decides.
        let isAsked = mode == "none"
        #expect(
            await inBackgroundWait {
                process.wait(forOutput: isAsked ? #""kind":"submitUnknown""# : #""reason":"backoff""#)
            })
        // However long it takes to look: from here on nobody tries again.
        process.end(with: SIGKILL)
        let submits = try await jobs.harness.ledger(verb: "submit")
        #expect(submits.count == 2, "\(submits.map(\.text))")
        #expect(try await jobs.harness.books().bought == 2)
    }

    /// A person looked at the provider and found it.
    @Test func aJobThatAPersonFoundGoesOn() async throws {
        let jobs = try JobLab(["jobs": [["submit": [["do": "close", "take": true]]]]])
        #expect(try await jobs.run("none").exit == 3)
        let id = try #require(try await jobs.harness.books().jobs.first?["id"]?.string)
        let completed = try await jobs.lab.run("complete", "1", "--choice", "found=\(id)", "--json")
        #expect(completed.exit == 0, "\(completed.output)")
        #expect(try await jobs.workUntilIdle().exit == 0)
        #expect(try await jobs.step()["state"] == "succeeded")
        #expect(try await jobs.harness.books().bought == 1)
    }

    /// `semantics.md` 154. Each row: the fault, what becomes of the step, its code,
    /// and what is said meanwhile of why it waits.
    @Test(
        arguments: [
            (
                "malformed", ["status": [["malformed": true, "times": 2]]], "succeeded", nil,
                "something that is no JSON"
            ),
            (
                "a page", ["status": [["raw": "<html>busy</html>", "type": "text/html"]]], "succeeded", nil,
                "something that is no JSON"
            ),
            (
                "errors between", ["life": long, "status": ["ok", ["http": 500], "ok", ["http": 502]]], "succeeded",
                nil, "Reconnecting…"
            ),
            (
                "503 and 504", ["life": long, "status": ["ok", ["http": 504], ["http": 503]]], "succeeded", nil, "(504)"
            ),
            ("reset", ["status": [["do": "reset"], ["do": "close"]]], "succeeded", nil, "Connection reset by peer"),
            (
                "gone for a while", ["life": long, "status": ["ok", ["do": "refuse", "forMs": 700]]], "succeeded", nil,
                "Reconnecting…"
            ),
            (
                "slow", ["status": [["delayMs": 900, "times": 2]], "result": [["drip": ["bytes": 4, "ms": 50]]]],
                "succeeded", nil, nil
            ),
            ("an unknown word once", ["status": [["set": ["status": "pondering"]]]], "succeeded", nil, nil),
            (
                "unknown words", ["status": [["set": ["status": "pondering"], "times": "always"]]], "failed", "jobLost",
                nil
            ),
            ("404", ["status": [["http": 404, "times": "always"]]], "failed", "jobLost", nil),
            ("one 404", ["status": [["http": 404]]], "succeeded", nil, nil),
            ("404 after success", ["result": [["http": 404, "times": "always"]]], "failed", "resultExpired", nil),
            (
                "it fails", ["life": ["end": "failed", "error": ["code": "oom", "message": "No memory."]]], "failed",
                "oom", nil
            ),
            (
                "refused for good", ["submit": [["http": 422, "body": ["error": ["message": "No such model."]]]]],
                "failed", nil, nil
            ),
            ("a huge status", ["status": [["hugeBytes": 3_000_000]]], "succeeded", nil, "larger than 1048576 bytes"),
            (
                "a foreign redirect", ["status": [["redirect": "foreign", "times": 2]]], "succeeded", nil,
                "not among its hosts"
            ),
            (
                "429 with seconds", ["submit": [["http": 429, "retryAfter": 1]]], "succeeded", nil,
                "(429): “The script says 429.”. Trying again in"
            ),
            ("429 with a date", ["submit": [["http": 429, "retryAfterDate": 4]]], "succeeded", nil, "Trying again in"),
            ("503, 503, 200", ["submit": [["http": 503, "retryAfter": 1, "times": 2]]], "succeeded", nil, "(503)"),
        ] as [(String, JSON, String, String?, String?)])
    func aFaultIsWhatItIs(name: String, job: JSON, state: String, code: String?, words: String?) async throws {
        let key = "sk-\(UInt64.random(in: 0...UInt64.max))"
        let jobs = try JobLab(["provider": ["again": "conflict"], "jobs": [job]], environment: ["JOB_KEY": key])
        let ending = try await jobs.run("clientId")
        let step = try await jobs.step()
        #expect(step["state"]?.string == state, "\(ending.output)")
        if let code { #expect(step["failure"]?["code"]?.string == code, "\(step.text)") }
        #expect(ending.exit == (state == "succeeded" ? 0 : 1))
        let said = ending.lines(of: "step.changed").compactMap { $0["words"]?.string }
        if let words { #expect(said.contains { $0.contains(words) }, "\(said)") }
        let books = try await jobs.harness.books()
        #expect(books.boughtTwice.isEmpty && books.bought <= 1)
        let ledger = try await jobs.harness.ledger()
        // Whatever the script holds was met, or the row shows nothing.
        #expect(name == "it fails" || ledger.contains { $0["fault"] != nil }, "\(ledger)")
        // The key goes to the provider and nowhere else.
        #expect(ledger.allSatisfy { $0["at"] != "foreign" }, "nothing came to the foreign host")
        #expect(!ending.output.contains(key))
        for file in ScratchFolder.files(under: jobs.lab.home) {
            #expect(ScratchFolder.text(file)?.contains(key) != true, "\(file)")
        }
    }

    /// Long enough to meet what happens after the first look.
    private static let long: JSON = ["runningPolls": 4]

    /// `semantics.md` 28, 132, 172: what was sent and what came back is no part of the log, nor is the key.
    @Test func dataWithoutAFormIsV1AndTheLogSaysSo() async throws {
        let jobs = try JobLab(["jobs": [["life": ["value": "hush-result"]]]], environment: ["JOB_KEY": "hush-key"])
        try jobs.lab.write(
            workflow("hush-title", [node("hush-node", "PutJob", ["kind": "ok", "input": ["mark": "hush-input"]])]),
            to: "plan.json")
        try await jobs.lab.succeeds("run", "plan.json", "--mode", "auto", "--json")
        #expect(try await jobs.harness.books().jobs.first?["input"]?["mark"] == "hush-input", "it was sent")
        let asset = try await jobs.lab.shown()["assets"]?.array?.first
        #expect(asset?["meta"]?["providerSchema"] == "v1", "\(asset?.text ?? "")")
        let log = try #require(ScratchFolder.text("\(jobs.lab.home)/data/log"))
        #expect(log.contains("did not name the form") && !log.contains("hush"), "\(log)")
    }

    /// `semantics.md` 145: a server that says how long is not asked before that, whichever way it says it.
    @Test(arguments: [["retryAfter": 2], ["retryAfterDate": 3]] as [JSON]) func aWaitThatIsAskedForIsKept(form: JSON)
        async throws
    {
        var refusal = form.object!
        refusal["http"] = 429
        let jobs = try JobLab(["provider": ["again": "conflict"], "jobs": [["submit": [.object(refusal)]]]])
        let ending = try await jobs.run("clientId")
        #expect(ending.exit == 0, "\(ending.output)")
        let times = try await jobs.harness.ledger(verb: "submit").compactMap { line in
            // Seconds of the day.
            line["at"]?.string?.split { !$0.isNumber && $0 != "." }.dropFirst(3).compactMap { Double($0) }.reduce(0) {
                $0 * 60 + $1
            }
        }
        try #require(times.count == 2)
        let waited = (times[1] - times[0] + 86_400).truncatingRemainder(dividingBy: 86_400)
        // A date has whole seconds. How much longer it took is another matter.
        #expect(waited >= 2, "\(waited)")
        #expect(ending.lines(of: "step.changed").contains { $0["reason"] == "backoff" })
    }

    // MARK: Cancelling

    @Test(
        arguments: [
            ("at once", [:], "cancelled", "cancelled"),
            ("after two polls", ["cancelPolls": 2], "cancelled", "cancelled"),
            ("it finishes all the same", ["cancelling": "finishes", "runningPolls": 200], "succeeded", nil),
        ] as [(String, JSON, String, String?)])
    func aCancelTellsTheTruth(name: String, life: JSON, state: String, code: String?) async throws {
        var life = life.object ?? JSON.Object()
        if life["cancelling"] == nil { life["end"] = "never" }
        let jobs = try JobLab(["jobs": [["life": .object(life)]]])
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(await inBackgroundWait { process.wait(forOutput: #""phase":"submitted""#) })
        try await jobs.lab.succeeds("cancel", "w1", "--json")
        let ending = try await onOwnThread { process.wait() }
        let step = try await jobs.step()
        #expect(step["state"]?.string == state, "\(ending.output)")
        #expect(step["failure"]?["code"]?.string == code)
        #expect(try await jobs.harness.books().jobs.first?["cancels"] == 1)
    }

    @Test func aProviderThatRefusesToCancelIsSaidSo() async throws {
        let jobs = try JobLab(["jobs": [["life": ["end": "never"], "cancel": [["http": 405, "times": "always"]]]]])
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(await inBackgroundWait { process.wait(forOutput: #""phase":"submitted""#) })
        try await jobs.lab.succeeds("cancel", "w1", "--json")
        _ = try await onOwnThread { process.wait() }
        #expect(try await jobs.step()["failure"]?["code"] == "cancelUnsupported")
    }

    // MARK: Crashes

    /// `semantics.md` 139: relaunch restores the state, and polling goes on. Killed at the place that the events name.
    @Test(arguments: ["submitIntent", "submitted", "runningRemote", "collecting"])
    func aKilledProgramGoesOnWithItsJob(place: String) async throws {
        let jobs = try JobLab([
            "provider": ["again": "conflict"],
            "jobs": [
                [
                    "life": ["queuedPolls": 2, "runningPolls": 4, "value": 1], "submit": [["delayMs": 300]],
                    "result": [["delayMs": 300]],
                ]
            ],
        ])
        try jobs.lab.write(jobs.plan([("j", "clientId", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(await inBackgroundWait { process.wait(forOutput: "\"\(place)\"") })
        process.end(with: SIGKILL)
        let ending = try await jobs.lab.run("work", "--until-idle", "--json")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(try await jobs.step()["state"] == "succeeded")
        let books = try await jobs.harness.books()
        #expect(books.bought == 1 && books.boughtTwice.isEmpty)
        #expect(try await jobs.step()["attempt"] == 1, "it is one run")
    }

    /// Nobody knows, so nobody buys.
    @Test func aCrashInTheSubmissionToAProviderWithoutMemoryIsAskedAbout() async throws {
        let jobs = try JobLab(["jobs": [["submit": [["delayMs": 30_000]]]]])
        try jobs.lab.write(jobs.plan([("j", "none", "ok")]), to: "plan.json")
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await eventually { try await jobs.harness.ledger(verb: "submit").count == 1 }, "\(process.output)")
        process.end(with: SIGKILL)
        _ = try await jobs.lab.run("work", "--until-idle", "--json")
        #expect(try await jobs.step()["state"] == "awaitingUser")
        let inbox = try await jobs.lab.json("inbox")
        #expect(inbox.count { $0["kind"] == "submitUnknown" } == 1, "\(inbox)")
    }
}

/// A wait that blocks, off the cooperative pool.
private func inBackgroundWait(_ wait: @escaping @Sendable () -> Bool) async -> Bool {
    await (try? onOwnThread(wait)) ?? false
}

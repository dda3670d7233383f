import Glibc
import Harness
import JSON
import Testing

/// The limit of money a workflow, through the whole program.
@Suite struct JobBudgetTests {
    private static let budgetPlan: JSON = workflow(
        "jobs", [node("a", JobLab.kind("put"), ["kind": "ok"]), node("b", JobLab.kind("put"), ["kind": "ok"])],
        [edge("a.json", "b.after")])

    /// Jobs that cost what `price` says, at a host that is allowed for jobs.
    private func lab(price: String?, script: JSON = ["jobs": [["life": ["value": 1]]]], settings: String? = nil) throws -> JobLab {
        let jobs = try JobLab(script)
        let path = "\(jobs.lab.home)/config/tools/put.yaml"
        let tool = try #require(ScratchFolder.text(path))
        let effects = "effects: [sends, spends]" + (price.map { "\nprice: \($0)" } ?? "")
        try ScratchFolder.write(tool.replacing("effects: [sends]", with: effects), to: path)
        if let settings { try ScratchFolder.write(settings, to: "\(jobs.lab.home)/config/settings.yaml") }
        // This machine needs no yes, so `hosts allow` stores none; one that is stored stands for that of a remote host.
        let allowed: JSON = ["v": 1, "hosts": [["host": .string("http://\(jobs.harness.host)"), "use": "jobs", "at": 1]]]
        try ScratchFolder.write(allowed.text, to: "\(jobs.lab.home)/config/hosts.json")
        #expect(chmod("\(jobs.lab.home)/config/hosts.json", 0o600) == 0)
        try jobs.lab.write(Self.budgetPlan, to: "plan.json")
        return jobs
    }

    private func reasons(_ jobs: JobLab) async throws -> [String] {
        try await jobs.lab.json("inbox").compactMap { $0["reason"]?.string }
    }

    @Test func anUnknownPriceAsksOnceAWorkflow() async throws {
        let jobs = try lab(price: nil)
        let ending = try await jobs.lab.run("run", "plan.json", "--on-ask", "park", "--json")
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
        let asked = try await jobs.lab.json("inbox")
        #expect(asked.count == 1 && asked[0]["reason"] == "spends, and what it costs is not known (adaptive mode)", "\(asked)")
        let digest = try #require(asked[0]["digest"]?.string)
        try await jobs.lab.succeeds("approve", "1", "--digest", digest)
        try await jobs.lab.succeeds("work", "--until-idle")
        #expect(try await jobs.step("w1", 2)["state"] == "succeeded")
        #expect(try await jobs.harness.books().bought == 2)
        // Another workflow is asked about anew.
        #expect(try await jobs.lab.run("run", "plan.json", "--on-ask", "park", "--json").exit == 3)
        #expect(try await jobs.harness.books().bought == 2)
    }

    @Test(arguments: ["adaptive", "auto"]) func aKnownPriceAsksOnlyPastTheLimit(mode: String) async throws {
        let jobs = try lab(price: "0.6")
        let ending = try await jobs.lab.run("run", "plan.json", "--mode", mode, "--on-ask", "park", "--json")
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
        let reasons = try await reasons(jobs)
        #expect(
            reasons.count == 1 && reasons[0].hasPrefix("0.6 $ of 1 $ are spent in w1; this call costs 0.6 $"), "\(reasons)")
        #expect(try await jobs.harness.books().bought == 1)
        let denied = try await jobs.lab.run("run", "plan.json", "--mode", mode, "--on-ask", "deny", "--json")
        #expect(denied.exit != 0 && denied.output.contains("0.6 $ of 1 $ are spent in w2"), "\(denied.output)")
    }

    @Test func theLimitIsThePersons() async throws {
        let jobs = try lab(price: "0.6", settings: "budget: {workflow: 1.2}\n")
        let ending = try await jobs.lab.run("run", "plan.json", "--json")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(try await jobs.harness.books().bought == 2)
    }

    @Test(arguments: ["budget: {workflow: -1}", "budget: {daily: 1}", "budget: {workflow: much}"])
    func aBudgetThatIsNoneIsRefusedWithItsLine(settings: String) async throws {
        let jobs = try lab(price: "0.6", settings: "mode: adaptive\n\(settings)\n")
        let ending = try await jobs.lab.run("run", "plan.json", "--json")
        let words = ending.output + ending.errors
        #expect(ending.exit != 0 && words.contains("badSettings") && words.contains("settings.yaml:2"), "\(words)")
        #expect(try await jobs.harness.books().bought == 0)
    }

    /// Each call is a workflow of its own: a limit for each would be none for all of them.
    @Test(arguments: ["0.4", ""]) func aModelSpendsNothingUnasked(price: String) async throws {
        let jobs = try lab(price: price.isEmpty ? nil : price)
        let call = SSE.call("call_tool", ["kind": .string(JobLab.kind("put")), "params": ["kind": "ok"]])
        let model = try ScriptedServer([.stream(call), .stream(SSE.text("So be it."))])
        let environment = ["ASSENT_MODEL_URL": model.url + "/v1", "ASSENT_MODEL": "m"]
        let ending = try await jobs.lab.run(["ask", "pay", "--on-ask", "deny", "--json"], environment: environment)
        // The call came as far as the gate.
        #expect(ending.lines(of: "workflow.created").count == 1, "\(ending.output)\(ending.errors)")
        #expect(model.requests.count == 2 && model.requests.last?.text.contains("denied") == true, "\(ending.output)")
        #expect(try await jobs.harness.books().bought == 0)
    }

    /// What was let go counts before it is submitted, and after kill -9.
    @Test func whatWasSpentOutlivesTheProcess() async throws {
        let jobs = try lab(
            price: "0.6", script: ["jobs": [["life": ["runningMs": 1_500, "value": 1]]]])
        let process = try jobs.lab.start(["run", "plan.json", "--mode", "auto", "--json"])
        #expect(try await eventually { try await jobs.harness.ledger(verb: "submit").count == 1 }, "\(process.output)")
        process.end(with: SIGKILL)
        #expect(try await jobs.lab.run("work", "--until-idle", "--json").exit == 3)
        let reasons = try await reasons(jobs)
        #expect(reasons.contains { $0.hasPrefix("0.6 $ of 1 $ are spent in w1") }, "\(reasons)")
        #expect(try await jobs.harness.books().bought == 1)
    }
}

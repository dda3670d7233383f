import CaseNames
import Glibc
import Harness
import JSON
import Testing

/// The limit of money of a workflow and of a turn, through the whole program.
@Suite(.process) struct JobBudgetTests {
    private static let budgetPlan: JSON = workflow(
        "jobs", [node("a", JobLab.kind("put"), ["kind": "ok"]), node("b", JobLab.kind("put"), ["kind": "ok"])],
        [edge("a.json", "b.after")])

    /// Jobs that cost what `price` says, at a host that is allowed for jobs.
    private func lab(price: String?, script: JSON = ["jobs": [["life": ["value": 1]]]], settings: String? = nil)
        async throws -> JobLab
    {
        let jobs = try JobLab(script)
        let path = "\(jobs.lab.home)/config/tools/put.yaml"
        let tool = try #require(ScratchFolder.text(path))
        let effects = "effects: [sends, spends]" + (price.map { "\nprice: \($0)" } ?? "")
        try ScratchFolder.write(tool.replacing("effects: [sends]", with: effects), to: path)
        try await jobs.lab.succeeds("hosts", "allow", "http://\(jobs.harness.host)", "--for", "jobs")
        if let settings { try ScratchFolder.write(settings, to: "\(jobs.lab.home)/config/settings.yaml") }
        try jobs.lab.write(Self.budgetPlan, to: "plan.json")
        return jobs
    }

    private func reasons(_ jobs: JobLab) async throws -> [String] {
        try await jobs.lab.json("inbox").compactMap { $0["reason"]?.string }
    }

    @Test func anUnknownPriceAsksOnceAWorkflow() async throws {
        let jobs = try await lab(price: nil)
        let ending = try await jobs.lab.run("run", "plan.json", "--on-ask", "park", "--json")
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
        let asked = try await jobs.lab.json("inbox")
        #expect(
            asked.count == 1 && asked[0]["reason"] == "spends, and what it costs is not known (adaptive mode)",
            "\(asked)")
        let digest = try #require(asked[0]["digest"]?.string)
        try await jobs.lab.succeeds("approve", "1", "--digest", digest)
        #expect(try await jobs.workUntilIdle().exit == 0)
        #expect(try await jobs.step("w1", 2)["state"] == "succeeded")
        #expect(try await jobs.harness.books().bought == 2)
        // Another workflow is asked about anew.
        #expect(try await jobs.lab.run("run", "plan.json", "--on-ask", "park", "--json").exit == 3)
        #expect(try await jobs.harness.books().bought == 2)
    }

    @Test(arguments: ["adaptive", "auto"]) func aKnownPriceAsksOnlyPastTheLimit(mode: String) async throws {
        let jobs = try await lab(price: "0.6")
        let ending = try await jobs.lab.run("run", "plan.json", "--mode", mode, "--on-ask", "park", "--json")
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
        let reasons = try await reasons(jobs)
        #expect(
            reasons.count == 1 && reasons[0].hasPrefix("0.6 $ of 1 $ are spent in w1; this call costs 0.6 $"),
            "\(reasons)")
        #expect(try await jobs.harness.books().bought == 1)
        let denied = try await jobs.lab.run("run", "plan.json", "--mode", mode, "--on-ask", "deny", "--json")
        #expect(denied.exit != 0 && denied.output.contains("0.6 $ of 1 $ are spent in w2"), "\(denied.output)")
    }

    @Test func theLimitIsThePersons() async throws {
        let jobs = try await lab(price: "0.6", settings: "budget: {workflow: 1.2}\n")
        let ending = try await jobs.lab.run("run", "plan.json", "--json")
        #expect(ending.exit == 0, "\(ending.output)\(ending.errors)")
        #expect(try await jobs.harness.books().bought == 2)
    }

    @Test(arguments: ["budget: {workflow: -1}", "budget: {daily: 1}", "budget: {workflow: much}"])
    func aBudgetThatIsNoneIsRefusedWithItsLine(settings: String) async throws {
        let jobs = try await lab(price: "0.6", settings: "mode: adaptive\n\(settings)\n")
        let ending = try await jobs.lab.run("run", "plan.json", "--json")
        let words = ending.output + ending.errors
        #expect(ending.exit != 0 && words.contains("badSettings") && words.contains("settings.yaml:2"), "\(words)")
        #expect(try await jobs.harness.books().bought == 0)
    }

    private func ask(
        _ jobs: JobLab, _ model: ScriptedServer, _ options: String..., mode: String = "adaptive", onAsk: String = "deny"
    ) async throws -> ProgramEnding {
        let environment = ["ASSENT_MODEL_URL": model.url + "/v1", "ASSENT_MODEL": "m"]
        return try await jobs.lab.run(
            ["ask", "pay", "--json", "--mode", mode, "--on-ask", onAsk] + options, environment: environment)
    }

    /// A model that makes so many calls of the paid tool, one a reply.
    private func model(calls: Int) throws -> ScriptedServer {
        let call = SSE.call("call_tool", ["kind": .string(JobLab.kind("put")), "params": ["kind": "ok"]])
        return try ScriptedServer(Array(repeating: .stream(call), count: calls) + [.stream(SSE.text("So be it."))])
    }

    @Test(arguments: ["adaptive", "auto"]) func theWorkflowsOfATurnHaveOneLimit(mode: String) async throws {
        let jobs = try await lab(price: "0.4")
        let (first, second) = (try model(calls: 4), try model(calls: 4))
        let ending = try await ask(jobs, first, mode: mode)
        // The third passes it; who is told no asks no more.
        #expect(try await jobs.harness.books().bought == 2, "\(ending.output)\(ending.errors)")
        let words = "0.8 $ of 1 $ are spent in this turn of s1; this call costs 0.4 $"
        #expect(first.requests.last?.text.contains(words) == true, "\(first.requests.last?.text.suffix(2000) ?? "")")
        // What a person asks for next has a limit of its own.
        let next = try await ask(jobs, second, "--continue", mode: mode)
        #expect(try await jobs.harness.books().bought == 4, "\(next.output)\(next.errors)")
    }

    /// Workflows of older turns that spent nothing are no purse: whatever a turn takes up again counts in it.
    @Test(arguments: ["adaptive", "auto"]) func whatATurnRetriesHasItsLimit(mode: String) async throws {
        let jobs = try await lab(price: "0.6")
        let plan = workflow(
            "jobs", [node("r", "ReadFile", ["path": "later.txt"]), node("a", JobLab.kind("put"), ["kind": "ok"])],
            [edge("r.text", "a.after")])
        for turn in 1...3 {
            let model = try ScriptedServer([
                .stream(SSE.call("propose_workflow", plan)), .stream(SSE.text("It is not there.")),
            ])
            let ending = try await turn == 1 ? ask(jobs, model, mode: mode) : ask(jobs, model, "--continue", mode: mode)
            #expect(ending.lines(of: "workflow.created").count == 1, "\(ending.output)\(ending.errors)")
        }
        try jobs.lab.write("later", to: "later.txt")
        let retries = (1...3).map { ScriptAnswer.stream(SSE.call("retry", ["workflow": .string("w\($0)")])) }
        let model = try ScriptedServer(retries + [.stream(SSE.text("So be it."))])
        let ending = try await ask(jobs, model, "--continue", mode: mode)
        #expect(try await jobs.harness.books().bought == 1, "\(ending.output)\(ending.errors)")
        #expect(
            model.requests.last?.text.contains("0.6 $ of 1 $ are spent") == true,
            "\(model.requests.last?.text.suffix(2000) ?? "")")
    }

    /// What fails and is billed all the same would be bought as often as the model likes.
    @Test func aYesToAnUnknownPriceIsNoneForARetryByTheModel() async throws {
        let failing: JSON = ["jobs": [["life": ["end": "failed"]]]]
        let jobs = try await lab(price: nil, script: failing)
        let parked = try await ask(jobs, try model(calls: 1), onAsk: "park")
        #expect(parked.exit == 3, "\(parked.output)\(parked.errors)")
        let asked = try await jobs.lab.json("inbox")
        _ = try await jobs.lab.run("approve", "1", "--digest", try #require(asked.first?["digest"]?.string))
        try await jobs.workUntilIdle()
        let bought = try await jobs.harness.books().bought
        #expect(bought >= 1)
        let retry = SSE.call("retry", ["workflow": "w1"])
        let model = try ScriptedServer([.stream(retry), .stream(retry), .stream(SSE.text("So be it."))])
        let ending = try await ask(jobs, model, "--continue")
        #expect(try await jobs.harness.books().bought == bought, "\(ending.output)\(ending.errors)")
    }

    @Test func aModelSpendsNothingOfUnknownPriceUnasked() async throws {
        let jobs = try await lab(price: nil)
        let model = try model(calls: 1)
        let ending = try await ask(jobs, model)
        // The call came as far as the gate.
        #expect(ending.lines(of: "workflow.created").count == 1, "\(ending.output)\(ending.errors)")
        #expect(model.requests.count == 2 && model.requests.last?.text.contains("denied") == true, "\(ending.output)")
        #expect(try await jobs.harness.books().bought == 0)
    }

    /// A yes to it is for one workflow, and a model makes as many as it likes.
    @Test func aYesToAnUnknownPriceIsForOneWorkflowOfATurn() async throws {
        let jobs = try await lab(price: nil)
        let ending = try await ask(jobs, try model(calls: 2), onAsk: "park")
        #expect(ending.exit == 3, "\(ending.output)\(ending.errors)")
        let asked = try await jobs.lab.json("inbox")
        #expect(
            asked.count == 2
                && asked.allSatisfy {
                    $0["reason"]?.string?.hasPrefix("spends, and what it costs is not known") == true
                })
        try await jobs.lab.succeeds("approve", "1", "--digest", try #require(asked[0]["digest"]?.string))
        // The other one waits.
        #expect(try await jobs.workUntilIdle().exit == 3)
        #expect(try await jobs.harness.books().bought == 1)
        #expect(try await jobs.lab.json("inbox").count == 1)
    }

    /// What was let go counts before it is submitted, and after kill -9.
    @Test func whatWasSpentOutlivesTheProcess() async throws {
        let jobs = try await lab(
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

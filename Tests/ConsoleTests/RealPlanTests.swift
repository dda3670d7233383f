import CaseNames
import Glibc
import Harness
import JSON
import Testing
import Vocabulary
import Workflows

/// Random plans with the real tools, sandbox and store: the files and the ends of the steps are those of a serial
/// interpreter, in auto mode and with the answers given in any order.
///
/// `PLAN_SEED` and `REAL_PLANS` choose other plans.
@Suite struct RealPlanTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    private static var plans: [RandomPlan] {
        let first = number("PLAN_SEED") ?? 1
        return (0..<(number("REAL_PLANS") ?? 20)).map { RandomPlan(seed: first &+ $0) }
    }

    private static func lab(_ plan: RandomPlan) throws -> VerbLab {
        let lab = try VerbLab()
        for (name, content) in plan.before { try lab.write(content, to: name) }
        try lab.write(plan.template.json.text, to: "../plan.json")
        return lab
    }

    /// Returns the files and the ends of the steps. An archive only counts as there or not.
    private static func result(_ lab: VerbLab) async throws -> RandomPlan.Result {
        var files: [String: String] = [:]
        for name in lab.names() { files[name] = name == "z.zip" ? "" : lab.text(name) }
        let words = ["succeeded": "ok", "failed": "failed", "cancelled": "declined", "blocked": "held"]
        return RandomPlan.Result(files: files, steps: try await lab.states().map { words[$0] ?? $0 })
    }

    private static func expected(_ plan: RandomPlan, declines: Bool) -> RandomPlan.Result {
        var result = plan.interpreted(declines: declines)
        if result.files["z.zip"] != nil { result.files["z.zip"] = "" }
        result.steps = result.steps.map { $0.hasPrefix("exit") ? "ok" : $0 }
        return result
    }

    @Test(arguments: plans) func inAutoMode(plan: RandomPlan) async throws {
        let lab = try Self.lab(plan)
        let ending = try await lab.run("run", lab.path("../plan.json"), "--mode", "auto")
        let result = try await Self.result(lab)
        #expect(
            result == Self.expected(plan, declines: false),
            "seed \(plan.seed): \(plan.template.json.text)\n\(ending.output)\(ending.errors)")
    }

    @Test(arguments: plans) func withAnswersInAnyOrder(plan: RandomPlan) async throws {
        let lab = try Self.lab(plan)
        var random = Seeded(plan.seed)
        _ = try await lab.run("run", lab.path("../plan.json"), "--mode", "always-ask")
        for _ in 0..<(4 * plan.steps.count) {
            let open = try await lab.json("inbox").filter { $0["number"] != nil || $0["await"] != nil }
            guard let entry = open.randomElement(using: &random) else { break }
            let number = (entry["number"] ?? entry["await"])?.int.map(String.init) ?? ""
            let rows = lab.rows()
            if plan.declined.contains(rows.place(entry["step"]?.int ?? 0) - 1) {
                _ = try await lab.run("reject", number)
            } else {
                _ = try await lab.run("approve", number, "--digest", entry["digest"]?.string ?? "")
            }
            _ = try await lab.run("work", "--until-idle")
        }
        let result = try await Self.result(lab)
        #expect(result == Self.expected(plan, declines: true), "seed \(plan.seed): \(plan.template.json.text)")
    }
}

extension RandomPlan: CustomTestStringConvertible {
    public var testDescription: String { "seed \(seed)" }
}

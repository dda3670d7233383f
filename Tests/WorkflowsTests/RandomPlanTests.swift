import CaseNames
import Glibc
import JSON
import Testing

@testable import Workflows

/// Random plans end as a serial interpreter says, in every mode, with the answers in any order, and after a kill.
///
/// `PLAN_SEED` and `PLAN_COUNT` choose other plans. `make soak` plays 5,000 from a new place.
@Suite struct RandomPlanTests {
    private static func number(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }

    private static let first = number("PLAN_SEED") ?? 1
    private static let count = number("PLAN_COUNT") ?? 200
    private static var plans: [RandomPlan] { (0..<count).map { RandomPlan(seed: first &+ $0) } }

    /// Returns how the runs of a plan differ from what the serial interpreter says.
    private static func differences(_ plan: RandomPlan, _ fault: RandomPlanRun.Fault? = nil) -> [String] {
        var found: [String] = []
        for mode in RandomPlanRun.Mode.allCases {
            let expected = plan.interpreted(declines: mode != .auto)
            for kills in [false, true] {
                guard var run = RandomPlanRun(plan, mode, kills: kills, fault: fault) else {
                    return ["seed \(plan.seed): the plan has problems"]
                }
                let result = run.result()
                guard result != expected else { continue }
                found.append("seed \(plan.seed), \(mode), kill \(kills): \(result), not \(expected)")
            }
        }
        return found
    }

    @Test func everyPlanEndsAsIfItsStepsRanInTheirOrder() {
        let plans = Self.plans
        for plan in plans {
            let text = plan.template.text
            #expect(text == plan.template.json.text)
            #expect(TemplateReader.read(Array(text.utf8), isStored: true).0 == plan.template)
            let found = Self.differences(plan)
            #expect(found.isEmpty, "\(found.first ?? "")\n\(plan.template.json.text)")
        }
        let conflicts = plans.count(where: \.hasConflict)
        let failing = plans.count { $0.interpreted(declines: true).steps.contains { $0 != "ok" } }
        print(
            "random plans: \(plans.count) from \(Self.first), \(conflicts) with a conflict, \(failing) with a failure")
        #expect(conflicts * 2 >= plans.count && failing * 4 >= plans.count)
    }

    @Test(arguments: RandomPlanRun.Fault.allCases) func aPlantedFaultIsFound(fault: RandomPlanRun.Fault) {
        let plans = Self.plans.prefix(200)
        let found = plans.count { !Self.differences($0, fault).isEmpty }
        print("random plans: \(fault) is found by \(found) of \(plans.count)")
        #expect(found > 0)
    }
}

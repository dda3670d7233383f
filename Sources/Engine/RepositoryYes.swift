import Consent
import Vocabulary

extension Loop {
    /// Returns the decision of the policy on a call. A person's yes to reading the repository around a workspace holds
    /// for the next commands there (`consent.md`, "Rehearsal").
    func decision(
        on call: Call, _ policy: Policy, _ allowance: Allowance, _ now: Moment, of carried: Carried
    ) throws(Failure) -> Decision {
        let workflow = carried.record
        func decided(_ call: Call) -> Decision {
            policy.decide(
                call, mode: workflow.mode, allowance: allowance, in: world.surroundings(workflow.workspace), at: now)
        }
        let decision = decided(call)
        guard case .ask = decision, workflow.mode != .alwaysAsk, let repository = call.repository,
            let plain = call.withoutRepository, case .allow = decided(plain),
            try world.ledger.mayReadRepository(call, workflow.id, policy.epoch, now)
        else { return decision }
        return .allow(because: ["reading the repository \(repository) was approved in this folder"])
    }
}

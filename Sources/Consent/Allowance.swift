package import Vocabulary

/// What a workflow, or a turn of a conversation, may do without a question of its own: where its jobs may go, and what
/// it may spend.
package struct Allowance: Hashable, Sendable {
    /// Whose it is, as a person says it: `w3`, `this turn of s2`.
    package var owner: String
    /// What it may spend before it asks (settings, `budget.workflow`).
    package var limit: Dollars
    package var spending: Spending
    /// `host:port` that this call, a job, may go to: the person has allowed them for jobs. Empty for every other call.
    package var jobHosts: Set<String>

    package init(
        owner: String = "this workflow", limit: Dollars = Limits.workflowBudget, spending: Spending = Spending(),
        jobHosts: Set<String> = []
    ) {
        self.owner = owner
        self.limit = limit
        self.spending = spending
        self.jobHosts = jobHosts
    }

    /// Whether a target asks nothing by itself: money is judged by the call, and jobs may go where the person lets
    /// them.
    func covers(_ target: Call.Target) -> Bool {
        switch target.effect {
        case .spends: true
        case .sends:
            !target.isPrivate && target.hostPlace != .metadata && (target.place.host.map(jobHosts.contains) ?? false)
        case .reads, .creates, .overwrites, .deletes, .executes: false
        }
    }

    /// Why a call would pass the limit, in words; `nil` if it does not. Of what costs nobody knows what, the limit is
    /// passed once all is spent.
    func passedLimit(by call: Call) -> String? {
        guard call.allEffects.contains(.spends) else { return nil }
        let spent = "\(spending.spent) of \(limit) are spent in \(owner)"
        guard let price = call.price else {
            return spending.spent < limit ? nil : "\(spent); what this call costs is not known"
        }
        return spending.spent + price <= limit ? nil : "\(spent); this call costs \(price)"
    }

    /// Why money alone lets a call ask, in words; `nil` if it does not.
    func objection(toSpendingOf call: Call) -> String? {
        guard call.allEffects.contains(.spends) else { return nil }
        if let passed = passedLimit(by: call) { return passed }
        return call.price == nil && !spending.hasYesToUnknownPrice ? "spends, and what it costs is not known" : nil
    }
}

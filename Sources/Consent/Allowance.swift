package import Vocabulary

/// The permissions of a workflow, or of a turn of a conversation, for which no question is asked: the hosts of its jobs
/// and the money that it may spend.
package struct Allowance: Hashable, Sendable {
    /// The owner in words for the user, such as `w3` or `this turn of s2`.
    package var owner: String
    /// The amount that may be spent without a question (settings, `budget.workflow`).
    package var limit: Dollars
    package var spending: Spending
    /// The hosts (`host:port`) that the user has allowed for this call if it is a job. The set is empty for every other
    /// call.
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

    /// Returns whether a target needs no question by itself. Money is judged for the whole call, and jobs may use
    /// allowed hosts.
    func covers(_ target: Call.Target) -> Bool {
        switch target.effect {
        case .spends: true
        case .sends:
            !target.isPrivate && target.hostPlace != .metadata && (target.place.host.map(jobHosts.contains) ?? false)
        case .reads, .creates, .overwrites, .deletes, .executes: false
        }
    }

    /// Returns the reason why a call would pass the limit, in words, or `nil` if it would not. A call of unknown price
    /// passes the limit once all of it is spent.
    func passedLimit(by call: Call) -> String? {
        guard call.allEffects.contains(.spends) else { return nil }
        let spent = "\(spending.spent) of \(limit) are spent in \(owner)"
        guard let price = call.price else {
            return spending.spent < limit ? nil : "\(spent); what this call costs is not known"
        }
        return spending.spent + price <= limit ? nil : "\(spent); this call costs \(price)"
    }

    /// Returns the reason in words why the cost of a call requires a question, or `nil` if it does not.
    func objection(toSpendingOf call: Call) -> String? {
        guard call.allEffects.contains(.spends) else { return nil }
        if let passed = passedLimit(by: call) { return passed }
        return call.price == nil && !spending.hasYesToUnknownPrice ? "spends, and what it costs is not known" : nil
    }
}

package import Vocabulary

extension Policy {
    /// Returns the decision of the policy on a call. Denies precede asks, and asks precede allows. Only a person or a
    /// grant can turn an ask into an allow.
    ///
    /// - Parameters:
    ///   - grants: the grants whose scope (workflow, session, workspace) applies here.
    ///   - allowance: the allowance of the workflow, before this call.
    package func decide(
        _ call: Call, mode: ConfirmationMode, grants: [Grant] = [], allowance: Allowance = Allowance(),
        in surroundings: Surroundings,
        at now: Moment
    ) -> Decision {
        let matching = rules.filter { $0.isAbout(call, in: surroundings) }
        let denies = matching.filter { $0.verdict == .deny }.map { $0.because(call, in: surroundings) }
        if !denies.isEmpty { return .deny(because: denies) }
        if let unreadable, !call.onlyReads { return .deny(because: ["the policy cannot be read: \(unreadable)"]) }
        let asks = matching.filter { $0.verdict == .ask }
        switch mode {
        // It was asked for before it was run, and has changed nothing.
        case .alwaysAsk where call.isPlayedRead && asks.isEmpty:
            return .allow(because: ["the rehearsed command changes nothing"])
        case .alwaysAsk where call.isLayout && asks.isEmpty:
            return .allow(because: ["it is asked about once its changes are known"])
        case .alwaysAsk:
            let words =
                asks.map { $0.because(call, in: surroundings) } + objections(to: call, allowance, in: surroundings)
            return .ask(because: words + ["always-ask mode"])
        case .auto:
            return autoDecision(
                call, asks: asks, allowance, surroundings, objections(to: call, allowance, in: surroundings))
        case .adaptive:
            let allows = matching.filter { $0.verdict == .allow }
            return adaptiveDecision(call, asks: asks, allows: allows, grants: grants, allowance, surroundings, now)
        }
    }

    /// Returns whether a rule asks about this call or denies it, in any mode.
    ///
    /// - Parameter surroundings: asked for only if a rule may be about the call. They take longer than most steps.
    package func holdsBack(_ call: Call, in surroundings: @autoclosure () -> Surroundings) -> Bool {
        let rules = rules.filter { $0.verdict != .allow && $0.conditions.mayTouch(call) }
        guard !rules.isEmpty else { return false }
        let surroundings = surroundings()
        return rules.contains { $0.isAbout(call, in: surroundings) }
    }

    private func autoDecision(
        _ call: Call, asks: [Rule], _ allowance: Allowance, _ surroundings: Surroundings,
        _ objections: @autoclosure () -> [String]
    ) -> Decision {
        let passed = allowance.passedLimit(by: call).map { [$0] } ?? []
        let firm =
            asks.filter(\.isEvenInAuto).map { $0.because(call, in: surroundings) } + call.gitReasons
            + [call.failedCheck].compactMap(\.self)
            + (call.reachesOut ? objections() : passed)
        guard firm.isEmpty else { return .ask(because: firm) }
        if call.disclosesKeys { return .ask(because: [disclosedKeys]) }
        if call.isCommand { return .ask(because: ["commands that are not rehearsed ask in every mode"]) }
        if let reason = call.reasonForNoSandbox {
            return .ask(because: ["what others wrote runs without a sandbox: \(reason)"])
        }
        return .allow(because: ["auto mode"])
    }

    private func adaptiveDecision(
        _ call: Call, asks: [Rule], allows: [Rule], grants: [Grant], _ allowance: Allowance,
        _ surroundings: Surroundings, _ now: Moment
    ) -> Decision {
        let objections = objections(to: call, allowance, in: surroundings)
        let isAllowed = !allows.isEmpty && !call.isGrave && call.gitReasons.isEmpty
        let words =
            asks.map { $0.because(call, in: surroundings) } + [call.failedCheck].compactMap(\.self)
            + (isAllowed ? [] : objections.map { "\($0) (adaptive mode)" })
        guard !words.isEmpty else {
            let reasons = allows.map { $0.because(call, in: surroundings) }
            return .allow(because: objections.isEmpty ? ["nothing to ask for (adaptive mode)"] : reasons)
        }
        // A standing yes is for a kind of call, not for any number of them.
        guard !asks.contains(where: \.isEvenInAuto), call.gitReasons.isEmpty, allowance.passedLimit(by: call) == nil,
            let grant = grants.first(where: { $0.covers(call, in: surroundings, at: now) })
        else { return .ask(because: words) }
        return .allow(because: ["grant \(grant.id)"])
    }
}

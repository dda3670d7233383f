import Vocabulary

/// One rule of a policy, with the place where it is written.
package struct Rule: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable { case allow, ask, deny }

    package var conditions: Conditions
    package var verdict: Verdict
    package var reason: String
    /// Whether an `ask` holds in auto mode too, and against grants.
    package var isEvenInAuto: Bool
    /// `policy.yaml:14`.
    package var source: String

    package init(
        _ verdict: Verdict, _ conditions: Conditions, reason: String, isEvenInAuto: Bool = false, source: String
    ) {
        self.conditions = conditions
        self.verdict = verdict
        self.reason = reason
        self.isEvenInAuto = isEvenInAuto
        self.source = source
    }

    func isAbout(_ call: Call, in surroundings: Surroundings) -> Bool {
        switch verdict {
        case .allow: conditions.contains(call, in: surroundings)
        case .ask, .deny: conditions.touches(call, in: surroundings)
        }
    }

    var because: String { "\(reason) (\(source))" }
}

/// All rules that hold, and a name for exactly this set of them. Where no rule speaks, the mode decides.
package struct Policy: Hashable, Sendable {
    package var rules: [Rule]
    /// Changes with every source: an approval holds under one epoch only (`consent.md` guarantee 1).
    package var epoch: String
    /// Why a source could not be read: then effects are refused and reads go on (`consent.md` guarantee 5).
    package var unreadable: String?

    package init(rules: [Rule], epoch: String, unreadable: String? = nil) {
        self.rules = rules
        self.epoch = epoch
        self.unreadable = unreadable
    }

    /// No rules at all: what the modes do by themselves.
    package static let modesOnly = Policy(rules: [], epoch: sha256(of: "assent.policy/v1 modes").hex)

    /// For a file that is there and cannot be read or parsed. A file that is missing is no policy, and normal.
    ///
    /// - Parameter reason: with the place: "policy.yaml:3: unknown key 'tol'".
    package static func unreadable(_ reason: String) -> Policy {
        Policy(rules: [], epoch: sha256(of: "unreadable \(reason)").hex, unreadable: reason)
    }

    /// Built-in, user and workspace policies as one. An unreadable one disables none of the others.
    package static func joined(_ policies: [Policy]) -> Policy {
        let reasons = policies.compactMap(\.unreadable)
        return Policy(
            rules: policies.flatMap(\.rules), epoch: sha256(of: policies.map(\.epoch).joined(separator: "\n")).hex,
            unreadable: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
}

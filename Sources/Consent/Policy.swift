import Vocabulary

/// A rule of a policy, with the place where it is written.
package struct Rule: Hashable, Sendable {
    package enum Verdict: String, Hashable, Sendable, CaseIterable { case allow, ask, deny }

    package var conditions: Conditions
    package var verdict: Verdict
    package var reason: String
    /// Whether an `ask` also applies in auto mode, and to calls that a grant covers.
    package var isEvenInAuto: Bool
    /// The place of the rule, such as `policy.yaml:14`.
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

    /// Returns the reason of the rule for a call. If the rule matches only since a file on another mount may have any
    /// name, the reason names the mount.
    func because(_ call: Call, in surroundings: Surroundings) -> String {
        let mount = conditions.mountOfUnclearNames(in: call, surroundings).flatMap { $0.mountName(in: surroundings) }
        guard let mount else { return "\(reason) (\(source))" }
        return
            "\(mount) is mounted here from elsewhere, so a file on it may have another name; perhaps \(reason) (\(source))"
    }
}

/// A set of rules with a name for exactly this set. If no rule matches a call, the mode decides.
package struct Policy: Hashable, Sendable {
    package var rules: [Rule]
    /// A name for the set of rules, which changes with every source. An approval is valid under one epoch only
    /// (`consent.md` guarantee 1).
    package var epoch: String
    /// The reason why a source could not be read, or `nil`. While it is set, effects are refused and reads are still
    /// allowed (`consent.md` guarantee 5).
    package var unreadable: String?

    package init(rules: [Rule], epoch: String, unreadable: String? = nil) {
        self.rules = rules
        self.epoch = epoch
        self.unreadable = unreadable
    }

    /// A policy without rules, under which the mode alone decides.
    package static let modesOnly = Policy(rules: [], epoch: sha256(of: "assent.policy/v1 modes").hex)

    /// Returns the policy for a file that exists and cannot be read or parsed. A missing file is normal, and is not a
    /// policy.
    ///
    /// - Parameter reason: the reason with the place, such as "policy.yaml:3: unknown key 'tol'".
    package static func unreadable(_ reason: String) -> Policy {
        Policy(rules: [], epoch: sha256(of: "unreadable \(reason)").hex, unreadable: reason)
    }

    /// Returns built-in, user and workspace policies as one. A policy that cannot be read leaves the rules of the
    /// others in force.
    package static func joined(_ policies: [Policy]) -> Policy {
        let reasons = policies.compactMap(\.unreadable)
        return Policy(
            rules: policies.flatMap(\.rules), epoch: sha256(of: policies.map(\.epoch).joined(separator: "\n")).hex,
            unreadable: reasons.isEmpty ? nil : reasons.joined(separator: "; "))
    }
}

import CaseNames
import Consent
import JSON
import Testing
import Vocabulary

private func paid(_ cents: Int?, to host: String = "jobs.example.org:443") -> Call {
    var job = call("Upscale", [.sends, .spends], [.send(host), Call.Target(.spends, .host(host), reach: .remote)])
    job.price = cents.map { Dollars(millionths: $0 * 10_000) }
    return job
}

private func allowance(_ spentCents: Int = 0, knowsYes: Bool = false, isHostAllowed: Bool = true) -> Allowance {
    Allowance(
        owner: "w3",
        spending: Spending(spent: Dollars(millionths: spentCents * 10_000), hasYesToUnknownPrice: knowsYes),
        jobHosts: isHostAllowed ? ["jobs.example.org:443"] : [])
}

private let sends = "sends to jobs.example.org:443 (adaptive mode)"
private let unknown = "spends, and what it costs is not known (adaptive mode)"
private let passed = "0.96 $ of 1 $ are spent in w3; this call costs 0.08 $"

/// What a call costs, what was spent; what adaptive mode asks for, and what auto mode does.
private let cases: [Named<(Call, Allowance, adaptive: [String], auto: [String])>] = [
    Named("known, within", (paid(8), allowance(92), [], [])),
    Named("known, past", (paid(8), allowance(96), [passed + " (adaptive mode)"], [passed])),
    Named(
        "known, past, after a yes to an unknown one",
        (paid(8), allowance(96, knowsYes: true), [passed + " (adaptive mode)"], [passed])),
    Named("free, at the limit", (paid(0), allowance(100), [], [])),
    Named("unknown, the first", (paid(nil), allowance(), [unknown], [])),
    Named("unknown, the second", (paid(nil), allowance(knowsYes: true), [], [])),
    Named(
        "unknown, all spent",
        (
            paid(nil), allowance(100, knowsYes: true),
            ["1 $ of 1 $ are spent in w3; what this call costs is not known (adaptive mode)"],
            ["1 $ of 1 $ are spent in w3; what this call costs is not known"]
        )),
    Named("known, to a host that is not allowed", (paid(8), allowance(isHostAllowed: false), [sends], [])),
    Named(
        "unknown, to a host that is not allowed", (paid(nil), allowance(isHostAllowed: false), [sends, unknown], [])),
    Named(
        "to the metadata service",
        {
            let host = "169.254.169.254:443"
            return (
                paid(8, to: host), Allowance(jobHosts: [host]),
                ["sends to \(host), the metadata service of this machine (adaptive mode)"], []
            )
        }()),
]

@Test(arguments: cases) private func moneyAsksOnlyPastItsLimit(
    _ example: Named<(Call, Allowance, adaptive: [String], auto: [String])>
) {
    let (call, allowance, adaptive, auto) = example.value
    func words(_ mode: ConfirmationMode) -> [String] {
        let decision = Policy.modesOnly.decide(call, mode: mode, allowance: allowance, in: surroundings, at: noon)
        guard case .ask(let because) = decision else { return [] }
        return because
    }
    #expect(words(.adaptive) == adaptive)
    #expect(words(.auto) == auto)
    #expect(words(.alwaysAsk).last == "always-ask mode")
}

@Test func aRuleWinsAndAGrantDoesNotPassTheLimit() {
    let grant = Grant(
        id: "g1", tool: "Upscale", toolVersion: toolVersion, conditions: Conditions(effects: [.sends, .spends]))
    func decided(_ policy: Policy, _ spent: Int, grants: [Grant] = []) -> String {
        policy.decide(paid(8), mode: .adaptive, grants: grants, allowance: allowance(spent), in: surroundings, at: noon)
            .name
    }
    func policy(_ verdict: Rule.Verdict) -> Policy {
        Policy(rules: [Rule(verdict, Conditions(effects: [.spends]), reason: "r", source: "p:1")], epoch: "e")
    }
    #expect(decided(.modesOnly, 0) == "allow")
    #expect(decided(policy(.ask), 0) == "ask" && decided(policy(.deny), 0) == "deny")
    #expect(decided(policy(.allow), 96) == "ask" && decided(.modesOnly, 96, grants: [grant]) == "ask")
}

@Test func aPriceIsPartOfTheCallAndOfItsQuestion() throws {
    #expect(digest(of: paid(8)) != digest(of: paid(9)) && digest(of: paid(0)) != digest(of: paid(nil)))
    #expect(try Call(json: paid(8).json) == paid(8))
    #expect(title(of: paid(4)).hasPrefix("spend about 0.04 $ at jobs.example.org:443"))
}

@Test(
    arguments: [
        (JSON.double(0.04), 40_000), (.int(2), 2_000_000), (.double(0.000001), 1), (.int(0), 0),
        (.double(0.0000001), nil), (.int(-1), nil),
        (.double(-0.01), nil), (.string("1"), nil), (.int(1_000_001), nil),
    ] as [(JSON, Int?)])
private func dollarsAreExact(written: JSON, millionths: Int?) {
    #expect(Dollars(written)?.millionths == millionths)
}

@Test func spendingCountsWhatIsLetGo() {
    var spending = Spending()
    spending.count(paid(nil), isSaidByPerson: false)
    spending.count(call("Resize"), isSaidByPerson: true)
    #expect(spending == Spending())
    spending.count(paid(8), isSaidByPerson: false)
    spending.count(paid(nil), isSaidByPerson: true)
    #expect(spending == Spending(spent: Dollars(millionths: 80_000), hasYesToUnknownPrice: true))
}

import Harness
import Consent
import JSON
import Testing
import Vocabulary

/// `consent.md` guarantee 4: deny dominates in every combination of sources and modes, and adding risk never loosens.

private func strictness(_ decision: Decision) -> Int {
    switch decision {
    case .allow: 0
    case .ask: 1
    case .deny: 2
    }
}

private func some<Element>(_ all: [Element], _ percent: Int, _ random: inout Seeded) -> [Element] {
    all.filter { _ in random.chance(percent) }
}

private let folders = ["/home/ana/photos", "/home/ana/photos/out", "/home/ana", "/tmp", "out", "~/papers"]
private let hosts = ["example.org", "*.example.org", "127.0.0.1:8080"]
private let paths = [
    "/home/ana/photos/a", "/home/ana/photos/out/b", "/home/ana/papers/c", "/tmp/d", "/etc/e", "relative",
    "/home/../etc", "/home/ana/photos/out/Afile", "/home/ana/photos/hooks/run.py", "/home/ana/photos/.tool.json",
]

private func conditions(_ verdict: Rule.Verdict, _ random: inout Seeded) -> Conditions {
    var conditions = Conditions(
        tools: random.chance(30) ? ["T*", "Other"] : [],
        effects: random.chance(60) ? Set(some(Effect.allCases, 50, &random)) : nil,
        reach: random.chance(40) ? Reach.allCases.randomElement(using: &random) : nil,
        isIrreversible: random.chance(30) ? (verdict == .allow ? random.chance(50) : true) : nil,
        folders: random.chance(30) ? some(folders, 40, &random) : [],
        hosts: random.chance(20) ? some(hosts, 50, &random) : [],
        params: random.chance(20) ? ["width": .atMost(100)] : [:], names: random.chance(15) ? ["out/*", "c"] : [])
    if verdict != .allow, random.chance(15) { conditions.forms = some(FileForm.allCases, 50, &random) }
    return conditions
}

private func policy(_ random: inout Seeded, verdicts: [Rule.Verdict] = Rule.Verdict.allCases) -> Policy {
    let rules = (0..<Int.random(in: 0...4, using: &random)).map { index in
        let verdict = verdicts.randomElement(using: &random)!
        return Rule(
            verdict, conditions(verdict, &random), reason: "r\(index)",
            isEvenInAuto: verdict == .ask && random.chance(30),
            source: "p:\(index)")
    }
    return Policy(rules: rules, epoch: "e", unreadable: random.chance(5) ? "broken" : nil)
}

private func target(_ random: inout Seeded) -> Call.Target {
    let effect = Effect.allCases.randomElement(using: &random)!
    let reach = Reach.allCases.randomElement(using: &random)!
    switch effect {
    case .sends, .spends:
        return Call.Target(
            effect, .host(["a.example.org:443", "127.0.0.1:8080"].randomElement(using: &random)!), reach: reach)
    case .reads, .creates, .overwrites, .deletes, .executes:
        let before: Call.Before = [.absent, .unlooked, .sample].randomElement(using: &random)!
        var target = Call.Target(effect, .path(paths.randomElement(using: &random)!), reach: reach, before: before)
        target.isOwn = random.chance(30)
        if random.chance(20) { target.otherPaths = some(paths, 40, &random) }
        return target
    }
}

private func randomCall(_ random: inout Seeded) -> Call {
    let params: JSON = random.chance(50) ? ["width": [50, 800, "wide"].randomElement(using: &random)!] : [:]
    return call(
        "Tool", Set(some(Effect.allCases, 20, &random)),
        (0..<Int.random(in: 0...2, using: &random)).map { _ in target(&random) },
        undo: random.chance(20) ? .no : .yes(how: "x"), params: params)
}

private func riskier(_ call: Call, _ random: inout Seeded) -> Call {
    var worse = call
    switch Int.random(in: 0..<6, using: &random) {
    case 0: worse.effects.insert(Effect.allCases.randomElement(using: &random)!)
    case 1:
        let target = target(&random)
        // A target for an effect that had none says where it happens: that is less risk, not more.
        let isPlacing =
            worse.effects.contains(target.effect) || (worse.effects.contains(.creates) && target.effect == .overwrites)
        if !isPlacing || worse.targets.contains(where: { $0.effect == target.effect }) { worse.targets.append(target) }
    case 2: worse.reversibility = .no
    case 3:
        guard let index = worse.targets.indices.randomElement(using: &random) else { return worse }
        worse.targets[index].reach = max(worse.targets[index].reach, Reach.allCases.randomElement(using: &random)!)
    case 4:
        guard let index = worse.targets.indices.randomElement(using: &random) else { return worse }
        switch Int.random(in: 0..<5, using: &random) {
        case 0: worse.targets[index].hasOtherNames = true
        case 4 where worse.targets[index].isWritten:
            worse.targets[index].change = Call.Change(kind: .file, mode: 0o755)
        case 3: worse.targets[index].otherPaths += some(paths, 40, &random)
        case 1: worse.targets[index].isPrivate = true
        default: worse.targets[index].resembles = "other"
        }
    default:
        guard let index = worse.targets.indices.randomElement(using: &random), worse.targets[index].effect == .creates
        else { return worse }
        worse.targets[index].before = .sample
    }
    return worse
}

extension Call.Target {
    fileprivate var isWritten: Bool { effect == .creates || effect == .overwrites }
}

private func grant(_ random: inout Seeded) -> Grant {
    Grant(id: "g1", tool: "Tool", toolVersion: toolVersion, conditions: conditions(.allow, &random))
}

@Test(arguments: 1...8) func addingRiskNeverLoosens(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<3_000 {
        let policy = policy(&random)
        let grants = random.chance(40) ? [grant(&random)] : []
        let call = randomCall(&random)
        let worse = riskier(call, &random)
        for mode in ConfirmationMode.allCases {
            let before = policy.decide(call, mode: mode, grants: grants, in: surroundings, at: noon)
            let after = policy.decide(worse, mode: mode, grants: grants, in: surroundings, at: noon)
            #expect(
                strictness(after) >= strictness(before), "\(mode): \(before) → \(after)\n\(call)\n\(worse)\n\(policy)")
        }
    }
}

@Test(arguments: 11...14) func addingARuleThatAsksOrDeniesNeverLoosens(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<3_000 {
        let one = policy(&random)
        let other = policy(&random, verdicts: [.ask, .deny])
        let grants = random.chance(40) ? [grant(&random)] : []
        let call = randomCall(&random)
        for mode in ConfirmationMode.allCases {
            let alone = one.decide(call, mode: mode, grants: grants, in: surroundings, at: noon)
            for joined in [Policy.joined([one, other]), Policy.joined([other, one])] {
                let both = joined.decide(call, mode: mode, grants: grants, in: surroundings, at: noon)
                #expect(strictness(both) >= strictness(alone), "\(mode): \(alone) → \(both)\n\(call)\n\(joined)")
            }
        }
    }
}

@Test(arguments: 21...24) func denyDominates(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<2_000 {
        let call = randomCall(&random)
        let deny = Policy(
            rules: [Rule(.deny, Conditions(tools: ["Tool"]), reason: "never", source: "deny:1")], epoch: "d")
        let sources = [deny, policy(&random), policy(&random, verdicts: [.allow])].shuffled(using: &random)
        let everything = Grant(
            id: "g", tool: "Tool", toolVersion: toolVersion,
            conditions: Conditions(effects: Set(Effect.allCases), reach: .remote, isIrreversible: true))
        for mode in ConfirmationMode.allCases {
            let decision = Policy.joined(sources).decide(
                call, mode: mode, grants: [everything], in: surroundings, at: noon)
            #expect(decision.name == "deny")
            #expect(decision.because.contains("never (deny:1)"))
        }
    }
}

@Test(arguments: 31...32) func grantsOnlyLowerAskToAllow(seed: UInt64) {
    var random = Seeded(seed)
    for _ in 0..<3_000 {
        let policy = policy(&random)
        let call = randomCall(&random)
        let grant = grant(&random)
        for mode in ConfirmationMode.allCases {
            let without = policy.decide(call, mode: mode, in: surroundings, at: noon)
            let with = policy.decide(call, mode: mode, grants: [grant], in: surroundings, at: noon)
            #expect(with.name == without.name || (without.name == "ask" && with.name == "allow" && mode == .adaptive))
        }
    }
}

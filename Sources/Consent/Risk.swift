import Vocabulary

/// What a call does, at its worst: whatever says more counts, the call or one of its targets.
extension Call {
    var allEffects: Set<Effect> {
        effects.union(targets.map(\.effect)).union(targets.contains(where: \.replacesFile) ? [.overwrites] : [])
    }

    /// Effects that no target places: they may be anywhere. What overwrites has created.
    var unplacedEffects: Set<Effect> {
        let placed = Set(targets.map(\.effect))
        return effects.subtracting(placed).subtracting(placed.contains(.overwrites) ? [.creates] : [])
    }

    var isIrreversible: Bool { reversibility == .no }

    /// Nobody judges command lines yet, so they ask in every mode (`decisions.md`, Approvals).
    var isShell: Bool { tool == "Shell" || targets.contains { $0.place.command != nil } }

    /// What a rule cannot allow, only a grant that names it (`consent.md`, Modes).
    var isGrave: Bool { isIrreversible || isShell || !allEffects.isDisjoint(with: [.spends, .sends, .executes]) }

    var onlyReads: Bool { allEffects.subtracting([.reads]).isEmpty && !isIrreversible }
}

extension Call.Target {
    /// A creation where something is: whatever the tool calls it.
    fileprivate var replacesFile: Bool {
        guard effect == .creates, case .file = before else { return false }
        return true
    }

    /// Whether nothing can be there yet: a new name is taken with O_EXCL, a path must have been looked at.
    fileprivate var isNew: Bool {
        switch (place, before) {
        case (.newName, .unlooked), (_, .absent): true
        case (_, .file), (_, .unlooked): false
        }
    }
}

/// Why adaptive mode does not let a call pass by itself, in words; empty if it does.
func objections(to call: Call, in surroundings: Surroundings) -> [String] {
    var objections: [String] = []
    func object(_ words: String?) {
        if let words, !objections.contains(words) { objections.append(words) }
    }
    for target in call.targets { object(objection(to: target, in: surroundings)) }
    for effect in call.unplacedEffects.sorted() { object("\(effect.rawValue), and does not say what or where") }
    if call.isIrreversible { object("cannot be undone") }
    if call.isShell { object("a shell command can do anything") }
    return objections
}

private func objection(to target: Call.Target, in surroundings: Surroundings) -> String? {
    let place = target.isOnThisMachine ? "on this machine, outside the workspace" : surroundings.reach(of: target).inWords
    switch target.effect {
    case .reads, .creates:
        guard surroundings.reach(of: target) == .workspace else { return "\(target.effect.rawValue) \(place)" }
        guard !surroundings.isHome else { return "\(target.effect.rawValue) in the home folder itself" }
        return target.effect == .reads || target.isNew ? nil : "may overwrite \(place)"
    case .overwrites, .deletes: return "\(target.effect.rawValue) \(place)"
    case .sends: return "sends to \(target.place.host ?? "somewhere")"
    case .spends: return "spends"
    case .executes: return "runs a program with arguments of its own choice"
    }
}

extension Reach {
    var inWords: String {
        switch self {
        case .workspace: "in the workspace"
        case .outside: "outside the workspace"
        case .remote: "on another machine"
        }
    }
}

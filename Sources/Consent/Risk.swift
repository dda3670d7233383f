import Vocabulary

/// The risk of a call at its worst. If the call and its targets differ, the riskier one counts.
extension Call {
    var allEffects: Set<Effect> {
        effects.union(targets.map(\.effect)).union(targets.contains(where: \.replacesFile) ? [.overwrites] : [])
    }

    /// The effects that none of the targets has, so that they may happen anywhere. A target that is overwritten covers
    /// `creates`, too.
    var unplacedEffects: Set<Effect> {
        let placed = Set(targets.map(\.effect))
        return effects.subtracting(placed).subtracting(placed.contains(.overwrites) ? [.creates] : [])
    }

    var isIrreversible: Bool { reversibility == .no }

    /// Whether the call is a command without a rehearsal. Its effects are not known, so it asks in every mode.
    var isCommand: Bool { rehearsal == nil && (tool == "Shell" || targets.contains { $0.place.command != nil }) }

    /// Whether no rule can allow the call, but at most a grant that names it (`consent.md`, "Modes").
    var isGrave: Bool {
        isIrreversible || isCommand || disclosesKeys || !allEffects.isDisjoint(with: [.spends, .sends, .executes])
    }

    /// Whether content that may hold keys gets a name that does not reveal this, so that commands and models could read
    /// it.
    var disclosesKeys: Bool { targets.contains { $0.isPrivate && ($0.effect == .creates || $0.effect == .overwrites) } }

    /// Returns the deleted files that exist afterwards in the workspace under a new name. This holds for a rehearsed
    /// command and for a move.
    fileprivate func moved(in surroundings: Surroundings) -> Set<Call.Target> {
        let folders = movedFolders(in: surroundings)
        var come: [Call.Change: Int] = [:]
        func asMoved(_ target: Call.Target) -> Call.Change? {
            guard surroundings.reach(of: target) == .workspace, !target.isPrivate else { return nil }
            return target.change?.asMoved(isAlone: isOneMove)
        }
        for target in targets
        where target.effect == .creates && target.before == .absent && !folders.come.contains(target) {
            if let change = asMoved(target) { come[change, default: 0] += 1 }
        }
        var moved = folders.gone
        for target in targets where target.effect == .deletes && !moved.contains(target) {
            guard let change = asMoved(target), let left = come[change], left > 0 else { continue }
            come[change] = left - 1
            moved.insert(target)
        }
        return moved
    }

    /// Whether the call moves one file, link or folder, by its targets: nothing else is deleted, and what else is
    /// created lies in the new folder.
    var isOneMove: Bool {
        guard rehearsal == nil, targets.count >= 2, targets[0].effect == .deletes, targets[1].effect == .creates,
            let to = targets[1].place.path
        else { return false }
        return targets.dropFirst(2).allSatisfy { target in
            target.effect == .creates && target.place.path?.path(below: to) != nil && targets[1].change?.kind == .folder
        }
    }

    /// Whether the call is a rehearsed command that would change nothing.
    var isPlayedRead: Bool { if case .done = rehearsal { onlyReads && targets.isEmpty } else { false } }

    /// The reason to ask about edits in every mode: their check did not pass. It is nil for other calls.
    var failedCheck: String? {
        guard case .done(let played) = rehearsal, tool == "Edit", played.exitCode != 0, !targets.isEmpty else {
            return nil
        }
        return "the check of these edits ended with exit code \(played.exitCode)"
    }

    /// Whether the call only lays out what it would change. It runs no command, and is asked about afterwards.
    var isLayout: Bool { rehearsal == .wanted && targets.isEmpty }

    var onlyReads: Bool { allEffects.subtracting([.reads]).isEmpty && !isIrreversible }
}

extension Call.Target {
    /// Whether the target creates a file at a place where one exists, whatever effect the tool declares.
    fileprivate var replacesFile: Bool {
        guard effect == .creates, case .file = before else { return false }
        return true
    }

    /// Whether the existing file was inspected, was made by Assent, and is unchanged.
    fileprivate var isOwnFile: Bool { if case .file(_, _, _, _, .some) = before { isOwn } else { false } }

    /// Whether the place of the target is certainly free. A new name is created with O_EXCL, and a path must have been
    /// inspected.
    fileprivate var isNew: Bool {
        switch (place, before) {
        case (.newName, .unlooked), (_, .absent): true
        case (_, .file), (_, .unlooked): false
        }
    }
}

/// Returns the reasons in words why adaptive mode asks about a call. The list is empty if it does not.
func objections(to call: Call, _ allowance: Allowance, in surroundings: Surroundings) -> [String] {
    // A rehearsal is judged after it has run. Until then it changes nothing.
    guard call.rehearsal != .wanted || call.reachesOut else { return [] }
    var objections: [String] = []
    func object(_ words: String?) {
        if let words, !objections.contains(words) { objections.append(words) }
    }
    let moved = call.moved(in: surroundings)
    for reason in call.gitObjections { object(reason) }
    for target in call.targets where !moved.contains(target) && !allowance.covers(target) {
        guard !call.isTold(target) || surroundings.reach(of: target) > .workspace else { continue }
        object(objection(to: target, in: surroundings))
        object(objectionToName(of: target))
    }
    object(allowance.objection(toSpendingOf: call))
    if let reason = call.reasonForNoSandbox { object("runs without a sandbox: \(reason)") }
    for effect in call.unplacedEffects.sorted() { object("\(effect.rawValue), and does not say what or where") }
    if call.isIrreversible { object("cannot be undone") }
    if call.reachesOut { object("what a command sends or reads elsewhere cannot be judged afterwards") }
    if call.isCommand {
        object(
            call.isBare
                ? "a command on the bare machine can do anything that you can"
                : "nobody knows what this command will do")
    }
    return objections
}

extension Call.Target {
    /// Returns the name of the mount on which the target lies, as seen from the workspace. Returns `nil` if it lies on
    /// the mount of the workspace.
    func mountName(in surroundings: Surroundings) -> String? {
        mount.map { $0.path(below: surroundings.workspace) ?? $0 }
    }
}

let disclosedKeys = "writes what may hold keys under a name that does not tell so: commands and models can read it then"

private func objection(to target: Call.Target, in surroundings: Surroundings) -> String? {
    let place =
        target.isOnThisMachine ? "on this machine, outside the workspace" : surroundings.reach(of: target).inWords
    if let mount = target.mountName(in: surroundings) {
        return "\(target.effect.rawValue) a file on \(mount), which is mounted here from elsewhere"
    }
    switch target.effect {
    case .reads where target.hasOtherNames, .overwrites where target.hasOtherNames, .deletes where target.hasOtherNames:
        return "\(target.effect.rawValue) a file that has another name, perhaps outside the workspace"
    case .reads where target.isPrivate: return "reads a file that may hold keys"
    case .deletes where target.isPrivate: return "moves a file that may hold keys"
    case .creates where target.isPrivate, .overwrites where target.isPrivate: return disclosedKeys
    case .creates where target.hasOtherNames:
        return "creates a file that may have another name: not all links of the workspace could be looked at"
    case .creates where target.change?.leadsTo != nil && !target.leadsInside(surroundings.workspace):
        return "makes a link that may lead out of the workspace"
    case .reads, .creates:
        guard surroundings.reach(of: target) == .workspace else { return "\(target.effect.rawValue) \(place)" }
        guard !surroundings.isHome else { return "\(target.effect.rawValue) in the home folder itself" }
        return target.effect == .reads || target.isNew ? nil : "may overwrite \(place)"
    case .overwrites where target.isOwnFile && surroundings.reach(of: target) == .workspace && !surroundings.isHome:
        return nil
    // Nothing that anybody wrote is lost with a time.
    case .overwrites where target.setsTimeOnly && surroundings.reach(of: target) == .workspace && !surroundings.isHome:
        return nil
    case .overwrites, .deletes: return "\(target.effect.rawValue) \(place)"
    case .sends:
        let isMetadata = target.hostPlace == .metadata
        return "sends to \(target.place.host ?? "somewhere")"
            + (isMetadata ? ", the metadata service of this machine" : "")
    case .spends: return "spends"
    case .executes: return target.place.command == nil ? "runs a program with arguments of its own choice" : nil
    }
}

extension Call.Target {
    /// Returns whether a new link leads into the workspace by its own text, whatever other links exist. If the text
    /// goes up after it went down, the answer is no, since a folder on the way may be a link.
    fileprivate func leadsInside(_ workspace: String) -> Bool {
        guard let leadsTo = change?.leadsTo, let path = place.path, path.isUnder(workspace),
            leadsTo.utf8.first != UInt8(ascii: "/"),
            let below = path.path(below: workspace)
        else { return false }
        var depth = below.pathNames.count - 1
        var hasGoneDown = false
        for part in leadsTo.pathNames where part != "." {
            guard part == ".." else {
                hasGoneDown = true
                continue
            }
            depth -= 1
            if hasGoneDown || depth < 0 { return false }
        }
        return true
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

extension Call.Change {
    /// Returns the properties that stay the same if a file is renamed. Returns `nil` if the change has no hash, or is
    /// not a single file.
    ///
    /// - Parameter isAlone: whether nothing else is created or deleted. Only then do links, empty files and whole
    ///   folders count, since one empty file equals any other. The hash of a folder is over all in it.
    fileprivate func asMoved(isAlone: Bool) -> Call.Change? {
        guard kind == .file || isAlone, entries == 1 || kind == .folder, bytes > 0 || isAlone, hash != nil else {
            return nil
        }
        guard kind == .folder else { return afterMove }
        return Call.Change(kind: .folder, bytes: bytes, hash: hash)
    }
}

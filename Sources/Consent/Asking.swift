package import Vocabulary

/// Returns the question for a call, in words. File names and hosts are raw, so the result must be made safe before it
/// reaches a screen.
///
/// - Parameters:
///   - call: the call without secrets (`redacted`).
///   - subject: the step in words, such as `step 3 of "Weekly notes"`.
///   - plan: the other calls that one yes may cover, by step. They are shown and hashed in their planned form. Calls
///     that need a typed word are left out, since they ask by themselves.
///   - leftOut: the steps of the plan whose call is not known yet.
package func question(
    for call: Call, subject: String, decision: Decision, mode: ConfirmationMode, plan: [(step: Int, call: Call)] = [],
    leftOut: [Question.LeftOut] = []
) -> Question {
    let plannedCalls = plan.filter { wordToType(for: $0.call) == nil }.map { step, call in
        Question.Planned(step: step, call: call.planned, digest: digest(of: call.planned))
    }
    let typed = plan.filter { wordToType(for: $0.call) != nil }.map { step, call in
        Question.LeftOut(step: step, tool: call.tool, reason: "cannot be undone")
    }
    return Question(
        title: title(of: call), subject: subject, call: call, digest: digest(of: call), because: decision.because,
        wordToType: wordToType(for: call), plan: plannedCalls, leftOut: (leftOut + typed).sorted { $0.step < $1.step },
        mode: mode)
}

/// Returns the effects of a call in words, such as "delete a file for good". The gravest effect comes first, and
/// harmless ones are left out beside graver ones.
package func title(of call: Call) -> String {
    guard !call.isCommand else { return "run a command" + (call.isBare ? " on the bare machine" : "") }
    guard call.rehearsal != .wanted else {
        let command = call.targets.contains { $0.place.command != nil }
        return command || call.targets.isEmpty
            ? "rehearse a command" + reach(of: call) : "read \(count(of: call.targets)) to edit"
    }
    let hasGitState = call.rehearsal != nil && call.targets.contains(where: \.isGitState)
    guard call.gitChanges.isEmpty, !hasGitState else { return titleWithGit(of: call) }
    let effects = call.allEffects
    if effects == [.creates, .deletes], !call.isIrreversible, call.isOneMove, call.targets[1].change?.kind == .folder {
        return "move \(count(of: [call.targets[0]]).replacing("a folder", with: "an empty folder"))"
    }
    if effects == [.creates, .deletes], !call.isIrreversible, let count = call.movedFiles {
        return "move " + (count == 1 ? "a file" : "\(count) files")
    }
    let grave = [Effect.executes, .spends, .deletes, .overwrites, .sends].filter(effects.contains)
    let shown = grave.isEmpty ? [Effect.creates, .reads].filter(effects.contains).prefix(1) : grave[...]
    return shown.isEmpty ? "run \(call.tool)" : shown.flatMap { words(for: $0, call) }.joined(separator: " and ")
}

extension Call {
    /// The number of files that the call moves, or `nil` if it does anything else.
    fileprivate var movedFiles: Int? {
        func contents(_ effect: Effect) -> [Change?: Int] {
            targets.filter { $0.effect == effect }.reduce(into: [:]) { $0[$1.change?.afterMove, default: 0] += 1 }
        }
        let gone = contents(.deletes)
        guard gone == contents(.creates), targets.count == 2 || gone.keys.allSatisfy({ $0?.hash != nil }) else {
            return nil
        }
        return gone.values.reduce(0, +)
    }
}

/// Returns the words for the effects that a rehearsal cannot contain, such as " that speaks to example.org and reads
/// outside the workspace".
private func reach(of call: Call) -> String {
    var hosts: [String] = []
    for host in call.targets.compactMap(\.place.host).map({ HostPattern($0).name }) where !hosts.contains(host) {
        hosts.append(host)
    }
    let reads = call.targets.filter { $0.effect == .reads }
    var words: [String] = []
    if let host = hosts.first { words.append("speaks to \(hosts.count == 1 ? host : "\(hosts.count) hosts")") }
    if !reads.isEmpty {
        words.append("reads " + (reads.contains(where: \.isPrivate) ? "what may hold keys" : "outside the workspace"))
    }
    return words.isEmpty ? "" : " that " + words.joined(separator: " and ")
}

/// Returns an effect in words. There are two parts if the call changes some files and only the permissions of others.
private func words(for effect: Effect, _ call: Call) -> [String] {
    let targets = call.targets.filter { $0.effect == effect }
    let files = count(of: targets)
    let isOutside = targets.contains { $0.reach > .workspace }
    switch effect {
    case .reads: return ["read \(files)" + (isOutside ? " outside the workspace" : "")]
    case .creates: return ["create \(files)" + (isOutside ? " outside the workspace" : "")]
    case .overwrites: return wordsForOverwriting(targets)
    case .deletes: return ["delete \(files)" + (call.isIrreversible ? " for good" : "")]
    case .sends: return ["send a request" + (targets.first?.place.host.map { " to \($0)" } ?? "")]
    case .spends:
        return [
            (call.price.map { "spend about \($0)" } ?? "spend money")
                + (targets.first?.place.host.map { " at \($0)" } ?? "")
        ]
    case .executes: return ["run a program of its own choice"]
    }
}

private func wordsForOverwriting(_ targets: [Call.Target]) -> [String] {
    let modes = targets.filter(\.changesPermissionsOnly)
    let repositories = targets.filter(\.isRepository)
    let times = targets.filter { $0.setsTimeOnly && !$0.isRepository }
    let others = targets.filter { !$0.changesPermissionsOnly && !$0.isRepository && !$0.setsTimeOnly }
    var words = others.isEmpty && !targets.isEmpty ? [] : ["overwrite \(count(of: others))"]
    if !repositories.isEmpty {
        words.append(repositories.count == 1 ? "change .git" : "change \(grouped(repositories.count)) .git folders")
    }
    if !modes.isEmpty {
        words.append("change permissions" + (modes.count == 1 ? "" : " of \(grouped(modes.count)) files"))
    }
    if !times.isEmpty {
        words.append("set the time" + (times.count == 1 ? " of a file" : "s of \(grouped(times.count)) files"))
    }
    return words
}

/// Counts the files and links of targets: `a file`, `1,202 files`. Folders are counted if there is nothing else: `a
/// folder`.
private func count(of targets: [Call.Target]) -> String {
    var (files, folders) = (0, 0)
    for target in targets {
        guard let change = target.change, change.kind == .folder else {
            files += 1
            continue
        }
        // The folder's own line is among them.
        let inner = change.entries > 1 ? change.entries - 1 : 0
        files += inner
        folders += inner == 0 ? 1 : 0
    }
    if files == 0, folders > 0 { return folders == 1 ? "a folder" : "\(grouped(folders)) folders" }
    return files > 1 ? "\(grouped(files)) files" : "a file"
}

/// Writes a number with commas: `1,202`.
private func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return String(digits)
}

extension Call.Target {
    /// Whether the target is the content of a `.git` folder, reported as one change. Only such a folder has a hash.
    var isRepository: Bool {
        effect == .overwrites && change?.kind == .folder && change?.hash != nil
            && place.path.flatMap(baseName) == ".git"
    }
}

/// Returns the word that a person must type to say yes to a call that cannot be undone (`consent.md` guarantee 3), or
/// `nil` if a letter suffices. It is the name of the target, to prevent a yes by habit. A command on the bare machine
/// always needs a word, whatever its manifest says.
package func wordToType(for call: Call) -> String? {
    guard !call.isCommand else {
        let line = call.targets.lazy.compactMap(\.place.command).first.map(CommandLine.init)
        return line?.programName.flatMap { wordsThatAreNoYes.contains($0.lowercased()) ? nil : $0 } ?? "bare"
    }
    guard call.isIrreversible else { return nil }
    // A command may delete what undo cannot make again, beside files that it overwrites and that are kept.
    let lost = (call.targets.first { $0.effect == .deletes } ?? call.targets.first { $0.effect == .overwrites })?.place
        .path.flatMap(
            baseName)
    let host = call.targets.lazy.compactMap(\.place.host).first.map { HostPattern($0).name }
    let word = lost ?? host ?? call.targets.lazy.compactMap(\.place.path).first.flatMap(baseName)
    return word.flatMap { canBeTyped($0) && !wordsThatAreNoYes.contains($0.lowercased()) ? $0 : nil }
        ?? (call.allEffects.contains(.deletes) ? "delete" : "run")
}

/// The words that refuse or ask for details. They can never mean yes, not even for a file of that name.
private let wordsThatAreNoYes: Set = ["n", "no", "details"]

private func baseName(_ path: String) -> String? { path.pathNames.last }

/// Returns whether a name can be typed as it is seen. A name with a control, bidi or zero-width character, or with a
/// space at its end, cannot.
private func canBeTyped(_ word: String) -> Bool {
    guard (1...64).contains(word.count), word.first != " ", word.last != " " else { return false }
    return word.unicodeScalars.allSatisfy { scalar in
        switch scalar.properties.generalCategory {
        case .privateUse, .unassigned: false
        case .spaceSeparator: scalar == " "
        default: !scalar.isUnseen
        }
    }
}

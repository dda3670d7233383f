import Actions
import JSON
import Terminal
import Vocabulary

extension StyledText {
    init(spaces: Int) { self.init(Layout.spaces(spaces)) }
}

/// The rows for everything that is hashed of a call, drawn from `call.json` part by part. They include a new member of
/// that JSON without a change here.
enum CallDetails {
    /// Returns a row for every leaf of the call.
    static func all(_ call: Call, digest: ContentHash) -> [Detail] {
        head(call) + params(call) + leaves(of: call.json, but: ["tool", "params", "effects", "undo", "price"])
            + effects(call)
            + [Detail(label: "digest", value: digest.hex, style: .dim)]
    }

    /// Returns the rows of a call in their short form, part by part. Hashes are cut to their beginning, and the present
    /// state is described in words.
    ///
    /// Rows that say nothing new of a rehearsed command are left out (`QuietRows`). `all` shows them.
    ///
    /// - Parameters:
    ///   - shownBelow: the names of parameters whose text is compared with the present file.
    ///   - folder: the workspace that the person is in.
    ///   - undoUntil: the time until which the record of the changes is kept, or nil to leave it out.
    static func brief(
        _ call: Call, shownBelow: Set<String> = [], folder: String? = nil, undoUntil: Moment? = nil
    ) -> [(noun: String, details: [Detail])] {
        let quiet = QuietRows(call, folder: folder)
        var spoken = quiet.spoken(call)
        // The comparisons of the files show what each edit does.
        if shownBelow.contains("edits") { spoken.params["edits"] = nil }
        let params = params(spoken).map { detail in
            guard shownBelow.contains(detail.label) else { return detail }
            return Detail(label: detail.label, value: "shown below, against what is there", style: .dim)
        }
        return [
            ("", quiet.hasTool ? [] : head(call)), ("parameters", params),
            ("", flat(.object(quiet.environment(of: call)), "").map(named)), ("", played(call)),
            ("inputs", call.inputs.map(input)), ("", git(of: call)), ("targets", targets(of: call)),
            ("", effects(call, undoUntil: undoUntil).filter { !quiet.hasEffects || $0.label != "effects" }),
        ]
    }

    /// Describes a stored call in one line: its command, or its first target and the number of the others.
    ///
    /// - Returns: nil for a call without targets.
    static func line(of call: JSON) -> String? {
        guard let call = try? Call(json: call) else { return nil }
        if let command = call.params["command"]?.string {
            return VisibleText.cut(VisibleText.unforged(command), to: 200)
        }
        // What is made or changed says more than what is read for it.
        guard let first = call.targets.first(where: { $0.effect != .reads }) ?? call.targets.first else { return nil }
        let more = call.targets.count - 1
        return VisibleText.cut(place(first.place), to: 200) + (more > 0 ? " and \(more) more" : "")
    }

    /// Gives the row about programs that the command does not see its words.
    private static func named(_ detail: Detail) -> Detail {
        detail.label == "notAllowed" ? Detail(label: notAllowedLabel, value: detail.value, style: .warning) : detail
    }

    private static let notAllowedLabel = "programs"

    private static func head(_ call: Call) -> [Detail] { [Detail(label: "tool", value: call.tool, style: .bold)] }

    /// Returns the rows of the parameters. A parameter with the name of one of our rows is marked by `params.`.
    private static func params(_ call: Call) -> [Detail] {
        flat(.object(call.params), "").map { detail in
            let isTaken =
                taken.contains(detail.label.prefix { $0 != "." }.lowercased()) || detail.label.hasPrefix("in ")
            return isTaken ? Detail(label: "params.\(detail.label)", value: detail.value, style: detail.style) : detail
        }
    }

    private static let taken: Set<String> = Set(
        [
            "tool", "effects", "undo", "undo until", "price", "digest", "v", "toolversion", "inputs", "targets",
            "asks because", "step",
            "it failed", timeLabel,
            "not seen", gitLabel, notAllowedLabel, "",
        ]
            + Effect.allCases.map(\.rawValue))

    private static func effects(_ call: Call, undoUntil: Moment? = nil) -> [Detail] {
        let names = call.effects.sorted().map(\.rawValue).joined(separator: ", ")
        let isGrave = !call.effects.isDisjoint(with: [.overwrites, .deletes, .sends, .spends, .executes])
        return [
            Detail(label: "effects", value: names.isEmpty ? "none" : names, style: isGrave ? .warning : []),
            Detail(label: "undo", value: undo(call.reversibility), style: call.reversibility == .no ? .warning : []),
        ] + (undoUntil.flatMap { expiry(call, until: $0) } ?? [])
            + (call.price.map { [Detail(label: "price", value: "\($0)", style: .warning)] } ?? [])
    }

    /// Returns how long a call can be undone, or nil if its changes will not be recorded.
    private static func expiry(_ call: Call, until: Moment) -> [Detail]? {
        let changes = call.targets.contains { [.creates, .overwrites, .deletes].contains($0.effect) }
        guard call.reversibility != .no, changes else { return nil }
        return [Detail(label: "undo until", value: UndoView.expiry(until))]
    }

    static func undo(_ reversibility: Reversibility) -> String {
        switch reversibility {
        case .yes(let how): how
        case .no: "cannot be undone"
        }
    }

    private static func leaves(of json: JSON, but shown: Set<String>) -> [Detail] {
        (json.object?.members ?? []).filter { !shown.contains($0.key) }.flatMap { flat($0.value, $0.key) }
    }

    /// The words that mark the seal of a value. A value from outside that contains them is quoted, so that it cannot
    /// imitate a seal.
    private static let sealMark = " · sealed sha256 "

    /// Returns one detail for each leaf, with names such as `headers.Accept` and `inputs.1.sha256`. Elements are
    /// counted from 1.
    private static func flat(_ value: JSON, _ name: String) -> [Detail] {
        func inner(_ key: String) -> String { name.isEmpty ? key : "\(name).\(key)" }
        if let seal = SealedValue(value) { return [Detail(label: name, value: seal.shown + sealMark + seal.hash.hex)] }
        switch value {
        case .object(let object) where !object.isEmpty: return object.members.flatMap { flat($0.value, inner($0.key)) }
        case .array(let elements) where !elements.isEmpty:
            return elements.enumerated().flatMap { flat($0.element, inner("\($0.offset + 1)")) }
        case .object, .array: return name.isEmpty ? [] : [Detail(label: name, value: value.text)]
        case .string(let text) where text.contains(sealMark):
            return [Detail(label: name, value: NameWords.quoted(text))]
        case .null, .bool, .int, .double, .string:
            return [Detail(label: name, value: VisibleText.unforged(Values.text(value)))]
        }
    }

    // MARK: In short

    private static func input(_ input: Call.Input) -> Detail {
        var parts = [
            input.name.map(NameWords.shown), input.bytes.map(Amounts.size),
            input.hash.map { "sha256 \(Values.short($0))" },
        ]
        .compactMap(\.self)
        if let from = input.from { parts.append("from \(from)") }
        return Detail(label: "in \(input.port)", value: parts.isEmpty ? "nothing yet" : parts.joined(separator: " · "))
    }

    /// Returns a row with the exit code of a rehearsed command if it is not 0, and one with the files that it did not
    /// see. The changes of a failed command are applied after a yes all the same.
    private static func played(_ call: Call) -> [Detail] {
        guard case .done(let played) = call.rehearsal else { return [] }
        var details: [Detail] = []
        if played.exitCode != 0 {
            let signal = ExitRule.signal(of: played.exitCode).map { " (signal \($0))" } ?? ""
            let label = ExitRule(call.params).isSuccess(played.exitCode) ? "it ended with" : "it failed"
            details.append(Detail(label: label, value: "exit code \(played.exitCode)\(signal)", style: .warning))
        }
        if let unseen = played.unseen {
            details.append(Detail(label: "not seen", value: unseen.words(NameWords.shownWithin)))
        }
        return details
    }

    /// Returns a row for each change of a repository, in git's words. Files that the working folder does not have are
    /// all named.
    private static func git(of call: Call) -> [Detail] {
        call.gitChanges.map { change in
            let elsewhere = (change.paths?.named ?? []).filter(\.isElsewhere).map { NameWords.shownWithin($0.path) }
            let hidden = elsewhere.isEmpty ? "" : " · not as in the folder: \(elsewhere.joined(separator: ", "))"
            let folder = path(change.folder, of: call)
            let place = folder == ".git" ? "" : " · \(NameWords.shownWithin(folder))"
            return Detail(
                label: gitLabel, value: VisibleText.unforged(change.words) + hidden + place,
                style: change.loses || change.isUnread ? .warning : [])
        }
    }

    private static let gitLabel = "git"

    /// Returns the indexes of the targets that have a row. The history of a repository has rows in git's words.
    static func shownTargets(of call: Call) -> [Int] { call.targets.indices.filter { !call.isTold(call.targets[$0]) } }

    /// A part of a call that can be accepted by itself.
    struct Choice {
        var detail: Detail
        /// The absolute paths of its targets.
        var paths: [String]
    }

    /// Returns the parts of a rehearsed command: each repository as a whole, and each other change.
    static func choices(of call: Call) -> [Choice] {
        var choices: [Choice] = []
        var inside = Set<Int>()
        for folder in Set(call.gitChanges.map(\.folder)).sorted() {
            let own = call.targets.indices.filter { call.targets[$0].path?.path(below: folder) != nil }
            inside.formUnion(own)
            let words = call.gitChanges.filter { $0.folder == folder }.map(\.words).joined(separator: "; ")
            let detail = Detail(label: gitLabel, value: VisibleText.unforged(words), style: .warning)
            choices.append(Choice(detail: detail, paths: [folder] + own.compactMap { call.targets[$0].path }))
        }
        let shown = shownTargets(of: call)
        for (detail, index) in zip(targets(of: call), shown) where !inside.contains(index) {
            choices.append(Choice(detail: detail, paths: [call.targets[index].path].compactMap(\.self)))
        }
        return choices
    }

    private static func targets(of call: Call) -> [Detail] {
        var gone: Modes = [:]
        for target in call.targets where target.effect == .deletes {
            // Empty files all have the same content, so it identifies none of them.
            guard let change = target.change, change.kind == .file, change.bytes > 0, let hash = change.hash,
                let mode = change.modeBefore
            else { continue }
            gone[hash, default: []].insert(mode)
        }
        return shownTargets(of: call).map { target(call.targets[$0], of: call, gone) }
    }

    /// The permissions of removed files by their content, since such a file may be created again under another name
    /// with other permissions.
    private typealias Modes = [ContentHash: Set<Int>]

    private static func target(_ target: Call.Target, of call: Call, _ gone: Modes) -> Detail {
        if let change = target.change {
            let parts = [words(change, target, call), mode(change, target, gone)].compactMap(\.self)
            let value = (parts + place(of: target) + facts(target, of: call)).joined(separator: " · ")
            return Detail(
                label: target.setsTimeOnly ? timeLabel : target.effect.rawValue, value: value,
                style: target.setsTimeOnly ? [] : style(target))
        }
        let command = call.params["command"].flatMap { $0.string ?? SealedValue($0)?.shown }
        if case .command(let words) = target.place, words.last == command {
            let scene =
                target.reach > .workspace ? "on the bare machine: it can do anything that you can" : "in the sandbox"
            return Detail(label: target.effect.rawValue, value: "the command above, \(scene)", style: style(target))
        }
        let parts =
            [place(target.place)] + place(of: target) + [now(target.before)].compactMap(\.self)
            + facts(target, of: call)
        return Detail(label: target.effect.rawValue, value: parts.joined(separator: " · "), style: style(target))
    }

    private static func place(of target: Call.Target) -> [String] {
        guard target.reach > .workspace else { return [] }
        return [whereabouts(target)]
    }

    private static func whereabouts(_ target: Call.Target) -> String {
        switch target.hostPlace {
        case .thisMachine: "on this machine"
        case .metadata: "the metadata service of this machine: it hands out this machine's keys"
        case .privateNetwork, .elsewhere, nil: target.reach == .remote ? "on another machine" : "outside the workspace"
        }
    }

    static func facts(_ target: Call.Target, of call: Call) -> [String] {
        var facts: [String] = []
        for other in target.otherPaths { facts.append("also \(NameWords.shownWithin(path(other, of: call)))") }
        if target.otherPaths.count >= Limits.otherPaths { facts.append("perhaps more") }
        if let mount = target.mount {
            facts.append("on \(NameWords.shownWithin(path(mount, of: call))), which is mounted here from elsewhere")
        } else if target.hasOtherNames {
            facts.append("has another name, perhaps elsewhere")
        }
        if target.isPrivate { facts.append("may hold keys") }
        if target.isOwn { facts.append(asMade) }
        if target.newFolders != 0 { facts.append("\(Amounts.count(target.newFolders, "folder")) above it made, too") }
        if let other = target.resembles {
            let name = (target.path?.pathNames).map { Array($0.suffix(target.newFolders + 1)) }?.first ?? ""
            facts.append(alike(name, other))
        }
        return facts
    }

    /// Returns how a new name differs from one that it looks like, with the sign that only one of them has.
    private static func alike(_ name: String, _ other: String) -> String {
        func foreign(_ text: String, but rest: String) -> String? {
            let known = Set(rest.unicodeScalars)
            return text.unicodeScalars.first { !$0.isASCII && !known.contains($0) }.map { sign in
                let digits = String(sign.value, radix: 16, uppercase: true)
                return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            }
        }
        let shown = NameWords.shownWithin(other)
        if let sign = foreign(name, but: other) { return "looks like \(shown), and has \(sign) in its name" }
        if let sign = foreign(other, but: name) { return "looks like \(shown), which has \(sign) in its name" }
        return "differs from \(shown) only by case or form"
    }

    private static func style(_ target: Call.Target) -> Style { target.effect > .creates ? .warning : [] }

    /// Returns the words for a change, such as `notes.txt · 12 → 14 bytes`. A path below the folder of the command is
    /// relative to it.
    private static func words(_ change: Call.Change, _ target: Call.Target, _ call: Call) -> String {
        var parts = [target.path.map { NameWords.shown(path($0, of: call)) } ?? place(target.place)]
        if change.kind != .file {
            parts.append(change.leadsTo.map { "link to \(NameWords.shownWithin($0))" } ?? change.kind.rawValue)
        }
        if change.entries > 1 { parts.append(entries(change, of: call)) }
        let before: Int? = if case .file(_, _, let size, _, _) = target.before { Int(size) } else { nil }
        switch (change.kind, target.effect) {
        case _ where target.setsTimeOnly: break
        case (.file, .overwrites): parts.append("\(before.map { "\($0) → " } ?? "")\(Amounts.size(change.bytes))")
        case (.file, _),
            (.folder, _) where change.bytes > 0:
            parts.append(Amounts.size(change.bytes))
        default: break
        }
        if change.attributes != nil {
            parts.append(target.effect == .overwrites ? "other extended attributes" : "with extended attributes")
        }
        if let time = time(change, target) { parts.append(time) }
        return parts.joined(separator: " · ")
    }

    /// Returns how many changes stand for one, or how many files and folders a tool finds in a folder that it takes as
    /// a whole.
    private static func entries(_ change: Call.Change, of call: Call) -> String {
        guard call.rehearsal == nil, change.kind == .folder else { return Amounts.count(change.entries, "change") }
        let inside = change.entries - 1
        return inside == 1 ? "with 1 file or folder" : "with \(inside) files and folders"
    }

    /// The row of a file of which a command only sets the time.
    private static let timeLabel = "sets time of"

    /// Returns `2026-11-20 14:05:09 UTC → 2001-01-01 00:00:00 UTC` if a command sets the time of a file whose content
    /// stays.
    private static func time(_ change: Call.Change, _ target: Call.Target) -> String? {
        guard let modified = change.modified else { return nil }
        let time = Amounts.time(Moment(milliseconds: modified / 1_000_000))
        guard change.entries == 1, case .file(_, _, _, let was, _) = target.before else {
            return "only times, the newest \(time)"
        }
        return "\(Amounts.time(Moment(milliseconds: was / 1_000_000))) → \(time)"
    }

    /// Returns the mode of a file, such as `mode 644 → 755` if it changes, also by a move. Of a new file, it is
    /// returned only if the file is executable or anybody may write to it. Returns nil otherwise.
    private static func mode(_ change: Call.Change, _ target: Call.Target, _ gone: Modes) -> String? {
        guard let new = change.mode else { return nil }
        let moved = change.kind == .file ? change.hash.flatMap { gone[$0] } : nil
        let before: Set<Int> = change.modeBefore.map { [$0] } ?? moved ?? []
        if let old = before.min(), !before.contains(new) {
            return "mode \(String(old, radix: 8)) → \(String(new, radix: 8))"
        }
        let telling =
            switch change.kind {
            case .file: 0o113
            case .folder: 0o002
            case .link: 0
            }
        return target.effect == .creates && new & telling != 0 ? "mode \(String(new, radix: 8))" : nil
    }

    /// Returns a path relative to the folder of the command, if it is below that folder.
    private static func path(_ path: String, of call: Call) -> String {
        guard let folder = call.environment["folder"]?.string, let below = path.path(below: folder), !below.isEmpty
        else { return path }
        return below
    }

    private static let asMade = "as Assent made it"

    static func place(_ place: Call.Place) -> String {
        switch place {
        case .path(let path): NameWords.shown(path)
        case .newName(let folder, let stem, let suffix):
            "a new name like \(NameWords.shownWithin("\(stem)-N\(suffix)")) in \(NameWords.shown(folder))"
        case .host(let host): NameWords.shownWithin(host)
        case .command(let words): words.map(quoted).joined(separator: " ")
        }
    }

    private static func now(_ before: Call.Before) -> String? {
        switch before {
        case .unlooked: nil
        case .absent: "nothing there now"
        case .file(_, _, let size, _, let hash):
            "now \(Amounts.size(Int(size)))" + (hash.map { ", sha256 \(Values.short($0))" } ?? "")
        }
    }

    /// Returns a word in quotes if a shell would split or change it, so that the bounds of each word are visible.
    private static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.unicodeScalars.allSatisfy {
                $0.properties.isAlphabetic || $0.properties.numericType != nil
                    || "-_./=:,@%+".unicodeScalars.contains($0)
            }
        return isPlain
            ? word : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

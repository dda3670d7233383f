import Files
import JSON
import Sandbox
import Undo
import Vocabulary

extension Limits {
    /// The most changes of a rehearsal that are listed one by one. If there are more, the command is refused.
    fileprivate static let rehearsedTargets = 5000
}

/// The listing of changes during a walk: one by one, or in the sum of their folder.
extension ChangeWalk {
    mutating func tell(
        _ effect: Effect, _ at: String, before: Call.Before, _ change: Call.Change, resembles: String? = nil
    ) throws(Failure) {
        let target = target(effect, at, before, change, resembles)
        let isOurs = ([target.path].compactMap(\.self) + target.otherPaths).contains { isOwn($0, change.kind == .link) }
        if isOurs { refuse(at, "is in one of Assent's own folders") }
        entries += 1
        bytes += change.bytes
        guard entries <= Limits.rehearsedEntries else { throw Self.tooMany("more than \(Limits.rehearsedEntries)") }
        guard bytes <= Limits.rehearsedBytes else { throw Self.tooMany("more than \(Limits.rehearsedBytes >> 30) GiB") }
        note(target)
        guard list.targets.count <= Limits.rehearsedTargets else {
            throw Self.tooMany("more than \(Limits.rehearsedTargets) to be told one by one")
        }
    }

    func target(
        _ effect: Effect, _ at: String, _ before: Call.Before, _ change: Call.Change, _ resembles: String?
    ) -> Call.Target {
        let path = "\(workspace)/\(at)"
        return Call.Target(
            effect, .path(path), reach: .workspace, before: before, change: change, hasOtherNames: !links.isWhole,
            otherPaths: links.otherPaths(of: path), resembles: resembles)
    }

    /// Adds a change to the sum of its folder, or lists it. What is state of git is listed by itself.
    mutating func note(_ target: Call.Target) {
        var target = target
        // What leads to a repository decides which one is obeyed.
        if target.change?.kind != .folder, target.path.map({ lastName(of: $0) == ".git" }) ?? false {
            target.isGitState = true
        }
        let isState = sums.last?.kind != .gitState && isGitState(&target)
        guard !isState else { return noteAround(target) }
        guard !sums.isEmpty else { return list.targets.append(target) }
        sums[sums.count - 1].note(target)
    }

    /// Adds a change to the sum of the folder around the git folders, or lists it.
    mutating func noteAround(_ target: Call.Target) {
        guard let around = sums.lastIndex(where: { $0.kind == .plain }) else { return list.targets.append(target) }
        sums[around].note(target)
    }

    mutating func noteOdd(_ target: Call.Target) {
        guard !sums.isEmpty else { return list.targets.append(target) }
        sums[sums.count - 1].noteOdd(target)
    }

    mutating func note(_ inner: ChangeSum) {
        guard !sums.isEmpty else { return list.targets += inner.targets }
        sums[sums.count - 1].note(inner)
    }

    /// Lists the changes of a folder: a few one by one, many as one entry.
    mutating func tellSum(
        _ sum: ChangeSum, _ effect: Effect, _ at: String, before: Call.Before, _ change: Call.Change,
        resembles: String? = nil
    ) throws(Failure) {
        let isOne = sum.kind != .plain || sum.entries > Limits.rehearsedFolderTargets
        // A git folder in which nothing was changed.
        if sum.kind == .git, effect == .overwrites, sum.entries == 0 { return }
        guard isOne else {
            try tell(effect, at, before: before, change, resembles: resembles)
            return note(sum)
        }
        var whole = change
        // The folder itself and the entries in it.
        whole.entries = sum.entries + (sum.kind == .git && effect == .overwrites ? 0 : 1)
        whole.bytes = sum.bytes
        whole.hash = .of(sum.lines.flatMap { Array($0.hex.utf8) })
        whole.modified = sum.onlyTime
        var told = target(effect, at, before, whole, resembles)
        told.isGitState = sum.holdsGitState || sum.kind == .gitState || sum.kind == .git && effect == .deletes
        if sum.kind == .git { noteAround(told) } else { note(told) }
        for target in sum.odd { noteOdd(target) }
    }
}

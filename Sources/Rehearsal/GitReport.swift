import Files
import Vocabulary

extension Limits {
    /// The most refs of a repository whose changes are described one by one.
    fileprivate static let gitRefsTold = 50
}

/// The decision in which words the change of a git folder is described. It is pure: all that was read is passed in.
struct GitReport {
    let git: GitFolderChange
    let before: GitRefs
    let after: GitRefs
    let indexes: Indexes
    /// Whether the folder belongs to a linked work tree. Its refs are described with its repository.
    let isLinked: Bool
    /// The changes of commits and indexes whose content the working files do not have.
    var elsewhere: [GitHistory.Change: Elsewhere] = [:]

    /// The effects of a checkout of a path besides its content.
    struct Elsewhere: Hashable {
        var isGitState: Bool
        var otherPaths: [String]
    }

    /// The index before and after, if it is another one.
    struct Indexes {
        var before: GitIndex?
        var after: GitIndex?
        var isOther = false

        /// Whether the index has nothing new but times and sizes of files.
        var isRefresh: Bool {
            guard let before, let after else { return false }
            return before.entries == after.entries && before.extensions == after.extensions
        }
    }

    /// The refs with another value, the branch of HEAD first.
    private var moved: [GitChange.Ref] {
        guard !isLinked else { return [] }
        let names = Set(before.values.keys).union(after.values.keys)
        let moved = names.filter { before.values[$0] != after.values[$0] }.map { name in
            GitChange.Ref(name, from: before.values[name], to: after.values[name])
        }
        func rank(_ ref: GitChange.Ref) -> Int {
            if ref.name == after.headBranch { return 0 }
            return (["refs/heads/", "refs/remotes/", "refs/tags/"].firstIndex { ref.name.hasPrefix($0) } ?? 3) + 1
        }
        return moved.sorted { (rank($0), $0.name) < (rank($1), $1.name) }
    }

    /// The commit to which HEAD moves by itself, without a branch.
    private var detached: String? {
        guard let head = after.head, GitRefs.isName(head), head != before.head else { return nil }
        return head
    }

    private var newStashes: [String] { isLinked ? [] : after.stashes.filter { !before.stashes.contains($0) } }

    /// The objects that only logs and files such as `ORIG_HEAD` name, and that no ref was at before.
    private var onlyLogged: [String] {
        let known = before.tips.union(before.logged).union(before.stashes).union(after.tips).union(after.stashes)
        return after.logged.subtracting(known).sorted()
    }

    /// The objects at which the changed refs, HEAD, the stash and the logs are, in the order of the description.
    var newTips: [String] {
        moved.compactMap(\.after).filter(GitRefs.isName) + [detached].compactMap(\.self) + newStashes + onlyLogged
    }

    /// Returns the changes in the order of the question.
    func told(_ answer: GitHistory.Answer) -> [GitChange.What] {
        var owners = CommitOwners(answer, elsewhere)
        var told: [GitChange.What] = git.isNew ? [.initialized] : []
        let refs = refs(&owners)
        told += git.isGone ? [.deleted] : refs
        told += stash(&owners)
        told += commits(onlyLogged.flatMap { _ in owners.next() }, on: GitChange.logsOnly, &owners)
        if answer.lost > 0, !isLinked { told.append(.lost(answer.lost)) }
        let index = index(answer, &owners)
        if let index, index.count > 0 { told.append(.index(index)) }
        if !git.keys.isEmpty, !git.isNew { told.append(.config(git.keys.map(GitText.plain))) }
        let removed = git.isGone ? [] : removed
        if !removed.isEmpty { told.append(.upkeep(removed, removes: true)) }
        if !hasTrueTrees(answer) { owners.unknown.append("its index names other trees than its files") }
        told += owners.unknown.map { .unread($0) }
        guard told.isEmpty else { return told }
        let names = git.touched.isEmpty ? git.folders : git.touched
        // State is listed by itself.
        guard !names.isEmpty else { return [] }
        if git.touched == ["index"], let index, indexes.isRefresh { return [.index(index)] }
        return [.upkeep(names.sorted(), removes: false)]
    }

    /// The kinds of history of which something is removed that does not belong to a deleted ref or the stash.
    private var removed: [String] {
        let lasting = git.removed.filter { path in
            guard let ref = path.path(below: "logs") else { return true }
            return ref == "HEAD" || after.values[GitText.ascii(ref.utf8)] != nil
        }
        return Set(lasting.map { $0.pathNames.first ?? "" }).sorted()
    }

    /// Returns the changes of refs with their new commits.
    private func refs(_ owners: inout CommitOwners) -> [GitChange.What] {
        var told: [GitChange.What] = []
        for ref in moved {
            let isObject = ref.after.map(GitRefs.isName) == true
            let (commits, isNext) = isObject ? owners.nextAfter(ref.before) : ([], false)
            let isFirst = ref.before == nil && ref.name == before.headBranch
            // New commits say that the branch moves, if they follow its old end.
            let isSaid = !commits.isEmpty && (isNext || isFirst || ref.before == nil && git.isNew)
            let isMade = ref.before == nil
            let line: [GitChange.What] = isSaid || isMade && git.isNew ? [] : [.ref(ref.plain)]
            let new = self.commits(commits, on: GitText.plain(ref.name), &owners)
            told += isMade ? line + new : new + line
        }
        if told.count > Limits.gitRefsTold {
            // What is lost precedes the others.
            let sorted = told.filter(\.isDeletion) + told.filter { !$0.isDeletion }
            told = Array(sorted.prefix(Limits.gitRefsTold))
            owners.unknown.append("more than \(Limits.gitRefsTold) refs")
        }
        let own = detached == nil ? [] : owners.next()
        told += commits(own, on: "HEAD", &owners)
        if before.head != after.head, !git.isNew, own.isEmpty {
            told.append(.ref(GitChange.Ref("HEAD", from: before.head, to: after.head).plain))
        }
        return told
    }

    private func commits(
        _ commits: [GitHistory.Commit], on ref: String, _ owners: inout CommitOwners
    ) -> [GitChange.What] {
        guard let tip = commits.first else { return [] }
        let paths = owners.paths(of: commits)
        return [
            .commits(
                GitChange.Commits(
                    tip: tip.id, count: commits.count, ref: ref, isMerge: tip.parents.count > 1, paths: paths))
        ]
    }

    private func stash(_ owners: inout CommitOwners) -> [GitChange.What] {
        guard !isLinked else { return [] }
        var commits: [GitHistory.Commit] = []
        for _ in newStashes { commits += owners.next() }
        let dropped = before.stashes.filter { !after.stashes.contains($0) }.count
        guard dropped > 0 || !newStashes.isEmpty, !git.isGone else { return [] }
        return [.stash(made: newStashes.count, dropped: dropped, owners.paths(of: commits))]
    }

    /// Returns the paths of the index that are reported: those that differ from HEAD or did so, and those with other
    /// marks. It is `nil` if the index is as it was.
    private func index(_ answer: GitHistory.Answer, _ owners: inout CommitOwners) -> GitChange.Paths? {
        guard indexes.isOther else { return nil }
        var staged = answer.staged[...]
        let old = indexes.before == nil ? [] : staged.popFirst() ?? []
        let new = indexes.after == nil ? [] : staged.popFirst() ?? []
        let (was, now) = (indexes.before?.entries ?? [:], indexes.after?.entries ?? [:])
        let keys = Set(was.keys).union(now.keys).filter { was[$0] != now[$0] }
        let changed = Set(keys.map(\.path))
        var told = ToldPaths(elsewhere)
        let newPaths = Set(new.map(\.path))
        for change in new where changed.contains(change.path) { told.note(change) }
        for change in old where changed.contains(change.path) && !newPaths.contains(change.path) {
            // It is as in HEAD again.
            told.note(GitHistory.Change(path: change.path, kind: .changed, mode: 0, id: ""))
        }
        let known = newPaths.union(old.map(\.path))
        for key in keys.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) where !known.contains(key.path) {
            guard let one = was[key], let other = now[key], one.marks != other.marks else { continue }
            told.note(GitHistory.Change(path: key.path, kind: .changed, mode: other.mode, id: other.id))
        }
        return owners.whole(told)
    }

    /// Whether the trees in the new index are those of its entries. Git takes them for the next commit without a look
    /// at the entries.
    private func hasTrueTrees(_ answer: GitHistory.Answer) -> Bool {
        guard let index = indexes.after, let last = answer.trees.last else { return true }
        guard let trees = index.trees else { return false }
        // An index with conflicts makes no trees.
        let known = last ?? indexes.before?.trees ?? [:]
        return trees.allSatisfy { known[$0.key] == $0.value }
    }
}

extension GitChange.What {
    fileprivate var isDeletion: Bool { if case .ref(let ref) = self { ref.after == nil } else { false } }
}

extension GitChange.Ref {
    /// The ref with its names as they are.
    fileprivate var plain: GitChange.Ref {
        GitChange.Ref(GitText.plain(name), from: before.map(GitText.plain), to: after.map(GitText.plain))
    }
}

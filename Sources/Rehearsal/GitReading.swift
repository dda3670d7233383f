import Files
import Glibc
import JSON
package import Sandbox
package import Vocabulary

extension Limits {
    /// The most paths of one change that are named because their content is not in the work tree.
    private static let gitPathsElsewhere = 200

    /// The other paths of one change that are named.
    fileprivate static let gitPathsNamed = 20

    /// The most refs of a repository whose changes are told.
    fileprivate static let gitRefsTold = 50

    /// The most bytes of an index of git that is compared.
    fileprivate static let gitComparedIndexBytes = 32 << 20

    fileprivate static var gitElsewhere: Int { gitPathsElsewhere }
}

/// The changes of a git folder by a command, as git would tell them.
package struct GitReading {
    let run: OverlayRun
    private let before: WorkspaceState
    private let after: WorkspaceState
    private let git: GitFolderChange
    private var refs = (before: GitRefs(), after: GitRefs())
    private var history = GitHistory()
    /// The top of the work tree as a path below the workspace, or `nil` if there is none or it is not known.
    private let workTree: String?

    /// Returns the changes of all git folders of a list. They are read once and kept beside the overlay, so that the
    /// call stays the same.
    package static func kept(_ list: ChangeList, of run: OverlayRun, sandbox: Isolation) throws(Failure)
        -> [GitChange]
    {
        guard !list.git.isEmpty else { return [] }
        let hash = ContentHash.of(list.targets.flatMap { Array($0.json.canonical.utf8) })
        if let kept = run.folder.git(for: hash) { return kept }
        let changes = try changes(list, of: run, sandbox: sandbox)
        try run.folder.note(git: changes, for: hash)
        return changes
    }

    /// Returns the changes of all git folders of a list.
    static func changes(_ list: ChangeList, of run: OverlayRun, sandbox: Isolation) throws(Failure)
        -> [GitChange]
    {
        guard !list.git.isEmpty else { return [] }
        let (before, after) = (try WorkspaceState(before: run.workspace), try WorkspaceState(after: list, of: run))
        let places = try GitPlaces(run)
        var changes: [GitChange] = []
        for git in list.git {
            let trees = git.isGone ? nil : places.workTrees(of: git.path, isOnlyShared: false)
            var reading = GitReading(run, before, after, git, workTree: trees?.count == 1 ? trees?.first : nil)
            let told = try reading.told(sandbox)
            let folder = git.path.isEmpty ? run.workspace : "\(run.workspace)/\(git.path)"
            let tree = reading.workTree.map { $0.isEmpty ? run.workspace : "\(run.workspace)/\($0)" }
            changes += told.map { GitChange($0, in: folder, workTree: tree) }
        }
        return changes
    }

    private init(
        _ run: OverlayRun, _ before: WorkspaceState, _ after: WorkspaceState, _ git: GitFolderChange, workTree: String?
    ) {
        (self.run, self.before, self.after, self.git, self.workTree) = (run, before, after, git, workTree)
    }

    private mutating func told(_ sandbox: Isolation) throws(Failure) -> [GitChange.What] {
        guard Programs.find("git") != nil else { return [.unread("git is not installed")] }
        guard let common else { return [.unread("its repository is not here")] }
        guard let old = GitRefs(git.path, common: common, in: before),
            let new = GitRefs(git.path, common: common, in: after)
        else { return [.unread("its refs cannot be read")] }
        refs = (old, new)
        let moved = movedRefs
        guard moved.count <= Limits.gitRefsTold else { return [.unread("more than \(Limits.gitRefsTold) refs")] }
        guard let indexes = comparedIndexes else { return [.unread("its index cannot be read")] }
        fill(common, moved, indexes)
        guard let answer = try history.answer(in: "\(run.folder.path)/git", sandbox: sandbox) else {
            return [.unread("git could not read it")]
        }
        return told(answer, moved, indexes)
    }

    /// The folder with objects and refs, as a path below the workspace. Of a linked work tree it is another one.
    private var common: String? {
        guard
            (after.status(GitPlaces.join(git.path, "commondir")) ?? before.status(GitPlaces.join(git.path, "commondir")))
                != nil
        else { return git.path }
        let names = git.path.pathNames
        guard names.count >= 2, names[names.count - 2] == "worktrees" else { return nil }
        return names.dropLast(2).joined(separator: "/")
    }

    /// The refs with another value, the branch of HEAD first.
    private var movedRefs: [GitChange.Ref] {
        let names = Set(refs.before.values.keys).union(refs.after.values.keys)
        let moved = names.filter { refs.before.values[$0] != refs.after.values[$0] }.map { name in
            GitChange.Ref(name, from: refs.before.values[name], to: refs.after.values[name])
        }
        func rank(_ ref: GitChange.Ref) -> Int {
            if ref.name == refs.after.headBranch { return 0 }
            return (["refs/heads/", "refs/remotes/", "refs/tags/"].firstIndex { ref.name.hasPrefix($0) } ?? 3) + 1
        }
        return moved.sorted { (rank($0), $0.name) < (rank($1), $1.name) }
    }

    // MARK: The index

    private struct Indexes {
        /// The entries before and after, if the index is another one.
        var before: GitIndex?
        var after: GitIndex?
        var isOther = false

        /// Whether the index has nothing new but times and sizes of files.
        var isRefresh: Bool {
            guard let before, let after else { return false }
            return before.entries == after.entries && before.extensions == after.extensions
        }
    }

    /// The index before and after, or `nil` if one of them cannot be read.
    private var comparedIndexes: Indexes? {
        let path = GitPlaces.join(git.path, "index")
        guard after.isChanged(path) else { return Indexes() }
        func index(_ state: WorkspaceState) -> GitIndex?? {
            guard state.status(path) != nil else { return .some(nil) }
            let bytes = state.content(path, limit: Limits.gitComparedIndexBytes)
            guard let index = bytes.flatMap({ GitIndex($0, keepsEntries: true) }), index.shared == nil else {
                return nil
            }
            return .some(index)
        }
        guard let before = index(before), let after = index(after) else { return nil }
        return Indexes(before: before, after: after, isOther: true)
    }

    // MARK: History

    private static let emptyTree = (
        short: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        long: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    )

    private mutating func fill(_ common: String, _ moved: [GitChange.Ref], _ indexes: Indexes) {
        let (old, new) = (refs.before, refs.after)
        history.isLong =
            old.tips.union(new.tips).contains { $0.utf8.count == 64 } || after.namesObjectsByLongHashes(common)
        var tips = moved.compactMap(\.after).filter(GitRefs.isName)
        if let head = new.head, GitRefs.isName(head), head != old.head { tips.append(head) }
        history.newTips = tips + newStashes
        history.oldTips = old.tips.sorted() + old.stashes
        history.lostFrom = old.tips.subtracting(new.tips).sorted()
        history.keptBy = new.tips.sorted() + new.stashes
        history.objects = [run.workspace, run.folder.upper].filter { side in
            do throws(Failure) {
                _ = try OpenFolder(side).folder(GitPlaces.join(common, "objects"))
                return true
            } catch { return false }
        }.map { $0.child(GitPlaces.join(common, "objects")) }
        let shallow = GitPlaces.join(common, "shallow")
        history.shallow = after.content(shallow, limit: Limits.gitConfigBytes)
        guard indexes.isOther else { return }
        let empty = history.isLong ? Self.emptyTree.long : Self.emptyTree.short
        if let index = indexes.before {
            history.indexes.append((index.bare, old.headCommit ?? empty))
        }
        if let index = indexes.after {
            history.indexes.append((index.bare, new.headCommit ?? empty))
        }
    }

    private var newStashes: [String] { refs.after.stashes.filter { !refs.before.stashes.contains($0) } }

    // MARK: Telling

    private func told(
        _ answer: GitHistory.Answer, _ moved: [GitChange.Ref], _ indexes: Indexes
    ) -> [GitChange.What] {
        var told: [GitChange.What] = git.isNew ? [.initialized] : []
        var owners = CommitOwners(answer.commits)
        var peeled = answer.peeled[...]
        var lines: [GitChange.What] = []
        for ref in moved {
            let commits = ref.after.map(GitRefs.isName) == true ? owners.taken(from: peeled.popFirst() ?? "") : []
            let isFirst = ref.before == nil && ref.name == refs.before.headBranch
            if ref.before == nil ? !git.isNew && !(isFirst && !commits.isEmpty) : commits.isEmpty {
                lines.append(.ref(ref))
            }
            guard let more = self.lines(commits, on: ref.name, answer) else { return [.unread("too many files")] }
            lines += more
        }
        if let head = refs.after.head, GitRefs.isName(head), head != refs.before.head {
            let commits = owners.taken(from: peeled.popFirst() ?? "")
            guard let more = self.lines(commits, on: "HEAD", answer) else { return [.unread("too many files")] }
            lines += more
        }
        let isMoreOfHead = lines.contains {
            if case .commits(let commits) = $0 { commits.ref == "HEAD" } else { false }
        }
        if refs.before.head != refs.after.head, !git.isNew, !git.isGone, !isMoreOfHead {
            lines.append(.ref(GitChange.Ref("HEAD", from: refs.before.head, to: refs.after.head)))
        }
        if !git.isGone { told += lines }
        guard let stash = stash(answer, &owners, &peeled) else { return [.unread("too many files")] }
        told += stash
        if answer.lost > 0 { told.append(.lost(answer.lost)) }
        guard let index = index(answer, indexes) else { return [.unread("too many files")] }
        if let index, index.count > 0 { told.append(.index(index)) }
        if !git.keys.isEmpty, !git.isNew { told.append(.config(git.keys)) }
        guard told.isEmpty else { return told }
        if git.isGone { return [.lost(0)] }
        // Only state is left behind, which is listed by itself.
        guard !git.touched.isEmpty else { return [] }
        if git.touched == ["index"], let index, indexes.isRefresh { return [.index(index)] }
        return [.upkeep(git.touched.sorted(), removes: git.removes)]
    }

    /// Returns the line for new commits, or no line if there are none. Returns `nil` if it would be too long.
    private func lines(
        _ commits: [GitHistory.Commit], on ref: String, _ answer: GitHistory.Answer
    ) -> [GitChange.What]? {
        guard let tip = commits.first else { return [] }
        return paths(of: commits, answer).map { paths in
            let isMerge = tip.parents.count > 1
            return [
                .commits(
                    GitChange.Commits(tip: tip.id, count: commits.count, ref: ref, isMerge: isMerge, paths: paths))
            ]
        }
    }

    private func stash(
        _ answer: GitHistory.Answer, _ owners: inout CommitOwners, _ peeled: inout ArraySlice<String>
    ) -> [GitChange.What]? {
        var commits: [GitHistory.Commit] = []
        for _ in newStashes { commits += owners.taken(from: peeled.popFirst() ?? "") }
        let dropped = refs.before.stashes.filter { !refs.after.stashes.contains($0) }.count
        guard dropped > 0 || !newStashes.isEmpty else { return [] }
        return paths(of: commits, answer).map { [.stash(made: newStashes.count, dropped: dropped, $0)] }
    }

    /// Returns the paths that commits change, or `nil` if too many are not in the work tree.
    private func paths(of commits: [GitHistory.Commit], _ answer: GitHistory.Answer) -> GitChange.Paths? {
        var told = ToldPaths()
        for commit in commits {
            let sides = answer.changes[commit.id] ?? []
            // What a merge takes over unchanged is told with the commit that made it.
            let others = sides.dropFirst().map { Set($0) }
            for change in sides.first ?? [] {
                let isNew = others.allSatisfy { $0.contains { $0.path == change.path && $0.id == change.id } }
                told.note(change, isElsewhere: isNew && isElsewhere(change))
            }
        }
        return told.paths
    }

    /// Returns the paths of the index that are told. It is `.some(nil)` if the index is as it was.
    private func index(_ answer: GitHistory.Answer, _ indexes: Indexes) -> GitChange.Paths?? {
        guard indexes.isOther else { return .some(nil) }
        var staged = answer.staged[...]
        let old = indexes.before == nil ? [] : staged.popFirst() ?? []
        let new = indexes.after == nil ? [] : staged.popFirst() ?? []
        let (was, now) = (indexes.before?.entries ?? [:], indexes.after?.entries ?? [:])
        let keys = Set(was.keys).union(now.keys).filter { was[$0] != now[$0] }
        let changed = Set(keys.map(\.path))
        var told = ToldPaths()
        let newPaths = Set(new.map(\.path))
        for change in new where changed.contains(change.path) {
            told.note(change, isElsewhere: change.kind != .removed && isElsewhere(change))
        }
        for change in old where changed.contains(change.path) && !newPaths.contains(change.path) {
            // It is as in the commit again.
            let kind: GitChange.Path.Kind = .changed
            told.note(GitHistory.Change(path: change.path, kind: kind, mode: 0, id: ""), isElsewhere: false)
        }
        let known = newPaths.union(old.map(\.path))
        for key in keys where !known.contains(key.path) {
            guard let one = was[key], let other = now[key], one.marks != other.marks else { continue }
            let change = GitHistory.Change(path: key.path, kind: .changed, mode: other.mode, id: other.id)
            told.note(change, isElsewhere: isElsewhere(change))
        }
        return told.paths.map { .some($0) }
    }

    /// Whether the working file does not have this content.
    private func isElsewhere(_ change: GitHistory.Change) -> Bool {
        guard change.kind != .removed, change.mode != 0o160000 else { return false }
        guard let workTree, let path = String(validating: change.path, as: UTF8.self) else { return true }
        let place = GitPlaces.join(workTree, path)
        // A program that is none in the work tree.
        if change.mode == 0o100755, after.status(place).map({ $0.permissions & 0o100 == 0 }) ?? true { return true }
        return after.blobName(place, isLong: history.isLong) != change.id
    }
}

/// The paths of a change while they are collected.
private struct ToldPaths {
    private var order: [[UInt8]] = []
    private var named: [[UInt8]: GitChange.Path] = [:]

    mutating func note(_ change: GitHistory.Change, isElsewhere: Bool) {
        if named[change.path] == nil {
            order.append(change.path)
            let path = String(decoding: change.path, as: UTF8.self)
            named[change.path] = GitChange.Path(path, change.kind, isElsewhere: isElsewhere)
        } else if isElsewhere {
            named[change.path]?.isElsewhere = true
        }
    }

    /// Returns the paths, or `nil` if too many of them are elsewhere.
    var paths: GitChange.Paths? {
        let all = order.compactMap { named[$0] }
        let elsewhere = all.filter(\.isElsewhere)
        guard elsewhere.count <= Limits.gitElsewhere else { return nil }
        // New and removed names say more than changed ones.
        let others = all.filter { !$0.isElsewhere }
        let telling = others.filter { $0.kind != .changed } + others.filter { $0.kind == .changed }
        return GitChange.Paths(count: all.count, named: elsewhere + telling.prefix(Limits.gitPathsNamed))
    }
}

/// The new commits, each of which belongs to the first ref that reaches it.
private struct CommitOwners {
    private let order: [GitHistory.Commit]
    private var left: [String: GitHistory.Commit]

    init(_ commits: [GitHistory.Commit]) {
        order = commits
        left = Dictionary(commits.map { ($0.id, $0) }) { one, _ in one }
    }

    /// Returns the commits that a tip reaches and no ref before it, the newest first.
    mutating func taken(from tip: String) -> [GitHistory.Commit] {
        var (rest, found) = ([tip], Set<String>())
        while let id = rest.popLast() {
            guard let commit = left.removeValue(forKey: id) else { continue }
            found.insert(id)
            rest += commit.parents
        }
        return order.filter { found.contains($0.id) }
    }
}

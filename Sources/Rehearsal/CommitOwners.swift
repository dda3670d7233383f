import Vocabulary

extension Limits {
    /// The most paths of one change that are named because their content is not in the work tree.
    fileprivate static let gitPathsElsewhere = 200

    /// The other paths of one change that are named.
    fileprivate static let gitPathsNamed = 20
}

/// The new commits, each of which belongs to the first ref that reaches it.
struct CommitOwners {
    /// The reasons why something is not described in detail.
    var unknown: [String] = []
    private let changes: [String: [[GitHistory.Change]]]
    private let elsewhere: [GitHistory.Change: GitReport.Elsewhere]
    private let order: [GitHistory.Commit]
    private var left: [String: GitHistory.Commit]
    private var tips: ArraySlice<GitHistory.Object>

    init(_ answer: GitHistory.Answer, _ elsewhere: [GitHistory.Change: GitReport.Elsewhere]) {
        changes = answer.changes
        self.elsewhere = elsewhere
        order = answer.commits
        left = Dictionary(answer.commits.map { ($0.id, $0) }) { one, _ in one }
        tips = answer.peeled[...]
    }

    /// Returns the commits that the next tip reaches and no tip before it, the newest first.
    mutating func next() -> [GitHistory.Commit] { nextAfter(nil).commits }

    /// Returns the commits that the next tip reaches and no tip before it, the newest first, and whether one of them
    /// follows a given commit.
    mutating func nextAfter(_ old: String?) -> (commits: [GitHistory.Commit], isNext: Bool) {
        guard let tip = tips.popFirst() else { return ([], false) }
        if tip.isTree { unknown.append("a name of a tree, of which the files are not known") }
        var (rest, found, isNext) = ([tip.name], Set<String>(), false)
        while let id = rest.popLast() {
            guard let commit = left.removeValue(forKey: id) else { continue }
            found.insert(id)
            rest += commit.parents
            if let old, commit.parents.contains(old) { isNext = true }
        }
        return (found.isEmpty ? [] : order.filter { found.contains($0.id) }, isNext)
    }

    /// Returns the paths that commits change.
    mutating func paths(of commits: [GitHistory.Commit]) -> GitChange.Paths {
        var told = ToldPaths(elsewhere)
        for commit in commits {
            let sides = changes[commit.id] ?? []
            // What a merge takes over unchanged belongs to the commit that made it.
            let others = sides.dropFirst().map { Set($0.map { [$0.path, Array($0.id.utf8)] }) }
            for change in sides.first ?? [] {
                let isNew = others.allSatisfy { $0.contains([change.path, Array(change.id.utf8)]) }
                told.note(change, isNew: isNew)
            }
        }
        return whole(told)
    }

    /// Returns the paths of a change. If too many are not in the work tree, that is noted.
    mutating func whole(_ told: ToldPaths) -> GitChange.Paths {
        if told.elsewhereCount > Limits.gitPathsElsewhere {
            unknown.append("more than \(Limits.gitPathsElsewhere) files that are not in the folder")
        }
        return told.paths
    }
}

/// The paths of a change while they are collected.
struct ToldPaths {
    private let elsewhere: [GitHistory.Change: GitReport.Elsewhere]
    private var order: [[UInt8]] = []
    private var named: [[UInt8]: GitChange.Path] = [:]

    init(_ elsewhere: [GitHistory.Change: GitReport.Elsewhere]) { self.elsewhere = elsewhere }

    /// Adds a path. Commits come the newest first, so that a path is new if it is new in the last of them.
    ///
    /// - Parameter isNew: whether the content comes by this change.
    mutating func note(_ change: GitHistory.Change, isNew: Bool = true) {
        let text = String(decoding: change.path, as: UTF8.self)
        if named[change.path] == nil {
            order.append(change.path)
            named[change.path] = GitChange.Path(text, change.kind, isElsewhere: false)
        } else if change.kind == .added, named[change.path]?.kind == .changed {
            named[change.path]?.kind = .added
        }
        guard isNew, let place = elsewhere[change] else { return }
        let isGitState = place.isGitState || named[change.path]?.isGitState == true
        // The mode that is obeyed more counts.
        let mode = max(change.mode, named[change.path]?.mode ?? 0)
        named[change.path] = GitChange.Path(
            text, named[change.path]?.kind ?? change.kind, isElsewhere: true, mode: mode, isGitState: isGitState,
            otherPaths: place.otherPaths)
    }

    var elsewhereCount: Int { named.values.count(where: \.isElsewhere) }

    var paths: GitChange.Paths {
        let all = order.compactMap { named[$0] }
        let elsewhere = Array(all.filter(\.isElsewhere).prefix(Limits.gitPathsElsewhere))
        // New and removed names say more than changed ones.
        let others = all.filter { !$0.isElsewhere }
        let telling = others.filter { $0.kind != .changed } + others.filter { $0.kind == .changed }
        return GitChange.Paths(
            count: all.count,
            named: elsewhere + telling.prefix(Limits.gitPathsNamed))
    }
}

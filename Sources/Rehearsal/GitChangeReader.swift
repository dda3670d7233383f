import Files
import Glibc
import JSON
package import Sandbox
package import Vocabulary

extension Limits {
    /// The most objects at which the refs and logs of a repository are afterwards, and were not before.
    fileprivate static let gitNewTips = 2000

    /// The most bytes of an index of git that is compared.
    fileprivate static let gitComparedIndexBytes = 32 << 20
}

/// The reading of the git folders in which a command changed something.
package struct GitChangeReader {
    private let run: OverlayRun
    private let before, after: WorkspaceState
    private let places: GitPlaces
    private let sandbox: Isolation
    private let links: WorkspaceLinks

    /// Returns the changes of all git folders of a list. They are read once and kept beside the overlay, so that the
    /// call stays the same.
    package static func kept(_ list: ChangeList, of run: OverlayRun, sandbox: Isolation) throws(Failure)
        -> [GitChange]
    {
        guard !list.git.isEmpty else { return [] }
        let hash = ContentHash.of(list.targets.flatMap { Array($0.json.canonical.utf8) })
        if let kept = run.folder.git(for: hash) { return kept }
        let reader = GitChangeReader(
            run: run, before: try WorkspaceState(before: run.workspace),
            after: try WorkspaceState(after: list, of: run),
            places: try GitPlaces(run), sandbox: sandbox,
            links: list.links)
        var changes: [GitChange] = []
        for git in list.git { changes += try reader.changes(of: git) }
        try run.folder.note(git: changes, for: hash)
        return changes
    }

    private func changes(of git: GitFolderChange) throws(Failure) -> [GitChange] {
        var trees = git.isGone ? nil : places.workTrees(of: git.path, isOnlyShared: false)
        // The workspace may have its repository elsewhere.
        if trees == nil, places.leads(from: "").contains(.to(git.path)) { trees = [""] }
        let tree = trees?.count == 1 ? trees?.first : nil
        func absolute(_ path: String) -> String { path.isEmpty ? run.workspace : run.workspace.child(path) }
        return try told(git, workTree: tree).map { what in
            GitChange(what, in: absolute(git.path), workTree: tree.map(absolute))
        }
    }

    private func told(_ git: GitFolderChange, workTree: String?) throws(Failure) -> [GitChange.What] {
        guard Programs.find("git") != nil else { return [.unread("git is not installed")] }
        guard let common = common(of: git) else { return [.unread("its repository is not here")] }
        guard let old = GitRefs(git.path, common: common, in: before),
            let new = GitRefs(git.path, common: common, in: after)
        else { return [.unread("its refs cannot be read")] }
        guard let indexes = indexes(of: git) else { return [.unread("its index cannot be read")] }
        var report = GitReport(
            git: git, before: old, after: new, indexes: indexes, isLinked: !common.isSameName(as: git.path))
        let history = history(report, common)
        guard history.newTips.count <= Limits.gitNewTips else {
            return [.unread("more than \(Limits.gitNewTips) new ends of histories")]
        }
        guard let answer = try history.answer(in: "\(run.folder.path)/git", sandbox: sandbox) else {
            return [.unread("git could not read it")]
        }
        var folders = GitFolders()
        for change in answer.allChanges where isElsewhere(change, workTree, isLong: history.isLong) {
            report.elsewhere[change] = place(of: change, workTree, &folders)
        }
        return report.told(answer)
    }

    /// Returns what a checkout of a path would make besides its content.
    private func place(
        of change: GitHistory.Change, _ workTree: String?, _ folders: inout GitFolders
    ) -> GitReport.Elsewhere {
        let path = String(decoding: change.path, as: UTF8.self)
        let isOdd = path.pathNames.contains { ["..", ".git"].contains($0.lowercased()) }
        guard let workTree else { return GitReport.Elsewhere(isGitState: isOdd, otherPaths: []) }
        let place = run.workspace.child(GitPlaces.join(workTree, path))
        return GitReport.Elsewhere(
            isGitState: isOdd || folders.names(place), otherPaths: links.otherPaths(of: place))
    }

    /// Returns the folder with objects and refs, as a path below the workspace. Of a linked work tree it is another
    /// one.
    private func common(of git: GitFolderChange) -> String? {
        let link = GitPlaces.join(git.path, "commondir")
        guard (after.status(link) ?? before.status(link)) != nil else { return git.path }
        let names = git.path.pathNames
        guard names.count >= 2, names[names.count - 2] == "worktrees" else { return nil }
        return names.dropLast(2).joined(separator: "/")
    }

    /// Returns the index before and after, or `nil` if one of them cannot be read.
    private func indexes(of git: GitFolderChange) -> GitReport.Indexes? {
        let path = GitPlaces.join(git.path, "index")
        guard after.isChanged(path) else { return GitReport.Indexes() }
        func index(_ state: WorkspaceState) -> GitIndex?? {
            guard state.status(path) != nil else { return .some(nil) }
            let bytes = state.content(path, limit: Limits.gitComparedIndexBytes)
            guard let index = bytes.flatMap({ GitIndex($0, keepsEntries: true) }), index.shared == nil else {
                return nil
            }
            return .some(index)
        }
        guard let before = index(before), var after = index(after) else { return nil }
        // Without an index, git has nothing staged.
        if before != nil, after == nil, !git.isGone { after = GitIndex(Self.emptyIndex, keepsEntries: true) }
        return GitReport.Indexes(before: before, after: after, isOther: true)
    }

    // MARK: History

    /// An index without entries, of version 2.
    private static let emptyIndex = Array("DIRC".utf8) + [0, 0, 0, 2, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 20)

    /// The tree without files, which git knows without an object.
    private static let emptyTree = (
        short: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
        long: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"
    )

    /// Returns what git is asked for.
    private func history(_ report: GitReport, _ common: String) -> GitHistory {
        let (old, new) = (report.before, report.after)
        var history = GitHistory()
        history.isLong =
            old.tips.union(new.tips).contains { $0.utf8.count == 64 } || after.namesObjectsByLongHashes(common)
        history.newTips = report.newTips
        history.oldTips = (old.tips.union(old.logged)).sorted() + old.stashes
        history.lostFrom = report.isLinked ? [] : old.tips.subtracting(new.tips).sorted()
        history.keptBy = new.tips.sorted() + new.stashes
        history.objects = (objects(of: common, in: run.workspace), objects(of: common, in: run.folder.upper))
        history.shallow = after.content(GitPlaces.join(common, "shallow"), limit: Limits.gitConfigBytes)
        let empty = history.isLong ? Self.emptyTree.long : Self.emptyTree.short
        history.indexes =
            (report.indexes.before.map { [($0.bare, old.headCommit ?? empty)] } ?? [])
            + (report.indexes.after.map { [($0.bare, new.headCommit ?? empty)] } ?? [])
        return history
    }

    /// Returns the folder with objects on a side, or `nil` if there is none.
    private func objects(of common: String, in side: String) -> String? {
        let path = GitPlaces.join(common, "objects")
        do throws(Failure) {
            _ = try OpenFolder(side).folder(path)
            return side.child(path)
        } catch { return nil }
    }

    /// Whether the working file does not have this content.
    private func isElsewhere(_ change: GitHistory.Change, _ workTree: String?, isLong: Bool) -> Bool {
        guard change.kind != .removed, change.mode != 0o160000 else { return false }
        guard let workTree, let path = String(validating: change.path, as: UTF8.self) else { return true }
        let place = GitPlaces.join(workTree, path)
        let status = after.status(place)
        guard status?.kind == (change.mode == 0o120000 ? .link : .file) else { return true }
        // A program that is none in the work tree.
        if change.mode == 0o100755, status.map({ $0.permissions & 0o100 == 0 }) ?? true { return true }
        return after.blobName(place, isLong: isLong) != change.id
    }
}

import Files
import Glibc
import Vocabulary

/// The git folders on the way of a walk. Their history is one change. State that git obeys or continues is listed by
/// itself.
extension ChangeWalk {
    static func exists(_ name: String, _ upper: borrowing OpenFolder, _ lower: borrowing OpenFolder) -> Bool {
        if let status = entry(name, in: upper) { return !status.isWhiteout || entry(name, in: lower) != nil }
        return entry(name, in: lower) != nil
    }

    private static func entry(_ name: String, in folder: borrowing OpenFolder) -> stat? {
        do throws(Failure) { return try folder.status(of: name) } catch { return nil }
    }

    /// Begins a folder that exists before and after. Returns whether it is a git folder.
    mutating func beginGit(
        _ upper: borrowing OpenFolder, _ lower: borrowing OpenFolder, _ name: String, _ at: String
    ) -> Bool {
        let wasOne = name == ".git" || GitPlaces.isRepository { Self.entry($0, in: lower) != nil }
        guard wasOne || GitPlaces.isRepository({ Self.exists($0, upper, lower) }), sums.last?.kind != .gitState else {
            return false
        }
        // What a folder held before it became a git folder was judged as files.
        sums.append(ChangeSum(.git, holdsGitState: !wasOne))
        beginGit(at, isNew: !wasOne)
        return true
    }

    mutating func beginGit(_ at: String, isNew: Bool, isGone: Bool = false) {
        gitFolders.append(list.git.count)
        list.git.append(GitFolderChange(path: at, isNew: isNew, isGone: isGone, isTouched: isNew || isGone))
    }

    /// Ends a git folder, and returns the sum of its changes.
    mutating func endGit() -> ChangeSum? {
        gitFolders.removeLast()
        return sums.popLast()
    }

    /// Begins a folder that comes or goes as a whole. Returns whether it has a sum of its own.
    mutating func beginSum(_ names: [String], _ name: String, _ at: String, isGone: Bool) -> Bool {
        guard sums.last?.kind != .gitState else { return false }
        let below = pathInGit(at)
        let isGit = name == ".git" || GitPlaces.isRepository(names.contains)
        // Below a git folder, only submodules have theirs.
        if isGit, below == nil || below?.path(below: "modules") != nil {
            sums.append(ChangeSum(.git))
            beginGit(at, isNew: !isGone, isGone: isGone)
            return true
        }
        guard let below else {
            sums.append(ChangeSum(.plain))
            return true
        }
        guard GitPart(below, isPlain: true, isGone ? .goes : .comes) == .state, !isInGoneGit else { return false }
        sums.append(ChangeSum(.gitState))
        return true
    }

    /// Ends a folder that comes or goes as a whole, and lists it.
    ///
    /// - Parameter hasSum: whether it has a sum of its own.
    mutating func tellEnded(
        _ hasSum: Bool, _ effect: Effect, _ at: String, before: Call.Before, _ change: Call.Change,
        resembles: String? = nil
    ) throws(Failure) {
        guard hasSum, let sum = sums.last else {
            return try tell(effect, at, before: before, change, resembles: resembles)
        }
        if sum.kind == .git { _ = endGit() } else { sums.removeLast() }
        try tellSum(sum, effect, at, before: before, change, resembles: resembles)
    }

    private var isInGoneGit: Bool { gitFolders.last.map { list.git[$0].isGone } ?? false }

    /// Returns the path below the innermost git folder, or `nil` if there is none or the path is that folder.
    private func pathInGit(_ at: String) -> String? {
        guard let git = gitFolders.last else { return nil }
        let folder = list.git[git].path
        return folder.isEmpty ? at : at.path(below: folder)
    }

    /// Returns whether a change below a git folder is listed by itself, and marks it then.
    mutating func isGitState(_ target: inout Call.Target) -> Bool {
        guard let git = gitFolders.last, let at = target.path?.path(below: workspace), let below = pathInGit(at) else {
            return false
        }
        // A time says nothing of the history.
        guard !target.setsTimeOnly else { return false }
        list.git[git].isTouched = true
        let isPlain = target.change?.kind != .link
        let change: GitPart.Change =
            switch target.effect {
            case .deletes: .goes
            case .overwrites where target.change?.kind != .folder: .changes
            default: .comes
            }
        switch GitPart(below, isPlain: isPlain, change) {
        case _ where list.git[git].isGone: return false
        case .history:
            let isFolder = target.change?.kind == .folder
            let name = below.pathNames.first ?? ""
            if isFolder { list.git[git].folders.insert(name) } else { list.git[git].touched.insert(name) }
            if Self.removes(target, at: below) { list.git[git].removed.insert(below) }
            return false
        case .settings where !obeyedSettings.contains(at):
            list.git[git].touched.insert(below)
            return false
        case .settings, .state:
            target.isGitState = true
            return true
        }
    }

    /// Whether a change takes objects away, or lines of a log.
    private static func removes(_ target: Call.Target, at path: String) -> Bool {
        guard path.path(below: "objects") != nil || path.path(below: "logs") != nil else { return false }
        guard target.effect == .overwrites, case .file(_, _, let size, _, _) = target.before, let change = target.change
        else { return target.effect == .deletes }
        return change.kind == .file && Int64(change.bytes) < size
    }

    /// Compares the configuration of a git folder with the one before, and stores the keys that have another value.
    ///
    /// - Parameter before: the settings before, or `nil` if they cannot be read.
    mutating func compareSettings(
        _ upper: borrowing OpenFolder, since before: GitSettings?, _ name: String, _ at: String
    ) {
        guard name == "config", let git = gitFolders.last, pathInGit(at) == name else { return }
        guard let before, let after = Self.settings(name, in: upper) else {
            obeyedSettings.insert(at)
            return
        }
        let keys = after.changedKeys(since: before)
        list.git[git].keys = keys
        if keys.contains(where: { after.isObeyed($0, since: before) }) { obeyedSettings.insert(at) }
    }

    /// Returns the settings in a file, or `nil` if it is no configuration of git or cannot be read for certain.
    static func settings(_ name: String, in folder: borrowing OpenFolder) -> GitSettings? {
        guard name == "config" else { return nil }
        do throws(Failure) {
            let file = try folder.file(name)
            let status = try file.status()
            guard status.kind == .file, status.st_size <= Limits.gitConfigBytes else { return nil }
            return GitSettings(content: try file.read(Int(status.st_size)))
        } catch { return nil }
    }
}

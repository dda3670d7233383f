import Files
package import Vocabulary

/// The search for hidden files that are tracked by a repository which a command has changed. Git saw these files as
/// empty, so a commit of all files, or a stash, would lose their content.
package struct TrackedFiles {
    private let places: GitPlaces
    private let list: ChangeList
    private let hidden: HiddenPaths
    /// The last names of the hidden paths.
    private let names: Set<[UInt8]>
    private var tracked: Set<String> = []
    /// The indexes that cannot be read.
    private var unreadable: [String] = []

    /// Refuses changes of repositories that track hidden files, wherever these repositories and their work trees lie.
    ///
    /// The changed paths decide, and not the commands: folders that contain a repository, and files that are an index.
    ///
    /// - Throws: `hiddenTracked`, also if an index cannot be read.
    package static func refuse(_ list: ChangeList, hidden: HiddenPaths, exitCode: Int, in rehearsal: OverlayRun)
        throws(Failure)
    {
        guard !hidden.isEmpty, !list.steps.isEmpty else { return }
        var files = TrackedFiles(places: try GitPlaces(rehearsal), list: list, hidden: hidden)
        files.lookAtRepositories()
        if !files.tracked.isEmpty {
            let told =
                hidden.files.filter(files.tracked.contains)
                + hidden.folders.map { "\($0)/" }.filter(files.tracked.contains)
            throw .hiddenTracked(told + files.tracked.subtracting(told).sorted(), exitCode: exitCode)
        }
        if let index = files.unreadable.first { throw .indexUnreadable(index, hidden, exitCode: exitCode) }
    }

    private init(places: GitPlaces, list: ChangeList, hidden: HiddenPaths) {
        self.places = places
        self.list = list
        self.hidden = hidden
        names = Set((hidden.files + hidden.folders).map { Array(lastName(of: $0).utf8) })
    }

    private mutating func lookAtRepositories() {
        let changed = changedRepositories()
        var (leading, unknown): ([String: [String]], [String]) = ([:], [])
        for folder in foldersAround() {
            for lead in places.leads(from: folder) {
                switch lead {
                case .to(let repository): leading[repository, default: []].append(folder)
                case .unknown: unknown.append(folder)
                }
            }
        }
        var looked: Set<String> = []
        for repository in changed.union(leading.keys.filter { isShared($0, among: changed) }).sorted() {
            looked.insert(repository)
            let trees = places.workTrees(of: repository, isOnlyShared: !changed.contains(repository))
            look(
                at: GitPlaces.join(repository, "index"), trees: trees ?? leading[repository],
                more: (leading[repository] ?? []) + unknown)
        }
        // Other worktrees share the changed repository.
        for worktree in changed.flatMap(places.worktrees) where looked.insert(worktree).inserted {
            guard let trees = places.workTrees(of: worktree, isOnlyShared: true) else { continue }
            look(at: GitPlaces.join(worktree, "index"), trees: trees, more: leading[worktree] ?? [])
        }
        // The index may have another name, by `GIT_INDEX_FILE`.
        for index in list.indexes.sorted() where isChanged(index) && !isPart(index, of: looked) {
            look(at: index, trees: nil, more: [])
        }
    }

    /// Returns the folders that hold a repository in which something has changed.
    private func changedRepositories() -> Set<String> {
        var found = list.repositories.filter { isChanged($0) }
        var known: Set<[UInt8]> = []
        for step in list.steps {
            var names = step.path.pathNames[...]
            while true {
                let folder = names.joined(separator: "/")
                guard known.insert(Array(folder.utf8)).inserted else { break }
                if places.isRepository(folder) { found.insert(folder) }
                guard names.popLast() != nil else { break }
            }
        }
        return found
    }

    /// Returns the folders of the hidden paths and all above them: each may have a `.git`.
    private func foldersAround() -> [String] {
        var known: Set<[UInt8]> = []
        var folders: [String] = []
        for path in hidden.files + hidden.folders where !path.hasPrefix("/") {
            var names = path.pathNames[...]
            while names.popLast() != nil {
                let folder = names.joined(separator: "/")
                guard known.insert(Array(folder.utf8)).inserted else { break }
                folders.append(folder)
            }
        }
        return folders
    }

    /// Whether a worktree shares a repository that has changed.
    private func isShared(_ worktree: String, among changed: Set<String>) -> Bool {
        places.commonFolder(of: worktree).map(changed.contains) ?? false
    }

    /// Whether a path is the index of a repository, or a shared part of it.
    private func isPart(_ index: String, of repositories: Set<String>) -> Bool {
        let name = lastName(of: index)
        return repositories.contains(relativeParent(of: index)) && (name == "index" || name.hasPrefix("sharedindex."))
    }

    /// Records the hidden paths that an index contains.
    ///
    /// - Parameters:
    ///   - trees: the work trees of the index, or `nil` if they may lie anywhere.
    ///   - more: other folders that may be work trees.
    private mutating func look(at path: String, trees: [String]?, more: [String]) {
        for index in places.indexes(at: path) {
            guard let content = index.content else {
                unreadable.append(path)
                continue
            }
            let entries = trees == nil ? content.entries(named: names) : []
            func isTracked(_ path: String, isFolder: Bool) -> Bool {
                guard !path.hasPrefix("/") else { return false }
                guard let trees else { return content.holdsSomewhere(path, isFolder: isFolder, among: entries) }
                return (trees + more).contains { tree in
                    guard let inner = Self.part(of: path, below: tree), !inner.isEmpty else { return false }
                    return isFolder ? content.holdsAny(below: inner) : content.holds(inner)
                }
            }
            for file in hidden.files where isTracked(file, isFolder: false) { tracked.insert(file) }
            for folder in hidden.folders where isTracked(folder, isFolder: true) { tracked.insert("\(folder)/") }
            if index.side == .upper { for entry in content.standIns { noteStandIn(entry) } }
        }
    }

    /// Records the hidden paths that an index entry of a stand-in may mean, in any work tree.
    private mutating func noteStandIn(_ entry: [UInt8]) {
        let name = entry.split(separator: UInt8(ascii: "/")).last.map { Array($0) }
        let meant = hidden.files.filter { name == nil || Array(lastName(of: $0).utf8) == name && !$0.hasPrefix("/") }
        tracked.formUnion(meant.isEmpty ? [String(decoding: entry, as: UTF8.self)] : meant)
    }

    /// Returns the part of a path below a folder, or `nil` if the path is not below it. Both are paths below the
    /// workspace, which is the empty path.
    private static func part(of path: String, below folder: String) -> String? {
        folder.isEmpty ? path : path.path(below: folder)
    }

    /// Whether a path, an entry below it or a folder above it was created, deleted or replaced.
    private func isChanged(_ path: String) -> Bool {
        list.steps.contains { step in
            Self.part(of: step.path, below: path) != nil
                || !step.setsOnly && Self.part(of: path, below: step.path) != nil
        }
    }
}

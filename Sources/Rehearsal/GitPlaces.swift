package import Files
import Glibc
package import Vocabulary

extension Limits {
    /// The most bytes of an index of git that is read.
    fileprivate static let gitIndexBytes = 128 << 20

    /// The most bytes of the settings of a repository that are read.
    fileprivate static let gitSettingsBytes = 1 << 20

    /// The most links that are followed on the way to a repository.
    fileprivate static let gitLinks = 40
}

/// The repositories of a workspace, as they are after a command and as they were before it. All paths lie below the
/// workspace, which is the empty path.
final class GitPlaces {
    /// The workspace. `upper` is the overlay with the changes of the command.
    private let lower: OpenFolder
    private let upper: OpenFolder
    private let workspace: String

    convenience init(_ rehearsal: OverlayRun) throws(Failure) {
        try self.init(
            lower: OpenFolder(rehearsal.workspace), upper: OpenFolder(rehearsal.folder.upper),
            workspace: rehearsal.workspace)
    }

    private init(lower: consuming OpenFolder, upper: consuming OpenFolder, workspace: String) {
        self.lower = lower
        self.upper = upper
        self.workspace = workspace
    }

    /// A side of the overlay: the changes of the command (`upper`), or the workspace below (`lower`).
    enum Side: CaseIterable { case upper, lower }

    // MARK: Repositories

    /// Returns whether a folder with these names in it contains a repository, or the own files of a worktree.
    static func isRepository(_ has: (String) -> Bool) -> Bool {
        has("HEAD") && (has("commondir") || has("objects") && has("refs"))
    }

    /// Returns whether a folder contains a repository. Both sides count together, so files that the command has deleted
    /// count, too.
    func isRepository(_ folder: String) -> Bool { Self.isRepository { exists(Self.join(folder, $0)) } }

    /// Returns whether a path is a repository, or belongs to the history of one.
    func isHistory(_ path: String) -> Bool {
        let names = path.pathNames
        return names.indices.contains { index in
            guard isRepository(names[...index].joined(separator: "/")) else { return false }
            let below = names[(index + 1)...].joined(separator: "/")
            return GitPart(below, isPlain: true, .comes) == .history
        }
    }

    /// Returns the folder that a worktree shares with its repository, or `nil` if the folder belongs to no worktree.
    func commonFolder(of repository: String) -> String? {
        line(Self.join(repository, "commondir")).flatMap { resolved($0, in: repository) }
    }

    /// The repository to which `.git` in a folder leads: itself, or the target of a link or a file.
    enum Lead: Hashable {
        case to(String)
        /// A place outside the workspace, where commands change nothing, or an unknown place.
        case unknown
    }

    /// Returns the repositories to which `.git` in a folder leads, before the command and after it.
    func leads(from folder: String) -> [Lead] {
        let path = Self.join(folder, ".git")
        var leads: [Lead] = []
        for side in Side.allCases {
            guard let kind = status(path, side)?.kind else { continue }
            let lead: String? =
                switch kind {
                case .folder: path
                case .link: resolved(".git", in: folder)
                case .file:
                    line(path, side).flatMap {
                        $0.hasPrefix("gitdir:") ? resolved(Self.trimmed($0.dropFirst(7)), in: folder) : nil
                    }
                case .special: nil
                }
            leads.append(lead.map(Lead.to) ?? .unknown)
        }
        return leads
    }

    /// Returns the work trees of a repository, by its place and its settings.
    ///
    /// - Parameter isOnlyShared: whether the command changed only files that a worktree shares with others. A worktree
    ///   outside the workspace does not count then.
    /// - Returns: `nil` if they may lie anywhere.
    func workTrees(of repository: String, isOnlyShared: Bool) -> [String]? {
        if exists(Self.join(repository, "commondir")) {
            guard let link = line(Self.join(repository, "gitdir")) else { return nil }
            guard let place = resolved(link, in: repository) else { return isOnlyShared ? [] : nil }
            return [relativeParent(of: place)]
        }
        var trees = lastName(of: repository).isSameName(as: ".git") ? [relativeParent(of: repository)] : []
        for name in ["config", "config.worktree"] {
            for side in Side.allCases {
                guard let kind = status(Self.join(repository, name), side)?.kind else { continue }
                guard kind == .file,
                    let bytes = read(Self.join(repository, name), side, limit: Limits.gitSettingsBytes),
                    let settings = String(validating: bytes, as: UTF8.self)
                else { return nil }
                for value in Self.workTreeSettings(settings) {
                    guard let value, let place = resolved(value, in: repository) else { return nil }
                    trees.append(place)
                }
            }
        }
        return trees.isEmpty ? nil : trees
    }

    /// Returns the values of `core.worktree`. A value with quotes, escapes or comments is `nil`.
    static func workTreeSettings(_ settings: String) -> [String?] {
        settings.split(whereSeparator: \.isNewline).compactMap { line -> String?? in
            // A setting may stand in the line of its section.
            let setting = trimmed(line).hasPrefix("[") ? line.split(separator: "]", maxSplits: 1).last ?? line : line
            guard let sign = setting.firstIndex(of: "="), trimmed(setting[..<sign]).lowercased() == "worktree" else {
                return nil
            }
            let value = trimmed(setting[setting.index(after: sign)...])
            return .some(value.contains { "\"\\#;".contains($0) } ? nil : value)
        }
    }

    /// Returns the folders of the worktrees of a repository.
    func worktrees(of repository: String) -> [String] {
        let folder = Self.join(repository, "worktrees")
        var names: Set<String> = []
        if let folder = try? upper.folder(folder) { names.formUnion((try? folder.namesInText()) ?? []) }
        if let folder = try? lower.folder(folder) { names.formUnion((try? folder.namesInText()) ?? []) }
        return names.sorted().map { Self.join(folder, $0) }
    }

    // MARK: Indexes

    /// An index on one side.
    struct Index {
        /// The content, or `nil` if it cannot be read. The index may contain any path then.
        var content: GitIndex?
        var side: Side
    }

    /// Returns an index from both sides, with its shared part if it is split.
    ///
    /// - Parameter path: the path of the index, which need not exist.
    func indexes(at path: String) -> [Index] {
        Side.allCases.flatMap { side -> [Index] in
            guard let status = status(path, side) else { return [] }
            guard let index = index(path, side, status) else { return [Index(content: nil, side: side)] }
            let found = [Index(content: index, side: side)]
            guard let shared = index.shared else { return found }
            let rest = Self.join(relativeParent(of: path), shared)
            // The command may have written one of the two files only.
            for inner in [side, side == .upper ? .lower : .upper] {
                if let status = self.status(rest, inner) {
                    return found + [Index(content: self.index(rest, inner, status), side: inner)]
                }
            }
            return found + [Index(content: nil, side: side)]
        }
    }

    private func index(_ path: String, _ side: Side, _ status: stat) -> GitIndex? {
        guard status.kind == .file, status.st_size <= Limits.gitIndexBytes else { return nil }
        return read(path, side, limit: Limits.gitIndexBytes).flatMap { GitIndex($0) }
    }

    // MARK: Files

    /// Returns whether a path exists on one of the sides.
    private func exists(_ path: String) -> Bool { Side.allCases.contains { status(path, $0) != nil } }

    /// Returns the status of a path on a side. A link is not followed, and neither are links on the way.
    private func status(_ path: String, _ side: Side) -> stat? {
        switch side {
        case .upper: Self.status(path, in: upper)
        case .lower: Self.status(path, in: lower)
        }
    }

    private static func status(_ path: String, in folder: borrowing OpenFolder) -> stat? {
        guard let name = path.pathNames.last else { return try? folder.file.status() }
        guard let parent = try? folder.folder(relativeParent(of: path)), let status = try? parent.status(of: name),
            !status.isWhiteout
        else {
            return nil
        }
        return status
    }

    private func read(_ path: String, _ side: Side, limit: Int) -> [UInt8]? {
        switch side {
        case .upper: Self.read(path, in: upper, limit)
        case .lower: Self.read(path, in: lower, limit)
        }
    }

    /// Reads a whole file. Returns `nil` if it is longer than the limit or cannot be read.
    private static func read(_ path: String, in folder: borrowing OpenFolder, _ limit: Int) -> [UInt8]? {
        guard let file = try? folder.file(path), let status = try? file.status(), status.kind == .file,
            status.st_size <= limit
        else {
            return nil
        }
        return try? file.read(Int(status.st_size))
    }

    /// Returns the first line of a small file that git wrote, or `nil` if it cannot be read.
    private func line(_ path: String) -> String? { line(path, .upper) ?? line(path, .lower) }

    private func line(_ path: String, _ side: Side) -> String? {
        guard let bytes = read(path, side, limit: Limits.gitNoteBytes),
            let text = String(validating: bytes, as: UTF8.self)
        else {
            return nil
        }
        return text.split(whereSeparator: \.isNewline).first.map(Self.trimmed)
    }

    /// Resolves a path that git has written in a folder. Links are followed inside the workspace.
    ///
    /// - Returns: `nil` if the path leads out of the workspace, or through too many links.
    private func resolved(_ written: String, in folder: String) -> String? {
        var (place, rest) = (folder.pathNames, [String]())
        /// Puts a path before the names that remain. Returns false if it lies outside the workspace.
        func follow(_ path: String) -> Bool {
            guard path.hasPrefix("/") else {
                rest += path.pathNames.reversed()
                return true
            }
            guard let inner = path.path(below: workspace) else { return false }
            place = []
            rest += inner.pathNames.reversed()
            return true
        }
        guard follow(written) else { return nil }
        var links = 0
        while let name = rest.popLast() {
            switch name {
            case ".": continue
            case "..": guard place.popLast() != nil else { return nil }
            default:
                let folder = place.joined(separator: "/")
                guard let target = linkTarget(Self.join(folder, name)) else {
                    place.append(name)
                    continue
                }
                links += 1
                guard links <= Limits.gitLinks, let target, follow(target) else { return nil }
            }
        }
        return place.joined(separator: "/")
    }

    /// Returns the target of a link, as the command left it.
    ///
    /// - Returns: `nil` if the path is not a link, and `.some(nil)` if its target is not UTF-8.
    private func linkTarget(_ path: String) -> String?? {
        for side in Side.allCases {
            guard let status = status(path, side) else { continue }
            guard status.kind == .link else { return nil }
            switch side {
            case .upper: return .some(Self.linkTarget(path, in: upper))
            case .lower: return .some(Self.linkTarget(path, in: lower))
            }
        }
        return nil
    }

    private static func linkTarget(_ path: String, in folder: borrowing OpenFolder) -> String? {
        try? folder.folder(relativeParent(of: path)).linkTarget(lastName(of: path))
    }

    static func join(_ folder: String, _ name: String) -> String { folder.isEmpty ? name : "\(folder)/\(name)" }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\r" }
        return String(text.drop(while: blank).reversed().drop(while: blank).reversed())
    }
}

extension PrivateNotes {
    /// Records the new files of a private command before they are applied. The history of git is left out, since
    /// otherwise no later command could use the repository (`GitOutput` checks the output of git for keys).
    package static func note(_ list: ChangeList, of run: OverlayRun, _ own: OwnFolders) throws(Failure) {
        let places = try GitPlaces(run)
        let paths = list.steps.filter { $0.bringsContent && !places.isHistory($0.path) }.map(\.path)
        try note(paths, in: OpenFolder(run.folder.upper), movingTo: run.workspace, own)
    }
}

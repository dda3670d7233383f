package import JSON

/// A change of a git repository that a rehearsed command would make, as git itself would tell it (`consent.md`, "Git").
/// It is a part of the digest.
package struct GitChange: Hashable, Sendable {
    /// The folder with the objects and refs: an absolute path.
    package var folder: String
    /// The folder of the working files: an absolute path, or `nil` if it is not known or there is none.
    package var workTree: String?
    package var what: What

    package init(_ what: What, in folder: String, workTree: String?) {
        self.what = what
        self.folder = folder
        self.workTree = workTree
    }

    package enum What: Hashable, Sendable {
        /// The repository is new.
        case initialized
        /// The repository does not exist afterwards.
        case deleted
        case commits(Commits)
        case ref(Ref)
        /// Entries of the stash that come and go, and the files in those that come.
        case stash(made: Int, dropped: Int, Paths)
        /// The paths whose entries in the index differ from before, apart from those that follow HEAD. Without paths,
        /// only what git remembers of files is new (`isRefresh`).
        case index(Paths)
        /// The keys of the configuration that have another value, such as `user.name`.
        case config([String])
        /// The number of commits that no ref reaches afterwards.
        case lost(Int)
        /// Only git's own files change, by their names in the git folder, and nothing that refs lead to. If `removes`,
        /// objects or lines of logs are removed.
        case upkeep([String], removes: Bool)
        /// The changes cannot be described, for the reason in words.
        case unread(String)
    }

    /// New commits of one branch.
    package struct Commits: Hashable, Sendable {
        /// The name of the newest: 40 or 64 hexadecimal digits.
        package var tip: String
        package var count: Int
        /// The full name of the ref that has them, such as `refs/heads/main`, or `HEAD`.
        package var ref: String
        /// Whether the newest has several parents.
        package var isMerge: Bool
        package var paths: Paths

        package init(tip: String, count: Int, ref: String, isMerge: Bool = false, paths: Paths) {
            (self.tip, self.count, self.ref, self.isMerge, self.paths) = (tip, count, ref, isMerge, paths)
        }
    }

    /// A ref that is made, moved or deleted. The values are names of objects, or `ref: refs/heads/main` for HEAD.
    package struct Ref: Hashable, Sendable {
        package var name: String
        /// `nil` if the ref is made.
        package var before: String?
        /// `nil` if the ref is deleted.
        package var after: String?

        package init(_ name: String, from before: String?, to after: String?) {
            (self.name, self.before, self.after) = (name, before, after)
        }
    }

    /// The paths of a change: their number, and those that are named.
    package struct Paths: Hashable, Sendable {
        package var count: Int
        /// All paths whose content differs from the working file, and the first of the others.
        package var named: [Path]

        package init(count: Int, named: [Path]) {
            self.count = count
            self.named = named
        }
    }

    package struct Path: Hashable, Sendable {
        package enum Kind: String, Hashable, Sendable { case added, changed, removed }

        /// Relative to the top of the tree.
        package var path: String
        package var kind: Kind
        /// Whether the working file with this path does not have this content, so that it would come by a checkout.
        package var isElsewhere: Bool
        /// The permissions with which a checkout makes it, or `nil` if it is not elsewhere. A link has `0o120000`.
        package var mode: Int?
        /// Whether a checkout would write into a git folder, or make what settings of a repository name.
        package var isGitState: Bool
        /// The absolute paths under which links of the workspace lead to it.
        package var otherPaths: [String]

        package init(
            _ path: String, _ kind: Kind, isElsewhere: Bool, mode: Int? = nil, isGitState: Bool = false,
            otherPaths: [String] = []
        ) {
            (self.path, self.kind, self.mode, self.otherPaths) = (path, kind, mode, otherPaths)
            (self.isElsewhere, self.isGitState) = (isElsewhere, isGitState)
        }

        package var isLink: Bool { mode == 0o120000 }
    }
}

extension GitChange {
    /// Whether something of the history is lost afterwards.
    package var loses: Bool {
        switch what {
        case .lost(let count): count > 0
        case .deleted: true
        case .ref(let ref): ref.after == nil
        case .stash(_, let dropped, _): dropped > 0
        case .upkeep(_, let removes): removes
        case .initialized, .commits, .index, .config, .unread: false
        }
    }

    /// Whether git shows another object in place of one from now on (`git-replace`).
    package var isReplacement: Bool {
        if case .ref(let ref) = what { ref.after != nil && ref.name.path(below: "refs/replace") != nil } else { false }
    }

    /// The paths of new commits, of the stash or of the index.
    package var paths: Paths? {
        switch what {
        case .commits(let commits): commits.paths
        case .index(let paths), .stash(_, _, let paths): paths
        case .initialized, .deleted, .ref, .lost, .config, .upkeep, .unread: nil
        }
    }

    /// Returns the absolute path of a path of the tree, as if it were checked out.
    package func place(of path: Path) -> String { (workTree ?? folder).child(path.path) }

    /// Whether git only remembers other times and sizes of files. Nothing of the history is changed.
    package var isRefresh: Bool { if case .index(let paths) = what { paths.count == 0 } else { false } }

    package var isUnread: Bool { if case .unread = what { true } else { false } }
}

extension Call {
    /// The changes of repositories. The list is empty for calls without a rehearsal, and for stored calls of earlier
    /// versions.
    package var gitChanges: [GitChange] { if case .done(let played) = rehearsal { played.git } else { [] } }

    /// Whether a target stands for the history of a repository, which `gitChanges` tells.
    package func isTold(_ target: Target) -> Bool {
        guard let change = target.change, change.kind == .folder, change.hash != nil,
            case .path(let path) = target.place
        else { return false }
        return gitChanges.contains { $0.folder.isSameName(as: path) }
    }
}

// MARK: JSON

extension GitChange {
    package var json: JSON {
        var object: JSON.Object = JSON.Object()
        object["folder"] = .string(folder)
        if let workTree { object["tree"] = .string(workTree) }
        for member in what.json.object?.members ?? [] { object[member.key] = member.value }
        return .object(object)
    }

    /// Reads the form that `json` writes. Returns `nil` for any other.
    package init?(json: JSON) {
        guard let folder = json["folder"]?.string, let what = What(json: json) else { return nil }
        self.init(what, in: folder, workTree: json["tree"]?.string)
    }
}

extension GitChange.What {
    fileprivate var json: JSON {
        switch self {
        case .initialized: ["is": "init"]
        case .deleted: ["is": "deleted"]
        case .commits(let commits):
            .of([
                "is": "commits", "tip": .string(commits.tip), "count": .int(commits.count), "ref": .string(commits.ref),
                "merge": commits.isMerge ? true : nil, "files": commits.paths.json,
            ])
        case .ref(let ref):
            .of([
                "is": "ref", "name": .string(ref.name), "before": ref.before.map { .string($0) },
                "after": ref.after.map { .string($0) },
            ])
        case .lost(let count): ["is": "lost", "count": .int(count)]
        case .index(let paths): ["is": "index", "files": paths.json]
        case .config(let keys): ["is": "config", "keys": .array(keys.map { .string($0) })]
        case .stash(let made, let dropped, let paths):
            ["is": "stash", "made": .int(made), "dropped": .int(dropped), "files": paths.json]
        case .upkeep(let names, let removes):
            ["is": "upkeep", "names": .array(names.map { .string($0) }), "removes": .bool(removes)]
        case .unread(let reason): ["is": "unread", "reason": .string(reason)]
        }
    }

    fileprivate init?(json: JSON) {
        guard let paths = GitChange.Paths(json: json["files"]) else {
            self.init(withoutPaths: json)
            return
        }
        switch json["is"]?.string {
        case "commits":
            guard let tip = json["tip"]?.string, let count = json["count"]?.int, let ref = json["ref"]?.string else {
                return nil
            }
            let isMerge = json["merge"] == true
            self = .commits(GitChange.Commits(tip: tip, count: count, ref: ref, isMerge: isMerge, paths: paths))
        case "index": self = .index(paths)
        case "stash":
            guard let made = json["made"]?.int, let dropped = json["dropped"]?.int else { return nil }
            self = .stash(made: made, dropped: dropped, paths)
        default: return nil
        }
    }

    private init?(withoutPaths json: JSON) {
        switch json["is"]?.string {
        case "init": self = .initialized
        case "deleted": self = .deleted
        case "ref":
            guard let name = json["name"]?.string else { return nil }
            self = .ref(GitChange.Ref(name, from: json["before"]?.string, to: json["after"]?.string))
        case "lost":
            guard let count = json["count"]?.int else { return nil }
            self = .lost(count)
        case "config": self = .config((json["keys"]?.array ?? []).compactMap(\.string))
        case "upkeep":
            self = .upkeep((json["names"]?.array ?? []).compactMap(\.string), removes: json["removes"] != false)
        case "unread": self = .unread(json["reason"]?.string ?? "")
        default: return nil
        }
    }
}

extension GitChange.Paths {
    fileprivate var json: JSON { ["count": .int(count), "named": .array(named.map(\.json))] }

    fileprivate init?(json: JSON?) {
        guard let count = json?["count"]?.int, let named = json?["named"]?.array else { return nil }
        self.init(count: count, named: named.compactMap(GitChange.Path.init(json:)))
    }
}

extension GitChange.Path {
    fileprivate var json: JSON {
        .of([
            "path": .string(path), "is": .string(kind.rawValue), "elsewhere": isElsewhere ? true : nil,
            "mode": mode.map { .string(String($0, radix: 8)) }, "gitState": isGitState ? true : nil,
            "also": otherPaths.isEmpty ? nil : .array(otherPaths.map { .string($0) }),
        ])
    }

    fileprivate init?(json: JSON) {
        guard let path = json["path"]?.string, let kind = json["is"]?.string.flatMap(Kind.init(rawValue:)) else {
            return nil
        }
        self.init(
            path, kind, isElsewhere: json["elsewhere"]?.bool ?? false,
            mode: json["mode"]?.string.flatMap { Int($0, radix: 8) }, isGitState: json["gitState"]?.bool ?? false,
            otherPaths: json["also"]?.array?.compactMap(\.string) ?? [])
    }
}
